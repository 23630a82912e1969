// SPDX-License-Identifier: Apache-2.0
// The members of an execution record in its JSON form (proof-and-search A3), each named once with the values it may
// have, in the order of the file. Whatever a file says, what is read is in range and refers to what is there.
#pragma once

#include "engine/io/plan/record/record_forms.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace memplan::io::record {

inline constexpr std::int64_t kMostCores = 4096;
inline constexpr std::size_t kMostDimensions = 32;
inline constexpr Range kSize{0, kLargest};
inline constexpr Range kCores{1, kMostCores};
inline constexpr Range kMemoryBytes{0, std::int64_t{1} << 32};

class Members {
public:
    /// How many of its lists the record has: positions in them are checked where they are read.
    explicit Members(std::size_t buffers = 0, std::size_t ops = 0) : depth_(ops, -1), buffers_(upTo(buffers)) {}

    void of(auto& file, auto& r) {
        file.member("target", r.target);
        file.within("cores", r.cores, kCores);
        file.within("lx_bytes", r.lxBytes, kMemoryBytes);
        file.within("lx_capacity", r.lxCapacity, kMemoryBytes);
        file.within("alignment", r.alignment, {1, std::int64_t{1} << 20});
        file.sparse("pool", r.hasPool, r.hasPool);
        file.within("claimed_read_bytes", r.claimedReadBytes, {});
        file.within("claimed_write_bytes", r.claimedWriteBytes, {});
        file.block("buffers", r.buffers, [this](auto& entry, auto& b) { buffer(entry, b); });
        file.block("ops", r.ops, [this](auto& entry, auto& o) { op(entry, o); });
        file.breakLine();
        steps(file, "steps", r.steps, 0);
        file.block("kernels", r.kernels, [this](auto& entry, auto& k) { kernel(entry, k); });
        file.block("outputs", r.outputs, [this](auto& entry, auto& o) { output(entry, o); });
    }

    /// Loops around each op that was read, -1 for none of the steps.
    [[nodiscard]] const std::vector<int>& depth() const { return depth_; }

private:
    std::vector<int> depth_;
    std::set<std::string> variables_;  ///< of loops that were read
    Range buffers_;

    static Range upTo(std::size_t count) { return {0, static_cast<std::int64_t>(count) - 1}; }

    /// Few, and their product bounded, so that positions in the tensor are numbers.
    static void extents(auto& file, std::string_view key, auto& v, std::int64_t min) {
        file.within(key, v, {min, kLargest});
        std::int64_t product = 1;
        for (const std::int64_t extent : v)
            product = saturatedMul(product, std::max<std::int64_t>(extent, 1));
        file.expectOf(key, v.size() <= kMostDimensions && product <= kLargest, "the tensor is too large");
    }

    void buffer(auto& file, auto& b) const {
        file.member("name", b.name);
        file.member("role", b.role);
        file.within("bytes", b.itemBytes, {1, 8});
        extents(file, "host_size", b.hostSize, 0);
        if (isStated(file, "layout", !b.deviceSize.empty()))
            file.group("layout", [&b](auto& layout) {
                extents(layout, "device_size", b.deviceSize, 1);
                layout.within("stride_map", b.strideMap, {-1, kLargest});
                layout.expect(!b.deviceSize.empty(), "a layout has at least one dimension");
                layout.expect(b.deviceSize.size() == b.strideMap.size(), "device_size and stride_map differ in length");
            });
        file.member("mem", b.memory);
        file.sparseWithin("address", b.address, kSize, b.address != 0);
        file.member("live", std::tie(b.start, b.end));
        file.sparseWithin("in_place_of", b.inPlaceOf, buffers_, b.inPlaceOf >= 0);
        file.sparse("denotes", b.denotes);
    }

