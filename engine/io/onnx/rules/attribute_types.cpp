// SPDX-License-Identifier: Apache-2.0
#include "engine/io/onnx/rules/attribute_types.h"

#include "engine/io/onnx/read/failure.h"
#include "engine/io/onnx/read/gate.h"

#include <array>
#include <map>
#include <optional>
#include <string>

namespace memplan::io::onnx {
namespace {

struct Names {
    AttributeType type = AttributeType::None;
    std::string_view list;  ///< in blanks
};

constexpr std::array kNames{
    Names{AttributeType::Integer,
          " align_corners allowzero antialias axis batch_axis batch_dims block_size blocksize ceil_mode "
          "center_point_box count_include_pad detect_negative detect_positive do_rotary dtype end exclude_outside "
          "exclusive fmod group hidden_size ignore_index input_forget interleaved inverse is_causal k keepdims "
          "kv_num_heads largest layout linear_before_reset noop_with_empty_axes num_groups num_heads num_outputs "
          "offset_group onesided output_datatype output_dtype output_height output_width p periodic precision "
          "q_num_heads qk_matmul_output_mode reverse rotary_embedding_dim sample_size sampling_ratio saturate "
          "select_last_index size softmax_precision sorted spatial start stash_type storage_order time_axis to "
          "training_mode transA transB unidirectional upper "},
    Names{AttributeType::Real,
          " alpha beta bias clip cubic_coeff_a epsilon extrapolation_value gamma high lambd low mask_filter_value max "
          "mean min momentum ratio scale softcap spatial_scale "},
    Names{AttributeType::Text, " approximate auto_pad coordinate_transformation_mode direction equation "
                               "keep_aspect_ratio_policy mode nearest_mode padding_mode reduction round_mode "},
    Names{AttributeType::Integers, " axes dilations ends kernel_shape output_padding output_shape pads perm "
                                   "pooled_shape qkv_hidden_sizes shape split starts strides "},
    Names{AttributeType::Reals, " activation_alpha activation_beta scales "},
    Names{AttributeType::Texts, " activations "},
};

/// The one name that means lists in an experimental operator and numbers elsewhere.
bool isException(const Node& node, std::string_view name) {
    return node.op == "ImageScaler" && name == "bias";
}

std::map<std::string_view, AttributeType> typesByName() {
    std::map<std::string_view, AttributeType> types;
    for (const Names& n : kNames) {
        for (std::size_t begin = 1; begin < n.list.size();) {
            const std::size_t end = n.list.find(' ', begin);
            types.emplace(n.list.substr(begin, end - begin), n.type);
            begin = end + 1;
        }
    }
    return types;
}

std::optional<AttributeType> declaredType(const Node& node, std::string_view name) {
    static const auto kTypes = typesByName();
    if (isException(node, name)) return std::nullopt;
    const auto known = kTypes.find(name);
    return known == kTypes.end() ? std::nullopt : std::optional(known->second);
}

std::string_view inWords(AttributeType type) {
    switch (type) {
    case AttributeType::None:
        return "a value of another kind";
    case AttributeType::Real:
        return "a real number";
    case AttributeType::Integer:
        return "a whole number";
    case AttributeType::Text:
        return "a text";
    case AttributeType::Reals:
        return "a list of real numbers";
    case AttributeType::Integers:
        return "a list of whole numbers";
    case AttributeType::Texts:
        return "a list of texts";
    case AttributeType::Tensor:
        break;
    }
    return "a tensor";
}

}  // namespace

AttributeType typeOf(const Attribute& attribute) {
    return attribute.tensorType != 0 ? AttributeType::Tensor : static_cast<AttributeType>(attribute.value.index());
}

void failAttributeType(const Node& node, std::string_view name, const Attribute& attribute, AttributeType wanted) {
    failImport("ONNX-042", node.where + "/attribute[" + shown(name) + "]",
               node.op + ": \"" + shown(name) + "\" is " + std::string(inWords(typeOf(attribute))) + ", " +
                   std::string(inWords(wanted)) + " is needed",
               "export the model again with a current exporter");
}

void checkAttributeTypes(const Node& node) {
    if (node.domain == "ai.onnx.ml") return;
    for (const auto& [name, attribute] : node.attributes) {
        const auto wanted = declaredType(node, name);
        if (wanted && typeOf(attribute) != *wanted) failAttributeType(node, name, attribute, *wanted);
    }
}

}  // namespace memplan::io::onnx
