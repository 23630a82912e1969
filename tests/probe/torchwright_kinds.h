// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace memplan::probe {

class Registry;
/// torchwright_compile (command-line.md, "The conformance probe").
void registerTorchwright(Registry& registry);

}  // namespace memplan::probe
