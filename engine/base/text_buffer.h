// SPDX-License-Identifier: Apache-2.0
// A long text that is written word by word at its end.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace memplan {

/// Takes room in large pieces: a short word costs its copy and little more, where std::string asks a function of the
/// library for every character.
class TextBuffer {
public:
    TextBuffer() = default;
    /// `expected`: bytes that the text will have, more or less.
    explicit TextBuffer(std::size_t expected) { text_.reserve(expected); }

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::string_view view() const { return {text_.data(), size_}; }
    [[nodiscard]] char& back() { return text_[size_ - 1]; }
    void clear() { size_ = 0; }

    /// Place for `count` characters behind the text, which become part of it with end().
    [[nodiscard]] char* room(std::size_t count) {
        if (text_.size() - size_ < count) grow(count);
        return text_.data() + size_;
    }
    /// The text ends in front of `end`, which is inside of the last room().
    void end(const char* end) { size_ = static_cast<std::size_t>(end - text_.data()); }

    TextBuffer& append(char c) {
        *room(1) = c;
        ++size_;
        return *this;
    }
    TextBuffer& append(std::string_view word) {
        std::memcpy(room(word.size()), word.data(), word.size());
        size_ += word.size();
        return *this;
    }
    TextBuffer& appendInteger(std::int64_t number) {
        char* const at = room(kLongestInteger);
        end(std::to_chars(at, at + kLongestInteger, number).ptr);
        return *this;
    }

    [[nodiscard]] std::string finish() && {
        text_.resize(size_);
        size_ = 0;
        return std::move(text_);
    }

    static constexpr std::size_t kLongestInteger = 20;  ///< characters of a 64-bit number

private:
    void grow(std::size_t count) {
        constexpr std::size_t kPiece = 1024;
        const std::size_t least = size_ + std::max(count, kPiece);
        if (least > text_.capacity()) text_.reserve(std::max(least, 2 * text_.capacity()));
        text_.resize(least);
    }

    std::string text_;      ///< longer than the text: what is behind it is room
    std::size_t size_ = 0;  ///< of the text
};

}  // namespace memplan
