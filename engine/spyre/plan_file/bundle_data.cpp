// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/plan_file/bundle_data.h"

#include "engine/base/text.h"
#include "engine/spyre/plan_file/op_specs.h"

#include <map>

namespace memplan::io {

template <> struct Record<PlanPropagation> {
    static constexpr bool kInline = true;
    static void members(auto& file, auto& p) {
        file.member("buffer", p.buffer);
        file.member("case", p.kind);
        file.orNull("full_buffer", p.fullBuffer);
        file.orNull("copy_op", p.copyOp);
    }
};

template <> struct Record<PlanKernel> {
    static constexpr bool kInline = false;
    static void members(auto& file, auto& k) {
        file.member("name", k.name);
        file.member("ops", k.ops);
        file.orNull("arguments", k.arguments);
        file.member("external_tensors", k.externalTensors);
        file.member("tensor_limit", k.tensorLimit);
        file.optional("non_terminal", k.nonTerminal);
        file.member("live_across", k.liveAcross);
    }
};

/// An op of the tree stands as its name.
void loopNodes(RecordWriter& file, std::string_view key, const std::vector<LoopNode>& nodes);
void loopNodes(RecordReader& file, std::string_view key, std::vector<LoopNode>& nodes);

template <> struct Record<LoopNode> {
    static constexpr bool kInline = false;
    static void members(auto& file, auto& loop) {
        file.member("count", loop.count);
        file.member("path", loop.path);
        loopNodes(file, "body", loop.body);
    }
};

void loopNodes(RecordWriter& file, std::string_view key, const std::vector<LoopNode>& nodes) {
    JsonWriter& w = file.json();
    w.key(key);
    w.beginArray();
    for (const LoopNode& n : nodes)
        n.op.isValid() ? file.value(n.op) : file.value(n);
    w.endArray();
}

void loopNodes(RecordReader& file, std::string_view key, std::vector<LoopNode>& nodes) {
    PlanFields& f = file.fields();
    f.each(f.required(file.at(), key), [&](TapeIndex at) {
        LoopNode& node = nodes.emplace_back();
        f.tape.type(at) == JsonType::String ? file.value(at, node.op) : file.value(at, node);
    });
}

}  // namespace memplan::io

namespace memplan::spyre {

namespace {

/// Traffic that emptying the scratchpad behind a kernel costs or would cost: decisions at the last ops of kernels.
using BoundaryPrices = std::map<OpId, std::int64_t>;

BoundaryPrices boundaryPrices(const Plan& plan) {
    BoundaryPrices prices;
    for (const Decision& d : plan.decisions) {
        if (d.kind == DecisionKind::BoundaryPrice && !d.alternatives.empty())
            prices.emplace(d.op, static_cast<std::int64_t>(d.alternatives.front().score));
    }
    return prices;
}

std::int64_t boundaryBytes(const BoundaryPrices& prices, const PlanKernel& k) {
    const auto it = k.ops.empty() ? prices.end() : prices.find(k.ops.back());
    return it == prices.end() ? 0 : it->second;
}

void kernels(io::RecordWriter& file, const std::vector<PlanKernel>& kernels) {
    const BoundaryPrices prices = boundaryPrices(file.plan());
    file.objects("kernels", kernels, false, [&](io::RecordWriter& object, const PlanKernel& k) {
        io::Record<PlanKernel>::members(object, k);
        object.member("boundary_bytes", boundaryBytes(prices, k));
    });
}

void kernels(io::RecordReader& file, std::vector<PlanKernel>& kernels) {
    file.member("kernels", kernels);
}

void pool(auto& file, auto& pool) {
    file.inlineGroup("pool", [&](auto& object) {
        object.member("size", pool.first);
        object.member("peak", pool.second);
    });
}

/// A member that stands only where its pass has run.
void given(io::RecordWriter&, std::string_view, const auto& value, auto&& write) {
    if (value) write(*value);
}
void given(io::RecordReader& file, std::string_view key, auto& value, auto&& read) {
    if (file.fields().optional(file.at(), key) != 0) read(value.emplace());
}

void members(auto& file, auto& data, auto&& opSpecs) {
    file.sparse("propagation", data.propagation, data.propagation.has_value());
    given(file, "loops", data.loops, [&](auto& nodes) { io::loopNodes(file, "loops", nodes); });
    given(file, "kernels", data.kernels, [&](auto& list) { kernels(file, list); });
    opSpecs();
    given(file, "pool", data.pool, [&](auto& sizes) { pool(file, sizes); });
}

}  // namespace

void checkBoundaryBytes(io::PlanFields& f, io::TapeIndex targetData, const Plan& plan) {
    const io::TapeIndex kernels = f.optional(targetData, "kernels");
    if (kernels == 0 || !spyreData(plan).kernels) return;
    const BoundaryPrices prices = boundaryPrices(plan);
    std::size_t k = 0;
    f.each(kernels, [&](io::TapeIndex at) {
        const io::TapeIndex stated = f.optional(at, "boundary_bytes");
        const std::int64_t real = boundaryBytes(prices, (*spyreData(plan).kernels)[k++]);
        if (stated != 0 && f.integerAt(stated) != real)
            f.fail(stated, "says " + text::grouped(f.integerAt(stated)) + " B, the decision of the kernel's price " +
                               text::grouped(real) + " B");
    });
}

void writeBundleData(io::RecordWriter& file, const SpyreData& data) {
    members(file, data, [&] { writeOpSpecs(file.json(), file.plan()); });
}

void readBundleData(io::RecordReader& file, SpyreData& data) {
    members(file, data, [] {});  // op_specs need the pool and are read last
}

}  // namespace memplan::spyre
