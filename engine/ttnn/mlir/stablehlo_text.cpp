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
    const std::size_t end = word < s.size() && s[word] == '<' ? skipBalanced(s, word) : word;
    if (end == kNone) return kNone;
    const std::size_t arrow = skipBlanks(s, end);
    return s.substr(arrow, 2) == "->" ? skipType(s, arrow + 2) : end;
}

/// One pretty operation, taken apart.
struct Pretty {
    std::string dialect, name;
    std::string_view arguments;   ///< between the name and the colon before the types, without the dictionary
    std::string_view dictionary;  ///< `{...}`, may be empty
    std::vector<std::string_view> operands;
    std::vector<std::string_view> types;  ///< as listed; one function type or some types
    std::size_t end = 0;

    /// `(a, b) -> c`, or `a -> c` where there is one operand.
    [[nodiscard]] bool hasFunctionType() const {
        return types.size() == 1 && (types[0].starts_with('(') || types[0].find("->") != kNone);
    }
    [[nodiscard]] std::vector<std::string_view> inputTypes() const {
        const std::string_view t = types[0];
        if (!t.starts_with('(')) return {trimmed(t.substr(0, t.find("->")))};
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

/// `window = {stride = [..], pad = [[..], ..], ...}` and `dim_numbers = [..]x[..]->[..]`.
std::string convolutionProperties(std::string_view arguments) {
    std::string_view window = valueOf(arguments, "window");
    if (window.size() > 1) window = window.substr(1, window.size() - 2);
    std::string out = "dimension_numbers = #stablehlo.conv<" + std::string(valueOf(arguments, "dim_numbers")) + ">";
    for (const auto& [key, name] :
         {std::pair{"stride", "window_strides"}, {"lhs_dilate", "lhs_dilation"}, {"rhs_dilate", "rhs_dilation"}}) {
        if (const auto list = valueOf(window, key); !list.empty())
            out += ", " + std::string(name) + " = " + arrayOf(list);
    }
    const std::string_view pad = valueOf(window, "pad");
    if (!pad.empty())
        out += ", padding = dense<" + std::string(pad) + "> : tensor<" +
               std::to_string(std::ranges::count(pad, '[') - 1) + "x2xi64>";
    std::string_view reverse = valueOf(window, "reverse");
    if (reverse.size() > 1)
        out += ", window_reversal = array<i1: " + std::string(reverse.substr(1, reverse.size() - 2)) + ">";
    return out;
}

std::string padProperties(std::string_view arguments) {
    return "edge_padding_high = " + arrayOf(valueOf(arguments, "high")) +
           ", edge_padding_low = " + arrayOf(valueOf(arguments, "low")) +
           ", interior_padding = " + arrayOf(valueOf(arguments, "interior"));
}

/// `@name(...)` of a custom call, `"name" ...` of a composite.
std::string calleeProperties(const Pretty& op) {
    const std::string_view a = op.arguments;
    if (op.name == "composite") return "name = " + std::string(a.substr(0, scan::skipString(a, 0)));
    const std::size_t open = std::min(a.find('('), a.size());
    const std::string name(trimmed(a.substr(1, open - 1)));
    return "call_target_name = " + (name.starts_with('"') ? name : "\"" + name + "\"");
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
    if (op.name == "convolution") return convolutionProperties(a);
    if (op.name == "pad") return padProperties(a);
    if (op.name == "reverse") return "dimensions = " + arrayOf(valueOf(a, "dims"));
    if (op.name == "dynamic_slice") return "slice_sizes = " + arrayOf(valueOf(a, "sizes"));
    if (op.name == "broadcast") return "broadcast_sizes = " + arrayOf(valueOf(a, "sizes"));
    if ((op.name == "custom_call" && a.starts_with('@')) || (op.name == "composite" && a.starts_with('"')))
        return calleeProperties(op);
    std::string_view rest = a;
    for (const std::string_view value : op.operands) {
        if (!rest.starts_with(value)) return "memplan.text = " + quoted(a);
        rest = trimmed(rest.substr(value.size()));
        if (rest.starts_with(',')) rest = trimmed(rest.substr(1));
    }
    return rest.empty() ? std::string() : "memplan.text = " + quoted(a);
}

/// Types of the operands where the text names other ones: of parts, of the elements of a tuple.
std::vector<std::string> operandTypes(const Pretty& op) {
    std::vector<std::string> types;
    if (op.name == "tuple") {
        const std::string_view t = op.types[0];
        for (const std::string_view part : splitList(t.substr(t.find('<') + 1, t.rfind('>') - t.find('<') - 1)))
            types.emplace_back(part);
        return types;
    }
    for (std::size_t i = 0; i < op.operands.size(); ++i)
        types.emplace_back(op.types[std::min(i, op.types.size() - 1)]);
    if (op.name != "complex") return types;
    for (std::string& type : types) {
        const std::size_t open = type.find("complex<"), close = open == kNone ? kNone : type.find('>', open);
        if (close != kNone)
            type = type.substr(0, open) + type.substr(open + 8, close - open - 8) + type.substr(close + 1);
    }
    return types;
}

std::string typeText(const Pretty& op) {
    if (op.hasFunctionType() && !op.types[0].starts_with('('))
        return "(" + std::string(op.inputTypes()[0]) + ") " + std::string(op.types[0].substr(op.types[0].find("->")));
    if (op.hasFunctionType()) return std::string(op.types[0]);
    std::string inputs;
    for (const std::string& type : operandTypes(op))
        inputs += (inputs.empty() ? "" : ", ") + type;
    std::string result = op.name == "return" ? "()" : std::string(op.types.back());
    if (op.name == "optimization_barrier") result = "(" + inputs + ")";
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

/// `(%a: T, %b: T) (%c: U, %d: U)`, pairs of what is reduced and its value, as `(%a: T, %c: U, %b: T, %d: U)`; the
/// position behind.
std::optional<std::pair<std::string, std::size_t>> reducerArguments(std::string_view s, std::size_t at) {
    std::vector<std::string_view> first, second;
    while (at < s.size() && s[at] == '(') {
        const std::size_t close = skipBalanced(s, at);
        if (close == kNone) return std::nullopt;
        const auto pair = splitList(s.substr(at + 1, close - at - 2));
        if (pair.size() != 2) return std::nullopt;
        first.push_back(pair[0]);
        second.push_back(pair[1]);
        at = skipBlanks(s, close);
    }
    if (first.empty()) return std::nullopt;
    return std::pair("(" + joined(first) + ", " + joined(second) + ")", at);
}

std::optional<RewrittenOperation> reduce(std::string_view s, const Pretty& op, int& serial) {
    const std::size_t across = op.arguments.find("across");
    if (across == kNone || !op.hasFunctionType()) return std::nullopt;
    const std::string head = "\"stablehlo.reduce\"(" +
                             joined(reduceOperands(op.arguments.substr(0, op.arguments.find("applies")))) +
                             ") <{dimensions = " + arrayOf(valueOf(op.arguments.substr(across), "dimensions")) + "}> ";
    const std::string types =
        (op.dictionary.empty() ? "" : " " + std::string(op.dictionary)) + " : " + std::string(op.types[0]);
    if (const auto body = appliedBody(op, serial)) return RewrittenOperation{head + *body + types, op.end};
    const std::size_t reducer = skipBlanks(s, op.end);
    if (s.substr(reducer, 7) != "reducer") return std::nullopt;
    const std::size_t open = skipBlanks(s, reducer + 7);
    const auto arguments = reducerArguments(s, open);
    if (!arguments || arguments->second >= s.size() || s[arguments->second] != '{') return std::nullopt;
    // The brace opens the body: the caller goes on behind it and closes with the types.
    return RewrittenOperation{head + "({ ^bb0" + arguments->first + ":" +
                                  lineBreaks(s.substr(op.end, arguments->second - op.end)),
                              arguments->second + 1, ")" + types};
}

/// Behind `word` at `at`; npos where another word stands there.
std::size_t behindWord(std::string_view s, std::size_t at, std::string_view word) {
    at = skipBlanks(s, at);
    if (at >= s.size() || s.substr(at, skipWord(s, at) - at) != word) return kNone;
    return at + word.size();
}

/// `while(%i = %a, ...) : T, ... [attributes {...}] cond { ... } do { ... }`: two regions with the same arguments.
std::optional<RewrittenOperation> loop(std::string_view s, const Pretty& op) {
    if (!op.arguments.starts_with('(') || op.hasFunctionType()) return std::nullopt;
    const auto pairs = splitList(op.arguments.substr(1, op.arguments.size() - 2));
    if (pairs.size() != op.types.size()) return std::nullopt;
    std::string arguments;
    std::vector<std::string_view> operands;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const std::size_t equals = pairs[i].find('=');
        if (equals == kNone) return std::nullopt;
        arguments +=
            (i > 0 ? ", " : "") + std::string(trimmed(pairs[i].substr(0, equals))) + ": " + std::string(op.types[i]);
        operands.push_back(trimmed(pairs[i].substr(equals + 1)));
    }
    std::string attributes;
    std::size_t at = op.end;
    if (const std::size_t behind = behindWord(s, at, "attributes"); behind != kNone) {
        const std::size_t open = skipBlanks(s, behind);
        at = open < s.size() && s[open] == '{' ? skipBalanced(s, open) : kNone;
        if (at == kNone) return std::nullopt;
        attributes = " " + std::string(s.substr(open, at - open));
    }
    at = behindWord(s, at, "cond");
    const std::size_t brace = at == kNone ? kNone : skipBlanks(s, at);
    if (brace == kNone || brace >= s.size() || s[brace] != '{') return std::nullopt;
    const std::string types = joined(op.types);
    const std::string block = op.types.empty() ? std::string() : "^bb0(" + arguments + "):";
    return RewrittenOperation{"\"" + op.dialect + ".while\"(" + joined(operands) + ") ({ " + block +
                                  lineBreaks(s.substr(op.end, brace - op.end)),
                              brace + 1, ")" + attributes + " : (" + types + ") -> (" + types + ")", ", { " + block};
}

/// `manual_computation(%a, ...) in_shardings=[..] out_shardings=[..] manual_axes={..} (%b: T, ...) { ... } : type`.
std::optional<RewrittenOperation> manualComputation(std::string_view s, std::size_t at, std::size_t nameEnd) {
    const std::size_t close = nameEnd < s.size() && s[nameEnd] == '(' ? skipBalanced(s, nameEnd) : kNone;
    if (close == kNone) return std::nullopt;
    const std::size_t open = findOutside(s, '(', close, s.size());
    const std::size_t behind = open >= s.size() ? kNone : skipBalanced(s, open);
    const std::size_t brace = behind == kNone ? kNone : skipBlanks(s, behind);
    if (brace == kNone || brace >= s.size() || s[brace] != '{') return std::nullopt;
    std::string properties;
    for (const auto& [key, begin] : {std::pair{"in_shardings", "#sdy.sharding_per_value<"},
                                     {"manual_axes", "#sdy<manual_axes"},
                                     {"out_shardings", "#sdy.sharding_per_value<"}}) {
        const std::size_t word = s.substr(0, open).find(key, close);
        const std::size_t value = word == kNone ? kNone : skipBlanks(s, s.find('=', word) + 1);
        const std::size_t end = value == kNone || value >= open ? kNone : skipBalanced(s, value);
        if (end == kNone) return std::nullopt;
        properties += (properties.empty() ? "" : ", ") + std::string(key) + " = " + begin +
                      std::string(s.substr(value, end - value)) + ">";
    }
    const std::string arguments(s.substr(open, behind - open));
    return RewrittenOperation{"\"sdy.manual_computation\"" + std::string(s.substr(nameEnd, close - nameEnd)) + " <{" +
                                  properties + "}> ({ " + (arguments == "()" ? "" : "^bb0" + arguments + ":") +
                                  lineBreaks(s.substr(at, brace - at)),
                              brace + 1, ")"};
}

/// Cuts the dictionary off the arguments: the last `{...}` that is no value of anything.
void takeDictionary(Pretty& op) {
    const std::string_view a = op.arguments;
    for (std::size_t at = 0; at < a.size();) {
        const std::size_t open = findOutside(a, '{', at, a.size());
        const std::size_t close = open >= a.size() ? kNone : skipBalanced(a, open);
        if (close == kNone) return;
        at = close;
        if (trimmed(a.substr(0, open)).ends_with('=')) continue;
        op.dictionary = a.substr(open, close - open);
        // In front of it or behind: a constant has its value there.
        op.arguments = trimmed(a.substr(0, open)).empty() ? trimmed(a.substr(close)) : trimmed(a.substr(0, open));
        return;
    }
}

std::optional<Pretty> takeApart(std::string_view s, std::size_t at) {
    Pretty op;
    const std::size_t nameEnd = skipWord(s, at);
    const std::string_view word = s.substr(at, nameEnd - at);
    op.dialect = word.substr(0, word.find('.'));
    op.name = word.substr(word.find('.') + 1);
    const std::size_t colon = findOutside(s, ':', nameEnd, s.size());
    if (op.name == "return" && trimmed(s.substr(nameEnd, colon - nameEnd)).starts_with('}')) return std::nullopt;
    if (colon >= s.size()) return std::nullopt;
    op.arguments = trimmed(s.substr(nameEnd, colon - nameEnd));
    takeDictionary(op);
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

/// `sdy.return` without values has no types behind it.
bool isEmptyReturn(std::string_view s, std::size_t nameEnd) {
    const std::size_t next = skipBlanks(s, nameEnd);
    return next < s.size() && s[next] != '%';
}

/// `sdy.mesh @name = <...>`
std::optional<RewrittenOperation> mesh(std::string_view s, std::size_t nameEnd) {
    const std::size_t sign = skipBlanks(s, nameEnd);
    if (sign >= s.size() || s[sign] != '@') return std::nullopt;
    const bool isQuoted = s.substr(sign + 1, 1) == "\"";
    const std::size_t end = isQuoted ? scan::skipString(s, sign + 1) : skipWord(s, sign + 1);
    const std::size_t equals = skipBlanks(s, end);
    const std::size_t open = equals < s.size() && s[equals] == '=' ? skipBlanks(s, equals + 1) : kNone;
    const std::size_t close = open != kNone && open < s.size() && s[open] == '<' ? skipBalanced(s, open) : kNone;
    if (close == kNone) return std::nullopt;
    const std::string name(s.substr(sign + 1, end - sign - 1));
    return RewrittenOperation{"\"sdy.mesh\"() <{mesh = #sdy.mesh" + std::string(s.substr(open, close - open)) +
                                  ", sym_name = " + (isQuoted ? name : "\"" + name + "\"") + "}> : () -> ()",
                              close};
}

}  // namespace

bool isStableHloWord(std::string_view word) {
    return word.starts_with("stablehlo.") || word.starts_with("chlo.") || word.starts_with("sdy.") ||
           word.starts_with("mhlo.");
}

std::optional<RewrittenOperation> genericStableHlo(std::string_view s, std::size_t at, int& serial) {
    const std::size_t nameEnd = skipWord(s, at);
    const std::string_view word = s.substr(at, nameEnd - at);
    if (word == "sdy.mesh") return mesh(s, nameEnd);
    if (word == "sdy.manual_computation") return manualComputation(s, at, nameEnd);
    if (word.ends_with(".return") && isEmptyReturn(s, nameEnd))
        return RewrittenOperation{"\"" + std::string(word) + "\"() : () -> ()", nameEnd};
    auto op = takeApart(s, at);
    if (!op) return std::nullopt;
    if (op->name == "reduce") return reduce(s, *op, serial);
    if (op->name == "while") return loop(s, *op);
    const std::string dictionary = op->dictionary.empty() ? std::string() : " " + std::string(op->dictionary);
    // A constant's value has its type behind it: that is the type of the operation.
    if (op->name == "constant") {
        const std::string type(op->types[0]);
        return RewrittenOperation{"\"" + std::string(word) + "\"() <{value = " + std::string(op->arguments) + " : " +
                                      type + "}>" + dictionary + " : () -> " + type,
                                  op->end};
    }
    const std::string properties = propertiesOf(*op);
    const std::string braces = properties.empty() ? std::string() : " <{" + properties + "}>";
    return RewrittenOperation{"\"" + std::string(word) + "\"(" + joined(op->operands) + ")" + braces + dictionary +
                                  " : " + typeText(*op) + lineBreaks(s.substr(at, op->end - at)),
                              op->end};
}

}  // namespace memplan::ttnn
