// SPDX-License-Identifier: Apache-2.0
// Legal layouts and configurations of operations (ttnn-optimizer 3.3, 3.4).
#include "engine/ttnn/search/search_space.h"

#include "engine/ttnn/layout/attribute_text.h"
#include "engine/ttnn/options/config_fields.h"
#include "engine/ttnn/options/config_text.h"
#include "engine/ttnn/search/conv2d_space.h"
#include "engine/ttnn/search/matmul_program.h"

#include <algorithm>
#include <iterator>

namespace memplan::ttnn {
namespace {

bool agrees(const Layout& layout, const LayoutOverride& wanted) {
    return (!wanted.grid || *wanted.grid == layout.grid) && (!wanted.buffer || *wanted.buffer == layout.buffer) &&
           (!wanted.mem || wanted.mem == layout.mem) && (!wanted.page || *wanted.page == layout.page);
}

bool isTrue(const std::string* text) {
    return text && trimmed(*text) == "true";
}

bool areAllFieldsSet(const Conv2dConfig& config) {
    bool areAll = true;
    eachField(config, [&](const auto& field) {
        if (field.name != "core_grid") areAll = areAll && (config.*field.member).has_value();
    });
    return areAll;
}

/// Sizes of a matmul; none where its operands are no matrices.
std::optional<MatmulSizes> matmulSizes(const Function& function, const Operation& op) {
    if (op.operands.size() < 2) return std::nullopt;
    const Shape& a = function.typeOf(op.operands[0]).shape;
    const Shape& b = function.typeOf(op.operands[1]).shape;
    const Shape& out = function.typeOf(op.results.front()).shape;
    if (a.empty() || b.empty() || out.empty()) return std::nullopt;
    const bool isTransposed = isTrue(op.find("transpose_a")) && a.size() > 1;
    MatmulSizes sizes;
    sizes.n = out.back();
    if (out.size() > 1) sizes.m = out[out.size() - 2];
    sizes.k = isTransposed ? a[a.size() - 2] : a.back();
    for (std::size_t i = 0; i + 2 < b.size(); ++i)
        sizes.isBatchFused = sizes.isBatchFused && b[i] == 1;
    // Fused batches are further rows: each begins on a tile of its own, as in the layout of the output (1.3).
    for (std::size_t i = 0; sizes.isBatchFused && i + 2 < out.size(); ++i)
        sizes.m = roundUpToTile(sizes.m) * out[i];
    return sizes;
}

/// The space of one function, operation by operation.
class Builder {
public:
    Builder(const Function& function, const Options& options, LayoutTable& table, OpModel& model)
        : function_(function), options_(options), table_(table), model_(model) {}

    Result<OpSpace> space(const Operation& op) {
        OpSpace space;
        const Type* type = tensorResult(op);
        if (!type || op.name == "ttnn.empty") return space;
        auto layouts = layoutsOf(op, *type, space);
        if (!layouts) return std::move(layouts).error();
        auto configs = configsOf(op, std::move(layouts).value());
        if (!configs) return std::move(configs).error();
        space.configs = std::move(configs).value();
        std::copy_if(space.configs.begin(), space.configs.end(), std::back_inserter(space.sharded),
                     [](const OpConfig& config) { return config.output && config.output->isL1Sharded(); });
        return space;
    }

private:
    [[nodiscard]] const Type* tensorResult(const Operation& op) const {
        if (op.results.empty()) return nullptr;
        const Type& type = function_.typeOf(op.results.front());
        return type.isTensor ? &type : nullptr;
    }

    [[nodiscard]] static bool isKept(const Operation& op) {
        return !op.name.starts_with("ttnn.") || op.is("to_layout") || op.is("to_memory_config");
    }

    Result<std::vector<Layout>> layoutsOf(const Operation& op, const Type& type, OpSpace& space) {
        if (isKept(op)) return type.layout ? std::vector{*type.layout} : std::vector<Layout>();
        const std::string& name = op.location.name;
        const LayoutOverride* wanted = name.empty() ? nullptr : findOverride(options_.outputLayouts, name);
        if (wanted && wanted->isFull()) {
            space.isFullOverride = true;
            return exactLayout(*wanted, type, name);
        }
        return limitedLayouts(op, type, wanted, space);
    }

