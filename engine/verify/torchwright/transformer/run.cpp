// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/torchwright/transformer/run.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace memplan::verify::transformer {
namespace {

constexpr std::int64_t kMostValues = std::int64_t{1} << 27;  ///< one GiB

/// out += x * matrix
void multiplyAdd(const Table& x, const Array& matrix, Table& out) {
    for (const Array::Entry& e : matrix.entries)
        for (std::size_t p = 0; p < x.rows; ++p)
            out.at(p, static_cast<std::size_t>(e.column)) +=
                x.at(p, static_cast<std::size_t>(e.row)) * static_cast<double>(e.value);
}

Table multiply(const Table& x, const Array& matrix) {
    Table out(x.rows, static_cast<std::size_t>(matrix.columns));
    multiplyAdd(x, matrix, out);
    return out;
}

void addToEachRow(const Array& bias, Table& out) {
    for (const Array::Entry& e : bias.entries)
        for (std::size_t p = 0; p < out.rows; ++p)
            out.at(p, static_cast<std::size_t>(e.column)) += static_cast<double>(e.value);
}

class ForwardPass {
public:
    ForwardPass(const Bundle& bundle, const RunInputs& inputs) : bundle_(bundle), inputs_(inputs) {}

    Result<Run> run() {
        Table stream(inputs_.positions, static_cast<std::size_t>(bundle_.d));
        if (auto filled = fill(stream); !filled) return filled.error();
        Run out;
        out.streams.push_back(stream);
        for (const BundleLayer& layer : bundle_.layers) {
            attention(layer, stream);
            mlp(layer, stream);
            out.streams.push_back(stream);
        }
        for (const BundleOutput& output : bundle_.outputs)
            out.outputs.push_back(taken(stream, output.columns));
        return out;
    }

private:
    static Error inputError(const Start& start, std::string message) {
        return makeError("TW-022", "input " + text::quoted(start.input), std::move(message));
    }

    static Table taken(const Table& stream, const ColumnList& columns) {
        Table out(stream.rows, columns.size());
        for (std::size_t p = 0; p < out.rows; ++p)
            for (std::size_t c = 0; c < columns.size(); ++c)
                out.at(p, c) = stream.at(p, static_cast<std::size_t>(columns[c]));
        return out;
    }

    static void place(const Table& values, const ColumnList& columns, Table& stream) {
        for (std::size_t p = 0; p < values.rows; ++p)
            for (std::size_t c = 0; c < columns.size(); ++c)
                stream.at(p, static_cast<std::size_t>(columns[c])) = values.at(p, c);
    }

    Result<void> fill(Table& stream) const {
        std::ranges::fill(stream.values, inputs_.freeColumns);
        for (const Start& start : bundle_.start) {
            auto values = valuesOf(start);
            if (!values) return values.error();
            place(values.value(), start.columns, stream);
        }
        return {};
    }

    [[nodiscard]] Result<Table> valuesOf(const Start& start) const {
        if (start.type == "InputNode") return given(start);
        if (start.type == "Embedding") return embedded(start);
        if (start.type == "PosEncoding") return positions(start.columns.size());
        return constant(start.columns);
    }

    [[nodiscard]] Table constant(const ColumnList& columns) const {
        Table all(inputs_.positions, static_cast<std::size_t>(bundle_.d));
        addToEachRow(bundle_.constants, all);
        return taken(all, columns);
    }

    [[nodiscard]] Result<Table> given(const Start& start) const {
        const auto found = inputs_.rows.find(start.input);
        if (found == inputs_.rows.end()) return inputError(start, "no rows are given for the input");
        const Table& rows = found->second;
        if (rows.rows == inputs_.positions && rows.columns == start.columns.size()) return rows;
        return inputError(start, std::to_string(rows.rows) + " x " + std::to_string(rows.columns) +
                                     " values are given, the input has " + std::to_string(inputs_.positions) +
                                     " positions x " + std::to_string(start.columns.size()) + " columns");
    }

