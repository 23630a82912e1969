// SPDX-License-Identifier: Apache-2.0
// The records of a plan file. Record<T> lists the members of a T once, in the order of the file; a RecordWriter and a
// RecordReader walk the same list, so that what is written and what is read cannot drift apart.
#pragma once

#include "engine/base/text.h"
#include "engine/json/json_text.h"
#include "engine/plan/file/plan_fields.h"
#include "engine/plan/plan.h"
#include "engine/plan/wordings.h"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace memplan::io {

/// Specialised for each record with
///     static constexpr bool kInline;  ///< the whole object stands on one line
///     static void members(auto& file, auto& value) { file.member("key", value.field); ... }
/// What only one direction does asks File::kReads.
template <class T> struct Record;

/// Specialised for each enumeration: kWhat ("role"), name(E) and named(text), empty for an unknown word.
template <class E> struct Words;
/// Name and look-up for an enumeration without gaps from 0 to Last, whose words NameOf gives.
template <class E, std::string_view (*NameOf)(E), E Last> struct WordsUpTo {
    static std::string_view name(E value) { return NameOf(value); }
    static std::optional<E> named(std::string_view word) {
        for (int i = 0; i <= static_cast<int>(Last); ++i) {
            if (NameOf(static_cast<E>(i)) == word) return static_cast<E>(i);
        }
        return std::nullopt;
    }
};

/// Specialised for what a file has as another type: Stored, stored(const T&), and take(Stored, T&), which returns what
/// is wrong with it, empty otherwise. T may be a view of fields together with what their form depends on.
template <class T> struct Form;
template <class T>
concept HasForm = requires {
    typename Form<T>::Stored;
};

template <class T> inline constexpr bool isOptional = false;
template <class T> inline constexpr bool isOptional<std::optional<T>> = true;
template <class T> inline constexpr bool isVector = false;
template <class T> inline constexpr bool isVector<std::vector<T>> = true;
template <class T> inline constexpr bool isPair = false;
template <class A, class B> inline constexpr bool isPair<std::pair<A, B>> = true;
template <class T>
concept HasMembers = requires {
    Record<T>::kInline;
};

/// Values that a whole number may have.
struct Range {
    std::int64_t min = 0, max = INT64_MAX;
};

/// Fields of one type as a list.
template <class T, class... More> struct Form<std::tuple<T&, More&...>> {
    using Stored = std::vector<std::remove_const_t<T>>;
    static Stored stored(const std::tuple<T&, More&...>& fields) {
        return std::apply([](const auto&... field) { return Stored{field...}; }, fields);
    }
    static std::string take(const Stored& read, const std::tuple<T&, More&...>& fields) {
        constexpr std::size_t kCount = 1 + sizeof...(More);
        if (read.size() != kCount) return std::to_string(kCount) + " entries are expected";
        std::apply([i = read.begin()](auto&... field) mutable { ((field = *i++), ...); }, fields);
        return {};
    }
};

/// How the members of an object stand whose keys are no names of ours.
enum class TableOrder : std::uint8_t { AsGiven, ByKey };

/// Writes records to `writer`; ids are written as the names that the items of `plan` have. Both outlive it.
class RecordWriter {
public:
    static constexpr bool kReads = false;

    RecordWriter(const Plan& plan, JsonWriter& writer, TableOrder order = TableOrder::AsGiven)
        : plan_(&plan), w_(writer), order_(order) {}
    /// Of records without ids.
    explicit RecordWriter(JsonWriter& writer) : w_(writer) {}

    [[nodiscard]] const Plan& plan() const { return *plan_; }
    [[nodiscard]] JsonWriter& json() { return w_; }

