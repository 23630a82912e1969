// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_look.h"

#include "engine/target/target.h"
#include "widgets/plan/units.h"

#include <algorithm>

namespace memplan::ui {

bool isPlaced(const PlanBuffer& buffer) {
    return isOnChip(buffer.space) && buffer.address.has_value();
}

Residency residencyOf(const PlanBuffer& buffer) {
    if (!isOnChip(buffer.space)) return Residency::OffChip;
    if (buffer.cloneOf.isValid()) return Residency::Clone;
    if (buffer.inPlaceOf.isValid()) return Residency::InPlace;
    return Residency::OnChip;
}

Residency residencyOf(const Plan& plan, const PlanOp& op) {
    if (op.outputs.empty() || !op.outputs.front().isValid()) return Residency::OffChip;
    return residencyOf(plan.buffer(op.outputs.front()));
}

QChar residencyLetter(Residency r) {
    switch (r) {
    case Residency::OnChip:
        return u'L';
    case Residency::OffChip:
        return u'H';
    case Residency::InPlace:
        return u'I';
    case Residency::Clone:
        return u'C';
    case Residency::Resharded:
        return u'R';
    case Residency::Reserved:
        break;
    }
    return u'-';
}

QString residencyName(Residency r) {
    switch (r) {
    case Residency::OnChip:
        return QStringLiteral("on chip");
    case Residency::OffChip:
        return QStringLiteral("off chip");
    case Residency::InPlace:
        return QStringLiteral("in place");
    case Residency::Clone:
        return QStringLiteral("clone");
    case Residency::Resharded:
        return QStringLiteral("resharded, copied");
    case Residency::Reserved:
        return QStringLiteral("reserved");
    }
    return {};
}

MemorySpace onChipSpaceOf(const Plan* plan) {
    const Target* target = plan == nullptr ? allTargets().front() : findTarget(plan->target);
    for (const MemorySpace space : {MemorySpace::Lx, MemorySpace::L1, MemorySpace::Residual})
        if (target != nullptr && spaceName(space) == target->info().onChipSpace) return space;
    if (plan == nullptr) return MemorySpace::Lx;
    const auto placed = std::ranges::find_if(plan->buffers, [](const PlanBuffer& b) { return isOnChip(b.space); });
    return placed == plan->buffers.end() ? MemorySpace::L1 : placed->space;
}

QString spaceLabel(MemorySpace s) {
    switch (s) {
    case MemorySpace::Lx:
        return QStringLiteral("LX");
    case MemorySpace::L1:
        return QStringLiteral("L1");
    case MemorySpace::Residual:
        return QStringLiteral("residual stream");
    case MemorySpace::Hbm:
        return QStringLiteral("main memory");
    case MemorySpace::Dram:
        return QStringLiteral("DRAM");
    }
    return {};
}

QString dtypeLabel(DType t) {
    const QString name = QString::fromUtf8(dtypeName(t).data(), static_cast<qsizetype>(dtypeName(t).size()));
    if (name == u"f16" || name == u"f32" || name == u"f64") return u'f' + (u'p' + name.mid(1));
    return name;
}

QString reasonFamily(const PlanBuffer& buffer) {
    if (!buffer.reason) return {};
    const std::string_view family = reasonInfo(buffer.reason->code).family;
    return QString::fromUtf8(family.data(), static_cast<qsizetype>(family.size()));
}

QString whyOffChip(const PlanBuffer& buffer) {
    if (isOnChip(buffer.space)) return {};
    switch (buffer.role) {
    case BufferRole::GraphInput:
        return QStringLiteral("graph input");
    case BufferRole::GraphOutput:
        return QStringLiteral("graph output");
    case BufferRole::Parameter:
        return QStringLiteral("parameter");
    case BufferRole::Constant:
        return QStringLiteral("constant");
    case BufferRole::Intermediate:
        return reasonFamily(buffer);
    }
    return {};
}

QString bufferSentence(const Plan& plan, BufferId id) {
    const PlanBuffer& b = plan.buffer(id);
    QString text = QStringLiteral("Buffer %1, %2 bytes").arg(fromStd(b.name), groupedText(b.sizePerCore));
    if (isPlaced(b)) text += QStringLiteral(", address %1").arg(groupedText(*b.address));
    text += QStringLiteral(", steps %1, %2").arg(rangeText(b.life), residencyName(residencyOf(b)));
    if (b.reason) text += QStringLiteral(": ") + fromStd(sentence(*b.reason));
    return text;
}

QString opSentence(const Plan& plan, OpId id) {
    const PlanOp& op = plan.op(id);
    return QStringLiteral("Operation %1, %2, step %3, %4")
        .arg(fromStd(op.name), fromStd(op.kind), groupedText(id.index),
             plural(op.cores, QStringLiteral("core"), QStringLiteral("cores")));
}

namespace {

/// Names of counts are plural, as in a plan file ("op_specs"); of one thing the first word is singular.
QString countWord(const std::string& name, std::int64_t count) {
    QStringList words = fromStd(name).split(u'_');
    const auto plural = std::find_if(words.begin(), words.end(), [](const QString& w) { return w.endsWith(u's'); });
    if (count == 1 && plural != words.end()) {
        const bool isFromY = plural->endsWith(u"ies");
        plural->chop(isFromY ? 3 : 1);
        if (isFromY) *plural += u'y';
    }
    return words.join(u' ');
}

}  // namespace

QString passCountsText(const PassRun& run) {
    QStringList parts;
    for (const auto& [name, count] : run.counts) {
        if (count != 0) parts << QStringLiteral("%1 %2").arg(groupedText(count), countWord(name, count));
    }
    return parts.join(QStringLiteral(", "));
}

}  // namespace memplan::ui
