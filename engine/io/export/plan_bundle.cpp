// SPDX-License-Identifier: Apache-2.0
#include "engine/io/export/plan_bundle.h"

#include "engine/base/hash.h"
#include "engine/base/text.h"
#include "engine/io/files/files.h"
#include "engine/io/files/formats.h"
#include "engine/io/files/inside.h"
#include "engine/io/graph/graph_json.h"
#include "engine/io/plan/plan_json.h"
#include "engine/json/json_sax.h"
#include "engine/json/json_text.h"
#include "engine/target/statistics_text.h"
#include "engine/target/target.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace memplan::io {

namespace {

namespace fs = std::filesystem;

constexpr const char* kManifest = "manifest.json";
constexpr JsonCodes kCodes{"BND-105", "BND-004", "BND-105", "BND-105", "BND-105", "BND-105", "BND-105"};

/// A plan of a machine that this version does not know is exported as one of the natural machine.
const TargetInfo& infoOf(const Plan& plan) {
    const Target* target = findTarget(plan.target);
    return target != nullptr ? target->info() : naturalTarget(nullptr).info();
}

void solverMembers(JsonWriter& w, const Plan& plan) {
    w.member("name", plan.solver);
    w.member("version", MEMPLAN_VERSION);
    w.member("seed", plan.settings.integer("engine.seed"));
    w.key("options");
    w.beginObject();
    const solve::SolverKeys& keys = infoOf(plan).settings.solver;
    for (const std::string_view key : {std::string_view("engine.time_limit_seconds"), keys.ordering,
                                       keys.annealingSteps, keys.annealingStart, keys.exactCost})
        w.member(key, plan.settings.textOf(key));
    w.endObject();
}

std::string manifestText(const Plan& plan, const std::vector<FolderFile>& files) {
    JsonWriter w;
    w.beginObject();
    w.member("format", "memplan-bundle");
    w.member("version", 1);
    w.key("created_by");
    w.beginInlineObject();
    w.member("name", "memplan");
    w.member("version", MEMPLAN_VERSION);
    w.endObject();
    w.member("target", plan.target);
    w.key("device");
    w.beginInlineObject();
    w.member("cores", plan.settings.integer(infoOf(plan).settings.cores));
    w.member("memory_bytes_per_core", plan.memory.physical);
    w.member("usable_bytes_per_core", plan.memory.capacity);
    w.member("alignment", plan.memory.alignment);
    w.endObject();
    w.key("solver");
    w.beginObject();
    solverMembers(w, plan);
    w.endObject();
    w.key("files");
    w.beginArray();
    for (const auto& [path, bytes] : files) {
        w.beginInlineObject();
        w.member("path", path);
        w.member("bytes", static_cast<std::int64_t>(bytes.size()));
        w.member("sha256", sha256Hex(bytes));
        w.endObject();
    }
    w.endArray();
    w.endObject();
    return w.finish();
}

bool isSafe(std::string_view path) {
    const bool isAbsolute = path.empty() || path.front() == '/' || (path.size() > 1 && path[1] == ':');
    if (isAbsolute || path.find('\\') != std::string_view::npos) return false;
    const auto parts = text::split(path, '/');
    return std::none_of(parts.begin(), parts.end(),
                        [](const std::string& p) { return p.empty() || p == "." || p == ".."; });
}

/// Checks files against a manifest, one after the other.
class BundleCheck {
public:
    BundleCheck(fs::path folder, const Limits& limits, const RunControl& control, Diagnostics& notes)
        : folder_(std::move(folder)), limits_(limits), control_(control), notes_(notes) {}

