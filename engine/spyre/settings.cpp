// SPDX-License-Identifier: Apache-2.0
// The table of settings.md 2.
#include "engine/spyre/settings.h"

#include "engine/settings/settings_rows.h"
#include "engine/spyre/machine/spyre_machine.h"

#include <algorithm>
#include <string>
#include <utility>

namespace memplan::spyre {

namespace {

std::vector<SettingInfo> loopSettings() {
    return {
        detail::whole("spyre.cores", "32", "cores the work is divided over")
            .range(1, 32)
            .unit("cores")
            .original("SENCORES"),
        detail::flag("spyre.global_stick_optimizer", "true", "choose layouts for the whole graph at once, not op by op")
            .original("GLOBAL_STICK_OPTIMIZER"),
        detail::flag("spyre.chunk_large_tensors", "false", "cut very large pointwise operations")
            .original("CHUNK_LARGE_TENSORS"),
        detail::choice(
            "spyre.span_rule", "seed", {"seed", "late"},
            "limit of one core's span: seed 268435456 bytes with a warning, late 268431360 bytes with an error"),
        detail::flag("spyre.coarse_tiling", "true", "tile groups of operations by loops")
            .seed("false")
            .original("COARSE_TILING"),
        detail::flag("spyre.reorder_interlopers", "false", "move unhinted operations out of runs of hinted ones")
            .best("true"),
        detail::flag("spyre.tile_read_copies", "false",
                     "read a tile of an input once where several operations of a loop need it")
            .best("true"),
        detail::flag("spyre.tile_read_copies_always", "false",
                     "with tile_read_copies: also where one operation of a loop reads the input"),
        detail::flag("spyre.copy_when_input_internal", "false", "copy a tile whose input is made inside the loop"),
        detail::flag("spyre.ignore_hints", "false", "plan as if no hint were given")
            .original("SPYRE_INDUCTOR_IGNORE_HINTS"),
        detail::flag("spyre.k_fast", "true", "split K of multiplies with a small M and number the K slices first")
            .original("SPYRE_CORE_ID_K_FAST_EMISSION"),
        detail::flag("spyre.matmul_cost_model", "false", "divide multiplies by estimated cost in place of k_fast")
            .best("true"),
    };
}

std::vector<SettingInfo> scratchpadSettings() {
    return {
        detail::flag("spyre.lx_planning", "true", "plan which buffers live in the on-chip scratchpad")
            .seed("false")
            .original("LX_PLANNING"),
        detail::real("spyre.lx_reserved_fraction", "0.2", "share of the scratchpad that the planner leaves alone")
            .range(0, 1)
            .unit("share")
            .original("DXP_LX_FRAC_AVAIL"),
        detail::choice("spyre.lx_capacity_rule", "seed", {"seed", "reserved64k"},
                       "how the usable capacity follows from the reserved share"),
        detail::choice("spyre.lx_size_rule", "writer", {"writer", "max_users"},
                       "size per core by the writer's division, or the largest over all users")
            .seed("max_users"),
        detail::flag("spyre.allow_all_ops_in_lx", "true",
                     "results of every computed operation may live in the scratchpad")
            .seed("false")
            .original("config.allow_all_ops_in_lx_planning"),
        detail::words("spyre.lx_ops", "max,amax,sum,exp,sub",
                      "operations whose results may live in the scratchpad when not all may (comma list)"),
        detail::words("spyre.lx_in_place_ops", "pointwise",
                      "operations that may reuse an input's room: pointwise, or a comma list of names")
            .seed("exp,sub"),
        detail::choice("spyre.lx_eligibility", "declarative", {"seed", "declarative"},
                       "which rules decide whether a buffer is a candidate")
            .seed("seed"),
        detail::choice("spyre.layout_solver", "greedy", {"greedy", "firstfit", "bestfit", "annealing", "exact"},
                       "solver that assigns scratchpad addresses")
            .best("exact")
            .original("LAYOUT_SOLVER"),
        detail::choice("spyre.solver_ordering", "lifetime", {"lifetime", "scored"},
                       "order in which first-fit and best-fit place buffers"),
        detail::choice("spyre.annealing_start", "firstfit", {"firstfit", "bestfit", "greedy"},
                       "plan that annealing improves"),
        detail::whole("spyre.annealing_steps", "0", "steps of annealing, 0 = by the number of buffers")
            .range(0, 1000000)
            .unit("steps"),
        detail::choice("spyre.exact_cost", "bytes", {"bytes", "traffic"},
                       "what the exact solver maximises: pinned bytes, or main-memory traffic saved"),
        detail::flag("spyre.co_optimize", "false", "search splits and residency together")
            .best("true")
            .original("CO_OPTIMIZING_LX_PLANNING"),
        detail::whole("spyre.co_optimize_variants", "6", "splits that co-optimisation tries for one operation")
            .range(1, 64)
            .unit("options per op")
            .original("DEFAULT_VARIANT_CAP"),
        detail::whole("spyre.co_optimize_leaves", "50000", "combinations above which co-optimisation does not start")
            .range(1, 10000000)
            .unit("leaves")
            .original("ALLOW_EXHAUSTIVE_SEARCH"),
        detail::choice("spyre.co_optimize_objective", "time", {"time", "traffic"},
                       "what the searches over rich menus lower first: estimated time, or main-memory bytes")
            .best("traffic"),
        detail::flag("spyre.co_optimize_tilings", "false",
                     "with co_optimize: put loops around what finds no room on chip")
            .best("true"),
        detail::file("spyre.calibration",
                     "calibration file of the performance model (*.spyre-cal.json); empty = built in"),
        detail::choice("spyre.cost_edition", "auto", {"auto", "A", "B"},
                       "edition of the performance model; auto = that of the calibration file, else B"),
        detail::flag("spyre.loop_reread_once", "false",
                     "edition B: charge a multiply's loop-invariant operand once, not twice"),
        detail::flag("spyre.clone_inputs", "true", "clone graph inputs that are read more than once")
            .original("CloneInputNodesPass"),
        detail::flag("spyre.boundary_clones", "false", "clone graph inputs and outputs so that they can live on chip")
            .best("true")
            .original("LX_BOUNDARY_CLONES"),
        detail::flag("spyre.free_renaming", "false", "give parts of a buffer's life addresses of their own")
            .best("true"),
        detail::flag("spyre.eviction", "false", "move a buffer out and back when that makes room for better ones")
            .best("true"),
        detail::flag("spyre.reorder_ops", "false", "change the order of independent operations").best("true"),
        detail::flag("spyre.solver_clones", "false", "clone inputs where the solver gains from it").best("true"),
        detail::flag("spyre.ring_transfers", "false", "move slices between cores over the ring").best("true"),
        detail::flag("spyre.elide_read_copies", "false", "take out tile copies of inputs that bring nothing")
            .best("true"),
        detail::flag("spyre.safe_boundaries", "false", "keep pinned buffers from crossing kernel boundaries"),
    };
}

std::vector<SettingInfo> kernelSettings() {
    return {
        detail::flag("spyre.hbm_pool", "true", "pool offsets for intermediates in main memory")
            .original("HBM_POOL_PLANNING"),
        detail::flag("spyre.fusion", "true", "fuse operations into kernels; off = one kernel per operation")
            .original("SPYRE_INDUCTOR_ENABLE_FUSION"),
        detail::flag("spyre.unroll_loops", "false", "unroll loops before code generation")
            .seed("true")
            .original("UNROLL_LOOPS"),
        detail::choice("spyre.stride_model", "device_row_major", {"host_stride_map", "device_row_major"},
                       "how the address step of a loop is computed")
            .seed("host_stride_map"),
        detail::choice("spyre.address_mode", "per_tensor_constants",
                       {"baked", "per_tensor_constants", "per_core_constants", "per_core_input_args"},
                       "how addresses appear in the bundle")
            .original("BUNDLE_HBM_SYMBOLS, BUNDLE_SYMBOLIC_ARGS"),
        detail::flag("spyre.seed_listing", "false", "write the bundle listing in the original's form"),
    };
}

std::vector<SettingInfo> rows() {
    std::vector<SettingInfo> all;
    for (auto* part : {loopSettings, scratchpadSettings, kernelSettings}) {
        for (SettingInfo& info : part())
            all.push_back(std::move(info));
    }
    return all;
}

}  // namespace

const MachineSettings& settings() {
    static const MachineSettings kSettings{rows, nullptr, nullptr};
    return kSettings;
}

Result<void> fitToMachine(Settings& settings, const MachineDescription& machine) {
    constexpr const char* kCores = "spyre.cores";
    const std::string most = std::to_string(spyreMachine(machine).maxCores);
    settings.imply(kCores, std::to_string(std::min(settings.integer(kCores), spyreMachine(machine).maxCores)));
    if (settings.integer(kCores) <= spyreMachine(machine).maxCores) return {};
    return makeError("SET-003", kCores, "work for " + settings.textOf(kCores) + " cores, the machine has " + most,
                     "set at most " + most + ", or leave it out");
}

}  // namespace memplan::spyre
