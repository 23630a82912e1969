// SPDX-License-Identifier: Apache-2.0
// Hints and settings of a random case.
#include "engine/base/random.h"
#include "engine/settings/settings.h"
#include "tests/support/hint_support.h"
#include "tests/support/random_graph.h"

#include <algorithm>
#include <array>

namespace memplan::test {

namespace {

constexpr std::uint64_t kHintSeed = 0x6a09e667f3bcc908ULL;
constexpr std::uint64_t kSettingSeed = 0xbb67ae8584caa73bULL;

class HintMaker {
public:
    HintMaker(std::uint64_t seed, const Graph& graph) : random_(seed), graph_(graph) {}

    std::vector<Hint> run() {
        if (chance(40)) tiling();
        for (std::size_t n = chance(50) ? random_.below(4) : 0; n > 0; --n)
            single();
        return std::move(hints_);
    }

private:
    Random random_;
    const Graph& graph_;
    std::vector<Hint> hints_;

    bool chance(std::uint64_t percent) { return random_.below(100) < percent; }
    template <class List> const auto& oneOf(const List& list) { return list[random_.below(list.size())]; }

    void add(std::vector<std::string> scopes, std::string key, std::string value) {
        Hint h;
        h.target = "spyre";
        h.scopeIsArray = scopes.size() > 1;
        h.scopes = std::move(scopes);
        h.key = std::move(key);
        h.value = test::hintValue(value);
        hints_.push_back(std::move(h));
    }

    /// Names for the dimensions of inputs, equal extents named alike, and one or two scopes around a run of ops.
    void tiling() {
        std::vector<std::pair<std::string, std::int64_t>> names;
        std::vector<std::pair<std::string, std::string>> given;
        for (const TensorId in : graph_.inputs) {
            const Tensor& t = graph_.tensor(in);
            if (t.shape.empty()) continue;
            given.emplace_back("tensor:" + t.id, namesOf(t.shape, names));
        }
        if (names.empty()) return;
        std::string sizes;
        for (const auto& [name, extent] : names)
            sizes += (sizes.empty() ? "" : ", ") + quoted(name) + ": " + std::to_string(extent);
        add({"graph"}, "dim_sizes", "{" + sizes + "}");
        for (const auto& [scope, list] : given)
            add({scope}, "dim_names", list);
        const std::size_t first = random_.below(graph_.ops.size());
        const std::size_t length = 1 + random_.below(std::min<std::size_t>(6, graph_.ops.size() - first));
        std::vector<std::string> scopes;
        for (std::size_t i = first; i < first + length; ++i) {
            if (graph_.ops[i].kind != OpKind::View) scopes.push_back("op:" + graph_.ops[i].id);
        }
        if (scopes.empty()) return;
        for (std::size_t levels = 1 + random_.below(2); levels > 0; --levels) {
            const auto& [name, extent] = oneOf(names);
            add(scopes, "slices", "{" + quoted(name) + ": " + std::to_string(divisorOf(extent)) + "}");
        }
    }

    static std::string quoted(const std::string& s) { return '"' + s + '"'; }

    /// Two dimensions of one tensor never share a name.
    static std::string namesOf(const std::vector<std::int64_t>& shape,
                               std::vector<std::pair<std::string, std::int64_t>>& names) {
        std::string list;
        std::vector<std::string> taken;
        for (const std::int64_t extent : shape) {
            const auto isFree = [&](const auto& n) {
                return n.second == extent && std::find(taken.begin(), taken.end(), n.first) == taken.end();
            };
            const auto known = std::find_if(names.begin(), names.end(), isFree);
            const bool isNew = known == names.end();
            if (isNew) names.emplace_back("D" + std::to_string(names.size()), extent);
            taken.push_back(isNew ? names.back().first : known->first);
            list += (list.empty() ? "" : ", ") + quoted(taken.back());
        }
        return "[" + list + "]";
    }

    std::int64_t divisorOf(std::int64_t extent) {
        if (chance(8)) return static_cast<std::int64_t>(random_.below(9));  // perhaps not allowed
        std::vector<std::int64_t> all;
        for (std::int64_t d = 1; d <= std::min<std::int64_t>(extent, 64); ++d) {
            if (extent % d == 0) all.push_back(d);
        }
        return oneOf(all);
    }

    void single() {
        const Op& op = oneOf(graph_.ops);
        const std::string opScope = "op:" + op.id;
        const std::string tensor = "tensor:" + oneOf(graph_.tensors).id;
        switch (random_.below(10)) {
        case 0:
            return add({tensor}, "pin", "true");
        case 1:
            return add({tensor}, "keep_off_chip", "true");
        case 2:
            return add({tensor}, "address", std::to_string(128 * random_.below(64)));
        case 3:
            return add({tensor}, "address_limit", std::to_string(128 * random_.below(256)));
        case 4:
            return add({tensor}, "in_place", chance(50) ? R"("force")" : R"("forbid")");
        case 5:
            return add({tensor}, "clone_input", chance(50) ? "true" : "false");
        case 6:
            return add({opScope}, "lx_eligible", chance(50) ? "true" : "false");
        case 7:
            return add({opScope}, "max_cores", std::to_string(1 + random_.below(8)));
        case 8:
            return split(op, opScope);
        default:
            return manualGroup();
        }
    }

    void split(const Op& op, const std::string& scope) {
        if (op.iter.empty()) return;
        const IterDim& d = oneOf(op.iter);
        add({scope}, "split", "{" + quoted(d.d) + ": " + std::to_string(divisorOf(d.size)) + "}");
    }

