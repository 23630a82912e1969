// SPDX-License-Identifier: Apache-2.0
#include "engine/target/target.h"

#include "engine/base/text.h"

#include <algorithm>

namespace memplan {

bool JsonHead::has(std::string_view key) const {
    return std::ranges::find(keys, key) != keys.end();
}

const Target* findTarget(std::string_view id) {
    const auto all = allTargets();
    const auto it = std::ranges::find_if(all, [&](const Target* t) { return t->info().id == id; });
    return it == all.end() ? nullptr : *it;
}

Result<const Target*> requireTarget(std::string_view id) {
    if (const Target* target = findTarget(id)) return target;
    std::vector<std::string> names;
    for (const Target* target : allTargets())
        names.emplace_back(target->info().id);
    return makeError("IN-013", "", "there is no target " + text::quoted(id),
                     "the targets of this version: " + text::join(names, ", "));
}

const SettingRoles& settingRoles(std::string_view target) {
    static const SettingRoles kNone;
    const Target* own = findTarget(target);
    return own != nullptr ? own->info().settings : kNone;
}

std::vector<Gain> gainsOf(const Plan& plan) {
    const Target* target = findTarget(plan.target);
    return target != nullptr ? target->gains(plan) : passGains(plan);
}

const Target& naturalTarget(const Source* program) {
    const Target* own = program != nullptr ? findTarget(program->target()) : nullptr;
    return own != nullptr ? *own : *allTargets().front();
}

}  // namespace memplan
