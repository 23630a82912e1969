// SPDX-License-Identifier: Apache-2.0
#include "engine/sim/eval/functions.h"

#include "engine/base/text.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace memplan::sim {
namespace {

/// Spellings of one function: in device files, in other systems, in the neutral graph (last).
constexpr std::array<std::pair<std::string_view, std::string_view>, 27> kSpellings = {{
    {"realdiv", "div"},
    {"maximum", "max"},
    {"minimum", "min"},
    {"relufwd", "relu"},
    {"batchmatmul", "matmul"},
    {"bmm", "matmul"},
    {"batchmatmulfp8", "matmul"},
    {"amax", "max"},
    {"amin", "min"},
    {"equal", "eq"},
    {"notequal", "ne"},
    {"greaterthan", "gt"},
    {"greaterequal", "ge"},
    {"lesserthan", "lt"},
    {"lesserequal", "le"},
    {"clone", "identity"},
    {"copy", "identity"},
    {"transpose", "identity"},
    {"slice", "identity"},
    {"concat", "identity"},
    {"expand", "identity"},
    {"tile", "identity"},
    {"ReStickifyOpHBM", "identity"},
    {"lx_evict", "identity"},
    {"lx_reload", "identity"},
    {"lx_relayout", "identity"},
    {"contiguous", "identity"},
}};

constexpr std::array<std::string_view, 11> kCommutative = {"add", "mul", "max", "min",         "eq",        "ne",
                                                           "and", "or",  "xor", "logical_and", "logical_or"};

/// Attributes that say how data is walked, which the index maps say already, or that only keep books.
constexpr std::array<std::string_view, 14> kBookkeeping = {"axis",    "axes",      "perm",   "pads",     "kernel",
                                                           "strides", "dilations", "group",  "keepdims", "pool",
                                                           "steps",   "ceil_mode", "origin", "part"};

std::string joinedText(const auto& list, auto&& one) {
    std::string out;
    for (const auto& item : list)
        out += (out.empty() ? "" : ",") + one(item);
    return out;
}

struct AttributeText {
    std::string operator()(bool b) const { return b ? "true" : "false"; }
    std::string operator()(std::int64_t i) const { return std::to_string(i); }
    std::string operator()(double d) const { return text::number(d); }
    std::string operator()(const std::string& s) const { return s; }
    template <class T> std::string operator()(const std::vector<T>& list) const {
        return joinedText(list, [this](const auto& item) { return (*this)(T(item)); });
    }
};

}  // namespace

std::string canonicalFunction(std::string_view name) {
    constexpr std::string_view kSuffix = "nonstick";
    if (name.size() > kSuffix.size() && name.ends_with(kSuffix)) name.remove_suffix(kSuffix.size());
    const auto it =
        std::find_if(kSpellings.begin(), kSpellings.end(), [&](const auto& pair) { return pair.first == name; });
    return std::string(it == kSpellings.end() ? name : it->second);
}

bool isIdentity(std::string_view canonical) {
    return canonical == "identity";
}

bool isCommutative(std::string_view canonical) {
    return std::find(kCommutative.begin(), kCommutative.end(), canonical) != kCommutative.end();
}

std::string functionAttributes(const Op& op) {
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const auto& [key, value] : op.attrs) {
        if (std::find(kBookkeeping.begin(), kBookkeeping.end(), key) != kBookkeeping.end()) continue;
        pairs.emplace_back(key, std::visit(AttributeText(), value));
    }
    std::sort(pairs.begin(), pairs.end());
    std::string out;
    for (const auto& [key, value] : pairs)
        out += (out.empty() ? "" : ";") + key + "=" + value;
    return out;
}

Function::Function(std::string_view canonical, std::string_view attributes, std::uint64_t seed)
    : key_(keyOf(std::string(canonical) + "(" + std::string(attributes) + ")", seed)),
      identity_(isIdentity(canonical) && attributes.empty()), commutative_(isCommutative(canonical)) {}

Value Function::apply(std::span<const Value> operands) const {
    if (operands.size() == 1) return apply(operands[0]);
    if (operands.size() == 2) return apply(operands[0], operands[1]);
    std::uint64_t state = key_;
    if (commutative_) {
        std::vector<Value> sorted(operands.begin(), operands.end());
        std::sort(sorted.begin(), sorted.end());
        for (const Value v : sorted)
            state = joined(state, v);
        return finished(state);
    }
    for (const Value v : operands)
        state = joined(state, v);
    return finished(state);
}

}  // namespace memplan::sim
