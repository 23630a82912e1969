// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/options/config_text.h"

#include "engine/ttnn/layout/attribute_text.h"
#include "engine/ttnn/options/config_fields.h"

#include <limits>

namespace memplan::ttnn {
namespace {

constexpr std::string_view kProgram2d = "matmul_multi_core_reuse_multi_cast_program_config";
constexpr std::string_view kProgram1d = "matmul_multi_core_reuse_multi_cast_1d_program_config";
/// What the 1-D program of the original has behind the fields that are chosen here.
constexpr std::string_view kTail1d =
    "gather_in0 = false, hop_cores = #ttnn.core_range_set<>, num_global_cb_receivers = 0, untilize_out = false";

/// The inside of `#ttnn.NAME<...>`.
std::optional<std::string_view> bodyOf(std::string_view text, std::string_view name) {
    return between(text, "#ttnn." + std::string(name) + "<", '>');
}

/// "<op_type = relu>", "#ttnn.unary_with_param<op_type = relu>" or "relu"; with parameters the text as it is.
std::string activationOf(std::string_view text) {
    auto inside = between(text, "#ttnn.unary_with_param<", '>');
    if (!inside) inside = between(text, "<", '>');
    if (!inside) return std::string(text);
    const auto [key, value] = keyAndValue(*inside);
    return key == "op_type" && value.find(',') == std::string_view::npos ? std::string(value) : std::string(text);
}

std::string activationText(const std::string& activation) {
    const bool isWord = activation.find('<') == std::string::npos;
    return isWord ? "<op_type = " + activation + ">" : activation;
}

bool read(std::string_view text, std::optional<DataType>& field) {
    field = dataTypeOf(text);
    return field.has_value();
}
bool read(std::string_view text, std::optional<bool>& field) {
    field = text == "true";
    return text == "true" || text == "false";
}
bool read(std::string_view text, std::optional<std::int64_t>& field) {
    field = wholeNumberOf(text);
    return field.has_value();
}
bool read(std::string_view text, std::optional<MemLayout>& field) {
    field = memLayoutOf(text);
    return field.has_value();
}
bool read(std::string_view text, std::optional<PageLayout>& field) {
    field = pageLayoutOf(text);
    return field.has_value();
}
bool read(std::string_view text, std::optional<std::string>& field) {
    field = activationOf(text);
    return !text.empty();
}

std::string word(DataType value) {
    return std::string(wordOf(value));
}
std::string word(bool value) {
    return value ? "true" : "false";
}
std::string word(std::int64_t value) {
    return std::to_string(value);
}
std::string word(MemLayout value) {
    return std::string(wordOf(value));
}
std::string word(PageLayout value) {
    return std::string(wordOf(value));
}
std::string word(const std::string& value) {
    return value;
}

void append(std::string& out, std::string_view part) {
    if (!out.empty()) out += ", ";
    out += part;
}

/// Fields of that name; every other key goes to `rest`.
template <class Config> std::optional<Config> configOf(std::string_view body, std::string& rest) {
    const auto parts = splitAtCommas(body);
    if (!parts) return std::nullopt;
    Config config;
    bool isRight = true;
    for (const std::string_view part : *parts) {
        const auto [key, value] = keyAndValue(part);
        bool isKnown = false;
        eachField(config, [&, k = key, v = value](const auto& field) {
            if (field.name != k) return;
            isKnown = true;
            isRight = isRight && read(v, config.*field.member);
        });
        if (!isKnown) append(rest, part);
    }
    return isRight ? std::optional(config) : std::nullopt;
}

template <class Config> std::string fieldsText(const Config& config) {
    std::string out;
    eachField(config, [&](const auto& field) {
        const auto& value = config.*field.member;
        if (!value) return;
        std::string text = word(*value);
        if (field.name == "activation") text = activationText(text);
        append(out, std::string(field.name) + " = " + text);
    });
    return out;
}

template <class Config> std::string withMore(const Config& config) {
    std::string out = fieldsText(config);
    if (!config.more.empty()) append(out, config.more);
    return out;
}

/// "#ttnn.core_coord<8, 2>".
bool readGrid(std::string_view text, MatmulProgram& program) {
    const auto inside = between(text, "#ttnn.core_coord<", '>');
    const auto parts = inside ? splitAtCommas(*inside) : std::nullopt;
    if (!parts || parts->size() != 2) return false;
    const auto x = wholeNumberOf(parts->front()), y = wholeNumberOf(parts->back());
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    if (!x || !y || *x > kMost || *y > kMost) return false;
    program.gridX = static_cast<std::int32_t>(*x);
    program.gridY = static_cast<std::int32_t>(*y);
    return true;
}

std::int64_t* sizeOf(std::string_view key, MatmulProgram& program) {
    if (key == "in0_block_w") return &program.in0BlockW;
    if (key == "out_subblock_h") return &program.outSubblockH;
    if (key == "out_subblock_w") return &program.outSubblockW;
    if (key == "out_block_h") return &program.outBlockH;
    if (key == "out_block_w") return &program.outBlockW;
    if (key == "per_core_m") return &program.perCoreM;
    if (key == "per_core_n") return &program.perCoreN;
    return nullptr;
}

bool* flagOf(std::string_view key, MatmulProgram& program) {
    if (key == "transpose_mcast") return &program.transposeMcast;
    if (key == "mcast_in0") return &program.mcastIn0;
    if (key == "fuse_batch") return &program.fuseBatch;
    return nullptr;
}

bool readProgramField(std::string_view key, std::string_view value, MatmulProgram& program) {
    if (key == "compute_with_storage_grid_size") return readGrid(value, program);
    if (key == "fused_activation") {
        program.fusedActivation = activationOf(value);
        return true;
    }
    if (std::int64_t* size = sizeOf(key, program)) {
        const auto number = wholeNumberOf(value);
        if (number) *size = *number;
        return number.has_value();
    }
    if (bool* flag = flagOf(key, program)) {
        *flag = value == "true";
        return value == "true" || value == "false";
    }
    return key == "gather_in0" || key == "hop_cores" || key == "num_global_cb_receivers" || key == "untilize_out";
}

}  // namespace

std::optional<Conv2dConfig> conv2dConfigOf(std::string_view text) {
    const auto body = bodyOf(text, "conv2d_config");
    std::string rest;
    auto config = body ? configOf<Conv2dConfig>(*body, rest) : std::nullopt;
    if (config) config->more = rest;
    return config;
}

std::optional<Conv3dConfig> conv3dConfigOf(std::string_view text) {
    const auto body = bodyOf(text, "conv3d_config");
    std::string rest;
    auto config = body ? configOf<Conv3dConfig>(*body, rest) : std::nullopt;
    if (config) config->more = rest;
    return config;
}

std::optional<ComputeConfig> computeConfigOf(std::string_view text) {
    const auto body = bodyOf(text, "device_compute_kernel_config");
    std::string rest;
    auto config = body ? configOf<ComputeConfig>(*body, rest) : std::nullopt;
    return rest.empty() ? config : std::nullopt;
}

std::optional<MatmulProgram> matmulProgramOf(std::string_view text) {
    MatmulProgram program;
    auto body = bodyOf(text, kProgram2d);
    if (!body) {
        body = bodyOf(text, kProgram1d);
        program.kind = MatmulProgram::Kind::Multicast1d;
    }
    const auto parts = body ? splitAtCommas(*body) : std::nullopt;
    if (!parts) return std::nullopt;
    for (const std::string_view part : *parts) {
        const auto [key, value] = keyAndValue(part);
        if (!readProgramField(key, value, program)) return std::nullopt;
    }
    return program;
}

std::string attributeText(const Conv2dConfig& config) {
    return "#ttnn.conv2d_config<" + withMore(config) + ">";
}

std::string attributeText(const Conv3dConfig& config) {
    return "#ttnn.conv3d_config<" + withMore(config) + ">";
}

std::string attributeText(const ComputeConfig& config) {
    return "#ttnn.device_compute_kernel_config<" + fieldsText(config) + ">";
}

std::string attributeText(const MatmulProgram& program) {
    const bool is2d = program.kind == MatmulProgram::Kind::Multicast2d;
    std::string out = "compute_with_storage_grid_size = #ttnn.core_coord<" + std::to_string(program.gridX) + ", " +
                      std::to_string(program.gridY) + ">";
    MatmulProgram copy = program;
    for (const std::string_view key :
         {"in0_block_w", "out_subblock_h", "out_subblock_w", "out_block_h", "out_block_w", "per_core_m", "per_core_n"})
        append(out, std::string(key) + " = " + std::to_string(*sizeOf(key, copy)));
    if (is2d) append(out, "transpose_mcast = " + word(program.transposeMcast));
    append(out, "fuse_batch = " + word(program.fuseBatch));
    if (program.fusedActivation) append(out, "fused_activation = " + activationText(*program.fusedActivation));
    if (!is2d) append(out, "mcast_in0 = " + word(program.mcastIn0) + ", " + std::string(kTail1d));
    return "#ttnn." + std::string(is2d ? kProgram2d : kProgram1d) + "<" + out + ">";
}

}  // namespace memplan::ttnn
