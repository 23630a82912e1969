// SPDX-License-Identifier: Apache-2.0
#include "plan/input_hash.h"

#include "base/hash.h"
#include "base/text.h"

#include <bit>

namespace memplan {
namespace {

void hashTensor(std::string& key, const Tensor& t) {
    key.append(t.id).push_back('\0');
    key.append(dtypeName(t.dtype)).push_back('\0');
    for (const std::int64_t extent : t.shape)
        key.append(std::to_string(extent)).push_back('x');
    key.append(roleName(t.role)).append(std::to_string(t.aliasOf.index)).append(std::to_string(t.aliasOffset));
    std::string last;
    for (std::size_t i = 0; i < t.value.size(); ++i) {
        // Bits, as zeros of either sign have texts of their own.
        if (i == 0 || std::bit_cast<std::uint64_t>(t.value[i]) != std::bit_cast<std::uint64_t>(t.value[i - 1]))
            last = text::number(t.value[i]) + ',';
        key.append(last);
    }
    key.push_back('\n');
}

void hashMaps(std::string& key, const std::vector<OperandMap>& maps) {
    for (const OperandMap& map : maps) {
        key.push_back(map ? '(' : '-');
        if (!map) continue;
        for (const IndexExpr& e : *map) {
            key.append(e.dataDependent ? "?" : std::to_string(e.constant));
            for (const auto& term : e.terms) {
                key.append("+").append(std::to_string(term.coefficient)).append("*").append(std::to_string(term.loop));
            }
            key.push_back(';');
        }
    }
}

void hashOp(std::string& key, const Op& op) {
    key.append(op.id).push_back('\0');
    key.append(opKindName(op.kind)).append(op.fn).push_back('\0');
    for (const BufferId in : op.inputs)
        key.append(std::to_string(in.index)).push_back(',');
    key.push_back('>');
    for (const BufferId out : op.outputs)
        key.append(std::to_string(out.index)).push_back(',');
    for (const IterDim& d : op.iter)
        key.append(std::to_string(d.size)).push_back(d.kind == IterKind::Reduction ? 'r' : 'p');
    hashMaps(key, op.inMaps);
    hashMaps(key, op.outMaps);
    key.append(std::to_string(op.group.index)).push_back('\n');
}

/// False for the settings under which the same plan comes out: how many threads work on it (settings.md 1), whether its
/// execution is recorded beside it, how it is simulated.
bool decidesPlan(std::string_view key) {
    return key != "engine.threads" && !key.starts_with("plan.") && !key.starts_with("sim.");
}

/// JSON without the blanks between its parts: a file need not keep them.
void appendWithoutBlanks(std::string& key, std::string_view json) {
    bool isText = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
        if (!isText && (json[i] == ' ' || json[i] == '\n' || json[i] == '\t' || json[i] == '\r')) continue;
        key.push_back(json[i]);
        if (isText && json[i] == '\\' && i + 1 < json.size())
            key.push_back(json[++i]);
        else if (json[i] == '"')
            isText = !isText;
    }
}

}  // namespace

std::string inputHash(const HashedInput& input) {
    std::string key;
    key.reserve(input.graph->ops.size() * 100);
    key.append(targetName(input.target)).push_back('\n');
    std::uint64_t hash = fnv1a({});
    for (const Tensor& t : input.graph->tensors) {
        hashTensor(key, t);
        hash = fnv1a(key, hash);
        key.clear();
    }
    for (const Op& op : input.graph->ops)
        hashOp(key, op);
    for (const BufferId in : input.graph->inputs)
        key.append(std::to_string(in.index)).push_back('<');
    for (const BufferId out : input.graph->outputs)
        key.append(std::to_string(out.index)).push_back('>');
    for (const Group& g : input.graph->groups)
        key.append(g.id).append(g.kind).append(std::to_string(g.parent.index));
    for (const SettingInfo& s : allSettings()) {
        if (!decidesPlan(s.key)) continue;
        key.append(s.key).append("=").append(input.settings->textOf(s.key)).push_back('\n');
    }
    if (input.calibrationSha256) key.append(*input.calibrationSha256).push_back('\n');
    for (const Hint& h : *input.hints) {
        if (!h.enabled) continue;
        key.append(h.target).append(h.key);
        appendWithoutBlanks(key, h.valueJson);
        for (const std::string& scope : h.scopes)
            key.append(scope).push_back('|');
    }
    key.append(input.stopAfter);
    return hex16(fnv1a(key, hash));
}

}  // namespace memplan
