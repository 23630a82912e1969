// SPDX-License-Identifier: Apache-2.0
// What iteration space and maps each kind of op has (inputs-and-interchange 2.4).
#include "engine/io/graph/graph_checks.h"

#include <algorithm>

namespace memplan::io {

namespace {

using Map = std::vector<IndexExpr>;

constexpr int kNotPlain = -1;

/// The loop that an expression consists of, kNotPlain for anything else.
int plainLoop(const IndexExpr& e) {
    const bool plain = !e.dataDependent && e.constant == 0 && e.terms.size() == 1 && e.terms[0].coefficient == 1;
    return plain ? e.terms[0].loop : kNotPlain;
}

bool isZero(const IndexExpr& e) {
    return !e.dataDependent && e.constant == 0 && e.terms.empty();
}

bool uses(const Map& map, int loop) {
    return std::any_of(map.begin(), map.end(), [loop](const IndexExpr& e) {
        return std::any_of(e.terms.begin(), e.terms.end(), [loop](const IndexExpr::Term& t) { return t.loop == loop; });
    });
}

/// Checks of one op; each returns a sentence, empty when all is well.
class Rules {
public:
    Rules(const Graph& g, const Op& op) : g_(g), op_(op) {}

    [[nodiscard]] std::string check() const {
        switch (op_.kind) {
        case OpKind::View:
            return view();
        case OpKind::Fallback:
            return op_.hasIter || !op_.iter.empty() ? "an opaque op has no iteration space" : "";
        case OpKind::Recurrent:
            return "";
        default:
            break;
        }
        if (!op_.hasIter) return "iter and maps are required";
        switch (op_.kind) {
        case OpKind::Pointwise:
            return pointwise();
        case OpKind::Reduction:
            return reduction();
        case OpKind::MatMul:
            return matmul();
        case OpKind::BMM:
            return batchedMatmul();
        case OpKind::Conv:
        case OpKind::Pool:
            return windowed();
        case OpKind::Gather:
        case OpKind::Constant:
            return firstOf(allParallel(), identity(outMap(0), g_.tensor(op_.outputs[0]), "the output"));
        default:
            return allParallel();  // scatter, copy
        }
    }

private:
    static std::string firstOf(std::string a, std::string b) { return a.empty() ? b : a; }

    [[nodiscard]] const Map& outMap(std::size_t k) const { return *op_.outMaps[k]; }
    [[nodiscard]] const Map& inMap(std::size_t k) const { return *op_.inMaps[k]; }
    [[nodiscard]] const std::string& loopName(int i) const { return op_.iter[static_cast<std::size_t>(i)].d; }
    [[nodiscard]] int loops() const { return static_cast<int>(op_.iter.size()); }
    [[nodiscard]] bool isReduction(int i) const {
        return op_.iter[static_cast<std::size_t>(i)].kind == IterKind::Reduction;
    }
    [[nodiscard]] bool hasInputs(std::size_t n) const {
        if (op_.inputs.size() < n) return false;
        return std::all_of(op_.inMaps.begin(), op_.inMaps.begin() + static_cast<std::ptrdiff_t>(n),
                           [](const OperandMap& m) { return m.has_value(); });
    }

    [[nodiscard]] std::string view() const {
        if (op_.hasIter || !op_.iter.empty()) return "a view moves no data and has no iteration space";
        for (const TensorId out : op_.outputs) {
            if (!g_.tensor(out).aliasOf.isValid()) return "the result of a view carries alias_of";
        }
        return "";
    }

    [[nodiscard]] std::string allParallel() const {
        for (int i = 0; i < loops(); ++i) {
            if (isReduction(i)) return "loop " + loopName(i) + " must be parallel";
        }
        return "";
    }

    /// Every loop stands once, in order, alone in a dimension of its size; what is left is a zero in
    /// a dimension of extent 1.
    [[nodiscard]] std::string identity(const Map& map, const Tensor& t, const std::string& what) const {
        int next = 0;
        for (std::size_t d = 0; d < map.size(); ++d) {
            if (isZero(map[d]) && t.shape[d] == 1) continue;
            if (plainLoop(map[d]) != next) return what + " is not indexed by the loops in their order";
            if (op_.iter[static_cast<std::size_t>(next)].size != t.shape[d]) {
                return "loop " + loopName(next) + " has size " +
                       std::to_string(op_.iter[static_cast<std::size_t>(next)].size) + ", dimension " +
                       std::to_string(d) + " of " + what + " has extent " + std::to_string(t.shape[d]);
            }
            ++next;
        }
        return next == loops() ? "" : "loop " + loopName(next) + " does not index " + what;
    }

