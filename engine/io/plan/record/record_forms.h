// SPDX-License-Identifier: Apache-2.0
// Symbols, indices and numbers of an execution record in its JSON form (proof-and-search A3).
#pragma once

#include "engine/base/numeric.h"
#include "engine/plan/file/record.h"
#include "engine/sim/record/record.h"
#include "engine/sim/record/record_text.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::io::record {

inline constexpr std::int64_t kLargest = std::int64_t{1} << 48;  ///< sums of a few stay in 64 bits
inline constexpr Range kSigned{-kLargest, kLargest};

/// A LinearIndex, or an optional one, with the symbols that it is written with.
template <class Index> struct IndexView {
    Index& index;
    const std::vector<sim::RecordSymbol>& space;
};
template <class Index> IndexView(Index&, const std::vector<sim::RecordSymbol>&) -> IndexView<Index>;

/// The word of RecordOp::kFirst.
template <class Flag> struct CoreMapView { Flag& isLastFirst; };
template <class Flag> CoreMapView(Flag&) -> CoreMapView<Flag>;

/// A number that need not be finite, for which JSON has no word.
void real(RecordWriter& file, std::string_view key, double value);
void real(RecordReader& file, std::string_view key, double& value);

/// [symbol, extent] or [symbol, extent, true] for one that is reduced.
void symbols(RecordWriter& file, std::string_view key, const std::vector<sim::RecordSymbol>& space);
void symbols(RecordReader& file, std::string_view key, std::vector<sim::RecordSymbol>& space);

/// What of the symbols is not 1, by name; left out where all are.
void bySymbol(RecordWriter& file, std::string_view key, const std::vector<sim::RecordSymbol>& space,
              std::int64_t sim::RecordSymbol::*value);
void bySymbol(RecordReader& file, std::string_view key, std::vector<sim::RecordSymbol>& space,
              std::int64_t sim::RecordSymbol::*value);

/// Whether the member is in the file, or goes into it.
inline bool isStated(RecordWriter&, std::string_view, bool isSaid) {
    return isSaid;
}
inline bool isStated(RecordReader& file, std::string_view key, bool) {
    return file.fields().tape.find(file.at(), key) != 0;
}

}  // namespace memplan::io::record

namespace memplan::io {

template <>
struct Words<sim::RecordMemory> : WordsUpTo<sim::RecordMemory, sim::recordMemoryName, sim::RecordMemory::Pool> {
    static constexpr std::string_view kWhat = "memory";
};
template <> struct Words<sim::RecordRole> : WordsUpTo<sim::RecordRole, sim::recordRoleName, sim::RecordRole::Allocate> {
    static constexpr std::string_view kWhat = "role";
};

template <class Flag> struct Form<record::CoreMapView<Flag>> {
    using Stored = std::string;
    static Stored stored(const record::CoreMapView<Flag>&) { return std::string(sim::kLastFirst); }
    static std::string take(const Stored& word, const record::CoreMapView<Flag>& view) {
        view.isLastFirst = word == sim::kLastFirst;
        return view.isLastFirst ? std::string() : "unknown core map " + text::quoted(word);
    }
};

template <class Index> struct Form<record::IndexView<Index>> {
    using Stored = std::string;
    static const sim::LinearIndex& of(const sim::LinearIndex& index) { return index; }
    static const sim::LinearIndex& of(const std::optional<sim::LinearIndex>& index) { return *index; }

    static Stored stored(const record::IndexView<Index>& view) { return sim::indexText(of(view.index), view.space); }
    static std::string take(const Stored& written, const record::IndexView<Index>& view) {
        auto read = sim::indexFromText(written, view.space);
        const auto isInRange = [](std::int64_t v) { return v >= -record::kLargest && v <= record::kLargest; };
        const bool isKnown = read && isInRange(read->constant) &&
                             std::ranges::all_of(read->terms, [&](const auto& t) { return isInRange(t.second); });
        if (!isKnown) return text::quoted(written) + " is no sum over the symbols of the op";
        view.index = *std::move(read);
        return {};
    }
};

}  // namespace memplan::io
