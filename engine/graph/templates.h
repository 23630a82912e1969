// SPDX-License-Identifier: Apache-2.0
// Small graphs made from a few numbers, to start from (user-experience 4.1).
#pragma once

#include "engine/base/result.h"
#include "engine/graph/graph.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace memplan {

struct TemplateParameter {
    std::string_view key;    ///< "rows"
    std::string_view label;  ///< "Rows"
    std::int64_t byDefault = 1, least = 1, most = 1;
};

struct TemplateInfo {
    std::string_view id;        ///< "attention"
    std::string_view title;     ///< "Attention"
    std::string_view sentence;  ///< what it makes
    std::vector<TemplateParameter> parameters;
};

[[nodiscard]] const std::vector<TemplateInfo>& graphTemplates();

/// The graph of a template; `values` parallel to its parameters. Errors: SET-001 unknown id, SET-002
/// number of values or a value out of range, SET-003 values that contradict each other.
[[nodiscard]] Result<Graph> makeTemplate(std::string_view id, std::span<const std::int64_t> values);

}  // namespace memplan
