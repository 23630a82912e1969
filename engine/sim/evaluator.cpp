// SPDX-License-Identifier: Apache-2.0
#include "sim/evaluator.h"

#include "base/numeric.h"
#include "base/text.h"
#include "sim/functions.h"
#include "sim/loop_walk.h"

#include <algorithm>
#include <array>
#include <numeric>
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
    BufferId tensor;
    int64_t offset = 0;
    std::vector<int64_t> steps;
    const std::vector<IndexExpr>* map = nullptr;
};

class Evaluator {
public:
    Evaluator(const Graph& graph, const EvaluatorOptions& options, const RunControl& control)
        : g_(graph), o_(options), control_(control), storage_(graph.tensors.size()), origin_(graph.tensors.size()) {
        out_.values.resize(graph.tensors.size());
    }

    Result<Evaluation> run() {
        if (auto placed = placeViews(); !placed) return placed.error();
        findLastUses();
        findVirtual();
        for (std::size_t i = 0; i < g_.ops.size(); ++i) {
            if (control_.cancelled()) return makeError(kCancelledCode, "", "cancelled");
            control_.progress("evaluate the graph", static_cast<double>(i), static_cast<double>(g_.ops.size()));
            const Op& op = g_.ops[i];
            if (auto done = evaluateOp(op); !done) return done.error();
            for (const BufferId t : op.outputs)
                keepIfWanted(t);
            release(i);
        }
        for (const BufferId t : g_.outputs) {
            if (auto there = ensure(t); !there) return there.error();
            out_.values[t.at()] = valuesOf(t);
        }
        return std::move(out_);
    }

private:
    const Graph& g_;
    const EvaluatorOptions& o_;
    const RunControl& control_;
    Evaluation out_;
    std::vector<std::vector<Value>> storage_;  ///< by root tensor
    struct Origin {
        BufferId root;
        int64_t offset = 0;  ///< elements
    };
    std::vector<Origin> origin_;
    std::vector<bool> virtual_;  ///< by root
    static constexpr int64_t kLargeShare = 64;
    std::vector<std::size_t> lastUse_;  ///< by root: position of the last op that touches it
    std::vector<std::vector<std::size_t>> endsAt_;
    int64_t held_ = 0;

    static int64_t count(const Tensor& t) { return elementCount(t.shape).value_or(0); }

    Result<void> placeViews() {
        for (std::size_t i = 0; i < g_.tensors.size(); ++i) {
            BufferId at = BufferId::of(i);
            int64_t bytes = 0;
            const int bits = dtypeBits(g_.tensor(at).dtype);
            for (std::size_t hops = 0; hops < g_.tensors.size() && g_.tensor(at).aliasOf.isValid(); ++hops) {
                bytes += g_.tensor(at).aliasOffset;
                at = g_.tensor(at).aliasOf;
            }
            origin_[i] = {at, bits > 0 ? bytes * 8 / bits : 0};
            if (at.at() != i && dtypeBits(g_.tensor(at).dtype) != bits) {
                return makeError("VER-025", "tensor " + g_.tensors[i].id,
                                 "it reads the bytes of \"" + g_.tensor(at).id + "\" as another type");
            }
        }
        return {};
    }

    void findLastUses() {
        constexpr std::size_t kNever = static_cast<std::size_t>(-1);
        lastUse_.assign(g_.tensors.size(), 0);
        for (std::size_t i = 0; i < g_.ops.size(); ++i) {
            for (const auto* list : {&g_.ops[i].inputs, &g_.ops[i].outputs}) {
                for (const BufferId t : *list) {
                    if (t.isValid()) lastUse_[origin_[t.at()].root.at()] = i;
                }
            }
        }
        for (const BufferId t : g_.outputs)
            lastUse_[origin_[t.at()].root.at()] = kNever;
        endsAt_.resize(g_.ops.size());
        for (std::size_t t = 0; t < g_.tensors.size(); ++t) {
            if (lastUse_[t] != kNever && lastUse_[t] < g_.ops.size()) endsAt_[lastUse_[t]].push_back(t);
        }
    }

    void release(std::size_t op) {
        for (const std::size_t t : endsAt_[op]) {
            held_ -= static_cast<int64_t>(storage_[t].size() * sizeof(Value));
            std::vector<Value>().swap(storage_[t]);
        }
    }

