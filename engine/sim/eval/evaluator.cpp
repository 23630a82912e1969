// SPDX-License-Identifier: Apache-2.0
#include "engine/sim/eval/evaluator.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/sim/eval/functions.h"
#include "engine/sim/eval/graph_memory.h"
#include "engine/sim/eval/loop_walk.h"
#include "engine/sim/eval/source_values.h"

#include <algorithm>
#include <array>
#include <optional>

namespace memplan::sim {
namespace {

using std::int64_t;

std::vector<int64_t> rowMajor(const std::vector<int64_t>& shape) {
    std::vector<int64_t> strides(shape.size(), 1);
    for (std::size_t d = shape.size(); d-- > 1;)
        strides[d - 1] = strides[d] * shape[d];
    return strides;
}

/// An operand over the loops of an op: element = offset + sum of step * loop.
struct Operand {
    TensorId tensor;
    int64_t offset = 0;
    std::vector<int64_t> steps;
    const std::vector<IndexExpr>* map = nullptr;
};

class Evaluator {
public:
    Evaluator(const Graph& graph, const EvaluatorOptions& options, const RunControl& control)
        : g_(graph), o_(options), control_(control), memory_(graph, options) {
        out_.values.resize(graph.tensors.size());
    }

    Result<Evaluation> run() {
        if (auto placed = memory_.prepare(); !placed) return placed.error();
        for (std::size_t i = 0; i < g_.ops.size(); ++i) {
            if (control_.cancelled()) return makeError(kCancelledCode, "", "cancelled");
            control_.progress("evaluate the graph", static_cast<double>(i), static_cast<double>(g_.ops.size()));
            const Op& op = g_.ops[i];
            if (auto done = evaluateOp(op); !done) return done.error();
            for (const TensorId t : op.outputs)
                keepIfWanted(t);
            memory_.release(i);
        }
        for (const TensorId t : g_.outputs) {
            if (auto there = memory_.ensure(t); !there) return there.error();
            out_.values[t.at()] = memory_.valuesOf(t);
        }
        return std::move(out_);
    }

private:
    const Graph& g_;
    const EvaluatorOptions& o_;
    const RunControl& control_;
    Evaluation out_;
    GraphMemory memory_;

    void keepIfWanted(TensorId tensor) {
        if (!tensor.isValid() || (!o_.keepAll && !o_.keep.contains(g_.tensor(tensor).id)) || memory_.isVirtual(tensor))
            return;
        out_.values[tensor.at()] = memory_.valuesOf(tensor);
        memory_.hold(out_.values[tensor.at()].size());
    }

    // ---- operations --------------------------------------------------------------------------------

    static Error unknown(const Op& op, const std::string& why) {
        return makeError("VER-025", "op " + op.id, "not evaluated: " + why);
    }

    Result<void> evaluateOp(const Op& op) {
        for (const auto* list : {&op.inputs, &op.outputs}) {
            for (const TensorId t : *list) {
                if (!t.isValid()) continue;
                if (auto there = memory_.ensure(t); !there) return there.error();
            }
        }
        if (o_.opaque.contains(op.id)) return evaluateOpaque(op);
        if (op.kind == OpKind::View) return {};
        if (!op.hasIter || op.outputs.size() != 1) return unknown(op, "it has no loops");
        switch (op.kind) {
        case OpKind::Pointwise:
        case OpKind::Copy:
            return evaluatePointwise(op);
        case OpKind::Constant:
            return evaluateFill(op);
        case OpKind::Reduction:
        case OpKind::Pool:
            return evaluateReduction(op);
        case OpKind::MatMul:
        case OpKind::BMM:
        case OpKind::Conv:
            return evaluateProduct(op);
        default:
            return unknown(op, "operations of the kind " + std::string(opKindName(op.kind)) + " have no formula here");
        }
    }

