// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/chains/data/chain_steps.h"

#include "widgets/plan/units.h"
#include "widgets/views/chains/data/chain_words.h"

#include <QCoreApplication>

namespace memplan::ui {

using ttnn::TraceKind;

namespace {

QString words(const char* text) {
    return QCoreApplication::translate("Chains", text);
}

QString nameOf(const ChainData& data, OpId op) {
    return op.isValid() && static_cast<std::size_t>(op.index) < data.plan().ops.size()
               ? fromStd(data.plan().op(op).name)
               : words("the entry");
}

QString layoutOf(const ChainData& data, OpId op, int config) {
    const auto& ops = data.record().record.ops;
    if (!op.isValid() || static_cast<std::size_t>(op.index) >= ops.size() || config < 0) return {};
    const auto& layouts = ops[static_cast<std::size_t>(op.index)].sharded;
    return static_cast<std::size_t>(config) < layouts.size()
               ? shortLayoutText(layouts[static_cast<std::size_t>(config)])
               : QString::number(config);
}

QString titleOf(const ChainData& data, const ttnn::TraceEvent& e) {
    const QString op = nameOf(data, e.op), other = nameOf(data, e.other);
    switch (e.kind) {
    case TraceKind::LayoutsGenerated:
        return words("Legal layouts listed");
    case TraceKind::OpConfigs:
        return words("Configurations of %1 listed").arg(op);
    case TraceKind::ChainBuilt:
        return words("Chain built, it ends with %1").arg(op);
    case TraceKind::EdgeChecked:
        return words("Edge %1 to %2 checked, operand %3").arg(other, op).arg(e.operand);
    case TraceKind::BitsNarrowed:
        return words("%1: %2 of %3 configurations left").arg(op).arg(e.after).arg(e.before);
    case TraceKind::ReshardInserted:
        return words("Reshard inserted before %1, operand %2").arg(op).arg(e.operand);
    case TraceKind::ChainFailed:
        return words("Chain failed at %1").arg(op);
    case TraceKind::ConfigSelected:
        return words("%1 gets %2").arg(op, layoutOf(data, e.op, e.config));
    case TraceKind::MergeTried:
        return e.text.empty() ? words("Merge into %1, operand %2, fits").arg(op).arg(e.operand)
                              : words("Merge into %1, operand %2, refused").arg(op).arg(e.operand);
    case TraceKind::MergeApplied:
        return words("Merge into %1 made, operand %2").arg(op).arg(e.operand);
    case TraceKind::ReservationAdded:
        return words("Result of %1 kept in L1").arg(op);
    case TraceKind::TransformApplied:
        return words("Layouts written into the module");
    }
    return {};
}

}  // namespace

ChainStepText chainStepText(const ChainData& data, const ttnn::TraceEvent& e) {
    ChainStepText text{titleOf(data, e), {}};
    const QString more = fromStd(e.text).replace(u'_', u' ');
    switch (e.kind) {
    case TraceKind::EdgeChecked:
        text.lines << words("%1 pairs asked, %2 fit").arg(e.before).arg(e.after);
        break;
    case TraceKind::BitsNarrowed:
        text.lines
            << words("by the edge %1 to %2, round %3").arg(nameOf(data, e.other), nameOf(data, e.op)).arg(e.round)
            << words("%1 crossed out").arg(e.before - e.after);
        break;
    case TraceKind::ChainBuilt:
        text.lines << plural(e.after, words("operation"), words("operations")) << words("why it ends: %1").arg(more);
        break;
    case TraceKind::ChainFailed:
        text.lines << words("found at the stage: %1").arg(more);
        break;
    case TraceKind::MergeTried:
        text.lines << words("%1 of a core").arg(exactBytes(e.after));
        if (!more.isEmpty()) text.lines << words("refused by: %1").arg(more);
        break;
    case TraceKind::ReservationAdded:
        text.lines << words("%1 of a core, for: %2").arg(exactBytes(e.after), more);
        break;
    case TraceKind::ReshardInserted:
        text.lines << words("%1 configurations before, %2 after").arg(e.before).arg(e.after);
        break;
    default:
        if (!more.isEmpty()) text.lines << more;
    }
    return text;
}

std::vector<int> chainSteps(const ChainData& data, int chain) {
    std::vector<int> steps;
    const auto& trace = data.record().record.trace;
    for (std::size_t i = 0; i < trace.size(); ++i)
        if (chain < 0 || trace[i].chain == chain) steps.push_back(static_cast<int>(i));
    return steps;
}

int edgeOfStep(const ChainData& data, const ttnn::TraceEvent& e) {
    const auto& edges = data.record().record.edges;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const bool isForward = edges[i].consumer == e.op && edges[i].producer == e.other;
        const bool isBackward = edges[i].producer == e.op && edges[i].consumer == e.other;
        if (e.other.isValid() && edges[i].operand == e.operand && (isForward || isBackward)) return static_cast<int>(i);
    }
    return -1;
}

}  // namespace memplan::ui
