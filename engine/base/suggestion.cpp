// SPDX-License-Identifier: Apache-2.0
#include "engine/base/suggestion.h"

#include "engine/base/text.h"

#include <cctype>

namespace memplan {

std::string didYouMean(std::string_view wanted, const std::vector<std::string>& candidates, std::string_view also) {
    const std::string near = text::nearest(wanted, candidates);
    if (near.empty()) return std::string(also);
    std::string sentence = "did you mean \"" + near + "\"?";
    if (also.empty()) return sentence;
    sentence += std::string(" ") + static_cast<char>(std::toupper(static_cast<unsigned char>(also.front())));
    return sentence.append(also.substr(1));
}

}  // namespace memplan
