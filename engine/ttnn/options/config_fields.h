// SPDX-License-Identifier: Apache-2.0
// The fields of convolution and kernel configurations with their names, in the order of ttnn-optimizer 3.4: override
// strings, attribute texts and the search go through them.
#pragma once

#include "engine/ttnn/machine/op_config.h"

#include <optional>
#include <string_view>
#include <tuple>

namespace memplan::ttnn {

template <class T, class Config> struct ConfigField {
    std::string_view name;
    std::optional<T> Config::*member;
    constexpr ConfigField(std::string_view fieldName, std::optional<T> Config::*field)
        : name(fieldName), member(field) {}
};

inline constexpr std::tuple kConv2dFields{
    ConfigField{"weights_dtype", &Conv2dConfig::weightsDtype},
    ConfigField{"activation", &Conv2dConfig::activation},
    ConfigField{"deallocate_activation", &Conv2dConfig::deallocateActivation},
    ConfigField{"reallocate_halo_output", &Conv2dConfig::reallocateHaloOutput},
    ConfigField{"act_block_h_override", &Conv2dConfig::actBlockHOverride},
    ConfigField{"act_block_w_div", &Conv2dConfig::actBlockWDiv},
    ConfigField{"reshard_if_not_optimal", &Conv2dConfig::reshardIfNotOptimal},
    ConfigField{"override_sharding_config", &Conv2dConfig::overrideShardingConfig},
    ConfigField{"shard_layout", &Conv2dConfig::shardLayout},
    ConfigField{"core_grid", &Conv2dConfig::coreGrid},
    ConfigField{"transpose_shards", &Conv2dConfig::transposeShards},
    ConfigField{"output_layout", &Conv2dConfig::outputLayout},
    ConfigField{"enable_act_double_buffer", &Conv2dConfig::enableActDoubleBuffer},
    ConfigField{"enable_weights_double_buffer", &Conv2dConfig::enableWeightsDoubleBuffer}};

inline constexpr std::tuple kConv3dFields{
    ConfigField{"weights_dtype", &Conv3dConfig::weightsDtype}, ConfigField{"t_out_block", &Conv3dConfig::tOutBlock},
    ConfigField{"w_out_block", &Conv3dConfig::wOutBlock},      ConfigField{"h_out_block", &Conv3dConfig::hOutBlock},
    ConfigField{"c_out_block", &Conv3dConfig::cOutBlock},      ConfigField{"c_in_block", &Conv3dConfig::cInBlock}};

inline constexpr std::tuple kComputeFields{ConfigField{"math_fidelity", &ComputeConfig::mathFidelity},
                                           ConfigField{"math_approx_mode", &ComputeConfig::mathApproxMode},
                                           ConfigField{"fp32_dest_acc_en", &ComputeConfig::fp32DestAccEn},
                                           ConfigField{"packer_l1_acc", &ComputeConfig::packerL1Acc},
                                           ConfigField{"dst_full_sync_en", &ComputeConfig::dstFullSyncEn}};

[[nodiscard]] constexpr const auto& fieldsOf(const Conv2dConfig&) {
    return kConv2dFields;
}
[[nodiscard]] constexpr const auto& fieldsOf(const Conv3dConfig&) {
    return kConv3dFields;
}
[[nodiscard]] constexpr const auto& fieldsOf(const ComputeConfig&) {
    return kComputeFields;
}

/// Calls `visit(field)` for each field of a configuration, in order.
template <class Config, class Visit> void eachField(const Config& config, Visit&& visit) {
    std::apply([&](const auto&... field) { (visit(field), ...); }, fieldsOf(config));
}

/// Fields that `over` sets replace those of `config`.
template <class Config> void mergeFields(Config& config, const Config& over) {
    eachField(over, [&](const auto& field) {
        if (over.*field.member) config.*field.member = over.*field.member;
    });
}

}  // namespace memplan::ttnn