    /// A member that every file has.
    template <class T> void member(std::string_view key, const T& v) { w_.key(key), value(v); }
    /// A member that files of other programs may leave out: the field then keeps its default.
    template <class T> void optional(std::string_view key, const T& v) { member(key, v); }
    /// A member that is written only where it says something.
    template <class T> void sparse(std::string_view key, const T& v, bool isSaid) {
        if (isSaid) member(key, v);
    }
    template <class T> void sparse(std::string_view key, const T& v) { sparse(key, v, !v.empty()); }
    /// A whole number that has to be `min` or more.
    template <class T> void atLeast(std::string_view key, const T& v, std::int64_t) { member(key, v); }
    template <class T> void optionalAtLeast(std::string_view key, const T& v, std::int64_t) { member(key, v); }
    /// Whole numbers, one or a list, each in the range.
    template <class T> void within(std::string_view key, const T& v, Range) { member(key, v); }
    template <class T> void sparseWithin(std::string_view key, const T& v, Range, bool isSaid) {
        sparse(key, v, isSaid);
    }
    /// What has to hold in a file that is read.
    void expect(bool, std::string_view) {}
    void expectOf(std::string_view, bool, std::string_view) {}
    /// In a record on one line: what comes next stands on a line of its own.
    void breakLine() { w_.breakLine(); }
    /// Ids of which some may be of nothing: null.
    template <class T> void orNull(std::string_view key, const T& v) { member(key, v); }
    /// An empty text is null.
    void orNull(std::string_view key, const std::string& v) {
        w_.key(key);
        if (v.empty()) return w_.null();
        w_.string(v);
    }
    /// Ids as numbers in place of names.
    template <class I> void positions(std::string_view key, const std::vector<I>& ids) {
        w_.key(key);
        w_.beginArray(true);
        for (const I id : ids)
            w_.integer(id.index);
        w_.endArray();
    }
    /// An object with the pairs of a list as its members; lists stand on lines of their own.
    template <class T> void table(std::string_view key, const T& entries) {
        if constexpr (isVector<T>) {
            if (order_ == TableOrder::ByKey && !std::ranges::is_sorted(entries)) return table(key, sorted(entries));
        }
        w_.key(key);
        isVector<typename T::value_type::second_type> ? w_.beginObject() : w_.beginInlineObject();
        for (const auto& [name, v] : entries) {
            if constexpr (std::integral<std::decay_t<decltype(name)>>) {
                member(std::to_string(name), v);
            } else {
                member(name, v);
            }
        }
        w_.endObject();
    }
    /// A list of objects whose members `members(file, item)` names.
    template <class T, class F>
    void objects(std::string_view key, const std::vector<T>& list, bool isInline, F&& members) {
        w_.key(key);
        w_.beginArray();
        for (const T& item : list)
            object(isInline, [&] { members(*this, item); });
        w_.endArray();
    }
    /// The same in a record on one line: the list and each of its entries on a line of their own.
    template <class T, class F> void block(std::string_view key, const std::vector<T>& list, F&& members) {
        breakLine();
        w_.key(key);
        w_.beginArray(true);
        for (const T& item : list) {
            breakLine();
            object(true, [&] { members(*this, item); });
        }
        w_.endArray();
    }
    /// JSON text as it is.
    void raw(std::string_view key, const std::string& json) { w_.key(key), w_.raw(json); }
    /// Members in an object of their own, which a file may leave out.
    template <class F> void group(std::string_view key, F&& members) {
        w_.key(key);
        object(false, [&] { members(*this); });
    }
    /// The same where every file has it.
    template <class F> void part(std::string_view key, F&& members) { group(key, members); }
    template <class F> void inlineGroup(std::string_view key, F&& members) {
        w_.key(key);
        object(true, [&] { members(*this); });
    }

    void value(std::string_view v) { w_.string(v); }
    void value(const std::string& v) { w_.string(v); }
    void value(bool v) { w_.boolean(v); }
    void value(double v) { w_.number(v); }
    void value(std::int64_t v) { w_.integer(v); }
    void value(std::int32_t v) { w_.integer(v); }
    void value(OpId id) { id.isValid() ? w_.string(plan_->op(id).name) : w_.null(); }
    void value(BufferId id) { id.isValid() ? w_.string(plan_->buffer(id).name) : w_.null(); }
    template <class T> void value(const std::optional<T>& v) { v ? value(*v) : w_.null(); }
    template <class A, class B> void value(const std::pair<A, B>& v) {
        w_.beginArray(true);
        value(v.first), value(v.second);
        w_.endArray();
    }
    /// Records stand on lines of their own.
    template <class T> void value(const std::vector<T>& list) {
        w_.beginArray(!HasMembers<T>);
        for (const T& v : list)
            value(v);
        w_.endArray();
    }
    template <HasForm T> void value(const T& v) { value(Form<T>::stored(v)); }
    template <class T>
    requires(std::is_enum_v<T> && !HasForm<T>) void value(T v) { w_.string(Words<T>::name(v)); }
    template <HasMembers T> void value(const T& v) {
        object(Record<T>::kInline, [&] { Record<T>::members(*this, v); });
    }

private:
    template <class F> void object(bool isInline, F&& members) {
        isInline ? w_.beginInlineObject() : w_.beginObject();
        members();
        w_.endObject();
    }

