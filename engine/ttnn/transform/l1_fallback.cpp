// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/transform/l1_fallback.h"

#include "engine/ttnn/measure/residency.h"
#include "engine/ttnn/measure/views.h"
#include "engine/ttnn/transform/transform.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

namespace memplan::ttnn {
namespace {

// The second group counts for the reader as well.
constexpr std::array<std::string_view, 2> kLeftAlone{"max_pool2d", "upsample"};
constexpr std::array<std::string_view, 4> kLeftAloneWithProducer{"slice_static", "typecast", "matmul", "linear"};

bool isOneOf(const Operation& op, std::span<const std::string_view> kinds) {
    return std::any_of(kinds.begin(), kinds.end(), [&](std::string_view kind) { return op.is(kind); });
}

class Upgrader {
public:
    Upgrader(Transformed& transformed, const SearchSpace& space, OpModel& model)
        : t_(transformed), f_(transformed.function), space_(space), model_(model), uses_(usesOf(f_)),
          residency_(residencyOf(f_)) {}

    void run() {
        for (std::size_t at = 0; at + 1 < f_.order.size(); ++at)
            if (isEligible(at)) upgrade(at);
    }

private:
    [[nodiscard]] bool isEligible(std::size_t at) const;
    [[nodiscard]] bool isKindLeftAlone(const Operation& op) const {
        return isOneOf(op, kLeftAloneWithProducer) || isConvAsMatmul(f_, op);
    }
    /// A reshape that is free as things are and would have to copy otherwise.
    [[nodiscard]] bool isDramView(const Operation& op, bool byInput) const;
    void upgrade(std::size_t at);
    [[nodiscard]] bool fits(std::size_t at, const OpConfig& config) const;
    /// Of the operation at that position with this configuration; `changed` has that layout instead of its own.
    [[nodiscard]] std::optional<Validation> validated(std::size_t at, const OpConfig& config, ValueId changed,
                                                      const Layout* layout) const;

    Transformed& t_;
    Function& f_;
    const SearchSpace& space_;
    OpModel& model_;
    Uses uses_;
    /// Holds throughout: an upgraded value lives at two positions, where it is result and operand.
    L1Residency residency_;
};

bool Upgrader::isEligible(std::size_t at) const {
    const OperationId id = f_.order[at];
    const Operation& op = f_.operation(id);
    const ValueId result = f_.resultOf(id);
    if (id.at() >= space_.ops.size() || !result.isValid() || op.results.size() != 1) return false;
    const auto& layout = f_.typeOf(result).layout;
    if (!layout || !layout->isInDram()) return false;
    if (isOneOf(op, kLeftAlone) || isKindLeftAlone(op)) return false;
    const auto& uses = uses_[result.at()];
    if (uses.size() != 1 || uses.front().user != f_.order[at + 1] || uses.front().operand < 0) return false;
    const Operation& reader = f_.operation(f_.order[at + 1]);
    return !isKindLeftAlone(reader) && !isDramView(op, true) && !isDramView(reader, false);
}

bool Upgrader::isDramView(const Operation& op, bool byInput) const {
    if (!op.is("reshape") || op.operands.empty() || op.results.empty()) return false;
    const Type& from = f_.typeOf(op.operands.front());
    const Type& to = f_.typeOf(op.results.front());
    const auto& layout = byInput ? from.layout : to.layout;
    return layout && layout->isInDram() && canBeView(from, to);
}

void Upgrader::upgrade(std::size_t at) {
    const OperationId id = f_.order[at];
    const ValueId result = f_.resultOf(id);
    const PageLayout page = f_.typeOf(result).layout->page;
    for (const bool wantsSamePage : {true, false})
        for (const OpConfig& config : space_.ops[id.at()].configs) {
            const auto& layout = config.output;
            if (!layout || !layout->isInL1() || !layout->isInterleaved()) continue;
            if ((layout->page == page) != wantsSamePage || !fits(at, config)) continue;
            applyConfig(t_, id, config);
            t_.upgraded.push_back(id);
            return;
        }
}

bool Upgrader::fits(std::size_t at, const OpConfig& config) const {
    const auto own = validated(at, config, {}, nullptr);
    if (!own || own->constraints.outputs.empty() || own->constraints.outputs.front() != *config.output) return false;
    const OperationId reader = f_.order[at + 1];
    if (f_.operation(reader).is("to_layout")) return true;
    const ValueId result = f_.resultOf(reader);
    if (!result.isValid() || !f_.typeOf(result).layout) return false;
    OpConfig current = t_.configs[reader.at()];
    current.output = f_.typeOf(result).layout;
    const auto next = validated(at + 1, current, f_.resultOf(f_.order[at]), &*config.output);
    return next && !next->constraints.outputs.empty() && next->constraints.outputs.front() == *current.output;
}

std::optional<Validation> Upgrader::validated(std::size_t at, const OpConfig& config, ValueId changed,
                                              const Layout* layout) const {
    const Operation& op = f_.operation(f_.order[at]);
    std::vector<Layout> inputs;
    for (const ValueId operand : tensorOperands(f_, op)) {
        const auto& own = f_.typeOf(operand).layout;
        if (operand == changed)
            inputs.push_back(*layout);
        else if (own)
            inputs.push_back(*own);
        else
            return std::nullopt;
    }
    Validation validation = model_.validate({f_, op, inputs, config, residency_.others(f_, at)});
    if (!validation.ok()) return std::nullopt;
    return validation;
}

}  // namespace

void upgradeToL1Interleaved(Transformed& transformed, const SearchSpace& space, OpModel& model) {
    Upgrader(transformed, space, model).run();
}

}  // namespace memplan::ttnn
