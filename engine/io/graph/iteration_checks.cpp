// SPDX-License-Identifier: Apache-2.0
// Stage F on ops: map forms and the ranges of their expressions.
#include "engine/base/text.h"
#include "engine/io/graph/graph_checks.h"
#include "engine/io/graph/index_expr.h"

#include <algorithm>

namespace memplan::io {

namespace {

/// 128 bits hold any sum of 32-bit coefficients times 64-bit extents of a document.
__extension__ typedef __int128 Wide;

struct Range {
    Wide lo = 0, hi = 0;
};

/// Smallest and largest value over the iteration space; nullopt when a loop has no iteration.
std::optional<Range> rangeOf(const IndexExpr& e, const std::vector<IterDim>& iter) {
    Range r{e.constant, e.constant};
    for (const IndexExpr::Term& t : e.terms) {
        const std::int64_t size = iter[static_cast<std::size_t>(t.loop)].size;
        if (size <= 0) return std::nullopt;
        const Wide reach = Wide{t.coefficient} * (size - 1);
        (reach < 0 ? r.lo : r.hi) += reach;
    }
    return r;
}

std::string wideText(Wide v) {
    constexpr Wide kShown = INT64_MAX;
    if (v > kShown) return "more than 2^63";
    if (v < -kShown) return "less than -2^63";
    return text::grouped(static_cast<std::int64_t>(v));
}

bool isTrue(const AttrValue* a) {
    if (a == nullptr) return false;
    if (const bool* b = std::get_if<bool>(a)) return *b;
    const std::int64_t* i = std::get_if<std::int64_t>(a);
    return i != nullptr && *i != 0;
}

/// Declared padding of one operand dimension: begins of all spatial dimensions, then ends.
struct Padding {
    Wide begin = 0, end = 0;
};

Padding paddingOf(const Op& op, std::size_t rank, std::size_t dim) {
    const AttrValue* a = findAttr(op, "pads");
    const auto* pads = a == nullptr ? nullptr : std::get_if<std::vector<std::int64_t>>(a);
    if (pads == nullptr || rank < 3 || dim < 2) return {};
    const std::size_t spatial = rank - 2;
    if (pads->size() != 2 * spatial) return {};
    return {(*pads)[dim - 2], (*pads)[dim - 2 + spatial]};
}

/// Conv and pool windows may leave the operand by exactly the declared padding. At the end a stride
/// above 1 may leave up to stride - 1 padded elements unread, and ceil_mode may read as many more.
bool isPadding(const Op& op, const IndexExpr& e, Range r, Wide extent, Padding pad) {
    Wide stride = 1;
    for (const IndexExpr::Term& t : e.terms) {
        if (op.iter[static_cast<std::size_t>(t.loop)].kind == IterKind::Parallel)
            stride = std::max<Wide>(stride, t.coefficient);
    }
    if (r.lo < 0 && -r.lo != pad.begin) return false;
    const Wide excess = r.hi - extent + 1;
    if (excess <= 0) return true;
    const Wide most = pad.end + (isTrue(findAttr(op, "ceil_mode")) ? stride - 1 : 0);
    return excess > pad.end - stride && excess <= most;
}

class OpChecker {
public:
    OpChecker(const Graph& g, std::size_t index, Diagnostics& findings)
        : g_(g), op_(g.ops[index]), index_(index), findings_(findings) {}

    void run() {
        if (!op_.hasIter) {
            reportKind();
            return;
        }
        bool well = checkMaps("in", op_.inMaps, op_.inputs);
        well = checkMaps("out", op_.outMaps, op_.outputs) && well;
        if (!well) return;
        reportKind();
        checkRanges("in", op_.inMaps, op_.inputs);
        checkRanges("out", op_.outMaps, op_.outputs);
    }

private:
    [[nodiscard]] std::string mapPointer(std::string_view side) const {
        return pointerTo("ops", index_, "maps") + "/" + std::string(side);
    }
    [[nodiscard]] std::string mapPointer(std::string_view side, std::size_t k) const {
        return mapPointer(side) + "/" + std::to_string(k);
    }