    Result<void> evaluateOpaque(const Op& op) {
        std::vector<std::uint64_t> prints;
        for (const TensorId t : op.inputs) {
            if (t.isValid()) prints.push_back(fingerprint(memory_.valuesOf(t)));
        }
        const std::uint64_t key = opaqueKey(op, prints, o_.seed);
        for (std::size_t k = 0; k < op.outputs.size(); ++k) {
            if (!op.outputs[k].isValid()) continue;
            const int64_t offset = memory_.offsetOf(op.outputs[k]);
            std::vector<Value>& values = memory_.at(op.outputs[k]);
            const int64_t n = elementCount(g_.tensor(op.outputs[k]).shape).value_or(0);
            if (offset < 0 || offset + n > static_cast<int64_t>(values.size()))
                return unknown(op, "its result lies outside of the storage");
            for (int64_t i = 0; i < n; ++i) {
                values[static_cast<std::size_t>(offset + i)] = opaqueValue(key, k, static_cast<std::uint64_t>(i));
            }
        }
        return {};
    }

    Result<Operand> operand(const Op& op, TensorId tensor, const OperandMap& map) const {
        if (!map) return unknown(op, "an operand has no index map");
        const Tensor& t = g_.tensor(tensor);
        const std::vector<int64_t> strides = rowMajor(t.shape);
        Operand out{tensor, memory_.offsetOf(tensor), std::vector<int64_t>(op.iter.size(), 0), &*map};
        if (map->size() != strides.size()) return unknown(op, "an index map has another rank than its tensor");
        for (std::size_t d = 0; d < map->size(); ++d) {
            if ((*map)[d].dataDependent) return unknown(op, "it has a data-dependent index");
            out.offset += (*map)[d].constant * strides[d];
            for (const auto& term : (*map)[d].terms)
                out.steps[static_cast<std::size_t>(term.loop)] += term.coefficient * strides[d];
        }
        return out;
    }

    Result<std::vector<Operand>> operands(const Op& op) const {
        std::vector<Operand> list;
        for (std::size_t i = 0; i < op.inputs.size(); ++i) {
            if (!op.inputs[i].isValid()) continue;
            auto one = operand(op, op.inputs[i], op.inMaps[i]);
            if (!one) return one.error();
            list.push_back(std::move(one).value());
        }
        auto result = operand(op, op.outputs.front(), op.outMaps.front());
        if (!result) return result.error();
        list.push_back(std::move(result).value());
        return list;
    }

    /// Every element of the operand that the loops reach lies inside of its storage.
    bool isInside(const Op& op, const Operand& o) const {
        int64_t low = o.offset;
        int64_t high = o.offset;
        for (std::size_t d = 0; d < op.iter.size(); ++d) {
            const int64_t reach = o.steps[d] * (op.iter[d].size - 1);
            (reach < 0 ? low : high) += reach;
        }
        const int64_t size = memory_.isVirtual(o.tensor) ? elementCount(memory_.rootOf(o.tensor).shape).value_or(0)
                                                         : static_cast<int64_t>(memory_.at(o.tensor).size());
        return low >= 0 && high < size;
    }

    Result<void> insideAll(const Op& op, const std::vector<Operand>& list) const {
        for (const IterDim& d : op.iter) {
            if (d.size <= 0) return {};
        }
        for (const Operand& o : list) {
            if (!isInside(op, o)) return unknown(op, "an index leaves its tensor");
        }
        return {};
    }

    std::vector<int64_t> extents(const Op& op, std::optional<IterKind> only = {}) const {
        std::vector<int64_t> list;
        for (const IterDim& d : op.iter) {
            if (!only || d.kind == *only) list.push_back(d.size);
        }
        return list;
    }

    static std::vector<int64_t> stepsOf(const Op& op, const Operand& o, IterKind kind) {
        std::vector<int64_t> list;
        for (std::size_t d = 0; d < op.iter.size(); ++d) {
            if (op.iter[d].kind == kind) list.push_back(o.steps[d]);
        }
        return list;
    }

