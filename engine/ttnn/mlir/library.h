// SPDX-License-Identifier: Apache-2.0
// LLVM's MLIR library, loaded when the first MLIR text is opened: it is a hundred megabytes, and programs that open
// none start without waiting for it.
#pragma once

#include "engine/base/result.h"
#include "engine/ttnn/mlir/ir.h"

namespace memplan::ttnn::ir {

struct Library {
    Parse parse = nullptr;
    Print print = nullptr;
};

/// This build reads MLIR text; does not load anything.
[[nodiscard]] bool isBuiltWithMlir();
/// Of the library that this build was made with, 0 = none. Before version 20 it prints no names of values.
[[nodiscard]] int mlirVersion();
/// IN-012 of a build without the library, and where its shared object cannot be loaded.
[[nodiscard]] Result<Library> loadLibrary();

}  // namespace memplan::ttnn::ir
