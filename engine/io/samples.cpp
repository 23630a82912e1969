// SPDX-License-Identifier: Apache-2.0
#include "engine/io/samples.h"

#include "engine/base/text.h"
#include "engine/io/hints/hint_file.h"
#include "engine/io/input.h"
#include "engine/json/json_sax.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>

namespace memplan::io {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMaxBytes = 1 << 20;

std::string textOf(const Tape& tape, TapeIndex object, std::string_view key) {
    const TapeIndex at = tape.find(object, key);
    return at != 0 && tape.type(at) == JsonType::String ? std::string(tape.text(at)) : std::string();
}

/// Members of an object as text pairs: strings as they are, everything else as its JSON text.
SettingPairs pairsOf(const Tape& tape, TapeIndex object, std::string_view key) {
    SettingPairs pairs;
    const TapeIndex at = tape.find(object, key);
    if (at == 0 || tape.type(at) != JsonType::Object) return pairs;
    for (const TapeIndex c : tape.children(at)) {
        const bool isText = tape.type(c) == JsonType::String;
        pairs.emplace_back(std::string(tape.key(c)), isText ? std::string(tape.text(c)) : tape.json(c));
    }
    return pairs;
}

std::vector<SampleVariant> variantsOf(const Tape& tape, const fs::path& folder) {
    std::vector<SampleVariant> variants;
    const TapeIndex at = tape.find(0, "variants");
    if (at == 0 || tape.type(at) != JsonType::Array) return variants;
    for (const TapeIndex c : tape.children(at)) {
        const std::string hints = textOf(tape, c, "hints");
        variants.push_back({textOf(tape, c, "id"), textOf(tape, c, "name"), textOf(tape, c, "note"),
                            pairsOf(tape, c, "settings"), hints.empty() ? hints : (folder / hints).string(),
                            text::parseDouble(textOf(tape, c, "measured_microseconds")).value_or(0)});
    }
    return variants;
}

std::vector<std::string> notesOf(const Tape& tape) {
    std::vector<std::string> notes;
    const TapeIndex at = tape.find(0, "notes");
    if (at == 0 || tape.type(at) != JsonType::Array) return notes;
    for (const TapeIndex c : tape.children(at))
        notes.emplace_back(tape.text(c));
    return notes;
}

std::optional<SampleInfo> readSample(const fs::path& file) {
    const auto bytes = readFile(file.string(), kMaxBytes, "MPG-002");
    if (!bytes) return std::nullopt;
    const auto document = readTape(bytes.value(), kGraphCodes, Limits{}, RunControl{});
    if (!document || document.value().type(0) != JsonType::Object) return std::nullopt;
    const Tape& tape = document.value();
    SampleInfo s;
    s.id = textOf(tape, 0, "id");
    s.title = textOf(tape, 0, "title");
    s.sentence = textOf(tape, 0, "sentence");
    s.question = textOf(tape, 0, "question");
    s.sizeText = textOf(tape, 0, "size");
    s.settings = pairsOf(tape, 0, "settings");
    s.bindings = pairsOf(tape, 0, "bindings");
    const fs::path folder = file.parent_path();
    s.variants = variantsOf(tape, folder);
    s.notes = notesOf(tape);
    const fs::path graph = (folder / textOf(tape, 0, "graph")).lexically_normal();
    s.path = graph.string();
    std::error_code ignored;
    if (fs::is_regular_file(folder / "README.md", ignored)) s.readme = (folder / "README.md").string();
    if (s.id.empty() || !fs::is_regular_file(graph, ignored)) return std::nullopt;
    return s;
}

}  // namespace

Result<std::vector<Hint>> hintsOf(const SampleVariant& variant, const Graph& graph) {
    if (variant.hintFile.empty()) return std::vector<Hint>{};
    const hints::Subjects subjects(graph);
    auto read = hints::readHintFile(variant.hintFile, {subjects, graph.name, {}, Limits{}});
    if (!read) return std::move(read).error();
    return std::move(read.value().hints);
}

std::string samplesFolder() {
    std::error_code ignored;
    const fs::path executable = fs::read_symlink("/proc/self/exe", ignored);
    const std::vector<fs::path> places = {executable.parent_path() / "../share/memplan-studio/samples",
                                          fs::path(MEMPLAN_SAMPLES_SOURCE)};
    for (const fs::path& place : places) {
        if (fs::is_directory(place, ignored)) return place.lexically_normal().string();
    }
    return {};
}

std::vector<SampleInfo> listSamples(const std::string& folder) {
    std::vector<SampleInfo> samples;
    const std::string root = folder.empty() ? samplesFolder() : folder;
    std::error_code failed;
    fs::recursive_directory_iterator it(root, failed);
    for (; !failed && it != fs::recursive_directory_iterator(); it.increment(failed)) {
        if (it->path().filename() != "sample.json") continue;
        if (auto sample = readSample(it->path())) samples.push_back(std::move(*sample));
    }
    std::sort(samples.begin(), samples.end(), [](const SampleInfo& a, const SampleInfo& b) {
        // S1, S2, ... ahead of the networks N1, N2, ...
        const auto rank = [](const SampleInfo& s) { return s.id.empty() || s.id[0] != 'S'; };
        return std::pair(rank(a), a.id) < std::pair(rank(b), b.id);
    });
    return samples;
}

const SampleInfo* findSample(const std::vector<SampleInfo>& samples, const std::string& id) {
    const auto it = std::find_if(samples.begin(), samples.end(), [&id](const SampleInfo& s) { return s.id == id; });
    return it == samples.end() ? nullptr : &*it;
}

}  // namespace memplan::io
