// SPDX-License-Identifier: Apache-2.0
// What a misspelt name may have meant, as the fix of an error.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace memplan {

/// `did you mean "NEAREST"?` and, as a sentence of its own, `also`; `also` alone where no candidate is like `wanted`.
[[nodiscard]] std::string didYouMean(std::string_view wanted, const std::vector<std::string>& candidates,
                                     std::string_view also = {});

}  // namespace memplan
