// SPDX-License-Identifier: Apache-2.0
#include "tests/probe/ttnn_chain_kinds.h"

#include "engine/ttnn/chains/build_chains.h"
#include "engine/ttnn/chains/op_kinds.h"
#include "engine/ttnn/sharding/residency.h"
#include "engine/ttnn/solver/shard_solver.h"
#include "tests/probe/input_checks.h"

#include <limits>
#include <map>

namespace memplan::probe {
namespace {

using nlohmann::json;
using namespace memplan::ttnn;

constexpr std::int64_t kMostItems = 100000;

// ---- schedule and chains -----------------------------------------------------------------------------

/// A function whose operations have one tensor result each; operands that are null are arguments.
class FunctionIn {
public:
    explicit FunctionIn(const json& input) {
        for (const json& op : input.at("ops"))
            add(op);
        if (input.contains("returns"))
            for (const json& id : input.at("returns"))
                function.returned.push_back(resultOf(id));
    }

    Function function;
    std::vector<bool> hasSharded;
    std::vector<std::string> ids;

private:
    void add(const json& in) {
        Operation operation;
        operation.name = "ttnn." + in.at("op").get<std::string>();
        for (const json& id : in.at("in"))
            operation.operands.push_back(id.is_null() ? argument() : resultOf(id));
        const OperationId op = function.addOperation(std::move(operation));
        const ValueId result = function.addValue(tensor());
        function.value(result).producer = op;
        function.operation(op).results = {result};
        function.order.push_back(op);
        ids.push_back(in.at("id").get<std::string>());
        require(results_.emplace(ids.back(), result).second, "two ops are called '" + ids.back() + "'");
        hasSharded.push_back(!in.contains("legal") || wholeNumber(in.at("legal"), 0, kMostItems, "legal") > 0);
    }

    static Type tensor() {
        Type type;
        type.isTensor = true;
        return type;
    }

    ValueId argument() {
        const ValueId value = function.addValue(tensor());
        function.value(value).argument = static_cast<int>(function.arguments.size());
        function.arguments.push_back(value);
        return value;
    }

    ValueId resultOf(const json& id) const {
        const auto found = results_.find(id.get<std::string>());
        require(found != results_.end(), "no op before it is called '" + id.get<std::string>() + "'");
        return found->second;
    }

