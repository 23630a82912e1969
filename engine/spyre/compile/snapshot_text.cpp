// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/compile/snapshot_text.h"

#include <charconv>
#include <string_view>

namespace memplan::spyre {
namespace {

/// Appends to one growing string; the writer of ten thousand lines must not allocate per number.
class Line {
public:
    explicit Line(std::string& out) : out_(out) {}
    Line& operator<<(std::string_view s) {
        out_.append(s);
        return *this;
    }
    Line& operator<<(std::int64_t v) {
        char digits[24];
        const auto end = std::to_chars(digits, digits + sizeof digits, v).ptr;
        out_.append(digits, end);
        return *this;
    }
    Line& list(const std::vector<std::int64_t>& values) {
        *this << "[";
        for (std::size_t i = 0; i < values.size(); ++i)
            *this << (i == 0 ? "" : ", ") << values[i];
        return *this << "]";
    }

private:
    std::string& out_;
};

std::string_view className(spyre::OpClass kind) {
    switch (kind) {
    case spyre::OpClass::Pointwise:
        return "pointwise";
    case spyre::OpClass::Reduction:
        return "reduction";
    case spyre::OpClass::Constant:
        return "constant";
    case spyre::OpClass::Extern:
        return "extern";
    case spyre::OpClass::Mutation:
        break;
    }
    return "mutation";
}

void writeOp(Line line, const State& state, std::size_t i) {
    const spyre::Program& p = state.program;
    const spyre::Op& op = p.ops[i];
    const BufferId result = op.write.buffer;
    line << (result.isValid() ? std::string_view(p.buffers[result.at()].name) : std::string_view(op.name)) << " = "
         << op.fn << "[" << className(op.kind) << "](";
    for (std::size_t r = 0; r < op.reads.size(); ++r)
        line << (r == 0 ? "" : ", ") << p.buffers[op.reads[r].buffer.at()].name;
    line << ")";
    if (!op.loops.empty()) line << " over";
    for (const spyre::LoopVar& v : op.loops)
        line << " " << v.name << ":" << v.extent << (v.isReduction ? "r" : "");
    if (i < p.divisions.size() && !p.divisions[i].splits.empty()) {
        bool any = false;
        for (std::size_t v = 0; v < op.loops.size(); ++v) {
            if (p.divisions[i].splits[v] <= 1) continue;
            line << (any ? " " : " | split ") << op.loops[v].name << "/" << p.divisions[i].splits[v];
            any = true;
        }
    }
    for (std::size_t level = 0; level < op.loop.counts.size(); ++level)
        line << (level == 0 ? " | loop " : " x ") << op.loop.counts[level];
    if (!result.isValid()) return;
    if (p.buffers[result.at()].layout) line << " | layout ";
    if (p.buffers[result.at()].layout) line.list(p.buffers[result.at()].layout->deviceSize);
    const auto& entries = state.scratchpad.entries;
    if (result.at() < entries.size() && entries[result.at()].address) line << " | lx " << *entries[result.at()].address;
}

}  // namespace

std::string snapshotText(const State& state) {
    std::string text;
    text.reserve(state.program.ops.size() * 120);
    for (std::size_t i = 0; i < state.program.ops.size(); ++i) {
        writeOp(Line(text), state, i);
        text.push_back('\n');
    }
    return text;
}

}  // namespace memplan::spyre
