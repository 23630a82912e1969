// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/plan_file/codec.h"

#include "engine/plan/spyre_data.h"
#include "engine/spyre/machine/spyre_machine.h"
#include "engine/spyre/plan_file/bundle_data.h"
#include "engine/spyre/plan_file/op_specs.h"
#include "engine/spyre/plan_file/search_records.h"

#include <algorithm>
#include <array>

namespace memplan::io {

template <> struct Record<DimCut> {
    static constexpr bool kInline = false;
    template <class File> static void members(File& file, auto& cut) {
        file.optional("dim_names", cut.names);
        file.optional("range_size", cut.range);
        file.optional("split_count", cut.count);
        if constexpr (File::kReads) {
            file.optional("dim_index", cut.index);
        } else {
            file.member("dim_index", cut.index < 0 ? std::nullopt : std::optional(cut.index));
        }
        file.orNull("loop_var", cut.loop);
        file.optional("is_reduction", cut.isReduction);
        file.optional("hint_id", cut.hint);
    }
};

/// An op and what only Spyre has of it.
template <class Common, class Own> struct OpEntry {
    Common& common;
    Own& own;
};

template <class Common, class Own> struct Record<OpEntry<Common, Own>> {
    static constexpr bool kInline = false;
    static void members(auto& file, auto& entry) {
        auto& op = entry.own;
        file.member("ranges", op.ranges);
        file.member("reduction_ranges", op.reductionRanges);
        file.optional("named_dims", entry.common.namedDims);
        file.optional("dim_hints", op.dimHints);
        file.optional("loop_tiled_dims", op.loopTiledDims);
        file.table("committed_splits", op.committedSplits);
        file.group("op_it_space_splits", [&](auto& splits) {
            splits.table("output", op.outputSplits);
            splits.table("reduction", op.reductionSplits);
        });
        file.optional("tiled_symbols", op.tiledSymbols);
        file.sparse("x_tiled_loops", op.tiledLoops);
    }
};

}  // namespace memplan::io

namespace memplan::spyre {
namespace {

using io::PlanFields;

/// Loops over the dimensions of the result come first, then the reduced ones; extents of 1 have none.
void reductions(const SpyreOpData& data, PlanOp& op) {
    const auto loopsOf = [](const std::vector<std::int64_t>& ranges) {
        return static_cast<std::size_t>(std::count_if(ranges.begin(), ranges.end(), [](auto r) { return r > 1; }));
    };
    const std::size_t reduced = loopsOf(data.reductionRanges);
    if (loopsOf(data.ranges) + reduced != op.iterationSpace.size()) return;
    for (std::size_t v = op.iterationSpace.size() - reduced; v < op.iterationSpace.size(); ++v)
        op.iterationSpace[v].isReduction = true;
}

/// The passes of a plan file are those that ran.
bool ran(const Plan& plan, std::string_view pass) {
    return std::any_of(plan.passes.begin(), plan.passes.end(), [&](const PassRun& r) { return r.name == pass; });
}

/// Of an imported source less is known, which the validator has to know; a plan without memory was stopped before
/// there was one.
void deriveOrigin(const PlanFields& f, Plan& plan) {
    static constexpr std::array<std::string_view, 4> kImported{"wrapper", "spyre-bundle", "bundle-folder", "sdsc"};
    const auto states = [&](std::string_view key) { return f.tape.find(0, key) != 0; };
    const bool isImported = std::find(kImported.begin(), kImported.end(), plan.input.format) != kImported.end();
    if (!states("x_solver") && isImported) plan.solver = "imported";
    const bool isWhole =
        states("memory") && ran(plan, "scratchpad_planning.solve") == ran(plan, "scratchpad_planning.push");
    if (!states("x_stopped_after") && !isWhole && !plan.passes.empty()) plan.stoppedAfter = plan.passes.back().name;
}

/// What searches left behind.
void searches(auto& file, auto& data) {
    file.sparse("co_optimization", data.coOptimization, data.coOptimization.has_value());
    file.sparse("cost_estimate", data.costEstimate, data.costEstimate.has_value());
    file.sparse("operation_order", data.operationOrder, data.operationOrder.has_value());
}

}  // namespace

void writeData(const Plan& plan, io::RecordWriter& file) {
    const SpyreData& data = spyreData(plan);
    if (data.ops.size() == plan.ops.size()) {
        file.group("ops", [&](io::RecordWriter& ops) {
            for (std::size_t i = 0; i < plan.ops.size(); ++i)
                ops.member(plan.ops[i].name, io::OpEntry<const PlanOp, const SpyreOpData>{plan.ops[i], data.ops[i]});
        });
    }
    writeBundleData(file, data);
    searches(file, data);
}

void readData(PlanFields& f, io::TapeIndex at, Plan& plan) {
    if (at == 0) return;
    io::RecordReader file(f, at);
    SpyreData& data = editSpyreData(plan);
    data = SpyreData();
    readBundleData(file, data);
    searches(file, data);
    if (const io::TapeIndex ops = f.optional(at, "ops")) {
        data.ops.resize(plan.ops.size());
        f.eachMember(ops, [&](io::TapeIndex member) {
            const OpId op = f.opNamed(member, f.tape.key(member));
            if (!op.isValid()) return;
            io::OpEntry<PlanOp, SpyreOpData> entry{plan.ops[op.at()], data.ops[op.at()]};
            file.value(member, entry);
        });
        readOpSpecs(f, at, plan);
    }
    if (f.optional(0, "x_decisions") != 0) checkBoundaryBytes(f, at, plan);
}

void deriveData(const PlanFields& f, Plan& plan) {
    deriveOrigin(f, plan);
    const SpyreData& data = spyreData(plan);
    std::size_t i = 0;
    const io::TapeIndex ops = f.optional(0, "ops");
    if (ops != 0 && f.tape.type(ops) == io::JsonType::Array) {
        for (const io::TapeIndex at : f.tape.children(ops)) {
            if (i < data.ops.size() && f.tape.find(at, "x_loops") == 0) reductions(data.ops[i], plan.ops[i]);
            ++i;
        }
    }
    const io::TapeIndex memory = f.optional(0, "memory");
    if (memory != 0 && f.tape.find(memory, "x_physical") == 0 && !plan.ops.empty())
        plan.memory.physical = spyreMachine(plan.machine).lxBytesPerCore;
}

}  // namespace memplan::spyre
