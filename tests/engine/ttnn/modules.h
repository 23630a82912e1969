// SPDX-License-Identifier: Apache-2.0
// Modules that tests read: own small ones, and the models beside the repository where they are.
#pragma once

#include "engine/ttnn/mlir/library.h"
#include "engine/ttnn/mlir/reader.h"
#include "tests/support/networks.h"
#include "tests/support/words.h"

#include <QTest>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace memplan::test {

inline std::string ownModule(const std::string& name) {
    return contentOf(std::filesystem::path(MEMPLAN_TEST_DATA) / "mlir" / name);
}

/// Models that may not be copied into the repository; empty where they are not beside it.
inline std::vector<std::filesystem::path> modelFiles() {
    const std::filesystem::path folder =
        std::filesystem::path(MEMPLAN_SOURCE_DIR) / ".." / "shared" / "models" / "mlir";
    std::vector<std::filesystem::path> files;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
        if (entry.path().extension() == ".mlir") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

inline Result<ttnn::ReadModule> read(const std::string& text) {
    return ttnn::readModule(text, {}, {});
}

/// "CODE line:column" of the first error, "ok" without one.
inline QString outcomeOf(const std::string& text) {
    const auto result = read(text);
    if (result) return "ok";
    const Diagnostic& d = result.error().primary();
    return q(d.code + " " + d.where);
}

}  // namespace memplan::test

#define NEEDS_MLIR()                                                                                                   \
    if (!memplan::ttnn::ir::isBuiltWithMlir()) QSKIP("built without LLVM's MLIR library")
#define NEEDS_MODELS()                                                                                                 \
    if (memplan::test::modelFiles().empty()) QSKIP("the models of ../shared/models/mlir are not here")
