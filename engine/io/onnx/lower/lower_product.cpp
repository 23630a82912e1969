// SPDX-License-Identifier: Apache-2.0
// Matrix products and attention (inputs-and-interchange 6).
#include "engine/io/onnx/lower/lowering.h"

#include <algorithm>

namespace memplan::io::onnx {
namespace {

/// Names b0.. for batch dimensions that both operands share from the right; i, j, k for the matrix.
bool batchedProduct(Lowering& l, const Dest& dest, TensorId a, TensorId b) {
    const std::size_t ra = l.shape(a).size();
    const std::size_t rb = l.shape(b).size();
    if (ra < 2 || rb < 2) return false;
    const std::size_t batch = std::max(ra, rb) - 2;
    std::string all;
    for (std::size_t d = 0; d < batch; ++d)
        all.push_back(static_cast<char>('A' + d));
    const std::string nameA = all.substr(batch - (ra - 2)) + "ik";
    const std::string nameB = all.substr(batch - (rb - 2)) + "kj";
    const std::string nameOut = all + "ij";
    l.contract(dest, a, b, {nameA, nameB, nameOut});
    return true;
}

/// x [.., k] times a constant [k, n]: the leading axes become one, which moves no data.
void flatProduct(Lowering& l, const Dest& dest, TensorId x, TensorId w) {
    const Shape s = l.shape(x);
    if (s.size() == 2) {
        l.contract(dest, x, w, {"ik", "kj", "ij"});
        return;
    }
    const std::int64_t k = s.back();
    const std::string prefix = dest.suffix.empty() ? std::string() : dest.suffix + "_";
    const std::int64_t rows = elements(Shape(s.begin(), s.end() - 1));
    const TensorId flat = l.view({prefix + "flat", -1}, x, {rows, k});
    const TensorId product = l.contract({prefix + "product", -1}, flat, w, {"ik", "kj", "ij"});
    Shape out = s;
    out.back() = l.shape(w)[1];
    l.view(dest, product, out);
}

bool matmul(Lowering& l) {
    TensorId a = l.in(0);
    TensorId b = l.in(1);
    const bool vectorA = l.shape(a).size() == 1;
    const bool vectorB = l.shape(b).size() == 1;
    if (vectorA || vectorB) {
        if (l.shape(a).empty() || l.shape(b).empty()) return false;
        if (vectorA) a = l.view({"row", -1}, a, {1, l.shape(a)[0]});
        if (vectorB) b = l.view({"column", -1}, b, {l.shape(b)[0], 1});
        if (l.shape(a).size() != 2 || l.shape(b).size() != 2) {
            Shape out = l.outValue(0).shape;
            Shape full = broadcast(Shape(l.shape(a).begin(), l.shape(a).end() - 2),
                                   Shape(l.shape(b).begin(), l.shape(b).end() - 2));
            full.push_back(l.shape(a)[l.shape(a).size() - 2]);
            full.push_back(l.shape(b).back());
            const std::size_t before = l.graph.tensors.size();
            if (!batchedProduct(l, {"product", -1}, a, b)) return false;
            l.view({"", 0}, TensorId::of(before), out);
            return true;
        }
        const TensorId product = l.contract({"product", -1}, a, b, {"ik", "kj", "ij"});
        l.view({"", 0}, product, l.outValue(0).shape);
        return true;
    }
    const bool constantRight = l.shape(b).size() == 2 && l.inValue(1).isConstant;
    if (constantRight && l.shape(a).size() > 2) return flatProduct(l, {"", 0}, a, b), true;
    return batchedProduct(l, {"", 0}, a, b);
}

bool gemm(Lowering& l) {
    if (l.inValue(0).shape.size() != 2 || l.inValue(1).shape.size() != 2) return false;
    const bool ta = l.intAttr("transA", 0) != 0;
    const bool tb = l.intAttr("transB", 0) != 0;
    const double alpha = l.floatAttr("alpha", 1.0);
    const double beta = l.floatAttr("beta", 1.0);
    const bool hasBias = l.has(2);
    const bool plain = alpha == 1.0 && !hasBias;
    const DType t = l.inValue(0).dtype;
    TensorId y = l.contract(plain ? Dest{"", 0} : Dest{"product", -1}, l.in(0), l.in(1),
                            {ta ? "ki" : "ik", tb ? "jk" : "kj", "ij"});
    if (alpha != 1.0) y = l.pointwise(hasBias ? Dest{"alpha", -1} : Dest{"alpha", 0}, "mul", {y, l.scalar(alpha, t)});
    if (!hasBias) return true;
    TensorId bias = l.in(2);
    if (beta != 1.0) bias = l.pointwise({"beta", -1}, "mul", {bias, l.scalar(beta, t)});
    l.pointwise({"add_bias", 0}, "add", {y, bias});
    return true;
}

}  // namespace

bool lowerProduct(Lowering& l) {
    const std::string& op = l.node().op;
    if (!l.hasOut(0) || !l.has(0) || !l.has(1)) return false;
    if (op == "MatMul" && l.node().domain.empty()) return matmul(l);
    if (op == "Gemm") return gemm(l);
    return false;
}

}  // namespace memplan::io::onnx
