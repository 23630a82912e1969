// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/plan_file/bundle_data.h"

#include "engine/base/text.h"
#include "engine/plan/spyre_data.h"
#include "engine/spyre/plan_file/op_specs.h"

#include <map>

namespace memplan::spyre {

namespace {

constexpr int kMaxDepth = 64;  ///< of a loop tree that is read

void writeName(io::JsonWriter& w, std::string_view key, const std::string& name) {
    w.key(key);
    if (name.empty()) {
        w.null();
    } else {
        w.string(name);
    }
}

void writePropagation(io::JsonWriter& w, const std::vector<PlanPropagation>& list) {
    w.key("propagation");
    w.beginArray();
    for (const PlanPropagation& p : list) {
        w.beginInlineObject();
        w.member("buffer", p.buffer);
        w.member("case", p.kind);
        writeName(w, "full_buffer", p.fullBuffer);
        writeName(w, "copy_op", p.copyOp);
        w.endObject();
    }
    w.endArray();
}

void writeNodes(io::JsonWriter& w, const std::vector<PlanLoopNode>& nodes, io::PlanItemsWriter& items) {
    w.beginArray();
    for (const PlanLoopNode& n : nodes) {
        if (n.op.isValid()) {
            items.opName(n.op);
            continue;
        }
        w.beginObject();
        w.member("count", n.count);
        io::writeIntegers(w, "path", n.path);
        w.key("body");
        writeNodes(w, n.body, items);
        w.endObject();
    }
    w.endArray();
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

void writeKernel(io::JsonWriter& w, const BoundaryPrices& prices, const PlanKernel& k, io::PlanItemsWriter& items) {
    w.beginObject();
    w.member("name", k.name);
    w.key("ops");
    w.beginArray(true);
    for (const OpId op : k.ops)
        items.opName(op);
    w.endArray();
    items.writeNames("arguments", k.arguments);
    w.member("external_tensors", k.externalTensors);
    w.member("tensor_limit", k.tensorLimit);
    w.member("non_terminal", k.nonTerminal);
    items.writeNames("live_across", k.liveAcross);
    w.member("boundary_bytes", boundaryBytes(prices, k));
    w.endObject();
}

std::vector<PlanLoopNode> readNodes(io::PlanFields& f, io::TapeIndex array, int depth) {
    std::vector<PlanLoopNode> nodes;
    if (depth > kMaxDepth) {
        f.fail(array, "the loops are nested too deeply");
        return nodes;
    }
    f.each(array, [&](io::TapeIndex at) {
        PlanLoopNode node;
        if (f.tape.type(at) == io::JsonType::String) {
            node.op = f.opNamed(at, f.tape.text(at));
        } else {
            node.count = f.integer(at, "count");
            for (const std::int64_t p : f.integers(at, "path"))
                node.path.push_back(static_cast<int>(p));
            node.body = readNodes(f, f.array(at, "body"), depth + 1);
        }
        nodes.push_back(std::move(node));
    });
    return nodes;
}

PlanKernel readKernel(io::PlanFields& f, io::TapeIndex at) {
    PlanKernel k;
    k.name = f.text(at, "name");
    f.each(f.array(at, "ops"), [&](io::TapeIndex n) { k.ops.push_back(f.opNamed(n, f.tape.text(n))); });
    k.arguments = f.buffersOrNone(at, "arguments");
    k.externalTensors = static_cast<int>(f.integer(at, "external_tensors"));
    k.tensorLimit = static_cast<int>(f.integer(at, "tensor_limit"));
    k.nonTerminal = f.boolean(at, "non_terminal", false);
    k.liveAcross = f.buffers(at, "live_across");
    return k;
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

void writeLevels(io::JsonWriter& w, std::string_view key, const std::vector<std::vector<int>>& levels) {
    w.key(key);
    w.beginArray(true);
    for (const std::vector<int>& level : levels) {
        w.beginArray(true);
        for (const int v : level)
            w.integer(v);
        w.endArray();
    }
    w.endArray();
}

std::vector<std::vector<int>> readLevels(io::PlanFields& f, io::TapeIndex object, std::string_view key) {
    std::vector<std::vector<int>> levels;
    f.each(f.optional(object, key), [&](io::TapeIndex at) {
        levels.emplace_back();
        for (const std::int64_t v : f.integersAt(at))
            levels.back().push_back(static_cast<int>(v));
    });
    return levels;
}

void writeBundleData(io::JsonWriter& w, const Plan& plan, io::PlanItemsWriter& items) {
    const SpyreData& data = spyreData(plan);
    if (data.propagation) writePropagation(w, *data.propagation);
    if (data.loops) {
        w.key("loops");
        writeNodes(w, *data.loops, items);
    }
    if (data.kernels) {
        w.key("kernels");
        w.beginArray();
        const BoundaryPrices prices = boundaryPrices(plan);
        for (const PlanKernel& k : *data.kernels)
            writeKernel(w, prices, k, items);
        w.endArray();
    }
    writeOpSpecs(w, plan);
    if (data.pool) {
        w.key("pool");
        w.beginInlineObject();
        w.member("size", data.pool->first);
        w.member("peak", data.pool->second);
        w.endObject();
    }
}

SpyreData readBundleData(io::PlanFields& f, io::TapeIndex targetData) {
    SpyreData data;
    if (const io::TapeIndex list = f.optional(targetData, "propagation")) {
        data.propagation.emplace();
        f.each(list, [&](io::TapeIndex at) {
            data.propagation->push_back(
                {f.text(at, "buffer"), f.text(at, "case"), f.text(at, "full_buffer", ""), f.text(at, "copy_op", "")});
        });
    }
    if (const io::TapeIndex loops = f.optional(targetData, "loops")) data.loops = readNodes(f, loops, 0);
    if (const io::TapeIndex kernels = f.optional(targetData, "kernels")) {
        data.kernels.emplace();
        f.each(kernels, [&](io::TapeIndex at) { data.kernels->push_back(readKernel(f, at)); });
    }
    if (const io::TapeIndex pool = f.optional(targetData, "pool"))
        data.pool = {f.integer(pool, "size"), f.integer(pool, "peak")};
    return data;
}

}  // namespace memplan::spyre
