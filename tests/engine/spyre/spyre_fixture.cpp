// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/spyre/spyre_fixture.h"

#include "engine/spyre/compile/pipeline.h"
#include "engine/spyre/layout/stick_layout.h"
#include "engine/spyre/lower/lower_to_spyre.h"
#include "engine/spyre/lower/strided_view.h"

#include <algorithm>
#include <stdexcept>

namespace memplan::spyre::test {

namespace {

Index indexOf(const Buffer& buffer, const Dims& dims, std::size_t loops) {
    Index index;
    index.coefficients.assign(loops, 0);
    for (std::size_t d = 0; d < dims.size(); ++d) {
        if (dims[d] >= 0) index.coefficients[static_cast<std::size_t>(dims[d])] += buffer.stride[d];
    }
    return index;
}

}  // namespace

BufferId ProgramBuilder::buffer(const std::string& name, std::vector<std::int64_t> size, HostType dtype) {
    Buffer b;
    b.name = name;
    b.dtype = dtype;
    b.stride = rowMajorStrides(size);
    b.size = std::move(size);
    program.buffers.push_back(std::move(b));
    return BufferId::of(program.buffers.size() - 1);
}

BufferId ProgramBuilder::input(const std::string& name, std::vector<std::int64_t> size, HostType dtype) {
    const BufferId id = buffer(name, std::move(size), dtype);
    program.buffers[id.at()].kind = BufferKind::Input;
    program.inputs.push_back(id);
    return id;
}

BufferId ProgramBuilder::inputInOrder(const std::string& name, std::vector<std::int64_t> size, std::vector<int> order,
                                      HostType dtype) {
    const BufferId id = input(name, std::move(size), dtype);
    Buffer& b = program.buffers[id.at()];
    b.layout = buildStickLayout(b.size, b.stride, b.dtype, order).value();
    return id;
}

BufferId ProgramBuilder::find(const std::string& name) const {
    for (std::size_t b = 0; b < program.buffers.size(); ++b) {
        if (program.buffers[b].name == name) return BufferId::of(b);
    }
    throw std::runtime_error("no buffer " + name);
}

OpId ProgramBuilder::op(const OpSpec& spec) {
    Op op;
    op.name = spec.name;
    op.fn = spec.fn;
    op.kind = spec.kind;
    for (std::size_t v = 0; v < spec.loops.size(); ++v) {
        const bool reduced = v + static_cast<std::size_t>(spec.reductions) >= spec.loops.size();
        op.loops.push_back({"d" + std::to_string(v), spec.loops[v], reduced});
    }
    for (const Operand& r : spec.reads) {
        const BufferId id = find(r.buffer);
        Access a{id, indexOf(program.buffers[id.at()], r.dims, spec.loops.size()), false};
        a.index.offset = r.offset;
        op.reads.push_back(std::move(a));
    }
    const BufferId out = find(spec.name);
    op.write = {out, indexOf(program.buffers[out.at()], spec.write, spec.loops.size()), false};
    program.ops.push_back(std::move(op));
    return OpId::of(program.ops.size() - 1);
}

OpId ProgramBuilder::constant(const std::string& name, double value) {
    Op op;
    op.name = name;
    op.kind = OpClass::Constant;
    op.fn = "constant";
    op.constantValue = value;
    op.write.buffer = buffer(name, {});
    program.ops.push_back(std::move(op));
    return OpId::of(program.ops.size() - 1);
}

void ProgramBuilder::output(const std::string& name) {
    const BufferId id = find(name);
    program.buffers[id.at()].isOutput = true;
    program.outputs.push_back(id);
}

ProgramBuilder crossedSum() {
    ProgramBuilder b;
    b.inputInOrder("p", {256, 128}, {1, 0});
    b.inputInOrder("q", {256, 128}, {0, 1});
    b.input("y", {128, 512});
    b.buffer("s", {256, 128});
    b.buffer("o", {256, 512});
    b.op({"s", "add", {256, 128}, 0, {{"p", {0, 1}}, {"q", {0, 1}}}, {0, 1}, OpClass::Pointwise});
    b.op({"o", "batchmatmul", {256, 512, 128}, 1, {{"s", {0, 2}}, {"y", {2, 1}}}, {0, 1}, OpClass::Reduction});
    b.output("o");
    return b;
}

ProgramBuilder twoReducedLoops() {
    ProgramBuilder b;
    const BufferId x = b.input("x", {2, 8388608, 64});
    b.program.buffers[x.at()].layout =
        StickLayout{{2, 1, 8388608, 64}, {536870912, 64, 64, 1}, HostType::Float16, Arrangement::Standard};
    b.buffer("o", {64});
    b.op({"o", "sum", {64, 2, 8388608}, 2, {{"x", {1, 2, 0}}}, {0}, OpClass::Reduction});
    return b;
}

Result<PassOutcome> PassRunner::run(PassFunction pass) {
    const auto row = std::ranges::find(pipeline(), pass, &Pass::run);
    PassContext context(row->info.id, settings, machine, hints, control);
    Result<PassOutcome> outcome = pass(state, context);
    for (Diagnostic& d : context.diagnostics)
        diagnostics.push_back(std::move(d));
    for (Decision& d : context.decisions)
        decisions.push_back(std::move(d));
    for (memplan::hints::SubjectOutcome& v : context.outcomes)
        outcomes.push_back(std::move(v));
    return outcome;
}

Result<PassOutcome> PassRunner::runThrough(PassFunction last) {
    for (const Pass& pass : pipeline()) {
        const std::string_view key = pass.info.switchKey;
        if (pass.run == nullptr || pass.run == lowerGraph || (!key.empty() && !settings.boolean(key))) continue;
        Result<PassOutcome> outcome = run(pass.run);
        if (!outcome || pass.run == last) return outcome;
    }
    return PassOutcome{};
}

int PassRunner::opAt(const std::string& name) const {
    for (std::size_t i = 0; i < state.program.ops.size(); ++i) {
        if (state.program.ops[i].name == name) return static_cast<int>(i);
    }
    return -1;
}

const Op& PassRunner::op(const std::string& name) const {
    const int at = opAt(name);
    if (at < 0) throw std::runtime_error("no op " + name);
    return state.program.ops[static_cast<std::size_t>(at)];
}

const Buffer& PassRunner::buffer(const std::string& name) const {
    for (const Buffer& b : state.program.buffers) {
        if (b.name == name) return b;
    }
    throw std::runtime_error("no buffer " + name);
}

const Division& PassRunner::division(const std::string& name) const {
    return state.program.divisions.at(static_cast<std::size_t>(opAt(name)));
}

std::vector<std::string> PassRunner::opNames() const {
    std::vector<std::string> names;
    for (const Op& op : state.program.ops)
        names.push_back(op.name);
    return names;
}

int PassRunner::count(memplan::hints::Outcome outcome) const {
    return static_cast<int>(
        std::count_if(outcomes.begin(), outcomes.end(), [&](const auto& v) { return v.outcome == outcome; }));
}

int PassRunner::count(const std::string& code) const {
    int n = 0;
    for (const Diagnostic& d : diagnostics)
        n += d.code == code ? 1 : 0;
    return n;
}

}  // namespace memplan::spyre::test
