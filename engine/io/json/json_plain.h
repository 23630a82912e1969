// SPDX-License-Identifier: Apache-2.0
// A parser of well-formed JSON for files of hundreds of megabytes: the same events as the library's parser, several
// times as fast. It reports no errors: whatever it does not take is read again by the library's, which tells the place.
#pragma once

#include <charconv>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace memplan::io {

/// `Handler`: the members of nlohmann::json_sax and `at(const char*)`, how far the parser is.
template <class Handler> class PlainJson {
public:
    PlainJson(std::string_view bytes, Handler& handler)
        : at_(bytes.data()), end_(bytes.data() + bytes.size()), handler_(handler) {}

    /// False where the document is not plain or the handler wants no more of it; nothing is known then.
    bool run() {
        skipBlanks();
        if (!value()) return false;
        while (!open_.empty()) {
            if (!next()) return false;
        }
        skipBlanks();
        return at_ == end_;
    }

private:
    enum class Open : char { Array, Object };

    void skipBlanks() {
        while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\t' || *at_ == '\r'))
            ++at_;
    }

    bool take(char c) {
        if (at_ == end_ || *at_ != c) return false;
        ++at_;
        return true;
    }

    bool word(std::string_view w) {
        if (static_cast<std::size_t>(end_ - at_) < w.size() || std::memcmp(at_, w.data(), w.size()) != 0) return false;
        at_ += w.size();
        return true;
    }

    /// After a value inside of a container: its next member, or its end.
    bool next() {
        skipBlanks();
        const bool isObject = open_.back() == Open::Object;
        if (take(',')) {
            skipBlanks();
            return isObject ? member() : value();
        }
        if (!take(isObject ? '}' : ']')) return false;
        open_.pop_back();
        handler_.at(at_);
        return isObject ? handler_.end_object() : handler_.end_array();
    }

    bool member() {
        if (!take('"') || !string()) return false;
        handler_.at(at_);
        if (!handler_.key(text_)) return false;
        skipBlanks();
        if (!take(':')) return false;
        skipBlanks();
        return value();
    }

    bool value() {
        if (at_ == end_) return false;
        handler_.at(at_);
        switch (*at_) {
        case '{':
            return open(Open::Object);
        case '[':
            return open(Open::Array);
        case '"':
            ++at_;
            return string() && handler_.string(text_);
        case 't':
            return word("true") && handler_.boolean(true);
        case 'f':
            return word("false") && handler_.boolean(false);
        case 'n':
            return word("null") && handler_.null();
        default:
            return number();
        }
    }

    bool open(Open kind) {
        ++at_;
        constexpr auto kUnknown = static_cast<std::size_t>(-1);
        const bool isObject = kind == Open::Object;
        if (!(isObject ? handler_.start_object(kUnknown) : handler_.start_array(kUnknown))) return false;
        skipBlanks();
        if (take(isObject ? '}' : ']')) {
            handler_.at(at_);
            return isObject ? handler_.end_object() : handler_.end_array();
        }
        open_.push_back(kind);
        return isObject ? member() : value();
    }

    // ---- strings -------------------------------------------------------------------------------------

    /// Behind the opening quote; the text goes to text_.
    bool string() {
        text_.clear();
        const char* begin = at_;
        while (at_ != end_) {
            const auto c = static_cast<unsigned char>(*at_);
            if (c == '"') {
                text_.append(begin, at_);
                ++at_;
                return true;
            }
            if (c < 0x20) return false;
            ++at_;
            if (c != '\\') continue;
            text_.append(begin, at_ - 1);
            if (!escape()) return false;
            begin = at_;
        }
        return false;
    }

    /// Escapes by a number are left to the other parser.
    bool escape() {
        static constexpr std::string_view kWritten = "\"\\/bfnrt";
        static constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
        if (at_ == end_) return false;
        const std::size_t which = kWritten.find(*at_++);
        if (which == std::string_view::npos) return false;
        text_.push_back(kMeant[which]);
        return true;
    }

    // ---- numbers -------------------------------------------------------------------------------------

    static bool isDigit(char c) { return c >= '0' && c <= '9'; }

    bool digits() {
        const char* begin = at_;
        while (at_ != end_ && isDigit(*at_))
            ++at_;
        return at_ != begin;
    }

    bool number() {
        const char* begin = at_;
        const bool isNegative = take('-');
        const char* first = at_;
        if (!digits() || (*first == '0' && at_ - first > 1)) return false;
        const bool isInteger = at_ == end_ || (*at_ != '.' && *at_ != 'e' && *at_ != 'E');
        if (isInteger) return integer(begin, isNegative);
        if (take('.') && !digits()) return false;
        if (at_ != end_ && (*at_ == 'e' || *at_ == 'E')) {
            ++at_;
            if (at_ != end_ && (*at_ == '+' || *at_ == '-')) ++at_;
            if (!digits()) return false;
        }
        double real = 0;
        const auto [stop, failure] = std::from_chars(begin, at_, real);
        if (failure != std::errc() || stop != at_) return false;
        text_.assign(begin, at_);
        return handler_.number_float(real, text_);
    }

    bool integer(const char* begin, bool isNegative) {
        std::int64_t v = 0;
        const auto [stop, failure] = std::from_chars(begin, at_, v);
        if (failure != std::errc() || stop != at_) return false;
        // The other parser calls numbers without a sign unsigned.
        return isNegative ? handler_.number_integer(v) : handler_.number_unsigned(static_cast<std::uint64_t>(v));
    }

    const char* at_;
    const char* end_;
    Handler& handler_;
    std::vector<Open> open_;
    std::string text_;
};

}  // namespace memplan::io
