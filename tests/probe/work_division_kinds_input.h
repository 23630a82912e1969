// SPDX-License-Identifier: Apache-2.0
// Reads the common shapes of spyre-layouts-and-work-division 21 into the engine's values.
#pragma once

#include "engine/base/result.h"
#include "engine/spyre/division/core_view.h"
#include "engine/spyre/division/iteration_space.h"
#include "engine/spyre/program.h"
#include "tests/probe/registry.h"

#include <memory>
#include <string>
#include <vector>

namespace memplan::probe {

/// Loops as written, and those of extent above 1, which are the only ones that the engine sees.
struct Loops {
    std::vector<spyre::LoopVar> all;
    std::vector<spyre::LoopVar> kept;
    std::vector<int> keptAt;  ///< per loop of `all`: position in `kept`, -1 = removed

    [[nodiscard]] int find(const std::string& name) const;  ///< position in `kept`, -1 for none
};

struct TensorInput {
    spyre::Buffer buffer;
    spyre::Index index;
};

/// One operation with a tensor of its own for every access.
struct OpInput {
    spyre::Op op;
    Loops loops;
    std::vector<std::unique_ptr<spyre::Buffer>> reads;
    std::unique_ptr<spyre::Buffer> write;

    [[nodiscard]] std::vector<spyre::TensorUse> uses() const;  ///< reads, then the write
};

[[nodiscard]] Loops readLoops(const nlohmann::json& loops);
[[nodiscard]] spyre::Index readIndex(const nlohmann::json& index, const Loops& loops);
[[nodiscard]] TensorInput readTensor(const nlohmann::json& tensor, const Loops& loops);
[[nodiscard]] OpInput readOp(const nlohmann::json& op);
[[nodiscard]] spyre::HostType readType(const nlohmann::json& name);
/// Map of variable -> count as splits over the kept loops; missing = 1.
[[nodiscard]] spyre::Splits readSplits(const nlohmann::json& splits, const Loops& loops);
[[nodiscard]] nlohmann::json splitsJson(const spyre::Splits& splits, const Loops& loops, std::int64_t least);

/// Maps of coefficient -> slices.
[[nodiscard]] nlohmann::json encodingJson(const spyre::SplitEncoding& e);

/// Throws the error as the word of the schema chapter: Unsupported, RuntimeError, NotImplementedError, ...
[[noreturn]] void throwError(const Error& error);

template <class T> T valueOf(Result<T> result) {
    if (!result) throwError(result.error());
    return std::move(result).value();
}

void registerWorkDivisionLayouts(Registry& registry);
void registerWorkDivisionHints(Registry& registry);

}  // namespace memplan::probe
