// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/search/proof.h"

#include "engine/base/numeric.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

namespace memplan::torchwright {
namespace {

using Mask = std::uint64_t;  ///< units of a chain that are computed

/// A unit by class and position in its chain.
struct Place {
    int group = -1;  ///< class
    int at = 0;
};

struct Wait {
    Place place;
    bool isOwn = false;  ///< of the same chain; else of all chains of its class
    int gap = 1;
};

struct Reader {
    Place place;
    bool isOwn = false;
    bool isAttention = false;
};

/// What a unit of a class is like.
struct Step {
    bool isAttention = false;
    int heads = 0;
    Slots slotCount = 0;
    int tail = 0;
    Columns width = 0;  ///< at least
    bool isKept = false;
    std::vector<Wait> waits;
    std::vector<Reader> readers;
};

struct Input {
    Columns width = 0;
    bool isKept = false;
    std::vector<Reader> readers;
};

/// A chain in the layer that is filled: computed before it, and by now.
struct Progress {
    Mask before = 0, now = 0;
};

/// Chains of each class, sorted.
using State = std::vector<std::vector<Mask>>;
using Filling = std::vector<std::vector<Progress>>;

struct Next {
    State state;
    Filling filling;  ///< that leads to it
};

class Proof {
public:
    Proof(const UnitModel& model, const std::vector<ChainClass>& classes, int layers, std::int64_t mostFills,
          const RunControl& control)
        : model_(model), classes_(classes), layers_(layers), fillsLeft_(mostFills), control_(control),
          placeOf_(model.units.size()), chainOf_(model.units.size(), 0) {
        describe();
    }

    LayerAnswer run() {
        State empty;
        for (const ChainClass& c : classes_)
            empty.emplace_back(c.units.size(), Mask{0});
        visit(empty, 0);
        return {!isOpen_, std::move(found_)};
    }

private:
    // ---- the classes -------------------------------------------------------------------------------------------

    [[nodiscard]] const Unit& unit(int u) const { return model_.units[static_cast<std::size_t>(u)]; }

    void describe() {
        for (std::size_t g = 0; g < classes_.size(); ++g)
            for (std::size_t i = 0; i < classes_[g].units.size(); ++i)
                for (std::size_t j = 0; j < classes_[g].size(); ++j) {
                    const auto u = static_cast<std::size_t>(classes_[g].units[i][j]);
                    placeOf_[u] = {static_cast<int>(g), static_cast<int>(j)};
                    chainOf_[u] = static_cast<int>(i);
                }
        for (const ChainClass& c : classes_) {
            std::vector<Step>& steps = steps_.emplace_back();
            for (const int u : c.units.front())
                steps.push_back(stepOf(u));
        }
        for (const Value& value : model_.values)
            if (value.unit < 0) inputs_.push_back({value.width, value.isKept, readersOf(value, -1)});
        for (const auto& steps : steps_)
            for (const Step& step : steps)
                mostTail_ = std::max(mostTail_, step.tail);
    }

    [[nodiscard]] Step stepOf(int u) const {
        const Unit& own = unit(u);
        const Value& value = model_.values[static_cast<std::size_t>(own.value)];
        Step step;
        step.isAttention = own.isAttention();
        step.heads = own.addends.empty() ? own.heads : std::min(own.heads, own.freeHeads);
        step.slotCount = own.slotCount;
        step.tail = own.tail;
        step.width = own.leastWidth;
        step.isKept = value.isKept;
        for (const UnitEdge& edge : own.before)
            step.waits.push_back(
                {placeOf_[static_cast<std::size_t>(edge.other)], isSameChain(u, edge.other), edge.gap});
        step.readers = readersOf(value, u);
        return step;
    }

    [[nodiscard]] bool isSameChain(int a, int b) const {
        const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
        return placeOf_[i].group == placeOf_[j].group && chainOf_[i] == chainOf_[j];
    }

    /// Those that the value must wait for. Its first Linear alone may have read it for a chain that can be broken.
    [[nodiscard]] std::vector<Reader> readersOf(const Value& value, int owner) const {
        std::vector<Reader> readers;
        for (const int u : value.readers) {
            if (unit(u).isBreakable) continue;
            const Place place = placeOf_[static_cast<std::size_t>(u)];
            const bool isKnown = std::ranges::any_of(
                readers, [&](const Reader& r) { return r.place.group == place.group && r.place.at == place.at; });
            if (!isKnown) readers.push_back({place, owner >= 0 && isSameChain(owner, u), unit(u).isAttention()});
        }
        return readers;
    }

    // ---- states ------------------------------------------------------------------------------------------------

    static Mask bit(int at) { return Mask{1} << static_cast<unsigned>(at); }

    [[nodiscard]] bool isWhole(const State& state) const {
        for (std::size_t g = 0; g < state.size(); ++g) {
            const auto n = static_cast<int>(steps_[g].size());
            const Mask all = n == 64 ? ~Mask{0} : bit(n) - 1;
            if (std::ranges::any_of(state[g], [&](Mask m) { return m != all; })) return false;
        }
        return true;
    }

