// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/mlir/prepass.h"
#include "engine/ttnn/mlir/scanner.h"

namespace memplan::ttnn {

namespace {

constexpr int kDeepest = 64;
constexpr std::size_t kMostBytes = std::size_t{256} << 20;  ///< of all expansions of a file together

}  // namespace

std::string AliasExpander::expand(std::string_view text) {
    return expandAt(text, 0);
}

std::string AliasExpander::expandAt(std::string_view text, int depth) {
    std::string out;
    std::size_t at = 0;
    while (at < text.size()) {
        const char c = text[at];
        if (c == '"') {
            const std::size_t end = scan::skipString(text, at);
            out += text.substr(at, end - at);
            at = end;
            continue;
        }
        if (c != '#' && c != '!') {
            out += c;
            ++at;
            continue;
        }
        const std::size_t end = scan::skipWord(text, at + 1);
        const std::string* definition = definitionOf(c, text.substr(at + 1, end - at - 1), depth);
        out += definition != nullptr ? std::string_view(*definition) : text.substr(at, end - at);
        at = end;
        if (isTooLarge_) return out;
    }
    spent_ += out.size();
    isTooLarge_ = isTooLarge_ || spent_ > kMostBytes;
    return out;
}

const std::string* AliasExpander::definitionOf(char sigil, std::string_view name, int depth) {
    const auto& table = sigil == '#' ? prepared_.attributeAliases : prepared_.typeAliases;
    const auto found = table.find(name);
    if (found == table.end()) return nullptr;
    const std::string key = sigil + std::string(name);
    if (const auto known = expanded_.find(key); known != expanded_.end()) return &known->second;
    if (depth > kDeepest) {
        isTooLarge_ = true;
        return nullptr;
    }
    std::string whole = expandAt(found->second, depth + 1);
    return &expanded_.emplace(key, std::move(whole)).first->second;
}

}  // namespace memplan::ttnn