    void manualGroup() {
        const std::size_t first = random_.below(graph_.ops.size());
        const std::size_t length = 1 + random_.below(std::min<std::size_t>(4, graph_.ops.size() - first));
        std::string ids;
        for (std::size_t i = first; i < first + length; ++i)
            ids += (ids.empty() ? "" : ", ") + quoted(graph_.ops[i].id);
        const std::size_t rank = graph_.ops[first].iter.size();
        if (rank == 0) return;
        const std::size_t d = random_.below(rank);
        add({"graph"}, "manual_groups",
            R"([{"ops": [)" + ids + R"(], "levels": [{"count": )" +
                std::to_string(divisorOf(graph_.ops[first].iter[d].size)) + R"(, "dims": [)" + std::to_string(d) +
                "]}]}]");
    }
};

/// What a setting may become: words that are all allowed.
struct Choice {
    int percent;
    const char* key;
    std::vector<const char*> values;
};

const std::vector<Choice>& choices() {
    static const std::vector<Choice> kAll{
        {70, "spyre.cores", {"1", "2", "3", "4", "5", "7", "8", "16", "31", "32"}},
        {50, "spyre.lx_reserved_fraction", {"0", "0.5", "0.9", "0.98", "0.99", "0.995", "0.998", "0.999", "1"}},
        {60, "spyre.layout_solver", {"greedy", "firstfit", "bestfit", "annealing", "exact"}},
        {20, "spyre.solver_ordering", {"lifetime", "scored"}},
        {10, "spyre.annealing_start", {"firstfit", "bestfit", "greedy"}},
        {40, "spyre.annealing_steps", {"50", "200", "600"}},
        {15, "spyre.exact_cost", {"bytes", "traffic"}},
        {10, "spyre.lx_capacity_rule", {"seed", "reserved64k"}},
        {15, "spyre.lx_size_rule", {"writer", "max_users"}},
        {10, "spyre.allow_all_ops_in_lx", {"false", "true"}},
        {10, "spyre.lx_eligibility", {"seed", "declarative"}},
        {10, "spyre.lx_in_place_ops", {"pointwise", "exp,sub", ""}},
        {5, "spyre.lx_planning", {"false"}},
        {5, "spyre.coarse_tiling", {"false"}},
        {3, "spyre.ignore_hints", {"true"}},
        {10, "spyre.global_stick_optimizer", {"false"}},
        {10, "spyre.chunk_large_tensors", {"true"}},
        {10, "spyre.span_rule", {"late", "seed"}},
        {15, "spyre.k_fast", {"false"}},
        {15, "spyre.matmul_cost_model", {"true"}},
        {20, "spyre.reorder_interlopers", {"true"}},
        {20, "spyre.tile_read_copies", {"true"}},
        {10, "spyre.tile_read_copies_always", {"true"}},
        {15, "spyre.elide_read_copies", {"true"}},
        {15, "spyre.copy_when_input_internal", {"true"}},
        {15, "spyre.clone_inputs", {"false"}},
        {20, "spyre.boundary_clones", {"true"}},
        {20, "spyre.free_renaming", {"true"}},
        {20, "spyre.eviction", {"true"}},
        {20, "spyre.reorder_ops", {"true"}},
        {20, "spyre.solver_clones", {"true"}},
        {20, "spyre.ring_transfers", {"true"}},
        {15, "spyre.safe_boundaries", {"true"}},
        {15, "spyre.co_optimize", {"true"}},
        {20, "spyre.co_optimize_variants", {"1", "2", "4", "8"}},
        {10, "spyre.co_optimize_leaves", {"1", "100", "2000"}},
        {15, "spyre.co_optimize_objective", {"time", "traffic"}},
        {15, "spyre.co_optimize_tilings", {"true"}},
        {10, "spyre.hbm_pool", {"false"}},
        {20, "spyre.fusion", {"false"}},
        {25, "spyre.unroll_loops", {"true"}},
        {30, "spyre.stride_model", {"host_stride_map", "device_row_major"}},
        {40, "spyre.address_mode", {"baked", "per_core_constants", "per_core_input_args", "per_tensor_constants"}},
    };
    return kAll;
}

Pairs randomSettings(std::uint64_t seed, std::size_t ops) {
    Random random(seed);
    Pairs out;
    // The searches of the preset `best` are for small graphs here.
    const auto draw = random.below(100);
    if (draw < 12 && ops <= 30) out.emplace_back("preset", "best");
    if (draw >= 85) out.emplace_back("preset", "seed");
    for (const Choice& c : choices()) {
        if (random.below(100) >= static_cast<std::uint64_t>(c.percent)) continue;
        const std::string value = c.values[random.below(c.values.size())];
        out.emplace_back(c.key, value);
    }
    return out;
}

GraphSize sizeOf(std::uint64_t seed) {
    Random random(seed ^ 0x5be0cd19137e2179ULL);
    const std::uint64_t at = seed % 200;
    if (at < 100) return {static_cast<int>(1 + random.below(8)), 8192, 1'000'000};
    if (at < 160) return {static_cast<int>(9 + random.below(22)), 8192, 1'000'000};
    return {static_cast<int>(31 + random.below(90)), 4096, 300'000};
}

}  // namespace

RandomCase randomCase(std::uint64_t seed) {
    RandomCase out;
    out.seed = seed;
    out.graph = randomGraph(seed, sizeOf(seed));
    out.graph.hints = HintMaker(seed ^ kHintSeed, out.graph).run();
    out.settings = randomSettings(seed ^ kSettingSeed, out.graph.ops.size());
    return out;
}

std::string optionsText(const Pairs& settings) {
    std::string out;
    for (const auto& [key, value] : settings)
        out += (out.empty() ? "--set " : " --set ") + key + "=" + value;
    return out;
}

}  // namespace memplan::test
