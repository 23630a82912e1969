// SPDX-License-Identifier: Apache-2.0
#include "engine/io/workspace/workspace_json.h"

#include "engine/base/text.h"
#include "engine/io/graph/graph_fields.h"
#include "engine/io/graph/graph_json.h"
#include "engine/io/machine_file.h"
#include "engine/json/json_sax.h"
#include "engine/json/json_text.h"
#include "engine/machine/machine_json.h"
#include "engine/target/target.h"

#include <algorithm>
#include <array>

namespace memplan::io {

namespace {

constexpr JsonCodes kCodes{"WSP-001", "WSP-001", "WSP-001", "WSP-001", "WSP-001", "WSP-001", "WSP-001"};
constexpr std::int64_t kVersion = 1;
constexpr const char* kFormat = "memplan-workspace";
constexpr FieldReader::TextRule kAnyText{0, 65536, false};
constexpr FieldReader::TextRule kNoteText{1, 1 << 20, false};

class Reader {
public:
    explicit Reader(const Tape& tape) : in_(tape, {}, findings_) {}

    Result<ReadWorkspace> run() {
        if (auto ok = readHead(); !ok) return ok.error();
        static constexpr std::array<std::string_view, 14> kKeys = {
            "format", "version",    "input", "document", "target", "machine", "settings",
            "hints",  "taken_over", "notes", "instance", "side",   "plan",    "view"};
        const auto [format, version, input, document, target, machine, settings, hints, takenOver, notes, instance,
                    side, plan, view] = in_.members(0, kKeys, &w_.unknown);
        if (in_.require(0, {{"input", input}})) readInput(input);
        if (document != 0) w_.document = text(document);
        if (target != 0) readTarget(target);
        if (machine != 0) readMachine(machine);
        if (settings != 0) w_.settings = readPairs(settings);
        if (hints != 0) w_.hints = readHints(hints);
        if (takenOver != 0) w_.takenOver = readHints(takenOver);
        if (notes != 0) readNotes(notes);
        if (instance != 0) readInstance(instance);
        if (side != 0) readSide(side);
        if (plan != 0) readPlan(plan);
        if (view != 0 && in_.expect(view, JsonType::Object)) w_.viewJson = in_.tape.json(view);
        return result();
    }

private:
    Result<void> readHead() {
        const Tape& t = in_.tape;
        if (t.type(0) != JsonType::Object || t.text(t.find(0, "format")) != kFormat) {
            return makeError("WSP-001", "/format", "this is no workspace file",
                             "\"format\" must be \"memplan-workspace\"");
        }
        const TapeIndex version = t.find(0, "version");
        if (version == 0 || t.type(version) != JsonType::Integer) {
            return makeError("WSP-001", "/version", "the version of the file is missing", "version 1 is expected");
        }
        const std::int64_t has = t.at(version).integer;
        if (has == kVersion) return {};
        return makeError("WSP-002", "/version",
                         "the file has version " + text::grouped(has) + ", this program reads version 1",
                         has > kVersion ? "open it with a newer memplan-studio" : "the number is no version");
    }

    std::string text(TapeIndex at) { return in_.string(at, kAnyText).value_or(""); }
    std::string textOr(TapeIndex at) { return at == 0 ? std::string() : text(at); }

    Workspace::Pairs readPairs(TapeIndex object) {
        Workspace::Pairs pairs;
        if (!in_.expect(object, JsonType::Object)) return pairs;
        for (const TapeIndex c : in_.tape.children(object))
            pairs.emplace_back(std::string(in_.tape.key(c)), text(c));
        return pairs;
    }

    void readTarget(TapeIndex at) {
        w_.target = text(at);
        const auto known = requireTarget(w_.target);
        if (!known) in_.error("WSP-001", at, known.error().primary().message, known.error().primary().hint);
    }

    void readMachine(TapeIndex at) {
        auto read = readMachineOf(in_.tape, at);
        if (read)
            w_.machine = std::move(read).value();
        else
            in_.error("MCH-001", at, read.error().primary().message, read.error().primary().hint);
    }

    void readInput(TapeIndex at) {
        if (!in_.expect(at, JsonType::Object)) return;
        static constexpr std::array<std::string_view, 8> kKeys = {"path", "absolute_path", "sha256",   "format",
                                                                  "name", "sample",        "bindings", "cut"};
        const auto [path, absolute, sha256, format, name, sample, bindings, cut] = in_.members(at, kKeys, nullptr);
        if (!in_.require(at, {{"path", path}, {"sha256", sha256}})) return;
        w_.input.path = in_.string(path, {1, 4096, true}).value_or("");
        w_.input.absolutePath = textOr(absolute);
        w_.input.sha256 = text(sha256);
        w_.input.format = textOr(format);
        w_.input.name = textOr(name);
        w_.input.sample = textOr(sample);
        if (bindings != 0) w_.input.bindings = readPairs(bindings);
        if (cut != 0) readCut(cut);
    }

