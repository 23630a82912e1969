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

/// A value as the readers see it. Beside what its type asks for, numbers are 0.
struct TapeNode {
    JsonType type = JsonType::Null;
    bool boolean = false;
    TapeIndex parent = 0;
    std::uint32_t ordinal = 0;  ///< position within the parent
    TapeIndex next = 0;         ///< first position behind this value and all its members
    std::uint32_t count = 0;    ///< members of an array or object
    std::int64_t integer = 0;
    double real = 0;
};

class Tape {
public:
    void clear();
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] TapeNode at(TapeIndex i) const;
    [[nodiscard]] JsonType type(TapeIndex i) const { return node(i).type; }
    [[nodiscard]] std::uint32_t count(TapeIndex i) const {
        const Node& n = node(i);
        return n.type == JsonType::Array || n.type == JsonType::Object ? n.value.count : 0;
    }
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

    /// Room for this many bytes of keys and texts; what is not used costs addresses, no memory.
    void reserveText(std::size_t bytes) { text_.reserve(bytes); }

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
                i_ = tape_->node(i_).next;
                return *this;
            }
            bool operator!=(const Iterator& o) const { return i_ != o.i_; }

        private:
            const Tape* tape_;
            TapeIndex i_;
        };
        Children(const Tape& tape, TapeIndex i) : tape_(tape), i_(i) {}
        [[nodiscard]] Iterator begin() const { return {tape_, i_ + 1}; }
        [[nodiscard]] Iterator end() const { return {tape_, tape_.node(i_).next}; }

    private:
        const Tape& tape_;
        TapeIndex i_;
    };
    [[nodiscard]] Children children(TapeIndex i) const { return {*this, i}; }

private:
    /// Bytes of `text_`.
    struct TextRange {
        std::uint32_t begin, size;
    };
    /// What depends on the type; of a real number the eight bytes before its text are its value.
    union Value {
        std::int64_t integer = 0;
        TextRange text;
        std::uint32_t count;
    };
    /// Files of half a gigabyte make tens of millions of these: 32 bytes each.
    struct Node {
        JsonType type = JsonType::Null;
        bool boolean = false;
        TapeIndex parent = 0;
        std::uint32_t ordinal = 0;
        TapeIndex next = 0;
        TextRange key{};
        Value value{};
    };

    static constexpr unsigned kBlockBits = 16;
    static constexpr std::size_t kBlockNodes = std::size_t{1} << kBlockBits;
    static constexpr std::size_t kKnownKeys = 512;

    [[nodiscard]] const Node& node(TapeIndex i) const { return blocks_[i >> kBlockBits][i & (kBlockNodes - 1)]; }
    [[nodiscard]] Node& node(TapeIndex i) { return blocks_[i >> kBlockBits][i & (kBlockNodes - 1)]; }
    [[nodiscard]] std::string_view textAt(TextRange r) const { return std::string_view(text_).substr(r.begin, r.size); }
    [[nodiscard]] double realOf(const Node& n) const;
    Node& add(JsonType t);
    [[nodiscard]] TextRange keep(std::string_view s);

    /// Blocks of equal size: a tape that grows is never copied. Only the first one grows by itself.
    std::vector<std::vector<Node>> blocks_;
    std::size_t size_ = 0;
    std::string text_;
    std::vector<TextRange> knownKeys_;  ///< where keys stand in `text_`, by a number made of their bytes
    TapeIndex open_ = 0;
    TextRange key_{};
};

}  // namespace memplan::io