    void op(auto& file, auto& op) const {
        file.member("name", op.name);
        file.member("kind", op.kind);
        file.member("fn", op.fn);
        file.member("role", op.role);
        file.sparse("attrs", op.attributes);
        if (isStated(file, "value", op.role == sim::RecordRole::Fill)) real(file, "value", op.fillValue);
        symbols(file, "space", op.space);
        bySymbol(file, "split", op.space, &sim::RecordSymbol::slices);
        bySymbol(file, "unit", op.space, &sim::RecordSymbol::unit);
        file.sparse("core_map", CoreMapView{op.kFirst}, op.kFirst);
        file.sparseWithin("cores", op.cores, kCores, op.cores != 1);
        file.objects("args", op.args, true, [&](auto& entry, auto& a) { argument(entry, a, op.space); });
        file.sparse("source", op.source);
    }

    void argument(auto& file, auto& a, const std::vector<sim::RecordSymbol>& space) const {
        file.within("buffer", a.buffer, buffers_);
        file.sparse("input", a.isInput, !a.isInput);
        file.sparse("index", IndexView{a.index, space}, a.index != sim::LinearIndex{});
        file.part("base", [&a](auto& base) {
            base.member("mem", a.memory);
            base.within("address", a.base, kSize);
        });
        file.sparseWithin("advance", a.advance, kSigned, !a.advance.empty());
        file.sparse("per_tile_fixed", a.perTileFixed, a.perTileFixed);
        file.sparse("indirect", a.isIndirect, a.isIndirect);
        file.sparseWithin("view_strides", a.viewStrides, kSize, !a.viewStrides.empty());
        file.expectOf("view_strides", a.viewStrides.size() <= kMostDimensions, "too many dimensions");
        file.sparse("writer_slices", a.writerSlices);
        for (const auto& [symbol, slices] : a.writerSlices)
            file.expectOf("writer_slices",
                          symbol >= 0 && symbol < static_cast<int>(space.size()) && slices >= 1 && slices <= kMostCores,
                          "writer_slices name symbols of the op and slices for the cores");
        file.sparse("element", IndexView{a.element, space}, a.element.has_value());
        file.sparseWithin("element_advance", a.elementAdvance, kSigned, !a.elementAdvance.empty());
    }

    void kernel(auto& file, auto& k) const {
        file.member("name", k.name);
        file.within("ops", k.ops, upTo(depth_.size()));
        file.within("arguments", k.arguments, buffers_);
        file.sparse("non_terminal", k.nonTerminal, k.nonTerminal);
    }

    void output(auto& file, auto& o) const {
        file.member("tensor", o.tensor);
        file.within("buffer", o.buffer, buffers_);
        file.within("strides", o.strides, kSize);
        file.sparseWithin("offset", o.offset, kSize, o.offset != 0);
        file.expectOf("strides", o.strides.size() <= kMostDimensions, "too many dimensions");
    }

    void steps(auto& file, std::string_view key, auto& list, int level) {
        file.objects(key, list, true, [this, level](auto& entry, auto& s) { step(entry, s, level); });
    }

    void step(auto& file, auto& s, int level) {
        const bool isLoop = isStated(file, "loop", s.op < 0);
        file.expect(isLoop != isStated(file, "op", s.op >= 0), "a step is an op or a loop");
        if (!isLoop) {
            file.within("op", s.op, upTo(depth_.size()));
            return take(file, s, level);
        }
        file.part("loop", [&](auto& loop) {
            loop.within("count", s.count, {0, std::int64_t{1} << 31});
            loop.member("var", s.variable);
            takeVariable(loop, s);
            steps(loop, "body", s.body, level + 1);
        });
    }

    static void take(RecordWriter&, const sim::RecordStep&, int) {}
    void take(RecordReader& file, const sim::RecordStep& s, int level) {
        if (static_cast<std::size_t>(s.op) >= depth_.size()) return;  // an error that the file has
        int& known = depth_[static_cast<std::size_t>(s.op)];
        file.expect(known < 0 || known == level, "the op stands in loops of another depth too");
        known = level;
    }
    static void takeVariable(RecordWriter&, const sim::RecordStep&) {}
    void takeVariable(RecordReader& file, const sim::RecordStep& s) {
        file.expect(variables_.insert(s.variable).second, "the loop variable is taken");
    }
};

}  // namespace memplan::io::record
