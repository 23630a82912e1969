// SPDX-License-Identifier: Apache-2.0
// Texts of kernel configurations in a module (ttnn-optimizer 10.3): `#ttnn.conv2d_config<weights_dtype = bf16, ...>`.
// Reading gives nothing for a text of another form; keys that are not interpreted stay in `more` where there is one.
#pragma once

#include "engine/ttnn/machine/op_config.h"

#include <optional>
#include <string>
#include <string_view>

namespace memplan::ttnn {

[[nodiscard]] std::optional<Conv2dConfig> conv2dConfigOf(std::string_view text);
[[nodiscard]] std::optional<Conv3dConfig> conv3dConfigOf(std::string_view text);
[[nodiscard]] std::optional<ComputeConfig> computeConfigOf(std::string_view text);
[[nodiscard]] std::optional<MatmulProgram> matmulProgramOf(std::string_view text);

[[nodiscard]] std::string attributeText(const Conv2dConfig& config);
[[nodiscard]] std::string attributeText(const Conv3dConfig& config);
[[nodiscard]] std::string attributeText(const ComputeConfig& config);
[[nodiscard]] std::string attributeText(const MatmulProgram& program);

}  // namespace memplan::ttnn