    template <class T> static T sorted(T entries) {
        std::ranges::sort(entries);
        return entries;
    }

    const Plan* plan_ = nullptr;
    JsonWriter& w_;
    TableOrder order_ = TableOrder::AsGiven;
};

/// Reads the members of the object at `at`. The first thing that is wrong is kept by the fields.
class RecordReader {
public:
    static constexpr bool kReads = true;

    RecordReader(PlanFields& fields, TapeIndex at) : f_(fields), at_(at) {}

    [[nodiscard]] PlanFields& fields() { return f_; }
    [[nodiscard]] TapeIndex at() const { return at_; }
    void fail(std::string message) { f_.fail(at_, std::move(message)); }

    template <class T> void member(std::string_view key, T&& v) {
        if constexpr (isOptional<std::remove_cvref_t<T>>) return optional(key, v);
        if (const TapeIndex at = f_.required(at_, key)) value(at, v);
    }
    template <class T> void optional(std::string_view key, T&& v) {
        if (const TapeIndex at = f_.optional(at_, key)) value(at, v);
    }
    template <class T> void sparse(std::string_view key, T&& v, bool = true) { optional(key, v); }
    template <class T> void atLeast(std::string_view key, T& v, std::int64_t min) {
        const TapeIndex at = f_.required(at_, key);
        if (at == 0) return;
        value(at, v);
        if (v >= min) return;
        f_.fail(at, text::grouped(v) + " is below " + text::grouped(min));
        v = static_cast<T>(min);
    }
    template <class T> void optionalAtLeast(std::string_view key, T& v, std::int64_t min) {
        if (f_.optional(at_, key) != 0) atLeast(key, v, min);
    }
    template <class T> void within(std::string_view key, T& v, Range range) {
        if (const TapeIndex at = f_.required(at_, key)) valueWithin(at, v, range);
    }
    template <class T> void sparseWithin(std::string_view key, T& v, Range range, bool = true) {
        if (const TapeIndex at = f_.optional(at_, key)) valueWithin(at, v, range);
    }
    void expect(bool holds, std::string message) {
        if (!holds) fail(std::move(message));
    }
    /// Of the value of a member.
    void expectOf(std::string_view key, bool holds, std::string message) {
        if (!holds) f_.fail(f_.tape.find(at_, key), std::move(message));
    }
    void breakLine() {}
    template <class T> void orNull(std::string_view key, T& v) {
        const TapeIndex at = f_.required(at_, key);
        if (at != 0) valueOrNull(at, v);
    }
    void orNull(std::string_view key, std::string& v) { optional(key, v); }
    void positions(std::string_view key, std::vector<OpId>& ids) { ids = f_.opPositions(at_, key); }
    void positions(std::string_view key, std::vector<BufferId>& ids) { ids = f_.bufferPositions(at_, key); }
    template <class T> void table(std::string_view key, T& entries) {
        f_.eachMember(f_.optional(at_, key), [&](TapeIndex at) {
            std::pair<std::remove_const_t<typename T::value_type::first_type>, typename T::value_type::second_type> p{};
            name(at, p.first);
            value(at, p.second);
            entries.insert(entries.end(), std::move(p));
        });
    }
    template <class T, class F> void objects(std::string_view key, std::vector<T>& list, bool, F&& members) {
        f_.each(f_.required(at_, key), [&](TapeIndex at) {
            RecordReader item(f_, at);
            members(item, list.emplace_back());
        });
    }
    template <class T, class F> void block(std::string_view key, std::vector<T>& list, F&& members) {
        objects(key, list, true, members);
    }
    void raw(std::string_view key, std::string& json) {
        if (const TapeIndex at = f_.optional(at_, key)) json = f_.tape.json(at);
    }
    template <class F> void inlineGroup(std::string_view key, F&& members) { group(key, members); }
    template <class F> void part(std::string_view key, F&& members) {
        if (f_.required(at_, key) != 0) group(key, members);
    }
    template <class F> void group(std::string_view key, F&& members) {
        if (const TapeIndex at = f_.optional(at_, key)) {
            RecordReader inner(f_, at);
            members(inner);
        }
    }

