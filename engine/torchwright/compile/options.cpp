// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/compile/options.h"

namespace memplan::torchwright {

ScheduleOptions optionsOf(const Settings& settings) {
    const auto whole = [&](std::string_view key) { return static_cast<std::int32_t>(settings.integer(key)); };
    ScheduleOptions o;
    o.d = whole("torchwright.d");
    o.dHead = whole("torchwright.d_head");
    o.dHidden = whole("torchwright.d_hidden");
    o.maxLayers = whole("torchwright.max_layers");
    const bool isAlways = settings.text("torchwright.local_in_attention") == "always";
    o.localInAttention = isAlways ? LocalRouting::Always : LocalRouting::Never;
    o.pressureThreshold = settings.number("torchwright.pressure_threshold");
    o.assumeZeroInit = settings.boolean("torchwright.assume_zero_init");
    o.admissionControl = settings.boolean("torchwright.admission_control");
    o.admissionBudgetFraction = settings.number("torchwright.admission_budget_fraction");
    o.admissionMinChains = whole("torchwright.admission_min_chains");
    o.admissionMinPeakWidth = whole("torchwright.admission_min_peak_width");
    return o;
}

CutSettings cutSettingsOf(const Settings& settings) {
    return {settings.text("torchwright.isolate"), settings.text("torchwright.stub"),
            settings.text("torchwright.as_inputs")};
}

PlateauRule plateauRuleOf(const Settings& settings) {
    return {settings.number("torchwright.plateau_share"),
            static_cast<int>(settings.integer("torchwright.plateau_min_layers"))};
}

}  // namespace memplan::torchwright