    /// Storage of the tensor's root, filled where nobody computes it.
    Result<std::vector<Value>*> ensure(BufferId tensor) {
        const BufferId root = origin_[tensor.at()].root;
        std::vector<Value>& values = storage_[root.at()];
        const Tensor& t = g_.tensor(root);
        if (!values.empty() || count(t) == 0 || isVirtual(tensor)) return &values;
        held_ += count(t) * static_cast<int64_t>(sizeof(Value));
        if (held_ > o_.memoryBytes) {
            return makeError("VER-026", "tensor " + t.id,
                             "evaluating the graph needs more than " + text::grouped(o_.memoryBytes) + " bytes",
                             "raise sim.memory_bytes");
        }
        if (t.role == TensorRole::Activation) {
            values.assign(static_cast<std::size_t>(count(t)), kUnset);
        } else {
            values = sourceValues(t, o_.seed);
        }
        return &values;
    }

    /// Large tensors that products alone read are not stored: their values follow from their positions.
    bool isVirtual(BufferId tensor) const { return virtual_[origin_[tensor.at()].root.at()]; }

    void findVirtual() {
        virtual_.assign(g_.tensors.size(), false);
        for (std::size_t t = 0; t < g_.tensors.size(); ++t) {
            const Tensor& tensor = g_.tensors[t];
            const bool isNamed = tensor.role != TensorRole::Activation && tensor.value.empty();
            virtual_[t] = isNamed && count(tensor) > o_.memoryBytes / kLargeShare;
        }
        for (const Op& op : g_.ops) {
            const bool isProduct = (op.kind == OpKind::MatMul || op.kind == OpKind::BMM) && !o_.opaque.contains(op.id);
            for (const BufferId t : op.inputs) {
                if (t.isValid() && !isProduct && op.kind != OpKind::View) virtual_[origin_[t.at()].root.at()] = false;
            }
            for (const BufferId t : op.outputs) {
                if (t.isValid() && op.kind != OpKind::View) virtual_[origin_[t.at()].root.at()] = false;
            }
        }
        for (const BufferId t : g_.outputs)
            virtual_[origin_[t.at()].root.at()] = false;
    }

    std::vector<Value> valuesOf(BufferId tensor) const {
        const Origin& at = origin_[tensor.at()];
        const std::vector<Value>& root = storage_[at.root.at()];
        const int64_t n = count(g_.tensor(tensor));
        const int64_t room = static_cast<int64_t>(root.size());
        std::vector<Value> values(static_cast<std::size_t>(n), kUnset);
        const int64_t end = std::min(n, room - at.offset);
        if (end > 0) std::copy_n(root.begin() + at.offset, end, values.begin());
        return values;
    }

    void keepIfWanted(BufferId tensor) {
        if (!tensor.isValid() || (!o_.keepAll && !o_.keep.contains(g_.tensor(tensor).id)) || isVirtual(tensor)) return;
        out_.values[tensor.at()] = valuesOf(tensor);
        held_ += static_cast<int64_t>(out_.values[tensor.at()].size() * sizeof(Value));
    }

    // ---- operations --------------------------------------------------------------------------------

    static Error unknown(const Op& op, const std::string& why) {
        return makeError("VER-025", "op " + op.id, "not evaluated: " + why);
    }

