// SPDX-License-Identifier: Apache-2.0
#include "engine/base/numeric.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace memplan {
namespace {

__extension__ using Wide = unsigned __int128;

std::uint64_t mulMod(std::uint64_t a, std::uint64_t b, std::uint64_t n) {
    return static_cast<std::uint64_t>(static_cast<Wide>(a) * b % n);
}

std::uint64_t powMod(std::uint64_t base, std::uint64_t exponent, std::uint64_t n) {
    std::uint64_t result = 1;
    for (; exponent > 0; exponent >>= 1U, base = mulMod(base, base, n)) {
        if ((exponent & 1U) != 0) result = mulMod(result, base, n);
    }
    return result;
}

/// Miller-Rabin for odd n above the bases; these bases decide every 64-bit number.
bool isPrime(std::uint64_t n) {
    constexpr std::array<std::uint64_t, 12> kBases{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
    const int twos = std::countr_zero(n - 1);
    return std::all_of(kBases.begin(), kBases.end(), [&](std::uint64_t base) {
        std::uint64_t x = powMod(base, (n - 1) >> static_cast<unsigned>(twos), n);
        if (x == 1 || x == n - 1) return true;
        for (int i = 1; i < twos; ++i) {
            x = mulMod(x, x, n);
            if (x == n - 1) return true;
        }
        return false;
    });
}

/// A proper factor of an odd composite n, by Pollard's rho: about the square root of that factor in steps.
std::uint64_t properFactor(std::uint64_t n) {
    for (std::uint64_t c = 1;; ++c) {
        const auto next = [&](std::uint64_t x) {
            return static_cast<std::uint64_t>((static_cast<Wide>(x) * x + c) % n);
        };
        std::uint64_t slow = 2;
        std::uint64_t fast = 2;
        std::uint64_t factor = 1;
        while (factor == 1) {
            slow = next(slow);
            fast = next(next(fast));
            factor = std::gcd(slow > fast ? slow - fast : fast - slow, n);
        }
        if (factor != n) return factor;
    }
}

/// Prime factors of n >= 1 with repetition, in any order. Small ones are tried one by one, what is left has at most
/// four large ones: the time is bounded for every 64-bit number, which trial division alone is not.
void collectPrimes(std::uint64_t n, std::vector<std::uint64_t>& primes) {
    constexpr std::uint64_t kTried = 1U << 12U;
    for (std::uint64_t p = 2; p < kTried && p * p <= n; p += p == 2 ? 1 : 2) {
        for (; n % p == 0; n /= p)
            primes.push_back(p);
    }
    std::vector<std::uint64_t> open;
    if (n > 1) open.push_back(n);
    while (!open.empty()) {
        const std::uint64_t m = open.back();
        open.pop_back();
        if (m < kTried * kTried || isPrime(m)) {
            primes.push_back(m);
            continue;
        }
        const std::uint64_t factor = properFactor(m);
        open.push_back(factor);
        open.push_back(m / factor);
    }
}

}  // namespace

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
    if (n < 1) return {};
    std::vector<std::uint64_t> primes;
    collectPrimes(static_cast<std::uint64_t>(n), primes);
    std::sort(primes.begin(), primes.end());
    std::vector<std::int64_t> all{1};
    for (std::size_t i = 0; i < primes.size();) {
        const std::size_t shorter = all.size();
        std::int64_t power = 1;
        for (const std::uint64_t prime = primes[i]; i < primes.size() && primes[i] == prime; ++i) {
            power *= static_cast<std::int64_t>(prime);
            for (std::size_t d = 0; d < shorter; ++d)
                all.push_back(all[d] * power);
        }
    }
    std::sort(all.begin(), all.end());
    return all;
}

std::int64_t largestDivisorUpTo(std::int64_t n, std::int64_t limit) {
    for (std::int64_t i = std::min(n, limit); i > 1; --i) {
        if (n % i == 0) return i;
    }
    return 1;
}

}  // namespace memplan
