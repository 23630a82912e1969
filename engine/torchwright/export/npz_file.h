// SPDX-License-Identifier: Apache-2.0
// A file of arrays as NumPy reads it with numpy.load: a zip archive of .npy files, float32 little-endian, rows first
// (torchwright.md 16). The same arrays give the same bytes.
#pragma once

#include "engine/torchwright/export/deflate_runs.h"
#include "engine/torchwright/graph/tensor.h"

namespace memplan::torchwright {

enum class ArrayForm { Matrix, Vector };

class NpzFile {
public:
    /// Vector: a tensor of one row becomes an array of one dimension.
    void add(const std::string& name, const Tensor& tensor, ArrayForm form);
    [[nodiscard]] std::string finish() &&;

    /// Whether the format can hold the tensor: its arrays have less than 4 GiB.
    [[nodiscard]] static bool fits(const Tensor& tensor);

private:
    struct Entry {
        std::string name;
        std::uint32_t crc = 0, packed = 0, size = 0, offset = 0;
    };
    static void putHeader(TextBuffer& out, const Entry& entry);

    TextBuffer out_;
    std::vector<Entry> entries_;
};

}  // namespace memplan::torchwright