    void readCut(TapeIndex at) {
        if (!in_.expect(at, JsonType::Object)) return;
        static constexpr std::array<std::string_view, 3> kKeys = {"first", "last", "prefix"};
        const auto [first, last, prefix] = in_.members(at, kKeys, nullptr);
        w_.input.cut = {textOr(first), textOr(last), textOr(prefix)};
    }

    std::vector<Hint> readHints(TapeIndex at) {
        std::vector<Hint> hints;
        if (!in_.expect(at, JsonType::Array)) return hints;
        for (const TapeIndex c : in_.tape.children(at)) {
            if (auto hint = readHint(in_, c)) hints.push_back(std::move(*hint));
        }
        return hints;
    }

    void readNotes(TapeIndex at) {
        if (!in_.expect(at, JsonType::Array)) return;
        for (const TapeIndex c : in_.tape.children(at)) {
            if (!in_.expect(c, JsonType::Object)) continue;
            static constexpr std::array<std::string_view, 3> kKeys = {"kind", "name", "text"};
            const auto [kind, name, words] = in_.members(c, kKeys, nullptr);
            if (!in_.require(c, {{"kind", kind}, {"name", name}, {"text", words}})) continue;
            w_.notes.push_back({text(kind), text(name), in_.string(words, kNoteText).value_or("")});
        }
    }

    void readInstance(TapeIndex at) {
        if (!in_.expect(at, JsonType::Object)) return;
        static constexpr std::array<std::string_view, 3> kKeys = {"index", "capacity", "alignment"};
        const auto [index, capacity, alignment] = in_.members(at, kKeys, nullptr);
        if (!in_.require(at, {{"index", index}, {"capacity", capacity}})) return;
        constexpr std::int64_t kMostBytes = std::int64_t{1} << 50;
        Workspace::Instance instance;
        instance.index = static_cast<int>(in_.integer(index, 0, INT32_MAX).value_or(0));
        instance.capacity = in_.integer(capacity, 1, kMostBytes).value_or(1);
        if (alignment != 0) instance.alignment = in_.integer(alignment, 0, kMostBytes).value_or(0);
        w_.instance = instance;
    }

    void readSide(TapeIndex at) {
        if (!in_.expect(at, JsonType::Array)) return;
        for (const TapeIndex c : in_.tape.children(at)) {
            if (!in_.expect(c, JsonType::Object)) continue;
            static constexpr std::array<std::string_view, 3> kKeys = {"path", "absolute_path", "sha256"};
            const auto [path, absolute, sha256] = in_.members(c, kKeys, nullptr);
            if (!in_.require(c, {{"path", path}})) continue;
            w_.side.push_back({in_.string(path, {1, 4096, true}).value_or(""), textOr(absolute), textOr(sha256)});
        }
    }

    void readPlan(TapeIndex at) {
        if (!in_.expect(at, JsonType::Object)) return;
        static constexpr std::array<std::string_view, 5> kKeys = {"input_hash", "plan_hash", "label", "settings",
                                                                  "hints"};
        const auto [inputHash, planHash, label, settings, hints] = in_.members(at, kKeys, nullptr);
        if (!in_.require(at, {{"input_hash", inputHash}, {"settings", settings}})) return;
        Workspace::ShownPlan plan;
        plan.inputHash = text(inputHash);
        plan.planHash = textOr(planHash);
        plan.label = textOr(label);
        plan.settings = readPairs(settings);
        if (hints != 0) plan.hints = readHints(hints);
        w_.plan = std::move(plan);
    }

    /// The readers of single fields are those of graphs; the findings get the codes of this format.
    Result<ReadWorkspace> result() {
        std::vector<Diagnostic> errors;
        ReadWorkspace read;
        for (Diagnostic d : findings_.list()) {
            const bool isError = d.severity == Severity::Error;
            d.code = isError ? "WSP-001" : "WSP-005";
            if (!d.where.empty()) d.where.erase(0, 1);  // the name of the piece, which is empty for a whole document
            if (!isError) d.severity = Severity::Note;
            (isError ? errors : read.diagnostics).push_back(std::move(d));
        }
        if (!errors.empty()) {
            Error error = makeError("WSP-001", errors.front().where, errors.front().message, errors.front().hint);
            error.diagnostics = std::move(errors);
            return error;
        }
        read.workspace = std::move(w_);
        return read;
    }

