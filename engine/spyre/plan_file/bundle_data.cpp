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

}  // namespace memplan::io

namespace memplan::spyre {

namespace {

constexpr int kMaxDepth = 64;  ///< of a loop tree that is read

void writeNodes(io::RecordWriter& file, const std::vector<LoopNode>& nodes) {
    io::JsonWriter& w = file.json();
    w.beginArray();
    for (const LoopNode& n : nodes) {
        if (n.op.isValid()) {
            file.value(n.op);
            continue;
        }
        w.beginObject();
        file.member("count", n.count);
        file.member("path", n.path);
        w.key("body");
        writeNodes(file, n.body);
        w.endObject();
    }
    w.endArray();
}

std::vector<LoopNode> readNodes(io::PlanFields& f, io::TapeIndex array, int depth) {
    std::vector<LoopNode> nodes;
    if (depth > kMaxDepth) {
        f.fail(array, "the loops are nested too deeply");
        return nodes;
    }
    f.each(array, [&](io::TapeIndex at) {
        LoopNode node;
        if (f.tape.type(at) == io::JsonType::String) {
            node.op = f.opNamed(at, f.tape.text(at));
        } else {
            node.count = f.integer(at, "count");
            io::RecordReader(f, at).member("path", node.path);
            node.body = readNodes(f, f.array(at, "body"), depth + 1);
        }
        nodes.push_back(std::move(node));
    });
    return nodes;
}

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

void writeKernels(io::RecordWriter& file, const std::vector<PlanKernel>& kernels) {
    io::JsonWriter& w = file.json();
    const BoundaryPrices prices = boundaryPrices(file.plan());
    w.key("kernels");
    w.beginArray();
    for (const PlanKernel& k : kernels) {
        w.beginObject();
        io::Record<PlanKernel>::members(file, k);
        file.member("boundary_bytes", boundaryBytes(prices, k));
        w.endObject();
    }
    w.endArray();
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
    file.sparse("propagation", data.propagation, data.propagation.has_value());
    if (data.loops) {
        file.json().key("loops");
        writeNodes(file, *data.loops);
    }
    if (data.kernels) writeKernels(file, *data.kernels);
    writeOpSpecs(file.json(), file.plan());
    if (!data.pool) return;
    io::JsonWriter& w = file.json();
    w.key("pool");
    w.beginInlineObject();
    w.member("size", data.pool->first);
    w.member("peak", data.pool->second);
    w.endObject();
}

void readBundleData(io::RecordReader& file, SpyreData& data) {
    io::PlanFields& f = file.fields();
    file.optional("propagation", data.propagation);
    if (const io::TapeIndex loops = f.optional(file.at(), "loops")) data.loops = readNodes(f, loops, 0);
    file.optional("kernels", data.kernels);
    if (const io::TapeIndex pool = f.optional(file.at(), "pool"))
        data.pool = {f.integer(pool, "size"), f.integer(pool, "peak")};
}

}  // namespace memplan::spyre
