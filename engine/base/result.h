// SPDX-License-Identifier: Apache-2.0
// Result<T>: a value or one Error. No exception crosses a public function of the engine
// (architecture 11.1).
#pragma once

#include "engine/base/diagnostic.h"

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace memplan {

/// Why an operation of the engine ended without a value. `diagnostics` holds every finding, errors
/// first; `primary()` is the one to print.
struct Error {
    std::vector<Diagnostic> diagnostics;  ///< at least one, severity Error

    Error() = default;
    Error(Diagnostic d);
    explicit Error(std::vector<Diagnostic> list) : diagnostics(std::move(list)) {}
    [[nodiscard]] const Diagnostic& primary() const;
};

/// Shorthand: an Error of one diagnostic.
[[nodiscard]] Error makeError(std::string code, std::string where, std::string message, std::string hint = {});

template <class T> class [[nodiscard]] Result {
public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

    [[nodiscard]] bool ok() const { return state_.index() == 0; }
    explicit operator bool() const { return ok(); }
    [[nodiscard]] const T& value() const& { return std::get<0>(state_); }
    [[nodiscard]] T& value() & { return std::get<0>(state_); }
    [[nodiscard]] T&& value() && { return std::get<0>(std::move(state_)); }
    [[nodiscard]] const Error& error() const& { return std::get<1>(state_); }
    [[nodiscard]] Error&& error() && { return std::get<1>(std::move(state_)); }

private:
    std::variant<T, Error> state_;
};

template <> class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) : error_(std::move(error)) {}

    [[nodiscard]] bool ok() const { return !error_.has_value(); }
    explicit operator bool() const { return ok(); }
    [[nodiscard]] const Error& error() const { return *error_; }

private:
    std::optional<Error> error_;
};

}  // namespace memplan