    void value(TapeIndex at, std::string& v) { v = f_.textAt(at); }
    void value(TapeIndex at, bool& v) { v = f_.booleanAt(at); }
    void value(TapeIndex at, double& v) { v = f_.numberAt(at); }
    void value(TapeIndex at, std::int64_t& v) { v = f_.integerAt(at); }
    void value(TapeIndex at, std::int32_t& v) { v = f_.smallAt(at); }
    void value(TapeIndex at, OpId& v) { v = f_.opNamed(at, f_.tape.text(at)); }
    void value(TapeIndex at, BufferId& v) { v = f_.bufferNamed(at); }
    template <class T> void value(TapeIndex at, std::optional<T>& v) { value(at, v.emplace()); }
    template <class A, class B> void value(TapeIndex at, std::pair<A, B>& v) {
        if (f_.tape.type(at) != JsonType::Array || f_.tape.count(at) != 2) return f_.fail(at, "a pair is expected");
        const TapeIndex first = *f_.tape.children(at).begin();
        value(first, v.first), value(f_.tape.at(first).next, v.second);
    }
    template <class T> void value(TapeIndex at, std::vector<T>& list) {
        list.clear();
        f_.each(at, [&](TapeIndex entry) { value(entry, list.emplace_back()); });
    }
    template <HasForm T> void value(TapeIndex at, T& v) {
        typename Form<T>::Stored stored{};
        value(at, stored);
        if (std::string wrong = Form<T>::take(std::move(stored), v); !wrong.empty()) f_.fail(at, std::move(wrong));
    }
    template <class T>
    requires(std::is_enum_v<T> && !HasForm<T>) void value(TapeIndex at, T& v) {
        const std::string word = f_.textAt(at);
        const std::optional<T> known = Words<T>::named(word);
        if (!known) return f_.fail(at, "unknown " + std::string(Words<T>::kWhat) + " " + text::quoted(word));
        v = *known;
    }
    template <HasMembers T> void value(TapeIndex at, T& v) {
        RecordReader inner(f_, at);
        Record<T>::members(inner, v);
    }

private:
    template <std::integral T> void valueWithin(TapeIndex at, T& v, Range range) {
        const std::int64_t number = f_.integerAt(at);
        const bool isWithin = number >= range.min && number <= range.max;
        if (!isWithin)
            f_.fail(at,
                    f_.tape.json(at) + " is not from " + text::grouped(range.min) + " to " + text::grouped(range.max));
        v = static_cast<T>(isWithin ? number : range.min);
    }
    template <class T> void valueWithin(TapeIndex at, std::vector<T>& list, Range range) {
        list.clear();
        f_.each(at, [&](TapeIndex entry) { valueWithin(entry, list.emplace_back(), range); });
    }
    template <class T> void valueOrNull(TapeIndex at, T& v) {
        if (f_.tape.type(at) != JsonType::Null) value(at, v);
    }
    template <class T> void valueOrNull(TapeIndex at, std::vector<T>& list) {
        f_.each(at, [&](TapeIndex entry) { valueOrNull(entry, list.emplace_back()); });
    }
    void name(TapeIndex at, std::string& v) { v = f_.tape.key(at); }
    void name(TapeIndex at, std::int64_t& v) {
        const auto number = text::parseInt(f_.tape.key(at));
        if (!number) f_.fail(at, "the key is no whole number");
        v = number.value_or(0);
    }

    PlanFields& f_;
    TapeIndex at_;
};

/// Takes the keys of a record.
struct KeyNames {
    static constexpr bool kReads = false;
    std::set<std::string, std::less<>> keys;

    template <class T> void member(std::string_view key, const T&) { keys.emplace(key); }
    template <class T> void optional(std::string_view key, const T&) { keys.emplace(key); }
    template <class T> void sparse(std::string_view key, const T&, bool = true) { keys.emplace(key); }
    void raw(std::string_view key, const std::string&) { keys.emplace(key); }
};
/// Calls f(at) for each member of the object that `record`, whose members it has, does not name.
template <class T, class F> void eachOther(RecordReader& file, const T& record, F&& f) {
    KeyNames known;
    Record<T>::members(known, record);
    file.fields().eachMember(file.at(), [&](TapeIndex at) {
        if (!known.keys.contains(file.fields().tape.key(at))) f(at);
    });
}

}  // namespace memplan::io