    std::map<std::string, ValueId> results_;
};

json scheduleAndChains(const json& input) {
    const FunctionIn in(input);
    const Flow flow(in.function);
    const Chaining chaining = buildChains(flow, {in.hasSharded, true, nullptr});
    const auto idsOf = [&](const std::vector<OperationId>& ops) {
        json list = json::array();
        for (const OperationId op : ops)
            list.push_back(in.ids[op.at()]);
        return list;
    };
    json chains = json::array();
    for (const Chain& chain : chaining.chains)
        chains.push_back({{"ops", idsOf(chain.ops())},
                          {"concat", chain.info().isConcat},
                          {"ended_by", wordOf(chain.info().endedBy)}});
    return {{"schedule", idsOf(chaining.schedule)}, {"chains", std::move(chains)}};
}

// ---- states of a chain -------------------------------------------------------------------------------

Result<void> call(Chain& chain, const std::string& name) {
    if (name == "add") return chain.add(OpId::of(chain.ops().size()));
    if (name == "build") return chain.build();
    if (name == "solve_ok") return chain.resolve(true);
    if (name == "solve_fail") return chain.resolve(false);
    if (name == "resolve") return chain.resolve();
    if (name == "fail") return chain.fail({});
    const OpConfig config{Layout{}, {}};
    if (name == "complete") return chain.complete(std::vector<OpConfig>(chain.ops().size(), config));
    if (name.starts_with("update")) return chain.updateConfig(chain.ops().empty() ? OpId{} : chain.last(), config);
    throw ProbeError{"bad_input", "unknown call '" + name + "'"};
}

json chainState(const json& input) {
    Chain chain;
    json states = json::array();
    for (const json& name : input.at("calls")) {
        const bool isAllowed = call(chain, name.get<std::string>()).ok();
        states.push_back(isAllowed ? std::string(wordOf(chain.state())) : "ERROR");
        if (!isAllowed) break;
    }
    return {{"states", std::move(states)}};
}

// ---- ShardSolver -------------------------------------------------------------------------------------

MemLayout shardedIn(const json& word) {
    const std::optional<MemLayout> layout = memLayoutOf(word.get<std::string>());
    require(layout.has_value(), "unknown memory layout '" + word.get<std::string>() + "'");
    return *layout;
}

SolverOp solverOpIn(const json& in, std::size_t at) {
    SolverOp op;
    op.id = OpId::of(at);
    for (const json& config : in.at("configs")) {
        const std::vector<std::int64_t> grid = wholeNumbers(config.at("grid"), 1, "grid");
        require(grid.size() == 2 && grid[0] <= 65536 && grid[1] <= 65536, "a grid has rows and columns");
        op.configs.push_back({grid[0] * grid[1], shardedIn(config.at("mem"))});
    }
    return op;
}

SolverProblem problemIn(const json& input) {
    SolverProblem problem;
    for (const json& op : input.at("ops"))
        problem.ops.push_back(solverOpIn(op, problem.ops.size()));
    const auto most = static_cast<std::int64_t>(problem.ops.size()) - 1;
    for (const json& edge : input.at("edges")) {
        const std::int64_t to = wholeNumber(edge.at("to"), 0, most, "to");
        const std::int64_t from = wholeNumber(edge.at("from"), 0, to - 1, "from");
        const std::int64_t operand = wholeNumber(edge.at("operand"), 0, kMostItems, "operand");
        problem.edges.push_back(
            {static_cast<std::size_t>(from), static_cast<std::size_t>(to), static_cast<int>(operand), false});
    }
    if (input.contains("first")) problem.forcesEntryReshard = input.at("first").value("force_reshard", false);
    if (input.contains("preferred") && !input.at("preferred").is_null())
        problem.preferred = shardedIn(input.at("preferred"));
    return problem;
}

/// Answers from the tables of the question.
class TableChecks final : public ShardChecks {
public:
    TableChecks(const json& input, const SolverProblem& problem) : input_(input), problem_(problem) {}

    ConfigSet entryConfigs() override {
        ConfigSet valid;
        if (!input_.contains("first")) return ConfigSet::firstOf(problem_.ops.front().configs.size());
        if (!input_.at("first").contains("valid")) return valid;
        for (const json& i : input_.at("first").at("valid"))
            valid.add(static_cast<int>(configIn(i, 0)));
        return valid;
    }

    std::vector<ConfigPath> paths(int edge, const ConfigSet& producers) override {
        std::vector<ConfigPath> paths;
        const SolverEdge& ends = problem_.edges[static_cast<std::size_t>(edge)];
        const json& in = input_.at("edges").at(static_cast<std::size_t>(edge));
        if (!in.contains("paths")) return paths;
        for (const json& path : in.at("paths")) {
            const std::int64_t i = configIn(path.at(0), ends.from), j = configIn(path.at(1), ends.to);
            if (producers.has(static_cast<int>(i)))
                paths.emplace_back(static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(j));
        }
        return paths;
    }

    ReshardTable reshards(int edge) override {
        ReshardTable table;
        const json* in = tableOf(edge);
        if (in == nullptr) return table;
        const std::size_t to = edge == kEntryEdge ? 0 : problem_.edges[static_cast<std::size_t>(edge)].to;
        for (const auto& [config, labels] : in->items()) {
            require(!config.empty() && config.size() < 7 && config.find_first_not_of("0123456789") == std::string::npos,
                    "a reshard table is by configuration");
            const std::int64_t j = configIn(std::stoi(config), to);
            for (std::size_t n = 0; n < labels.size(); ++n)
                table[static_cast<int>(j)].push_back(static_cast<int>(n));
        }
        return table;
    }

