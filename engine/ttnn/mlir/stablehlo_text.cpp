// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/mlir/stablehlo_text.h"

#include "engine/ttnn/mlir/scanner.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace memplan::ttnn {

namespace {

using scan::findOutside;
using scan::skipBalanced;
using scan::skipBlanks;
using scan::skipWord;
using scan::splitList;
using scan::trimmed;

constexpr std::size_t kNone = std::string_view::npos;

/// Behind the type that begins at `at`.
std::size_t skipType(std::string_view s, std::size_t at) {
    at = skipBlanks(s, at);
    if (at >= s.size()) return kNone;
    if (s[at] == '(') {
        const std::size_t close = skipBalanced(s, at);
        if (close == kNone) return kNone;
        const std::size_t arrow = skipBlanks(s, close);
        return s.substr(arrow, 2) == "->" ? skipType(s, arrow + 2) : close;
    }
    if (s[at] == '!') ++at;
    const std::size_t word = skipWord(s, at);
    if (word == at) return kNone;
    return word < s.size() && s[word] == '<' ? skipBalanced(s, word) : word;
}

/// One pretty operation, taken apart.
struct Pretty {
    std::string name;            ///< without the dialect
    std::string_view arguments;  ///< between the name and the colon before the types
    std::vector<std::string_view> operands;
    std::vector<std::string_view> types;  ///< as listed; one function type or some types
    std::size_t end = 0;

