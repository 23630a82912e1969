// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/statement.h"

#include "engine/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace memplan {
namespace {

/// A place of a wording: which fact, and how it is written.
struct Place {
    std::size_t fact = 0;
    bool isGrouped = false, isQuoted = false;
    int decimals = -1;  ///< < 0: as many as the number has
    std::string_view separator = ", ";
    std::optional<std::size_t> divisors;  ///< list of the numbers behind a "/"
    std::string_view one, many;           ///< words by number; `many` is empty where the number itself stands
};

std::size_t readNumber(std::string_view& spec) {
    std::size_t number = 0;
    const auto end = std::from_chars(spec.data(), spec.data() + spec.size(), number).ptr;
    spec.remove_prefix(static_cast<std::size_t>(end - spec.data()));
    return number;
}

/// Takes the character off the front where it stands there.
bool take(std::string_view& spec, char c) {
    const bool is = spec.starts_with(c);
    if (is) spec.remove_prefix(1);
    return is;
}

Place placeOf(std::string_view spec) {
    Place p;
    p.fact = readNumber(spec);
    p.isGrouped = take(spec, 'g');
    p.isQuoted = take(spec, 'q');
    if (take(spec, 'f')) p.decimals = static_cast<int>(readNumber(spec));
    if (take(spec, 'x')) p.separator = " x ";
    if (take(spec, '&')) p.separator = " and ";
    if (take(spec, '~')) p.separator = "";
    if (take(spec, '/')) p.divisors = readNumber(spec);
    if (!take(spec, '|')) return p;
    const std::size_t bar = std::min(spec.find('|'), spec.size());
    p.one = spec.substr(0, bar);
    p.many = spec.substr(std::min(bar + 1, spec.size()));
    return p;
}

class Writer {
public:
    explicit Writer(const Statement& statement) : statement_(statement) {}

    std::string run() {
        std::string_view rest = statement_.wording();
        out_.reserve(2 * rest.size());
        for (std::size_t open = rest.find('{'); open != std::string_view::npos; open = rest.find('{')) {
            out_ += rest.substr(0, open);
            rest.remove_prefix(open + 1);
            const std::size_t close = std::min(rest.find('}'), rest.size());
            write(placeOf(rest.substr(0, close)));
            rest.remove_prefix(std::min(close + 1, rest.size()));
        }
        out_ += rest;
        return std::move(out_);
    }

private:
    void write(const Place& place) {
        if (place.fact >= statement_.facts().size()) return;
        std::visit([&](const auto& fact) { put(place, fact); }, statement_.facts()[place.fact]);
    }

    void put(const Place& place, std::int64_t value) {
        if (!place.many.empty())
            out_ += value == 1 ? place.one : place.many;
        else
            out_ += place.isGrouped ? text::grouped(value) : std::to_string(value);
    }
    void put(const Place& place, double value) {
        out_ += place.decimals < 0 ? text::number(value) : text::fixed(value, place.decimals);
    }
    void put(const Place& place, const std::string& name) {
        if (place.isQuoted) out_ += '"';
        out_ += name;
        if (place.isQuoted) out_ += '"';
    }
    void put(const Place&, const Statement& part) { out_ += sentence(part); }

    template <class T> void put(const Place& place, const std::vector<T>& list) {
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (i > 0) out_ += place.separator;
            put(place, list[i]);
            if (place.divisors) putDivisor(*place.divisors, i);
        }
    }
    void putDivisor(std::size_t fact, std::size_t position) {
        const auto* numbers = statement_.fact<std::vector<std::int64_t>>(fact);
        if (numbers == nullptr || position >= numbers->size()) return;
        out_ += '/';
        out_ += std::to_string((*numbers)[position]);
    }

    const Statement& statement_;
    std::string out_;
};

}  // namespace

std::span<const Fact> Statement::facts() const {
    return facts_ ? std::span<const Fact>(*facts_) : std::span<const Fact>();
}

const Fact* Statement::at(std::size_t place) const {
    return place < facts().size() ? &facts()[place] : nullptr;
}

bool operator==(const Statement& a, const Statement& b) {
    return a.wording_ == b.wording_ && (a.facts_ == b.facts_ || std::ranges::equal(a.facts(), b.facts()));
}

void Statement::reserve(std::size_t count) {
    facts_ = std::make_shared<std::vector<Fact>>();
    facts_->reserve(count);
}

void Statement::append(std::int64_t number) {
    facts_->emplace_back(number);
}

void Statement::append(double number) {
    facts_->emplace_back(number);
}

void Statement::append(std::string text) {
    facts_->emplace_back(std::move(text));
}

void Statement::append(std::vector<std::int64_t> numbers) {
    facts_->emplace_back(std::move(numbers));
}

void Statement::append(std::vector<std::string> texts) {
    facts_->emplace_back(std::move(texts));
}

void Statement::append(Statement statement) {
    facts_->emplace_back(std::vector<Statement>{std::move(statement)});
}

void Statement::append(std::vector<Statement> statements) {
    facts_->emplace_back(std::move(statements));
}

std::string sentence(const Statement& statement) {
    return statement.isEmpty() ? std::string() : Writer(statement).run();
}

}  // namespace memplan
