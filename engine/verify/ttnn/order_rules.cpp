// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/ttnn/order_rules.h"

#include "engine/verify/ttnn/layouts.h"

#include <algorithm>
#include <map>
#include <set>

namespace memplan::verify::ttnn {
namespace {

class Order {
public:
    Order(const Plan& plan, const Values& values, Report& report)
        : plan_(plan), data_(ttnnData(plan)), values_(values), report_(report) {}

    void run() {
        std::set<std::string> names;
        for (std::size_t i = 0; i < plan_.ops.size(); ++i) {
            const OpId id = OpId::of(i);
            if (!names.insert(plan_.op(id).name).second) report_.op("VER-011", id, "is in the schedule twice");
            checkFreed(id);
            checkFrame(id);
        }
        for (std::size_t b = 0; b < plan_.buffers.size(); ++b)
            checkWritten(BufferId::of(b));
        checkSources();
    }

private:
    const Plan& plan_;
    const TtnnData& data_;
    const Values& values_;
    Report& report_;

    /// A value that is freed is not read any more.
    void checkFreed(OpId id) {
        const TtnnOp& op = data_.ops[id.at()];
        if (!op.name.ends_with(".deallocate") || op.operands.empty()) return;
        const BufferId freed = op.operands.front().buffer;
        for (const OpId reader : values_.of(freed).readers)
            if (id < reader)
                report_.op("VER-011", reader, "reads " + plan_.buffer(freed).name + ", which is freed before");
        if (values_.of(freed).isReturned) report_.op("VER-011", id, "frees a value that is returned");
    }

    void checkWritten(BufferId id) {
        const PlanBuffer& b = plan_.buffer(id);
        const bool isMade = b.role == BufferRole::Intermediate;
        const bool isGiven = b.role == BufferRole::GraphInput || b.role == BufferRole::Parameter;
        if (isMade && !b.producer.isValid()) report_.buffer("VER-011", id, "is written by no operation");
        if (isGiven && b.producer.isValid()) report_.buffer("VER-011", id, "is an argument and is written");
    }

    /// What Plan::ops repeats of the operations.
    void checkFrame(OpId id) {
        const PlanOp& shown = plan_.op(id);
        const TtnnOp& op = data_.ops[id.at()];
        const std::size_t dot = op.name.find('.');
        const std::string kind = dot == std::string::npos ? op.name : op.name.substr(dot + 1);
        const auto same = [&](const char* what, const std::string& stated, const std::string& real) {
            if (stated != real)
                report_.add("VER-013", "op " + shown.name + " " + what, "says " + stated + ", the operation is " + real,
                            {id});
        };
        const bool isAdded = op.conversion != TtnnConversion::None;
        same("type", shown.type, kind);
        same("kind", shown.kind, classOf(kind, isAdded));
        same("origin", shown.origin.op, op.name);
        if (isAdded) same("added_by", shown.addedBy, "graph_transformation");
        if (!isAdded && !shown.addedBy.empty() && !kind.starts_with("to_"))
            report_.op("VER-013", id, "is said to be added by " + shown.addedBy + ", but converts nothing");
        if (!op.locationText.empty() && !shown.origin.node.empty() &&
            op.locationText.find("\"" + shown.origin.node + "\"") == std::string::npos)
            same("origin node", shown.origin.node, op.locationText);
        same("origin domain", shown.origin.domain, "");
        same("group", shown.groupPath, "");
        const std::string where = "op " + shown.name + " ";
        report_.expect(where + "off_chip_read", shown.offChipRead, op.dramRead);
        report_.expect(where + "off_chip_write", shown.offChipWrite, op.dramWritten);
        report_.expect(where + "max_span", shown.maxSpan, Bytes{0});
        if (shown.kAdjacent) report_.op("VER-013", id, "has adjacent slices, which no operation of this target has");
    }

    static std::string classOf(const std::string& kind, bool isAdded) {
        static const std::map<std::string, std::string, std::less<>> kClasses{
            {"matmul", "matmul"},         {"linear", "matmul"},        {"conv2d", "conv"},
            {"conv_transpose2d", "conv"}, {"to_layout", "conversion"}, {"to_memory_config", "conversion"},
            {"concat", "copy"},           {"reshape", "view"},         {"permute", "copy"},
            {"transpose", "copy"}};
        if (isAdded) return "conversion";
        const auto it = kClasses.find(kind);
        return it == kClasses.end() ? "eltwise" : it->second;
    }

    /// Where the program is at hand: an operation of the plan stands behind those that its own reads in the program.
    void checkSources() {
        if (!plan_.graph) return;
        std::vector<OpId> first(plan_.graph->ops.size()), last(plan_.graph->ops.size());
        for (std::size_t i = 0; i < plan_.ops.size(); ++i) {
            if (!plan_.ops[i].addedBy.empty() || plan_.ops[i].sourceOps.size() != 1) continue;
            const std::size_t source = plan_.ops[i].sourceOps.front().at();
            if (source >= first.size()) {
                report_.op("VER-011", OpId::of(i), "stands for an operation that the program does not have");
                continue;
            }
            if (!first[source].isValid()) first[source] = OpId::of(i);
            last[source] = OpId::of(i);
        }
        std::map<std::int64_t, std::size_t> writer;
        for (std::size_t s = 0; s < plan_.graph->ops.size(); ++s)
            for (const TensorId t : plan_.graph->ops[s].outputs)
                writer[t.index] = s;
        for (std::size_t s = 0; s < plan_.graph->ops.size(); ++s)
            for (const TensorId t : plan_.graph->ops[s].inputs) {
                const auto it = writer.find(t.index);
                if (it == writer.end() || !first[it->second].isValid() || !last[s].isValid()) continue;
                if (!(first[it->second] < last[s]) && it->second != s)
                    report_.op("VER-011", last[s],
                               "runs before " + plan_.op(first[it->second]).name + ", which it needs");
            }
    }
};

}  // namespace

void checkOrder(const Plan& plan, const Values& values, Report& report) {
    Order(plan, values, report).run();
}

}  // namespace memplan::verify::ttnn
