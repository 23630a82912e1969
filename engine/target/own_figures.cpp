// SPDX-License-Identifier: Apache-2.0
#include "engine/target/own_figures.h"

#include "engine/target/target.h"

#include <algorithm>
#include <cctype>

namespace memplan {

namespace {

std::span<const FigureInfo> figuresOfTarget(std::string_view id) {
    const Target* target = findTarget(id);
    return target != nullptr ? target->figures() : std::span<const FigureInfo>();
}

}  // namespace

std::span<const FigureInfo> figuresOf(const Plan& plan) {
    return figuresOfTarget(plan.target);
}

const double* ownFigure(const Plan& plan, std::string_view key) {
    const auto& own = plan.metrics.own;
    const auto it = std::ranges::find(own, key, &std::pair<std::string, double>::first);
    return it == own.end() ? nullptr : &it->second;
}

bool isJudgedByBytes(std::string_view target) {
    return std::ranges::none_of(figuresOfTarget(target), &FigureInfo::isHeadline);
}

std::string inSentence(std::string_view title) {
    std::string words(title);
    if (!words.empty()) words[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(words[0])));
    return words;
}

}  // namespace memplan
