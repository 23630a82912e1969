// SPDX-License-Identifier: Apache-2.0
// Types of attributes (inputs-and-interchange 3.1): one of another type than its operator declares is an error, for its
// default would be taken in silence.
#pragma once

#include "engine/io/onnx/model.h"

#include <string_view>

namespace memplan::io::onnx {

/// Order of the alternatives of Attribute::value.
enum class AttributeType { None, Real, Integer, Text, Reals, Integers, Texts, Tensor };

[[nodiscard]] AttributeType typeOf(const Attribute& attribute);

/// ONNX-042 at the attribute, with both types in words.
[[noreturn]] void failAttributeType(const Node& node, std::string_view name, const Attribute& attribute,
                                    AttributeType wanted);

/// Every attribute of the node against the table of known names. Those of domains with names of their own (ai.onnx.ml)
/// are checked where a rule reads them.
void checkAttributeTypes(const Node& node);

}  // namespace memplan::io::onnx
