// SPDX-License-Identifier: Apache-2.0
#include "cli/hint_file.h"

#include "base/text.h"
#include "io/input.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

namespace memplan::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxCommentBytes = 4096;

Error malformed(std::string where, std::string what, std::string mend = {}) {
    return makeError("HNT-010", std::move(where), std::move(what), std::move(mend));
}

std::string lineAndColumn(const std::string& text, std::size_t byte) {
    const auto at = static_cast<std::ptrdiff_t>(std::min(byte > 0 ? byte - 1 : 0, text.size()));
    const auto line = std::count(text.begin(), text.begin() + at, '\n') + 1;
    const std::size_t lineStart = text.rfind('\n', static_cast<std::size_t>(at > 0 ? at - 1 : 0));
    const std::size_t first = lineStart == std::string::npos ? 0 : lineStart + 1;
    const std::size_t column = static_cast<std::size_t>(at) >= first ? static_cast<std::size_t>(at) - first + 1 : 1;
    return std::to_string(line) + ":" + std::to_string(column);
}

Result<Json> parseText(const std::string& text, std::int64_t maxDepth) {
    bool isTooDeep = false;
    const auto watch = [&](int depth, Json::parse_event_t, Json&) {
        isTooDeep = isTooDeep || depth > maxDepth;
        return !isTooDeep;
    };
    if (!text::isValidUtf8(text)) return malformed("", "the file is no valid UTF-8");
    try {
        Json json = Json::parse(text, watch);
        if (isTooDeep) return malformed("", "nesting deeper than " + std::to_string(maxDepth) + " levels");
        return json;
    } catch (const Json::parse_error& e) {
        return malformed(lineAndColumn(text, e.byte), "JSON syntax error", "check brackets, commas and quotes here");
    } catch (const Json::exception&) {
        return malformed("", "a number in the file is out of range");
    }
}

bool isScope(const std::string& scope) {
    static constexpr std::array<std::string_view, 4> kKinds{"op:", "tensor:", "group:", "annotation:"};
    const auto begins = [&](std::string_view kind) { return scope.starts_with(kind) && scope.size() > kind.size(); };
    return scope == "graph" || std::any_of(kKinds.begin(), kKinds.end(), begins);
}

Result<void> readScope(Hint& hint, const Json& scope, const std::string& where) {
    hint.scopeIsArray = scope.is_array();
    const Json list = scope.is_array() ? scope : Json::array({scope});
    if (list.empty()) return malformed(where, "a scope needs at least one subject");
    for (const Json& one : list) {
        if (!one.is_string() || !isScope(one.get<std::string>())) {
            return malformed(where, "this is no scope", "graph, op:<id>, tensor:<id>, group:<id> or annotation:<path>");
        }
        hint.scopes.push_back(one.get<std::string>());
    }
    return {};
}

Result<std::string> readString(const Json& object, const std::string& key, const std::string& where) {
    if (!object.contains(key)) return malformed(where, "\"" + key + "\" is missing");
    if (!object[key].is_string()) return malformed(where + "/" + key, "a string is expected");
    return object[key].get<std::string>();
}

Result<void> readOptional(Hint& hint, const Json& object, const std::string& where) {
    if (object.contains("enabled")) {
        if (!object["enabled"].is_boolean()) return malformed(where + "/enabled", "true or false is expected");
        hint.enabled = object["enabled"].get<bool>();
    }
    if (!object.contains("comment")) return {};
    auto comment = readString(object, "comment", where);
    if (!comment) return Error(comment.error());
    if (comment.value().size() > kMaxCommentBytes) return malformed(where + "/comment", "longer than 4096 bytes");
    hint.comment = comment.value();
    return {};
}

Result<Hint> readHint(const Json& object, const std::string& where) {
    static const std::set<std::string, std::less<>> kTargets{"spyre", "ttnn", "torchwright", "any"};
    static const std::set<std::string, std::less<>> kKnown{"target", "scope", "key", "value", "enabled", "comment"};
    if (!object.is_object()) return malformed(where, "a hint is an object");
    Hint hint;
    auto target = readString(object, "target", where);
    if (!target) return Error(target.error());
    if (!kTargets.contains(target.value())) {
        return malformed(where + "/target", "unknown target", "spyre, ttnn, torchwright or any");
    }
    hint.target = target.value();
    auto key = readString(object, "key", where);
    if (!key) return Error(key.error());
    hint.key = key.value();
    for (const char* required : {"scope", "value"}) {
        if (!object.contains(required)) return malformed(where, std::string("\"") + required + "\" is missing");
    }
    if (auto done = readScope(hint, object["scope"], where + "/scope"); !done) return Error(done.error());
    hint.valueJson = object["value"].dump();
    if (auto done = readOptional(hint, object, where); !done) return Error(done.error());
    for (const auto& [name, value] : object.items()) {
        if (!kKnown.contains(name)) hint.unknown.emplace_back(name, value.dump());
    }
    return hint;
}

