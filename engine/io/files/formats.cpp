// SPDX-License-Identifier: Apache-2.0
// Formats by their content (inputs-and-interchange 1).
#include "engine/io/files/formats.h"

#include "engine/target/target.h"

#include <algorithm>
#include <cctype>

namespace memplan::io {

namespace {

constexpr std::size_t kSearched = 1 << 20;  ///< text is looked at up to here
constexpr std::size_t kHead = 512;
constexpr std::size_t kMostDeepKeys = 4096;

bool contains(std::string_view s, std::string_view what) {
    return s.find(what) != std::string_view::npos;
}

std::string_view withoutBomAndBlanks(std::string_view s) {
    if (s.substr(0, 3) == "\xEF\xBB\xBF") s.remove_prefix(3);
    const std::size_t i = s.find_first_not_of(" \t\r\n");
    return i == std::string_view::npos ? std::string_view() : s.substr(i);
}

/// Reads no more than `kSearched` bytes.
class JsonGlance {
public:
    explicit JsonGlance(std::string_view s) : s_(s.substr(0, kSearched)) {}

    JsonHead run() {
        for (; i_ < s_.size() && !done_; ++i_)
            step();
        return std::move(head_);
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
            if (depth_ == 1) head_.keys.emplace_back(text);
            if (depth_ == 1) key_ = text;
            if (depth_ == 3 && head_.keysAt3.size() < kMostDeepKeys) head_.keysAt3.emplace_back(text);
        } else if (depth_ == 1 && key_ == "format") {
            head_.format = text;
            done_ = true;
        }
    }

