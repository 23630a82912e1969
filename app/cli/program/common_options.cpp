// SPDX-License-Identifier: Apache-2.0
#include "app/cli/program/common_options.h"

#include "engine/base/text.h"
#include "engine/io/files/files.h"
#include "engine/io/samples.h"
#include "engine/machine/machine_json.h"
#include "engine/target/target.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace memplan::cli {

namespace {

/// A setting with a value, of the machine that plans first.
std::string exampleOfSetting() {
    const std::string_view key = allTargets().front()->info().settings.cores;
    return std::string(key.empty() ? "engine.seed" : key) + "=8";
}

bool isWanted(const io::FormatInfo& info, Wanted wanted) {
    if (!info.imports) return false;
    const bool isOwn = info.format == io::Format::OfTarget, isRecords = isOwn && info.own->isRecords;
    switch (wanted) {
    case Wanted::AnyInput:
        return !isRecords;
    case Wanted::Program:
        return info.format == io::Format::Graph || info.format == io::Format::Onnx || (isOwn && !isRecords);
    case Wanted::Plan:
        return info.format == io::Format::Plan || info.format == io::Format::BundleManifest;
    case Wanted::Instance:
        return info.format == io::Format::Csv || info.format == io::Format::Instances;
    case Wanted::CompilerRecords:
        return isRecords;
    }
    return false;
}

/// The hint for a file that is of none of them.
std::string readableFormats(Wanted wanted) {
    std::vector<std::string> titles;
    for (const io::FormatInfo& info : io::allFormats())
        if (isWanted(info, wanted))
            titles.push_back(std::string(info.title) + " (" + std::string(info.extension) + ")");
    const std::string plan = wanted == Wanted::Plan ? "; `memplan compile INPUT --out PLAN.json` writes one" : "";
    return "what is read here: " + text::join(titles, ", ") + plan;
}

/// A name without a folder and an ending is meant as a sample's, which is a graph.
Error noSuchSample(const std::string& name, Wanted wanted, const Error& noFile) {
    const std::vector<io::SampleInfo> samples = io::listSamples();
    const bool takesSamples = wanted == Wanted::Program || wanted == Wanted::AnyInput;
    const Diagnostic& d = noFile.primary();
    if (io::findSample(samples, name) != nullptr && !takesSamples) {
        return makeError(d.code, d.where, d.message,
                         "the sample of this name is a graph: `memplan compile " + name + " --out plan.json` plans it");
    }
    if (!takesSamples) return noFile;
    std::vector<std::string> ids;
    for (const io::SampleInfo& sample : samples)
        ids.push_back(sample.id);
    return makeError(d.code, d.where, d.message, "the samples are " + text::join(ids, ", "));
}

/// The same error with what this command reads in place of all that the program reads.
Error withFormats(const std::string& path, Wanted wanted, Error error) {
    Diagnostic& d = error.diagnostics.front();
    std::error_code ignored;
    const bool isNoFile = d.code == "IN-904" && !std::filesystem::exists(path, ignored);
    if (isNoFile && path.find_first_of("./") == std::string::npos) return noSuchSample(path, wanted, error);
    if (d.code == "IN-001" || d.code == "IN-012") d.hint = readableFormats(wanted);
    return error;
}

}  // namespace

Result<std::vector<std::pair<std::string, std::string>>> keyValuePairs(const std::vector<std::string>& texts,
                                                                       const std::string& option) {
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const std::string& given : texts) {
        const std::size_t sign = given.find('=');
        if (sign == std::string::npos || sign == 0) {
            return makeError("CLI-001", option, "\"" + given + "\" has no form NAME=VALUE",
                             "for instance " + option + (option == "--bind" ? " batch=1" : " " + exampleOfSetting()));
        }
        pairs.emplace_back(given.substr(0, sign), given.substr(sign + 1));
    }
    return pairs;
}

Result<Settings> settingsFrom(const std::vector<std::string>& sets) {
    auto pairs = keyValuePairs(sets, "--set");
    if (!pairs) return std::move(pairs).error();
    return Settings::fromPairs(pairs.value());
}

Result<io::Bindings> bindingsFrom(const std::vector<std::string>& binds) {
    auto pairs = keyValuePairs(binds, "--bind");
    if (!pairs) return std::move(pairs).error();
    io::Bindings bindings;
    bindings.raw = std::move(pairs).value();
    return bindings;
}

Result<std::int64_t> wholeNumber(const std::string& option, const std::string& text,
                                 std::pair<std::int64_t, std::int64_t> range) {
    const auto value = text::parseInt(text);
    if (value && *value >= range.first && *value <= range.second) return *value;
    return makeError("CLI-001", option, "\"" + text + "\" is no whole number in the range",
                     "from " + std::to_string(range.first) + " to " + std::to_string(range.second));
}

