// SPDX-License-Identifier: Apache-2.0
#include "tests/probe/ttnn_pipeline_kinds.h"

#include "engine/ttnn/beam/score.h"
#include "engine/ttnn/lower/lower.h"
#include "engine/ttnn/mlir/reader.h"
#include "engine/ttnn/optimize/optimize.h"
#include "tests/probe/input_checks.h"

#include <algorithm>
#include <set>

namespace memplan::probe {
namespace {

using nlohmann::json;
using namespace memplan::ttnn;

template <class T> T valueOf(Result<T> result) {
    if (!result) throw ProbeError{result.error().primary().code, result.error().primary().message};
    return std::move(result).value();
}

OptimizeState optimized(const json& input) {
    const PipelineOptions wanted = valueOf(parsePipelineOptions(input.at("options").get<std::string>()));
    Options options = valueOf(applyLevel(wanted.level, wanted.options, wanted.explicitNames));
    const std::string text = input.at("mlir").get<std::string>();
    const ReadModule read = valueOf(readModule(text, io::Limits{}, RunControl{}));
    LowerOptions lowering;
    lowering.fusing = options.fusing;
    Lowered lowered = valueOf(lowerToTtnn(read.module, lowering));
    if (lowered.module.l1UsageCap && !wanted.hasExplicit("tensor-l1-usage-cap"))
        options.l1UsageCap = *lowered.module.l1UsageCap;
    return valueOf(optimize(std::move(lowered.module), options));
}

json layoutJson(const Layout& layout) {
    json j = {{"buffer", wordOf(layout.buffer)},
              {"sharded", layout.isSharded()},
              {"grid", {layout.grid.rows, layout.grid.cols}},
              {"memref", std::to_string(layout.shard[0]) + "x" + std::to_string(layout.shard[1])},
              {"dtype", wordOf(layout.dtype)}};
    j["mem"] = layout.mem ? json(wordOf(*layout.mem)) : json();
    return j;
}

/// One function after the optimizer, its operations counted by name as they stood in the input.
class Answer {
public:
    explicit Answer(const Function& function, const FunctionOutcome* outcome) : f_(function) {
        if (outcome)
            for (const Conversion& conversion : outcome->transformed.conversions) {
                kinds_[conversion.op] = conversion.kind;
                if (!conversion.isInPlace) inserted_.insert(conversion.op);
            }
        if (outcome) lastJoin_ = lastMerge(outcome->solution.record);
        std::map<std::string, int> counts;
        for (std::size_t i = 0; i < f_.operations.size(); ++i) {
            const auto id = OperationId::of(i);
            if (!inserted_.contains(id) && !isWrapper(id)) nth_[id] = counts[f_.operations[i].name]++;
        }
    }