    Result<void> evaluatePointwise(const Op& op) {
        auto read = operands(op);
        if (!read) return read.error();
        const std::vector<Operand>& list = read.value();
        if (auto inside = insideAll(op, list); !inside) return inside;
        const std::string name = op.kind == OpKind::Copy ? "identity" : canonicalFunction(op.fn);
        const Function f(name, op.kind == OpKind::Copy ? "" : functionAttributes(op), o_.seed);
        std::vector<Value>& result = memory_.at(list.back().tensor);
        const std::vector<int64_t> box = extents(op);
        if (list.size() == 2) {
            const std::vector<Value>& a = memory_.at(list[0].tensor);
            walkBox<2>(box, {list[0].steps, list[1].steps}, {list[0].offset, list[1].offset}, [&](const auto& p) {
                result[static_cast<std::size_t>(p[1])] = f.apply(a[static_cast<std::size_t>(p[0])]);
            });
            return {};
        }
        if (list.size() == 3) {
            const std::vector<Value>& a = memory_.at(list[0].tensor);
            const std::vector<Value>& b = memory_.at(list[1].tensor);
            walkBox<3>(box, {list[0].steps, list[1].steps, list[2].steps},
                       {list[0].offset, list[1].offset, list[2].offset}, [&](const auto& p) {
                           result[static_cast<std::size_t>(p[2])] =
                               f.apply(a[static_cast<std::size_t>(p[0])], b[static_cast<std::size_t>(p[1])]);
                       });
            return {};
        }
        return evaluateMany(box, list, f);
    }

    Result<void> evaluateMany(const std::vector<int64_t>& box, const std::vector<Operand>& list, const Function& f) {
        std::vector<Value>& result = memory_.at(list.back().tensor);
        std::vector<Value> values(list.size() - 1);
        std::vector<int64_t> weights = rowMajor(box);
        // One counter; the points of the operands follow from it.
        walkBox<1>(box, {weights}, {0}, [&](const auto& p) {
            int64_t rest = p[0];
            std::vector<int64_t> position;
            for (const Operand& o : list)
                position.push_back(o.offset);
            for (std::size_t d = 0; d < box.size(); ++d) {
                const int64_t i = rest / weights[d];
                rest %= weights[d];
                for (std::size_t k = 0; k < list.size(); ++k)
                    position[k] += list[k].steps[d] * i;
            }
            for (std::size_t k = 0; k < values.size(); ++k)
                values[k] = memory_.at(list[k].tensor)[static_cast<std::size_t>(position[k])];
            result[static_cast<std::size_t>(position.back())] = f.apply(values);
        });
        return {};
    }

    Result<void> evaluateFill(const Op& op) {
        auto to = operand(op, op.outputs.front(), op.outMaps.front());
        if (!to) return to.error();
        if (auto inside = insideAll(op, {to.value()}); !inside) return inside;
        double number = 0;
        if (const AttrValue* v = findAttr(op, "value")) {
            if (const auto* d = std::get_if<double>(v)) number = *d;
            if (const auto* i = std::get_if<int64_t>(v)) number = static_cast<double>(*i);
        }
        const Value value = constantValue(number);
        std::vector<Value>& result = memory_.at(to.value().tensor);
        walkBox<1>(extents(op), {to.value().steps}, {to.value().offset},
                   [&](const auto& p) { result[static_cast<std::size_t>(p[0])] = value; });
        return {};
    }

    Result<void> evaluateReduction(const Op& op) {
        auto read = operands(op);
        if (!read) return read.error();
        const std::vector<Operand>& list = read.value();
        if (list.size() != 2) return unknown(op, "a reduction of several operands has no formula here");
        if (auto inside = insideAll(op, list); !inside) return inside;
        const Function f(canonicalFunction(op.fn), functionAttributes(op), o_.seed);
        const std::vector<Value>& a = memory_.at(list[0].tensor);
        std::vector<Value>& result = memory_.at(list[1].tensor);
        const std::vector<int64_t> inner = extents(op, IterKind::Reduction);
        const std::vector<int64_t> innerSteps = stepsOf(op, list[0], IterKind::Reduction);
        walkBox<2>(extents(op, IterKind::Parallel),
                   {stepsOf(op, list[0], IterKind::Parallel), stepsOf(op, list[1], IterKind::Parallel)},
                   {list[0].offset, list[1].offset}, [&](const auto& p) {
                       std::uint64_t sum = 0;
                       walkBox<1>(inner, {innerSteps}, {p[0]}, [&](const auto& q) {
                           sum += reductionTerm(f.key(), a[static_cast<std::size_t>(q[0])]);
                       });
                       result[static_cast<std::size_t>(p[1])] = reduced(f.key(), sum);
                   });
        return {};
    }

