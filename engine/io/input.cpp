// SPDX-License-Identifier: Apache-2.0
#include "engine/io/input.h"

#include "engine/base/hash.h"
#include "engine/base/text.h"
#include "engine/io/export/plan_bundle.h"
#include "engine/io/files/files.h"
#include "engine/io/graph/graph_binding.h"
#include "engine/io/graph/graph_checks.h"
#include "engine/io/graph/graph_json.h"
#include "engine/io/import_watch.h"
#include "engine/io/instances/instances.h"
#include "engine/io/onnx/lower/lower_onnx.h"
#include "engine/io/onnx/resolve/onnx_reader.h"
#include "engine/io/plan/plan_json.h"
#include "engine/target/target.h"

#include <algorithm>
#include <filesystem>

namespace memplan::io {

namespace {

constexpr std::int64_t kGlance = 1 << 20;

struct SizeLimit {
    std::int64_t bytes = 0;
    const char* code = "";
    const char* setting = "";
};

SizeLimit sizeLimitOf(const FormatInfo& info, const Limits& limits) {
    switch (info.format) {
    case Format::Onnx:
        return {limits.onnxBytes, "ONNX-901", "limits.onnx_bytes"};
    case Format::Csv:
        return {limits.csvBytes, "CSV-012", "limits.csv_bytes"};
    case Format::OfTarget:
        if (info.own->size == TargetFormat::Size::Json)
            return {limits.jsonBytes, info.own->tooLargeCode.data(), "limits.json_bytes"};
        return {limits.textBytes, info.own->tooLargeCode.data(), "limits.text_bytes"};
    case Format::Plan:
        // A plan is many times its graph: what this program wrote it reads, whatever is set for other JSON files.
        return {kMostPlanBytes, "MPG-002", ""};
    default:
        return {limits.jsonBytes, "MPG-002", "limits.json_bytes"};
    }
}

std::string readableFormats() {
    std::vector<std::string> titles;
    for (const FormatInfo& f : allFormats()) {
        if (f.imports) titles.push_back(std::string(f.title) + " (" + std::string(f.extension) + ")");
    }
    return text::join(titles, ", ");
}

bool looksLikeJson(std::string_view bytes) {
    const std::size_t i = bytes.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    const bool isUtf16 = bytes.substr(0, 2) == "\xFF\xFE" || bytes.substr(0, 2) == "\xFE\xFF";
    return isUtf16 || (i != std::string_view::npos && (bytes[i] == '{' || bytes[i] == '['));
}

bool endsWith(std::string_view s, std::string_view suffix) {
    return s.size() >= suffix.size() && s.substr(s.size() - suffix.size()) == suffix;
}

Error unrecognised(const std::string& name) {
    return makeError("IN-001", {}, "unrecognised file " + text::quoted(name),
                     "this version reads " + readableFormats());
}

/// An empty file has no content to go by: the code of the format that its name promises.
Error emptyFile(const std::string& name) {
    const char* code = "IN-001";
    if (endsWith(name, ".json")) code = "MPG-001";
    if (endsWith(name, ".onnx")) code = "ONNX-001";
    if (endsWith(name, ".csv")) code = "CSV-001";
    if (endsWith(name, ".mlir")) code = "MLIR-001";
    return makeError(code, {}, "the file " + text::quoted(name) + " is empty", "choose another file");
}

Error unreadFormat(Format f) {
    const std::string title(formatInfo(f).title);
    switch (f) {
    case Format::Pickle:
        return makeError("IN-010", {}, "this is a Python pickle; reading one can run code, so it is not opened",
                         "convert the allocations to a buffer list (.csv)");
    case Format::TfLite:
        return makeError("IN-011", {}, "this is a " + title + ", which is not read", "convert it to ONNX");
    default:
        return makeError("IN-012", {}, "this is a file of the kind \"" + title + "\", which this version does not read",
                         "this version reads " + readableFormats());
    }
}

/// Extension and content disagree: the content counts (IN-002).
void warnOfExtension(OpenedInput& out, const std::string& name) {
    const std::string_view wanted = formatInfo(out.input.format).extension;
    const std::string extension = std::filesystem::path(name).extension().string();
    if (extension.empty() || endsWith(wanted, extension)) return;
    const auto& all = allFormats();
    const bool promisesAnother = std::any_of(all.begin(), all.end(), [&](const FormatInfo& f) {
        return f.format != Format::Unknown && endsWith(f.extension, extension);
    });
    if (!promisesAnother) return;
    Diagnostic d;
    d.severity = Severity::Warning;
    d.code = "IN-002";
    d.message =
        "the name ends in " + extension + ", the content is \"" + std::string(formatInfo(out.format).title) + "\"";
    d.hint = "the content counts; rename the file";
    out.diagnostics.insert(out.diagnostics.begin(), std::move(d));
}

void take(std::vector<Diagnostic>& out, std::vector<Diagnostic> more) {
    out.insert(out.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

/// An importer's result passes the same checks as a file; a failure is a defect of the importer.
Result<void> checkImported(const Graph& graph, const OpenOptions& options, OpenedInput& out) {
    auto findings = checkGraph(graph, options.limits);
    const auto bad = std::find_if(findings.begin(), findings.end(),
                                  [](const Diagnostic& d) { return d.severity == Severity::Error; });
    if (bad == findings.end()) {
        take(out.diagnostics, std::move(findings));
        return {};
    }
    return makeError("IN-900", bad->where,
                     "the importer made an invalid graph (" + bad->code + ": " + bad->message + ")",
                     "please report this with the file's hash " + out.input.sha256);
}

Result<void> checkSize(const Graph& graph, const Limits& limits) {
    const auto tensors = static_cast<std::int64_t>(graph.tensors.size());
    const auto ops = static_cast<std::int64_t>(graph.ops.size());
    if (tensors > limits.graphTensors) {
        return makeError("MPG-110", "/tensors",
                         text::grouped(tensors) + " tensors, the limit is " + text::grouped(limits.graphTensors),
                         "raise limits.graph_tensors");
    }
    if (ops > limits.graphOps) {
        return makeError("MPG-110", "/ops", text::grouped(ops) + " ops, the limit is " + text::grouped(limits.graphOps),
                         "raise limits.graph_ops");
    }
    return {};
}

Result<void> openOnnx(std::string_view bytes, const OpenOptions& options, const RunControl& control, OpenedInput& out) {
    auto model = onnx::readOnnx(bytes, options, control);
    if (!model) return std::move(model).error();
    take(out.diagnostics, std::move(model.value().diagnostics));
    auto lowered = onnx::lowerOnnx(model.value().model, options.limits, control);
    if (!lowered) return std::move(lowered).error();
    take(out.diagnostics, std::move(lowered.value().diagnostics));
    Graph graph = std::move(lowered.value().graph);
    out.report = std::move(lowered.value().report);
    graph.source = GraphSource{"onnx", out.input.name, out.input.sha256, {}};
    if (graph.name.empty()) graph.name = std::filesystem::path(out.input.name).stem().string();
    if (auto fits = checkSize(graph, options.limits); !fits) return fits;
    if (auto well = checkImported(graph, options, out); !well) return well;
    out.graph = std::make_shared<const Graph>(std::move(graph));
    return {};
}

Result<void> openGraph(std::string_view bytes, const OpenOptions& options, const RunControl& control,
                       OpenedInput& out) {
    auto read = readGraphJson(bytes, options.limits, control);
    if (!read) return std::move(read).error();
    auto bound = bindGraph(std::move(read.value().graph), options.bindings, options.limits);
    if (!bound) return std::move(bound).error();
    take(out.diagnostics, std::move(read.value().diagnostics));
    out.graph = std::make_shared<const Graph>(std::move(bound).value());
    return {};
}

Result<void> openProblems(std::string_view bytes, const OpenOptions& options, const RunControl& control,
                          OpenedInput& out) {
    if (out.format == Format::Instances) {
        auto problems = readInstances(bytes, options.limits, control);
        if (!problems) return std::move(problems).error();
        out.problems = std::move(problems).value();
        return {};
    }
    auto list = readBufferCsv(bytes, options.limits, control);
    if (!list) return std::move(list).error();
    take(out.diagnostics, std::move(list.value().diagnostics));
    list.value().problem.name = std::filesystem::path(out.input.name).stem().string();
    out.extraColumns = std::move(list.value().extra);
    out.problems.push_back(std::move(list.value().problem));
    return {};
}

/// A file or folder of a machine. Records are known by the file that they come from.
Result<void> openOwn(const TargetFormat& format, std::string_view bytes, const OpenOptions& options,
                     const RunControl& control, OpenedInput& out) {
    if (!options.bindings.raw.empty())
        return makeError("MPG-204", {},
                         "a file of this format has no symbol " + text::quoted(options.bindings.raw.front().first),
                         "it leaves no size open: leave the binding out");
    auto read = format.read({bytes, out.input.path, out.input.name}, options.limits, control);
    if (!read) return std::move(read).error();
    // A folder has no bytes of its own: the hash is that of what it holds.
    if (format.isFolder) out.input.sha256 = sha256Hex(read.value().contentKey);
    out.program = std::move(read.value().program);
    take(out.diagnostics, std::move(read.value().notes));
    for (SideDocument& record : read.value().records) {
        record.file = out.input.name;
        record.sha256 = out.input.sha256;
        out.side.push_back(std::move(record));
    }
    return {};
}

/// The manifest stands for the folder around it; a zip of the same has no reader yet.
Result<void> openManifest(std::string_view bytes, const OpenOptions& options, const RunControl& control,
                          OpenedInput& out) {
    const std::filesystem::path path(out.input.path);
    if (!looksLikeJson(bytes) || path.filename() != "manifest.json") return unreadFormat(out.format);
    Diagnostics notes;
    auto plan = readPlanBundle(path.parent_path().string(), options.limits, control, notes);
    if (!plan) return std::move(plan).error();
    out.format = Format::Plan;
    out.bytes = std::move(plan).value();
    take(out.diagnostics, notes.list());
    return {};
}

Result<void> importBytes(std::string_view bytes, const OpenOptions& options, const RunControl& control,
                         OpenedInput& out) {
    switch (out.format) {
    case Format::Graph:
        return openGraph(bytes, options, control, out);
    case Format::Onnx:
        return openOnnx(bytes, options, control, out);
    case Format::Csv:
    case Format::Instances:
        return openProblems(bytes, options, control, out);
    case Format::OfTarget:
        return openOwn(*formatInfo(out.input.format).own, bytes, options, control, out);
    case Format::Plan:
    case Format::Hints:
        out.bytes = bytes;
        return {};
    case Format::BundleManifest:
        return openManifest(bytes, options, control, out);
    case Format::Unknown:
        break;
    default:
        return unreadFormat(out.format);
    }
    if (!looksLikeJson(bytes)) return unrecognised(out.input.name);
    // Broken JSON is reported with its place; well-formed JSON without a known format is unrecognised.
    const auto read = readGraphJson(bytes, options.limits, control);
    const bool isBroken = !read && read.error().primary().code != "MPG-101" && read.error().primary().code != "MPG-106";
    return isBroken ? Result<void>(read.error()) : Result<void>(unrecognised(out.input.name));
}

/// Hash in pieces: a long file can be cancelled, and pages that were hashed go back to the system.
Result<std::string> hashOf(std::string_view bytes, const FileBytes* file, const RunControl& control) {
    constexpr std::size_t kPiece = std::size_t{4} << 20;
    Sha256 hash;
    for (std::size_t at = 0; at < bytes.size(); at += kPiece) {
        if (control.shouldStop()) return makeError(kCancelledCode, {}, "reading was cancelled");
        hash.update(bytes.substr(at, kPiece));
        if (file != nullptr) file->release(std::min(bytes.size(), at + kPiece));
        control.progress("reading", static_cast<double>(at), static_cast<double>(bytes.size()));
    }
    return hash.hex();
}

Result<OpenedInput> openWatched(std::string_view bytes, const FileBytes* file, const std::string& path,
                                const OpenOptions& options, const RunControl& control) {
    OpenedInput out;
    out.input.path = path;
    out.input.name = std::filesystem::path(path).filename().string();
    if (bytes.empty()) return emptyFile(out.input.name);
    const FormatInfo& info = recognise(bytes);
    out.format = info.format;
    out.input.format = info.id;
    if (options.hashesPlans || out.format != Format::Plan) {
        auto hash = hashOf(bytes, file, control);
        if (!hash) return std::move(hash).error();
        out.input.sha256 = std::move(hash).value();
    }
    if (auto done = importBytes(bytes, options, control, out); !done) return done.error();
    warnOfExtension(out, out.input.name);
    return out;
}

Result<OpenedInput> openRecognised(std::string_view bytes, const FileBytes* file, const std::string& path,
                                   const OpenOptions& options, const RunControl& control) {
    const ImportWatch watch(options.limits, control);
    auto opened = openWatched(bytes, file, path, options, watch.control());
    if (opened || control.cancelled()) return opened;
    // Whatever the importer says of being stopped, the limit that stopped it is the reason.
    if (auto limit = watch.exceeded()) return std::move(*limit);
    return opened;
}

/// The folder of a machine, null for any other.
const FormatInfo* folderFormat(const std::string& path) {
    for (const FormatInfo& f : allFormats()) {
        if (f.own != nullptr && f.own->isItsFolder != nullptr && f.own->isItsFolder(path)) return &f;
    }
    return nullptr;
}

Result<OpenedInput> openOwnFolder(const FormatInfo& info, const std::string& path, const OpenOptions& options,
                                  const RunControl& control) {
    OpenedInput out;
    out.input.path = path;
    std::filesystem::path folder = std::filesystem::path(path).lexically_normal();
    if (!folder.has_filename()) folder = folder.parent_path();
    out.input.name = folder.filename().string();
    out.format = info.format;
    out.input.format = info.id;
    if (auto done = openOwn(*info.own, {}, options, control, out); !done) return done.error();
    return out;
}

/// The plan that a bundle holds, once all of its files are as the manifest says.
Result<OpenedInput> openPlanBundle(const std::string& folder, const OpenOptions& options, const RunControl& control) {
    Diagnostics notes;
    auto plan = readPlanBundle(folder, options.limits, control, notes);
    if (!plan) return std::move(plan).error();
    OpenedInput out;
    out.input.path = folder;
    out.input.name = std::filesystem::path(folder).lexically_normal().filename().string();
    out.format = Format::Plan;
    out.input.format = formatInfo(out.format).id;
    out.input.sha256 = sha256Hex(plan.value());
    out.bytes = std::move(plan).value();
    out.diagnostics = notes.list();
    return out;
}

Result<OpenedInput> openFolder(const std::string& path, const OpenOptions& options, const RunControl& control) {
    namespace fs = std::filesystem;
    std::error_code ignored;
    if (fs::exists(fs::path(path) / "ir_pre_fusion.txt", ignored)) return unreadFormat(Format::InductorFolder);
    if (const FormatInfo* own = folderFormat(path)) return openOwnFolder(*own, path, options, control);
    if (isPlanBundle(path)) return openPlanBundle(path, options, control);
    return makeError("IN-904", {}, text::quoted(path) + " is a folder without a bundle or an export that can be read",
                     "choose a file in it");
}

}  // namespace

Result<OpenedInput> openInput(const std::string& path, const OpenOptions& options, const RunControl& control) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) return openFolder(path, options, control);
    auto file = InputFile::open(path);
    if (!file) return std::move(file).error();
    auto head = file.value().read(kGlance);
    if (!head) return std::move(head).error();
    const FormatInfo& info = recognise(head.value());
    const bool isNothing = info.format == Format::Unknown && !head.value().empty() && !looksLikeJson(head.value());
    if (isNothing) return unrecognised(std::filesystem::path(path).filename().string());  // the rest is not read
    const SizeLimit limit = sizeLimitOf(info, options.limits);
    if (file.value().size() > limit.bytes) {
        const std::string setting(limit.setting);
        return makeError(limit.code, {},
                         "the file has " + text::grouped(file.value().size()) + " bytes, the limit is " +
                             text::grouped(limit.bytes),
                         setting.empty() ? "plan a smaller part of the graph" : "raise " + setting);
    }
    if (file.value().size() <= kGlance) return openRecognised(head.value(), nullptr, path, options, control);
    const auto all = file.value().all();
    if (!all) return all.error();
    auto opened = openRecognised(all.value().view(), &all.value(), path, options, control);
    if (auto same = file.value().checkUnchanged(all.value()); !same) return same.error();
    return opened;
}

Result<OpenedInput> openBytes(std::string_view bytes, const std::string& name, const OpenOptions& options,
                              const RunControl& control) {
    return openRecognised(bytes, nullptr, name, options, control);
}

}  // namespace memplan::io
