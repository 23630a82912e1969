// SPDX-License-Identifier: Apache-2.0
// A graph of this machine as its file.
#pragma once

#include "engine/target/format_writer.h"

namespace memplan::torchwright {

[[nodiscard]] const FormatWriter& graphWriter();

}  // namespace memplan::torchwright