    /// Layers that what is left needs at least: its longest way, and the slots before each tail.
    [[nodiscard]] int layersLeft(const State& state) const {
        std::vector<std::int64_t> slotsOf(static_cast<std::size_t>(mostTail_) + 1, 0);
        int layers = 0;
        for (std::size_t g = 0; g < state.size(); ++g)
            for (std::size_t j = 0; j < steps_[g].size(); ++j) {
                const Step& step = steps_[g][j];
                const auto open =
                    std::ranges::count_if(state[g], [&](Mask m) { return (m & bit(static_cast<int>(j))) == 0; });
                if (open == 0) continue;
                layers = std::max(layers, step.tail + 1);
                slotsOf[static_cast<std::size_t>(step.tail)] += std::int64_t{step.slotCount} * open;
            }
        std::int64_t sum = 0;
        const std::int64_t perLayer = std::max<std::int64_t>(1, model_.options.slotsPerLayer());
        for (int tail = mostTail_; tail >= 0; --tail) {
            sum += slotsOf[static_cast<std::size_t>(tail)];
            if (sum > 0) layers = std::max(layers, tail + static_cast<int>(ceilDiv(sum, perLayer)));
        }
        return layers;
    }

    /// Seen in this layer or an earlier one.
    bool isSeen(const State& state, int layer) {
        std::string key;
        for (const auto& chains : state)
            key.append(reinterpret_cast<const char*>(chains.data()), chains.size() * sizeof(Mask));
        const auto [it, isNew] = seen_.try_emplace(std::move(key), layer);
        if (!isNew && it->second <= layer) return true;
        it->second = layer;
        return false;
    }

    void visit(const State& state, int layer) {
        if (isOpen_) return;
        if (isWhole(state)) note();
        if (isWhole(state) || seen_.size() > kMostStates) {
            isOpen_ = true;
            return;
        }
        if (layer + layersLeft(state) > layers_ || isSeen(state, layer)) return;
        filling_.clear();
        for (const auto& chains : state) {
            auto& own = filling_.emplace_back();
            for (const Mask m : chains)
                own.push_back({m, m});
        }
        next_.clear();
        layer_ = layer;
        fill({});
        for (Next& next : std::exchange(next_, {})) {
            way_.push_back(std::move(next.filling));
            visit(next.state, layer + 1);
            way_.pop_back();
        }
    }

    /// The way that led here, with chains by name: those that are alike take what is given in their order.
    void note() {
        found_.assign(model_.units.size(), 0);
        State state;
        for (const ChainClass& c : classes_)
            state.emplace_back(c.units.size(), Mask{0});
        for (std::size_t layer = 0; layer < way_.size(); ++layer)
            for (std::size_t g = 0; g < state.size(); ++g)
                noteLayer(static_cast<int>(layer), g, state[g]);
    }

    void noteLayer(int layer, std::size_t g, std::vector<Mask>& chains) {
        std::vector<bool> isDone(chains.size(), false);
        for (const Progress& given : way_[static_cast<std::size_t>(layer)][g]) {
            std::size_t i = 0;
            while (isDone[i] || chains[i] != given.before)
                ++i;
            isDone[i] = true;
            for (std::size_t j = 0; j < steps_[g].size(); ++j)
                if (((given.now & ~given.before) & bit(static_cast<int>(j))) != 0)
                    found_[static_cast<std::size_t>(classes_[g].units[i][j])] = layer;
            chains[i] = given.now;
        }
    }

    // ---- one layer ---------------------------------------------------------------------------------------------

    /// Where the filling of a layer stands: chains before `chain` of class `group` are decided in this sublayer.
    struct Branch {
        bool isAttention = true;
        std::size_t group = 0, chain = 0;
        int heads = 0;
        Slots slotsTaken = 0;
        Mask last = ~Mask{0};  ///< what the chain before was given: one that is alike is given no more
    };

    [[nodiscard]] bool allHave(const Place& place, bool before) const {
        const Mask wanted = bit(place.at);
        return std::ranges::all_of(filling_[static_cast<std::size_t>(place.group)],
                                   [&](const Progress& p) { return ((before ? p.before : p.now) & wanted) != 0; });
    }

    /// Attention of this layer is there for its MLP where the gap allows it.
    [[nodiscard]] bool isMet(const Progress& own, const Wait& wait) const {
        const bool before = wait.gap > 0;
        if (!wait.isOwn) return allHave(wait.place, before);
        return ((before ? own.before : own.now) & bit(wait.place.at)) != 0;
    }