    Result<std::vector<Layout>> exactLayout(const LayoutOverride& wanted, const Type& type, const std::string& name) {
        const Device& device = model_.device();
        const LayoutChoice choice{wanted.dtype.value_or(type.dtype), *wanted.page, *wanted.buffer, wanted.mem,
                                  *wanted.grid};
        Layout layout = makeLayout(type.shape, choice, device);
        const std::string where = "override-output-layout of " + name;
        const bool isLine = layout.mem == MemLayout::HeightSharded || layout.mem == MemLayout::WidthSharded;
        if (const auto line = isLine ? canonicalPlacement(*layout.mem, layout.grid, device) : CoreRanges(); !line)
            return makeError(line.error().primary().code, where, line.error().primary().message,
                             "choose a grid that fits the device");
        if (layout.isSharded() && !layout.cores) {
            const auto placed = layout.isInDram() ? bankPlacement(layout.grid, device)
                                                  : canonicalPlacement(*layout.mem, layout.grid, device);
            return makeError(placed.error().primary().code, where, placed.error().primary().message,
                             "choose a grid that fits the device");
        }
        if (const std::string_view rule = brokenRule(layout); !rule.empty())
            return makeError("TT-020", where, "the layout is not valid: " + std::string(rule),
                             "change the override: " + parametersText(wanted));
        if (isBlockFloat(layout.dtype) && !layout.isTiled())
            return makeError("TT-020", where, "the layout is not valid: block floats exist in tiles only",
                             "change page or data type of the override: " + parametersText(wanted));
        return std::vector{std::move(layout)};
    }

    Result<std::vector<Layout>> limitedLayouts(const Operation& op, const Type& type, const LayoutOverride* wanted,
                                               OpSpace& space) {
        const DataType scalar = wanted ? wanted->dtype.value_or(type.dtype) : type.dtype;
        LayoutLimit limit{options_.maxLegalLayouts, options_.rowMajor, {}};
        if (wanted && wanted->page == PageLayout::RowMajor) limit.isRowMajor = true;
        if (options_.validateOpLayouts) limit.accepts = validation(op, space);
        OpLayouts found = opLayouts(type.shape, scalar, limit, table_);
        space.shardedLayouts = found.allSharded;
        space.keptLayouts = static_cast<int>(found.sharded.size());
        std::vector<Layout> layouts = std::move(found.interleaved);
        layouts.insert(layouts.end(), std::make_move_iterator(found.sharded.begin()),
                       std::make_move_iterator(found.sharded.end()));
        if (wanted) std::erase_if(layouts, [&](const Layout& layout) { return !agrees(layout, *wanted); });
        if (!layouts.empty()) return layouts;
        return makeError("TT-002", nameOf(op),
                         "No legal layout found for the operation " + op.name +
                             (wanted ? " with the override " + parametersText(*wanted) : ""),
                         wanted ? wayOut(*wanted, type.shape) : "");
    }

    /// More layouts do not help where the device has no such grid, and sharded ones in DRAM are never searched.
    [[nodiscard]] std::string wayOut(const LayoutOverride& wanted, const Shape& shape) const {
        const bool isSharded = wanted.mem && *wanted.mem != MemLayout::Interleaved;
        if (isSharded && wanted.buffer && *wanted.buffer != BufferType::L1)
            return "only L1 is searched for sharded layouts: give grid, buffer, memory layout and page for another";
        if (isSharded && wanted.grid) {
            const auto placed = canonicalPlacement(*wanted.mem, *wanted.grid, model_.device());
            if (!placed) return placed.error().primary().message + ": change the override";
            const auto tiles = tiledShape(shape);
            const bool isInTiles = wanted.page != PageLayout::RowMajor;
            if (isInTiles && (wanted.grid->rows > tiles[0] || wanted.grid->cols > tiles[1]))
                return "its result has " + std::to_string(tiles[0]) + "x" + std::to_string(tiles[1]) +
                       " tiles, fewer than the grid has cores in a direction: change the override";
        }
        return "change or remove the override, or raise ttnn.max_legal_layouts";
    }

    /// Whether the model takes a layout as output with the inputs that the module has.
    std::function<bool(const Layout&)> validation(const Operation& op, OpSpace& space) {
        std::vector<Layout> inputs;
        for (const ValueId value : tensorOperands(function_, op)) {
            const auto& layout = function_.typeOf(value).layout;
            if (!layout) return {};
            inputs.push_back(*layout);
        }
        return [this, &op, &space, given = std::move(inputs)](const Layout& layout) {
            const OpConfig config{layout, {}};
            const Validation found = model_.validate({function_, op, given, config, 0, 0});
            if (found.ok() || found.status == ValidationStatus::NotImplemented) return true;
            space.refused.emplace_back(layout, found.message);
            return false;
        };
    }

    static std::string nameOf(const Operation& op) { return op.location.name.empty() ? op.name : op.location.name; }

