// SPDX-License-Identifier: Apache-2.0
// Small functions of TTNN operations, all values in interleaved DRAM, with what a policy needs to plan them.
#pragma once

#include "engine/ttnn/layout/arithmetic.h"
#include "engine/ttnn/sharding/df_sharding.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace memplan::test {

class FunctionBuilder {
public:
    ttnn::ValueId argument(const ttnn::Shape& shape) {
        const ttnn::ValueId value = function.addValue(tensor(shape));
        function.value(value).argument = static_cast<int>(function.arguments.size());
        function.arguments.push_back(value);
        return value;
    }

    /// Its location is `kind` with the number of the operation: "relu_0".
    ttnn::ValueId add(const std::string& kind, std::vector<ttnn::ValueId> operands, const ttnn::Shape& shape,
                      ttnn::Attributes properties = {}) {
        ttnn::Operation operation;
        operation.name = "ttnn." + kind;
        operation.operands = std::move(operands);
        operation.properties = std::move(properties);
        operation.location.name = kind + "_" + std::to_string(function.operations.size());
        const ttnn::ValueId result = function.addValue(tensor(shape));
        operation.results = {result};
        function.order.push_back(function.addOperation(std::move(operation)));
        return result;
    }

    void giveBack(ttnn::ValueId value) { function.returned.push_back(value); }

    ttnn::Function function;

private:
    static ttnn::Type tensor(const ttnn::Shape& shape) {
        ttnn::Type type;
        type.isTensor = true;
        type.shape = shape;
        type.element = "bf16";
        type.layout = ttnn::makeLayout(shape, {}, ttnn::Device{});
        return type;
    }
};

/// A function planned with DFSharding on a Wormhole with its usual limit.
class Planned {
public:
    explicit Planned(ttnn::Function planned, ttnn::Options wanted = {})
        : function(std::move(planned)), options(std::move(wanted)), table(device),
          model(device, {ttnn::usableL1(device.l1Size, device.unreservedBase, 0.95, options.l1Reserved),
                         options.strictL1Accounting, options.conservativeMatmulCb}) {
        auto legal = ttnn::searchSpace(function, options, table, model);
        if (!legal) return;
        space = std::move(legal).value();
        solution = ttnn::dfSharding({function, space, table, model, options, overrides, {}, 0});
        isPlanned = true;
    }

    [[nodiscard]] const ttnn::ChainInfo& chain(std::size_t i) const { return solution.record.chains.at(i); }
    [[nodiscard]] const ttnn::Layout& layout(std::size_t op) const { return *solution.configs.at(op)->output; }

    ttnn::Device device;
    ttnn::Function function;
    ttnn::Options options;
    ttnn::LayoutTable table;
    ttnn::OpModel model;
    std::vector<ttnn::Reshard> overrides;
    ttnn::SearchSpace space;
    ttnn::Solution solution;
    bool isPlanned = false;
};

}  // namespace memplan::test
