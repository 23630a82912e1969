// SPDX-License-Identifier: Apache-2.0
#include "base/numeric.h"

#include <algorithm>

namespace memplan {

std::optional<std::int64_t> checkedProduct(std::span<const std::int64_t> values) {
    // A zero anywhere makes the product zero even when the other factors overflow.
    if (std::find(values.begin(), values.end(), 0) != values.end()) return 0;
    std::int64_t product = 1;
    for (const std::int64_t v : values) {
        const auto next = checkedMul(product, v);
        if (!next) return std::nullopt;
        product = *next;
    }
    return product;
}

std::vector<std::int64_t> divisors(std::int64_t n) {
    std::vector<std::int64_t> low;
    std::vector<std::int64_t> high;
    for (std::int64_t i = 1; i <= n / i; ++i) {
        if (n % i != 0) continue;
        low.push_back(i);
        if (i != n / i) high.push_back(n / i);
    }
    low.insert(low.end(), high.rbegin(), high.rend());
    return low;
}

std::int64_t largestDivisorUpTo(std::int64_t n, std::int64_t limit) {
    for (std::int64_t i = std::min(n, limit); i > 1; --i) {
        if (n % i == 0) return i;
    }
    return 1;
}

}  // namespace memplan
