// SPDX-License-Identifier: Apache-2.0
#include "engine/base/text.h"
#include "engine/io/export/plan_export.h"
#include "engine/json/json_text.h"
#include "engine/plan/reasons.h"

#include <map>

namespace memplan::io {

namespace {

class ExplorerWriter {
public:
    explicit ExplorerWriter(const Plan& plan) : p_(plan) {
        for (std::size_t i = 0; i < plan.ops.size(); ++i) {
            for (std::size_t o = 0; o < plan.ops[i].outputs.size(); ++o) {
                const BufferId id = plan.ops[i].outputs[o];
                // Who makes the room for a buffer is not who makes its value: the last writer before a reader counts.
                if (id.isValid()) writers_[id].emplace_back(i, o);
            }
        }
    }

    std::string run() {
        w_.beginObject();
        w_.member("label", p_.input.name);
        w_.key("graphs");
        w_.beginArray();
        w_.beginObject();
        w_.member("id", p_.input.name.empty() ? "plan" : p_.input.name);
        w_.key("nodes");
        w_.beginArray();
        for (std::size_t b = 0; b < p_.buffers.size(); ++b) {
            if (isSource(BufferId::of(b))) input(BufferId::of(b));
        }
        for (std::size_t i = 0; i < p_.ops.size(); ++i)
            operation(i);
        w_.endArray();
        groups();
        w_.endObject();
        w_.endArray();
        w_.endObject();
        return w_.finish();
    }

private:
    [[nodiscard]] bool isSource(BufferId id) const { return !writers_.contains(id) && !p_.buffer(id).uses.empty(); }

    static std::string inputId(BufferId id) { return "tensor" + std::to_string(id.index); }
    static std::string opNodeId(std::size_t i) { return "op" + std::to_string(i); }

    void attribute(std::string_view key, const std::string& value) {
        w_.beginInlineObject();
        w_.member("key", key);
        w_.member("value", value);
        w_.endObject();
    }

    void bufferAttributes(const PlanBuffer& b) {
        attribute("memory", std::string(spaceName(b.space)));
        if (b.address) attribute("offset", std::to_string(*b.address));
        attribute("size", std::to_string(b.size));
        attribute("size per core", std::to_string(b.sizePerCore));
        attribute("lifetime", "[" + std::to_string(b.life.begin) + ", " + std::to_string(b.life.end) + ")");
        if (b.reason) {
            attribute("reason if spilled", std::string(reasonInfo(b.reason->code).name) + ": " + sentence(*b.reason));
        }
    }

    void outputs(const std::vector<BufferId>& ids) {
        w_.key("outputsMetadata");
        w_.beginArray();
        for (std::size_t o = 0; o < ids.size(); ++o) {
            if (!ids[o].isValid()) continue;
            const PlanBuffer& b = p_.buffer(ids[o]);
            w_.beginObject();
            w_.member("id", std::to_string(o));
            w_.key("attrs");
            w_.beginArray();
            attribute("tensor_shape", std::string(dtypeName(b.dtype)) + "[" + dimensions(b.shape) + "]");
            attribute("__tensor_tag", b.name);
            w_.endArray();
            w_.endObject();
        }
        w_.endArray();
    }

    static std::string dimensions(const std::vector<std::int64_t>& shape) {
        std::vector<std::string> parts;
        for (const std::int64_t extent : shape)
            parts.push_back(std::to_string(extent));
        return text::join(parts, ",");
    }

    void input(BufferId id) {
        const PlanBuffer& b = p_.buffer(id);
        w_.beginObject();
        w_.member("id", inputId(id));
        w_.member("label", b.name);
        w_.member("namespace", "inputs");
        w_.key("attrs");
        w_.beginArray();
        attribute("kind", b.role == BufferRole::Parameter  ? "parameter"
                          : b.role == BufferRole::Constant ? "constant"
                                                           : "input");
        bufferAttributes(b);
        w_.endArray();
        w_.key("incomingEdges");
        w_.beginArray(true);
        w_.endArray();
        outputs({id});
        w_.endObject();
    }