    [[nodiscard]] json label(int edge, int config, int number) const {
        return tableOf(edge)->at(std::to_string(config)).at(static_cast<std::size_t>(number));
    }

private:
    [[nodiscard]] std::int64_t configIn(const json& value, std::size_t op) const {
        const auto most = static_cast<std::int64_t>(problem_.ops[op].configs.size()) - 1;
        return wholeNumber(value, 0, std::min<std::int64_t>(most, ConfigSet::kCapacity - 1), "configuration");
    }
    [[nodiscard]] const json* tableOf(int edge) const {
        if (edge == kEntryEdge && !input_.contains("first")) return nullptr;
        const json& in =
            edge == kEntryEdge ? input_.at("first") : input_.at("edges").at(static_cast<std::size_t>(edge));
        return in.contains("reshard") && in.at("reshard").is_object() ? &in.at("reshard") : nullptr;
    }

    const json& input_;
    const SolverProblem& problem_;
};

json reshardsOf(const SolverResult& result, const TableChecks& checks) {
    json list = json::array();
    for (std::size_t e = 0; e < result.edges.size(); ++e) {
        const std::vector<int>* candidates = result.edges[e].candidates();
        if (candidates == nullptr) continue;
        const int edge = static_cast<int>(e) - 1;
        const int config = result.edges[e].info.selected.second;
        list.push_back({{"edge", edge == kEntryEdge ? json("entry") : json(edge)},
                        {"label", checks.label(edge, config, candidates->front())},
                        {"consumer_config", config}});
    }
    return list;
}

json shardSolver(const json& input) {
    const SolverProblem problem = problemIn(input);
    require(!problem.ops.empty(), "a chain has operations");
    TableChecks checks(input, problem);
    const SolverResult result = solveShards(problem, checks);
    if (!result.isSolved) return {{"state", "Failed"}, {"stage", result.failedStage}};
    json selected = json::array(), acc = json::array();
    for (const SolvedOp& op : result.ops) {
        selected.push_back(op.selected);
        acc.push_back(op.acc);
    }
    return {{"state", "Completed"},
            {"selected", std::move(selected)},
            {"acc", std::move(acc)},
            {"reshards", reshardsOf(result, checks)},
            {"cores", result.cores}};
}

// ---- rules -------------------------------------------------------------------------------------------

json concatRequiredLayout(const json& input) {
    const std::int64_t rank = wholeNumber(input.at("rank"), 0, 1024, "rank");
    const std::optional<MemLayout> layout = concatInputLayout(wholeNumber(input.at("dim"), -1024, 1024, "dim"), rank);
    return {{"mem", layout ? json(wordOf(*layout)) : json(nullptr)}};
}

json eltwiseCoreShrink(const json& input) {
    const auto cores = [&](const char* key) {
        return input.contains(key) ? wholeNumber(input.at(key), 0, 65536, key) : std::int64_t{0};
    };
    return {{"rejected", shrinksCores(input.at("op").get<std::string>(), cores("output_cores"), cores("lhs_cores"),
                                      cores("rhs_cores"))}};
}

json l1ReservationQuery(const json& input) {
    constexpr std::int64_t kMostSteps = std::numeric_limits<Step>::max() - 1;
    const auto step = [](const json& value, const char* what) {
        return static_cast<Step>(wholeNumber(value, 0, kMostSteps, what));
    };
    std::vector<Reservation> reservations;
    for (const json& in : input.at("reservations")) {
        Reservation& one = reservations.emplace_back();
        one.positions = {step(in.at("start"), "start"), step(in.at("end"), "end") + 1};  // here both ends are inside
        one.bytes = wholeNumber(in.at("bytes"), 0, std::int64_t{1} << 40, "bytes");
    }
    return {{"bytes", reservedAt(reservations, step(input.at("pos"), "pos"))}};
}

}  // namespace

void registerTtnnChains(Registry& registry) {
    registry.add("schedule_and_chains", scheduleAndChains);
    registry.add("chain_state", chainState);
    registry.add("shard_solver", shardSolver);
    registry.add("concat_required_layout", concatRequiredLayout);
    registry.add("eltwise_core_shrink", eltwiseCoreShrink);
    registry.add("l1_reservation_query", l1ReservationQuery);
}

}  // namespace memplan::probe
