// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/torchwright/transformer/inflate.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace memplan::verify::transformer {
namespace {

constexpr std::size_t kWindow = 32768;      ///< farthest copy
constexpr std::size_t kPiece = 256 * 1024;  ///< unpacked before the sink is asked
constexpr std::size_t kLongestCode = 15;
constexpr std::string_view kTooShort = "the compressed data end too early";
constexpr std::string_view kBadCode = "the compressed data hold an invalid code";

constexpr std::array<std::uint16_t, 29> kLengthBase{3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                                    31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
constexpr std::array<std::uint8_t, 29> kLengthExtra{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                                    2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};

class Bits {
public:
    explicit Bits(std::string_view bytes) : bytes_(bytes) {}

    /// The next bits, the first one lowest; zeros behind the end.
    std::uint32_t peek(unsigned count) {
        if (held_ < count) fill();
        return static_cast<std::uint32_t>(pending_ & ((std::uint64_t{1} << count) - 1));
    }
    void drop(unsigned count) {
        pending_ >>= count;
        held_ -= count;
    }
    std::uint32_t take(unsigned count) {
        const std::uint32_t value = peek(count);
        drop(count);
        return value;
    }
    void skipToByte() { drop(held_ % 8); }
    /// Some of the zeros behind the end were used.
    [[nodiscard]] bool isPastEnd() const { return held_ < behindEnd_; }

private:
    void fill() {
        for (; held_ <= 56; held_ += 8) {
            if (at_ < bytes_.size()) {
                pending_ |= std::uint64_t{static_cast<unsigned char>(bytes_[at_++])} << held_;
            } else {
                behindEnd_ += 8;
            }
        }
    }

    std::string_view bytes_;
    std::size_t at_ = 0;
    std::uint64_t pending_ = 0, held_ = 0, behindEnd_ = 0;
};

/// A canonical prefix code: symbols sorted by length, then by value.
class PrefixCode {
public:
    /// False for lengths that claim more codes than there are.
    bool build(std::span<const std::uint8_t> lengths) {
        count_ = {};
        symbols_.clear();
        for (const std::uint8_t length : lengths)
            ++count_[length];
        count_[0] = 0;
        std::int32_t left = 1;
        for (std::size_t length = 1; length <= kLongestCode; ++length) {
            left = left * 2 - count_[length];
            if (left < 0) return false;
        }
        for (std::size_t length = 1; length <= kLongestCode; ++length)
            for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol)
                if (lengths[symbol] == length) symbols_.push_back(static_cast<std::uint16_t>(symbol));
        listShorts();
        return true;
    }

    /// -1 for bits that are no code.
    int next(Bits& bits) const {
        const Short known = shorts_[bits.peek(kShortBits)];
        if (known.bits == 0) return nextLong(bits);
        bits.drop(known.bits);
        return known.symbol;
    }

private:
    static constexpr unsigned kShortBits = 9;
    /// What begins with these bits, where the code has no more of them.
    struct Short {
        std::uint16_t symbol = 0;
        std::uint8_t bits = 0;
    };

    void listShorts() {
        shorts_ = {};
        std::uint32_t code = 0;
        std::size_t index = 0;
        for (unsigned length = 1; length <= kShortBits; ++length, code <<= 1)
            for (std::int32_t i = 0; i < count_[length]; ++i, ++code)
                listShort({symbols_[index++], static_cast<std::uint8_t>(length)}, code);
    }

    void listShort(Short known, std::uint32_t code) {
        std::size_t begin = 0;
        for (unsigned bit = 0; bit < known.bits; ++bit)
            begin |= std::size_t{(code >> bit) & 1U} << (known.bits - 1U - bit);
        for (std::size_t at = begin; at < shorts_.size(); at += std::size_t{1} << known.bits)
            shorts_[at] = known;
    }

    int nextLong(Bits& bits) const {
        std::int32_t code = 0, first = 0, index = 0;
        for (std::size_t length = 1; length <= kLongestCode; ++length) {
            code |= static_cast<std::int32_t>(bits.take(1));
            if (code - first < count_[length]) return symbols_[static_cast<std::size_t>(index + code - first)];
            index += count_[length];
            first = (first + count_[length]) << 1;
            code <<= 1;
        }
        return -1;
    }

    std::array<std::int32_t, kLongestCode + 1> count_{};
    std::basic_string<std::uint16_t> symbols_;
    std::array<Short, std::size_t{1} << kShortBits> shorts_{};
};

class Inflater {
public:
    Inflater(std::string_view packed, const PieceSink& sink) : bits_(packed), sink_(sink) {}

    std::string_view run() {
        for (bool isLast = false; !isLast && !isStopped_;) {
            isLast = bits_.take(1) != 0;
            const std::string_view wrong = block(bits_.take(2));
            if (!wrong.empty()) return wrong;
            if (bits_.isPastEnd()) return kTooShort;
        }
        flush(0);
        return {};
    }

private:
    std::string_view block(std::uint32_t kind) {
        if (kind == 0) return stored();
        if (kind == 3) return "the compressed data have a block of an unknown kind";
        const std::string_view wrong = kind == 1 ? fixedCodes() : dynamicCodes();
        return wrong.empty() ? coded() : wrong;
    }

