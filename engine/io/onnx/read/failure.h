// SPDX-License-Identifier: Apache-2.0
// How a finding deep inside the ONNX importer ends the import: one exception type that readOnnx()
// turns into an Error. It never crosses a public function (architecture 11.1).
#pragma once

#include "engine/base/diagnostic.h"

#include <string>

namespace memplan::io::onnx {

struct ImportFailure {
    Diagnostic diagnostic;
};

[[noreturn]] void failImport(std::string code, std::string where, std::string message, std::string hint = {});

}  // namespace memplan::io::onnx
