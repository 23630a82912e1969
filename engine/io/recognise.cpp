// SPDX-License-Identifier: Apache-2.0
// Formats by their content (inputs-and-interchange 1).
#include "engine/io/input.h"
#include "engine/spyre/import/records/cost_dump.h"
#include "engine/spyre/import/records/pass_log.h"

#include <algorithm>
#include <cctype>

namespace memplan::io {

namespace {

constexpr std::size_t kSearched = 1 << 20;  ///< text is looked at up to here
constexpr std::size_t kHead = 512;

bool contains(std::string_view s, std::string_view what) {
    return s.find(what) != std::string_view::npos;
}

std::string_view withoutBomAndBlanks(std::string_view s) {
    if (s.substr(0, 3) == "\xEF\xBB\xBF") s.remove_prefix(3);
    const std::size_t i = s.find_first_not_of(" \t\r\n");
    return i == std::string_view::npos ? std::string_view() : s.substr(i);
}

/// What the beginning of a JSON text tells about it; reads no more than `kSearched` bytes.
struct JsonHints {
    std::string format;             ///< value of the outermost key "format"
    std::vector<std::string> keys;  ///< outermost keys
    bool hasDscs = false;           ///< a key with dscs_ two levels down
};

class JsonGlance {
public:
    explicit JsonGlance(std::string_view s) : s_(s.substr(0, kSearched)) {}

    JsonHints run() {
        for (; i_ < s_.size() && !done_; ++i_)
            step();
        return std::move(hints_);
    }

private:
    void step() {
        switch (s_[i_]) {
        case '"':
            string();
            break;
        case '{':
        case '[':
            ++depth_;
            expectKey_ = s_[i_] == '{';
            break;
        case '}':
        case ']':
            --depth_;
            expectKey_ = false;
            done_ = depth_ <= 0;  // the end of the first value: of the first line, perhaps
            break;
        case ',':
            expectKey_ = true;  // in an array the string that follows has no colon, see string()
            break;
        default:
            break;
        }
    }

    void string() {
        const std::size_t begin = ++i_;
        while (i_ < s_.size() && s_[i_] != '"')
            i_ += std::size_t{s_[i_] == '\\' ? 2U : 1U};
        if (i_ >= s_.size()) return;
        const std::string_view text = s_.substr(begin, i_ - begin);
        std::size_t next = s_.find_first_not_of(" \t\r\n", i_ + 1);
        const bool isKey = expectKey_ && next != std::string_view::npos && s_[next] == ':';
        expectKey_ = false;
        if (isKey) {
            if (depth_ == 1) hints_.keys.emplace_back(text);
            if (depth_ == 1) key_ = text;
            if (depth_ == 3 && contains(text, "dscs_")) hints_.hasDscs = true;
        } else if (depth_ == 1 && key_ == "format") {
            hints_.format = text;
            done_ = true;
        }
    }

