// SPDX-License-Identifier: Apache-2.0
// Executes an exported transformer: a plain forward pass over the residual stream in float64.
#pragma once

#include "engine/verify/torchwright/transformer/bundle.h"

namespace memplan::verify::transformer {

/// Numbers in rows, one a token position.
struct Table {
    std::size_t rows = 0, columns = 0;
    std::vector<double> values;

    Table() = default;
    Table(std::size_t r, std::size_t c) : rows(r), columns(c), values(r * c, 0.0) {}
    [[nodiscard]] double& at(std::size_t r, std::size_t c) { return values[r * columns + c]; }
    [[nodiscard]] double at(std::size_t r, std::size_t c) const { return values[r * columns + c]; }
};

struct RunInputs {
    std::size_t positions = 1;
    std::size_t firstPosition = 0;
    std::map<std::string, Table> rows;
    std::map<std::string, std::vector<std::int64_t>> tokens;
    double freeColumns = 0;  ///< what stands in the columns that nothing fills at the start
};

struct Run {
    std::vector<Table> streams;  ///< the residual stream at the start, then after each layer
    std::vector<Table> outputs;  ///< in the order of the bundle
};

/// Errors: TW-022 for inputs that are missing or do not fit, TW-023 for a bundle without weights.
[[nodiscard]] Result<Run> runTransformer(const Bundle& bundle, const RunInputs& inputs);

}  // namespace memplan::verify::transformer
