// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/pass_words.h"

#include "widgets/plan/units.h"

#include <algorithm>

namespace memplan::ui {

QString passTitle(const PassRun& run) {
    return fromStd(run.title.empty() ? run.name : run.title);
}

QString passTitle(const std::vector<PassRun>& passes, const std::string& id) {
    const auto run = std::ranges::find(passes, id, &PassRun::name);
    return run == passes.end() ? fromStd(id) : passTitle(*run);
}

}  // namespace memplan::ui
