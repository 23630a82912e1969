// SPDX-License-Identifier: Apache-2.0
// What runs on each device of a mesh becomes part of the function around it.
#include "engine/ttnn/lower/edit.h"
#include "engine/ttnn/lower/steps.h"

#include <unordered_map>
#include <utility>

namespace memplan::ttnn::lower {

namespace {

bool isManual(const Operation& op) {
    return op.name == "sdy.manual_computation" && op.regions.size() == 1 && op.regions[0].blocks.size() == 1 &&
           !op.regions[0].blocks[0].operations.empty() &&
           op.regions[0].blocks[0].arguments.size() == op.operands.size() &&
           op.regions[0].blocks[0].operations.back().operands.size() == op.results.size();
}

class Inliner {
public:
    explicit Inliner(Function& function) : function_(function) {}

    void run() {
        for (const OperationId id : std::exchange(function_.order, {})) {
            Operation op = function_.operation(id);
            rename(op);
            if (isManual(op)) {
                splice(std::move(op));
                continue;
            }
            function_.operation(id) = std::move(op);
            function_.order.push_back(id);
        }
        for (ValueId& value : function_.returned)
            value = resolved(value);
    }

private:
    void splice(Operation manual) {
        Region::Block& block = manual.regions[0].blocks[0];
        for (std::size_t i = 0; i < manual.operands.size(); ++i)
            pass(manual.operands[i], block.arguments[i], "full_to_shard", manual.location);
        const Operation end = std::move(block.operations.back());
        block.operations.pop_back();
        for (Operation& inner : block.operations) {
            rename(inner);
            if (isManual(inner))
                splice(std::move(inner));
            else
                function_.order.push_back(function_.addOperation(std::move(inner)));
        }
        for (std::size_t i = 0; i < manual.results.size(); ++i)
            pass(resolved(end.operands[i]), manual.results[i], "shard_to_full", manual.location);
    }

    /// `to` is `from` where both have one type, else what dealing it out or collecting it gives.
    void pass(ValueId from, ValueId to, const std::string& direction, const Location& location) {
        if (function_.typeOf(from) == function_.typeOf(to)) {
            instead_[to.index] = from;
            return;
        }
        Operation shard;
        shard.name = "ttir.mesh_shard";
        shard.operands = {from};
        shard.results = {to};
        shard.properties = {{"shard_direction", "#ttcore.shard_direction<" + direction + ">"},
                            {"shard_type", "#ttcore.shard_type<devices>"}};
        shard.location = withSuffix(location, "_" + direction);
        function_.order.push_back(function_.addOperation(std::move(shard)));
    }

    void rename(Operation& op) const {
        for (ValueId& operand : op.operands)
            operand = resolved(operand);
        for (Region& region : op.regions)
            for (Region::Block& block : region.blocks)
                for (Operation& inner : block.operations)
                    rename(inner);
    }

    [[nodiscard]] ValueId resolved(ValueId value) const {
        const auto it = instead_.find(value.index);
        return it == instead_.end() ? value : it->second;
    }

    Function& function_;
    std::unordered_map<std::int32_t, ValueId> instead_;
};

}  // namespace

void inlineManualComputations(Function& function) {
    Inliner(function).run();
}

}  // namespace memplan::ttnn::lower
