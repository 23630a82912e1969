// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/options/from_settings.h"

#include "engine/base/text.h"
#include "engine/ttnn/options/hint_text.h"

#include <limits>

namespace memplan::ttnn {
namespace {

/// The text of an override setting; empty gives none.
template <class T, class Parse>
std::optional<Error> readSetting(const Settings& settings, std::string_view key, Overrides<T>& into, Parse parse) {
    const std::string& text = settings.text(key);
    if (text.empty()) return std::nullopt;
    Result<Overrides<T>> read = parse(text);
    if (!read) {
        Error error = std::move(read).error();
        error.diagnostics.front().where = key;
        return error;
    }
    into = std::move(read).value();
    return std::nullopt;
}

std::optional<Error> readOverrides(const Settings& settings, Options& options) {
    if (auto e = readSetting(settings, "ttnn.insert_memreconfig", options.insertMemreconfig, parseInsertMemreconfig))
        return e;
    if (auto e = readSetting(settings, "ttnn.override_output_layout", options.outputLayouts, parseLayoutOverrides))
        return e;
    if (auto e = readSetting(settings, "ttnn.override_conv2d_config", options.conv2dConfigs, parseConv2dOverrides))
        return e;
    return readSetting(settings, "ttnn.override_conv3d_config", options.conv3dConfigs, parseConv3dOverrides);
}

void readSwitches(const Settings& settings, Options& options) {
    options.enableOptimizer = settings.boolean("ttnn.enable_optimizer");
    options.memoryLayoutAnalysis = settings.boolean("ttnn.memory_layout_analysis");
    options.l1InterleavedFallback = settings.boolean("ttnn.l1_interleaved_fallback");
    options.memreconfig = settings.boolean("ttnn.memreconfig");
    options.rowMajor = settings.boolean("ttnn.row_major");
    options.fusing = settings.boolean("ttnn.fusing");
    options.strictL1Accounting = settings.boolean("ttnn.strict_l1_accounting");
    options.conservativeMatmulCb = settings.boolean("ttnn.conservative_matmul_cb");
    options.concatChains = settings.boolean("ttnn.concat_chains");
    options.reshapeReservations = settings.boolean("ttnn.reshape_reservations");
    options.forkReservations = settings.boolean("ttnn.fork_reservations");
    options.chainMerging = settings.boolean("ttnn.chain_merging");
    options.mergeAnyOperand = settings.boolean("ttnn.merge_any_operand");
    options.validateOpLayouts = settings.boolean("ttnn.validate_op_layouts");
    options.addressSimulation = settings.boolean("ttnn.address_simulation");
    options.checkUniqueLocs = settings.boolean("ttnn.check_unique_locs");
}

std::optional<Error> checkMesh(const std::string& mesh) {
    if (mesh.empty()) return std::nullopt;
    for (const std::string& size : text::split(mesh, ',')) {
        const auto number = text::parseInt(size);
        if (!number || *number < 1)
            return makeError("TT-014", "ttnn.mesh_shape",
                             "invalid_value: " + text::quoted(mesh) + " is not the shape of a mesh",
                             "allowed: sizes with commas between them: 1,2");
    }
    return std::nullopt;
}

/// One hint about one operation.
class HintReader {
public:
    HintReader(Options& options, const Hint& hint) : options_(options), hint_(hint) {}

    std::optional<Error> read(const std::string& name) {
        if (hint_.key == "output_layout") return take(name, options_.outputLayouts, parseLayoutParameters);
        if (hint_.key == "conv2d_config") return take(name, options_.conv2dConfigs, parseConv2dParameters);
        if (hint_.key == "conv3d_config") return take(name, options_.conv3dConfigs, parseConv3dParameters);
        if (hint_.key == "input_reshard") return takeOperands(name);
        ChainHints& chains = options_.chainHints;
        const std::string* word = hint_.value.word();
        if (hint_.key == "break_chain")
            (word && *word == "before" ? chains.breakBefore : chains.breakAfter).push_back(name);
        else if (hint_.key == "forbid_merge")
            chains.forbidMerge.push_back(name);
        else if (hint_.key == "spill" && word)
            chains.spill.emplace_back(name, wishOf(*word));
        return std::nullopt;
    }

private:
    static SpillWish wishOf(std::string_view word) {
        if (word == "dram") return SpillWish::Dram;
        return word == "none" ? SpillWish::None : SpillWish::L1Interleaved;
    }

    template <class T, class Parse>
    std::optional<Error> take(const std::string& name, Overrides<T>& overrides, Parse parse) {
        Result<T> value = parse(parametersOfValue(hint_.key, hint_.value.tree()));
        if (!value) return std::move(value).error();
        setOverride(overrides, name, std::move(value).value());
        return std::nullopt;
    }

    std::optional<Error> takeOperands(const std::string& name) {
        std::vector<int> operands;
        for (const io::JsonValue& item : hint_.value.tree().items) {
            const bool isIndex =
                item.is(io::JsonType::Integer) && item.integer >= 0 && item.integer <= std::numeric_limits<int>::max();
            if (!isIndex)
                return makeError("TT-013", "",
                                 "invalid_operand_index: " + io::jsonText(item) + " is not an operand position");
            operands.push_back(static_cast<int>(item.integer));
        }
        setOverride(options_.insertMemreconfig, name, std::move(operands));
        return std::nullopt;
    }

    Options& options_;
    const Hint& hint_;
};

}  // namespace

Result<Options> optionsFrom(const Settings& settings, std::optional<double> capOfModule) {
    Options options;
    readSwitches(settings, options);
    if (const auto policy = policyOf(settings.text("ttnn.policy"))) options.policy = *policy;
    options.maxLegalLayouts = static_cast<int>(settings.integer("ttnn.max_legal_layouts"));
    const bool isOwnCap = settings.isExplicit("ttnn.l1_usage_cap") || !capOfModule;
    options.l1UsageCap = isOwnCap ? settings.number("ttnn.l1_usage_cap") : *capOfModule;
    options.l1Reserved = settings.integer("ttnn.l1_reserved_bytes");
    options.conversionOpAuto = settings.text("ttnn.conversion_op") == "auto";
    options.arch = settings.text("ttnn.arch");
    options.systemDesc = settings.text("ttnn.system_desc");
    options.meshShape = settings.text("ttnn.mesh_shape");
    if (auto error = checkMesh(options.meshShape)) return *error;
    if (auto error = readOverrides(settings, options)) return *error;
    return options;
}

std::vector<std::pair<std::size_t, Diagnostic>> applyHints(Options& options, std::span<const Hint> hints,
                                                           const LocationOf& locationOf) {
    constexpr std::string_view kOpScope = "op:";
    std::vector<std::pair<std::size_t, Diagnostic>> problems;
    for (std::size_t i = 0; i < hints.size(); ++i) {
        if (!hints[i].enabled) continue;
        for (const std::string& scope : hints[i].scopes) {
            if (!scope.starts_with(kOpScope)) continue;
            const std::string name = locationOf(std::string_view(scope).substr(kOpScope.size()));
            if (name.empty()) continue;
            if (auto error = HintReader(options, hints[i]).read(name))
                problems.emplace_back(i, error->diagnostics.front());
        }
    }
    return problems;
}

}  // namespace memplan::ttnn