    void operation(std::size_t i) {
        const PlanOp& op = p_.ops[i];
        w_.beginObject();
        w_.member("id", opNodeId(i));
        w_.member("label", op.name);
        w_.member("namespace", op.groupPath);
        w_.key("attrs");
        w_.beginArray();
        attribute("kind", op.kind);
        attribute("function", op.type);
        attribute("cores", std::to_string(op.cores));
        std::vector<std::string> splits;
        std::vector<std::string> tile;
        for (const IterationDim& d : op.iterationSpace) {
            if (d.slices > 1) splits.push_back(d.name + " " + std::to_string(d.slices));
            tile.push_back(d.name + " " + std::to_string(d.extent));
        }
        attribute("splits", splits.empty() ? "none" : text::join(splits, ", "));
        if (!op.loopCounts.empty()) {
            attribute("tile", text::join(tile, ", "));
            attribute("loop counts", dimensions(op.loopCounts));
        }
        attribute("main memory read", std::to_string(op.offChipRead));
        attribute("main memory written", std::to_string(op.offChipWrite));
        if (!op.addedBy.empty()) attribute("added by", op.addedBy);
        for (const BufferId out : op.outputs) {
            if (out.isValid()) bufferAttributes(p_.buffer(out));
        }
        w_.endArray();
        edges(i);
        outputs(op.outputs);
        style(op);
        w_.endObject();
    }

    void edges(std::size_t i) {
        const PlanOp& op = p_.ops[i];
        w_.key("incomingEdges");
        w_.beginArray();
        for (std::size_t k = 0; k < op.inputs.size(); ++k) {
            if (!op.inputs[k].isValid()) continue;
            std::string source = inputId(op.inputs[k]);
            std::size_t output = 0;
            if (const auto it = writers_.find(op.inputs[k]); it != writers_.end()) {
                // The latest write before the reader; a value carried round a loop comes from the last one.
                auto writer = it->second.back();
                for (const auto& [position, slot] : it->second) {
                    if (position < i) writer = {position, slot};
                }
                source = opNodeId(writer.first);
                output = writer.second;
            }
            w_.beginInlineObject();
            w_.member("sourceNodeId", source);
            w_.member("sourceNodeOutputId", std::to_string(output));
            w_.member("targetNodeInputId", std::to_string(k));
            w_.endObject();
        }
        w_.endArray();
    }

    void style(const PlanOp& op) {
        bool onChip = !op.outputs.empty();
        for (const BufferId out : op.outputs)
            onChip = onChip && out.isValid() && isOnChip(p_.buffer(out).space);
        if (!onChip) return;
        w_.key("style");
        w_.beginInlineObject();
        w_.member("backgroundColor", "#d9f2e3");
        w_.member("borderColor", "#2f9e62");
        w_.endObject();
    }

    void groups() {
        w_.key("groupNodeAttributes");
        w_.beginObject();
        w_.key("");
        w_.beginObject();
        w_.member("target", p_.target);
        w_.member("solver", p_.solver);
        w_.member("main memory read", std::to_string(p_.metrics.mainMemoryReadBytes));
        w_.member("main memory written", std::to_string(p_.metrics.mainMemoryWriteBytes));
        w_.member("pinned bytes per core", std::to_string(p_.metrics.pinnedBytes));
        w_.member("peak", std::to_string(p_.memory.peak));
        w_.member("capacity", std::to_string(p_.memory.capacity));
        w_.endObject();
        w_.endObject();
    }

    const Plan& p_;
    JsonWriter w_;
    std::map<BufferId, std::vector<std::pair<std::size_t, std::size_t>>> writers_;  ///< (op, output) in schedule order
};

}  // namespace

std::string modelExplorerJson(const Plan& plan) {
    return ExplorerWriter(plan).run();
}

}  // namespace memplan::io
