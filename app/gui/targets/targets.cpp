// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/targets/targets.h"

#include "app/gui/targets/spyre.h"
#include "widgets/plan/units.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace memplan::app {
namespace {

QString words(const Plan& plan) {
    return ui::fromStd(plan.solver);
}

constexpr const char* kTimeLimit[]{"engine.time_limit_seconds"};
constexpr const char* kTorchwright[]{"torchwright.optimize", "engine.time_limit_seconds"};
/// Targets whose plans are only read so far: what a race would choose, and nothing to turn.
constexpr TargetUi kTtnn{"ttnn", "TTNN", {}, "ttnn.policy", {}, kTimeLimit, {}, {}, {}, {}, &words};
constexpr TargetUi kTorch{"torchwright", "torchwright", {}, "torchwright.optimize", {}, kTorchwright, {}, {}, {}, {},
                          &words};

QString own(const SettingWord& word, std::string_view key) {
    return word.key != nullptr && key == word.key ? QCoreApplication::translate("Target", word.title) : QString();
}

}  // namespace

std::span<const TargetUi* const> allTargetUis() {
    static const std::array<const TargetUi*, 3> kAll{&spyreUi(), &kTtnn, &kTorch};
    return kAll;
}

const TargetUi& targetUi(std::string_view target) {
    const auto all = allTargetUis();
    const auto it = std::ranges::find_if(all, [&](const TargetUi* ui) { return target == ui->target; });
    return it == all.end() ? *all.front() : **it;
}

std::int64_t coresOf(const Plan& plan) {
    const char* key = targetUi(plan.target).trialCount.key;
    return key == nullptr ? 1 : plan.settings.integer(key);
}

QString settingTitle(std::string_view key) {
    for (const TargetUi* target : allTargetUis())
        for (const ToolSetting& setting : target->toolBar)
            if (const QString title = own(setting.word, key); !title.isEmpty()) return title;
    QString title = ui::fromStd(std::string(key)).section(u'.', -1);
    return title.replace(u'_', u' ');
}

}  // namespace memplan::app
