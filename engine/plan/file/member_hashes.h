// SPDX-License-Identifier: Apache-2.0
// Hashes of the members of a record, of the text that each has in a plan file, without blanks and with sorted tables:
// a tool that lays the file out anew changes none of them.
#pragma once

#include "engine/base/hash.h"
#include "engine/plan/file/record.h"
#include "engine/plan/part_hashes.h"

#include <string>
#include <string_view>
#include <utility>

namespace memplan::io {

/// Walks the list of a record as a RecordWriter does. `plan` outlives it.
class MemberHashes {
public:
    static constexpr bool kReads = false;

    explicit MemberHashes(const Plan& plan) : plan_(plan) {}

    /// What follows stands in this object of the file.
    void enter(std::string_view object) { path_ = std::string(object) + ' '; }

    template <class T> void member(std::string_view key, const T& v) {
        JsonWriter text = JsonWriter::compactBehind(TextBuffer());
        RecordWriter(plan_, text, TableOrder::ByKey).value(v);
        hashes_.emplace_back(path_ + std::string(key), hex16(fnv1a(text.finish())));
    }
    template <class T> void sparse(std::string_view key, const T& v, bool isSaid) {
        if (isSaid) member(key, v);
    }
    template <class T> void sparse(std::string_view key, const T& v) { sparse(key, v, !v.empty()); }

    [[nodiscard]] PartHashes take() && { return std::move(hashes_); }

private:
    const Plan& plan_;
    std::string path_;
    PartHashes hashes_;
};

/// Of the parts that plans of every machine have. Seconds of passes do not count, nor how many threads worked.
void hashParts(const Plan& plan, MemberHashes& file);

}  // namespace memplan::io
