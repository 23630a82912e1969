// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/advice/changes.h"

#include "engine/base/text.h"
#include "engine/hints/scope.h"
#include "engine/plan/loop_words.h"
#include "engine/plan/room.h"
#include "engine/spyre/advice/divisions.h"
#include "engine/spyre/machine/spyre_machine.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

using advice::Change;

Hint spyreHint(std::string key, std::string scope, HintValue::Payload value) {
    Hint h;
    h.target = "spyre";
    h.scopes = {std::move(scope)};
    h.key = std::move(key);
    h.value = HintValue(std::move(value));
    return h;
}

/// In the words of the buffer; the hints themselves name loops.
std::string splitWords(const Plan& plan, OpId id, BufferId buffer, const LoopSplits& splits) {
    const std::vector<IterationDim>& loops = plan.op(id).iterationSpace;
    std::vector<std::string> parts;
    for (const auto& [loop, count] : splits) {
        const auto at = std::find_if(loops.begin(), loops.end(), [&l = loop](const auto& d) { return d.name == l; });
        const std::string name =
            at == loops.end() ? loop : loopName(plan, id, static_cast<std::size_t>(at - loops.begin()), buffer);
        parts.push_back(name + " / " + std::to_string(count));
    }
    return parts.empty() ? std::string("one piece") : text::join(parts, ", ");
}

class Changes {
public:
    Changes(const Plan& plan, BufferId id) : plan_(plan), id_(id), buffer_(plan.buffer(id)) {}

    std::vector<Change> run() {
        if (!buffer_.reason) return {};
        switch (buffer_.reason->code) {
        case ReasonCode::PlanningOff:
            setting("spyre.lx_planning", "true", "scratchpad planning switched on");
            break;
        case ReasonCode::OffByHint:
            hintsOff();
            break;
        case ReasonCode::OpNotAllowed:
            eligible();
            break;
        case ReasonCode::GraphInput:
            clone();
            room();
            break;
        case ReasonCode::CoreDivMismatch:
            sameDivisions();
            setting("spyre.co_optimize", "true", "divisions and residency searched together");
            fewerCores();
            break;
        case ReasonCode::NoRoom:
            pin();
            blockersMoved();
            blockersOff();
            solvers();
            room();
            moreCores();
            break;
        case ReasonCode::LargerThanMemory:
            room();
            moreCores();
            break;
        case ReasonCode::SolverStopped:
            setting("engine.time_limit_seconds", "0", "no time limit for the solver");
            solvers();
            break;
        default:
            break;
        }
        return std::move(list_);
    }

private:
    void add(Change change) {
        if (std::find(list_.begin(), list_.end(), change) == list_.end()) list_.push_back(std::move(change));
    }

    void setting(const std::string& key, const std::string& value, std::string text) {
        if (plan_.settings.textOf(key) != value) add({std::move(text), {{key, value}}, {}, {}});
    }

    /// Scope text of a buffer: the tensor of the graph that it holds; for a clone that of its input.
    [[nodiscard]] std::string tensorScope(BufferId id) const {
        const PlanBuffer& b = plan_.buffer(id);
        if (b.cloneOf.isValid()) return tensorScope(b.cloneOf);
        if (!b.graphTensor.isValid()) return {};
        if (plan_.graph && b.graphTensor.at() < plan_.graph->tensors.size()) {
            return "tensor:" + plan_.graph->tensor(b.graphTensor).id;
        }
        return "tensor:" + b.name;
    }

    void pin() {
        const std::string scope = tensorScope(id_);
        if (!scope.empty()) add({"a pin on " + text::quoted(buffer_.name), {}, {spyreHint("pin", scope, true)}, {}});
    }

    void clone() {
        const std::string scope = tensorScope(id_);
        if (scope.empty() || buffer_.uses.size() < 2) return;
        add({"a clone of " + text::quoted(buffer_.name), {}, {spyreHint("clone_input", scope, true)}, {}});
        add({"a pinned clone of " + text::quoted(buffer_.name), {}, {spyreHint("pin", scope, true)}, {}});
    }

    void hintsOff() {
        const std::string tensor = tensorScope(id_);
        for (std::size_t i = 0; i < plan_.hints.size(); ++i) {
            const Hint& h = plan_.hints[i];
            const bool bars = h.enabled && (h.key == "keep_off_chip" || h.key == "lx_eligible");
            const bool ours = std::any_of(h.scopes.begin(), h.scopes.end(), [&](const std::string& s) {
                return s == tensor || (buffer_.producer.isValid() && s == "op:" + plan_.op(buffer_.producer).name);
            });
            if (bars && ours) add({"hint " + std::to_string(i + 1) + " (" + h.key + ") switched off", {}, {}, {i}});
        }
    }

    void eligible() {
        if (!buffer_.producer.isValid()) return;
        const std::string& op = plan_.op(buffer_.producer).name;
        add({"the result of " + text::quoted(op) + " allowed on chip",
             {},
             {spyreHint("lx_eligible", "op:" + op, true)},
             {}});
        setting("spyre.allow_all_ops_in_lx", "true", "every kind of operation allowed on chip");
    }