    [[nodiscard]] bool hasFunctionType() const { return types.size() == 1 && types[0].starts_with('('); }
    [[nodiscard]] std::vector<std::string_view> inputTypes() const {
        const std::string_view t = types[0];
        return splitList(t.substr(1, skipBalanced(t, 0) - 2));
    }
};

std::vector<std::string_view> valuesIn(std::string_view s) {
    std::vector<std::string_view> values;
    for (std::size_t at = 0; at < s.size();) {
        if (s[at] == '"') {
            at = scan::skipString(s, at);
            continue;
        }
        if (s[at] != '%') {
            ++at;
            continue;
        }
        std::size_t end = skipWord(s, at + 1);
        if (end < s.size() && s[end] == '#') end = skipWord(s, end + 1);
        values.push_back(s.substr(at, end - at));
        at = end;
    }
    return values;
}

/// The value behind `key =` among the arguments, up to the next comma; empty without one.
std::string_view valueOf(std::string_view arguments, std::string_view key) {
    for (std::size_t at = arguments.find(key); at != kNone; at = arguments.find(key, at + 1)) {
        const bool isWord = at == 0 || !scan::isWordPart(arguments[at - 1]);
        const std::size_t equals = skipBlanks(arguments, at + key.size());
        if (!isWord || equals >= arguments.size() || arguments[equals] != '=') continue;
        const std::size_t begin = equals + 1;
        return trimmed(arguments.substr(begin, findOutside(arguments, ',', begin, arguments.size()) - begin));
    }
    return {};
}

/// "[1, 0]" as "array<i64: 1, 0>".
std::string arrayOf(std::string_view list) {
    std::string_view inside = trimmed(list);
    if (inside.starts_with('[')) inside = trimmed(inside.substr(1, inside.size() - 2));
    return inside.empty() ? "array<i64>" : "array<i64: " + std::string(inside) + ">";
}

/// "[0] x [1]" as its two lists.
std::pair<std::string, std::string> twoLists(std::string_view value) {
    const std::size_t first = value.empty() ? kNone : skipBalanced(value, 0);
    if (first == kNone) return {"[]", "[]"};
    const std::size_t second = value.find('[', first);
    if (second == kNone) return {std::string(value.substr(0, first)), "[]"};
    return {std::string(value.substr(0, first)), std::string(trimmed(value.substr(second)))};
}

std::string sliceProperties(std::string_view arguments) {
    const std::size_t open = arguments.find('[');
    const std::size_t close = open == kNone ? kNone : skipBalanced(arguments, open);
    if (close == kNone) return {};
    std::string starts, limits, strides;
    for (const std::string_view part : splitList(arguments.substr(open + 1, close - open - 2))) {
        const std::size_t one = part.find(':');
        const std::size_t two = one == kNone ? kNone : part.find(':', one + 1);
        const std::string comma = starts.empty() ? "" : ", ";
        starts += comma + std::string(trimmed(part.substr(0, one)));
        const std::string_view rest = one == kNone ? std::string_view("1") : part.substr(one + 1);
        limits += comma + std::string(trimmed(rest.substr(0, two == kNone ? kNone : two - one - 1)));
        strides += comma + (two == kNone ? std::string("1") : std::string(trimmed(part.substr(two + 1))));
    }
    return "limit_indices = " + arrayOf(limits) + ", start_indices = " + arrayOf(starts) +
           ", strides = " + arrayOf(strides);
}

std::string dotProperties(std::string_view arguments) {
    const auto batch = twoLists(valueOf(arguments, "batching_dims"));
    const auto contract = twoLists(valueOf(arguments, "contracting_dims"));
    return "dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = " + batch.first +
           ", rhs_batching_dimensions = " + batch.second + ", lhs_contracting_dimensions = " + contract.first +
           ", rhs_contracting_dimensions = " + contract.second + ">";
}

std::string compareProperties(std::string_view arguments) {
    const std::string direction(splitList(arguments).empty() ? std::string_view() : splitList(arguments).front());
    return "comparison_direction = #stablehlo<comparison_direction " + direction + ">";
}

std::string quoted(std::string_view s) {
    std::string out = "\"";
    for (const char c : s) {
        if (c == '"' || c == '\\') out += '\\';
        if (c == '\n')
            out += "\\n";
        else
            out += c;
    }
    return out + "\"";
}

/// The properties of the generic form. What is not known keeps its text.
std::string propertiesOf(const Pretty& op) {
    const std::string_view a = op.arguments;
    if (op.name == "constant") return "value = " + std::string(a);
    if (op.name == "transpose") return "permutation = " + arrayOf(valueOf(a, "dims"));
    if (op.name == "broadcast_in_dim") return "broadcast_dimensions = " + arrayOf(valueOf(a, "dims"));
    if (op.name == "concatenate") return "dimension = " + std::string(valueOf(a, "dim")) + " : i64";
    if (op.name == "iota") return "iota_dimension = " + std::string(valueOf(a, "dim")) + " : i64";
    if (op.name == "slice") return sliceProperties(a);
    if (op.name == "dot_general") return dotProperties(a);
    if (op.name == "compare") return compareProperties(a);
    std::string_view rest = a;
    for (const std::string_view value : op.operands) {
        if (!rest.starts_with(value)) return "memplan.text = " + quoted(a);
        rest = trimmed(rest.substr(value.size()));
        if (rest.starts_with(',')) rest = trimmed(rest.substr(1));
    }
    return rest.empty() ? std::string() : "memplan.text = " + quoted(a);
}

std::string typeText(const Pretty& op) {
    if (op.hasFunctionType()) return std::string(op.types[0]);
    std::string inputs;
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
        if (i > 0) inputs += ", ";
        inputs += op.types[std::min(i, op.types.size() - 1)];
    }
    const std::string result = op.name == "return" ? "()" : std::string(op.types.back());
    return "(" + inputs + ") -> " + result;
}

std::string joined(const std::vector<std::string_view>& parts) {
    std::string out;
    for (const std::string_view part : parts)
        out += (out.empty() ? "" : ", ") + std::string(part);
    return out;
}

std::string lineBreaks(std::string_view s) {
    return std::string(static_cast<std::size_t>(std::ranges::count(s, '\n')), '\n');
}

/// `(%a init: %i), (%b init: %j)`: first all inputs, then all initial values.
std::vector<std::string_view> reduceOperands(std::string_view head) {
    std::vector<std::string_view> values = valuesIn(head), out;
    for (std::size_t i = 0; i < values.size(); i += 2)
        out.push_back(values[i]);
    for (std::size_t i = 1; i < values.size(); i += 2)
        out.push_back(values[i]);
    return out;
}

