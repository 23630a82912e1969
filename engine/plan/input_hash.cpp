// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/input_hash.h"

#include "engine/base/hash.h"
#include "engine/base/text.h"
#include "engine/base/text_buffer.h"

#include <bit>

namespace memplan {
namespace {

void hashTensor(TextBuffer& key, const Tensor& t) {
    key.append(t.id).append('\0');
    key.append(dtypeName(t.dtype)).append('\0');
    for (const std::int64_t extent : t.shape)
        key.appendInteger(extent).append('x');
    key.append(roleName(t.role)).appendInteger(t.aliasOf.index).appendInteger(t.aliasOffset);
    std::string last;
    for (std::size_t i = 0; i < t.value.size(); ++i) {
        // Bits, as zeros of either sign have texts of their own.
        if (i == 0 || std::bit_cast<std::uint64_t>(t.value[i]) != std::bit_cast<std::uint64_t>(t.value[i - 1]))
            last = text::number(t.value[i]) + ',';
        key.append(last);
    }
    key.append('\n');
}

void hashMaps(TextBuffer& key, const std::vector<OperandMap>& maps) {
    for (const OperandMap& map : maps) {
        key.append(map ? '(' : '-');
        if (!map) continue;
        for (const IndexExpr& e : *map) {
            if (e.dataDependent) {
                key.append('?');
            } else {
                key.appendInteger(e.constant);
            }
            for (const auto& term : e.terms)
                key.append('+').appendInteger(term.coefficient).append('*').appendInteger(term.loop);
            key.append(';');
        }
    }
}

void hashOp(TextBuffer& key, const Op& op) {
    key.append(op.id).append('\0');
    key.append(opKindName(op.kind)).append(op.fn).append('\0');
    for (const TensorId in : op.inputs)
        key.appendInteger(in.index).append(',');
    key.append('>');
    for (const TensorId out : op.outputs)
        key.appendInteger(out.index).append(',');
    for (const IterDim& d : op.iter)
        key.appendInteger(d.size).append(d.kind == IterKind::Reduction ? 'r' : 'p');
    hashMaps(key, op.inMaps);
    hashMaps(key, op.outMaps);
    key.appendInteger(op.group.index).append('\n');
}

/// False for the settings under which the same plan comes out: how many threads work on it (settings.md 1), whether its
/// execution is recorded beside it, how it is simulated.
bool decidesPlan(std::string_view key) {
    return key != "engine.threads" && !key.starts_with("plan.") && !key.starts_with("sim.");
}

}  // namespace

std::string inputHash(const HashedInput& input) {
    TextBuffer key(input.graph->ops.size() * 100);
    key.append(input.target).append('\n');
    std::uint64_t hash = fnv1a({});
    for (const Tensor& t : input.graph->tensors) {
        hashTensor(key, t);
        hash = fnv1a(key.view(), hash);
        key.clear();
    }
    for (const Op& op : input.graph->ops)
        hashOp(key, op);
    for (const TensorId in : input.graph->inputs)
        key.appendInteger(in.index).append('<');
    for (const TensorId out : input.graph->outputs)
        key.appendInteger(out.index).append('>');
    for (const Group& g : input.graph->groups)
        key.append(g.id).append(g.kind).appendInteger(g.parent.index);
    for (const SettingInfo& s : allSettings()) {
        if (!decidesPlan(s.key)) continue;
        key.append(s.key).append("=").append(input.settings->textOf(s.key)).append('\n');
    }
    if (input.filesSha256) key.append(*input.filesSha256).append('\n');
    for (const Hint& h : *input.hints) {
        if (!h.enabled) continue;
        key.append(h.target).append(h.key).append(h.value.json());
        for (const std::string& scope : h.scopes)
            key.append(scope).append('|');
    }
    key.append(input.stopAfter).append(input.machine);
    return hex16(fnv1a(key.view(), hash));
}

}  // namespace memplan
