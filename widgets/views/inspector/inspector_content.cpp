// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/inspector/inspector_content.h"

#include "engine/hints/kinds.h"
#include "engine/plan/given_name.h"
#include "engine/plan/loop_words.h"
#include "engine/plan/room.h"
#include "widgets/plan/item_json.h"
#include "widgets/plan/models/plan_models.h"
#include "widgets/plan/pass_words.h"
#include "widgets/plan/plan_look.h"
#include "widgets/views/inspector/inspector_hints.h"
#include "widgets/views/inspector/inspector_layer.h"
#include "widgets/views/inspector/inspector_loop.h"
#include "widgets/views/inspector/inspector_memory.h"
#include "widgets/views/inspector/inspector_side.h"
#include "widgets/views/inspector/inspector_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <span>

namespace memplan::ui {

namespace {

constexpr std::size_t kDecisionRows = 200, kAlternatives = 8;
constexpr Bytes kStick = 128;

QString tr(const char* text) {
    return QCoreApplication::translate("Inspector", text);
}

QString joinLinks(const Plan& plan, const std::vector<OpId>& ops, OpId except) {
    QStringList links;
    for (const OpId op : ops)
        if (op != except) links << linkTo(plan, op);
    return links.isEmpty() ? quiet(tr("none")) : links.join(QStringLiteral(", "));
}

QString familyTitle(const PlanBuffer& b) {
    const QString family = reasonFamily(b);
    if (b.reason->code == ReasonCode::NoRoom) return tr("No room on scratchpad");
    return family.isEmpty() ? tr("Off chip") : family.left(1).toUpper() + family.mid(1);
}

/// Room at the tightest step and for the whole life, as the memory map draws them.
void addRoom(const Plan& plan, BufferId id, InspectorSection& s) {
    const std::optional<TightestStep> tightest = tightestStep(plan, id);
    if (!tightest) return;
    s.rows.push_back(row(tr("Largest gap"),
                         tr("%1 of %2 free, at step %3, the tightest")
                             .arg(exactBytes(tightest->gap), exactBytes(tightest->free), groupedText(tightest->step))));
    s.rows.push_back(row(tr("For its whole life"), exactBytes(gapOverLife(plan, id).size)));
}

InspectorSection whySection(const Plan& plan, BufferId id) {
    const PlanBuffer& b = plan.buffer(id);
    InspectorSection s{QStringLiteral("why"), tr("Why it is off chip"), {}, {}, {}, {}, true};
    s.paragraphs << QStringLiteral("<b style=\"color:%1\">%2</b>")
                        .arg(themeOf().color(Token::Error).name(), familyTitle(b).toHtmlEscaped());
    s.paragraphs << fromStd(sentence(*b.reason)).toHtmlEscaped();
    const Reason& r = *b.reason;
    addRoom(plan, id, s);
    QStringList blockers;
    for (const BufferId blocker : r.blockers)
        blockers << linkTo(plan, blocker);
    if (!blockers.isEmpty()) s.rows.push_back(htmlRow(tr("Blocked by"), blockers.join(QStringLiteral(", "))));
    // How each of them cuts the buffer stands in the sentence, in the words of the tensor.
    if (r.writer.isValid()) s.rows.push_back(htmlRow(tr("Written by"), linkTo(plan, r.writer)));
    if (r.reader.isValid()) s.rows.push_back(htmlRow(tr("Read by"), linkTo(plan, r.reader)));
    QStringList others;
    for (const ReasonCode code : r.others)
        others << QString::fromUtf8(reasonInfo(code).condition.data(),
                                    static_cast<qsizetype>(reasonInfo(code).condition.size()));
    if (!others.isEmpty()) s.paragraphs << tr("Also: %1").arg(others.join(QStringLiteral("; "))).toHtmlEscaped();
    const std::string_view code = reasonInfo(r.code).diagnostic;
    s.count = QString::fromUtf8(code.data(), static_cast<qsizetype>(code.size()));
    return s;
}

void addOpIdentity(const Plan& plan, const PlanOp& op, InspectorSection& s) {
    s.rows.push_back(row(tr("Function"), fromStd(op.type)));
    InspectorRow kind = row(tr("Kind"), fromStd(op.kind));
    kind.hintKey = hintKeyFor(plan, "lx_eligible");  // overrides the rule on kinds
    s.rows.push_back(kind);
    if (!op.groupPath.empty()) s.rows.push_back(row(tr("Annotation"), fromStd(op.groupPath)));
    if (!op.origin.node.empty()) s.rows.push_back(row(tr("Source node"), fromStd(op.origin.node)));
    if (!op.origin.op.empty()) s.rows.push_back(row(tr("Source op"), fromStd(op.origin.op)));
    if (!op.addedBy.empty()) s.rows.push_back(row(tr("Added by"), fromStd(op.addedBy)));
}

InspectorSection identitySection(const Plan& plan, const PlanBuffer& b) {
    InspectorSection s{QStringLiteral("identity"), tr("Identity"), {}, {}, {}, {}, false};
    s.rows = {row(tr("Buffer"), fromStd(b.name)), row(tr("Role"), roleText(b.role))};
    if (!b.producer.isValid()) return s;
    s.rows.push_back(htmlRow(tr("Producer"), linkTo(plan, b.producer)));
    addOpIdentity(plan, plan.op(b.producer), s);
    return s;
}

/// Of an operation that is not one with its output: it has none, or several.
InspectorSection identitySection(const Plan& plan, const PlanOp& op) {
    InspectorSection s{QStringLiteral("identity"), tr("Identity"), {}, {}, {}, {}, false};
    QStringList outputs;
    for (const BufferId out : op.outputs)
        if (out.isValid()) outputs << linkTo(plan, out);
    s.rows = {row(tr("Operation"), fromStd(op.name)),
              htmlRow(tr("Outputs"), outputs.isEmpty() ? tr("none") : outputs.join(QStringLiteral(", ")))};
    addOpIdentity(plan, op, s);
    return s;
}

QString slotHtml(const Plan& plan, const PlanBuffer& b) {
    QStringList chain;
    BufferId at = b.inPlaceOf;
    for (int guard = 0; at.isValid() && guard < 64; ++guard, at = plan.buffer(at).inPlaceOf)
        chain << tr("from %1").arg(linkTo(plan, at));
    return chain.isEmpty() ? tr("own block") : chain.join(QStringLiteral(", "));
}

/// The copies that a pass made of a graph input; whether it makes one can be asked for.
InspectorRow clonesRow(const Plan& plan, const PlanBuffer& input) {
    QStringList clones;
    for (std::size_t i = 0; i < plan.buffers.size(); ++i)
        if (plan.buffers[i].cloneOf.isValid() && &plan.buffer(plan.buffers[i].cloneOf) == &input)
            clones << linkTo(plan, BufferId::of(i));
    InspectorRow row = htmlRow(tr("Clone"), clones.isEmpty() ? quiet(tr("none")) : clones.join(QStringLiteral(", ")));
    row.hintKey = hintKeyFor(plan, "clone_input");
    return row;
}

InspectorSection placementSection(const Plan& plan, const PlanBuffer& b, const Units& units) {
    InspectorSection s{QStringLiteral("placement"), tr("Placement"), {}, {}, {}, {}, true};
    if (b.address) {
        InspectorRow address{
            tr("Address"), QStringLiteral("<b>%1</b> %2").arg(groupedText(*b.address), fixedHtml(hexText(*b.address))),
            QString::number(*b.address), hintKeyFor(plan, "address")};
        s.rows.push_back(address);
    }
    const auto id = BufferId::of(static_cast<std::size_t>(&b - plan.buffers.data()));
    const InspectorRow limit = addressLimitRow(plan, id, units);
    if (!limit.hintKey.isEmpty()) s.rows.push_back(limit);
    InspectorRow memory = row(tr("Memory"), spaceLabel(b.space));
    memory.hintKey = hintKeyFor(plan, isOnChip(b.space) ? "keep_off_chip" : "pin");
    s.rows.push_back(memory);
    s.rows.push_back(bytesRow(tr("Size per core"), b.sizePerCore, units));
    if (b.address)
        s.rows.push_back(
            {tr("End"), groupedText(*b.address + b.sizePerCore), QString::number(*b.address + b.sizePerCore), {}});
    if (isOnChip(b.space)) {
        InspectorRow slot = htmlRow(tr("Slot"), slotHtml(plan, b));
        slot.hintKey = hintKeyFor(plan, "in_place");
        s.rows.push_back(slot);
    }
    if (b.cloneOf.isValid()) {
        InspectorRow clone = htmlRow(tr("Clone of"), linkTo(plan, b.cloneOf));
        const bool ofInput = !plan.buffer(b.cloneOf).producer.isValid();
        if (ofInput) clone.hintKey = hintKeyFor(plan, "clone_input");
        s.rows.push_back(clone);
    }
    const bool mayBeCopied = hints::findKind(plan.target, "clone_input") != nullptr;
    if (b.role == BufferRole::GraphInput && mayBeCopied) s.rows.push_back(clonesRow(plan, b));
    if (b.size != b.sizePerCore) s.rows.push_back(bytesRow(tr("All cores"), b.size, units));
    if (b.trafficSaved > 0) s.rows.push_back(bytesRow(tr("Traffic saved"), b.trafficSaved, units));
    return s;
}

InspectorSection lifetimeSection(const InspectorInput& input, BufferId id) {
    const Plan& plan = *input.plan;
    const PlanBuffer& b = plan.buffer(id);
    InspectorSection s{QStringLiteral("lifetime"), tr("Lifetime"), {}, {}, {}, {}, true};
    s.rows.push_back({tr("Steps"),
                      QStringLiteral("%1 %2").arg(rangeText(b.life),
                                                  quiet(QStringLiteral("[%1, %2)").arg(b.life.begin).arg(b.life.end))),
                      QStringLiteral("%1\t%2").arg(b.life.begin).arg(b.life.end),
                      {}});
    if (const auto range = input.selection.range) {
        const StepRange both{std::max(b.life.begin, range->begin), std::min(b.life.end, range->end)};
        s.rows.push_back(row(tr("In the range"), both.begin < both.end
                                                     ? tr("steps %1 of %2").arg(rangeText(both), rangeText(*range))
                                                     : tr("not in steps %1").arg(rangeText(*range))));
    }
    s.rows.push_back(htmlRow(tr("Readers"), joinLinks(plan, b.uses, b.producer)));
    if (!input.selection.timeCursor) return s;
    for (InspectorRow& r : nowRows(plan, id, *input.selection.timeCursor))
        s.rows.push_back(std::move(r));
    return s;
}

/// Machines that say where a buffer lies count in sticks; others have tiles or columns.
bool isInSticks(const Plan& plan) {
    return std::ranges::any_of(plan.buffers, [](const PlanBuffer& b) { return b.layout || b.address; });
}

InspectorSection shapeSection(const Plan& plan, const PlanBuffer& b, const Units& units) {
    InspectorSection s{QStringLiteral("shape"), tr("Shape and layout"), {}, {}, {}, {}, true};
    InspectorRow shape = row(tr("Shape"), timesText(b.shape));
    const bool isInput = b.role == BufferRole::GraphInput;
    if (isInput || b.producer.isValid()) shape.hintKey = hintKeyFor(plan, isInput ? "dim_names" : "named_dims");
    s.rows.push_back(shape);
    const bool hasSticks = isInSticks(plan);
    const int bits = hasSticks ? dtypeBits(b.dtype) : 0;
    s.rows.push_back(row(tr("Type"), bits > 0 ? tr("%1, %2 a stick").arg(dtypeLabel(b.dtype)).arg(1024 / bits)
                                              : dtypeLabel(b.dtype)));
    if (b.layout) {
        QStringList device, strides;
        for (const std::int64_t v : b.layout->deviceSize)
            device << QString::number(v);
        for (const std::int64_t v : b.layout->strideMap)
            strides << QString::number(v);
        s.rows.push_back(
            {tr("Device size"), fixedHtml(u'[' + device.join(QStringLiteral(", ")) + u']'), device.join(u' '), {}});
        s.rows.push_back(
            {tr("Stride map"), fixedHtml(u'[' + strides.join(QStringLiteral(", ")) + u']'), strides.join(u' '), {}});
        if (b.layout->elementArrangement != "STANDARD")
            s.rows.push_back(row(tr("Arrangement"), fromStd(b.layout->elementArrangement)));
    }
    if (hasSticks)
        s.rows.push_back({tr("Sticks"),
                          groupedText((b.sizePerCore + kStick - 1) / kStick),
                          QString::number((b.sizePerCore + kStick - 1) / kStick),
                          {}});
    if (b.size != b.sizePerCore) s.rows.push_back(bytesRow(tr("All cores"), b.size, units));
    return s;
}

/// Trip counts of the loops around the operation, outermost first.
InspectorRow tilingRow(const Plan& plan, const PlanOp& op) {
    QStringList counts;
    for (const std::int64_t count : op.loopCounts)
        counts << groupedText(count);
    InspectorRow tiling = counts.isEmpty()
                              ? htmlRow(tr("Tiling"), quiet(tr("none")))
                              : row(tr("Tiling"), tr("loops of %1").arg(counts.join(QStringLiteral(" \u00D7 "))));
    if (!counts.isEmpty()) tiling.html = loopLinks(plan, OpId::of(static_cast<std::size_t>(&op - plan.ops.data())));
    tiling.hintKey = hintKeyFor(plan, "slices");
    return tiling;
}

InspectorSection coresSection(const Plan& plan, OpId id, const Units& units) {
    const PlanOp& op = plan.op(id);
    InspectorSection s{QStringLiteral("cores"), tr("Cores and split"), {}, {}, {}, {}, false};
    InspectorRow cores = row(tr("Cores"), groupedText(op.cores));
    cores.hintKey = hintKeyFor(plan, "max_cores");
    s.rows.push_back(cores);
    s.rows.push_back(
        {tr("Split"), splitText(plan, id).toHtmlEscaped(), splitText(plan, id), hintKeyFor(plan, "split")});
    for (std::size_t v = 0; v < op.iterationSpace.size(); ++v) {
        const IterationDim& d = op.iterationSpace[v];
        const std::string words = loopName(plan, id, v);
        // Hints name the loop, texts what it moves along.
        const QString name =
            words == d.name ? fromStd(d.name) : QStringLiteral("%1 (%2)").arg(fromStd(d.name), fromStd(words));
        s.rows.push_back(row(
            tr("Loop %1").arg(name),
            d.elemsPerStick > 0
                ? tr("%1 in %2 sticks, %3")
                      .arg(groupedText(d.extent), groupedText(d.adjusted), plural(d.slices, tr("slice"), tr("slices")))
                : tr("%1, %2").arg(groupedText(d.extent), plural(d.slices, tr("slice"), tr("slices")))));
    }
    s.rows.push_back(tilingRow(plan, op));
    if (op.maxSpan > 0) s.rows.push_back(bytesRow(tr("Span per core"), op.maxSpan, units));
    s.rows.push_back(bytesRow(tr("Read off chip"), op.offChipRead, units));
    s.rows.push_back(bytesRow(tr("Written off chip"), op.offChipWrite, units));
    return s;
}

QString scoreText(double score) {
    return score == std::floor(score) && std::abs(score) < 1e15 ? groupedText(std::llround(score))
                                                                : QString::number(score, 'g', 6);
}

/// The pass that decided, as a link to what it did; plain where the plan has no such run, as in a plan file cut short.
QString linkToPass(const Plan& plan, const std::string& name) {
    const auto run = std::ranges::find(plan.passes, name, &PassRun::name);
    if (run == plan.passes.end()) return quiet(fromStd(name));
    return linkTo(ItemId{ItemKind::Pass, static_cast<int>(run - plan.passes.begin())}, passTitle(*run));
}

/// The first of many; layouts of a convolution are a page of them.
QString alternativesText(const Decision& d, bool all) {
    const std::size_t shown = all ? d.alternatives.size() : std::min(d.alternatives.size(), kAlternatives);
    QStringList others;
    for (const auto& [label, score] : std::span(d.alternatives).first(shown))
        others << tr("%1 (%2)").arg(fromStd(sentence(label)).toHtmlEscaped(), scoreText(score));
    QString text = quiet(tr("instead of: ")) + others.join(QStringLiteral(", "));
    if (shown < d.alternatives.size()) text += tr(" and %1 more").arg(d.alternatives.size() - shown);
    return text;
}

InspectorSection decisionsSection(const Plan& plan, BufferId buffer, OpId op, bool all) {
    InspectorSection s{QStringLiteral("decisions"), tr("Decisions"), {}, {}, {}, {}, true};
    std::size_t count = 0;
    bool hasMore = false;
    for (const Decision& d : plan.decisions) {
        const bool mine = (buffer.isValid() && d.buffer == buffer) || (op.isValid() && d.op == op);
        if (!mine || (++count > kDecisionRows && !all)) continue;
        const std::string_view word = kindName(d);
        const QString kind =
            word.empty() ? QString() : QStringLiteral(" \u00B7 ") + fromStd(std::string(word)).replace(u'_', u' ');
        QString text = linkToPass(plan, d.pass) + quiet(kind) + QStringLiteral("<br>");
        text += fromStd(sentence(d.chosen)).toHtmlEscaped();
        if (const std::string why = sentence(d.why); !why.empty())
            text += QStringLiteral(": ") + fromStd(why).toHtmlEscaped();
        if (!d.alternatives.empty()) text += QStringLiteral("<br>") + alternativesText(d, all);
        hasMore = hasMore || d.alternatives.size() > kAlternatives;
        s.paragraphs << text;
    }
    s.count = count ? groupedText(static_cast<qint64>(count)) : QString();
    if ((count > kDecisionRows || hasMore) && !all)
        s.paragraphs << QStringLiteral("<a href=\"all-decisions\">%1</a>").arg(tr("show all"));
    return s;
}

InspectorSection problemsSection(const Plan& plan, BufferId buffer, OpId op) {
    InspectorSection s{QStringLiteral("problems"), tr("Problems"), {}, {}, {}, {}, true};
    for (std::size_t i = 0; i < plan.problems.size(); ++i) {
        const Diagnostic& d = plan.problems[i];
        const bool mine =
            std::ranges::find(d.buffers, buffer) != d.buffers.end() || std::ranges::find(d.ops, op) != d.ops.end();
        if (!mine) continue;
        s.paragraphs << linkTo(ItemId{ItemKind::Problem, static_cast<int>(i)}, fromStd(d.code)) + u' ' +
                            fromStd(d.message).toHtmlEscaped() +
                            (d.hint.empty() ? QString() : u' ' + quiet(fromStd(d.hint)));
    }
    s.count = s.paragraphs.isEmpty() ? QString() : groupedText(s.paragraphs.size());
    return s;
}

QString bufferSentenceHtml(const Plan& plan, const PlanBuffer& b) {
    const QString origin = b.producer.isValid() ? tr("output of %1").arg(linkTo(plan, b.producer)) : roleText(b.role);
    QString text = origin + QStringLiteral(", ") + (isOnChip(b.space) ? tr("on chip") : tr("off chip"));
    if (b.inPlaceOf.isValid()) text += tr(", in place of %1").arg(linkTo(plan, b.inPlaceOf));
    if (b.cloneOf.isValid()) text += tr(", clone of %1").arg(linkTo(plan, b.cloneOf));
    return text;
}

InspectorContent bufferContent(const InspectorInput& input, BufferId id, OpId op) {
    const Plan& plan = *input.plan;
    const PlanBuffer& b = plan.buffer(id);
    InspectorContent c;
    c.kind = wordOf(ItemKind::Buffer);
    c.title = fromStd(shownName(plan, id));
    c.badge = badgeOf(residencyOf(b));
    c.sentence = bufferSentenceHtml(plan, b);
    const OpId producer = op.isValid() ? op : b.producer;
    if (b.reason) c.sections.push_back(whySection(plan, id));
    c.sections.push_back(identitySection(plan, b));
    c.sections.push_back(placementSection(plan, b, input.units));
    c.sections.push_back(lifetimeSection(input, id));
    c.sections.push_back(shapeSection(plan, b, input.units));
    if (producer.isValid()) c.sections.push_back(coresSection(plan, producer, input.units));
    c.sections.push_back(decisionsSection(plan, id, producer, input.allDecisions));
    c.sections.push_back(problemsSection(plan, id, producer));
    addRecorded(input, id, op, c.sections);
    c.sections.push_back(hintsSection(input, id, producer));
    c.sections.push_back(notesSection(input, b.life));
    c.sections.push_back({QStringLiteral("json"), tr("Raw JSON"), {}, {}, {}, bufferJson(plan, id), false});
    return c;
}

InspectorContent opContent(const InspectorInput& input, OpId id) {
    const Plan& plan = *input.plan;
    const PlanOp& op = plan.op(id);
    // An op and its one output are the same item everywhere; the sections of both come together.
    InspectorContent c;
    if (op.outputs.size() == 1 && op.outputs.front().isValid())
        c = bufferContent(input, op.outputs.front(), id);
    else
        c.sections = {identitySection(plan, op),
                      coresSection(plan, id, input.units),
                      decisionsSection(plan, {}, id, input.allDecisions),
                      problemsSection(plan, {}, id),
                      hintsSection(input, {}, id),
                      notesSection(input, StepRange{id.index, id.index + 1}),
                      {QStringLiteral("json"), tr("Raw JSON"), {}, {}, {}, {}, false}};
    if (c.title.isEmpty()) addRecorded(input, {}, id, c.sections);
    c.kind = wordOf(ItemKind::Op);
    c.title = fromStd(op.name);
    QStringList reads;
    for (const BufferId in : op.inputs)
        if (in.isValid()) reads << linkTo(plan, in);
    const QString output = c.sentence;
    c.sentence = tr("%1, step %2, reads %3")
                     .arg(fromStd(op.type).toHtmlEscaped(), groupedText(id.index),
                          reads.isEmpty() ? tr("nothing") : reads.join(QStringLiteral(", ")));
    if (!op.outputs.empty() && op.outputs.front().isValid() && op.outputs.size() == 1)
        c.sentence += QStringLiteral("<br>") + tr("output %1").arg(linkTo(plan, op.outputs.front())) +
                      output.mid(output.indexOf(QStringLiteral(", ")));
    for (InspectorSection& s : c.sections)
        if (s.key == u"json") s.fixedText = opJson(plan, id);
    return c;
}

InspectorContent problemContent(const InspectorInput& input, int index) {
    const Diagnostic& d = input.plan->problems[static_cast<std::size_t>(index)];
    InspectorContent c{
        wordOf(ItemKind::Problem), fromStd(d.code), badgeOf(d.severity), fromStd(d.message).toHtmlEscaped(), {}};
    InspectorSection s{QStringLiteral("problem"), tr("Finding"), {}, {}, {}, {}, true};
    s.rows = {row(tr("Pass"), passTitle(input.plan->passes, d.pass)), row(tr("Where"), fromStd(d.where))};
    QStringList items;
    for (const BufferId b : d.buffers)
        items << linkTo(*input.plan, b);
    for (const OpId op : d.ops)
        items << linkTo(*input.plan, op);
    if (!items.isEmpty()) s.rows.push_back(htmlRow(tr("Items"), items.join(QStringLiteral(", "))));
    if (!d.hint.empty()) s.paragraphs << tr("What to do: %1").arg(fromStd(d.hint).toHtmlEscaped());
    c.sections.push_back(s);
    return c;
}

InspectorContent passContent(const InspectorInput& input, int index) {
    const PassRun& run = input.plan->passes[static_cast<std::size_t>(index)];
    InspectorContent c{wordOf(ItemKind::Pass),
                       passTitle(run),
                       std::nullopt,
                       run.ran ? (run.changed ? tr("changed the program") : tr("changed nothing")) : tr("did not run"),
                       {}};
    InspectorSection s{QStringLiteral("pass"), tr("Result"), {}, {}, {}, {}, true};
    s.rows.push_back(row(tr("Time"), tr("%1 ms").arg(QString::number(run.seconds * 1000.0, 'f', 2))));
    for (const auto& [name, count] : run.counts)
        s.rows.push_back(row(fromStd(name), groupedText(count)));
    c.sections.push_back(s);
    return c;
}

InspectorContent emptyContent() {
    return {QString(), tr("Nothing selected"), std::nullopt, tr("Select an operation or a buffer in any view."), {}};
}

}  // namespace

InspectorContent inspectorContent(const InspectorInput& input) {
    InspectorContent c = emptyContent();
    if (!input.plan) return c;
    if (input.selection.items.empty()) return input.selection.range ? rangeContent(input, *input.selection.range) : c;
    if (input.selection.items.size() > 1) {
        c = severalContent(input);
        toResidualWords(input, c);
        return c;
    }
    const ItemId id = input.selection.items.front();
    switch (id.kind) {
    case ItemKind::Buffer:
        c = bufferContent(input, BufferId{id.index}, {});
        break;
    case ItemKind::Op:
        c = opContent(input, OpId{id.index});
        break;
    case ItemKind::Problem:
        c = problemContent(input, id.index);
        break;
    case ItemKind::Pass:
        c = passContent(input, id.index);
        break;
    case ItemKind::Step:
        c = opContent(input, OpId{id.index});
        break;
    case ItemKind::Core:
        c = coreContent(input, id.index);
        break;
    case ItemKind::Loop:
        c = loopContent(input, id.index);
        break;
    }
    toResidualWords(input, c);
    std::erase_if(c.sections, [](const InspectorSection& s) { return s.isEmpty(); });
    return c;
}

MeasuredComparison softmaxMeasurements(Bytes currentTraffic) {
    MeasuredComparison m;
    m.rows = {{tr("1 baseline"), 8396800, 1.0, 32.51, false},
              {tr("2 reductions"), 8388608, 8396800.0 / 8388608.0, 27.66, false},
              {tr("3 in place"), 3145728, 8396800.0 / 3145728.0, 23.93, false},
              {tr("4 clone"), 2097152, 8396800.0 / 2097152.0, 23.67, false},
              {tr("4, on 4 cores"), 2097152, 8396800.0 / 2097152.0, 32.17, false}};
    for (auto& r : m.rows) {
        r.current = r.bytes == currentTraffic;
        if (r.current) break;
    }
    m.notes = {tr("Medians of 1000 runs after 200 warm-ups on one core, sample S1 with the reduction along axis 0."),
               tr("Times are not proportional to bytes: stage 2 saves 8 192 B and 4.85 \u00B5s, stage 4 saves 1 048 "
                  "576 B and 0.26 \u00B5s. End to end the time falls by 27 % where the "
                  "traffic falls by 75 %; the difference is a fixed overhead per bundle. A traffic ratio is no "
                  "predicted speed-up."),
               tr("Four cores are slower than one here because communication and the cost of distributing outweigh a 1 "
                  "MiB problem; several cores win on larger tensors.")};
    return m;
}

}  // namespace memplan::ui
