// SPDX-License-Identifier: Apache-2.0
#include "tests/probe/ttnn_layout_kinds.h"

#include "engine/ttnn/layout/arithmetic.h"
#include "engine/ttnn/options/config_fields.h"
#include "engine/ttnn/options/options.h"
#include "engine/ttnn/search/conv2d_space.h"
#include "engine/ttnn/search/matmul_program.h"
#include "engine/ttnn/search/search_space.h"
#include "tests/probe/input_checks.h"

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>

namespace memplan::probe {
namespace {

using nlohmann::json;
using namespace memplan::ttnn;

constexpr std::int64_t kMostCores = 65536;

/// The words of chapters 1.4 and 8 for the codes of the engine.
[[noreturn]] void throwError(const Error& error) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kWords{{{"TT-010", "invalid_format"},
                                                                                   {"TT-011", "invalid_parameter"},
                                                                                   {"TT-012", "duplicate_parameter"},
                                                                                   {"TT-013", "invalid_operand_index"},
                                                                                   {"TT-014", "invalid_value"},
                                                                                   {"TT-015", "unsupported"},
                                                                                   {"TT-021", "bad_grid_shape"},
                                                                                   {"TT-022", "grid_too_large"}}};
    const Diagnostic& d = error.primary();
    for (const auto& [code, word] : kWords)
        if (d.code == code) throw ProbeError{std::string(word), d.message};
    throw ProbeError{d.code, d.message};
}

template <class T> T valueOf(Result<T> result) {
    if (!result) throwError(result.error());
    return std::move(result).value();
}

template <class T> T wordIn(const json& value, std::optional<T> (*named)(std::string_view), const char* what) {
    const auto found = named(value.get<std::string>());
    require(found.has_value(), "unknown " + std::string(what) + " '" + value.get<std::string>() + "'");
    return *found;
}

DataType dtypeIn(const json& value) {
    return wordIn(value, dataTypeOf, "data type");
}
PageLayout pageIn(const json& value) {
    return wordIn(value, pageLayoutOf, "page layout");
}
BufferType bufferIn(const json& value) {
    return wordIn(value, bufferTypeOf, "buffer");
}
std::optional<MemLayout> memIn(const json& value) {
    if (value.is_null()) return std::nullopt;
    return wordIn(value, memLayoutOf, "memory layout");
}

Grid gridIn(const json& value) {
    require(value.is_array() && value.size() == 2, "a grid has two sizes");
    return {static_cast<std::int32_t>(wholeNumber(value.at(0), 1, kMostCores, "grid")),
            static_cast<std::int32_t>(wholeNumber(value.at(1), 1, kMostCores, "grid"))};
}

json gridJson(Grid grid) {
    return json::array({grid.rows, grid.cols});
}

Device deviceIn(const json& in) {
    Device device;
    if (const auto it = in.find("worker_grid"); it != in.end()) device.workers = gridIn(*it);
    return device;
}

Shape shapeIn(const json& in) {
    return sizesOf(in.at("shape"), "shape");
}

json tileBytesKind(const json& in) {
    if (const auto it = in.find("tile"); it != in.end())
        require(*it == json::array({32, 32}), "a tile has 32x32 elements");
    return {{"bytes", tileBytes(dtypeIn(in.at("dtype")))}};
}

json layoutShardKind(const json& in) {
    const LayoutChoice choice{dtypeIn(in.at("dtype")), pageIn(in.at("page")), bufferIn(in.at("buffer")),
                              memIn(in.at("mem")), gridIn(in.at("grid"))};
    const Layout layout = makeLayout(shapeIn(in), choice, deviceIn(in));
    return {{"grid", gridJson(layout.grid)},
            {"shard", layout.shard},
            {"scalar_shard", scalarShard(layout)},
            {"shard_bytes", layout.shardBytes()}};
}

json linearMapKind(const json& in) {
    return {{"map", linearMap(shapeIn(in), pageIn(in.at("page")))}};
}

json tiledShapeKind(const json& in) {
    return {{"tiles", tiledShape(shapeIn(in))}};
}

json coreRangesKind(const json& in) {
    const auto mem = memIn(in.at("mem"));
    require(mem.has_value(), "mem");
    const bool isDram = in.value("buffer", "l1") == "dram";
    const Device device = deviceIn(in);
    const Grid grid = gridIn(in.at("grid"));
    const CoreRanges ranges = valueOf(isDram ? bankPlacement(grid, device) : canonicalPlacement(*mem, grid, device));
    json list = json::array();
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        const auto corner = [](Core core) { return json::array({core.x, core.y}); };
        list.push_back(json::array({corner(ranges[i].first), corner(ranges[i].last)}));
    }
    return {{"ranges", list}};
}

