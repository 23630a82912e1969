// SPDX-License-Identifier: Apache-2.0
#include "tests/app/fuzz/damage.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>
#include <vector>

namespace memplan::test {

namespace {

/// [begin, end) in a text.
struct Range {
    std::size_t begin = 0, end = 0;
    [[nodiscard]] std::size_t size() const { return end - begin; }
};

std::string part(const std::string& text, Range r) {
    return text.substr(r.begin, r.size());
}

bool isNumberSign(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '-';
}

/// The number after a random place, or an empty range.
Range numberAfter(const std::string& text, std::size_t at) {
    const auto isDigit = [&](std::size_t i) { return std::isdigit(static_cast<unsigned char>(text[i])) != 0; };
    while (at < text.size() && !isDigit(at))
        ++at;
    while (at > 0 && at < text.size() && isNumberSign(text[at - 1]))
        --at;
    Range r{at, at};
    while (r.end < text.size() && (isDigit(r.end) || (r.end == at && text[at] == '-')))
        ++r.end;
    return r;
}

bool isOpening(char c) {
    return c == '(' || c == '[' || c == '{';
}

bool isClosing(char c) {
    return c == ')' || c == ']' || c == '}';
}

/// The entry around a place: what stands between commas or brackets of its own level. Brackets inside strings are not
/// distinguished: the result is damage either way.
Range entryAround(const std::string& text, std::size_t at) {
    Range r{at, at};
    for (int depth = 0; r.begin > 0; --r.begin) {
        const char c = text[r.begin - 1];
        if (depth == 0 && (c == ',' || isOpening(c))) break;
        depth += isClosing(c) ? 1 : isOpening(c) ? -1 : 0;
    }
    for (int depth = 0; r.end < text.size(); ++r.end) {
        const char c = text[r.end];
        if (depth == 0 && (c == ',' || isClosing(c))) break;
        depth += isOpening(c) ? 1 : isClosing(c) ? -1 : 0;
    }
    return r;
}

class Damage {
public:
    Damage(std::string text, Random& random) : text_(std::move(text)), random_(random) {}

    std::string run() {
        for (std::size_t n = 1 + random_.below(3); n > 0 && !text_.empty(); --n)
            change();
        return std::move(text_);
    }

private:
    std::string text_;
    Random& random_;

    std::size_t place() { return random_.below(text_.size()); }

    void change() {
        switch (random_.below(20)) {
        case 0:
            text_[place()] = static_cast<char>(random_.below(256));
            return;
        case 1:
            text_.insert(place(), 1, "0-9[]{}(),\"':e.x\\"[random_.below(17)]);
            return;
        case 2:
            text_.erase(place(), 1 + random_.below(16));
            return;
        case 3:
            return repeatBytes();
        case 4:
            if (random_.below(3) == 0) text_.resize(place());
            return;
        case 5:
            return nest();
        case 6:
        case 7:
        case 8:
        case 9:
            return replaceNumber();
        case 10:
            return exchangeNumbers();
        case 11:
        case 12:
        case 13:
            return leaveOutEntry();
        case 14:
        case 15:
            return repeatEntry();
        case 16:
        case 17:
            return exchangeEntries();
        default:
            return replaceEntry();
        }
    }

    void repeatBytes() {
        const std::size_t at = place();
        text_.insert(at, text_.substr(at, 1 + random_.below(40)));
    }

    void nest() {
        const std::size_t at = place();
        const std::size_t depth = random_.below(4) == 0 ? 20'000 : 1 + random_.below(80);
        const auto kind = random_.below(3);
        text_.insert(at, std::string(depth, "[{("[kind]));
        if (random_.below(2) == 0) text_.insert(at + depth, std::string(depth, "]})"[kind]));
    }

    void replaceNumber() {
        static constexpr std::array kNumbers{"0",
                                             "-1",
                                             "1",
                                             "2",
                                             "3",
                                             "7",
                                             "63",
                                             "64",
                                             "65",
                                             "127",
                                             "128",
                                             "255",
                                             "256",
                                             "1024",
                                             "4095",
                                             "65536",
                                             "1048576",
                                             "2147483647",
                                             "2147483648",
                                             "-2147483648",
                                             "4294967296",
                                             "68719476736",
                                             "1099511627776",
                                             "281474976710656",
                                             "4611686018427387904",
                                             "9223372036854775807",
                                             "9223372036854775808",
                                             "-9223372036854775808",
                                             "18446744073709551615",
                                             "99999999999999999999",
                                             "0.5",
                                             "1.5",
                                             "-0.0",
                                             "1e308",
                                             "1e400",
                                             "1e-320",
                                             "null",
                                             "true",
                                             "\"\"",
                                             "[]",
                                             "{}",
                                             "\"7\""};
        const Range r = numberAfter(text_, place());
        if (r.size() == 0) return;
        text_.replace(r.begin, r.size(), kNumbers[random_.below(kNumbers.size())]);
    }

    void exchangeNumbers() { exchange(numberAfter(text_, place()), numberAfter(text_, place())); }

    void leaveOutEntry() {
        Range r = entryAround(text_, place());
        if (r.end < text_.size() && text_[r.end] == ',') {
            ++r.end;
        } else if (r.begin > 0 && text_[r.begin - 1] == ',') {
            --r.begin;
        }
        text_.erase(r.begin, r.size());
    }

    void repeatEntry() {
        const Range r = entryAround(text_, place());
        if (r.size() > 20'000) return;
        const std::string entry = part(text_, r);
        for (std::size_t n = random_.below(8) == 0 ? 200 : 1; n > 0 && text_.size() < 400'000; --n)
            text_.insert(r.end, "," + entry);
    }

    void exchangeEntries() { exchange(entryAround(text_, place()), entryAround(text_, place())); }

    void replaceEntry() {
        const std::string other = part(text_, entryAround(text_, place()));
        const Range r = entryAround(text_, place());
        if (other.size() < 20'000) text_.replace(r.begin, r.size(), other);
    }

    void exchange(Range a, Range b) {
        if (b.begin < a.begin) std::swap(a, b);
        if (a.size() == 0 || b.size() == 0 || a.end > b.begin) return;
        const std::string first = part(text_, a);
        const std::string second = part(text_, b);
        text_.replace(b.begin, b.size(), first);
        text_.replace(a.begin, a.size(), second);
    }
};

}  // namespace

std::string damaged(std::string text, Random& random) {
    return Damage(std::move(text), random).run();
}

}  // namespace memplan::test