    void reportKind() {
        const std::string fault = iterationFault(g_, op_);
        if (fault.empty()) return;
        findings_.error("MPG-309", pointerTo("ops", index_, "iter"),
                        std::string(opKindName(op_.kind)) + " op " + text::quoted(op_.id) + ": " + fault,
                        "see the iteration spaces of the kinds in the format's description");
    }

    /// Map lengths and loop positions.
    bool checkMaps(std::string_view side, const std::vector<OperandMap>& maps, const std::vector<TensorId>& operands) {
        if (maps.size() != operands.size()) {
            findings_.error("MPG-307", mapPointer(side),
                            "op " + text::quoted(op_.id) + " has " + std::to_string(maps.size()) + " maps for " +
                                std::to_string(operands.size()) + " operands",
                            "one entry per operand, null for a null operand");
            return false;
        }
        bool well = true;
        for (std::size_t k = 0; k < maps.size(); ++k)
            well = checkMap(side, k, maps[k], operands[k]) && well;
        return well;
    }

    bool checkMap(std::string_view side, std::size_t k, const OperandMap& map, TensorId operand) {
        if (!operand.isValid() || !map) {
            if (!operand.isValid() && !map) return true;
            findings_.error("MPG-307", mapPointer(side, k),
                            map ? "a map is given for a null operand" : "the operand has no map",
                            "null stands for a null operand and for nothing else");
            return false;
        }
        const Tensor& t = g_.tensor(operand);
        if (map->size() != t.shape.size()) {
            findings_.error("MPG-307", mapPointer(side, k),
                            "the map has " + std::to_string(map->size()) + " expressions, " + text::quoted(t.id) +
                                " has rank " + std::to_string(t.shape.size()),
                            "one expression per dimension");
            return false;
        }
        for (std::size_t d = 0; d < map->size(); ++d) {
            for (const IndexExpr::Term& term : (*map)[d].terms) {
                if (term.loop >= 0 && static_cast<std::size_t>(term.loop) < op_.iter.size()) continue;
                findings_.error("MPG-308", mapPointer(side, k) + "/" + std::to_string(d),
                                "the expression names an unknown loop");
                return false;
            }
        }
        return true;
    }

    void checkRanges(std::string_view side, const std::vector<OperandMap>& maps,
                     const std::vector<TensorId>& operands) {
        for (std::size_t k = 0; k < maps.size(); ++k) {
            if (!maps[k]) continue;
            const Tensor& t = g_.tensor(operands[k]);
            for (std::size_t d = 0; d < maps[k]->size(); ++d) {
                const IndexExpr& e = (*maps[k])[d];
                if (!leaves(e, t, d, side == "in")) continue;
                const Range r = *rangeOf(e, op_.iter);
                findings_.error("MPG-306", mapPointer(side, k) + "/" + std::to_string(d),
                                "the index \"" + indexExprText(e, op_.iter) + "\" runs from " + wideText(r.lo) +
                                    " to " + wideText(r.hi) + ", dimension " + std::to_string(d) + " of " +
                                    text::quoted(t.id) + " has extent " + text::grouped(t.shape[d]),
                                padHint());
            }
        }
    }

    [[nodiscard]] bool leaves(const IndexExpr& e, const Tensor& t, std::size_t d, bool isInput) const {
        if (e.dataDependent) return false;
        const auto r = rangeOf(e, op_.iter);
        const Wide extent = t.shape[d];
        if (!r || (r->lo >= 0 && r->hi < extent)) return false;
        const bool mayPad = isInput && (op_.kind == OpKind::Conv || op_.kind == OpKind::Pool);
        return !mayPad || !isPadding(op_, e, *r, extent, paddingOf(op_, t.shape.size(), d));
    }

    [[nodiscard]] std::string padHint() const {
        const bool windowed = op_.kind == OpKind::Conv || op_.kind == OpKind::Pool;
        return windowed ? "the excess must equal attrs.pads" : "keep the index inside the dimension";
    }

    const Graph& g_;
    const Op& op_;
    std::size_t index_;
    Diagnostics& findings_;
};

}  // namespace

void checkIterationSpaces(const Graph& graph, Diagnostics& findings) {
    for (std::size_t i = 0; i < graph.ops.size(); ++i)
        OpChecker(graph, i, findings).run();
}

}  // namespace memplan::io