json layoutVerifyKind(const json& in) {
    Layout layout;
    layout.buffer = bufferIn(in.at("buffer"));
    layout.mem = memIn(in.at("mem"));
    layout.grid = gridIn(in.at("grid"));
    layout.ignorePhysicalLayout = in.value("ignore_physical", false);
    if (in.value("core_ranges", false)) layout.cores = CoreRanges{};
    const std::string_view rule = brokenRule(layout);
    return {{"error", rule.empty() ? json() : json(rule)}};
}

/// `error` of this kind is an answer, not a failure, where the rule is null.
json layoutVerify(const json& in) {
    const json answer = layoutVerifyKind(in);
    if (answer.at("error").is_null()) return answer;
    throw ProbeError{answer.at("error").get<std::string>(), "the layout breaks a rule"};
}

OpLayouts layoutsIn(const json& in, int limit, const Device& device) {
    LayoutTable table(device);
    return opLayouts(shapeIn(in), dtypeIn(in.at("dtype")), {limit, in.value("row_major", false), {}}, table);
}

json legalTensorKind(const json& in) {
    const Device device = deviceIn(in);
    const OpLayouts found = layoutsIn(in, std::numeric_limits<int>::max(), device);
    const auto count = [&](MemLayout mem) {
        return std::count_if(found.sharded.begin(), found.sharded.end(), [&](const Layout& l) { return l.mem == mem; });
    };
    json first = json::array();
    for (std::size_t i = 0; i < std::min<std::size_t>(4, found.sharded.size()); ++i)
        first.push_back(json::array({wordOf(*found.sharded[i].mem), gridJson(found.sharded[i].grid)}));
    return {{"interleaved", found.interleaved.size()},
            {"block_sharded", count(MemLayout::BlockSharded)},
            {"height_sharded", count(MemLayout::HeightSharded)},
            {"width_sharded", count(MemLayout::WidthSharded)},
            {"first_sharded", first}};
}

json legalOpKind(const json& in) {
    const auto limit = wholeNumber(in.at("max_legal_layouts"), 0, kMostCores, "max_legal_layouts");
    const Device device = deviceIn(in);
    const OpLayouts found = layoutsIn(in, static_cast<int>(limit), device);
    return {{"total", found.interleaved.size() + found.sharded.size()},
            {"sharded", found.sharded.size()},
            {"interleaved", found.interleaved.size()}};
}

void readField(const json& value, std::optional<DataType>& field) {
    field = dtypeIn(value);
}
void readField(const json& value, std::optional<MemLayout>& field) {
    field = memIn(value);
}
void readField(const json& value, std::optional<PageLayout>& field) {
    field = pageIn(value);
}
template <class T> void readField(const json& value, std::optional<T>& field) {
    if constexpr (std::is_same_v<T, std::string>)
        field = value.is_string() ? value.get<std::string>() : value.dump();
    else
        field = value.get<T>();
}

Conv2dConfig configIn(const json& in) {
    Conv2dConfig config;
    eachField(config, [&](const auto& field) {
        const auto it = in.find(std::string(field.name));
        if (it != in.end() && !it->is_null()) readField(*it, config.*field.member);
    });
    return config;
}

template <class T> json fieldJson(const T& value) {
    if constexpr (std::is_enum_v<T>)
        return wordOf(value);
    else
        return value;
}

json configJson(const Conv2dConfig& config) {
    json out = json::object();
    eachField(config, [&](const auto& field) {
        if (const auto& value = config.*field.member) out[std::string(field.name)] = fieldJson(*value);
    });
    return out;
}

json conv2dGeneratorKind(const json& in) {
    Conv2dSpace space;
    for (const auto& [name, values] : in.at("space").items())
        for (const json& value : values)
            space.push_back(configIn({{name, value}}));
    const auto filter = in.value("default_filter", false) ? Conv2dFilter::Standard : Conv2dFilter::None;
    const Conv2dSearch search = conv2dConfigs(configIn(in.at("base")), space, filter);
    json configs = json::array();
    for (const Conv2dConfig& config : search.configs)
        configs.push_back(configJson(config));
    return {{"search_done_at_start", search.isEmpty}, {"configs", configs}};
}