    Diagnostics findings_;
    FieldReader in_;
    Workspace w_;
};

void writeMachineOf(JsonWriter& w, const MachineDescription& machine) {
    const Target* target = findTarget(machine.target);
    if (target == nullptr || machine.isBuiltIn()) return;
    w.key("machine");
    writeMachine(w, machine, target->machineKind());
}

void writePairs(JsonWriter& w, std::string_view key, const Workspace::Pairs& pairs) {
    w.key(key);
    w.beginObject();
    for (const auto& [name, value] : pairs)
        w.member(name, value);
    w.endObject();
}

void writeHints(JsonWriter& w, const std::vector<Hint>& hints, std::string_view key = "hints") {
    w.key(key);
    w.beginArray();
    for (const Hint& hint : hints)
        writeHintJson(w, hint);
    w.endArray();
}

void writeInput(JsonWriter& w, const Workspace::Input& input) {
    w.key("input");
    w.beginObject();
    w.member("path", input.path);
    if (!input.absolutePath.empty()) w.member("absolute_path", input.absolutePath);
    w.member("sha256", input.sha256);
    if (!input.format.empty()) w.member("format", input.format);
    if (!input.name.empty()) w.member("name", input.name);
    if (!input.sample.empty()) w.member("sample", input.sample);
    if (!input.bindings.empty()) writePairs(w, "bindings", input.bindings);
    if (const GraphCut& cut = input.cut; !cut.isEmpty())
        writePairs(w, "cut", {{"first", cut.first}, {"last", cut.last}, {"prefix", cut.prefix}});
    w.endObject();
}

void writeNotes(JsonWriter& w, const std::vector<Workspace::Note>& notes) {
    w.key("notes");
    w.beginArray();
    for (const Workspace::Note& note : notes) {
        w.beginObject();
        w.member("kind", note.kind);
        w.member("name", note.name);
        w.member("text", note.text);
        w.endObject();
    }
    w.endArray();
}

void writeInstance(JsonWriter& w, const Workspace::Instance& instance) {
    w.key("instance");
    w.beginObject();
    w.member("index", instance.index);
    w.member("capacity", instance.capacity);
    if (instance.alignment > 0) w.member("alignment", instance.alignment);
    w.endObject();
}

void writeSide(JsonWriter& w, const std::vector<Workspace::SideFile>& side) {
    w.key("side");
    w.beginArray();
    for (const Workspace::SideFile& file : side) {
        w.beginObject();
        w.member("path", file.path);
        if (!file.absolutePath.empty()) w.member("absolute_path", file.absolutePath);
        if (!file.sha256.empty()) w.member("sha256", file.sha256);
        w.endObject();
    }
    w.endArray();
}

void writePlan(JsonWriter& w, const Workspace::ShownPlan& plan) {
    w.key("plan");
    w.beginObject();
    w.member("input_hash", plan.inputHash);
    w.member("plan_hash", plan.planHash);
    if (!plan.label.empty()) w.member("label", plan.label);
    writePairs(w, "settings", plan.settings);
    writeHints(w, plan.hints);
    w.endObject();
}

}  // namespace

bool isWorkspace(std::string_view bytes) {
    const std::string_view head = bytes.substr(0, 4096);
    const std::size_t at = head.find("\"format\"");
    if (at == std::string_view::npos) return false;
    const std::size_t value = head.find_first_not_of(" \t\r\n:", at + 8);
    return value != std::string_view::npos && head.substr(value).starts_with("\"memplan-workspace\"");
}

Result<ReadWorkspace> readWorkspaceJson(std::string_view bytes) {
    auto tape = readTape(bytes, kCodes, Limits(), RunControl{});
    if (!tape) return std::move(tape).error();
    return Reader(tape.value()).run();
}

std::string writeWorkspaceJson(const Workspace& workspace) {
    JsonWriter w;
    w.beginObject();
    w.member("format", kFormat);
    w.member("version", kVersion);
    writeInput(w, workspace.input);
    if (!workspace.document.empty()) w.member("document", workspace.document);
    if (!workspace.target.empty()) w.member("target", workspace.target);
    writeMachineOf(w, workspace.machine);
    writePairs(w, "settings", workspace.settings);
    writeHints(w, workspace.hints);
    if (!workspace.takenOver.empty()) writeHints(w, workspace.takenOver, "taken_over");
    writeNotes(w, workspace.notes);
    if (workspace.instance) writeInstance(w, *workspace.instance);
    if (!workspace.side.empty()) writeSide(w, workspace.side);
    if (workspace.plan) writePlan(w, *workspace.plan);
    w.key("view");
    w.raw(workspace.viewJson);
    for (const auto& [name, value] : workspace.unknown) {
        w.key(name);
        w.raw(value);
    }
    w.endObject();
    return w.finish();
}

}  // namespace memplan::io