    std::string_view stored() {
        bits_.skipToByte();
        const std::uint32_t size = bits_.take(16);
        if (size != (~bits_.take(16) & 0xFFFFU)) return "a stored block of the compressed data has a wrong length";
        for (std::uint32_t i = 0; i < size && !bits_.isPastEnd(); ++i)
            put(static_cast<char>(bits_.take(8)));
        return {};
    }

    std::string_view fixedCodes() {
        std::array<std::uint8_t, 288> lengths{};
        std::fill(lengths.begin(), lengths.begin() + 144, std::uint8_t{8});
        std::fill(lengths.begin() + 144, lengths.begin() + 256, std::uint8_t{9});
        std::fill(lengths.begin() + 256, lengths.begin() + 280, std::uint8_t{7});
        std::fill(lengths.begin() + 280, lengths.end(), std::uint8_t{8});
        std::array<std::uint8_t, 30> distances{};
        distances.fill(5);
        return literals_.build(lengths) && distances_.build(distances) ? std::string_view{} : kBadCode;
    }

    std::string_view dynamicCodes() {
        constexpr std::array<std::uint8_t, 19> kOrder{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
        const std::size_t literals = bits_.take(5) + 257, distances = bits_.take(5) + 1, meta = bits_.take(4) + 4;
        std::array<std::uint8_t, 19> metaLengths{};
        for (std::size_t i = 0; i < meta; ++i)
            metaLengths[kOrder[i]] = static_cast<std::uint8_t>(bits_.take(3));
        PrefixCode code;
        if (literals > 286 || distances > 30 || !code.build(metaLengths)) return kBadCode;
        std::array<std::uint8_t, 286 + 30> lengths{};
        for (std::size_t at = 0; at < literals + distances;) {
            const int symbol = code.next(bits_);
            if (symbol < 0) return kBadCode;
            const std::size_t count = symbol < 16 ? 1 : repeats(symbol);
            if (symbol == 16 && at == 0) return kBadCode;
            const std::uint8_t length =
                symbol < 16 ? static_cast<std::uint8_t>(symbol) : (symbol == 16 ? lengths[at - 1] : std::uint8_t{0});
            if (count > literals + distances - at) return kBadCode;
            std::fill_n(lengths.begin() + static_cast<std::ptrdiff_t>(at), count, length);
            at += count;
        }
        const std::span<const std::uint8_t> all(lengths);
        const bool isGood = literals_.build(all.first(literals)) && distances_.build(all.subspan(literals, distances));
        return isGood ? std::string_view{} : kBadCode;
    }

    std::size_t repeats(int symbol) {
        if (symbol == 16) return 3 + bits_.take(2);
        if (symbol == 17) return 3 + bits_.take(3);
        return 11 + bits_.take(7);
    }

    std::string_view coded() {
        constexpr int kEnd = 256;
        while (!isStopped_) {
            const int symbol = literals_.next(bits_);
            if (bits_.isPastEnd()) return kTooShort;
            if (symbol < 0) return kBadCode;
            if (symbol == kEnd) return {};
            if (symbol < kEnd) {
                put(static_cast<char>(symbol));
                continue;
            }
            if (const std::string_view wrong = copy(static_cast<std::size_t>(symbol - kEnd - 1)); !wrong.empty())
                return wrong;
        }
        return {};
    }

    std::string_view copy(std::size_t lengthSymbol) {
        if (lengthSymbol >= kLengthBase.size()) return kBadCode;
        const std::size_t length = kLengthBase[lengthSymbol] + bits_.take(kLengthExtra[lengthSymbol]);
        const int symbol = distances_.next(bits_);
        if (symbol < 0) return kBadCode;
        std::size_t distance = static_cast<std::size_t>(symbol) + 1;
        if (symbol >= 4) {
            const auto extra = static_cast<unsigned>(symbol / 2 - 1);
            distance = ((2 + static_cast<std::size_t>(symbol % 2)) << extra) + 1 + bits_.take(extra);
        }
        if (distance > out_.size()) return "the compressed data copy from before their start";
        appendCopy(distance, length);
        flush(kPiece);
        return {};
    }

    /// A copy may reach into itself: then what it copied first repeats.
    void appendCopy(std::size_t distance, std::size_t length) {
        const std::size_t begin = out_.size();
        if (distance == 1) return static_cast<void>(out_.append(length, out_.back()));
        out_.resize(begin + length);
        for (std::size_t i = begin; i < begin + length; ++i)
            out_[i] = out_[i - distance];
    }

    void put(char c) {
        out_.push_back(c);
        flush(kPiece);
    }

    /// Gives the sink what is new, once it is more than `least` bytes; the window stays.
    void flush(std::size_t least) {
        if (out_.size() - given_ <= least || isStopped_) return;
        isStopped_ = !sink_(std::string_view(out_).substr(given_));
        out_.erase(0, out_.size() - std::min(out_.size(), kWindow));
        given_ = out_.size();
    }

    Bits bits_;
    const PieceSink& sink_;
    PrefixCode literals_, distances_;
    std::string out_;
    std::size_t given_ = 0;  ///< bytes of out_ that the sink has
    bool isStopped_ = false;
};

}  // namespace

std::string_view inflateStream(std::string_view packed, const PieceSink& sink) {
    return Inflater(packed, sink).run();
}

}  // namespace memplan::verify::transformer
