// SPDX-License-Identifier: Apache-2.0
// Division menus, joint searches, relayout edges, operation order.
#include "engine/spyre/joint/joint_search.h"
#include "engine/spyre/joint/menus.h"
#include "engine/spyre/joint/operation_order.h"
#include "engine/spyre/joint/relayout.h"
#include "tests/probe/cost_kinds.h"
#include "tests/probe/input_checks.h"
#include "tests/probe/registry.h"
#include "tests/probe/work_division_kinds_input.h"

#include <map>

namespace memplan::probe {
namespace {

using nlohmann::json;
using namespace memplan::spyre;
using namespace memplan::spyre::joint;

// ---- menus -------------------------------------------------------------------------------------------

/// The ops of this file write an index as a bare list of terms and a multiply as kind "matmul".
OpInput readMenuOp(const json& in) {
    json op = in;
    const auto wrap = [](json& tensor) {
        if (tensor.contains("index") && tensor["index"].is_array()) tensor["index"] = {{"terms", tensor["index"]}};
    };
    for (json& read : op.at("reads"))
        wrap(read);
    wrap(op.at("write"));
    const bool isMatmul = op.at("kind") == "matmul";
    if (isMatmul) {
        op["kind"] = "reduction";
        op["fn"] = "batchmatmul";
    }
    return readOp(op);
}

MenuRule readRule(const json& in, const OpInput& op) {
    MenuRule rule;
    rule.cores = coresOfQuestion(in.at("sencores"));
    const json& o = in.at("op");
    rule.blocked.assign(op.op.loops.size(), false);
    rule.pinned.assign(op.op.loops.size(), 0);
    if (o.contains("blocked")) {
        for (const json& name : o.at("blocked")) {
            const int v = op.loops.find(name.get<std::string>());
            if (v >= 0) rule.blocked[static_cast<std::size_t>(v)] = true;
        }
    }
    if (o.contains("pinned")) {
        for (const auto& [name, factor] : o.at("pinned").items()) {
            const int v = op.loops.find(name);
            if (v >= 0) rule.pinned[static_cast<std::size_t>(v)] = coresOfQuestion(factor);
        }
    }
    return rule;
}

json variables(const OpInput& op) {
    json names = json::array();
    for (const LoopVar& v : op.op.loops)
        names.push_back(v.name);
    return names;
}

json menuFull(const json& in) {
    const OpInput op = readMenuOp(in.at("op"));
    const IterationSpace space = valueOf(iterationSpace(op.op.loops, op.uses()));
    const std::vector<Splits> menu = fullMenu(op.op, space, readRule(in, op));
    std::int64_t most = 1;
    for (const Splits& s : menu)
        most = std::max(most, coresOf(s));
    return {{"variables", variables(op)}, {"menu", menu}, {"count", menu.size()}, {"max_cores_used", most}};
}

json menuNeighbours(const json& in) {
    const OpInput op = readMenuOp(in.at("op"));
    const IterationSpace space = valueOf(iterationSpace(op.op.loops, op.uses()));
    Splits at;
    for (const json& factor : in.at("at"))
        at.push_back(coresOfQuestion(factor));
    require(at.size() == op.op.loops.size(), "'at' has one factor for each loop");
    const auto found = neighbours(op.op, space, at, readRule(in, op));
    return {{"variables", variables(op)}, {"neighbours", found}};
}

json menuPruned(const json& in) {
    std::vector<OpInput> ops;
    std::vector<IterationSpace> spaces;
    for (const json& o : in.at("ops"))
        ops.push_back(readMenuOp(o));
    for (const OpInput& op : ops)
        spaces.push_back(valueOf(iterationSpace(op.op.loops, op.uses())));
    std::vector<PrunedOp> pruned;
    for (std::size_t i = 0; i < ops.size(); ++i) {
        const json& o = in.at("ops")[i];
        const json splits = o.contains("splits") ? o.at("splits") : json::object();
        pruned.push_back({&ops[i].op, &spaces[i], readSplits(splits, ops[i].loops)});
    }
    const PrunedMenus result = prunedMenus(pruned, coresOfQuestion(in.at("sencores")));
    json menus = json::array();
    for (const auto& menu : result.menus) {
        json list = json::array();
        for (const SplitEncoding& e : menu)
            list.push_back(encodingJson(e));
        menus.push_back(list);
    }
    json bases = json::array();
    for (const SplitEncoding& e : result.bases)
        bases.push_back(encodingJson(e));
    json roles = json::array();
    for (const RoleFactors& r : result.roles) {
        json object = json::object();
        for (const auto& [role, factor] : r)
            object[std::string(1, role)] = factor;
        roles.push_back(object);
    }
    return {{"menus", menus}, {"matmul_bases", bases}, {"matmul_roles", roles}};
}

// ---- joint searches ----------------------------------------------------------------------------------

/// Operation positions, in strictly increasing order.
std::vector<Step> readUses(const json& list) {
    std::vector<Step> uses;
    for (const json& use : list) {
        uses.push_back(static_cast<Step>(wholeNumber(use, 0, 1 << 30, "use")));
        require(uses.size() < 2 || uses[uses.size() - 2] < uses.back(), "uses are in increasing order");
    }
    require(!uses.empty(), "buffer without uses");
    return uses;
}

/// Factors of a division; their product is a number of cores.
std::vector<std::int64_t> factorsOf(const json& list) {
    std::vector<std::int64_t> factors;
    std::int64_t cores = 1;
    for (const json& factor : list) {
        factors.push_back(coresOfQuestion(factor));
        cores *= factors.back();
        require(cores <= 65536, "more than 65536 cores");
    }
    return factors;
}

JointProblem readProblem(const json& in) {
    JointProblem problem;
    problem.capacity = wholeNumber(in.at("capacity"), 0, kMostElements, "capacity");
    if (in.contains("alignment")) problem.alignment = wholeNumber(in.at("alignment"), 1, kMostElements, "alignment");
    std::map<std::string, int> position;
    for (const json& b : in.at("buffers")) {
        const int at = static_cast<int>(position.size());
        if (!position.emplace(b.at("name").get<std::string>(), at).second)
            throw ProbeError{"bad_input", "two buffers have one name"};
    }
    for (const json& b : in.at("buffers")) {
        JointBuffer buffer;
        buffer.name = b.at("name").get<std::string>();
        buffer.size = wholeNumber(b.at("size"), 0, kMostElements, "size");
        buffer.uses = readUses(b.at("uses"));
        for (const json& d : b.at("divisions")) {
            JointDivision division;
            division.output = factorsOf(d.at("output"));
            if (d.contains("reduction")) division.reduction = factorsOf(d.at("reduction"));
            buffer.divisions.push_back(std::move(division));
        }
        require(!buffer.divisions.empty(), "a buffer has no division");
        const json matches = b.contains("matches") ? b.at("matches") : json::object();
        for (const json& parent : b.value("parents", json::array())) {
            const auto it = position.find(parent.get<std::string>());
            if (it == position.end()) continue;
            JointParent p;
            p.buffer = it->second;
            if (matches.contains(it->first)) {
                for (const json& pair : matches.at(it->first))
                    p.pairs.emplace_back(pair.at(0).get<int>(), pair.at(1).get<int>());
            }
            buffer.parents.push_back(std::move(p));
        }
        for (const json& parent : b.value("in_place_parents", json::array())) {
            const auto it = position.find(parent.get<std::string>());
            if (it != position.end()) buffer.inPlaceParents.push_back(it->second);
        }
        buffer.ineligible = b.contains("residency_reason") && !b.at("residency_reason").is_null();
        const std::string boundary = b.value("boundary", std::string("intermediate"));
        buffer.boundary = boundary == "input"    ? Boundary::Input
                          : boundary == "output" ? Boundary::Output
                                                 : Boundary::Intermediate;
        problem.buffers.push_back(std::move(buffer));
    }
    return problem;
}

json chosenJson(const JointProblem& problem, const JointResult& result) {
    json chosen = json::object();
    for (std::size_t i = 0; i < problem.buffers.size(); ++i)
        chosen[problem.buffers[i].name] = result.chosen[i];
    return chosen;
}

json exhaustiveJson(const JointProblem& problem, const solve::Solver* inner, MismatchBars rule) {
    const JointResult result = valueOf(searchExhaustively(problem, {inner, rule}, {}));
    json addresses = json::object();
    for (std::size_t i = 0; i < problem.buffers.size(); ++i)
        addresses[problem.buffers[i].name] = result.addresses[i] ? json(*result.addresses[i]) : json();
    return {{"chosen", chosenJson(problem, result)},
            {"addresses", addresses},
            {"unpinned_bytes", result.unpinnedBytes},
            {"leaves", result.leaves}};
}

json jointExhaustive(const json& in) {
    const JointProblem problem = readProblem(in);
    const solve::Solver* inner = solve::findSolver(in.value("inner", std::string("greedy")));
    if (inner == nullptr) throw ProbeError{"bad_input", "unknown inner solver"};
    return {{"producer_rule", exhaustiveJson(problem, inner, MismatchBars::Producer)},
            {"consumer_rule", exhaustiveJson(problem, inner, MismatchBars::Consumer)}};
}

json jointExact(const json& in) {
    const JointProblem problem = readProblem(in);
    const JointResult result = valueOf(searchExactly(problem, {}, {}));
    json resident = json::array();
    for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
        if (result.addresses[i]) resident.push_back(problem.buffers[i].name);
    }
    return {{"traffic", result.traffic},
            {"total_cores", result.totalCores},
            {"sum_squares", result.sumSquares},
            {"witness_divisions", chosenJson(problem, result)},
            {"witness_resident", resident}};
}

json recolourKind(const json& in) {
    JointProblem problem;
    std::map<std::string, int> position;
    for (const json& name : in.at("buffers")) {
        position.emplace(name.get<std::string>(), static_cast<int>(problem.buffers.size()));
        problem.buffers.emplace_back().name = name.get<std::string>();
    }
    for (const json& e : in.at("edges")) {
        JointParent p;
        p.buffer = position.at(e.at("parent").get<std::string>());
        for (const json& pair : e.at("pairs"))
            p.pairs.emplace_back(pair.at(0).get<int>(), pair.at(1).get<int>());
        problem.buffers[static_cast<std::size_t>(position.at(e.at("child").get<std::string>()))].parents.push_back(p);
    }
    const Recolouring r =
        recolour(problem, position.at(in.at("anchor").get<std::string>()), in.at("division").get<int>());
    json assignment = json::object();
    json joined = json::array();
    for (const int b : r.joined) {
        const std::string& name = problem.buffers[static_cast<std::size_t>(b)].name;
        assignment[name] = r.division[static_cast<std::size_t>(b)];
        joined.push_back(name);
    }
    return {{"assignment", assignment}, {"joined", joined}};
}

// ---- relayout and order ------------------------------------------------------------------------------

Ownership readOwnership(const json& in, std::size_t rank) {
    Ownership o;
    for (const json& s : in.at("splits")) {
        const auto dim = static_cast<int>(wholeNumber(s.at(0), 0, static_cast<std::int64_t>(rank) - 1, "dimension"));
        o.splits.emplace_back(dim, coresOfQuestion(s.at(1)));
    }
    std::int64_t slices = 1;
    for (const auto& [dim, split] : o.splits) {
        slices *= split;
        require(slices <= 65536, "more than 65536 slices");
    }
    o.slots = in.at("slots").get<std::vector<std::vector<int>>>();
    o.cores = coresOfQuestion(in.at("cores"));
    const bool complete =
        static_cast<std::int64_t>(o.slots.size()) == o.cores &&
        std::all_of(o.slots.begin(), o.slots.end(), [&](const auto& slots) { return slots.size() == o.splits.size(); });
    require(complete, "slots do not fit the cores and splits");
    for (const auto& slots : o.slots) {
        for (std::size_t i = 0; i < slots.size(); ++i)
            require(slots[i] >= 0 && slots[i] < o.splits[i].second, "a slot lies outside its split");
    }
    return o;
}

template <class T> json orNull(const std::optional<T>& value) {
    return value ? json(*value) : json();
}

json relayoutKind(const json& in) {
    const std::vector<std::int64_t> size = sizesOf(in.at("device_size"), "device_size");
    require(!size.empty(), "device_size is empty");
    const RelayoutEdge e =
        relayoutEdge(size, wholeNumber(in.at("dtype_bytes"), 1, 16, "dtype_bytes"),
                     readOwnership(in.at("source"), size.size()), readOwnership(in.at("destination"), size.size()), {});
    json out = {{"supported", e.supported},
                {"reason", e.reason},
                {"edges", e.edges},
                {"fan_out", e.fanOut},
                {"fan_in", e.fanIn},
                {"governing_run_elems", e.governingRunElements},
                {"governing_split", e.governingSplit},
                {"reporting_ns", e.reportingNs},
                {"offered_ns", orNull(e.offeredNs)},
                {"source_footprint_bytes", orNull(e.sourceFootprint)},
                {"destination_footprint_bytes", orNull(e.destinationFootprint)},
                {"bytes_between_different_cores", orNull(e.bytesBetweenCores)}};
    if (e.permutationRule) out["august_permutation_rule"] = *e.permutationRule;
    return out;
}

json scheduleOps(const json& in) {
    std::vector<OrderedOp> ops;
    for (const json& o : in.at("ops")) {
        OrderedOp op;
        op.name = o.at("name").get<std::string>();
        op.reads = o.at("reads").get<std::vector<std::string>>();
        op.mutates = o.value("mutates", std::vector<std::string>());
        op.loopPath = o.value("loop", std::vector<int>());
        ops.push_back(std::move(op));
    }
    const OperationOrder result = orderOperations(ops);
    const auto names = [&](const std::vector<std::size_t>& list) {
        json out = json::array();
        for (const std::size_t i : list)
            out.push_back(ops[i].name);
        return out;
    };
    json predecessors = json::array();
    for (const auto& list : result.predecessors)
        predecessors.push_back(names(list));
    return {{"order", names(result.order)},
            {"groups_made_atomic", result.groupsMadeAtomic},
            {"predecessors", predecessors}};
}

}  // namespace

void registerJoint(Registry& registry) {
    registry.add("division_menu_full", menuFull);
    registry.add("division_menu_pruned", menuPruned);
    registry.add("division_neighbours", menuNeighbours);
    registry.add("joint_exhaustive", jointExhaustive);
    registry.add("joint_exact", jointExact);
    registry.add("recolor_flood", recolourKind);
    registry.add("relayout_edge", relayoutKind);
    registry.add("schedule_ops", scheduleOps);
}

}  // namespace memplan::probe
