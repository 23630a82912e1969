// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/ttnn/op_facts.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace memplan::verify::ttnn {
namespace {

bool isDigit(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// Whole numbers of the text that are no part of a word: the 32 of i32 is none.
std::vector<std::int64_t> numbersIn(std::string_view text) {
    std::vector<std::int64_t> numbers;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool isSigned = text[i] == '-' && i + 1 < text.size() && isDigit(text[i + 1]);
        if (!isDigit(text[i]) && !isSigned) continue;
        const bool isInWord =
            i > 0 && (std::isalnum(static_cast<unsigned char>(text[i - 1])) != 0 || text[i - 1] == '_');
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(text.data() + i, text.data() + text.size(), value);
        if (!isInWord && error == std::errc()) numbers.push_back(value);
        i = static_cast<std::size_t>(end - text.data());
    }
    return numbers;
}

}  // namespace

std::string_view kindOf(const TtnnOp& op) {
    const std::size_t dot = op.name.find('.');
    return dot == std::string::npos ? std::string_view(op.name) : std::string_view(op.name).substr(dot + 1);
}

bool isConvolution(const TtnnOp& op) {
    return kindOf(op) == "conv2d" || kindOf(op) == "conv_transpose2d";
}

OpFacts::OpFacts(const Plan& plan, const TtnnOp& facts, const Device& machine) : op(facts), device(machine) {
    const auto add = [&plan](const std::vector<TtnnTensor>& tensors, std::vector<Tensor>& list) {
        for (const TtnnTensor& t : tensors)
            list.push_back({plan.buffer(t.buffer).shape, t.layout});
    };
    add(facts.operands, in);
    add(facts.results, out);
}

const std::string* OpFacts::attribute(std::string_view name) const {
    const auto it = std::ranges::find(op.attributes, name, [](const auto& a) -> std::string_view { return a.first; });
    return it == op.attributes.end() ? nullptr : &it->second;
}

bool OpFacts::flag(std::string_view name) const {
    const std::string* text = attribute(name);
    return text != nullptr && text->starts_with("true");
}

std::int64_t OpFacts::integer(std::string_view name, std::int64_t otherwise) const {
    const std::vector<std::int64_t> numbers = integers(name);
    return numbers.empty() ? otherwise : numbers.front();
}

std::vector<std::int64_t> OpFacts::integers(std::string_view name) const {
    const std::string* text = attribute(name);
    return text == nullptr ? std::vector<std::int64_t>() : numbersIn(*text);
}

std::array<std::int64_t, 2> OpFacts::pair(std::string_view name, std::int64_t otherwise) const {
    const std::vector<std::int64_t> numbers = integers(name);
    if (numbers.empty()) return {otherwise, otherwise};
    return {numbers.front(), numbers.size() > 1 ? numbers[1] : numbers.front()};
}

}  // namespace memplan::verify::ttnn