/// `reduce(...) applies stablehlo.add across dimensions = [1]`: the body is that one operation.
std::optional<std::string> appliedBody(const Pretty& op, int& serial) {
    const std::size_t applies = op.arguments.find("applies");
    if (applies == kNone || !op.hasFunctionType()) return std::nullopt;
    const std::size_t begin = skipBlanks(op.arguments, applies + 7);
    const std::string name(op.arguments.substr(begin, skipWord(op.arguments, begin) - begin));
    const auto inputs = op.inputTypes();
    if (inputs.size() != 2 || name.empty()) return std::nullopt;
    const std::string type(inputs[1]), id = std::to_string(serial++);
    const std::string a = "%memplan_a" + id, b = "%memplan_b" + id, r = "%memplan_r" + id;
    return "({ ^bb0(" + a + ": " + type + ", " + b + ": " + type + "): " + r + " = \"" + name + "\"(" + a + ", " + b +
           ") : (" + type + ", " + type + ") -> " + type + " \"stablehlo.return\"(" + r + ") : (" + type + ") -> () })";
}

std::optional<RewrittenOperation> reduce(std::string_view s, const Pretty& op, int& serial) {
    const std::size_t across = op.arguments.find("across");
    if (across == kNone || !op.hasFunctionType()) return std::nullopt;
    const std::string head = "\"stablehlo.reduce\"(" +
                             joined(reduceOperands(op.arguments.substr(0, op.arguments.find("applies")))) +
                             ") <{dimensions = " + arrayOf(valueOf(op.arguments.substr(across), "dimensions")) + "}> ";
    const std::string types = " : " + std::string(op.types[0]);
    if (const auto body = appliedBody(op, serial)) return RewrittenOperation{head + *body + types, op.end};
    const std::size_t reducer = skipBlanks(s, op.end);
    if (s.substr(reducer, 7) != "reducer") return std::nullopt;
    const std::size_t open = skipBlanks(s, reducer + 7);
    const std::size_t close = open < s.size() && s[open] == '(' ? skipBalanced(s, open) : kNone;
    const std::size_t brace = close == kNone ? kNone : skipBlanks(s, close);
    if (brace == kNone || brace >= s.size() || s[brace] != '{') return std::nullopt;
    // `brace` opens the body: the caller goes on behind it and closes with the types.
    const std::string arguments(s.substr(open, close - open));
    return RewrittenOperation{head + "({ ^bb0" + arguments + ":" + lineBreaks(s.substr(op.end, open - op.end)),
                              brace + 1, ")" + types};
}

std::optional<Pretty> takeApart(std::string_view s, std::size_t at) {
    Pretty op;
    const std::size_t nameEnd = skipWord(s, at);
    const std::string_view word = s.substr(at, nameEnd - at);
    op.name = word.substr(word.find('.') + 1);
    const std::size_t colon = findOutside(s, ':', nameEnd, s.size());
    if (op.name == "return" && trimmed(s.substr(nameEnd, colon - nameEnd)).starts_with('}')) return std::nullopt;
    if (colon >= s.size()) return std::nullopt;
    op.arguments = trimmed(s.substr(nameEnd, colon - nameEnd));
    op.operands = valuesIn(op.arguments);
    std::size_t next = colon;
    do {
        const std::size_t begin = skipBlanks(s, next + 1);
        next = skipType(s, begin);
        if (next == kNone) return std::nullopt;
        op.types.push_back(s.substr(begin, next - begin));
        op.end = next;
        next = skipBlanks(s, next);
    } while (next < s.size() && s[next] == ',' && !op.hasFunctionType());
    return op;
}

}  // namespace

std::optional<RewrittenOperation> genericStableHlo(std::string_view s, std::size_t at, int& serial) {
    auto op = takeApart(s, at);
    if (!op) return std::nullopt;
    if (op->name == "reduce") return reduce(s, *op, serial);
    // A constant's value has its type behind it: that is the type of the operation.
    if (op->name == "constant") {
        const std::string type(op->types[0]);
        return RewrittenOperation{"\"stablehlo.constant\"() <{value = " + std::string(op->arguments) + " : " + type +
                                      "}> : () -> " + type,
                                  op->end};
    }
    const std::string properties = propertiesOf(*op);
    const std::string braces = properties.empty() ? std::string() : " <{" + properties + "}>";
    const std::string dialect(s.substr(at, s.find('.', at) - at));
    return RewrittenOperation{"\"" + dialect + "." + op->name + "\"(" + joined(op->operands) + ")" + braces + " : " +
                                  typeText(*op) + lineBreaks(s.substr(at, op->end - at)),
                              op->end};
}

}  // namespace memplan::ttnn
