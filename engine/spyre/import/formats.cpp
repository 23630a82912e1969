// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/import/formats.h"

#include "engine/spyre/bundle/python/wrapper.h"
#include "engine/spyre/import/bundle_import.h"
#include "engine/spyre/import/records/cost_dump.h"
#include "engine/spyre/import/records/pass_log.h"
#include "engine/spyre/import/records/provenance.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

namespace memplan::spyre {
namespace {

using io::Limits;

bool contains(std::string_view s, std::string_view what) {
    return s.find(what) != std::string_view::npos;
}

/// The problems of a program are those of the plan that it becomes.
Result<TargetDocument> programOf(Result<bundle::ImportedProgram> program) {
    if (!program) return std::move(program).error();
    TargetDocument document;
    for (const bundle::Kernel& k : program.value().kernels)
        document.contentKey += k.name + "\n" + bundle::specListText(k.specs);
    document.program = std::make_shared<const bundle::ImportedProgram>(std::move(program).value());
    return document;
}

Result<TargetDocument> recordsOf(Result<SideDocument> record) {
    if (!record) return std::move(record).error();
    TargetDocument document;
    document.records.push_back(std::move(record).value());
    return document;
}

bool isProvenance(const FileGlance& g) {
    // Where keys are sorted, a long sidecar has its version behind what is looked at.
    return g.json.has("schemaVersion") || (g.json.has("eventKey") && g.json.has("diagnostics"));
}

bool isSdsc(const FileGlance& g) {
    return std::ranges::any_of(g.json.keysAt3, [](const std::string& key) { return contains(key, "dscs_"); });
}

bool isBundleMlir(const FileGlance& g) {
    return g.isMlir && contains(g.head, "sdscbundle.");
}

bool isWrapper(const FileGlance& g) {
    // The import line stands in every export, also in one without kernels.
    return g.isText && !g.isMlir && !g.isObject &&
           (contains(g.head, "async_compile.sdsc(") || contains(g.head, "from torch_spyre._inductor.op_spec import"));
}

bool isPassLog(const FileGlance& g) {
    return g.isText && !g.isMlir && !g.isObject && io::looksLikePassLog(g.head);
}

bool isCostDump(const FileGlance& g) {
    return g.isText && !g.isMlir && !g.isObject && io::looksLikeCostDump(g.head);
}

Result<TargetDocument> readProvenance(const TargetFile& file, const Limits& limits, const RunControl& control) {
    return recordsOf(io::readProvenance(file.bytes, limits, control));
}

Result<TargetDocument> readSdsc(const TargetFile& file, const Limits& limits, const RunControl& control) {
    return programOf(io::importSdsc(file.bytes, std::filesystem::path(file.name).stem().string(), limits, control));
}

/// The operations stand in files beside it.
Result<TargetDocument> readBundleMlir(const TargetFile& file, const Limits& limits, const RunControl& control) {
    return programOf(io::importBundleFolder(std::filesystem::path(file.path).parent_path().string(), limits, control));
}

Result<TargetDocument> readFolder(const TargetFile& file, const Limits& limits, const RunControl& control) {
    return programOf(io::importBundleFolder(file.path, limits, control));
}

Result<TargetDocument> readWrapper(const TargetFile& file, const Limits&, const RunControl&) {
    return programOf(io::importWrapper(file.bytes));
}

Result<TargetDocument> readCostDump(const TargetFile& file, const Limits&, const RunControl& control) {
    return recordsOf(io::readCostDump(file.bytes, control));
}

/// A log that was captured from standard error may hold the dump of the cost model too.
Result<TargetDocument> readPassLog(const TargetFile& file, const Limits& limits, const RunControl& control) {
    auto log = recordsOf(io::readPassLog(file.bytes, control));
    if (!log || !io::looksLikeCostDump(file.bytes)) return log;
    auto costs = readCostDump(file, limits, control);
    if (!costs) return costs;
    log.value().records.push_back(std::move(costs.value().records.front()));
    return log;
}

}  // namespace

std::span<const TargetFormat> formats() {
    using Size = TargetFormat::Size;
    static const std::array kFormats{
        TargetFormat{.id = "provenance",
                     .title = "Spyre provenance sidecar",
                     .extension = ".json",
                     .tooLargeCode = "MPG-002",
                     .isRecords = true,
                     .isIt = isProvenance,
                     .read = readProvenance},
        TargetFormat{.id = "sdsc",
                     .title = "Spyre SuperDSC file",
                     .extension = ".json",
                     .tooLargeCode = "MPG-002",
                     .isIt = isSdsc,
                     .read = readSdsc},
        TargetFormat{.id = "spyre-bundle",
                     .title = "Spyre bundle program",
                     .extension = ".mlir",
                     .tooLargeCode = "BND-107",
                     .size = Size::Text,
                     .isIt = isBundleMlir,
                     .read = readBundleMlir},
        TargetFormat{.id = "wrapper",
                     .title = "Spyre wrapper source",
                     .extension = ".py",
                     .tooLargeCode = "BND-107",
                     .size = Size::Text,
                     .isIt = isWrapper,
                     .read = readWrapper},
        TargetFormat{.id = "pass-log",
                     .title = "Spyre pass log",
                     .extension = ".txt",
                     .tooLargeCode = "TXT-901",
                     .size = Size::Text,
                     .isRecords = true,
                     .isIt = isPassLog,
                     .read = readPassLog},
        TargetFormat{.id = "cost-dump",
                     .title = "Spyre cost model dump",
                     .extension = ".txt",
                     .tooLargeCode = "TXT-901",
                     .size = Size::Text,
                     .isRecords = true,
                     .isIt = isCostDump,
                     .read = readCostDump},
        TargetFormat{.id = "bundle-folder",
                     .title = "Spyre bundle directory",
                     .extension = "folder",
                     .tooLargeCode = "MPG-002",
                     .isFolder = true,
                     .isItsFolder = io::isBundleFolder,
                     .read = readFolder},
    };
    return kFormats;
}

}  // namespace memplan::spyre