template <class T> json wordOrNull(const std::optional<T>& value) {
    return value ? json(wordOf(*value)) : json();
}

json layoutOverrideJson(const LayoutOverride& value) {
    return {{"grid", value.grid ? gridJson(*value.grid) : json()},
            {"buffer", wordOrNull(value.buffer)},
            {"mem", wordOrNull(value.mem)},
            {"page", wordOrNull(value.page)},
            {"dtype", wordOrNull(value.dtype)}};
}

template <class T, class Text> json overridesJson(const Overrides<T>& overrides, Text text) {
    json out = json::object();
    for (const auto& [name, value] : overrides)
        out[name] = text(value);
    return out;
}

json layoutOverrideKind(const json& in) {
    return overridesJson(valueOf(parseLayoutOverrides(in.at("text").get<std::string>())), layoutOverrideJson);
}

json conv2dOverrideKind(const json& in) {
    return overridesJson(valueOf(parseConv2dOverrides(in.at("text").get<std::string>())), configJson);
}

json memreconfigKind(const json& in) {
    return overridesJson(valueOf(parseInsertMemreconfig(in.at("text").get<std::string>())),
                         [](const std::vector<int>& operands) { return json(operands); });
}

LayoutOverride layoutOverrideIn(const json& in) {
    const auto has = [&](const char* key) { return in.contains(key) && !in.at(key).is_null(); };
    LayoutOverride value;
    if (has("grid")) value.grid = gridIn(in.at("grid"));
    if (has("buffer")) value.buffer = bufferIn(in.at("buffer"));
    if (has("mem")) value.mem = memIn(in.at("mem"));
    if (has("page")) value.page = pageIn(in.at("page"));
    if (has("dtype")) value.dtype = dtypeIn(in.at("dtype"));
    return value;
}

/// In the order of the question, which ordinary JSON objects do not keep.
template <class T, class Read> Overrides<T> overridesIn(const nlohmann::ordered_json& in, const char* key, Read read) {
    Overrides<T> overrides;
    if (const auto it = in.find(key); it != in.end())
        for (const auto& [name, value] : it->items())
            overrides.emplace_back(name, read(value));
    return overrides;
}

std::string meshIn(const json& in) {
    const json mesh = in.value("mesh_shape", json());
    if (mesh.is_string()) return mesh.get<std::string>();
    std::string text;
    for (const json& size : mesh)
        text += (text.empty() ? "" : ",") + std::to_string(wholeNumber(size, 1, kMostElements, "mesh_shape"));
    return text;
}

json optionsTextKind(const nlohmann::ordered_json& ordered) {
    const json in = ordered;
    Options options;
    options.enableOptimizer = in.value("enable_optimizer", false);
    options.memreconfig = in.value("memreconfig_enabled", false);
    options.memoryLayoutAnalysis = in.value("memory_layout_analysis_enabled", false);
    options.l1InterleavedFallback = in.value("l1_interleaved_fallback_analysis_enabled", false);
    options.maxLegalLayouts =
        static_cast<int>(wholeNumber(in.value("max_legal_layouts", json(0)), 0, kMostCores, "max_legal_layouts"));
    options.l1UsageCap = in.value("tensor_l1_usage_cap", 0.0);
    options.systemDesc = in.value("system_desc_path", "");
    options.meshShape = meshIn(in);
    const std::string policy = in.value("memory_layout_analysis_policy", "");
    if (!policy.empty()) options.policy = wordIn(json(policy), policyOf, "policy");
    options.insertMemreconfig = overridesIn<std::vector<int>>(ordered, "insert_memreconfig", [](const json& value) {
        std::vector<int> operands;
        for (const std::int64_t operand : wholeNumbers(value, 0, "insert_memreconfig")) {
            require(operand <= kMostCores, "insert_memreconfig: no operand position");
            operands.push_back(static_cast<int>(operand));
        }
        return operands;
    });
    options.outputLayouts = overridesIn<LayoutOverride>(ordered, "override_output_layout", layoutOverrideIn);
    options.conv2dConfigs = overridesIn<Conv2dConfig>(ordered, "override_conv2d_config", configIn);
    return {{"text", optionsText(options, policy.empty() ? PolicyText::LeftOut : PolicyText::Written)}};
}

