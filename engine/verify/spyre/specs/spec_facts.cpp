// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/specs/spec_facts.h"

#include "engine/base/text.h"
#include "engine/plan/op_spec/op_spec.h"
#include "engine/plan/spyre_data.h"
#include "engine/verify/spyre/specs/spec_coordinates.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

namespace memplan::verify {
namespace {

using bundle::OpSpec;
using bundle::SpecKind;
using bundle::SpecNode;
using bundle::TensorArg;
using text::grouped;
using text::quoted;

std::string symbolOf(std::size_t loop) {
    return "c" + std::to_string(loop);
}

/// The name that an OpSpec has for a function of the plan.
std::string specName(const PlanOp& op) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 16> kNames = {
        {{"div", "realdiv"},
         {"relu", "relufwd"},
         {"clone", "identity"},
         {"copy", "identity"},
         {"relayout", "identity"},
         {"lx_evict", "identity"},
         {"lx_reload", "identity"},
         {"eq", "equal"},
         {"ne", "notequal"},
         {"gt", "greaterthan"},
         {"ge", "greaterequal"},
         {"lt", "lesserthan"},
         {"le", "lesserequal"},
         {"amax", "max"},
         {"amin", "min"},
         {"matmul", "batchmatmul"}}};
    if (op.kind == "relayout") return "identity";
    const auto read = std::count_if(op.accesses.begin(), op.accesses.end(), [](const auto& a) { return !a.isWrite; });
    const auto reads = PlanReading::statesAccesses(op) ? static_cast<std::size_t>(read) : op.inputs.size();
    const bool reduces = op.kind == "reduction" || op.kind == "matmul";
    if (!reduces && reads == 2 && op.type == "max") return "maximum";
    if (!reduces && reads == 2 && op.type == "min") return "minimum";
    for (const auto& [from, to] : kNames) {
        if (op.type == from) return std::string(to);
    }
    return op.type;
}

/// An op of a tree with the trip counts of the loops around it, outermost first, and where it stands.
struct Leaf {
    const SpecNode* node = nullptr;
    std::vector<std::int64_t> counts;
    std::vector<const SpecNode*> loops;
};

void flatten(const std::vector<SpecNode>& nodes, Leaf above, std::vector<Leaf>& out) {
    for (const SpecNode& n : nodes) {
        if (n.kind != SpecKind::Loop) {
            above.node = &n;
            out.push_back(above);
            continue;
        }
        Leaf inside = above;
        inside.counts.push_back(n.count.integer().value_or(-1));
        inside.loops.push_back(&n);
        flatten(n.body, std::move(inside), out);
    }
}

class SpecFacts {
public:
    SpecFacts(const PlanReading& reading, Report& report)
        : reading_(reading), plan_(reading.plan), report_(report), coordinates_(reading.plan) {}

    void run() {
        const auto& trees = *spyreData(plan_).opSpecs;
        std::map<std::string_view, const bundle::Kernel*> named;
        for (const bundle::Kernel& tree : trees) {
            if (!named.emplace(tree.name, &tree).second) kernel(tree.name, "has two trees of OpSpecs");
        }
        if (!spyreData(plan_).kernels) return;
        std::size_t known = 0;
        for (const PlanKernel& k : *spyreData(plan_).kernels) {
            if (isOutside(k)) continue;
            const auto it = named.find(k.name);
            if (it == named.end()) {
                kernel(k.name, "has no tree of OpSpecs");
                continue;
            }
            ++known;
            check(k, *it->second);
        }
        if (known == named.size()) return;
        for (const auto& [name, tree] : named) {
            const auto& all = *spyreData(plan_).kernels;
            const bool isKernel = std::any_of(all.begin(), all.end(), [&, &wanted = name](const PlanKernel& k) {
                return k.name == wanted && !isOutside(k);
            });
            if (!isKernel) kernel(std::string(name), "has OpSpecs and is no kernel of the plan");
        }
    }

private:
    const PlanReading& reading_;
    const Plan& plan_;
    Report& report_;
    CoordinateCheck coordinates_;

