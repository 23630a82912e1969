// SPDX-License-Identifier: Apache-2.0
// Reads the objects of an execution record: whatever a file says, what comes out is in range and refers to what is
// there. The first thing that is wrong is kept.
#pragma once

#include "engine/base/text.h"
#include "engine/base/word_table.h"
#include "engine/io/plan/record/record_members.h"
#include "engine/plan/file/plan_fields.h"

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memplan::io::record {

/// What the objects of one record share while it is read.
struct Reading {
    PlanFields& fields;
    std::size_t bufferCount = 0, opCount = 0;
    std::vector<int> depth = {};           ///< loops around each op, -1 for none of the steps
    std::set<std::string> variables = {};  ///< of loops
};

class ObjectReader {
public:
    /// The object at `at`. `space`: symbols of its indices; null where it has none. `level`: loops around it.
    ObjectReader(Reading& reading, TapeIndex at, const std::vector<sim::RecordSymbol>* space = nullptr,
                 std::size_t level = 0)
        : r_(reading), at_(at), space_(space), level_(level) {}

    [[nodiscard]] Range buffers() const { return {0, static_cast<std::int64_t>(r_.bufferCount) - 1}; }
    [[nodiscard]] Range ops() const { return {0, static_cast<std::int64_t>(r_.opCount) - 1}; }
    void expect(bool holds, std::string_view message) {
        if (!holds) fail(at_, std::string(message));
    }
    void isObject();
    /// Entries of a list; 0 where there is none.
    [[nodiscard]] std::size_t count(std::string_view key) const;

    void text(std::string_view key, std::string& v);
    void optionalText(std::string_view key, std::string& v);
    void texts(std::string_view key, std::vector<std::string>& v);
    void target(std::string_view key, std::string& v);
    void variable(std::string_view key, std::string& v);
    template <class T> void number(std::string_view key, T& v, Range range) {
        if (const TapeIndex at = required(key)) v = static_cast<T>(integerAt(at, range));
    }
    template <class T> void optional(std::string_view key, T& v, Range range, std::int64_t otherwise) {
        const TapeIndex at = find(key);
        v = static_cast<T>(at == 0 ? otherwise : integerAt(at, range));
    }
    void flag(std::string_view key, bool& v, bool otherwise);
    void real(std::string_view key, double& v, bool);
    template <class E, class All>
    void word(std::string_view key, E& v, const All& all, std::string_view (*nameOf)(E), std::string_view what) {
        std::string word;
        text(key, word);
        if (const std::optional<E> known = valueNamed(all, nameOf, word))
            v = *known;
        else
            fail(at_, "unknown " + std::string(what) + " " + text::quoted(word));
    }
    void choice(std::string_view key, bool& isChosen, std::string_view word, std::string_view what);
    template <class T> void list(std::string_view key, std::vector<T>& v, Range range) {
        v.clear();
        each(key, [&](TapeIndex at) { v.push_back(static_cast<T>(integerAt(at, range))); });
    }
    template <class T> void optionalList(std::string_view key, std::vector<T>& v, Range range) {
        if (find(key) != 0) list(key, v, range);
    }
    void extents(std::string_view key, std::vector<std::int64_t>& v, std::int64_t min);
    void interval(std::string_view key, std::int64_t& start, std::int64_t& end, Range range);
    template <class F> void object(std::string_view key, F&& members) {
        const TapeIndex at = required(key);
        if (at == 0) return;
        ObjectReader inner(r_, at, space_, level_);
        members(inner);
    }
    template <class F> void group(std::string_view key, bool, F&& members) {
        if (find(key) != 0) object(key, members);
    }

    void index(std::string_view key, sim::LinearIndex& v);
    void index(std::string_view key, std::optional<sim::LinearIndex>& v);
    void slices(std::string_view key, std::vector<std::pair<int, std::int64_t>>& v);
    void symbols(std::string_view key, std::vector<sim::RecordSymbol>& v);
    void bySymbol(std::string_view key, std::vector<sim::RecordSymbol>& space, std::int64_t sim::RecordSymbol::*value);

    template <class T>
    void records(std::string_view key, std::vector<T>& v, const std::vector<sim::RecordSymbol>& space) {
        each(key, [&](TapeIndex at) {
            ObjectReader item(r_, at, &space);
            Members::of(item, v.emplace_back());
        });
    }
    template <class T> void block(std::string_view key, std::vector<T>& v) {
        each(key, [&](TapeIndex at) {
            ObjectReader item(r_, at);
            Members::of(item, v.emplace_back());
        });
    }
    void steps(std::string_view key, std::vector<sim::RecordStep>& v);

private:
    [[nodiscard]] const Tape& tape() const { return r_.fields.tape; }
    [[nodiscard]] bool hasFailed() const { return r_.fields.error().has_value(); }
    /// 0 where the key is missing. Null is a value here, of no type that is expected.
    [[nodiscard]] TapeIndex find(std::string_view key) const { return tape().find(at_, key); }
    TapeIndex required(std::string_view key) { return r_.fields.required(at_, key); }
    void fail(TapeIndex at, std::string message) { r_.fields.fail(at, std::move(message)); }
    template <class F> void each(std::string_view key, F&& f) {
        if (!hasFailed()) eachEntry(required(key), f);
    }
    template <class F> void eachEntry(TapeIndex list, F&& f) {
        r_.fields.each(list, [&](TapeIndex entry) {
            if (!hasFailed()) f(entry);
        });
    }
    std::int64_t integerAt(TapeIndex at, Range range);
    std::string textAt(TapeIndex at) { return r_.fields.textAt(at); }
    sim::LinearIndex indexAt(TapeIndex at);
    sim::RecordSymbol symbolAt(TapeIndex at, const std::vector<sim::RecordSymbol>& known);
    /// The entries of a list that has to have `least` to `most` of them; empty with the fault kept otherwise.
    std::vector<TapeIndex> entries(TapeIndex list, std::size_t least, std::size_t most, std::string_view expected);
    void step(sim::RecordStep& v);

    Reading& r_;
    TapeIndex at_;
    const std::vector<sim::RecordSymbol>* space_;
    std::size_t level_;
};

}  // namespace memplan::io::record
