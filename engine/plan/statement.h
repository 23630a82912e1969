// SPDX-License-Identifier: Apache-2.0
// What a pass states, as a code and facts: the sentence is made at the edge, where a plan is written or shown
// (architecture 4.7, 4.8). Each machine keeps its wordings in one folder, so that words change in one place.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace memplan {

/// The words of one kind of statement, with places for its facts. A wording is a constant and its identity is the code
/// that programs compare; nothing reads the words but sentence().
///
/// A place is `{0}`, the number of the fact, and may add what follows, in this order:
///   `g`        numbers with their digits in groups
///   `q`        names between double quotes
///   `f2`       two decimals
///   `x` `&` `~` members of a list parted by " x ", " and ", nothing in place of ", "
///   `/1`       each member followed by "/" and the number at the same position of fact 1
///   `|a|b`     the word a where the number is one, else b
struct Wording {
    constexpr explicit Wording(std::string_view words) : text(words) {}
    Wording(const Wording&) = delete;
    Wording& operator=(const Wording&) = delete;

    std::string_view text;
};

class Statement;

/// A number, a name of the program as the pass saw it, or a list.
using Fact = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>, std::vector<std::string>,
                          std::vector<Statement>>;

/// A code and its facts. Copies share the facts: reasons are copied with every state that a search tries.
class Statement {
public:
    Statement() = default;  ///< nothing is stated
    /// The facts in the order of the wording's places.
    template <class... Facts> Statement(const Wording& words, Facts&&... given) : wording_(&words) {
        if constexpr (sizeof...(given) > 0) {
            reserve(sizeof...(given));
            (add(std::forward<Facts>(given)), ...);
        }
    }

    [[nodiscard]] bool is(const Wording& words) const { return wording_ == &words; }
    [[nodiscard]] bool isEmpty() const { return wording_ == nullptr; }
    [[nodiscard]] std::string_view wording() const { return isEmpty() ? std::string_view() : wording_->text; }
    [[nodiscard]] std::span<const Fact> facts() const;
    /// The fact of a place where it is of this kind; null elsewhere.
    template <class T> [[nodiscard]] const T* fact(std::size_t place) const { return std::get_if<T>(at(place)); }

    friend bool operator==(const Statement& a, const Statement& b);

private:
    template <class T> void add(T&& fact) {
        if constexpr (std::integral<std::remove_cvref_t<T>>)
            append(static_cast<std::int64_t>(fact));
        else if constexpr (std::convertible_to<T, std::string_view>)
            append(std::string(std::forward<T>(fact)));
        else
            append(std::forward<T>(fact));
    }

    // Not in this header: what a list of facts is made of would be compiled in every source that reads a plan.
    void reserve(std::size_t count);
    void append(std::int64_t number);
    void append(double number);
    void append(std::string text);
    void append(std::vector<std::int64_t> numbers);
    void append(std::vector<std::string> texts);
    void append(Statement statement);
    void append(std::vector<Statement> statements);
    [[nodiscard]] const Fact* at(std::size_t place) const;  ///< null behind the last one

    const Wording* wording_ = nullptr;
    std::shared_ptr<std::vector<Fact>> facts_;  ///< only constructors write it
};

/// The statement in words; empty for one without wording.
[[nodiscard]] std::string sentence(const Statement& statement);

}  // namespace memplan