    void fill(Branch b) {
        if (isOpen_) return;
        while (b.group < classes_.size() && b.chain == filling_[b.group].size())
            ++b.group, b.chain = 0, b.last = ~Mask{0};
        if (b.group == classes_.size()) {
            if (!b.isAttention) return endLayer();
            return fill({false, 0, 0, b.heads, b.slotsTaken, ~Mask{0}});
        }
        std::vector<int> ready;
        const Progress own = filling_[b.group][b.chain];
        for (std::size_t j = 0; j < steps_[b.group].size(); ++j) {
            const Step& step = steps_[b.group][j];
            if (step.isAttention != b.isAttention || (own.now & bit(static_cast<int>(j))) != 0) continue;
            if (std::ranges::all_of(step.waits, [&](const Wait& w) { return isMet(own, w); }))
                ready.push_back(static_cast<int>(j));
        }
        if (ready.size() > kMostReady) {
            isOpen_ = true;
            return;
        }
        const Mask most = isLikeTheOneBefore(b) ? b.last : ~Mask{0};
        for (Mask choice = Mask{1} << ready.size(); choice-- > 0;)
            give(b, ready, choice, most);
    }

    /// Alike before the layer and with what attention gave them.
    [[nodiscard]] bool isLikeTheOneBefore(const Branch& b) const {
        if (b.chain == 0) return false;
        const Progress& before = filling_[b.group][b.chain - 1];
        const Progress& own = filling_[b.group][b.chain];
        return before.before == own.before && (before.now & ~b.last) == own.now;
    }

    void give(Branch b, const std::vector<int>& ready, Mask choice, Mask most) {
        Mask given = 0;
        for (std::size_t i = 0; i < ready.size(); ++i) {
            if ((choice >> i & 1U) == 0) continue;
            const Step& step = steps_[b.group][static_cast<std::size_t>(ready[i])];
            given |= bit(ready[i]);
            b.heads += step.heads, b.slotsTaken += step.slotCount;
        }
        if (given > most) return;
        if (b.heads > model_.options.headsPerLayer() || b.slotsTaken > model_.options.slotsPerLayer()) return;
        if (--fillsLeft_ < 0 || control_.shouldStop()) {
            isOpen_ = true;
            return;
        }
        Mask& now = filling_[b.group][b.chain].now;
        const Mask kept = now;
        now |= given;
        b.last = given;
        ++b.chain;
        fill(b);
        now = kept;
    }

    void endLayer() {
        if (columnsAfter() > model_.options.d) return;
        State state;
        for (const auto& chains : filling_) {
            auto& own = state.emplace_back();
            for (const Progress& p : chains)
                own.push_back(p.now);
            std::ranges::sort(own);
        }
        if (layer_ + 1 + layersLeft(state) <= layers_) next_.push_back({std::move(state), filling_});
    }

    [[nodiscard]] bool isRead(const Progress* own, const Reader& reader) const {
        const bool before = !reader.isAttention;
        if (!reader.isOwn || own == nullptr) return allHave(reader.place, before);
        return ((before ? own->before : own->now) & bit(reader.place.at)) != 0;
    }

    [[nodiscard]] std::int64_t columnsAfter() const {
        std::int64_t columns = 0;
        const auto isOver = [&](const std::vector<Reader>& readers, const Progress* own) {
            return std::ranges::all_of(readers, [&](const Reader& r) { return isRead(own, r); });
        };
        for (const Input& input : inputs_)
            if (input.isKept || !isOver(input.readers, nullptr)) columns += input.width;
        for (std::size_t g = 0; g < filling_.size(); ++g)
            for (const Progress& own : filling_[g])
                for (std::size_t j = 0; j < steps_[g].size(); ++j) {
                    const Step& step = steps_[g][j];
                    const Mask wanted = bit(static_cast<int>(j));
                    if ((own.now & wanted) == 0) continue;
                    const bool isBorn = (own.before & wanted) == 0;
                    if (step.isKept || isBorn || !isOver(step.readers, &own)) columns += step.width;
                }
        return columns;
    }

    static constexpr std::size_t kMostReady = 10;
    static constexpr std::size_t kMostStates = 300'000;  ///< some hundred bytes each

    const UnitModel& model_;
    const std::vector<ChainClass>& classes_;
    int layers_ = 0;
    std::int64_t fillsLeft_ = 0;
    const RunControl& control_;
    std::vector<Place> placeOf_;            ///< by unit
    std::vector<int> chainOf_;              ///< by unit: chain of its class
    std::vector<std::vector<Step>> steps_;  ///< by class and position
    std::vector<Input> inputs_;
    int mostTail_ = 0;
    std::unordered_map<std::string, int> seen_;
    Filling filling_;  ///< of the layer that is filled
    int layer_ = 0;
    std::vector<Next> next_;    ///< that it may lead to
    std::vector<Filling> way_;  ///< to the state that is looked at
    std::vector<int> found_;    ///< layers of the units of a whole way
    bool isOpen_ = false;       ///< a way was found, or the proof was given up
};

}  // namespace

LayerAnswer fillAll(const UnitModel& model, const std::vector<ChainClass>& classes, int layers, std::int64_t mostFills,
                    const RunControl& control) {
    return Proof(model, classes, layers, mostFills, control).run();
}

}  // namespace memplan::torchwright
