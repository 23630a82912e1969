// SPDX-License-Identifier: Apache-2.0
#include "tests/probe/work_division_kinds.h"

#include "engine/base/numeric.h"
#include "engine/spyre/division/matmul_cost.h"
#include "engine/spyre/division/plan_op.h"
#include "tests/probe/input_checks.h"
#include "tests/probe/work_division_kinds_input.h"

#include <algorithm>

namespace memplan::probe {
namespace {

using nlohmann::json;
using namespace memplan::spyre;

struct TensorList {
    std::vector<std::unique_ptr<TensorInput>> owned;
    std::vector<TensorUse> uses;
};

TensorList readTensors(const json& tensors, const Loops& loops) {
    TensorList out;
    for (const json& t : tensors) {
        out.owned.push_back(std::make_unique<TensorInput>(readTensor(t, loops)));
        out.uses.push_back({&out.owned.back()->buffer, &out.owned.back()->index});
    }
    require(!out.uses.empty(), "no tensor");
    return out;
}

json adjustedJson(const IterationSpace& space) {
    json adjusted = json::object();
    json sticks = json::object();
    for (std::size_t v = 0; v < space.loops.size(); ++v) {
        adjusted[space.loops[v].name] = space.adjusted[v];
        if (space.stickEps[v] > 0) sticks[space.loops[v].name] = space.stickEps[v];
    }
    return {{"adjusted", adjusted}, {"stick_vars", sticks}};
}

json stickAdjust(const json& in) {
    const Loops loops = readLoops(in.at("loops"));
    const TensorList tensors = readTensors(in.at("tensors"), loops);
    return adjustedJson(valueOf(iterationSpace(loops.kept, tensors.uses)));
}

json perCoreSpanKind(const json& in) {
    const Loops loops = readLoops(in.at("loops"));
    const TensorList tensor = readTensors(json::array({in.at("tensor")}), loops);
    const IterationSpace space = valueOf(iterationSpace(loops.kept, tensor.uses));
    return {{"bytes", perCoreSpan(space.output(), loops.kept, readSplits(in.at("splits"), loops))}};
}

json mustSplitKind(const json& in) {
    const Loops loops = readLoops(in.at("loops"));
    const TensorList tensors = readTensors(in.at("tensors"), loops);
    const IterationSpace space = valueOf(iterationSpace(loops.kept, tensors.uses));
    SpanRule rule;
    rule.cores = static_cast<int>(coresOfQuestion(in.at("max_cores")));
    const MustSplit result = valueOf(mustSplit(space, rule));
    json spans = json::object();
    for (const DividedTensor& t : space.tensors)
        spans[t.buffer->name] = perCoreSpan(t, loops.kept, result.splits);
    return {{"splits", splitsJson(result.splits, loops, 1)}, {"spans", spans}};
}

json coreSplitKind(const json& in) {
    const std::int64_t size = wholeNumber(in.at("size"), 1, kMostElements, "size");
    return {{"split", largestDivisorUpTo(size, coresOfQuestion(in.at("max_cores")))}};
}

json names(const std::vector<int>& list, std::span<const LoopVar> loops) {
    json out = json::array();
    for (const int v : list)
        out.push_back(loops[static_cast<std::size_t>(v)].name);
    return out;
}

json prioritizeKind(const json& in) {
    const Loops loops = readLoops(in.at("loops"));
    const TensorList output = readTensors(json::array({in.at("output")}), loops);
    IterationSpace space = valueOf(iterationSpace(loops.kept, output.uses));
    for (std::size_t v = 0; v < loops.kept.size(); ++v) {
        space.adjusted[v] = in.at("adjusted").value(loops.kept[v].name, space.adjusted[v]);
    }
    Splits committed(loops.kept.size(), 1);
    for (const json& name : in.at("committed")) {
        const int v = loops.find(name.get<std::string>());
        if (v >= 0) committed[static_cast<std::size_t>(v)] = 2;
    }
    const Priorities p = prioritize(space, committed);
    return {{"output_dims", names(p.outputs, loops.kept)}, {"reduction_dims", names(p.reductions, loops.kept)}};
}

/// The commits of min_splits, taken in the order in which they are written: one that the cores left do not allow is
/// skipped. A variable that stands there is committed whatever its count; one that is offered too breaks the internal
/// check.
Splits commitsOf(const nlohmann::ordered_json& minSplits, const Loops& space, const DistributeQuestion& q) {
    Splits all = readSplits(json::parse(minSplits.dump()), space);
    Splits taken(all.size(), 1);
    std::int64_t left = q.cores;
    for (const auto& entry : minSplits.items()) {
        const int v = space.find(entry.key());
        for (const std::vector<int>* list : {&q.order.outputs, &q.order.reductions}) {
            if (std::count(list->begin(), list->end(), v) > 0)
                throw ProbeError{"assertion", entry.key() + " is committed and listed"};
        }
        if (v < 0 || left / all[static_cast<std::size_t>(v)] == 0) continue;
        taken[static_cast<std::size_t>(v)] = all[static_cast<std::size_t>(v)];
        left /= all[static_cast<std::size_t>(v)];
    }
    return taken;
}

json multiDimSplit(const nlohmann::ordered_json& asWritten) {
    const json in = json::parse(asWritten.dump());
    Loops space;  // sizes of 1 stay: this kind asks the function below the removal
    for (const json& l : in.at("space")) {
        space.keptAt.push_back(static_cast<int>(space.kept.size()));
        space.kept.push_back(
            {l.at(0).get<std::string>(), wholeNumber(l.at(1), 1, kMostElements, "size of a variable"), false});
    }
    DistributeQuestion q;
    for (const LoopVar& v : space.kept)
        q.adjusted.push_back(v.extent);
    q.cores = coresOfQuestion(in.at("max_cores"));
    for (const auto& [key, list] :
         {std::pair("output_dims", &q.order.outputs), {"reduction_dims", &q.order.reductions}}) {
        for (const json& n : in.at(key)) {
            list->push_back(space.find(n.get<std::string>()));
            require(list->back() >= 0, n.get<std::string>() + " is no variable of the space");
        }
    }
    q.committed = commitsOf(asWritten.at("min_splits"), space, q);
    const Distribution d = valueOf(distribute(q));
    return {{"splits", splitsJson(d.splits, space, 1)}, {"cores", coresOf(d.splits)}};
}

json splitEncoding(const json& in) {
    const Loops loops = readLoops(in.at("loops"));
    const Index write = readIndex(in.at("write_index"), loops);
    const Index read =
        in.contains("read_index") && !in.at("read_index").is_null() ? readIndex(in.at("read_index"), loops) : write;
    const SplitIndices indices{&write, &read};
    const SplitEncoding e = encodeSplits(readSplits(in.at("splits"), loops), indices);
    json out = encodingJson(e);
    out["recovered"] = splitsJson(recoverSplits(e, indices, loops.kept), loops, 1);
    return out;
}

json kFastKind(const json& in) {
    const Loops loops = readLoops(in.at("loops"));
    const TensorList output = readTensors(json::array({in.at("output")}), loops);
    const IterationSpace space = valueOf(iterationSpace(loops.kept, output.uses));
    const auto splits = kFastSplits(space, coresOfQuestion(in.at("max_cores")), readSplits(in.at("min_splits"), loops));
    return {{"splits", splits ? splitsJson(*splits, loops, 1) : json(nullptr)}};
}

json slicesOf(const std::vector<int>& slots, const std::vector<std::string>& dims) {
    json out = json::object();
    for (std::size_t v = 0; v < dims.size(); ++v)
        out[dims[v]] = slots[v];
    return out;
}

/// The split of each dimension, 1 where nothing is said; a table of cores has to fit memory.
Splits splitsOfDims(const json& splits, const std::vector<std::string>& dims) {
    Splits out;
    std::int64_t cores = 1;
    for (const std::string& d : dims) {
        out.push_back(splits.contains(d) ? coresOfQuestion(splits.at(d)) : 1);
        cores *= out.back();
        require(cores <= 65536, "more than 65536 cores");
    }
    return out;
}

/// The form of the bundle: dimension names, cores as keys.
json coreMapOfBundle(const json& in) {
    const auto dims = in.at("dims").get<std::vector<std::string>>();
    const Splits splits = splitsOfDims(in.at("splits"), dims);
    const bool kFirst = kAdjacent(true, splits, {in.value("k_fast", false)});
    const auto table = coreToSlice(splits, kFirst);
    json slices = json::object();
    for (std::size_t c = 0; c < table.size(); ++c)
        slices[std::to_string(c)] = slicesOf(table[c], dims);
    return {{"num_cores", coresOf(splits)}, {"coreIdToWkSlice_", slices}};
}

json coreMap(const json& in) {
    if (in.contains("dims")) return coreMapOfBundle(in);
    std::vector<std::string> dims;
    for (const json& l : in.at("space"))
        dims.push_back(l.at(0).get<std::string>());
    const Splits splits = splitsOfDims(in.at("splits"), dims);
    const bool kFirst = kAdjacent(in.at("is_matmul").get<bool>(), splits, {in.at("k_fast_emission").get<bool>()});
    json slices = json::array();
    for (const auto& slots : coreToSlice(splits, kFirst))
        slices.push_back(slicesOf(slots, dims));
    return {{"cores", coresOf(splits)}, {"k_adjacent", kFirst}, {"slices", slices}};
}

struct PlannedOp {
    OpInput input;
    IterationSpace space;
    OpDivision division;
    bool kFast = true;
};

PlannedOp plan(const json& in) {
    DivisionRule rule;
    rule.span.cores = in.at("sencores").get<int>();
    rule.kFast = in.value("k_fast", true);
    if (const Result<void> ok = checkCores(rule.span.cores); !ok) throwError(ok.error());
    PlannedOp out{readOp(in), {}, {}, rule.kFast};
    out.space = valueOf(iterationSpace(out.input.op.loops, out.input.uses()));
    out.division = valueOf(planOp(out.input.op, out.space, rule));
    return out;
}

json spansJson(const IterationSpace& space, const Splits& splits) {
    json out = json::array();
    for (const DividedTensor& t : space.tensors)
        out.push_back({t.buffer->name, perCoreSpan(t, space.loops, splits)});
    return out;
}

json planOpKind(const json& in) {
    const PlannedOp p = plan(in);
    json out = adjustedJson(p.space);
    out["iteration_space"] = json::object();
    for (const LoopVar& v : p.space.loops)
        out["iteration_space"][v.name] = v.extent;
    out["span_min_splits"] = splitsJson(p.division.spanSplits, p.input.loops, 2);
    out["output_dims"] = names(p.division.order.outputs, p.space.loops);
    out["reduction_dims"] = names(p.division.order.reductions, p.space.loops);
    out["k_fast_applied"] = p.division.kFastApplied;
    out["splits"] = splitsJson(p.division.splits, p.input.loops, 1);
    const std::int64_t cores = coresOf(p.division.splits);
    out["cores"] = cores;
    out["encoding"] =
        cores > 1 ? encodingJson(encodeSplits(p.division.splits, splitIndices(p.input.op))) : json(nullptr);
    out["span_before"] = spansJson(p.space, Splits());
    out["span_after"] = spansJson(p.space, p.division.splits);
    return out;
}

json perCoreViewKind(const json& in) {
    const PlannedOp p = plan(in.at("op"));
    const std::string name = in.at("buffer").get<std::string>();
    const OpInput& o = p.input;
    const Buffer* buffer = o.write->name == name ? o.write.get() : nullptr;
    const Access* access = buffer ? &o.op.write : nullptr;
    for (std::size_t i = 0; i < o.reads.size() && !buffer; ++i) {
        if (o.reads[i]->name != name) continue;
        buffer = o.reads[i].get();
        access = &o.op.reads[i];
    }
    if (!buffer) throw ProbeError{"bad_input", "no tensor '" + name + "'"};
    const PerCoreView view = perCoreView(o.op, *access, *buffer, p.division.splits,
                                         std::span(p.space.stickEps.data(), p.space.stickEps.size()), {p.kFast});
    if (!view.representable)
        throw ProbeError{"assertion", "a split of " + name + " has no device dimension of its own"};
    json slots = json::array();
    for (std::size_t i = 0; i < view.slices.size(); ++i)
        slots.push_back({view.slices[i].dim, view.slotsOf(view.slices[i])});
    return {{"work_slice_dims", view.dimsAndSplits()},
            {"core_to_slot", slots},
            {"partial_reduction", view.partialReduction}};
}

CutSize cut(const json& pair) {
    return {wholeNumber(pair.at(0), 1, kMostElements, "size"), wholeNumber(pair.at(1), 1, kMostElements, "split")};
}

json matmulCost(const json& in) {
    const MatmulCostQuestion q{cut(in.at("b")),
                               cut(in.at("m")),
                               cut(in.at("n")),
                               cut(in.at("k")),
                               coresOfQuestion(in.at("max_cores")),
                               in.at("shared_weight").get<bool>()};
    const auto us = matmulMicroseconds(q);
    return {{"microseconds", us ? json(*us) : json(nullptr)}};
}

}  // namespace

void registerWorkDivision(Registry& registry) {
    registry.add("stick_adjust", stickAdjust);
    registry.add("per_core_span", perCoreSpanKind);
    registry.add("must_split", mustSplitKind);
    registry.add("core_split", coreSplitKind);
    registry.add("prioritize", prioritizeKind);
    registry.addOrdered("multi_dim_split", multiDimSplit);
    registry.add("split_encoding", splitEncoding);
    registry.add("k_fast", kFastKind);
    registry.add("core_map", coreMap);
    registry.add("plan_op", planOpKind);
    registry.add("per_core_view", perCoreViewKind);
    registry.add("matmul_cost_beyond", matmulCost);
    registerWorkDivisionLayouts(registry);
    registerWorkDivisionHints(registry);
}

}  // namespace memplan::probe