    [[nodiscard]] Result<Table> embedded(const Start& start) const {
        const auto found = inputs_.tokens.find(start.input);
        if (found == inputs_.tokens.end() || found->second.size() != inputs_.positions)
            return inputError(start, "the input wants " + std::to_string(inputs_.positions) + " token ids");
        for (const std::int64_t token : found->second)
            if (token < 0 || token >= start.table.rows)
                return inputError(start, "token id " + std::to_string(token) + " is outside of the table's " +
                                             std::to_string(start.table.rows) + " rows");
        Table out(inputs_.positions, start.columns.size());
        for (const Array::Entry& e : start.table.entries)
            for (std::size_t p = 0; p < out.rows; ++p)
                if (found->second[p] == e.row) out.at(p, static_cast<std::size_t>(e.column)) = e.value;
        return out;
    }

    /// Column 2i is sin(p * w), column 2i + 1 cos(p * w) with w = 10000^(-2i / width); the last but one is p.
    [[nodiscard]] Table positions(std::size_t width) const {
        Table out(inputs_.positions, width);
        for (std::size_t row = 0; row < out.rows; ++row) {
            const auto p = static_cast<double>(inputs_.firstPosition + row);
            for (std::size_t c = 0; c < width / 2 * 2; ++c) {
                const double exponent = static_cast<double>(c - c % 2) / static_cast<double>(width);
                const double angle = p * std::pow(10000.0, -exponent);
                out.at(row, c) = c % 2 == 0 ? std::sin(angle) : std::cos(angle);
            }
            if (width >= 2) out.at(row, width - 2) = p;
        }
        return out;
    }

    /// Softmax over the positions up to this one; the others have a logit of minus infinity.
    void attendOne(const Table& query, const Table& key, std::pair<std::size_t, std::size_t> lanes,
                   std::vector<double>& shares) const {
        const std::size_t position = shares.size() - 1;
        double most = -INFINITY;
        for (std::size_t from = 0; from <= position; ++from) {
            double logit = 0;
            for (std::size_t lane = lanes.first; lane < lanes.second; ++lane)
                logit += query.at(position, lane) * key.at(from, lane);
            shares[from] = logit;
            most = std::max(most, logit);
        }
        double sum = 0;
        for (double& share : shares) {
            share = std::exp(share - most);
            sum += share;
        }
        for (double& share : shares)
            share /= sum;
    }

    void attention(const BundleLayer& layer, Table& stream) const {
        const Table query = multiply(stream, layer.query), key = multiply(stream, layer.key);
        const Table value = multiply(stream, layer.value);
        Table context(stream.rows, value.columns);
        const auto headWidth = static_cast<std::size_t>(bundle_.dHead);
        for (std::size_t begin = 0; begin < value.columns; begin += headWidth) {
            for (std::size_t p = 0; p < stream.rows; ++p) {
                std::vector<double> shares(p + 1);
                attendOne(query, key, {begin, begin + headWidth}, shares);
                for (std::size_t from = 0; from <= p; ++from)
                    for (std::size_t lane = begin; lane < begin + headWidth; ++lane)
                        context.at(p, lane) += shares[from] * value.at(from, lane);
            }
        }
        multiplyAdd(context, layer.output, stream);
    }

    static void mlp(const BundleLayer& layer, Table& stream) {
        Table hidden = multiply(stream, layer.first);
        addToEachRow(layer.firstBias, hidden);
        for (double& value : hidden.values)
            value = value < 0 ? 0 : value;  // what is no number stays so, to be seen
        multiplyAdd(hidden, layer.second, stream);
        addToEachRow(layer.secondBias, stream);
    }

    const Bundle& bundle_;
    const RunInputs& inputs_;
};

}  // namespace

Result<Run> runTransformer(const Bundle& bundle, const RunInputs& inputs) {
    if (!bundle.hasWeights())
        return makeError("TW-023", "weights", "the export has no weights: " + bundle.whyNoWeights);
    const std::int64_t values =
        saturatedMul(saturatedMul(bundle.d, static_cast<std::int64_t>(bundle.layers.size()) + 1),
                     static_cast<std::int64_t>(inputs.positions));
    if (values > kMostValues)
        return makeError("TW-023", "stream",
                         text::grouped(values) + " values of the stream after all layers are more than the " +
                             text::grouped(kMostValues) + " that are kept",
                         "run fewer positions");
    return ForwardPass(bundle, inputs).run();
}

}  // namespace memplan::verify::transformer