    Result<void> evaluateProduct(const Op& op) {
        auto read = operands(op);
        if (!read) return read.error();
        const std::vector<Operand>& list = read.value();
        const bool hasBias = list.size() == 4 && op.kind == OpKind::Conv;
        if (list.size() != 3 && !hasBias) return unknown(op, "a product of other than two operands");
        if (auto inside = insideAll(op, list); !inside) return inside;
        const Function f("matmul", "", o_.seed);
        const Function add("add", "", o_.seed);
        const Sequence left = sequences(op, list[0]);
        const Sequence right = sequences(op, list[1]);
        std::vector<Value>& result = memory_.at(list.back().tensor);
        const std::vector<int64_t> box = extents(op, IterKind::Parallel);
        walkBox<3>(box, {left.steps, right.steps, stepsOf(op, list.back(), IterKind::Parallel)},
                   {0, 0, list.back().offset}, [&](const auto& p) {
                       result[static_cast<std::size_t>(p[2])] =
                           product(f.key(), left.sums[static_cast<std::size_t>(p[0])],
                                   right.sums[static_cast<std::size_t>(p[1])]);
                   });
        if (!hasBias) return {};
        const std::vector<Value>& bias = memory_.at(list[2].tensor);
        walkBox<2>(box, {stepsOf(op, list[2], IterKind::Parallel), stepsOf(op, list[3], IterKind::Parallel)},
                   {list[2].offset, list[3].offset}, [&](const auto& p) {
                       Value& v = result[static_cast<std::size_t>(p[1])];
                       v = add.apply(v, bias[static_cast<std::size_t>(p[0])]);
                   });
        return {};
    }

    /// Weighted sums of an operand over what is reduced, one for each point of the parallel loops that move it.
    struct Sequence {
        std::vector<int64_t> steps;  ///< per parallel loop, 0 where it does not move the operand
        std::vector<std::uint64_t> sums;
    };

    Sequence sequences(const Op& op, const Operand& o) const {
        Sequence out;
        const std::vector<int64_t> box = extents(op, IterKind::Parallel);
        const std::vector<int64_t> moves = stepsOf(op, o, IterKind::Parallel);
        out.steps.assign(box.size(), 0);
        std::vector<int64_t> used;
        std::vector<int64_t> usedSteps;
        int64_t size = 1;
        for (std::size_t d = box.size(); d-- > 0;) {
            if (moves[d] == 0) continue;
            out.steps[d] = size;
            size *= box[d];
        }
        for (std::size_t d = 0; d < box.size(); ++d) {
            if (moves[d] == 0) continue;
            used.push_back(box[d]);
            usedSteps.push_back(moves[d]);
        }
        const std::vector<int64_t> inner = extents(op, IterKind::Reduction);
        const std::vector<int64_t> innerSteps = stepsOf(op, o, IterKind::Reduction);
        const std::vector<std::uint64_t> weights = weightsOf(inner);
        out.sums.reserve(static_cast<std::size_t>(size));
        const Value* values = memory_.at(o.tensor).data();
        const std::uint64_t key = keyOf(memory_.rootOf(o.tensor).id, o_.seed);
        const bool isStored = !memory_.isVirtual(o.tensor);
        walkBox<1>(used, {usedSteps}, {o.offset}, [&](const auto& p) {
            std::uint64_t sum = 0;
            std::size_t k = 0;
            walkBox<1>(inner, {innerSteps}, {p[0]}, [&](const auto& q) {
                const auto i = static_cast<std::size_t>(q[0]);
                sum += productTerm(weights[k++], isStored ? values[i] : inputValue(key, i));
            });
            out.sums.push_back(sum);
        });
        return out;
    }

    static std::vector<std::uint64_t> weightsOf(const std::vector<int64_t>& inner) {
        std::vector<std::uint64_t> weights{kFirstWeight};
        for (const int64_t extent : inner) {
            if (extent == 1) continue;
            std::vector<std::uint64_t> next;
            next.reserve(weights.size() * static_cast<std::size_t>(extent));
            for (const std::uint64_t w : weights) {
                for (int64_t i = 0; i < extent; ++i)
                    next.push_back(productWeight(w, i));
            }
            weights = std::move(next);
        }
        return weights;
    }
};

}  // namespace

Result<Evaluation> evaluate(const Graph& graph, const EvaluatorOptions& options, const RunControl& control) {
    return Evaluator(graph, options, control).run();
}

}  // namespace memplan::sim
