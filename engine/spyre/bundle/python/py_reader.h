// SPDX-License-Identifier: Apache-2.0
// Reads Python literals out of a source text, by the grammar of spyre-coarse-tiling-and-bundle 9.2.
#pragma once

#include "engine/base/result.h"
#include "engine/plan/op_spec/py_value.h"

#include <string>
#include <string_view>

namespace memplan::bundle {

/// "line:column" of an offset, both from 1.
[[nodiscard]] std::string placeIn(std::string_view text, std::size_t offset);

class PyReader {
public:
    PyReader(std::string_view text, std::size_t offset) : s_(text), i_(offset) {}

    /// The next value; errors BND-102 with line:column: syntax, nesting over 64, integers beyond 64 bits.
    [[nodiscard]] Result<PyValue> value();
    /// Behind blanks and comments: takes `c` when it is next.
    bool take(char c);
    [[nodiscard]] std::size_t offset() const { return i_; }
    [[nodiscard]] Error expected(std::string_view what) const;

private:
    void blanks();
    void fail(std::string_view what);
    [[nodiscard]] bool failed() const { return !error_.empty(); }
    [[nodiscard]] char peek() const { return i_ < s_.size() ? s_[i_] : '\0'; }
    PyValue parse();
    PyValue number(bool negative);
    PyValue string();
    PyValue word();
    PyValue sequence(PyKind kind, char end);
    PyValue dict();
    void arguments(PyValue& call);
    std::string identifier();

    std::string_view s_;
    std::size_t i_ = 0, place_ = 0;
    int depth_ = 0;
    std::string error_;
};

}  // namespace memplan::bundle
