// SPDX-License-Identifier: Apache-2.0
// Random neutral graphs with hints and settings, equal on every platform for the same seed: what a campaign compiles.
#pragma once

#include "engine/graph/graph.h"
#include "tests/support/compile_support.h"

#include <cstdint>
#include <functional>
#include <string>

namespace memplan::test {

/// A compile that follows from its seed alone.
struct RandomCase {
    std::uint64_t seed = 0;
    Graph graph;     ///< its hints are part of it
    Pairs settings;  ///< always accepted by Settings::fromPairs
};

/// Bounds of a graph. Extents are small, so that every element of every tensor can be executed.
struct GraphSize {
    int ops = 8;                            ///< a softmax or a concatenation that begins below it is finished
    std::int64_t elements = 8192;           ///< of one tensor
    std::int64_t productTerms = 1'000'000;  ///< of one matrix multiply
};

/// Views (with carries and ragged parts), copies (transposes, slices, reversals, concatenations, pads, expansions),
/// broadcasts, reductions, multiplies, pointwise chains, gathers, opaque ops; several outputs, some of which are read.
[[nodiscard]] Graph randomGraph(std::uint64_t seed, const GraphSize& size);

/// The graph of a seed with hints and settings. Of 200 seeds in a row the first 100 have up to 8 ops, 60 up to 30, the
/// others up to 120.
[[nodiscard]] RandomCase randomCase(std::uint64_t seed);

/// The options of `memplan compile` for the settings.
[[nodiscard]] std::string optionsText(const Pairs& settings);

/// A smaller case that `fails` still holds for: operations, hints and settings are left out one after the other, for
/// at most `tries` calls.
[[nodiscard]] RandomCase shrunkCase(RandomCase failing, const std::function<bool(const RandomCase&)>& fails, int tries);

}  // namespace memplan::test
