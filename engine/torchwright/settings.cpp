// SPDX-License-Identifier: Apache-2.0
// The table of settings.md 4.
#include "engine/torchwright/settings.h"

#include "engine/settings/settings_rows.h"

#include <string_view>
#include <utility>

namespace memplan::torchwright {

namespace {

std::vector<SettingInfo> sizeSettings() {
    return {
        detail::whole("torchwright.d", "1024", "width of the residual stream; a multiple of d_head")
            .range(1, 65536)
            .unit("columns")
            .original("d"),
        detail::whole("torchwright.d_head", "16", "width of one attention head")
            .range(1, 1024)
            .unit("columns")
            .original("d_head"),
        detail::whole("torchwright.d_hidden", "0", "slots of the hidden layer, 0 = d")
            .range(0, 1048576)
            .unit("slots")
            .original("d_hidden"),
        detail::whole("torchwright.max_layers", "100", "most layers before the compile gives up")
            .range(1, 100000)
            .unit("layers")
            .original("max_layers"),
    };
}

std::vector<SettingInfo> schedulerSettings() {
    return {
        detail::choice("torchwright.local_in_attention", "never", {"always", "never"},
                       "whether operations within one position may run in attention heads")
            .seed("always")
            .original("local_in_attention"),
        detail::real("torchwright.pressure_threshold", "0.75", "occupancy above which freeing columns comes first")
            .range(0, 1)
            .unit("share")
            .original("pressure_threshold"),
        detail::flag("torchwright.assume_zero_init", "false", "columns start as zero").original("assume_zero_init"),
        detail::flag("torchwright.admission_control", "false", "limit how many sibling chains are open at once")
            .original("admission_control"),
        detail::real("torchwright.admission_budget_fraction", "0.4", "share of the columns that open chains may take")
            .range(0, 1)
            .unit("share of d")
            .original("admission_budget_fraction"),
        detail::whole("torchwright.admission_min_chains", "4", "fewest chains that make a cluster")
            .range(2, 10000)
            .unit("chains")
            .original("admission_min_chains"),
        detail::whole("torchwright.admission_min_peak_width", "32", "smallest peak width of a cluster")
            .range(1, 65536)
            .unit("columns")
            .original("admission_min_peak_width"),
        detail::whole("torchwright.optimize", "0",
                      "0 heuristic; 1 to 3 search for fewer layers, with one, three and five times the effort")
            .range(0, 3)
            .best("1")
            .original("optimize"),
        detail::flag("torchwright.fuse", "false", "fuse consecutive linear maps").best("true").original("fuse"),
    };
}

std::vector<SettingInfo> resultSettings() {
    return {
        detail::flag("torchwright.weights", "true", "write the weights of the layers"),
        detail::flag("torchwright.verify", "false", "compare the compiled layers with the graph on sample inputs"),
        detail::real("torchwright.verify_tolerance", "0.001", "largest difference that passes, above 0")
            .range(1e-300, 1e300)
            .original("atol"),
        detail::real("torchwright.plateau_share", "0.9", "occupancy above which layers count as a plateau")
            .range(0, 1)
            .unit("share of d"),
        detail::words("torchwright.isolate", "", "compile only these nodes (comma list of node ids)"),
        detail::words("torchwright.as_inputs", "", "take these nodes as inputs (comma list of node ids)"),
        detail::words("torchwright.stub", "", "replace these annotations by stubs (comma list of prefixes)"),
        detail::flag("torchwright.advice", "true", "notes on what stands in the way of a better schedule"),
        detail::whole("torchwright.advice_trials", "0", "compiles that may be spent on proving advice")
            .range(0, 200)
            .unit("compiles"),
        detail::whole("torchwright.plateau_min_layers", "0", "fewest layers of a plateau, 0 = by the number of layers")
            .range(0, 10000)
            .unit("layers"),
    };
}

std::vector<SettingInfo> rows() {
    std::vector<SettingInfo> all;
    for (auto* part : {sizeSettings, schedulerSettings, resultSettings}) {
        for (SettingInfo& info : part())
            all.push_back(std::move(info));
    }
    return all;
}

Result<void> check(const Settings& settings) {
    const auto d = settings.integer("torchwright.d");
    const auto head = settings.integer("torchwright.d_head");
    if (d % head != 0) {
        return makeError("SET-003", "torchwright.d",
                         "torchwright.d = " + std::to_string(d) +
                             " is no multiple of torchwright.d_head = " + std::to_string(head),
                         "set torchwright.d to " + std::to_string((d + head - 1) / head * head));
    }
    if (settings.boolean("torchwright.admission_control") && settings.integer("torchwright.optimize") > 0) {
        return makeError("SET-003", "torchwright.admission_control",
                         "admission control cannot be combined with torchwright.optimize above 0",
                         "set torchwright.optimize=0 or torchwright.admission_control=false");
    }
    return {};
}

}  // namespace

const MachineSettings& settings() {
    static const MachineSettings kSettings{rows, nullptr, check};
    return kSettings;
}

}  // namespace memplan::torchwright
