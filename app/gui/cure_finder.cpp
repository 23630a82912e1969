// SPDX-License-Identifier: GPL-3.0-or-later
#include "cure_finder.h"

#include "core/units.h"
#include "coregrid/split_cure.h"
#include "hints/hint_items.h"
#include "hints/hint_templates.h"
#include "hints/hint_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <memory>

namespace memplan::app {

using hints::ScopeKind;
using ui::fromStd;

namespace {

constexpr std::size_t kMostAttempts = 8;
constexpr std::size_t kMostCures = 3;
constexpr Bytes kStick = 128;

QString tr(const char* text) {
    return QCoreApplication::translate("Cures", text);
}

Bytes trafficOf(const Plan& plan) {
    return plan.metrics.mainMemoryReadBytes + plan.metrics.mainMemoryWriteBytes;
}

std::optional<Hint> hintOn(const Plan& plan, BufferId buffer, ScopeKind kind, const char* key,
                           const std::string& value) {
    const hints::KindInfo* info = hints::findKind(plan.target, key);
    const auto scope = ui::scopeOf(plan, ui::ItemId::of(buffer), kind);
    if (info == nullptr || !info->isRead || !scope) return std::nullopt;
    Hint hint;
    hint.target = std::string(targetName(plan.target));
    hint.scopes = {hints::scopeText(*scope)};
    hint.key = key;
    hint.valueJson = value;
    return hint;
}

void offer(std::vector<CureAttempt>& attempts, const Plan& plan, const std::optional<Hint>& hint) {
    if (hint) attempts.push_back({ui::hintCommandText(*hint, plan.target), {*hint}, {}, {}});
}

void offerSetting(std::vector<CureAttempt>& attempts, const Plan& plan, const char* key, const char* value,
                  const QString& title) {
    const SettingInfo* info = findSetting(key);
    if (info == nullptr || !info->inUse || plan.settings.textOf(key) == value) return;
    attempts.push_back({title, {}, QString::fromLatin1(key), QString::fromLatin1(value)});
}

/// The buffer lost the packing: move what blocks it, ask another solver, or insist.
void roomAttempts(std::vector<CureAttempt>& attempts, const Plan& plan, BufferId refused) {
    for (const char* solver : {"firstfit", "bestfit", "exact"})
        offerSetting(attempts, plan, "spyre.layout_solver", solver, tr("Solver %1").arg(QLatin1String(solver)));
    offer(attempts, plan, hintOn(plan, refused, ScopeKind::Tensor, "pin", "true"));
    std::size_t blockers = 0;
    for (const BufferId id : plan.buffer(refused).reason->blockers) {
        if (++blockers > 2) break;
        const Bytes top = (plan.memory.capacity - plan.buffer(id).sizePerCore) / kStick * kStick;
        if (top >= 0) offer(attempts, plan, hintOn(plan, id, ScopeKind::Tensor, "address", std::to_string(top)));
        offer(attempts, plan, hintOn(plan, id, ScopeKind::Tensor, "keep_off_chip", "true"));
    }
}

QString signedPercent(Bytes before, Bytes after) {
    if (before <= 0) return {};
    const double change = static_cast<double>(after - before) / static_cast<double>(before);
    const QString sign = change < 0 ? QString(QChar(0x2212)) : QStringLiteral("+");
    return sign + ui::percentText(std::abs(change));
}

}  // namespace

std::vector<CureAttempt> cureAttempts(const Plan& plan, BufferId refused) {
    std::vector<CureAttempt> attempts;
    const PlanBuffer& b = plan.buffer(refused);
    if (!b.reason || plan.target != Target::Spyre) return attempts;
    const auto pair = ui::splitPairOf(plan, refused);
    switch (b.reason->code) {
    case ReasonCode::NoRoom:
        roomAttempts(attempts, plan, refused);
        break;
    case ReasonCode::CoreDivMismatch:
        if (const auto cure = pair ? ui::splitCure(plan, *pair) : std::nullopt)
            attempts.push_back({fromStd(cure->label), ui::splitHints(plan, *cure), {}, {}});
        offerSetting(attempts, plan, "spyre.co_optimize", "true", tr("Co-optimise splits and residency"));
        break;
    case ReasonCode::GraphInput:
        offer(attempts, plan, hintOn(plan, refused, ScopeKind::Tensor, "clone_input", "true"));
        break;
    case ReasonCode::PlanningOff:
        offerSetting(attempts, plan, "spyre.lx_planning", "true", tr("Switch LX planning on"));
        break;
    case ReasonCode::OpNotAllowed:
        offer(attempts, plan, hintOn(plan, refused, ScopeKind::Op, "lx_eligible", "true"));
        offer(attempts, plan, hintOn(plan, refused, ScopeKind::Tensor, "pin", "true"));
        break;
    default:
        break;
    }
    if (attempts.size() > kMostAttempts) attempts.resize(kMostAttempts);
    return attempts;
}

CompileRequest withAttempt(CompileRequest request, const CureAttempt& attempt) {
    request.hints.insert(request.hints.end(), attempt.hints.begin(), attempt.hints.end());
    if (!attempt.settingKey.isEmpty())
        (void)request.settings.set(attempt.settingKey.toStdString(), attempt.settingValue.toStdString());
    return request;
}

std::vector<TriedCure> tryCures(const CompileRequest& request, const Plan& before, BufferId refused,
                                const std::vector<CureAttempt>& attempts, const RunControl& control) {
    std::vector<TriedCure> cures;
    const PlanBuffer& old = before.buffer(refused);
    const auto isSame = [&](const PlanBuffer& b) {
        return old.graphTensor.isValid()
                   ? b.graphTensor == old.graphTensor || (b.cloneOf.isValid() && b.name == old.name)
                   : b.name == old.name;
    };
    // A graph input stays where it is; its clone comes on chip.
    const auto isCured = [&](const Plan& plan) {
        for (const PlanBuffer& b : plan.buffers) {
            if (isSame(b) && isOnChip(b.space)) return true;
            if (b.cloneOf.isValid() && isSame(plan.buffer(b.cloneOf)) && isOnChip(b.space)) return true;
        }
        return false;
    };
    for (const CureAttempt& attempt : attempts) {
        if (control.stop.stop_requested()) return {};
        CompileRequest changed = withAttempt(request, attempt);
        changed.keepSnapshotTexts = false;
        CompileOutcome outcome = compile(changed, control);
        if (!outcome.plan || !isCured(*outcome.plan) || trafficOf(*outcome.plan) > trafficOf(before)) continue;
        cures.push_back({attempt, std::move(outcome.plan)});
    }
    std::ranges::stable_sort(cures, {}, [](const TriedCure& c) { return trafficOf(*c.plan); });
    if (cures.size() > kMostCures) cures.resize(kMostCures);
    return cures;
}

ui::Cure cureCard(const TriedCure& cure, const Plan& before) {
    const PlanMetrics& m = cure.plan->metrics;
    const Bytes was = trafficOf(before), is = trafficOf(*cure.plan);
    const QString change = was == is ? tr("unchanged") : signedPercent(was, is);
    return {cure.attempt.title,
            tr("On chip %1 \u2192 %2 of %3 buffers, off-chip traffic %4 \u2192 %5 (%6).")
                .arg(before.metrics.buffersOnChip)
                .arg(m.buffersOnChip)
                .arg(m.buffersTotal)
                .arg(ui::groupedText(was), ui::exactBytes(is), change),
            cure.attempt.settingKey.isEmpty()
                ? (cure.attempt.hints.size() == 1 ? tr("Add hint") : tr("Add %1 hints").arg(cure.attempt.hints.size()))
                : tr("Set"),
            {}};
}

CureFinder::CureFinder(QObject* parent) : QObject(parent), task_(this) {}

void CureFinder::search(const CompileRequest& request, const PlanPtr& plan, BufferId refused, Answer answer) {
    task_.cancel();
    const std::vector<CureAttempt> attempts = cureAttempts(*plan, refused);
    if (attempts.empty()) return answer({}, 0);
    task_.start(tr("Trying cures"),
                [request, plan, refused, attempts, answer](const RunControl& control) -> BackgroundTask::Finish {
                    auto cures =
                        std::make_shared<std::vector<TriedCure>>(tryCures(request, *plan, refused, attempts, control));
                    const int tried = static_cast<int>(attempts.size());
                    return [cures, answer, tried] { answer(std::move(*cures), tried); };
                });
}

}  // namespace memplan::app
