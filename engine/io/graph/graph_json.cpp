// SPDX-License-Identifier: Apache-2.0
#include "engine/io/graph/graph_json.h"

#include "engine/base/text.h"
#include "engine/io/graph/graph_checks.h"
#include "engine/io/graph/graph_fields.h"
#include "engine/json/json_sax.h"

#include <algorithm>
#include <array>

namespace memplan::io {

namespace {

constexpr std::int64_t kVersion = 1;
constexpr std::int64_t kMinor = 0;
constexpr std::array<std::string_view, 13> kTopKeys = {"format",  "version", "minor",   "name", "producer",
                                                       "source",  "dims",    "tensors", "ops",  "inputs",
                                                       "outputs", "groups",  "hints"};

/// Stage C: collects the graph piece by piece while the bytes are parsed.
class GraphSink final : public JsonSink {
public:
    /// `bytes` is the size of the document; its lists are reserved for a usual density, so that a large
    /// file does not move its items again and again.
    GraphSink(const Limits& limits, std::size_t bytes) : limits_(limits) {
        constexpr std::size_t kBytesPerOp = 1000, kBytesPerTensor = 500;
        const auto atMost = [bytes](std::size_t perItem, std::int64_t limit) {
            return std::min(bytes / perItem, static_cast<std::size_t>(limit));
        };
        raw_.graph.ops.reserve(atMost(kBytesPerOp, limits.graphOps));
        raw_.ops.reserve(raw_.graph.ops.capacity());
        raw_.graph.tensors.reserve(atMost(kBytesPerTensor, limits.graphTensors));
        raw_.aliases.reserve(raw_.graph.tensors.capacity());
    }

    [[nodiscard]] bool wantsEntries(std::string_view key) const override {
        return key == "tensors" || key == "ops" || key == "groups" || key == "hints";
    }

    void entry(std::string_view key, std::size_t index, const Tape& value) override {
        if (static_cast<std::int64_t>(index) >= maxEntries(key)) return;
        FieldReader in(value, {key, index}, findings_);
        if (key == "tensors") {
            readTensor(in, raw_);
        } else if (key == "ops") {
            readOp(in, raw_);
        } else if (key == "groups") {
            readGroup(in, raw_);
        } else if (auto hint = readHint(in, 0)) {
            raw_.graph.hints.push_back(std::move(*hint));
        }
    }

    void entriesEnd(std::string_view key, std::size_t count) override {
        seen_.emplace_back(key);
        const auto found = static_cast<std::int64_t>(count);
        if (found > maxEntries(key)) {
            findings_.error("MPG-110", "/" + std::string(key),
                            text::grouped(found) + " entries, the limit is " + text::grouped(maxEntries(key)),
                            key == "ops" ? "raise limits.graph_ops" : "raise limits.graph_tensors");
        }
        if (key == "tensors" && count == 0) {
            findings_.error("MPG-107", "/tensors", "a graph has at least one tensor", "add one");
        }
    }

    void member(std::string_view key, const Tape& value) override {
        seen_.emplace_back(key);
        FieldReader in(value, {key, std::nullopt}, findings_);
        if (key == "format") {
            readFormat(value);
        } else if (key == "version") {
            readVersion(in);
        } else if (wantsEntries(key)) {
            in.expect(0, JsonType::Array);
        } else if (key == "targets" || std::find(kTopKeys.begin(), kTopKeys.end(), key) != kTopKeys.end()) {
            readTopMember(key, in, raw_);
        } else {
            keepUnknown(key, value);
        }
    }

    void notAnObject(JsonType type) override {
        notAnObject_ = true;
        findings_.error("MPG-106", "", "expected an object, found " + std::string(jsonTypeName(type)),
                        "a graph file is one JSON object");
    }

    /// Ends stage C. Wrong format or version hides everything else: the rest is not ours to judge.
    [[nodiscard]] Diagnostics finish() {
        if (notAnObject_) return findings_;
        if (!isOurs_) {
            Diagnostics only;
            only.error("MPG-101", "/format",
                       seen("format") ? "the format is not \"memplan-graph\"" : "the key \"format\" is missing",
                       "a neutral graph says \"format\": \"memplan-graph\"");
            return only;
        }
        if (versionError_) {
            Diagnostics only;
            only.add(*versionError_);
            return only;
        }
        for (const std::string_view key : {"version", "name", "tensors", "ops", "inputs", "outputs"}) {
            if (seen(key)) continue;
            findings_.error("MPG-105", "", "the required key \"" + std::string(key) + "\" is missing", "add it");
        }
        if (raw_.graph.minor > kMinor) {
            findings_.note("MPG-104", "/minor",
                           "minor version " + text::grouped(raw_.graph.minor) + " is newer than this program knows (" +
                               text::grouped(kMinor) + ")");
        }
        return findings_;
    }

