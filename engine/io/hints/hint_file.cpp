// SPDX-License-Identifier: Apache-2.0
#include "engine/io/hints/hint_file.h"

#include "engine/base/text.h"
#include "engine/hints/kinds.h"
#include "engine/io/files/files.h"
#include "engine/io/graph/graph_json.h"
#include "engine/json/json_sax.h"
#include "engine/json/json_text.h"

#include <algorithm>
#include <array>

namespace memplan::hints {
namespace {

using io::JsonType;
using io::Tape;
using io::TapeIndex;

constexpr std::size_t kMaxCommentBytes = 4096;
constexpr io::JsonCodes kCodes{"HNT-010", "HNT-010", "HNT-010", "HNT-010", "HNT-010", "HNT-010", "HNT-010"};
constexpr std::array<std::string_view, 6> kKnown{"target", "scope", "key", "value", "enabled", "comment"};

template <std::size_t N> bool contains(const std::array<std::string_view, N>& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

Error malformed(std::string where, std::string what, std::string fix = {}) {
    return makeError("HNT-010", std::move(where), std::move(what), std::move(fix));
}

class Reader {
public:
    Reader(const Tape& tape, const FileContext& context) : tape_(tape), context_(context) {}

    Result<ReadHints> run() {
        if (auto ok = checkHeader(); !ok) return Error(ok.error());
        warnOfGraph();
        noteUnknown();
        ReadHints read;
        std::size_t i = 0;
        for (const TapeIndex at : tape_.children(tape_.find(0, "hints"))) {
            const std::string where = "/hints/" + std::to_string(i++);
            auto hint = readHint(at, where);
            if (!hint) return Error(hint.error());
            noteSubjects(hint.value(), where);
            read.hints.push_back(std::move(hint).value());
        }
        read.diagnostics = findings_.list();
        return read;
    }

private:
    Result<void> checkHeader() const {
        const bool isFile = tape_.type(0) == JsonType::Object;
        const TapeIndex format = isFile ? tape_.find(0, "format") : 0;
        if (format == 0 || tape_.type(format) != JsonType::String || tape_.text(format) != "memplan-hints") {
            return malformed("/format", "this is no hint file", "\"format\" must be \"memplan-hints\"");
        }
        const TapeIndex version = tape_.find(0, "version");
        if (version == 0 || tape_.type(version) != JsonType::Integer || tape_.at(version).integer != 1) {
            return malformed("/version", "this version of hint files cannot be read", "version 1 is expected");
        }
        const TapeIndex hints = tape_.find(0, "hints");
        if (hints == 0 || tape_.type(hints) != JsonType::Array)
            return malformed("/hints", "an array is expected", "\"hints\" lists the hints of the file; [] for none");
        const TapeIndex graph = optional(0, "graph");
        if (graph != 0 && tape_.type(graph) != JsonType::Object) {
            return malformed("/graph", "an object is expected",
                             R"(give {"name": "...", "sha256": "..."} of the graph, or leave "graph" out)");
        }
        return {};
    }

    /// Member that may be absent; null counts as absent. 0 = absent.
    [[nodiscard]] TapeIndex optional(TapeIndex object, std::string_view key) const {
        const TapeIndex at = tape_.find(object, key);
        return at != 0 && tape_.type(at) == JsonType::Null ? 0 : at;
    }

    void warnOfGraph() {
        const TapeIndex graph = optional(0, "graph");
        if (graph == 0) return;
        const TapeIndex sha256 = tape_.find(graph, "sha256");
        const TapeIndex name = tape_.find(graph, "name");
        const auto differs = [&](TapeIndex at, const std::string& ours) {
            return at != 0 && tape_.type(at) == JsonType::String && tape_.text(at) != ours;
        };
        const bool byHash = sha256 != 0 && !context_.sha256.empty();
        if (byHash ? !differs(sha256, context_.sha256) : !differs(name, context_.name)) return;
        findings_.warning("HNT-009", "/graph", "the hints were made for another graph",
                          "check that the subjects still mean the same");
    }

    void noteUnknown() {
        static constexpr std::array<std::string_view, 4> kOfTheFile{"format", "version", "graph", "hints"};
        for (const TapeIndex member : tape_.children(0)) {
            if (contains(kOfTheFile, tape_.key(member))) continue;
            std::string pointer = "/";
            io::appendPointerToken(pointer, tape_.key(member));
            findings_.note("HNT-011", std::move(pointer), "unknown field of the file, not kept");
        }
    }

    Result<std::string> readString(TapeIndex object, std::string_view key, const std::string& where) const {
        const TapeIndex at = tape_.find(object, key);
        if (at == 0) return malformed(where, "\"" + std::string(key) + "\" is missing");
        if (tape_.type(at) != JsonType::String) {
            return malformed(where + "/" + std::string(key), "a string is expected");
        }
        return std::string(tape_.text(at));
    }

    Result<void> addScope(Hint& hint, TapeIndex at, const std::string& where) const {
        if (tape_.type(at) != JsonType::String || !parseScope(tape_.text(at))) {
            return malformed(where, "this is no scope", "graph, op:<id>, tensor:<id>, group:<id> or annotation:<path>");
        }
        hint.scopes.emplace_back(tape_.text(at));
        return {};
    }

    Result<void> readScope(Hint& hint, TapeIndex at, const std::string& where) const {
        hint.scopeIsArray = tape_.type(at) == JsonType::Array;
        if (!hint.scopeIsArray) return addScope(hint, at, where);
        if (tape_.count(at) == 0) return malformed(where, "a scope needs at least one subject");
        for (const TapeIndex one : tape_.children(at)) {
            if (auto ok = addScope(hint, one, where); !ok) return ok;
        }
        return {};
    }

    Result<void> readOptional(Hint& hint, TapeIndex object, const std::string& where) const {
        if (const TapeIndex enabled = optional(object, "enabled"); enabled != 0) {
            if (tape_.type(enabled) != JsonType::Bool)
                return malformed(where + "/enabled", "true or false is expected");
            hint.enabled = tape_.at(enabled).boolean;
        }
        if (optional(object, "comment") == 0) return {};
        auto comment = readString(object, "comment", where);
        if (!comment) return Error(comment.error());
        if (comment.value().size() > kMaxCommentBytes) return malformed(where + "/comment", "longer than 4096 bytes");
        hint.comment = std::move(comment).value();
        return {};
    }

    Result<Hint> readHint(TapeIndex object, const std::string& where) const {
        if (tape_.type(object) != JsonType::Object) return malformed(where, "a hint is an object");
        Hint hint;
        auto target = readString(object, "target", where);
        if (!target) return Error(target.error());
        if (!hints::isTargetWord(target.value())) {
            return malformed(where + "/target", "unknown target", hints::targetWords());
        }
        hint.target = std::move(target).value();
        auto key = readString(object, "key", where);
        if (!key) return Error(key.error());
        hint.key = std::move(key).value();
        const TapeIndex scope = tape_.find(object, "scope");
        const TapeIndex value = tape_.find(object, "value");
        if (scope == 0) return malformed(where, "\"scope\" is missing");
        if (value == 0) return malformed(where, "\"value\" is missing");
        if (auto ok = readScope(hint, scope, where + "/scope"); !ok) return Error(ok.error());
        hint.value = HintValue(io::jsonValue(tape_, value));
        if (auto ok = readOptional(hint, object, where); !ok) return Error(ok.error());
        for (const TapeIndex member : tape_.children(object)) {
            if (!contains(kKnown, tape_.key(member))) hint.unknown.emplace_back(tape_.key(member), tape_.json(member));
        }
        return hint;
    }

    void noteSubjects(const Hint& hint, const std::string& where) {
        for (const std::string& subject : hint.scopes) {
            if (context_.subjects.has(*parseScope(subject))) continue;
            const std::string fix = context_.subjects.fixFor(*parseScope(subject));
            findings_.warning("HNT-005", where + "/scope", "the graph has no subject " + text::quoted(subject),
                              "the hint has no effect on it" + (fix.empty() ? "" : "; " + fix));
        }
        for (const auto& [name, value] : hint.unknown) {
            std::string pointer = where + "/";
            io::appendPointerToken(pointer, name);
            findings_.note("HNT-011", std::move(pointer), "unknown field, kept");
        }
    }

    const Tape& tape_;
    const FileContext& context_;
    Diagnostics findings_;
};

}  // namespace

Result<ReadHints> readHints(const std::string& text, const FileContext& context) {
    auto tape = io::readTape(text, kCodes, context.limits, RunControl{});
    if (!tape) return std::move(tape).error();
    if (tape.value().empty()) return malformed("", "the file is empty", "choose another file");
    return Reader(tape.value(), context).run();
}

Result<ReadHints> readHintFile(const std::string& path, const FileContext& context) {
    auto bytes = io::readFile(path, context.limits.jsonBytes, "MPG-002");
    if (!bytes) return Error(bytes.error());
    return readHints(bytes.value(), context);
}

std::string hintFileText(const HintedGraph& graph, const std::vector<Hint>& hints) {
    io::JsonWriter w(256 + hints.size() * 256);
    w.beginObject();
    w.member("format", "memplan-hints");
    w.member("version", 1);
    if (!graph.name.empty() || !graph.sha256.empty()) {
        w.key("graph");
        w.beginInlineObject();
        w.member("name", graph.name);
        w.member("sha256", graph.sha256);
        w.endObject();
    }
    w.key("hints");
    w.beginArray();
    for (const Hint& h : hints)
        io::writeHintJson(w, h, io::HintText::OfHintFile);
    w.endArray();
    w.endObject();
    return w.finish();
}

}  // namespace memplan::hints