    /// A large neighbour fixed at the top of the memory: what is left below it is one piece.
    void blockersMoved() {
        constexpr std::size_t kTried = 2;
        const Bytes step = std::max<Bytes>(plan_.memory.alignment, 1);
        const std::vector<BufferId> neighbours = roomFor(plan_, id_).neighbours;
        for (std::size_t i = 0; i < std::min(neighbours.size(), kTried); ++i) {
            const PlanBuffer& other = plan_.buffer(neighbours[i]);
            const std::string scope = tensorScope(neighbours[i]);
            const Address top = (plan_.memory.capacity - other.sizePerCore) / step * step;
            if (scope.empty() || top < 0 || other.address == top) continue;
            add({text::quoted(other.name) + " at address " + text::grouped(top),
                 {},
                 {spyreHint("address", scope, top)},
                 {}});
        }
    }

    /// Neighbours that alone make room by leaving, smallest first.
    void blockersOff() {
        constexpr std::size_t kTried = 3;
        const RoomFor room = roomFor(plan_, id_);
        for (std::size_t i = 0; i < std::min(room.singleMoves.size(), kTried); ++i) {
            const PlanBuffer& other = plan_.buffer(room.singleMoves[i]);
            const std::string scope = tensorScope(room.singleMoves[i]);
            if (scope.empty() || other.sizePerCore > buffer_.sizePerCore) continue;
            add({text::quoted(other.name) + " kept off chip in its place",
                 {},
                 {spyreHint("keep_off_chip", scope, true)},
                 {}});
        }
    }

    void solvers() {
        for (const char* solver : {"firstfit", "bestfit", "annealing", "exact"})
            setting("spyre.layout_solver", solver, std::string("solver ") + solver);
    }

    /// More of the memory for the planner.
    void room() {
        const double now = plan_.settings.number("spyre.lx_reserved_fraction");
        for (const char* fraction : {"0.1", "0.05", "0"}) {
            if (text::parseDouble(fraction).value_or(1) < now) {
                setting("spyre.lx_reserved_fraction", fraction,
                        std::string("reserved share of the scratchpad ") + fraction);
            }
        }
    }

    void moreCores() {
        const std::int64_t most = spyreMachine(plan_.machine).maxCores;
        for (std::int64_t cores = plan_.settings.integer("spyre.cores") * 2; cores <= most; cores *= 2)
            setting("spyre.cores", std::to_string(cores), std::to_string(cores) + " cores");
    }

    void fewerCores() {
        for (std::int64_t cores = plan_.settings.integer("spyre.cores") / 2; cores >= 1; cores /= 2) {
            setting("spyre.cores", std::to_string(cores),
                    cores == 1 ? std::string("1 core") : std::to_string(cores) + " cores");
        }
    }

    // ---- the same division for writer and readers ------------------------------------------------------

    /// One change for each way in which a user cuts the buffer: all others follow it, alone or with the operations
    /// beside them. Fewest changed operations first.
    void sameDivisions() {
        std::vector<std::pair<std::size_t, Change>> found;
        std::vector<Cut> seen;
        for (const OpId like : buffer_.uses) {
            const auto cut = cutOf(plan_.op(like), id_);
            if (!cut || std::find(seen.begin(), seen.end(), *cut) != seen.end()) continue;
            seen.push_back(*cut);
            for (const auto& divisions : {dividedLike(plan_, id_, like), dividedLikeWithNeighbours(plan_, id_, like)}) {
                if (!divisions) continue;
                Change change = divided(*divisions, plan_.op(like).name);
                const std::size_t size = change.hints.size();
                found.emplace_back(size, std::move(change));
            }
        }
        std::stable_sort(found.begin(), found.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
        for (auto& [size, change] : found)
            add(std::move(change));
    }

    [[nodiscard]] Change divided(const Divisions& divisions, const std::string& like) const {
        constexpr std::size_t kNamed = 4;
        Change change;
        std::vector<std::string> words;
        for (const auto& [id, splits] : divisions) {
            const std::string& name = plan_.op(id).name;
            // A whole buffer on one core is asked for by the number of cores: a split needs a dimension.
            change.hints.push_back(splits.empty() ? spyreHint("max_cores", "op:" + name, std::int64_t{1})
                                                  : spyreHint("split", "op:" + name, splits));
            if (words.size() < kNamed) words.push_back(text::quoted(name) + " " + splitWords(plan_, id, id_, splits));
        }
        if (divisions.size() > kNamed) words.push_back(std::to_string(divisions.size() - kNamed) + " more");
        change.text = "divided as " + text::quoted(like) + " divides it: " + text::join(words, ", ");
        return change;
    }

    const Plan& plan_;
    BufferId id_;
    const PlanBuffer& buffer_;
    std::vector<Change> list_;
};

}  // namespace

std::vector<Change> candidateChanges(const Plan& plan, BufferId buffer) {
    return Changes(plan, buffer).run();
}

}  // namespace memplan::spyre
