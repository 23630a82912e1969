// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/hints/hint_effect.h"

#include "engine/compare/comparison.h"
#include "widgets/plan/units.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <map>

namespace memplan::ui {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("HintEffect", text);
}

std::vector<const Hint*> inForce(const Plan& plan) {
    std::vector<const Hint*> list;
    for (const Hint& hint : plan.hints)
        if (hint.enabled) list.push_back(&hint);
    return list;
}

bool isWithoutIt(const Plan& other, const Plan& plan, const std::vector<const Hint*>& hints) {
    if (other.target != plan.target || other.graph != plan.graph || !(other.machine == plan.machine)) return false;
    const std::vector<const Hint*> of = inForce(other);
    return std::equal(of.begin(), of.end(), hints.begin(), hints.end(),
                      [](const Hint* a, const Hint* b) { return meansTheSame(*a, *b); }) &&
           other.settings == plan.settings && other.stoppedAfter == plan.stoppedAfter;
}

const Plan* planWithout(const Plan& plan, std::size_t hint, const std::vector<PlanPtr>& others) {
    std::vector<const Hint*> hints = inForce(plan);
    if (std::erase(hints, &plan.hints[hint]) == 0) return nullptr;
    const auto found = std::find_if(others.rbegin(), others.rend(),
                                    [&](const PlanPtr& p) { return p && isWithoutIt(*p, plan, hints); });
    return found == others.rend() ? nullptr : found->get();
}

/// The traffic, or what the machine counts in its place.
void addFigures(QStringList& parts, const Plan& before, const Plan& plan) {
    for (const compare::MetricRow& row : compare::metricRows(before, plan)) {
        if (row.outcome == compare::Outcome::Same || (!row.isHeadline && row.key != "main_memory_bytes")) continue;
        const QString title = fromStd(row.title);
        const QString unit = row.unit == compare::MetricUnit::Bytes ? QStringLiteral(" B") : QString();
        parts << QStringLiteral("%1 %2%3").arg(title.left(1).toLower() + title.mid(1), fromStd(row.deltaText()), unit);
    }
}

void addNames(QStringList& parts, const QString& what, const QStringList& names) {
    constexpr qsizetype kNamed = 2;
    if (names.isEmpty()) return;
    QString list = names.mid(0, kNamed).join(QStringLiteral(", "));
    if (names.size() > kNamed) list += tr(" and %1 more").arg(names.size() - kNamed);
    parts << what.arg(list);
}

void addBuffers(QStringList& parts, const Plan& before, const Plan& plan) {
    std::map<std::string, const PlanBuffer*> old;
    for (const PlanBuffer& b : before.buffers)
        old.emplace(b.name, &b);
    QStringList off, gone, apart, on;
    for (const PlanBuffer& b : plan.buffers) {
        const auto was = old.find(b.name);
        if (was == old.end()) continue;
        const PlanBuffer& o = *was->second;
        if (isOnChip(o.space) && !isOnChip(b.space)) off << fromStd(b.name);
        if (!isOnChip(o.space) && isOnChip(b.space)) on << fromStd(b.name);
        const bool isApart = o.inPlaceOf.isValid() && !b.inPlaceOf.isValid() && isOnChip(b.space);
        if (isApart) apart << fromStd(b.name);
        old.erase(was);
    }
    for (const auto& [name, b] : old)
        if (isOnChip(b->space)) gone << fromStd(name);
    addNames(parts, tr("%1 on chip"), on);
    addNames(parts, tr("%1 off chip"), off);
    addNames(parts, tr("without %1"), gone);
    addNames(parts, tr("%1 not in place"), apart);
}

}  // namespace

bool meansTheSame(const Hint& a, const Hint& b) {
    return a.target == b.target && a.scopes == b.scopes && a.key == b.key && a.value == b.value &&
           a.enabled == b.enabled;
}

QString hintEffect(const Plan& plan, std::size_t hint, const std::vector<PlanPtr>& others) {
    const Plan* before = planWithout(plan, hint, others);
    if (before == nullptr) return {};
    QStringList parts;
    addFigures(parts, *before, plan);
    addBuffers(parts, *before, plan);
    return parts.isEmpty() ? tr("changes no figure") : parts.join(QStringLiteral("; "));
}

}  // namespace memplan::ui
