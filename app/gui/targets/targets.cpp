// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/targets/targets.h"

#include "app/gui/targets/spyre.h"
#include "app/gui/targets/torchwright.h"
#include "app/gui/targets/ttnn.h"
#include "engine/target/target.h"
#include "widgets/plan/units.h"

#include <QCoreApplication>

#include <algorithm>
#include <vector>

namespace memplan::app {
namespace {

constexpr const char* kTimeLimit[]{"engine.time_limit_seconds"};
/// A machine without a file here: its settings by the parts that they play, in words of any machine.
TargetUi plainUi(const TargetInfo& info) {
    const SettingRoles& roles = info.settings;
    return {.target = info.id,
            .title = info.id,
            .solverKey = roles.solver.solver,
            .graphParameters = kTimeLimit,
            .listParameters = kTimeLimit,
            .trialCount = {roles.cores, QT_TRANSLATE_NOOP("Target", "Cores")},
            .trialShare = {roles.reservedShare, QT_TRANSLATE_NOOP("Target", "Reserved fraction")}};
}

std::vector<TargetUi> makeAll() {
    std::vector<TargetUi> all{spyreUi(), ttnnUi(), torchwrightUi()};
    for (const Target* target : allTargets())
        if (std::ranges::find(all, target->info().id, &TargetUi::target) == all.end())
            all.push_back(plainUi(target->info()));
    return all;
}

QString own(const SettingWord& word, std::string_view key) {
    return !word.key.empty() && key == word.key ? QCoreApplication::translate("Target", word.title) : QString();
}

bool names(std::span<const char* const> list, std::string_view name) {
    return std::ranges::find(list, name) != list.end();
}

}  // namespace

std::span<const TargetUi> allTargetUis() {
    static const std::vector<TargetUi> kAll = makeAll();
    return kAll;
}

const TargetUi& targetUi(std::string_view target) {
    static const TargetUi kUnknown{.target = {}, .title = "plan"};
    const auto all = allTargetUis();
    if (target.empty()) return all.front();
    const auto it = std::ranges::find(all, target, &TargetUi::target);
    return it == all.end() ? kUnknown : *it;
}

bool isOffered(const TargetUi& target, std::string_view viewOrDock) {
    if (names(target.hides, viewOrDock)) return false;
    const auto isOwner = [viewOrDock](const TargetUi& ui) { return names(ui.owns, viewOrDock); };
    return std::ranges::none_of(allTargetUis(), isOwner) || isOwner(target);
}

QString keyText(std::string_view settingKey) {
    return ui::fromStd(std::string(settingKey));
}

QString titleOf(const TargetUi& target) {
    return keyText(target.title);
}

QString planWords(const Plan& plan) {
    const TargetUi& target = targetUi(plan.target);
    return target.planWords != nullptr ? target.planWords(plan) : ui::fromStd(plan.solver);
}

std::int64_t coresOf(const Plan& plan) {
    const std::string_view key = settingRoles(plan.target).cores;
    if (!key.empty()) return plan.settings.integer(key);
    std::int64_t most = 1;
    for (const PlanOp& op : plan.ops)
        most = std::max(most, op.cores);
    return most;
}

QString settingTitle(std::string_view key) {
    for (const TargetUi& target : allTargetUis())
        for (const ToolSetting& setting : target.toolBar)
            if (const QString title = own(setting.word, key); !title.isEmpty()) return title;
    QString title = ui::fromStd(std::string(key)).section(u'.', -1);
    return title.replace(u'_', u' ');
}

}  // namespace memplan::app
