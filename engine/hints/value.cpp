// SPDX-License-Identifier: Apache-2.0
#include "engine/hints/value.h"

namespace memplan::hints {

std::string_view kindText(JsonKind kind) {
    switch (kind) {
    case JsonKind::Null:
        return "null";
    case JsonKind::Bool:
        return "true or false";
    case JsonKind::Integer:
        return "a whole number";
    case JsonKind::Real:
        return "a number with a fraction";
    case JsonKind::String:
        return "a text";
    case JsonKind::Array:
        return "an array";
    case JsonKind::Object:
        break;
    }
    return "an object";
}

}  // namespace memplan::hints
