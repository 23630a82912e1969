// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/program_edit.h"

#include <algorithm>
#include <utility>

namespace memplan::spyre {
namespace {

/// Entries of a list parallel to the ops, in the new order; a list that was not filled yet stays empty.
template <class T> void follow(std::vector<T>& list, const std::vector<int>& oldPosition) {
    if (list.empty()) return;
    std::vector<T> next;
    next.reserve(oldPosition.size());
    for (const int old : oldPosition) {
        if (old >= 0 && static_cast<std::size_t>(old) < list.size()) {
            next.push_back(std::move(list[static_cast<std::size_t>(old)]));
        } else {
            next.emplace_back();
        }
    }
    list = std::move(next);
}

}  // namespace

ProgramEdit::ProgramEdit(Program& program) : program_(program) {
    ops_.reserve(program.ops.size() + program.ops.size() / 8);
    oldPosition_.reserve(ops_.capacity());
}

void ProgramEdit::keep(std::size_t oldPosition) {
    ops_.push_back(std::move(program_.ops[oldPosition]));
    oldPosition_.push_back(static_cast<int>(oldPosition));
}

void ProgramEdit::add(Op op) {
    ops_.push_back(std::move(op));
    oldPosition_.push_back(-1);
}

void ProgramEdit::finish() {
    std::vector<OpId> newId(program_.ops.size());
    for (std::size_t i = 0; i < oldPosition_.size(); ++i) {
        if (oldPosition_[i] >= 0) newId[static_cast<std::size_t>(oldPosition_[i])] = OpId::of(i);
    }
    for (Op& op : ops_) {
        if (op.cloneOfOp.isValid()) op.cloneOfOp = newId[op.cloneOfOp.at()];
    }
    for (RestickifyRequest& r : program_.restickifyPlan)
        r.op = newId[r.op.at()];
    follow(program_.candidates, oldPosition_);
    follow(program_.divisions, oldPosition_);
    follow(program_.dimHints, oldPosition_);
    program_.ops = std::move(ops_);
}

NameMaker::NameMaker(const Program& program) {
    taken_.reserve(program.ops.size() + program.buffers.size());
    for (const Op& op : program.ops)
        taken_.insert(op.name);
    for (const Buffer& b : program.buffers)
        taken_.insert(b.name);
}

std::string NameMaker::make(const std::string& wanted) {
    std::string name = wanted;
    for (int n = 2; !taken_.insert(name).second; ++n)
        name = wanted + "_" + std::to_string(n);
    return name;
}

BufferId addBuffer(Program& program, const Buffer& like, std::string name, std::string_view pass) {
    Buffer b = like;
    b.name = std::move(name);
    b.kind = BufferKind::Computed;
    b.isOutput = false;
    b.outputIsView = false;
    b.graphTensor = {};
    b.cloneOf = {};
    b.addedBy = pass;
    return appendBuffer(program, std::move(b));
}

BufferId appendBuffer(Program& program, Buffer buffer) {
    program.buffers.push_back(std::move(buffer));
    if (!program.namedDims.empty()) program.namedDims.resize(program.buffers.size());
    return BufferId::of(program.buffers.size() - 1);
}

void replaceOutput(Program& program, BufferId from, BufferId to) {
    std::replace(program.outputs.begin(), program.outputs.end(), from, to);
    for (TensorView& view : program.views)
        view.buffer = view.buffer == from ? to : view.buffer;
}

void removeLastBuffer(Program& program) {
    program.buffers.pop_back();
    if (!program.namedDims.empty()) program.namedDims.resize(program.buffers.size());
}

DimLoops loopsOver(const std::vector<std::int64_t>& size, const std::vector<std::int64_t>& stride) {
    DimLoops out;
    for (std::size_t d = 0; d < size.size(); ++d) {
        if (size[d] == 1) continue;
        out.loops.push_back({"d" + std::to_string(out.loops.size()), size[d], false});
        out.index.coefficients.push_back(stride[d]);
        out.dims.push_back(static_cast<int>(d));
    }
    return out;
}

Op identityOp(const Program& program, BufferId from, BufferId to, OpId parent) {
    const Buffer& source = program.buffers[from.at()];
    DimLoops nest = loopsOver(source.size, source.stride);
    Op op;
    op.name = program.buffers[to.at()].name;
    op.kind = OpClass::Pointwise;
    op.loops = std::move(nest.loops);
    op.reads.push_back({from, nest.index, false});
    op.write = {to, std::move(nest.index), false};
    op.addedBy = program.buffers[to.at()].addedBy;
    if (parent.isValid()) {
        const Op& p = program.ops[parent.at()];
        op.cloneOfOp = parent;
        op.origin = p.origin;
        op.groupPath = p.groupPath;
    }
    return op;
}

void demote(Op& op, const Error& error, PassContext& context, OpId id) {
    if (op.kind == OpClass::Mutation) op.impure = true;
    op.kind = OpClass::Extern;
    Diagnostic d = error.primary();
    d.severity = Severity::Warning;
    d.where = op.name;
    d.message = op.name + " (" + op.fn + ") runs as a fallback kernel outside work division: " + d.message;
    d.hint = "a fallback kernel runs on one core and its buffers stay in main memory";
    d.ops = {id};
    context.report(std::move(d));
}

Error cancelledError() {
    return makeError(kCancelledCode, "", "cancelled");
}

}  // namespace memplan::spyre