    [[nodiscard]] std::string pointwise() const {
        if (op_.outputs.size() != 1) return "there is exactly one output";
        const std::string fault = firstOf(allParallel(), identity(outMap(0), g_.tensor(op_.outputs[0]), "the output"));
        if (!fault.empty()) return fault;
        for (std::size_t k = 0; k < op_.inMaps.size(); ++k) {
            if (!op_.inMaps[k]) continue;
            for (const IndexExpr& e : inMap(k)) {
                if (e.dataDependent || isZero(e) || plainLoop(e) != kNotPlain) continue;
                return "input " + std::to_string(k) + " is indexed by more than a loop name or 0";
            }
        }
        return "";
    }

    /// Parallel loops index every output, reduction loops none.
    [[nodiscard]] std::string outputsUseParallelLoops() const {
        for (std::size_t k = 0; k < op_.outMaps.size(); ++k) {
            if (!op_.outMaps[k]) continue;
            for (int i = 0; i < loops(); ++i) {
                const bool used = uses(outMap(k), i);
                if (isReduction(i) && used) return "reduction loop " + loopName(i) + " indexes an output";
                if (!isReduction(i) && !used) return "parallel loop " + loopName(i) + " does not index the output";
            }
        }
        return "";
    }

    [[nodiscard]] int reductionLoops() const {
        return static_cast<int>(std::count_if(op_.iter.begin(), op_.iter.end(),
                                              [](const IterDim& d) { return d.kind == IterKind::Reduction; }));
    }

    [[nodiscard]] std::string reduction() const {
        if (!hasInputs(1)) return "a reduction has an input";
        if (reductionLoops() == 0) return "no loop is a reduction";
        return firstOf(identity(inMap(0), g_.tensor(op_.inputs[0]), "the input"), outputsUseParallelLoops());
    }

    /// Plain loops run over whole dimensions.
    [[nodiscard]] std::string wholeDimensions(const Map& map, const Tensor& t) const {
        for (std::size_t d = 0; d < map.size(); ++d) {
            const int loop = plainLoop(map[d]);
            if (loop == kNotPlain || op_.iter[static_cast<std::size_t>(loop)].size == t.shape[d]) continue;
            return "loop " + loopName(loop) + " has size " +
                   std::to_string(op_.iter[static_cast<std::size_t>(loop)].size) + ", dimension " + std::to_string(d) +
                   " of \"" + t.id + "\" has extent " + std::to_string(t.shape[d]);
        }
        return "";
    }

    [[nodiscard]] std::string products() const {
        if (!hasInputs(2)) return "two operands are required";
        if (reductionLoops() != 1) return "exactly one loop is a reduction";
        for (int i = 0; i < loops(); ++i) {
            const bool inA = uses(inMap(0), i);
            const bool inB = uses(inMap(1), i);
            if (isReduction(i) && !(inA && inB))
                return "the reduction loop " + loopName(i) + " must index both operands";
            if (!inA && !inB) return "loop " + loopName(i) + " indexes no operand";
        }
        const std::string fault = firstOf(wholeDimensions(inMap(0), g_.tensor(op_.inputs[0])),
                                          wholeDimensions(inMap(1), g_.tensor(op_.inputs[1])));
        return firstOf(fault, outputsUseParallelLoops());
    }

    [[nodiscard]] std::string matmul() const {
        if (loops() != 3) return "there are three loops: m and n parallel, k reduction";
        const std::string fault = products();
        if (!fault.empty()) return fault;
        for (int i = 0; i < loops(); ++i) {
            if (!isReduction(i) && uses(inMap(0), i) == uses(inMap(1), i)) {
                return "loop " + loopName(i) + " must index exactly one of the two operands";
            }
        }
        return "";
    }

    [[nodiscard]] std::string batchedMatmul() const {
        if (loops() < 4) return "there are batch loops, m, n and k";
        return products();
    }

    [[nodiscard]] std::string windowed() const {
        if (!hasInputs(1)) return "an input is required";
        if (reductionLoops() == 0) return "no loop is a reduction";
        return outputsUseParallelLoops();
    }

    const Graph& g_;
    const Op& op_;
};

}  // namespace

std::string iterationFault(const Graph& graph, const Op& op) {
    return Rules(graph, op).check();
}

}  // namespace memplan::io