    void kernel(const std::string& name, std::string message) {
        report_.add("VER-013", "kernel " + name, std::move(message));
    }

    void wrong(OpId id, std::string message) {
        report_.add("VER-013", "op_specs op " + plan_.op(id).name, std::move(message), {id});
    }

    /// A kernel of its own outside of the planner: it has no OpSpec.
    [[nodiscard]] bool isOutside(const PlanKernel& k) const {
        return !k.ops.empty() &&
               std::all_of(k.ops.begin(), k.ops.end(), [&](OpId id) { return !isComputed(plan_.op(id)); });
    }

    void check(const PlanKernel& k, const bundle::Kernel& tree) {
        std::vector<Leaf> leaves;
        flatten(tree.specs, {}, leaves);
        if (leaves.size() != k.ops.size()) {
            kernel(k.name, "has " + grouped(static_cast<std::int64_t>(k.ops.size())) + " operations and " +
                               grouped(static_cast<std::int64_t>(leaves.size())) + " OpSpecs");
        }
        std::vector<std::string> arguments;
        for (const BufferId id : k.arguments)
            arguments.push_back(id.isValid() ? plan_.buffer(id).name : std::string());
        for (std::size_t i = 0; i < std::min(leaves.size(), k.ops.size()); ++i)
            checkOp(k.ops[i], leaves[i], arguments);
    }

    void checkOp(OpId id, const Leaf& leaf, const std::vector<std::string>& arguments) {
        const PlanOp& op = plan_.op(id);
        if (leaf.counts != op.loopCounts)
            wrong(id, "stands in other loops than the operation, or under other trip counts");
        if (leaf.node->kind != SpecKind::Op) {
            const std::string& name = leaf.node->kind == SpecKind::Opaque ? leaf.node->call.text : leaf.node->name;
            if (name != specName(op)) wrong(id, "is " + quoted(name) + ", the operation is " + quoted(op.type));
            return;
        }
        const OpSpec& spec = leaf.node->op;
        if (spec.op != specName(op)) wrong(id, "is " + quoted(spec.op) + ", the operation is " + quoted(op.type));
        const bool reduces = op.kind == "reduction" || op.kind == "matmul";
        if (spec.isReduction != reduces)
            wrong(id, std::string("is said to be ") + (spec.isReduction ? "a" : "no") +
                          " reduction, the operation is " + quoted(op.kind));
        checkSpace(id, op, spec);
        checkTiling(id, op, leaf);
        checkArgs(id, op, spec, arguments);
    }

    void checkSpace(OpId id, const PlanOp& op, const OpSpec& spec) {
        if (spec.iterationSpace.size() != op.iterationSpace.size()) {
            return wrong(id, "has " + std::to_string(spec.iterationSpace.size()) + " loops, the operation " +
                                 std::to_string(op.iterationSpace.size()));
        }
        for (std::size_t v = 0; v < op.iterationSpace.size(); ++v) {
            const bundle::IterationEntry& e = spec.iterationSpace[v];
            const IterationDim& d = op.iterationSpace[v];
            if (e.symbol != symbolOf(v)) wrong(id, "loop " + d.name + " has the symbol " + quoted(e.symbol));
            if (e.extent.integer() != d.extent)
                wrong(id,
                      "loop " + d.name + " has the extent " + e.extent.text() + ", the operation " + grouped(d.extent));
            if (e.split != d.slices)
                wrong(id,
                      "loop " + d.name + " has " + grouped(e.split) + " slices, the operation " + grouped(d.slices));
        }
    }

    // ---- loops ---------------------------------------------------------------------------------------

    static std::vector<std::string> symbols(const std::vector<int>& loops) {
        std::vector<std::string> out;
        for (const int v : loops)
            out.push_back("c" + std::to_string(v));
        return out;
    }