    Result<void> evaluateOp(const Op& op) {
        for (const auto* list : {&op.inputs, &op.outputs}) {
            for (const BufferId t : *list) {
                if (!t.isValid()) continue;
                if (auto there = ensure(t); !there) return there.error();
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
        for (const BufferId t : op.inputs) {
            if (t.isValid()) prints.push_back(fingerprint(valuesOf(t)));
        }
        const std::uint64_t key = opaqueKey(op, prints, o_.seed);
        for (std::size_t k = 0; k < op.outputs.size(); ++k) {
            if (!op.outputs[k].isValid()) continue;
            const Origin& at = origin_[op.outputs[k].at()];
            std::vector<Value>& values = storage_[at.root.at()];
            const int64_t n = count(g_.tensor(op.outputs[k]));
            if (at.offset < 0 || at.offset + n > static_cast<int64_t>(values.size()))
                return unknown(op, "its result lies outside of the storage");
            for (int64_t i = 0; i < n; ++i) {
                values[static_cast<std::size_t>(at.offset + i)] = opaqueValue(key, k, static_cast<std::uint64_t>(i));
            }
        }
        return {};
    }

    Result<Operand> operand(const Op& op, BufferId tensor, const OperandMap& map) const {
        if (!map) return unknown(op, "an operand has no index map");
        const Tensor& t = g_.tensor(tensor);
        const std::vector<int64_t> strides = rowMajor(t.shape);
        Operand out{tensor, origin_[tensor.at()].offset, std::vector<int64_t>(op.iter.size(), 0), &*map};
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

    const std::vector<Value>& at(BufferId t) const { return storage_[origin_[t.at()].root.at()]; }
    std::vector<Value>& at(BufferId t) { return storage_[origin_[t.at()].root.at()]; }

    /// Every element of the operand that the loops reach lies inside of its storage.
    bool isInside(const Op& op, const Operand& o) const {
        int64_t low = o.offset;
        int64_t high = o.offset;
        for (std::size_t d = 0; d < op.iter.size(); ++d) {
            const int64_t reach = o.steps[d] * (op.iter[d].size - 1);
            (reach < 0 ? low : high) += reach;
        }
        const int64_t size = isVirtual(o.tensor) ? count(g_.tensor(origin_[o.tensor.at()].root))
                                                 : static_cast<int64_t>(at(o.tensor).size());
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
        std::vector<Value>& result = at(list.back().tensor);
        const std::vector<int64_t> box = extents(op);
        if (list.size() == 2) {
            const std::vector<Value>& a = at(list[0].tensor);
            walkBox<2>(box, {list[0].steps, list[1].steps}, {list[0].offset, list[1].offset}, [&](const auto& p) {
                result[static_cast<std::size_t>(p[1])] = f.apply(a[static_cast<std::size_t>(p[0])]);
            });
            return {};
        }
        if (list.size() == 3) {
            const std::vector<Value>& a = at(list[0].tensor);
            const std::vector<Value>& b = at(list[1].tensor);
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
        std::vector<Value>& result = at(list.back().tensor);
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
                values[k] = at(list[k].tensor)[static_cast<std::size_t>(position[k])];
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
        std::vector<Value>& result = at(to.value().tensor);
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
        const std::vector<Value>& a = at(list[0].tensor);
        std::vector<Value>& result = at(list[1].tensor);
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
        std::vector<Value>& result = at(list.back().tensor);
        const std::vector<int64_t> box = extents(op, IterKind::Parallel);
        walkBox<3>(box, {left.steps, right.steps, stepsOf(op, list.back(), IterKind::Parallel)},
                   {0, 0, list.back().offset}, [&](const auto& p) {
                       result[static_cast<std::size_t>(p[2])] =
                           product(f.key(), left.sums[static_cast<std::size_t>(p[0])],
                                   right.sums[static_cast<std::size_t>(p[1])]);
                   });
        if (!hasBias) return {};
        const std::vector<Value>& bias = at(list[2].tensor);
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
        const Value* values = at(o.tensor).data();
        const std::uint64_t key = keyOf(g_.tensor(origin_[o.tensor.at()].root).id, o_.seed);
        const bool isStored = !isVirtual(o.tensor);
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

std::vector<Value> sourceValues(const Tensor& tensor, std::uint64_t seed) {
    const int64_t n = elementCount(tensor.shape).value_or(0);
    std::vector<Value> values(static_cast<std::size_t>(std::max<int64_t>(n, 0)));
    if (tensor.role == TensorRole::Constant && tensor.value.size() == values.size()) {
        std::transform(tensor.value.begin(), tensor.value.end(), values.begin(), constantValue);
        return values;
    }
    const std::uint64_t key = keyOf(tensor.id, seed);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = inputValue(key, i);
    return values;
}

std::uint64_t opaqueKey(const Op& op, const std::vector<std::uint64_t>& fingerprints, std::uint64_t seed) {
    std::uint64_t key = keyOf("outside " + op.id + " " + op.fn, seed);
    for (const std::uint64_t f : fingerprints)
        key = mix(key ^ f) + 1;
    return key;
}

std::uint64_t fingerprint(const std::vector<Value>& values) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        sum += fingerprintTerm(i, values[i]);
    return mix(sum);
}

}  // namespace memplan::sim
