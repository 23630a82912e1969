// SPDX-License-Identifier: Apache-2.0
#include "engine/base/hash.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

namespace memplan {

namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";
constexpr std::size_t kBlock = 64;  // bytes that SHA-256 takes at a time

// FIPS 180-4, 4.2.2: first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> kRound{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

using Digest = std::array<std::uint32_t, 8>;

// FIPS 180-4, 5.3.3: first 32 bits of the fractional parts of the square roots of the first 8 primes.
constexpr Digest kStart{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

std::uint32_t bigEndian(const char* p) {
    std::array<unsigned char, 4> b{};
    std::memcpy(b.data(), p, b.size());
    return (std::uint32_t{b[0]} << 24U) | (std::uint32_t{b[1]} << 16U) | (std::uint32_t{b[2]} << 8U) | b[3];
}

std::array<std::uint32_t, 64> messageSchedule(const char* block) {
    std::array<std::uint32_t, 64> w{};
    for (std::size_t i = 0; i < 16; ++i)
        w[i] = bigEndian(block + 4 * i);
    for (std::size_t i = 16; i < 64; ++i) {
        const std::uint32_t s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3U);
        const std::uint32_t s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10U);
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    return w;
}

Digest compress(const Digest& before, const char* block) {
    const auto w = messageSchedule(block);
    auto [a, b, c, d, e, f, g, h] = before;
    for (std::size_t i = 0; i < 64; ++i) {
        const std::uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
        const std::uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + kRound[i] + w[i];
        const std::uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
        const std::uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + t2;
    }
    return {before[0] + a, before[1] + b, before[2] + c, before[3] + d,
            before[4] + e, before[5] + f, before[6] + g, before[7] + h};
}

/// The last block or two: the rest of the message, the bit 1, zeros and the length in bits.
std::string paddedTail(std::string_view rest, std::uint64_t messageBytes) {
    std::string tail(rest);
    tail += static_cast<char>(0x80);
    while (tail.size() % kBlock != kBlock - 8)
        tail += '\0';
    for (unsigned shift = 64; shift > 0; shift -= 8) {
        tail += static_cast<char>(static_cast<unsigned char>((messageBytes * 8) >> (shift - 8)));
    }
    return tail;
}

}  // namespace

std::uint64_t fnv1a(std::string_view bytes, std::uint64_t seed) {
    std::uint64_t hash = seed;
    for (const char c : bytes) {
        hash ^= static_cast<unsigned char>(c);
        hash *= 1099511628211ULL;
    }
    return hash;
}

std::string hex16(std::uint64_t value) {
    std::string out(16, '0');
    for (std::size_t i = 0; i < 16; ++i)
        out[15 - i] = kHexDigits[(value >> (4 * i)) & 15U];
    return out;
}

Sha256::Sha256() : digest_(kStart) {}

void Sha256::update(std::string_view piece) {
    bytes_ += piece.size();
    if (!rest_.empty()) {
        const std::size_t taken = std::min(kBlock - rest_.size(), piece.size());
        rest_ += piece.substr(0, taken);
        piece.remove_prefix(taken);
        if (rest_.size() < kBlock) return;
        digest_ = compress(digest_, rest_.data());
        rest_.clear();
    }
    while (piece.size() >= kBlock) {
        digest_ = compress(digest_, piece.data());
        piece.remove_prefix(kBlock);
    }
    rest_ = piece;
}

std::string Sha256::hex() const {
    Digest digest = digest_;
    const std::string tail = paddedTail(rest_, bytes_);
    for (std::size_t at = 0; at < tail.size(); at += kBlock)
        digest = compress(digest, tail.data() + at);
    std::string out;
    for (const std::uint32_t word : digest) {
        for (unsigned shift = 32; shift > 0; shift -= 4)
            out += kHexDigits[(word >> (shift - 4)) & 15U];
    }
    return out;
}

std::string sha256Hex(std::string_view bytes) {
    Sha256 hash;
    hash.update(bytes);
    return hash.hex();
}

}  // namespace memplan
