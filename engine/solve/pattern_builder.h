// SPDX-License-Identifier: Apache-2.0
// Turns the op list of a target pattern into an address problem (scratchpad 13, "Setup common to all").
#pragma once

#include "engine/solve/pattern.h"

#include <initializer_list>
#include <string_view>
#include <vector>

namespace memplan::solve {

class PatternBuilder {
public:
    PatternBuilder(std::string id, std::string title, Bytes capacity);

    int buffer(std::string name, Bytes size);
    void op(std::vector<int> reads, std::vector<int> writes) {
        pattern_.ops.push_back({std::move(reads), std::move(writes)});
    }
    /// Reads a fresh input `<name>_HBM` of `size` bytes into buffer `target`.
    void load(int target, Bytes size);
    /// Writes a fresh output of `size` bytes from `reads`.
    void emit(std::vector<int> reads, std::string name, Bytes size);

    /// Candidates in order of their first access, or in the given order of buffers.
    [[nodiscard]] Pattern finish(const std::vector<int>& candidateOrder = {});

private:
    Pattern pattern_;
};

}  // namespace memplan::solve