    Result<std::string> run() {
        auto bytes = readInside(folder_, kManifest, limits_.jsonBytes, "BND-004");
        if (!bytes) return std::move(bytes).error();
        const auto tape = readTape(bytes.value(), kCodes, limits_, control_);
        if (!tape) return tape.error();
        const Tape& t = tape.value();
        const TapeIndex version = t.find(0, "version");
        const bool isOne = version != 0 && t.type(version) == JsonType::Integer && t.at(version).integer == 1;
        if (!isOne) return wrong(t, version, "a manifest of version 1 is expected");
        const TapeIndex files = t.find(0, "files");
        if (files == 0 || t.type(files) != JsonType::Array) return wrong(t, 0, "the list \"files\" is missing");
        for (const TapeIndex entry : t.children(files)) {
            if (control_.cancelled()) return makeError(kCancelledCode, "", "reading was cancelled");
            if (auto ok = file(t, entry); !ok) return ok.error();
        }
        if (!listed_.contains("plan.json")) return wrong(t, files, "the bundle lists no plan.json");
        unlisted();
        return std::move(plan_);
    }

private:
    static Error wrong(const Tape& t, TapeIndex at, const std::string& what) {
        return makeError("BND-105", std::string(kManifest) + t.pointer(at), what, "export the bundle anew");
    }

    Result<void> file(const Tape& t, TapeIndex entry) {
        if (t.type(entry) != JsonType::Object) return wrong(t, entry, "an object is expected");
        const TapeIndex path = t.find(entry, "path");
        const TapeIndex hash = t.find(entry, "sha256");
        const bool isText =
            path != 0 && hash != 0 && t.type(path) == JsonType::String && t.type(hash) == JsonType::String;
        if (!isText) return wrong(t, entry, "\"path\" and \"sha256\" are expected");
        const std::string name(t.text(path));
        if (!isSafe(name)) {
            return makeError("BND-003", std::string(kManifest) + t.pointer(path),
                             "the path " + text::quoted(name) + " leaves the folder", "export the bundle anew");
        }
        // What this program exported it reads: the plan, and its target's files, which grow with it.
        auto bytes = readInside(folder_, name, kMostPlanBytes, "BND-004");
        const bool isRefused = !bytes && bytes.error().primary().code.starts_with("BND-");
        if (isRefused) return bytes.error();
        if (!bytes) return mismatch(name, "is missing or cannot be read");
        if (sha256Hex(bytes.value()) != t.text(hash)) return mismatch(name, "does not have the hash of the manifest");
        if (name == "plan.json") plan_ = std::move(bytes).value();
        listed_.insert(name);
        return {};
    }

    static Error mismatch(const std::string& name, const char* what) {
        return makeError("BND-002", text::escaped(name), "the file " + text::quoted(name) + " of the bundle " + what,
                         "export the bundle anew, or take an unchanged copy");
    }

    void unlisted() {
        std::vector<std::string> names;
        std::error_code ignored;
        for (fs::recursive_directory_iterator it(folder_, ignored), end; it != end; it.increment(ignored)) {
            if (!it->is_regular_file(ignored)) continue;
            const std::string name = it->path().lexically_relative(folder_).generic_string();
            if (name != kManifest && !listed_.contains(name)) names.push_back(name);
            if (names.size() > 200) break;
        }
        std::sort(names.begin(), names.end());
        for (const std::string& name : names)
            notes_.warning("BND-002", text::escaped(name), "the manifest does not list this file", "it is not read");
    }

    fs::path folder_;
    const Limits& limits_;
    const RunControl& control_;
    Diagnostics& notes_;
    std::set<std::string> listed_;
    std::string plan_;
};

}  // namespace

std::vector<FolderFile> planBundle(const PlanBundleParts& parts) {
    std::vector<FolderFile> files;
    if (parts.graph != nullptr) files.emplace_back("graph.mpg.json", writeGraphJson(*parts.graph));
    files.emplace_back("plan.json", writePlanJson(parts.plan));
    files.emplace_back("hints.json", parts.hintsText);
    files.emplace_back("report.txt", statisticsText(parts.plan));
    for (const auto& [path, bytes] : parts.targetFiles)
        files.emplace_back(std::string(parts.plan.target) + "/" + path, bytes);
    files.insert(files.begin(), FolderFile(kManifest, manifestText(parts.plan, files)));
    return files;
}

bool isPlanBundle(const std::string& folder) {
    const auto head = readFile((fs::path(folder) / kManifest).string(), Limits().jsonBytes, "BND-004");
    return head && recognise(head.value()).format == Format::BundleManifest;
}

Result<std::string> readPlanBundle(const std::string& folder, const Limits& limits, const RunControl& control,
                                   Diagnostics& notes) {
    return BundleCheck(folder, limits, control, notes).run();
}

}  // namespace memplan::io
