// SPDX-License-Identifier: Apache-2.0
// Matrix products, Gemm and Einsum.
#include "engine/base/text.h"
#include "engine/io/onnx/rules/matmul_shape.h"
#include "engine/io/onnx/rules/rules.h"

#include <algorithm>
#include <array>
#include <map>

namespace memplan::io::onnx {

Shape matmulShape(const NodeContext& c, Shape a, Shape b) {
    if (a.empty() || b.empty()) c.failShape("a matrix product needs at least one dimension on both sides");
    const bool vectorA = a.size() == 1;
    const bool vectorB = b.size() == 1;
    if (vectorA) a.insert(a.begin(), 1);
    if (vectorB) b.push_back(1);
    if (a.back() != b[b.size() - 2]) {
        c.failShape("the inner extents " + std::to_string(a.back()) + " and " + std::to_string(b[b.size() - 2]) +
                    " differ");
    }
    Shape out = c.broadcast(Shape(a.begin(), a.end() - 2), Shape(b.begin(), b.end() - 2));
    if (!vectorA) out.push_back(a[a.size() - 2]);
    if (!vectorB) out.push_back(b.back());
    return out;
}

Shape swappedLast(const NodeContext& c, Shape shape) {
    if (shape.size() < 2) c.failShape("a transposed operand needs two dimensions");
    std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
    return shape;
}

namespace {

void matmul(NodeContext& c) {
    c.out(0, matmulShape(c, c.shape(0), c.shape(1)), c.type(0));
}

void matmulInteger(NodeContext& c) {
    c.out(0, matmulShape(c, c.shape(0), c.shape(1)), kInt32);
}

void qLinearMatmul(NodeContext& c) {
    c.out(0, matmulShape(c, c.shape(0), c.shape(3)), c.type(7));
}

void gemm(NodeContext& c) {
    Shape a = c.shapeOfRank(0, 2);
    Shape b = c.shapeOfRank(1, 2);
    if (c.attr("transA", 0) != 0) a = swappedLast(c, a);
    if (c.attr("transB", 0) != 0) b = swappedLast(c, b);
    Shape out = matmulShape(c, a, b);
    if (c.has(2) && c.broadcast(out, c.shape(2)) != out)
        c.failShape("the bias does not broadcast to " + text::shapeText(out));
    c.out(0, std::move(out), c.type(0));
}

/// One operand of an Einsum equation: letters, and where its "..." stands (npos = none).
struct EinsumTerm {
    std::string letters;
    std::size_t ellipsis = std::string::npos;
};

EinsumTerm parseTerm(const NodeContext& c, std::string_view term) {
    EinsumTerm out;
    for (std::size_t i = 0; i < term.size(); ++i) {
        const char ch = term[i];
        if (ch == ' ') continue;
        if (term.substr(i, 3) == "..." && out.ellipsis == std::string::npos) {
            out.ellipsis = out.letters.size();
            i += 2;
        } else if ((ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z')) {
            out.letters += ch;
        } else {
            c.failShape("the equation has the character " + text::quoted(std::string_view(&ch, 1)));
        }
    }
    return out;
}

/// Extents of every letter, and the broadcast extents of the "..." parts.
struct EinsumExtents {
    std::map<char, std::int64_t> letters;
    std::map<char, int> uses;
    Shape ellipsis;
};

void readOperand(const NodeContext& c, EinsumExtents& extents, const EinsumTerm& term, const Shape& shape) {
    const bool open = term.ellipsis != std::string::npos;
    if (open ? shape.size() < term.letters.size() : shape.size() != term.letters.size())
        c.failShape("the equation does not fit the operands");
    const std::size_t hidden = shape.size() - term.letters.size();
    std::size_t axis = 0;
    for (std::size_t i = 0; i <= term.letters.size(); ++i) {
        if (open && i == term.ellipsis) {
            const auto from = shape.begin() + static_cast<std::ptrdiff_t>(axis);
            extents.ellipsis = c.broadcast(extents.ellipsis, Shape(from, from + static_cast<std::ptrdiff_t>(hidden)));
            axis += hidden;
        }
        if (i == term.letters.size()) break;
        std::int64_t& extent = extents.letters.emplace(term.letters[i], 1).first->second;
        ++extents.uses[term.letters[i]];
        const std::int64_t next = shape[axis++];
        if (extent != next && extent != 1 && next != 1)
            c.failShape(std::string("letter ") + term.letters[i] + " has two extents");
        extent = extent == 1 ? next : extent;
    }
}

void einsum(NodeContext& c) {
    const std::string equation = c.attrText("equation", "");
    const std::size_t arrow = equation.find("->");
    const std::vector<std::string> terms = text::split(std::string_view(equation).substr(0, arrow), ',');
    if (terms.size() != c.inputCount()) c.failShape("the equation names " + std::to_string(terms.size()) + " operands");
    EinsumExtents extents;
    for (std::size_t i = 0; i < terms.size(); ++i)
        readOperand(c, extents, parseTerm(c, terms[i]), c.shape(i));
    EinsumTerm result;
    if (arrow != std::string::npos) {
        result = parseTerm(c, std::string_view(equation).substr(arrow + 2));
    } else {
        result.ellipsis = 0;  // the implicit form: "..." first, then letters that occur once, in order
        for (const auto& [letter, uses] : extents.uses)
            if (uses == 1) result.letters += letter;
    }
    Shape out;
    for (std::size_t i = 0; i <= result.letters.size(); ++i) {
        if (i == result.ellipsis) out.insert(out.end(), extents.ellipsis.begin(), extents.ellipsis.end());
        if (i == result.letters.size()) break;
        const auto at = extents.letters.find(result.letters[i]);
        if (at == extents.letters.end())
            c.failShape(std::string("letter ") + result.letters[i] + " occurs only in the result");
        out.push_back(at->second);
    }
    c.out(0, std::move(out), c.type(0));
}

void det(NodeContext& c) {
    const Shape& x = c.shapeOfRankFrom(0, 2);
    if (x.back() != x[x.size() - 2]) c.failShape("the matrices are not square");
    c.out(0, Shape(x.begin(), x.end() - 2), c.type(0));
}

constexpr std::array kRules{
    ShapeRule{"MatMul", matmul, ""},
    ShapeRule{"MatMulInteger", matmulInteger, ""},
    ShapeRule{"QLinearMatMul", qLinearMatmul, ""},
    ShapeRule{"Gemm", gemm, "alpha,beta,transA,transB"},
    ShapeRule{"Einsum", einsum, "equation"},
    ShapeRule{"Det", det, ""},
};

}  // namespace

std::span<const ShapeRule> matmulRules() {
    return kRules;
}

}  // namespace memplan::io::onnx