Result<void> checkHeader(const Json& root) {
    if (!root.is_object() || !root.contains("format") || root["format"] != "memplan-hints") {
        return malformed("/format", "this is no hint file", "\"format\" must be \"memplan-hints\"");
    }
    if (!root.contains("version") || !root["version"].is_number_integer() || root["version"] != 1) {
        return malformed("/version", "this version of hint files cannot be read", "version 1 is expected");
    }
    if (!root.contains("hints") || !root["hints"].is_array()) return malformed("/hints", "an array is expected");
    return {};
}

/// Ids of the graph in the form of scopes.
std::set<std::string, std::less<>> subjectsOf(const Graph& graph) {
    std::set<std::string, std::less<>> subjects{"graph"};
    for (const Op& op : graph.ops)
        subjects.insert("op:" + op.id);
    for (const Tensor& t : graph.tensors)
        subjects.insert("tensor:" + t.id);
    for (const Group& g : graph.groups)
        subjects.insert("group:" + g.id);
    return subjects;
}

void warnOfGraph(const Json& root, const HintContext& context, Diagnostics& findings) {
    if (!root.contains("graph") || !root["graph"].is_object()) return;
    const Json& graph = root["graph"];
    const auto differs = [&](const char* key, const std::string& ours) {
        return graph.contains(key) && graph[key].is_string() && graph[key] != ours;
    };
    const bool hashDiffers =
        graph.contains("sha256") ? differs("sha256", context.input.sha256) : differs("name", context.graph.name);
    if (!hashDiffers) return;
    findings.warning("HNT-009", "/graph", "the hints were made for another graph",
                     "check that the subjects still mean the same");
}

}  // namespace

Result<ReadHints> readHints(const std::string& text, const HintContext& context) {
    auto root = parseText(text, context.limits.nesting);
    if (!root) return Error(root.error());
    if (auto ok = checkHeader(root.value()); !ok) return Error(ok.error());
    const auto subjects = subjectsOf(context.graph);
    ReadHints read;
    Diagnostics findings;
    warnOfGraph(root.value(), context, findings);
    const Json& list = root.value()["hints"];
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::string where = "/hints/" + std::to_string(i);
        auto hint = readHint(list[i], where);
        if (!hint) return Error(hint.error());
        for (const std::string& scope : hint.value().scopes) {
            if (subjects.contains(scope)) continue;
            findings.warning("HNT-005", where + "/scope", "the graph has no subject \"" + scope + "\"",
                             "the hint has no effect on it");
        }
        for (const auto& [name, value] : hint.value().unknown) {
            findings.note("HNT-011", where + "/" + name, "unknown field, kept");
        }
        read.hints.push_back(std::move(hint).value());
    }
    read.diagnostics = findings.list();
    return read;
}

Result<ReadHints> readHintFile(const std::string& path, const HintContext& context) {
    auto bytes = io::readFile(path, context.limits.jsonBytes, "MPG-002");
    if (!bytes) return Error(bytes.error());
    return readHints(bytes.value(), context);
}

std::string hintFileText(const HintedGraph& graph, const std::vector<Hint>& hints) {
    Json list = Json::array();
    for (const Hint& h : hints) {
        Json one;
        one["target"] = h.target;
        if (h.scopeIsArray || h.scopes.size() != 1) {
            one["scope"] = h.scopes;
        } else {
            one["scope"] = h.scopes.front();
        }
        one["key"] = h.key;
        one["value"] = Json::parse(h.valueJson);
        one["enabled"] = h.enabled;
        if (!h.comment.empty()) one["comment"] = h.comment;
        for (const auto& [name, value] : h.unknown)
            one[name] = Json::parse(value);
        list.push_back(std::move(one));
    }
    Json root;
    root["format"] = "memplan-hints";
    root["version"] = 1;
    root["graph"] = {{"name", graph.name}, {"sha256", graph.sha256}};
    root["hints"] = std::move(list);
    return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace memplan::cli