    void checkTiling(OpId id, const PlanOp& op, const Leaf& leaf) {
        if (id.at() >= spyreData(plan_).ops.size()) return;
        const auto& levels = spyreData(plan_).ops[id.at()].tiledLoops;
        if (levels.empty() && !op.loopPath.empty()) return;  // the plan does not say which loops are tiled
        const OpSpec& spec = leaf.node->op;
        std::vector<std::string> all;
        std::vector<std::vector<std::string>> perLevel;
        for (const std::vector<int>& level : levels) {
            perLevel.push_back(symbols(level));
            all.insert(all.end(), perLevel.back().begin(), perLevel.back().end());
        }
        if (spec.tiledSymbols != all) wrong(id, "its tiled_symbols are not the loops that its tiling cuts");
        if (spec.tiledPerLevel && *spec.tiledPerLevel != perLevel)
            wrong(id, "its tiled_symbols_per_level are not the loops that its tiling cuts");
        for (std::size_t level = 0; level < leaf.loops.size() && level < perLevel.size(); ++level) {
            const auto& ofLoop = leaf.loops[level]->tiledSymbols;
            if (!ofLoop) continue;
            const std::set<std::string_view> distinct(ofLoop->begin(), ofLoop->end());
            if (distinct.size() != ofLoop->size())
                wrong(id, "the loop around it at level " + std::to_string(level) + " names a symbol twice");
            for (const std::string& s : *ofLoop) {
                if (!tilesAt(level, s, leaf.loops[level]))
                    wrong(id, "the loop around it at level " + std::to_string(level) + " tiles " + quoted(s) +
                                  ", which no operation in it does");
            }
            const bool isIn = std::all_of(perLevel[level].begin(), perLevel[level].end(), [&](const std::string& s) {
                return std::find(ofLoop->begin(), ofLoop->end(), s) != ofLoop->end();
            });
            if (!isIn)
                wrong(id, "the loop around it at level " + std::to_string(level) +
                              " does not name all symbols that it tiles");
        }
    }

    /// Some op below the loop tiles the symbol at this level.
    static bool tilesAt(std::size_t level, const std::string& symbol, const SpecNode* loop) {
        return std::any_of(loop->body.begin(), loop->body.end(), [&](const SpecNode& n) {
            if (n.kind == SpecKind::Loop) return tilesAt(level, symbol, &n);
            if (n.kind != SpecKind::Op) return false;
            if (!n.op.tiledPerLevel)
                return std::find(n.op.tiledSymbols.begin(), n.op.tiledSymbols.end(), symbol) != n.op.tiledSymbols.end();
            if (level >= n.op.tiledPerLevel->size()) return false;
            const auto& own = (*n.op.tiledPerLevel)[level];
            return std::find(own.begin(), own.end(), symbol) != own.end();
        });
    }

    // ---- arguments -----------------------------------------------------------------------------------

    void checkArgs(OpId id, const PlanOp& op, const OpSpec& spec, const std::vector<std::string>& arguments) {
        if (!PlanReading::statesAccesses(op)) return;
        if (spec.args.size() != op.accesses.size()) {
            return wrong(id, "has " + std::to_string(spec.args.size()) + " tensors, the operation touches " +
                                 std::to_string(op.accesses.size()));
        }
        for (std::size_t i = 0; i < spec.args.size(); ++i)
            checkArg(id, i, spec.args[i], op.accesses[i], arguments);
    }

