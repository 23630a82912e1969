// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/targets/target_choice.h"

#include "app/gui/targets/targets.h"
#include "widgets/plan/units.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace memplan::app {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("Target", text);
}

QString titleOf(const TargetInfo& info) {
    const TargetUi& known = targetUi(info.id);
    return known.target.empty() ? keyText(info.id) : titleOf(known);
}

QString whyNot(const PlannedInput& input, const TargetInfo& info) {
    if (input.program != nullptr && input.program->target() != info.id)
        return tr("This file is a program of %1 already.").arg(keyText(input.program->target()));
    if (input.program == nullptr && std::ranges::find(info.formats, input.format) == info.formats.end()) {
        QStringList formats;
        for (const std::string_view format : info.formats)
            formats << keyText(format);
        return tr("%1 plans %2; this file is %3.")
            .arg(titleOf(info), formats.join(QStringLiteral(", ")), keyText(input.format));
    }
    if (!input.machineOf.empty() && input.machineOf != info.id)
        return tr("The machine file of this document has figures of %1.").arg(keyText(input.machineOf));
    return {};
}

}  // namespace

std::vector<TargetChoice> targetChoices(const PlannedInput& input, std::span<const Target* const> targets) {
    std::vector<TargetChoice> choices;
    for (const Target* target : targets) {
        const TargetInfo& info = target->info();
        choices.push_back({std::string(info.id), titleOf(info), keyText(info.title), whyNot(input, info)});
    }
    const auto fitting = std::ranges::count_if(choices, [](const TargetChoice& c) { return c.whyNot.isEmpty(); });
    if (fitting < 2) choices.clear();
    return choices;
}

}  // namespace memplan::app
