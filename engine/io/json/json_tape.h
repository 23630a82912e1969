// SPDX-License-Identifier: Apache-2.0
// A JSON value as one flat array of nodes in document order: the form in which the readers of this
// folder see JSON. No allocation per value, no recursion, so that depth costs nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::io {

/// Position of a value on a tape; 0 is the outermost value, so 0 also stands for "no such member".
using TapeIndex = std::uint32_t;

enum class JsonType : std::uint8_t { Null, Bool, Integer, Real, String, Array, Object };

[[nodiscard]] std::string_view jsonTypeName(JsonType t);  ///< "an object", "a string", ...

struct TapeNode {
    JsonType type = JsonType::Null;
    bool boolean = false;
    TapeIndex parent = 0;
    std::uint32_t ordinal = 0;  ///< position within the parent
    TapeIndex next = 0;         ///< first position behind this value and all its members
    std::uint32_t count = 0;    ///< members of an array or object
    std::uint32_t keyBegin = 0, keySize = 0;
    std::uint32_t textBegin = 0, textSize = 0;  ///< a string's bytes, a real number as written
    std::int64_t integer = 0;
    double real = 0;
};

class Tape {
public:
    void clear();
    [[nodiscard]] bool empty() const { return nodes_.empty(); }
    [[nodiscard]] const TapeNode& at(TapeIndex i) const { return nodes_[i]; }
    [[nodiscard]] JsonType type(TapeIndex i) const { return nodes_[i].type; }
    [[nodiscard]] std::uint32_t count(TapeIndex i) const { return nodes_[i].count; }
    [[nodiscard]] std::string_view key(TapeIndex i) const;
    [[nodiscard]] std::string_view text(TapeIndex i) const;
    /// Integer or real as a double.
    [[nodiscard]] double number(TapeIndex i) const;
    /// Member of an object by key, 0 when absent.
    [[nodiscard]] TapeIndex find(TapeIndex object, std::string_view key) const;
    /// JSON pointer of a value below `base`, the pointer of the tape's outermost value.
    [[nodiscard]] std::string pointer(TapeIndex i, std::string_view base = {}) const;
    /// The value as JSON text without blanks; real numbers as they were written.
    [[nodiscard]] std::string json(TapeIndex i) const;

    // Building, in document order. `key` belongs to the value that is added next.
    void setKey(std::string_view key);
    void addNull();
    void addBool(bool v);
    void addInteger(std::int64_t v);
    void addReal(double v, std::string_view asWritten);
    void addString(std::string_view v);
    void open(JsonType arrayOrObject);
    void close();
    [[nodiscard]] TapeIndex innermost() const { return open_; }
    [[nodiscard]] std::size_t textBytes() const { return text_.size(); }

    /// Range-for over the members of an array or object.
    class Children {
    public:
        class Iterator {
        public:
            Iterator(const Tape& tape, TapeIndex i) : tape_(&tape), i_(i) {}
            TapeIndex operator*() const { return i_; }
            Iterator& operator++() {
                i_ = tape_->nodes_[i_].next;
                return *this;
            }
            bool operator!=(const Iterator& o) const { return i_ != o.i_; }

        private:
            const Tape* tape_;
            TapeIndex i_;
        };
        Children(const Tape& tape, TapeIndex i) : tape_(tape), i_(i) {}
        [[nodiscard]] Iterator begin() const { return {tape_, i_ + 1}; }
        [[nodiscard]] Iterator end() const { return {tape_, tape_.nodes_[i_].next}; }

    private:
        const Tape& tape_;
        TapeIndex i_;
    };
    [[nodiscard]] Children children(TapeIndex i) const { return {*this, i}; }

private:
    TapeNode& add(JsonType t);
    [[nodiscard]] std::uint32_t keep(std::string_view s);

    std::vector<TapeNode> nodes_;
    std::string text_;
    TapeIndex open_ = 0;
    std::uint32_t keyBegin_ = 0, keySize_ = 0;
};

}  // namespace memplan::io