    void checkArg(OpId id, std::size_t i, const TensorArg& arg, const PlanAccess& access,
                  const std::vector<std::string>& arguments) {
        const PlanBuffer& b = plan_.buffer(access.buffer);
        const std::string which = "args[" + std::to_string(i) + "] (" + quoted(b.name) + "): ";
        const auto say = [&](const std::string& what) { wrong(id, which + what); };
        if (arg.isInput == access.isWrite)
            say(std::string("is said to be ") + (arg.isInput ? "an input" : "an output") + ", the operation " +
                (access.isWrite ? "writes it" : "reads it"));
        if (access.isIndirect) say("is touched at positions that depend on data, which an OpSpec cannot say");
        checkPlace(b, arg, arguments, say);
        if (!b.layout) return;
        if (arg.deviceDtype != b.layout->deviceDtype)
            say("is of the device type " + quoted(arg.deviceDtype) + ", the buffer " + quoted(b.layout->deviceDtype));
        if (arg.strideMap && *arg.strideMap != b.layout->strideMap) say("its stride_map is not that of the buffer");
        if (arg.perTileFixed != reading_.loops.holdsOneTile(access.buffer))
            say(arg.perTileFixed ? "is said to hold one tile, the buffer holds all of them"
                                 : "is not said to hold one tile, as the buffer does");
        if (!isSizeOf(id, arg, access)) say("its device_size is not that of the buffer");
        const std::string wrongPoint = coordinates_.firstWrong(id, access, arg);
        if (!wrongPoint.empty())
            report_.add("VER-008", "op_specs op " + plan_.op(id).name, which + wrongPoint, {id}, {access.buffer});
    }

    /// The size of the buffer; under the stride model of the original a write of one tile shows the tile's (4.4).
    [[nodiscard]] bool isSizeOf(OpId id, const TensorArg& arg, const PlanAccess& access) const {
        const BufferLayout& layout = *plan_.buffer(access.buffer).layout;
        if (arg.deviceSize == layout.deviceSize) return true;
        if (plan_.settings.text("spyre.stride_model") != "host_stride_map") return false;
        const bool isTiledWrite = access.isWrite && reading_.loops.advances(id, access);
        if (!isTiledWrite || arg.deviceSize.size() != layout.deviceSize.size()) return false;
        return arg.deviceSize == tileSize(plan_, id, access);
    }

    void checkPlace(const PlanBuffer& b, const TensorArg& arg, const std::vector<std::string>& arguments,
                    const auto& say) {
        if (!arg.allocation) return say("has no allocation");
        bundle::Allocation real;
        std::int64_t slot = -1;
        if (isOnChip(b.space)) {
            real = {bundle::Space::Lx, b.address.value_or(-1)};
        } else if (b.poolOffset) {
            real = {bundle::Space::Pool, *b.poolOffset};
        } else {
            const auto at = std::find(arguments.begin(), arguments.end(), b.name);
            if (at == arguments.end()) return say("is no argument of its kernel");
            slot = at - arguments.begin();
            const auto segment =
                static_cast<std::size_t>(slot) +
                (spyreData(plan_).pool && spyreData(plan_).pool->first > 0 ? std::size_t{1} : std::size_t{0});
            if (segment >= bundle::kSegmentOffsets.size()) return;  // reported with the kernel's limit
            real = {bundle::Space::Hbm, bundle::kSegmentOffsets[segment]};
        }
        if (!(*arg.allocation == real)) {
            say("lies at " + std::string(bundle::spaceKey(arg.allocation->space)) + " " +
                grouped(arg.allocation->address) + ", the plan puts it at " +
                std::string(bundle::spaceKey(real.space)) + " " + grouped(real.address));
        }
        if (arg.argIndex != slot)
            say("has the arg_index " + grouped(arg.argIndex) + ", its kernel binds it at " + grouped(slot));
    }
};

}  // namespace

void checkSpecs(const PlanReading& reading, Report& report) {
    const Plan& plan = reading.plan;
    if (!isPlannedHere(plan)) return;
    if (spyreData(plan).opSpecs) return SpecFacts(reading, report).run();
    const bool ran = std::any_of(plan.passes.begin(), plan.passes.end(),
                                 [](const PassRun& r) { return r.ran && r.name == "build_op_specs"; });
    if (ran) report.add("VER-013", "op_specs", "is missing although the pass build_op_specs ran");
}

}  // namespace memplan::verify
