// SPDX-License-Identifier: Apache-2.0
// A Python literal as wrapper sources hold it (coarse-tiling-and-bundle 9.2 `value`). Never
// executed: calls are kept as data.
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memplan::bundle {

enum class PyKind : std::uint8_t { None, Bool, Int, Real, Str, List, Tuple, Dict, Name, Call };

struct PyValue {
    PyKind kind = PyKind::None;
    bool boolean = false;
    std::int64_t integer = 0;
    double real = 0;
    std::string text;                   ///< Str; dotted Name; function of a Call
    std::vector<PyValue> items;         ///< members; of a Dict keys and values in turn; arguments of a Call
    std::vector<std::string> keywords;  ///< of a Call: parallel to items, empty for a positional argument

    friend bool operator==(const PyValue&, const PyValue&) = default;

    [[nodiscard]] static PyValue ofInt(std::int64_t v);
    [[nodiscard]] static PyValue ofReal(double v);
    [[nodiscard]] static PyValue ofText(std::string v);
    [[nodiscard]] static PyValue dict();
    void put(std::string key, PyValue value);  ///< of a Dict: appends
    /// Member of a Dict or keyword argument of a Call, null when absent.
    [[nodiscard]] const PyValue* find(std::string_view key) const;
    [[nodiscard]] bool isEmptyDict() const { return kind == PyKind::Dict && items.empty(); }
};

/// As Python prints it: {'constants': {'clipMin': 0.5}}, 6.0, 1e-05, strings in single quotes.
[[nodiscard]] std::string pyText(const PyValue& v);
[[nodiscard]] std::string pyReal(double v);
[[nodiscard]] std::string pyString(std::string_view s);

}  // namespace memplan::bundle
