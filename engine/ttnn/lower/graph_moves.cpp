// SPDX-License-Identifier: Apache-2.0
// Views, copies and concatenations of a neutral graph.
#include "engine/ttnn/lower/graph_rules.h"

#include <algorithm>
#include <numeric>

namespace memplan::ttnn::lower {

namespace {

/// What one dimension of a copy's input is read at.
struct Read {
    int loop = -1;  ///< none: a size of 1
    std::int64_t step = 1, start = 0;
};

std::optional<std::vector<Read>> readsOf(const GraphWriter& w, const memplan::Op& op) {
    if (!op.hasIter || op.inputs.size() != 1 || !op.inputs[0].isValid() || op.outputs.size() != 1 || !op.inMaps[0])
        return std::nullopt;
    const auto& map = *op.inMaps[0];
    if (map.size() != w.shapeOf(op.inputs[0]).size() || op.iter.size() != w.shapeOf(op.outputs[0]).size())
        return std::nullopt;
    std::vector<Read> out;
    for (const IndexExpr& index : map) {
        if (index.dataDependent || index.terms.size() > 1) return std::nullopt;
        Read read;
        if (!index.terms.empty()) {
            read.loop = index.terms[0].loop;
            read.step = index.terms[0].coefficient;
        }
        read.start = index.constant;
        out.push_back(read);
    }
    return out;
}

bool isStraight(const Read& read) {
    return read.step == 1 && read.start == 0;
}

/// Every loop once, in another order.
bool writePermutation(GraphWriter& w, const memplan::Op& op, const std::vector<Read>& reads) {
    if (!std::ranges::all_of(reads, isStraight) || reads.size() != op.iter.size()) return false;
    Shape order(reads.size(), -1);
    std::vector<std::size_t> free;
    for (std::size_t d = 0; d < reads.size(); ++d) {
        if (reads[d].loop < 0) {
            free.push_back(d);
            continue;
        }
        auto& slot = order[static_cast<std::size_t>(reads[d].loop)];
        if (slot >= 0) return false;
        slot = static_cast<std::int64_t>(d);
    }
    // Sizes of 1 that no loop reads go where there is room.
    for (std::int64_t& slot : order) {
        if (slot >= 0) continue;
        slot = static_cast<std::int64_t>(free.front());
        free.erase(free.begin());
    }
    if (reordered(w.shapeOf(op.inputs[0]), order) != w.shapeOf(op.outputs[0])) return false;
    finish(w, op, "permute", {w.value(op.inputs[0])}, {{"permutation", array64Text(order)}});
    return true;
}

/// A part of the input, dimensions where they were.
bool writeSlice(GraphWriter& w, const memplan::Op& op, const std::vector<Read>& reads) {
    const Shape& in = w.shapeOf(op.inputs[0]);
    const Shape& out = w.shapeOf(op.outputs[0]);
    if (in.size() != out.size()) return false;
    Shape begins, ends, steps;
    for (std::size_t d = 0; d < reads.size(); ++d) {
        const Read& read = reads[d];
        const bool isOwn = read.loop == static_cast<int>(d) || (read.loop < 0 && out[d] == 1);
        const std::int64_t end = read.start + (out[d] - 1) * read.step + 1;
        if (!isOwn || read.start < 0 || read.step < 1 || out[d] < 1 || end > in[d]) return false;
        begins.push_back(read.start);
        ends.push_back(end);
        steps.push_back(read.step);
    }
    finish(w, op, "slice_static", {w.value(op.inputs[0])},
           {{"begins", listText(begins)}, {"ends", listText(ends)}, {"step", listText(steps)}});
    return true;
}

/// The input with a margin around it.
bool writePad(GraphWriter& w, const memplan::Op& op, const std::vector<Read>& reads) {
    const Shape& in = w.shapeOf(op.inputs[0]);
    const Shape& out = w.shapeOf(op.outputs[0]);
    if (op.fn != "pad" || in.size() != out.size()) return false;
    Shape sides;
    for (std::size_t d = 0; d < reads.size(); ++d) {
        const std::int64_t before = -reads[d].start, behind = out[d] - in[d] - before;
        const bool isOwn = reads[d].loop == static_cast<int>(d) || (reads[d].loop < 0 && in[d] == 1);
        if (!isOwn || reads[d].step != 1 || before < 0 || behind < 0) return false;
        sides.push_back(before);
        sides.push_back(behind);
    }
    finish(w, op, "pad", {w.value(op.inputs[0])}, {{"padding", array32Text(sides)}, {"value", floatText(0)}});
    return true;
}

/// Some loops read nothing: their sizes are repeated.
bool writeRepeat(GraphWriter& w, const memplan::Op& op, const std::vector<Read>& reads) {
    const Shape& in = w.shapeOf(op.inputs[0]);
    const Shape& out = w.shapeOf(op.outputs[0]);
    Shape narrow(out.size(), 1), times = out;
    int last = -1;
    for (std::size_t d = 0; d < reads.size(); ++d) {
        if (in[d] == 1) continue;
        const int loop = reads[d].loop;
        if (!isStraight(reads[d]) || loop <= last || out[static_cast<std::size_t>(loop)] != in[d]) return false;
        narrow[static_cast<std::size_t>(loop)] = in[d];
        times[static_cast<std::size_t>(loop)] = 1;
        last = loop;
    }
    const ValueId x = w.reshape(op, w.value(op.inputs[0]), narrow, "_reshape");
    finish(w, op, "broadcast", {x}, {{"broadcast_dimensions", array64Text(times)}});
    return true;
}

/// First element of a slice that a view is, by the bytes before it.
std::optional<Shape> startOf(const GraphWriter& w, const memplan::Op& op) {
    const Tensor& in = w.graph().tensor(op.inputs[0]);
    const Tensor& out = w.graph().tensor(op.outputs[0]);
    const std::int64_t bytes = dtypeBits(in.dtype) / 8;
    if (bytes == 0 || in.shape.size() != out.shape.size()) return std::nullopt;
    // Both may lie inside a third tensor.
    std::int64_t offset = out.aliasOffset - (out.aliasOf == op.inputs[0] ? 0 : in.aliasOffset);
    if (offset < 0 || offset % bytes != 0) return std::nullopt;
    offset /= bytes;
    Shape start(in.shape.size(), 0);
    for (std::size_t d = in.shape.size(); d-- > 0;) {
        if (in.shape[d] < 1) return std::nullopt;
        start[d] = offset % in.shape[d];
        offset /= in.shape[d];
    }
    for (std::size_t d = 0; d < start.size(); ++d) {
        if (start[d] + out.shape[d] > in.shape[d]) return std::nullopt;
    }
    return offset == 0 ? std::optional(start) : std::nullopt;
}

}  // namespace

bool writeView(GraphWriter& w, const memplan::Op& op) {
    if (op.inputs.empty() || !op.inputs[0].isValid() || op.outputs.size() != 1) return false;
    const Shape& in = w.shapeOf(op.inputs[0]);
    const Shape& out = w.shapeOf(op.outputs[0]);
    if (const auto order = integersAttr(op, "perm"); order && order->size() == in.size()) {
        const bool fits = std::ranges::is_permutation(*order, [&] {
            Shape all(in.size());
            std::iota(all.begin(), all.end(), 0);
            return all;
        }());
        if (!fits || reordered(in, *order) != out) return false;
        finish(w, op, "permute", {w.value(op.inputs[0])}, {{"permutation", array64Text(*order)}});
        return true;
    }
    if (in == out && w.isChannelsLastOnly(op.inputs[0])) {
        w.setChannelsLast(op.outputs[0], w.channelsLast(op.inputs[0]));
        return true;
    }
    if (elementsOf(in) == elementsOf(out)) {
        finish(w, op, "reshape", {w.value(op.inputs[0])}, {{"shape", listText(out)}});
        return true;
    }
    const auto start = startOf(w, op);
    if (!start) return false;
    Shape ends = *start;
    for (std::size_t d = 0; d < ends.size(); ++d)
        ends[d] += out[d];
    finish(w, op, "slice_static", {w.value(op.inputs[0])},
           {{"begins", listText(*start)}, {"ends", listText(ends)}, {"step", listText(Shape(ends.size(), 1))}});
    return true;
}

bool writeCopy(GraphWriter& w, const memplan::Op& op) {
    const auto reads = readsOf(w, op);
    if (!reads) return false;
    if (op.fn == "pad" && writePad(w, op, *reads)) return true;
    return writePermutation(w, op, *reads) || writeSlice(w, op, *reads) || writeRepeat(w, op, *reads);
}

void writeConcat(GraphWriter& w, std::span<const memplan::Op> parts) {
    const memplan::Op& last = parts.back();
    const Shape& out = w.shapeOf(last.outputs[0]);
    const Shape& first = w.shapeOf(parts.front().inputs[0]);
    std::size_t axis = 0;
    while (axis + 1 < out.size() && axis < first.size() && first[axis] == out[axis])
        ++axis;
    const bool isLast = out.size() == 4 && std::ranges::any_of(parts, [&](const memplan::Op& part) {
                            return w.isChannelsLastOnly(part.inputs[0]);
                        });
    std::vector<ValueId> operands;
    for (const memplan::Op& part : parts)
        operands.push_back(isLast && w.shapeOf(part.inputs[0]).size() == 4 ? w.channelsLast(part.inputs[0])
                                                                           : w.value(part.inputs[0]));
    const std::int64_t dim = isLast ? toChannelsFirst()[axis] : static_cast<std::int64_t>(axis);
    const ValueId made =
        w.emit(last, "concat", std::move(operands), isLast ? reordered(out, toChannelsLast()) : out,
               elementOf(w.graph().tensor(last.outputs[0]).dtype), {{"dim", std::to_string(dim) + " : si32"}});
    isLast ? w.setChannelsLast(last.outputs[0], made) : w.set(last.outputs[0], made);
}

}  // namespace memplan::ttnn::lower