    Result<std::vector<OpConfig>> configsOf(const Operation& op, std::vector<Layout> layouts) {
        if (!isKept(op) && (op.is("conv2d") || op.is("conv_transpose2d"))) return conv2dConfigsOf(op, layouts);
        if (!isKept(op) && op.is("conv3d")) return conv3dConfigsOf(op, layouts);
        if (!isKept(op) && (op.is("matmul") || op.is("linear"))) return matmulConfigsOf(op, layouts);
        std::vector<OpConfig> configs;
        configs.reserve(layouts.size());
        for (Layout& layout : layouts)
            configs.push_back({std::move(layout), {}});
        return configs;
    }

    static std::optional<ComputeConfig> computeOf(const Operation& op) {
        const std::string* text = op.find("compute_config");
        return text ? computeConfigOf(*text) : std::nullopt;
    }

    /// The operation's own configuration with the override over it.
    template <class Config, class Read>
    static Result<Config> baseConfig(const Operation& op, const Config* wanted, std::string_view name, Read read) {
        Config base;
        if (const std::string* text = op.find(name)) {
            const auto own = read(*text);
            if (!own)
                return makeError("TT-014", nameOf(op),
                                 "invalid_value: " + std::string(name) + " of " + op.name + " cannot be read: " + *text,
                                 "correct the attribute in the module");
            base = *own;
        }
        if (wanted) mergeFields(base, *wanted);
        return base;
    }

    Result<std::vector<OpConfig>> conv2dConfigsOf(const Operation& op, const std::vector<Layout>& layouts) const {
        const Conv2dConfig* wanted = findOverride(options_.conv2dConfigs, op.location.name);
        auto base = baseConfig(op, wanted, "conv2d_config", conv2dConfigOf);
        if (!base) return std::move(base).error();
        Conv2dConfig config = std::move(base).value();
        if (!config.weightsDtype && op.operands.size() > 1)
            config.weightsDtype = function_.typeOf(op.operands[1]).dtype;
        Conv2dSearch search;
        if (!wanted || !areAllFieldsSet(*wanted))
            search = ttnn::conv2dConfigs(config, standardConv2dSpace(), Conv2dFilter::Standard);
        if (search.configs.empty()) search.configs = {config};
        const auto compute = computeOf(op);
        std::vector<OpConfig> configs;
        configs.reserve(search.configs.size() * layouts.size());
        for (const Conv2dConfig& one : search.configs)
            for (const Layout& layout : layouts)
                configs.push_back({layout, Conv2dAttrs{one, compute}});
        return configs;
    }

    Result<std::vector<OpConfig>> conv3dConfigsOf(const Operation& op, const std::vector<Layout>& layouts) const {
        const Conv3dConfig* wanted = findOverride(options_.conv3dConfigs, op.location.name);
        auto base = baseConfig(op, wanted, "conv3d_config", conv3dConfigOf);
        if (!base) return std::move(base).error();
        Conv3dAttrs attrs{std::nullopt, computeOf(op)};
        if (wanted || op.find("conv3d_config")) attrs.config = std::move(base).value();
        std::vector<OpConfig> configs;
        for (const Layout& layout : layouts)
            configs.push_back({layout, attrs});
        return configs;
    }

    std::vector<OpConfig> matmulConfigsOf(const Operation& op, std::vector<Layout>& layouts) const {
        const auto sizes = matmulSizes(function_, op);
        const auto compute = computeOf(op);
        const std::string* activation = op.find("activation");
        std::vector<OpConfig> configs;
        configs.reserve(layouts.size());
        for (Layout& layout : layouts) {
            MatmulAttrs attrs{std::nullopt, compute};
            if (sizes) attrs.program = matmulProgram(*sizes, layout, compute.value_or(ComputeConfig{}));
            if (attrs.program && activation)
                attrs.program->fusedActivation = std::string(between(*activation, "\"", '"').value_or(*activation));
            configs.push_back({std::move(layout), std::move(attrs)});
        }
        return configs;
    }

    const Function& function_;
    const Options& options_;
    LayoutTable& table_;
    OpModel& model_;
};

}  // namespace

Result<SearchSpace> searchSpace(const Function& function, const Options& options, LayoutTable& table, OpModel& model) {
    SearchSpace space;
    space.ops.reserve(function.operations.size());
    Builder builder(function, options, table, model);
    for (const Operation& operation : function.operations) {
        Result<OpSpace> one = builder.space(operation);
        if (!one) return std::move(one).error();
        space.ops.push_back(std::move(one).value());
    }
    return space;
}

Result<OpSpace> operationSpace(const Function& function, const Operation& operation, const Options& options,
                               LayoutTable& table, OpModel& model) {
    return Builder(function, options, table, model).space(operation);
}

}  // namespace memplan::ttnn