    [[nodiscard]] RawGraph take() { return std::move(raw_); }

private:
    static std::string escapedKey(std::string_view key) {
        std::string out;
        for (const char c : key)
            out += c == '~' ? "~0" : (c == '/' ? "~1" : std::string(1, c));
        return out;
    }

    [[nodiscard]] bool seen(std::string_view key) const {
        return std::find(seen_.begin(), seen_.end(), key) != seen_.end();
    }

    [[nodiscard]] std::int64_t maxEntries(std::string_view key) const {
        return key == "ops" ? limits_.graphOps : limits_.graphTensors;
    }

    void readFormat(const Tape& value) {
        isOurs_ = value.type(0) == JsonType::String && value.text(0) == "memplan-graph";
    }

    void readVersion(FieldReader& in) {
        const auto version = in.integer(0);
        if (!version || *version == kVersion) return;
        Diagnostic d;
        d.where = "/version";
        if (*version > kVersion) {
            d.code = "MPG-102";
            d.message = "version " + text::grouped(*version) + " is too new: this program reads version " +
                        text::grouped(kVersion);
            d.hint = "use a newer program or save the graph as version " + text::grouped(kVersion);
        } else {
            d.code = "MPG-103";
            d.message = "version " + text::grouped(*version) + " is not valid";
            d.hint = "versions start at 1";
        }
        versionError_ = std::move(d);
    }

    void keepUnknown(std::string_view key, const Tape& value) {
        raw_.graph.unknown.emplace_back(std::string(key), value.json(0));
        if (key.substr(0, 2) == "x_") return;
        findings_.warning("MPG-108", "/" + escapedKey(key),
                          "unknown key " + text::quoted(key) + ", kept and written back", "prefix own keys with x_");
    }

    const Limits& limits_;
    Diagnostics findings_;
    RawGraph raw_;
    std::vector<std::string> seen_;
    std::optional<Diagnostic> versionError_;
    bool isOurs_ = false;
    bool notAnObject_ = false;
};

void append(std::vector<Diagnostic>& out, const Diagnostics& stage) {
    const auto list = stage.list();
    out.insert(out.end(), list.begin(), list.end());
}

Error errorsFirst(std::vector<Diagnostic> findings) {
    std::stable_partition(findings.begin(), findings.end(),
                          [](const Diagnostic& d) { return d.severity == Severity::Error; });
    return Error(std::move(findings));
}

Diagnostics shapeStage(const Graph& graph, const std::vector<Diagnostic>& expressions, const Limits& limits) {
    Diagnostics findings;
    for (const Diagnostic& d : expressions)
        findings.add(d);
    checkIterationSpaces(graph, findings);
    checkTensors(graph, limits, findings);
    return findings;
}

}  // namespace

Result<ReadGraph> readGraphJson(std::string_view bytes, const Limits& limits, const RunControl& control) {
    GraphSink sink(limits, bytes.size());
    auto broken = streamJson(bytes, kGraphCodes, limits, control, sink);
    if (!broken.empty()) return Error(std::move(broken));
    ReadGraph out;
    Diagnostics fields = sink.finish();
    append(out.diagnostics, fields);
    if (fields.hasErrors()) return errorsFirst(std::move(out.diagnostics));

    RawGraph raw = sink.take();
    const std::vector<Diagnostic> expressions = std::move(raw.expressions);
    Diagnostics references;
    checkUniqueIds(raw.graph, references);
    out.graph = resolveGraph(std::move(raw), references);
    if (!references.hasErrors()) checkReferences(out.graph, references);
    append(out.diagnostics, references);
    if (references.hasErrors()) return errorsFirst(std::move(out.diagnostics));

    Diagnostics structure;
    checkStructure(out.graph, structure);
    append(out.diagnostics, structure);
    if (structure.hasErrors()) return errorsFirst(std::move(out.diagnostics));

    const Diagnostics shapes = shapeStage(out.graph, expressions, limits);
    append(out.diagnostics, shapes);
    if (shapes.hasErrors()) return errorsFirst(std::move(out.diagnostics));
    return out;
}

}  // namespace memplan::io