    std::string_view s_;
    std::size_t i_ = 0;
    int depth_ = 0;
    bool expectKey_ = false;
    bool done_ = false;
    std::string_view key_;
    JsonHints hints_;
};

Format jsonFormat(std::string_view s) {
    const JsonHints hints = JsonGlance(s).run();
    const auto has = [&hints](std::string_view key) {
        return std::find(hints.keys.begin(), hints.keys.end(), key) != hints.keys.end();
    };
    if (hints.format == "memplan-graph") return Format::Graph;
    if (hints.format == "memplan.torchwright-graph") return Format::TorchwrightGraph;
    if (hints.format == "memplan-plan") return Format::Plan;
    if (hints.format == "memplan-hints") return Format::Hints;
    if (hints.format == "memplan-bundle" || hints.format == "memplan.torchwright-bundle") return Format::BundleManifest;
    // Where keys are sorted, a long sidecar has its version behind what is looked at.
    if (has("schemaVersion") || (has("eventKey") && has("diagnostics"))) return Format::Provenance;
    if (hints.hasDscs) return Format::Sdsc;
    // One made of a buffer list names no capacity.
    if (has("buffers") && (has("capacity") || has("alignment"))) return Format::Instances;
    // Without a format but with the members of a graph: its reader says what is missing.
    if (has("tensors") && has("ops")) return Format::Graph;
    return Format::Unknown;
}

bool isMlir(std::string_view s) {
    const std::string_view t = withoutBomAndBlanks(s);
    for (const std::string_view word : {"module", "func.func", "#loc", "//"}) {
        if (t.substr(0, word.size()) == word) return true;
    }
    if (t.size() < 2 || t[0] != '#' || std::isalpha(static_cast<unsigned char>(t[1])) == 0) return false;
    const std::string_view line = t.substr(0, t.find('\n'));
    return contains(line, " = ");
}

bool isCsv(std::string_view s) {
    const std::string_view line = withoutBomAndBlanks(s).substr(0, kHead);
    const std::string_view first = line.substr(0, line.find('\n'));
    return contains(first, ",") && (contains(first, "lower") || contains(first, "start") || contains(first, "begin"));
}

bool isText(std::string_view s) {
    return std::none_of(s.begin(), s.end(), [](char c) { return c == '\0'; });
}

Format zipFormat(std::string_view s) {
    if (contains(s, "models/") || contains(s, "serialized_exported_program.json")) return Format::Pt2;
    return contains(s, "manifest.json") ? Format::BundleManifest : Format::Pt2;
}

bool mayBeOnnx(std::string_view s) {
    constexpr std::string_view kFirstBytes = "\x08\x12\x1a\x22\x2a\x32\x3a\x42";
    return !s.empty() && contains(kFirstBytes, s.substr(0, 1));
}

Format textFormat(std::string_view s) {
    if (isMlir(s)) return contains(s, "sdscbundle.") ? Format::SpyreBundleMlir : Format::Mlir;
    // The import line stands in every export, also in one without kernels.
    if (contains(s, "async_compile.sdsc(") || contains(s, "from torch_spyre._inductor.op_spec import"))
        return Format::WrapperSource;
    if (contains(s, "BufferAssignment:")) return Format::XlaText;
    if (looksLikePassLog(s)) return Format::PassLog;
    if (looksLikeCostDump(s)) return Format::CostDump;
    return isCsv(s) ? Format::Csv : Format::Unknown;
}

}  // namespace

const std::vector<FormatInfo>& allFormats() {
    static const std::vector<FormatInfo> kFormats = {
        {Format::Graph, "graph", "Neutral graph", ".mpg.json", true, true, "graph"},
        {Format::Onnx, "onnx", "ONNX model", ".onnx", true, false, ""},
        {Format::Plan, "plan", "Plan file", ".json", true, true, "plan"},
        {Format::Hints, "hints", "Hint file", ".json", true, true, "graph or plan"},
        {Format::Csv, "csv", "Buffer list", ".csv", true, true, "plan"},
        {Format::Instances, "jsonl", "Allocation instances", ".jsonl", true, true, "plan"},
        {Format::TorchwrightGraph, "torchwright-graph", "torchwright graph", ".graph.json", false, false, "graph"},
        {Format::BundleManifest, "bundle", "Bundle of a plan", "folder", true, true, "plan"},
        {Format::Provenance, "provenance", "Spyre provenance sidecar", ".json", true, false, ""},
        {Format::PassLog, "pass-log", "Spyre pass log", ".txt", true, false, ""},
        {Format::CostDump, "cost-dump", "Spyre cost model dump", ".txt", true, false, ""},
        {Format::Sdsc, "sdsc", "Spyre SuperDSC file", ".json", true, false, ""},
        {Format::Mlir, "mlir", "MLIR text (TTIR, TTNN, StableHLO)", ".mlir", false, false, "graph"},
        {Format::SpyreBundleMlir, "spyre-bundle", "Spyre bundle program", ".mlir", true, false, ""},
        {Format::WrapperSource, "wrapper", "Spyre wrapper source", ".py", true, false, ""},
        {Format::BundleFolder, "bundle-folder", "Spyre bundle directory", "folder", true, false, ""},
        {Format::InductorFolder, "inductor", "Inductor debug folder", "folder", false, false, ""},
        {Format::Pt2, "pt2", "PyTorch exported program", ".pt2", false, false, ""},
        {Format::XlaText, "xla", "XLA buffer assignment", ".txt", false, false, ""},
        {Format::TfLite, "tflite", "TensorFlow Lite model", ".tflite", false, false, ""},
        {Format::Pickle, "pickle", "Python pickle", ".pickle", false, false, ""},
        {Format::Trace, "trace", "Chrome trace", ".trace.json", false, true, "plan"},
        {Format::ModelExplorer, "model-explorer", "Model Explorer graph", ".json", false, true, "plan"},
        {Format::Dot, "dot", "Graphviz dot", ".dot", false, true, "plan"},
        {Format::Unknown, "unknown", "Unrecognised file", "", false, false, ""},
    };
    return kFormats;
}

const FormatInfo& formatInfo(Format f) {
    const auto& all = allFormats();
    const auto it = std::find_if(all.begin(), all.end(), [f](const FormatInfo& i) { return i.format == f; });
    return it == all.end() ? all.back() : *it;
}

Format recognise(std::string_view bytes) {
    const std::string_view head = bytes.substr(0, kSearched);
    if (head.substr(0, 4) == "PK\x03\x04") return zipFormat(head);
    if (head.size() >= 8 && head.substr(4, 4) == "TFL3") return Format::TfLite;
    if (head.size() >= 2 && head[0] == '\x80' && head[1] >= 2 && head[1] <= 5) return Format::Pickle;
    const std::string_view start = withoutBomAndBlanks(head);
    if (!start.empty() && (start[0] == '{' || start[0] == '[')) {
        const Format json = jsonFormat(start);
        // Lines of a log begin with the level in brackets.
        const bool mayBeLog = json == Format::Unknown && start[0] == '[' && isText(head.substr(0, kHead));
        if (mayBeLog && looksLikePassLog(head)) return Format::PassLog;
        return mayBeLog && looksLikeCostDump(head) ? Format::CostDump : json;
    }
    if (isText(head.substr(0, kHead))) {
        const Format text = textFormat(head);
        if (text != Format::Unknown) return text;
    }
    return mayBeOnnx(head) ? Format::Onnx : Format::Unknown;
}

}  // namespace memplan::io