json optimizationLevelKind(const json& in) {
    Options options;
    options.enableOptimizer = options.memoryLayoutAnalysis = false;
    std::vector<std::string> names;
    const json given = in.value("explicit", json::object());
    for (const auto& [name, value] : given.items()) {
        names.push_back(name);
        if (name == "enable-optimizer") options.enableOptimizer = value.get<bool>();
        if (name == "memory-layout-analysis-enabled") options.memoryLayoutAnalysis = value.get<bool>();
    }
    const auto level =
        wholeNumber(in.at("level"), std::numeric_limits<int>::min(), std::numeric_limits<int>::max(), "level");
    const Options resolved = valueOf(applyLevel(static_cast<int>(level), options, names));
    return {{"enable_optimizer", resolved.enableOptimizer},
            {"memory_layout_analysis_enabled", resolved.memoryLayoutAnalysis}};
}

json usableL1Kind(const json& in) {
    const Bytes size = wholeNumber(in.at("l1_size"), 0, kMostElements, "l1_size");
    const Bytes base = wholeNumber(in.at("unreserved_base"), 0, size, "unreserved_base");
    const Bytes reserved = wholeNumber(in.value("reserved", json(0)), 0, kMostElements, "reserved");
    const double cap = in.at("cap").get<double>();
    require(cap >= 0 && cap <= 1, "cap: not within 0 to 1");
    const Bytes bytes = usableL1(size, base, cap, reserved);
    if (bytes < 0) throw ProbeError{"reserved_exceeds_cap", "more is reserved than the cap leaves"};
    return {{"bytes", bytes}};
}

json programJson(const MatmulProgram& program) {
    const bool is2d = program.kind == MatmulProgram::Kind::Multicast2d;
    json out = {{"kind", is2d ? "matmul_multi_core_reuse_multi_cast_program_config"
                              : "matmul_multi_core_reuse_multi_cast_1d_program_config"},
                {"grid", {program.gridX, program.gridY}},
                {"in0_block_w", program.in0BlockW},
                {"out_subblock_h", program.outSubblockH},
                {"out_subblock_w", program.outSubblockW},
                {"out_block_h", program.outBlockH},
                {"out_block_w", program.outBlockW},
                {"per_core_m", program.perCoreM},
                {"per_core_n", program.perCoreN},
                {"fuse_batch", program.fuseBatch}};
    if (is2d)
        out["transpose_mcast"] = program.transposeMcast;
    else
        out["mcast_in0"] = program.mcastIn0;
    return out;
}

json matmulProgramKind(const json& in) {
    const auto size = [&](const char* key) { return wholeNumber(in.at(key), 1, kMostElements, key); };
    const bool isOneBatch = wholeNumber(in.value("in1_batch", json(1)), 1, kMostElements, "in1_batch") == 1;
    const MatmulSizes sizes{size("m"), size("n"), size("k"), isOneBatch};
    ComputeConfig compute;
    compute.fp32DestAccEn = in.value("fp32_dest_acc", false);
    compute.dstFullSyncEn = in.value("dst_full_sync", false);
    const LayoutChoice choice{DataType::BF16, PageLayout::Tile, BufferType::L1, memIn(in.at("out_mem")),
                              gridIn(in.at("out_grid"))};
    const Device device = deviceIn(in);
    const Shape shape{sizes.m, sizes.n};
    const auto program = matmulProgram(sizes, makeLayout(shape, choice, device), compute);
    return {{"config", program ? programJson(*program) : json()}};
}

}  // namespace

void registerTtnnLayouts(Registry& registry) {
    registry.add("tile_bytes", tileBytesKind);
    registry.add("layout_shard", layoutShardKind);
    registry.add("linear_map", linearMapKind);
    registry.add("tiled_shape", tiledShapeKind);
    registry.add("core_ranges", coreRangesKind);
    registry.add("layout_verify", layoutVerify);
    registry.add("legal_tensor_layouts", legalTensorKind);
    registry.add("legal_op_layouts", legalOpKind);
    registry.add("conv2d_config_generator", conv2dGeneratorKind);
    registry.add("parse_output_layout_override", layoutOverrideKind);
    registry.add("parse_conv2d_config_override", conv2dOverrideKind);
    registry.add("parse_insert_memreconfig", memreconfigKind);
    registry.addOrdered("options_to_string", optionsTextKind);
    registry.add("optimization_level", optimizationLevelKind);
    registry.add("usable_l1", usableL1Kind);
    registry.add("matmul_program_config", matmulProgramKind);
}

}  // namespace memplan::probe
