// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/mlir/format.h"

#include "engine/ttnn/mlir/library.h"
#include "engine/ttnn/mlir/reader.h"
#include "engine/ttnn/module/source.h"

#include <array>
#include <utility>

namespace memplan::ttnn {

namespace {

bool isMlir(const FileGlance& glance) {
    return glance.isMlir;
}

Result<TargetDocument> read(const TargetFile& file, const io::Limits& limits, const RunControl& control) {
    auto module = readModule(file.bytes, limits, control);
    if (!module) return module.error();
    TargetDocument document;
    document.program = std::make_shared<const ModuleSource>(std::move(module.value().module));
    document.notes = std::move(module.value().warnings);
    return document;
}

}  // namespace

std::span<const TargetFormat> formats() {
    static const std::array kFormats{
        TargetFormat{.id = "mlir",
                     .title = ir::isBuiltWithMlir()
                                  ? "MLIR text (TTIR, TTNN, StableHLO)"
                                  : "MLIR text (TTIR, TTNN, StableHLO): off, built without libmlir-NN-dev",
                     .extension = ".mlir",
                     .tooLargeCode = "TXT-901",
                     .size = TargetFormat::Size::Text,
                     .isOff = !ir::isBuiltWithMlir(),
                     .needs = "graph",
                     .isIt = isMlir,
                     .read = read},
        TargetFormat{.id = "overrides",
                     .title = "Overrides of layouts, as option string",
                     .extension = "",
                     .tooLargeCode = "TXT-901",
                     .needs = "plan"}};
    return kFormats;
}

}  // namespace memplan::ttnn
