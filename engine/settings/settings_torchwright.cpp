// SPDX-License-Identifier: Apache-2.0
// The table of settings.md 4.
#include "engine/settings/settings_rows.h"

#include <utility>

namespace memplan::detail {

namespace {

std::vector<SettingInfo> machineSettings() {
    return {
        whole("torchwright.d", "1024", "width of the residual stream; a multiple of d_head")
            .range(1, 65536)
            .unit("columns")
            .original("d"),
        whole("torchwright.d_head", "16", "width of one attention head")
            .range(1, 1024)
            .unit("columns")
            .original("d_head"),
        whole("torchwright.d_hidden", "0", "slots of the hidden layer, 0 = d")
            .range(0, 1048576)
            .unit("slots")
            .original("d_hidden"),
        whole("torchwright.max_layers", "100", "most layers before the compile gives up")
            .range(1, 100000)
            .unit("layers")
            .original("max_layers"),
    };
}

std::vector<SettingInfo> schedulerSettings() {
    return {
        choice("torchwright.local_in_attention", "never", {"always", "never"},
               "whether operations within one position may run in attention heads")
            .seed("always")
            .original("local_in_attention"),
        real("torchwright.pressure_threshold", "0.75", "occupancy above which freeing columns comes first")
            .range(0, 1)
            .unit("share")
            .original("pressure_threshold"),
        flag("torchwright.assume_zero_init", "false", "columns start as zero").original("assume_zero_init"),
        flag("torchwright.admission_control", "false", "limit how many sibling chains are open at once")
            .original("admission_control"),
        real("torchwright.admission_budget_fraction", "0.4", "share of the columns that open chains may take")
            .range(0, 1)
            .unit("share of d")
            .original("admission_budget_fraction"),
        whole("torchwright.admission_min_chains", "4", "fewest chains that make a cluster")
            .range(2, 10000)
            .unit("chains")
            .original("admission_min_chains"),
        whole("torchwright.admission_min_peak_width", "32", "smallest peak width of a cluster")
            .range(1, 65536)
            .unit("columns")
            .original("admission_min_peak_width"),
        whole("torchwright.optimize", "0", "0 heuristic; 1 to 3 exact solver with 60, 180 and 300 s")
            .range(0, 3)
            .best("1")
            .original("optimize"),
        flag("torchwright.fuse", "false", "fuse consecutive linear maps").best("true").original("fuse"),
    };
}

std::vector<SettingInfo> resultSettings() {
    return {
        flag("torchwright.weights", "true", "write the weights of the layers"),
        flag("torchwright.verify", "false", "compare the compiled layers with the graph on sample inputs"),
        real("torchwright.verify_tolerance", "0.001", "largest difference that passes, above 0")
            .range(1e-300, 1e300)
            .original("atol"),
        real("torchwright.plateau_share", "0.9", "occupancy above which layers count as a plateau")
            .range(0, 1)
            .unit("share of d"),
        words("torchwright.isolate", "", "compile only these nodes (comma list of node ids)"),
        words("torchwright.as_inputs", "", "take these nodes as inputs (comma list of node ids)"),
        words("torchwright.stub", "", "replace these annotations by stubs (comma list of prefixes)"),
        flag("torchwright.advice", "true", "notes on what stands in the way of a better schedule"),
        whole("torchwright.advice_trials", "0", "compiles that may be spent on proving advice")
            .range(0, 200)
            .unit("compiles"),
        whole("torchwright.plateau_min_layers", "0", "fewest layers of a plateau, 0 = by the number of layers")
            .range(0, 10000)
            .unit("layers"),
    };
}

}  // namespace

std::vector<SettingInfo> torchwrightSettings() {
    std::vector<SettingInfo> all;
    for (auto* part : {machineSettings, schedulerSettings, resultSettings}) {
        for (SettingInfo& info : part())
            all.push_back(std::move(info));
    }
    return withoutUse(std::move(all));
}

}  // namespace memplan::detail
