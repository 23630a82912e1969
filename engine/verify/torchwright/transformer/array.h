// SPDX-License-Identifier: Apache-2.0
// One array of an .npz file: float32, of which the entries that are not zero are kept.
#pragma once

#include "engine/verify/torchwright/transformer/zip.h"

namespace memplan::verify::transformer {

struct Array {
    struct Entry {
        std::int64_t row = 0, column = 0;
        float value = 0;
    };
    std::int64_t rows = 1, columns = 0;  ///< an array of one dimension is one row
    std::vector<Entry> entries;          ///< by row, then column
};

struct Shape {
    std::vector<std::int64_t> extents;  ///< 0 = any from 1 to `most`
    std::int64_t most = 0;
};

/// A file of arrays, opened.
class ArrayFile {
public:
    /// TW-032 for a damaged archive. The bytes must outlive the file.
    [[nodiscard]] static Result<ArrayFile> open(std::string name, std::string_view bytes);
    /// TW-033 for an array that is missing, of another type or shape, or not finite; TW-032 for damage.
    [[nodiscard]] Result<Array> read(std::string_view array, const Shape& wanted) const;

private:
    std::string name_;
    std::vector<ZipMember> members_;
};

}  // namespace memplan::verify::transformer
