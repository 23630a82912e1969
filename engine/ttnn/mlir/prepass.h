// SPDX-License-Identifier: Apache-2.0
// The textual pass before MLIR text goes to the library (inputs-and-interchange 4.4): it rewrites the pretty forms of
// operations whose dialects are not registered to generic form, collects the definitions of aliases and checks nesting.
// Lines stay lines; every byte of the result knows the byte of the user's file that it stands for.
#pragma once

#include "engine/base/result.h"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memplan::ttnn {

/// Where pieces of a rewritten text come from.
class TextMap {
public:
    explicit TextMap(std::string_view original) : original_(original) {}

    /// The result goes on at `result` with what stands at `source`.
    void add(std::size_t result, std::size_t source) { pieces_.emplace_back(result, source); }
    /// Byte of the original for a byte of the result.
    [[nodiscard]] std::size_t source(std::size_t result) const;
    /// "line:column" of a byte of the original, both from 1.
    [[nodiscard]] std::string place(std::size_t source) const;
    [[nodiscard]] std::string placeOfResult(std::size_t result) const { return place(source(result)); }

private:
    std::string_view original_;
    std::vector<std::pair<std::size_t, std::size_t>> pieces_;
};

struct PreparedText {
    std::string text;
    TextMap map;
    std::map<std::string, std::string, std::less<>> attributeAliases;  ///< "dram" -> "#ttnn.buffer_type<dram>"
    std::map<std::string, std::string, std::less<>> typeAliases;       ///< without the `!`
    std::string resources;                                             ///< `{-# ... #-}`, else empty
};

/// MLIR-005 for brackets that do not close or are nested deeper than `nesting`, and for aliases that stand for more
/// text than anybody can want.
[[nodiscard]] Result<PreparedText> prepareText(std::string_view bytes, std::int64_t nesting);

/// What `#name` or `!name` stands for; null where that is no alias of the file.
[[nodiscard]] const std::string* definitionOf(std::string_view use, const PreparedText& prepared);

/// How long aliases are once everything in them is written out: few lines may stand for more than fits in memory.
class AliasSizes {
public:
    static constexpr std::size_t kMost = std::size_t{256} << 20;  ///< bytes of a file, all uses together
    static constexpr int kDeepest = 1024;                         ///< aliases inside aliases

    explicit AliasSizes(const PreparedText& prepared) : prepared_(prepared) {}
    /// Of one use; more than `kMost` for one that has no end.
    [[nodiscard]] std::size_t bytesOf(std::string_view use) { return of(use, 0).bytes; }

private:
    struct Size {
        std::size_t bytes = 0;
        int depth = 0;
    };
    Size of(std::string_view use, int level);

    const PreparedText& prepared_;
    std::map<std::string, Size, std::less<>> known_;
};

/// Replaces aliases inside opaque text, which the library passes on as it is, by what they stand for. `prepareText` has
/// seen to it that this ends.
class AliasExpander {
public:
    explicit AliasExpander(const PreparedText& prepared) : prepared_(prepared) {}
    [[nodiscard]] std::string expand(std::string_view text);

private:
    const std::string* expanded(std::string_view use);

    const PreparedText& prepared_;
    std::map<std::string, std::string, std::less<>> expanded_;  ///< by name with its sigil
};

}  // namespace memplan::ttnn
