// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/model/figures.h"

#include "engine/base/text.h"
#include "engine/json/json_value.h"

#include <array>
#include <cmath>
#include <optional>

namespace memplan::ttnn {
namespace {

using F = ModelFigures;
using io::JsonType;
using io::JsonValue;

constexpr std::string_view kFormat = "memplan-ttnn-model";

struct Row {
    std::string_view key;
    double F::*member;
    bool isDivisor = false;  ///< 0 is no figure
};

constexpr std::array<Row, 34> kRows{{
    {"eltwise_tiles_per_tensor", &F::eltwiseTilesPerTensor},
    {"logical_extra_tiles", &F::logicalExtraTiles},
    {"matmul_semaphore_bytes", &F::matmulSemaphoreBytes},
    {"matmul_block_max_tiles", &F::matmulBlockMaxTiles, true},
    {"matmul_partials_bytes_per_tile", &F::matmulPartialsBytesPerTile},
    {"conv_staging_tiles", &F::convStagingTiles},
    {"conv_height_max_channels", &F::convHeightMaxChannels},
    {"conv_width_max_rows", &F::convWidthMaxRows},
    {"conv_height_ratio", &F::convHeightRatio},
    {"softmax_tiles_per_column", &F::softmaxTilesPerColumn},
    {"softmax_tiles", &F::softmaxTiles},
    {"softmax_sharded_tiles", &F::softmaxShardedTiles},
    {"norm_tiles_per_column", &F::normTilesPerColumn},
    {"norm_tiles", &F::normTiles},
    {"norm_max_tiles", &F::normMaxTiles},
    {"reduction_scratch_bytes", &F::reductionScratchBytes},
    {"reshape_tiles", &F::reshapeTiles},
    {"slice_tiles", &F::sliceTiles},
    {"pad_tiles", &F::padTiles},
    {"lookup_tiles", &F::lookupTiles},
    {"repeat_bytes", &F::repeatBytes},
    {"concat_tiles", &F::concatTiles},
    {"tilize_tiles", &F::tilizeTiles},
    {"rotary_tiles", &F::rotaryTiles},
    {"launch_ns", &F::launchNs},
    {"dram_utilisation", &F::dramUtilisation, true},
    {"noc_bytes_per_cycle", &F::nocBytesPerCycle, true},
    {"cycles_product_lofi", &F::productLofi},
    {"cycles_product_hifi2", &F::productHifi2},
    {"cycles_product_hifi3", &F::productHifi3},
    {"cycles_product_hifi4", &F::productHifi4},
    {"cycles_tile", &F::cyclesTile},
    {"cycles_tile_transcendental", &F::cyclesTileTranscendental},
    {"passes_normalisation", &F::passesNormalisation},
}};

/// Far above any figure that means something, and products of two of them are still whole numbers.
constexpr double kLargest = 1e9;

Error wrong(std::string where, std::string message, std::string fix = {}) {
    return makeError("CAL-001", std::move(where), std::move(message), std::move(fix));
}

const Row* rowOf(std::string_view key) {
    for (const Row& row : kRows) {
        if (row.key == key) return &row;
    }
    return nullptr;
}

std::optional<double> numberIn(const JsonValue& value) {
    if (value.is(JsonType::Integer)) return static_cast<double>(value.integer);
    if (value.is(JsonType::Real)) return value.real;
    return std::nullopt;
}

std::optional<Error> takeValue(const std::string& key, const JsonValue& value, ModelFigures& figures) {
    const std::string where = "/values/" + key;
    const Row* row = rowOf(key);
    if (!row) return wrong(where, "unknown figure " + text::quoted(key), "remove it or correct its name");
    const std::optional<double> number = numberIn(value);
    const bool fits = number && std::isfinite(*number) && *number >= 0 && *number <= kLargest;
    if (!fits || (row->isDivisor && *number == 0))
        return wrong(where,
                     text::quoted(key) + " needs a number " + (row->isDivisor ? "above 0" : "from 0") + " up to 1e9");
    figures.*row->member = *number;
    return std::nullopt;
}

Result<ModelFigures> readOnto(std::string_view json, ModelFigures figures) {
    const std::optional<JsonValue> file = io::parseJsonValue(json);
    if (!file || !file->is(JsonType::Object)) return wrong("", "the file is no JSON object");
    const JsonValue* format = file->find("format");
    if (!format || !format->is(JsonType::String) || format->string != kFormat)
        return wrong("/format", "\"format\" is not \"" + std::string(kFormat) + "\"");
    const JsonValue* version = file->find("version");
    if (!version || !version->is(JsonType::Integer) || version->integer != 1)
        return wrong("/version", "version 1 is the only one that can be read");
    for (const std::string& key : file->keys) {
        if (key != "format" && key != "version" && key != "name" && key != "values")
            return wrong("/" + key, "unknown member " + text::quoted(key));
    }
    const JsonValue* values = file->find("values");
    if (!values) return figures;
    if (!values->is(JsonType::Object)) return wrong("/values", "\"values\" is no object");
    for (std::size_t i = 0; i < values->items.size(); ++i) {
        if (std::optional<Error> error = takeValue(values->keys[i], values->items[i], figures)) return *error;
    }
    return figures;
}

}  // namespace

const ModelFigures& builtInFigures() {
    // A test reads the text itself: what is built in is well formed.
    static const ModelFigures kBuiltIn = [] {
        const Result<ModelFigures> read = readOnto(builtInFiguresText(), {});
        return read ? read.value() : ModelFigures{};
    }();
    return kBuiltIn;
}

Result<ModelFigures> readFigures(std::string_view json) {
    return readOnto(json, builtInFigures());
}

std::string writeFigures(const ModelFigures& figures, std::string_view name) {
    JsonValue file;
    file.type = JsonType::Object;
    io::setMember(file, "format", io::jsonString(std::string(kFormat)));
    io::setMember(file, "version", io::jsonInteger(1));
    io::setMember(file, "name", io::jsonString(std::string(name)));
    JsonValue values;
    values.type = JsonType::Object;
    for (const Row& row : kRows) {
        JsonValue value;
        value.type = JsonType::Real;
        value.real = figures.*row.member;
        value.string = text::number(value.real);
        io::setMember(values, row.key, std::move(value));
    }
    io::setMember(file, "values", std::move(values));
    return io::jsonText(file);
}

}  // namespace memplan::ttnn