Result<TargetId> targetFrom(const std::string& name) {
    if (name.empty() || findTarget(name) != nullptr) return name;
    std::vector<std::string> names;
    for (const Target* target : allTargets())
        names.emplace_back(target->info().id);
    return makeError("CLI-001", "--target", "this version does not plan for target \"" + name + "\"",
                     "it plans for " + text::join(names, ", ") + "; `memplan list targets`");
}

Result<MachineDescription> machineFrom(const std::string& file, const std::string& target) {
    if (file.empty()) return MachineDescription{};
    constexpr std::int64_t kMostBytes = 1 << 20;
    const auto known = requireTarget(target);
    if (!known) return known.error();
    if (known.value()->machineKind().fields.empty())
        return makeError("MCH-001", "", "machines of " + text::quoted(target) + " have no figures that a file changes",
                         "leave out --machine; sizes are settings there: `memplan list settings` prints them");
    const auto bytes = io::readFile(file, kMostBytes, "MCH-001");
    if (!bytes) return bytes.error();
    return readMachine(bytes.value(), known.value()->machineKind());
}

io::OpenOptions openOptions(const Settings& settings, const io::Bindings& bindings) {
    io::OpenOptions options;
    options.bindings = bindings;
    options.limits = io::Limits::from(settings);
    return options;
}

Result<io::OpenedInput> open(const std::string& path, const io::OpenOptions& options, Wanted wanted,
                             const Streams& streams) {
    RunControl control;
    control.stop = streams.stop;
    auto opened = io::openInput(path, options, control);
    if (!opened) return withFormats(path, wanted, std::move(opened).error());
    Reporter(streams).printAll(path, opened.value().diagnostics);
    return opened;
}

void takeSample(std::string& input, std::vector<std::string>& sets, std::vector<std::string>& binds) {
    std::error_code ignored;
    if (std::filesystem::exists(input, ignored)) return;
    const std::vector<io::SampleInfo> samples = io::listSamples();
    const io::SampleInfo* sample = io::findSample(samples, input);
    if (sample == nullptr) return;
    const auto putAhead = [](const io::SettingPairs& pairs, std::vector<std::string>& given) {
        std::vector<std::string> all;
        for (const auto& [key, value] : pairs)
            all.push_back(key + "=" + value);
        all.insert(all.end(), given.begin(), given.end());
        given = std::move(all);
    };
    putAhead(sample->settings, sets);
    putAhead(sample->bindings, binds);
    input = sample->path;
}

Result<void> keepInputs(const std::string& option, const std::string& out, const std::vector<std::string>& inputs) {
    for (const std::string& input : inputs) {
        std::error_code none;  // what does not exist is no input
        if (out.empty() || input.empty() || !std::filesystem::equivalent(out, input, none)) continue;
        return makeError("CLI-001", option, "\"" + out + "\" is an input of this command", "name another file");
    }
    return {};
}

int writeResult(const std::string& path, const std::string& bytes, const Streams& streams) {
    if (streams.stop.stop_requested()) {
        return Reporter(streams).fail("", makeError(kCancelledCode, "", "cancelled, nothing was written"));
    }
    if (path.empty() || path == "-") {
        streams.out << bytes;
        return kDone;
    }
    const auto written = io::writeFileAtomically(path, bytes);
    return written ? kDone : Reporter(streams).fail(path, written.error());
}

ProgressBar::ProgressBar(const Streams& streams, When when)
    : streams_(streams), isOn_(when == When::Always || (when == When::Auto && streams.errIsTerminal)) {}

ProgressBar::~ProgressBar() {
    clear();
}

void ProgressBar::show(std::string_view what, double done, double total) {
    constexpr int kCells = 24;
    if (!isOn_) return;
    const double share = total > 0 ? std::clamp(done / total, 0.0, 1.0) : 0.0;
    const int filled = static_cast<int>(std::lround(share * kCells));
    std::string line = "[";
    for (int i = 0; i < kCells; ++i)
        line += i < filled ? '=' : ' ';
    line += "] " + text::fixed(share * 100, 0) + " %  " + text::escaped(what);
    if (line == last_) return;  // a long task reports more often than its picture changes
    last_ = line;
    isShown_ = true;
    streams_.err << '\r' << line << "\x1b[K" << std::flush;
}

void ProgressBar::clear() {
    if (!isShown_) return;
    streams_.err << "\r\x1b[K" << std::flush;
    isShown_ = false;
    last_.clear();
}

RunControl ProgressBar::control() {
    RunControl control;
    control.stop = streams_.stop;
    control.onProgress = [this](std::string_view what, double done, double total) { show(what, done, total); };
    return control;
}

Result<ProgressBar::When> progressFrom(const std::string& text) {
    if (text == "auto") return ProgressBar::When::Auto;
    if (text == "always") return ProgressBar::When::Always;
    if (text == "never") return ProgressBar::When::Never;
    return makeError("CLI-001", "--progress", "\"" + text + "\" is not allowed", "auto, always or never");
}

}  // namespace memplan::cli
