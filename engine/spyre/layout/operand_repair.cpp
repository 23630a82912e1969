// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/layout/operand_repair.h"

#include "engine/spyre/layout/coordinates.h"
#include "engine/spyre/layout/stick_layout.h"
#include "engine/spyre/lower/strided_view.h"
#include "engine/spyre/program_edit.h"

namespace memplan::spyre {
namespace {

constexpr std::string_view kPass = "propagate_spyre_tensor_layouts";

std::vector<int> readerCounts(const Program& program) {
    std::vector<int> out(program.buffers.size(), 0);
    for (const Op& op : program.ops) {
        for (const Access& a : op.reads)
            ++out[a.buffer.at()];
        if (op.kind == OpClass::Mutation) ++out[op.write.buffer.at()];
    }
    return out;
}

/// A weight that only this op reads is transferred with the stick where the op wants it.
bool transferInOrder(Program& program, const OperandRepair& r, const std::vector<int>& readers) {
    const Op& op = program.ops[r.op.at()];
    const Access& access = op.reads[static_cast<std::size_t>(r.argument)];
    Buffer& weight = program.buffers[access.buffer.at()];
    if (weight.kind != BufferKind::Parameter && weight.kind != BufferKind::Constant) return false;
    if (readers[access.buffer.at()] != 1 || access.index.offset != 0) return false;
    const Coordinates host = hostCoordinates(weight, op.loops, access.index);
    DimOrder order;
    int stick = -1;
    for (std::size_t d = 0; d < host.size(); ++d) {
        if (host[d].bareLoop() == r.loop) {
            stick = static_cast<int>(d);
        } else {
            order.push_back(static_cast<int>(d));
        }
    }
    if (stick < 0) return false;
    order.push_back(stick);
    Result<StickLayout> layout = buildFoldedLayout(weight, order);
    if (!layout || !deviceCoordinates(layout.value(), op.loops, access.index)) return false;
    weight.layout = std::move(layout).value();
    return true;
}

/// The operand's loops as dimensions of a buffer of their own, the wanted loop last.
Op copyOp(Program& program, const OperandRepair& r, std::string name) {
    Op& consumer = program.ops[r.op.at()];
    Access& access = consumer.reads[static_cast<std::size_t>(r.argument)];
    std::vector<std::size_t> order;
    for (std::size_t v = 0; v < consumer.loops.size(); ++v) {
        if (access.index.coefficients[v] != 0 && static_cast<int>(v) != r.loop) order.push_back(v);
    }
    order.push_back(static_cast<std::size_t>(r.loop));

    Buffer shape = program.buffers[access.buffer.at()];
    shape.layout.reset();
    shape.size.clear();
    for (const std::size_t v : order)
        shape.size.push_back(consumer.loops[v].extent);
    shape.stride = rowMajorStrides(shape.size);

    Op copy;
    copy.name = name;
    copy.kind = OpClass::Pointwise;
    copy.fn = "clone";
    copy.addedBy = kPass;
    copy.cloneOfOp = r.op;
    copy.origin = consumer.origin;
    copy.groupPath = consumer.groupPath;
    copy.hintScopes = consumer.hintScopes;
    Access read{access.buffer, {{}, access.index.offset}, access.indirect};
    Access write{addBuffer(program, shape, std::move(name), kPass), {shape.stride, 0}, false};
    Index index{std::vector<std::int64_t>(consumer.loops.size(), 0), 0};
    for (std::size_t i = 0; i < order.size(); ++i) {
        copy.loops.push_back({"d" + std::to_string(i), shape.size[i], false});
        read.index.coefficients.push_back(access.index.coefficients[order[i]]);
        index.coefficients[order[i]] = shape.stride[i];
    }
    copy.reads.push_back(std::move(read));
    access = {write.buffer, std::move(index), false};
    copy.write = std::move(write);
    return copy;
}

void report(const Program& program, const OperandRepair& r, const std::string& remedy, PassContext& context) {
    const Op& op = program.ops[r.op.at()];
    Diagnostic d;
    d.severity = Severity::Note;
    d.code = "LAY-006";
    d.where = op.name;
    d.message = op.name + ": " + remedy + ", because no restickify is possible: " + r.problem;
    context.report(std::move(d));
}

}  // namespace

std::int64_t repairOperands(Program& program, const std::vector<OperandRepair>& repairs, PassContext& context) {
    const std::vector<int> readers = readerCounts(program);
    NameMaker names(program);
    std::vector<std::vector<Op>> before(program.ops.size());
    std::int64_t copies = 0;
    for (const OperandRepair& r : repairs) {
        const Op& op = program.ops[r.op.at()];
        const std::string source = program.buffers[op.reads[static_cast<std::size_t>(r.argument)].buffer.at()].name;
        if (transferInOrder(program, r, readers)) {
            report(program, r, source + " is transferred with the stick where the multiply needs it", context);
            continue;
        }
        const std::string name = names.make("contiguous_" + op.name + "_" + std::to_string(r.argument));
        before[r.op.at()].push_back(copyOp(program, r, name));
        report(program, r, source + " is copied to row-major order first", context);
        ++copies;
    }
    if (copies == 0) return 0;
    ProgramEdit edit(program);
    for (std::size_t i = 0; i < before.size(); ++i) {
        for (Op& op : before[i])
            edit.add(std::move(op));
        edit.keep(i);
    }
    edit.finish();
    return copies;
}

}  // namespace memplan::spyre
