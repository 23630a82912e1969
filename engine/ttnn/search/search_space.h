// SPDX-License-Identifier: Apache-2.0
// The search space (ttnn-optimizer 3): scalar types of a module, legal layouts of each tensor type, legal layouts and
// configurations of each operation.
#pragma once

#include "engine/base/result.h"
#include "engine/ttnn/layout/arithmetic.h"
#include "engine/ttnn/machine/op_config.h"
#include "engine/ttnn/model/op_model.h"
#include "engine/ttnn/module/module.h"
#include "engine/ttnn/options/options.h"

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace memplan::ttnn {

/// In order of first appearance (3.1).
[[nodiscard]] std::vector<DataType> scalarDataTypes(const Module& module, const Options& options);

/// Legal layouts of one tensor type with one scalar type and page layout (3.2): interleaved, then sharded by cores,
/// most first.
struct LayoutList {
    std::vector<Layout> interleaved, sharded;
};
[[nodiscard]] LayoutList legalLayouts(std::span<const std::int64_t> shape, DataType scalar, PageLayout page,
                                      const Device& device);

/// Legal layouts by shape, scalar type and page layout: computed where first asked for.
class LayoutTable {
public:
    explicit LayoutTable(const Device& device) : device_(device) {}
    const LayoutList& of(const Shape& shape, DataType scalar, PageLayout page);

private:
    const Device& device_;
    std::map<std::pair<Shape, std::pair<DataType, PageLayout>>, LayoutList> lists_;
};

/// How many sharded layouts an operation keeps (3.3), before an override says more.
struct LayoutLimit {
    int sharded = 64;
    bool isRowMajor = false;                     ///< row-major layouts are considered
    std::function<bool(const Layout&)> accepts;  ///< asked about each sharded one before the cut; empty: all
};
/// Of a tensor type for an operation: interleaved ones, row-major first, and the sharded ones with most cores, at most
/// as many as the limit says: half of them of each page layout where row-major ones are considered.
struct OpLayouts {
    std::vector<Layout> interleaved, sharded;
    int allSharded = 0;  ///< before the cut
};
[[nodiscard]] OpLayouts opLayouts(const Shape& shape, DataType scalar, const LayoutLimit& limit, LayoutTable& table);

/// Configurations of one operation (3.3, 3.4), in the original's order.
struct OpSpace {
    std::vector<OpConfig> configs;  ///< all; empty where the operation is skipped
    std::vector<OpConfig> sharded;  ///< those in sharded L1, the same order: what the ShardSolver sees
    int shardedLayouts = 0;         ///< of its type before the cut to the limit
    int keptLayouts = 0;            ///< after it
    std::vector<std::pair<Layout, std::string>> refused;  ///< by validation (3.3), with the message
    bool isFullOverride = false;
};

struct SearchSpace {
    std::vector<OpSpace> ops;  ///< by OperationId of the function
};

/// Errors, with the operation: TT-002 (no legal layout), TT-014 (a configuration in the module that cannot be read),
/// TT-020 to TT-022 (a full override that is no layout of the device).
[[nodiscard]] Result<SearchSpace> searchSpace(const Function& function, const Options& options, LayoutTable& table,
                                              OpModel& model);
/// Of one operation of it.
[[nodiscard]] Result<OpSpace> operationSpace(const Function& function, const Operation& operation,
                                             const Options& options, LayoutTable& table, OpModel& model);

}  // namespace memplan::ttnn
