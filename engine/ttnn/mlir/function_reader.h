// SPDX-License-Identifier: Apache-2.0
// From the tree of plain operations to functions and their values.
#pragma once

#include "engine/base/result.h"
#include "engine/ttnn/mlir/ir.h"
#include "engine/ttnn/mlir/prepass.h"

#include <optional>
#include <string>
#include <vector>

namespace memplan::ttnn {

/// What all functions of a file share: aliases, types read once, places.
class TreeReader {
public:
    TreeReader(const ir::Tree& tree, const PreparedText& prepared, const Device& device)
        : tree_(tree), prepared_(prepared), device_(device), aliases_(prepared), types_(tree.types.size()) {}

    [[nodiscard]] Result<Function> function(const ir::Operation& from);
    /// Text of attributes without aliases.
    [[nodiscard]] Attributes expanded(const Attributes& from);
    [[nodiscard]] std::string expanded(std::string_view text);
    [[nodiscard]] std::string place(std::size_t at) const { return prepared_.map.placeOfResult(at); }
    /// An operation and everything in it as generic text, aliases expanded.
    [[nodiscard]] std::string genericText(const ir::Operation& from);
    [[nodiscard]] const ir::Tree& tree() const { return tree_; }
    [[nodiscard]] std::vector<Diagnostic> takeWarnings() { return std::move(warnings_); }

private:
    Result<Type> type(int index, std::size_t at);
    std::string typeText(int index) { return expanded(tree_.types[static_cast<std::size_t>(index)]); }
    std::string valueTypes(const std::vector<int>& values);
    Attributes functionProperties(const ir::Operation& from);
    std::string blockText(const ir::Block& block, std::size_t number);

    const ir::Tree& tree_;
    const PreparedText& prepared_;
    const Device& device_;
    AliasExpander aliases_;
    std::vector<std::optional<Type>> types_;
    std::vector<Diagnostic> warnings_;

    friend class FunctionReader;
};

}  // namespace memplan::ttnn
