// SPDX-License-Identifier: Apache-2.0
// One op of a record made ready to run: slices of each core, and for every argument where an element lies.
#pragma once

#include "engine/sim/device_map.h"
#include "engine/sim/record/record.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memplan::sim {

using Range = Interval<std::int64_t>;  ///< of one symbol
using Box = std::vector<Range>;        ///< one per symbol of the space

/// What one core does of an op.
struct CoreWork {
    int core = 0;
    std::vector<std::int64_t> slice;  ///< per symbol
    Box box;                          ///< empty ranges where nothing is left for the core
};

/// Where the elements of one argument lie: tables over each symbol where the positions simply add up, else element by
/// element. Positions are row-major in the part of the tensor that a memory holds: all of it in main memory, the
/// slice of a core on chip.
class ArgMap {
public:
    ArgMap(const RecordOp& op, const RecordArg& arg, const DeviceMap& layout, const std::vector<CoreWork>& work);

    [[nodiscard]] bool usesSymbol(std::size_t symbol) const { return coefficient_[symbol] != 0; }
    /// Slices of the tensor fit each other: every core holds an equal part. Else why not.
    [[nodiscard]] const std::string& misfit() const { return misfit_; }
    /// Position on core `w` of the element at `point`; nullopt where it lies outside of the layout or of the slice.
    [[nodiscard]] std::optional<std::int64_t> position(std::size_t w, const std::vector<std::int64_t>& point) const;
    /// Separable and every point of the core's box inside: positions are start(w) + sum of table(symbol)[value].
    [[nodiscard]] bool isPlain(std::size_t w) const { return separable_ && plain_[w]; }
    [[nodiscard]] std::int64_t start(std::size_t w) const { return start_[w]; }
    [[nodiscard]] const std::vector<std::int64_t>& table(std::size_t symbol) const { return tables_[symbol]; }
    [[nodiscard]] std::int64_t hostElement(const std::vector<std::int64_t>& point) const;
    /// Device coordinates -> position in the slice of core `w`, if it holds them.
    [[nodiscard]] std::optional<std::int64_t> localPosition(std::size_t w,
                                                            const std::vector<std::int64_t>& coordinates) const;
    [[nodiscard]] const DeviceMap& layout() const { return layout_; }
    /// Elements of the part that one memory holds.
    [[nodiscard]] std::int64_t localElements() const;

private:
    void cutSlices(const RecordOp& op, const std::vector<CoreWork>& work);
    void buildTables(const RecordOp& op, const std::vector<CoreWork>& work);
    [[nodiscard]] bool addsUp(const RecordOp& op) const;

    const DeviceMap& layout_;
    bool onChip_;
    std::int64_t constant_;
    std::vector<std::int64_t> coefficient_;       ///< per symbol
    std::vector<std::int64_t> local_;             ///< extents of the part
    std::vector<std::int64_t> weight_;            ///< row-major over them
    std::vector<std::vector<std::int64_t>> low_;  ///< per core: coordinates where its part begins
    std::vector<std::vector<std::int64_t>> tables_;
    std::vector<std::int64_t> start_;
    std::vector<bool> plain_;
    bool separable_ = false;
    std::string misfit_;
};

struct PreparedOp {
    PreparedOp(const RecordOp& op, const std::vector<DeviceMap>& layouts);

    const RecordOp& op;
    std::vector<CoreWork> work;
    std::vector<ArgMap> maps;  ///< parallel to op.args; empty for ops outside of kernels
    std::string misfit;        ///< the slices do not divide the work
};

[[nodiscard]] std::vector<CoreWork> coreWork(const RecordOp& op, std::string& misfit);

}  // namespace memplan::sim