    std::string_view s_;
    std::size_t i_ = 0;
    int depth_ = 0;
    bool expectKey_ = false;
    bool done_ = false;
    std::string_view key_;
    JsonHead head_;
};

/// The formats that say what they are.
Format namedFormat(const JsonHead& head) {
    if (head.format == "memplan-graph") return Format::Graph;
    if (head.format == "memplan-plan") return Format::Plan;
    if (head.format == "memplan-hints") return Format::Hints;
    const bool isBundle = head.format == "memplan-bundle" || head.format == "memplan.torchwright-bundle";
    return isBundle ? Format::BundleManifest : Format::Unknown;
}

Format jsonFormat(const JsonHead& head) {
    // One made of a buffer list names no capacity.
    if (head.has("buffers") && (head.has("capacity") || head.has("alignment"))) return Format::Instances;
    // Without a format but with the members of a graph: its reader says what is missing.
    if (head.has("tensors") && head.has("ops")) return Format::Graph;
    return Format::Unknown;
}

bool isMlir(std::string_view s) {
    const std::string_view t = withoutBomAndBlanks(s);
    for (const std::string_view word : {"module", "builtin.module", "\"builtin.module\"", "func.func", "#loc", "//"}) {
        if (t.substr(0, word.size()) == word) return true;
    }
    if (t.size() < 2 || (t[0] != '#' && t[0] != '!') || std::isalpha(static_cast<unsigned char>(t[1])) == 0)
        return false;
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

Format textFormat(const FileGlance& glance) {
    if (glance.isMlir) return Format::Mlir;
    if (contains(glance.head, "BufferAssignment:")) return Format::XlaText;
    return isCsv(glance.head) ? Format::Csv : Format::Unknown;
}

std::vector<FormatInfo> commonFormats() {
    return {
        {Format::Graph, "graph", "Neutral graph", ".mpg.json", true, true, "graph"},
        {Format::Onnx, "onnx", "ONNX model", ".onnx", true, false, ""},
        {Format::Plan, "plan", "Plan file", ".json", true, true, "plan"},
        {Format::Hints, "hints", "Hint file", ".json", true, true, "graph or plan"},
        {Format::Csv, "csv", "Buffer list", ".csv", true, true, "plan"},
        {Format::Instances, "jsonl", "Allocation instances", ".jsonl", true, true, "plan"},
        {Format::BundleManifest, "bundle", "Bundle of a plan", "folder", true, true, "plan"},
        {Format::InductorFolder, "inductor", "Inductor debug folder", "folder", false, false, ""},
        {Format::Pt2, "pt2", "PyTorch exported program", ".pt2", false, false, ""},
        {Format::XlaText, "xla", "XLA buffer assignment", ".txt", false, false, ""},
        {Format::TfLite, "tflite", "TensorFlow Lite model", ".tflite", false, false, ""},
        {Format::Pickle, "pickle", "Python pickle", ".pickle", false, false, ""},
        {Format::Trace, "trace", "Chrome trace", ".trace.json", false, true, "plan"},
        {Format::ModelExplorer, "model-explorer", "Model Explorer graph", ".json", false, true, "plan"},
        {Format::Dot, "dot", "Graphviz dot", ".dot", false, true, "plan"},
    };
}

/// The machine's own format that a file is in; null for none.
const FormatInfo* ownFormat(const FileGlance& glance) {
    for (const FormatInfo& f : allFormats()) {
        if (f.own != nullptr && f.own->isIt != nullptr && f.own->isIt(glance)) return &f;
    }
    return nullptr;
}

FileGlance glanceAt(std::string_view head, std::string_view start) {
    FileGlance glance;
    glance.head = head;
    glance.isText = isText(head.substr(0, kHead));
    glance.isMlir = glance.isText && isMlir(head);
    glance.isObject = !start.empty() && start[0] == '{';
    if (!start.empty() && (start[0] == '{' || start[0] == '[')) glance.json = JsonGlance(start).run();
    return glance;
}

}  // namespace

const std::vector<FormatInfo>& allFormats() {
    static const std::vector<FormatInfo> kAll = [] {
        std::vector<FormatInfo> all = commonFormats();
        for (const Target* target : allTargets()) {
            for (const TargetFormat& f : target->formats()) {
                // What a machine reads itself stands in its own row.
                std::erase_if(all, [&f](const FormatInfo& common) { return common.id == f.id; });
                const bool reads = f.read != nullptr && !f.isOff;
                all.push_back(
                    {Format::OfTarget, f.id, f.title, f.extension, reads, !f.needs.empty() && !f.isOff, f.needs, &f});
            }
        }
        all.push_back({Format::Unknown, "unknown", "Unrecognised file", "", false, false, ""});
        return all;
    }();
    return kAll;
}

const FormatInfo& formatInfo(Format f) {
    const auto& all = allFormats();
    const auto it = std::find_if(all.begin(), all.end(), [f](const FormatInfo& i) { return i.format == f; });
    return it == all.end() ? all.back() : *it;
}

const FormatInfo& formatInfo(std::string_view id) {
    const auto& all = allFormats();
    const auto it = std::find_if(all.begin(), all.end(), [id](const FormatInfo& i) { return i.id == id; });
    return it == all.end() ? all.back() : *it;
}

const FormatInfo& recognise(std::string_view bytes) {
    const std::string_view head = bytes.substr(0, kSearched);
    if (head.substr(0, 4) == "PK\x03\x04") return formatInfo(zipFormat(head));
    if (head.size() >= 8 && head.substr(4, 4) == "TFL3") return formatInfo(Format::TfLite);
    if (head.size() >= 2 && head[0] == '\x80' && head[1] >= 2 && head[1] <= 5) return formatInfo(Format::Pickle);
    const FileGlance glance = glanceAt(head, withoutBomAndBlanks(head));
    if (const Format named = namedFormat(glance.json); named != Format::Unknown) return formatInfo(named);
    if (const FormatInfo* own = ownFormat(glance)) return *own;
    if (const Format json = jsonFormat(glance.json); json != Format::Unknown) return formatInfo(json);
    const bool isJson = glance.isObject || withoutBomAndBlanks(head).starts_with('[');
    if (isJson) return formatInfo(Format::Unknown);
    const Format text = glance.isText ? textFormat(glance) : Format::Unknown;
    return formatInfo(text == Format::Unknown && mayBeOnnx(head) ? Format::Onnx : text);
}

}  // namespace memplan::io
