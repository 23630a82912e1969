// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/mlir/prepass.h"
#include "engine/ttnn/mlir/scanner.h"

#include <algorithm>

namespace memplan::ttnn {

namespace {

/// Calls `use` with sigil and name of every alias that may stand in the text, `other` with what is between.
template <class Use, class Other> void eachSigil(std::string_view text, const Use& use, const Other& other) {
    std::size_t from = 0, at = 0;
    while (at < text.size()) {
        if (text[at] == '"') {
            at = scan::skipString(text, at);
        } else if (text[at] == '#' || text[at] == '!') {
            const std::size_t end = scan::skipWord(text, at + 1);
            other(text.substr(from, at - from));
            use(text.substr(at, end - at));
            from = at = end;
        } else {
            ++at;
        }
    }
    other(text.substr(from));
}

}  // namespace

AliasSizes::Size AliasSizes::of(std::string_view use, int level) {
    const std::string* definition = definitionOf(use, prepared_);
    if (definition == nullptr) return {use.size(), 0};
    const std::string key(use);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    if (level > kDeepest) return {kMost + 1, level};
    Size size;
    eachSigil(
        *definition,
        [&](std::string_view inner) {
            const Size more = of(inner, level + 1);
            size.bytes = std::min(size.bytes + more.bytes, kMost + 1);
            size.depth = std::max(size.depth, more.depth + 1);
        },
        [&](std::string_view between) { size.bytes = std::min(size.bytes + between.size(), kMost + 1); });
    if (size.depth > kDeepest) size.bytes = kMost + 1;
    return known_.emplace(key, size).first->second;
}

const std::string* definitionOf(std::string_view use, const PreparedText& prepared) {
    if (use.size() < 2) return nullptr;
    const auto& table = use[0] == '#' ? prepared.attributeAliases : prepared.typeAliases;
    const auto found = table.find(use.substr(1));
    return found == table.end() ? nullptr : &found->second;
}

std::string AliasExpander::expand(std::string_view text) {
    std::string out;
    eachSigil(
        text,
        [&](std::string_view use) {
            const std::string* whole = expanded(use);
            out += whole != nullptr ? std::string_view(*whole) : use;
        },
        [&](std::string_view between) { out += between; });
    return out;
}

const std::string* AliasExpander::expanded(std::string_view use) {
    const std::string* definition = definitionOf(use, prepared_);
    if (definition == nullptr) return nullptr;
    const std::string key(use);
    if (const auto known = expanded_.find(key); known != expanded_.end()) return &known->second;
    std::string whole = expand(*definition);
    return &expanded_.emplace(key, std::move(whole)).first->second;
}

}  // namespace memplan::ttnn
