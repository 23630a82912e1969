// SPDX-License-Identifier: Apache-2.0
// The members of an execution record in its JSON form (proof-and-search A3), each named once with the values it may
// have: writer and reader of files walk the same lists, in the order of the file.
#pragma once

#include "engine/base/numeric.h"
#include "engine/sim/record/record.h"
#include "engine/sim/record/record_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace memplan::io::record {

inline constexpr std::int64_t kLargest = std::int64_t{1} << 48;  ///< sums of a few stay in 64 bits
inline constexpr std::int64_t kMostCores = 4096;
inline constexpr std::int64_t kMostIterations = std::int64_t{1} << 31;
inline constexpr std::size_t kMostDimensions = 32;

struct Range {
    std::int64_t min = 0, max = kLargest;
};
inline constexpr Range kSigned{-kLargest, kLargest};
inline constexpr Range kMemoryBytes{0, std::int64_t{1} << 32};
inline constexpr Range kTraffic{0, INT64_MAX};
inline constexpr Range kPosition{std::numeric_limits<int>::min(), std::numeric_limits<int>::max()};

inline constexpr std::array kMemories{sim::RecordMemory::Lx, sim::RecordMemory::Hbm, sim::RecordMemory::Pool};
inline constexpr std::array kRoles{sim::RecordRole::Compute, sim::RecordRole::Move, sim::RecordRole::Fill,
                                   sim::RecordRole::Outside, sim::RecordRole::Allocate};

void memory(auto& file, auto& value) {
    file.word("mem", value, kMemories, sim::recordMemoryName, "memory");
}

/// Each list: `file` is an ObjectWriter or an ObjectReader, `b` and so on the record to write or to fill.
struct Members {
    static void of(auto& file, auto& b) requires requires { b.hostSize; }
    {
        file.text("name", b.name);
        file.text("role", b.role);
        file.number("bytes", b.itemBytes, {1, 8});
        file.extents("host_size", b.hostSize, 0);
        file.group("layout", !b.deviceSize.empty(), [&b](auto& layout) {
            layout.extents("device_size", b.deviceSize, 1);
            layout.list("stride_map", b.strideMap, {-1, kLargest});
            layout.expect(!b.deviceSize.empty(), "a layout has at least one dimension");
            layout.expect(b.deviceSize.size() == b.strideMap.size(), "device_size and stride_map differ in length");
        });
        memory(file, b.memory);
        file.optional("address", b.address, {}, 0);
        file.interval("live", b.start, b.end, kPosition);
        file.optional("in_place_of", b.inPlaceOf, file.buffers(), -1);
        file.optionalText("denotes", b.denotes);
    }

    static void of(auto& file, auto& op) requires requires { op.fillValue; }
    {
        file.text("name", op.name);
        file.text("kind", op.kind);
        file.text("fn", op.fn);
        file.word("role", op.role, kRoles, sim::recordRoleName, "role");
        file.optionalText("attrs", op.attributes);
        file.real("value", op.fillValue, op.role == sim::RecordRole::Fill);
        file.symbols("space", op.space);
        file.bySymbol("split", op.space, &sim::RecordSymbol::slices);
        file.bySymbol("unit", op.space, &sim::RecordSymbol::unit);
        file.choice("core_map", op.kFirst, sim::kLastFirst, "core map");
        file.optional("cores", op.cores, {1, kMostCores}, 1);
        file.records("args", op.args, op.space);
        file.texts("source", op.source);
    }

    static void of(auto& file, auto& a) requires requires { a.writerSlices; }
    {
        file.number("buffer", a.buffer, file.buffers());
        file.flag("input", a.isInput, true);
        file.index("index", a.index);
        file.object("base", [&a](auto& base) {
            memory(base, a.memory);
            base.number("address", a.base, {});
        });
        file.optionalList("advance", a.advance, kSigned);
        file.flag("per_tile_fixed", a.perTileFixed, false);
        file.flag("indirect", a.isIndirect, false);
        file.optionalList("view_strides", a.viewStrides, {});
        file.expect(a.viewStrides.size() <= kMostDimensions, "too many dimensions");
        file.slices("writer_slices", a.writerSlices);
        file.index("element", a.element);
        file.optionalList("element_advance", a.elementAdvance, kSigned);
    }

    static void of(auto& file, auto& k) requires requires { k.nonTerminal; }
    {
        file.text("name", k.name);
        file.list("ops", k.ops, file.ops());
        file.list("arguments", k.arguments, file.buffers());
        file.flag("non_terminal", k.nonTerminal, false);
    }

    static void of(auto& file, auto& o) requires requires { o.tensor; }
    {
        file.text("tensor", o.tensor);
        file.number("buffer", o.buffer, file.buffers());
        file.list("strides", o.strides, {});
        file.optional("offset", o.offset, {}, 0);
        file.expect(o.strides.size() <= kMostDimensions, "too many dimensions");
    }

    /// What stands in front of the lists.
    static void ofHead(auto& file, auto& r) {
        file.target("target", r.target);
        file.number("cores", r.cores, {1, kMostCores});
        file.number("lx_bytes", r.lxBytes, kMemoryBytes);
        file.number("lx_capacity", r.lxCapacity, kMemoryBytes);
        file.number("alignment", r.alignment, {1, std::int64_t{1} << 20});
        file.flag("pool", r.hasPool, false);
        file.number("claimed_read_bytes", r.claimedReadBytes, kTraffic);
        file.number("claimed_write_bytes", r.claimedWriteBytes, kTraffic);
    }

    static void ofLists(auto& file, auto& r) {
        file.block("buffers", r.buffers);
        file.block("ops", r.ops);
        file.steps("steps", r.steps);
        file.block("kernels", r.kernels);
        file.block("outputs", r.outputs);
    }

    /// A step that is a loop.
    static void ofLoop(auto& file, auto& loop) {
        file.number("count", loop.count, {0, kMostIterations});
        file.variable("var", loop.variable);
        file.steps("body", loop.body);
    }
};

}  // namespace memplan::io::record