    void fill(json& output) const {
        for (const auto& [id, nth] : nth_) {
            addOutput(output, id, nth);
            addInputs(output, id, nth);
        }
        addOrder(output);
        addSpill(output);
    }

private:
    static OperationId lastMerge(const ChainRecord& record) {
        OperationId last;
        for (const MergeInfo& merge : record.merges)
            if (merge.isAccepted) last = merge.joinOp;
        return last;
    }
    /// A reshape that the lowering puts around a convolution.
    [[nodiscard]] bool isWrapper(OperationId id) const {
        const Operation& op = f_.operation(id);
        if (!op.is("reshape")) return false;
        const OperationId producer = f_.value(source(op.operands.front())).producer;
        if (producer.isValid() && f_.operation(producer).is("conv2d")) return true;
        return std::ranges::any_of(f_.operations, [&](const Operation& other) {
            return other.is("conv2d") && source(other.operands.front()) == op.results.front();
        });
    }
    [[nodiscard]] const Layout* layoutOf(ValueId value) const {
        const Type& type = f_.typeOf(value);
        return type.layout ? &*type.layout : nullptr;
    }
    [[nodiscard]] ValueId source(ValueId value) const {
        while (f_.value(value).producer.isValid() && inserted_.contains(f_.value(value).producer))
            value = f_.operation(f_.value(value).producer).operands.front();
        return value;
    }
    /// It combines a value with itself: it is there so that the value is read, and is not listed.
    [[nodiscard]] bool readsOneValue(const Operation& op) const {
        return op.operands.size() > 1 && std::ranges::all_of(op.operands, [&](ValueId value) {
                   return rootOf(value) == rootOf(op.operands.front());
               });
    }
    /// Through conversions and through reshapes around convolutions.
    [[nodiscard]] ValueId rootOf(ValueId value) const {
        value = source(value);
        const OperationId producer = f_.value(value).producer;
        if (producer.isValid() && isWrapper(producer)) return rootOf(f_.operation(producer).operands.front());
        return value;
    }
    void addOutput(json& output, OperationId id, int nth) const {
        const Operation& op = f_.operation(id);
        if (op.results.empty() || !layoutOf(op.results.front()) || readsOneValue(op)) return;
        json entry = layoutJson(*layoutOf(op.results.front()));
        entry["op"] = op.name;
        entry["nth"] = nth;
        output["outputs"].push_back(std::move(entry));
    }
    void addInputs(json& output, OperationId id, int nth) const {
        const Operation& op = f_.operation(id);
        for (std::size_t k = 0; k < op.operands.size(); ++k) {
            if (!layoutOf(op.operands[k])) continue;
            json entry = layoutJson(*layoutOf(op.operands[k]));
            entry["op"] = op.name;
            entry["nth"] = nth;
            entry["operand"] = k;
            output["inputs"].push_back(std::move(entry));
        }
    }
    /// Names in the new order, up to the last operation that a merge keeps operands in L1 for, if there is one.
    void addOrder(json& output) const {
        for (const OperationId id : f_.order) {
            const std::string& name = f_.operation(id).name;
            output["op_order_contains"].push_back(name == "ttnn.to_memory_config" ? "ttnn.to_layout" : name);
            if (id == lastJoin_) break;
        }
    }
    /// The first operation whose result goes to DRAM.
    void addSpill(json& output) const {
        for (const OperationId id : f_.order) {
            const auto kind = kinds_.find(id);
            if (kind == kinds_.end() || kind->second != ConversionKind::Spill || output.contains("spill_to_dram_after"))
                continue;
            const OperationId producer = f_.value(f_.operation(id).operands.front()).producer;
            const auto nth = nth_.find(producer);
            if (nth == nth_.end()) continue;
            output["spill_to_dram_after"] = {{"op", f_.operation(producer).name}, {"nth", nth->second}};
        }
    }

    const Function& f_;
    std::map<OperationId, ConversionKind> kinds_;
    std::set<OperationId> inserted_;
    std::map<OperationId, int> nth_;
    OperationId lastJoin_;
};

/// The buffer that no layout of the module uses: L1, else DRAM.
void addUnusedBuffer(json& output, const Module& module) {
    for (const BufferType buffer : {BufferType::L1, BufferType::Dram}) {
        const bool isUsed = std::ranges::any_of(module.functions, [&](const Function& function) {
            return std::ranges::any_of(function.values, [&](const Value& value) {
                return value.type.layout && value.type.layout->buffer == buffer;
            });
        });
        if (isUsed) continue;
        output["no_layout_buffer"] = wordOf(buffer);
        return;
    }
}

json pipeline(const json& input) {
    const OptimizeState state = optimized(input);
    json output = json::object();
    for (std::size_t i = 0; i < state.module.functions.size(); ++i) {
        const auto outcome = std::ranges::find(state.functions, i, &FunctionOutcome::function);
        Answer(state.module.functions[i], outcome == state.functions.end() ? nullptr : &*outcome).fill(output);
    }
    addUnusedBuffer(output, state.module);
    return output;
}

LayoutScore scoreIn(const json& input) {
    LayoutScore score;
    score.isInL1 = input.at("l1").get<bool>();
    score.isSharded = input.at("sharded").get<bool>();
    score.inputDramBytes = wholeNumber(input.at("input_dram_bytes"), 0, kMostElements, "input_dram_bytes");
    score.needsReshard = input.at("requires_reshard").get<bool>();
    score.cores = wholeNumber(input.at("core_count"), 0, kMostElements, "core_count");
    score.outputL1 = wholeNumber(input.at("output_l1"), 0, kMostElements, "output_l1");
    return score;
}

json layoutScoreCompare(const json& input) {
    const auto order = scoreIn(input.at("a")) <=> scoreIn(input.at("b"));
    return {{"winner", order > 0 ? "a" : order < 0 ? "b" : "equal"}};
}

}  // namespace

void registerTtnnPipeline(Registry& registry) {
    registry.add("pipeline", pipeline);
    registry.add("layout_score_compare", layoutScoreCompare);
}

}  // namespace memplan::probe
