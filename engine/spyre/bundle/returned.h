// SPDX-License-Identifier: Apache-2.0
// What call(args) of a wrapper source returns (spyre-coarse-tiling-and-bundle 12.1).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace memplan::bundle {

/// Some elements of a tensor, as torch describes them: element (i, j, ..) is host element offset + i * strides[0] + ...
struct HostView {
    std::vector<std::int64_t> shape, strides;  ///< elements
    std::int64_t offset = 0;                   ///< elements
    friend bool operator==(const HostView&, const HostView&) = default;
};

/// One tensor of the return line: a buffer or an argument by its name, or a view of it,
/// reinterpret_tensor(NAME, (SHAPE), (STRIDES), OFFSET). A name may be returned more than once.
struct Returned {
    std::string name;
    std::optional<HostView> view = {};

    Returned(const char* text) : name(text) {}  // NOLINT(google-explicit-constructor): a name is a whole tensor
    Returned(std::string text) : name(std::move(text)) {}  // NOLINT(google-explicit-constructor)
    Returned(std::string text, std::optional<HostView> part) : name(std::move(text)), view(std::move(part)) {}
    friend bool operator==(const Returned&, const Returned&) = default;
};

}  // namespace memplan::bundle
