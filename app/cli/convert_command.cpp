// SPDX-License-Identifier: Apache-2.0
// `memplan convert`: writes an input or a plan in another format.
#include "app/cli/input/plan_input.h"
#include "app/cli/input/plan_instance.h"
#include "app/cli/output/convert_plan.h"
#include "app/cli/program/arguments.h"
#include "app/cli/program/commands.h"
#include "app/cli/program/common_options.h"
#include "app/cli/program/reporter.h"
#include "engine/base/suggestion.h"
#include "engine/base/text.h"
#include "engine/io/files/folder.h"
#include "engine/io/graph/graph_json.h"
#include "engine/io/hints/hint_file.h"
#include "engine/io/instances/instances.h"
#include "engine/target/format_writer.h"

#include <algorithm>

namespace memplan::cli {

namespace {

struct ConvertOptions {
    std::string input, output, to;
    std::vector<std::string> binds, sets;
    bool force = false;
    bool helpShown = false;
};

/// Common formats, then those of the machines.
const std::vector<std::string>& formatNames() {
    static const std::vector<std::string> kNames = [] {
        std::vector<std::string> names{"graph", "csv", "jsonl", "hints", "bundle", "trace", "model-explorer", "dot"};
        for (const FormatWriter* writer : formatWriters())
            names.emplace_back(writer->id);
        return names;
    }();
    return kNames;
}

std::string footer() {
    std::string text =
        "graph: neutral graph (.mpg.json, .json) from any model; csv, jsonl: buffer list or allocation instance\n"
        "(.csv, .jsonl) from one of these, or the on-chip buffers of a plan; hints: hint file (.hints.json) from a\n"
        "graph or a plan. From a plan: trace (.trace.json, Chrome trace), model-explorer, dot (.dot); from a plan for\n"
        "spyre also bundle: a folder of the plan, its graph, hints, report and the machine's own files. For other\n"
        "machines `memplan compile INPUT --export DIR` writes their own files.";
    for (const FormatWriter* writer : formatWriters())
        text += "\n" + std::string(writer->id) + ": " + std::string(writer->help) + ".";
    return text;
}

Result<ConvertOptions> parse(const Args& args, const Streams& streams) {
    ConvertOptions o;
    Arguments a("convert", "Reads INPUT and writes it as OUTPUT in another format.");
    a.positional("INPUT", o.input, "any format that `memplan list formats` reads, a plan, or the id of a sample");
    a.positional("OUTPUT", o.output, "file to write, - for standard output");
    a.option("--to", "FORMAT", o.to,
             "format when the suffix of OUTPUT does not say it: " + text::join(formatNames(), ", "));
    a.repeated("--bind", "SYM=N", o.binds, "fix a free dimension, a value or a branch of INPUT");
    a.repeated("--set", "KEY=VALUE", o.sets, "a setting; limits.* govern the reading");
    a.flag("--force", o.force, "with --to bundle: write into a folder that is not empty");
    a.footer(footer());
    auto parsed = a.parse(args);
    if (!parsed) return std::move(parsed).error();
    o.helpShown = !parsed.value();
    if (o.helpShown) streams.out << a.helpText();
    return o;
}

Result<std::string> formatOf(const ConvertOptions& o) {
    for (const std::string& name : formatNames()) {
        if (o.to == name) return name;
    }
    if (!o.to.empty()) {
        return makeError("CLI-001", "--to", "this version does not write format \"" + o.to + "\"",
                         didYouMean(o.to, formatNames(), "the formats are " + text::join(formatNames(), ", ")));
    }
    for (const FormatWriter* writer : formatWriters())
        if (!writer->extension.empty() && o.output.ends_with(writer->extension)) return std::string(writer->id);
    if (o.output.ends_with(".trace.json")) return std::string("trace");
    if (o.output.ends_with(".hints.json")) return std::string("hints");
    if (o.output.ends_with(".dot")) return std::string("dot");
    if (o.output.ends_with(".json")) return std::string("graph");
    if (o.output.ends_with(".csv")) return std::string("csv");
    if (o.output.ends_with(".jsonl")) return std::string("jsonl");
    return makeError("CLI-001", o.output, "the suffix names no format",
                     "add --to with " + text::join(formatNames(), ", "));
}

Error noForm(const std::string& what, const std::string& format, const std::string& fix) {
    return makeError("IN-013", "", what + " cannot be written as \"" + format + "\"", fix);
}

Result<std::string> graphText(const io::OpenedInput& input) {
    if (input.graph) return io::writeGraphJson(*input.graph);
    return noForm("this input holds no graph and", "graph", "a graph comes from a model or a graph file");
}

/// The instances of the input: its own, or the on-chip buffers of a plan.
Result<std::vector<PlacedInstance>> instancesOf(const io::OpenedInput& input, const std::string& format) {
    std::vector<PlacedInstance> all;
    if (input.format == io::Format::Plan) {
        auto plan = readSoundPlan(input.bytes);
        if (!plan) return std::move(plan).error();
        all.push_back(instanceOf(plan.value()));
        return all;
    }
    for (const solve::Problem& problem : input.problems) {
        solve::Addresses given;
        for (const solve::Item& item : problem.items)
            given.push_back(item.givenAddress);
        const bool hasAny = std::any_of(given.begin(), given.end(), [](const auto& a) { return a.has_value(); });
        all.push_back({problem, hasAny ? given : solve::Addresses{}});
    }
    if (!all.empty()) return all;
    return noForm("a graph has no addresses yet and", format, "compile it first and convert the plan");
}

/// JSON lines say nothing of dead ranges and of alignments of single buffers.
Result<void> checkFitsJsonLines(const solve::Problem& problem) {
    for (const solve::Item& item : problem.items) {
        if (!item.gaps.empty()) return noForm("buffer \"" + item.name + "\" with gaps", "jsonl", "use csv");
        if (problem.alignmentOf(item) != problem.alignment) {
            return noForm("buffer \"" + item.name + "\" with an alignment of its own", "jsonl", "use csv");
        }
    }
    return {};
}

Result<std::string> instanceText(const io::OpenedInput& input, const std::string& format) {
    auto all = instancesOf(input, format);
    if (!all) return std::move(all).error();
    if (format == "csv") {
        if (all.value().size() == 1) {
            return io::writeBufferCsv({all.value().front().problem, input.extraColumns, {}, {}},
                                      all.value().front().addresses);
        }
        return noForm("a file of " + std::to_string(all.value().size()) + " instances", "csv",
                      "one instance is expected");
    }
    std::vector<solve::Problem> problems;
    for (PlacedInstance& one : all.value()) {
        // The declared parents say the same as the dead ranges that a buffer list needs.
        if (input.format == io::Format::Plan) {
            for (solve::Item& item : one.problem.items)
                item.gaps.clear();
        }
        if (auto ok = checkFitsJsonLines(one.problem); !ok) return Error(ok.error());
        problems.push_back(std::move(one.problem));
    }
    return io::writeInstances(problems);
}

Result<std::string> hintsText(const io::OpenedInput& input) {
    if (input.graph) return hints::hintFileText({input.graph->name, input.input.sha256}, input.graph->hints);
    if (input.format == io::Format::Hints)
        return makeError("IN-013", "", "this input is a hint file already", "copy it, or name a graph or a plan");
    if (input.format != io::Format::Plan)
        return noForm("this input holds no hints and", "hints", "a graph or a plan is expected");
    auto plan = readSoundPlan(input.bytes);
    if (!plan) return std::move(plan).error();
    return hints::hintFileText({plan.value().input.name, plan.value().input.sha256}, plan.value().hints);
}

Result<std::string> machineText(const FormatWriter& writer, const io::OpenedInput& input) {
    if (input.format != io::Format::Plan) return writer.write({input.program.get(), input.graph.get(), nullptr});
    auto plan = readSoundPlan(input.bytes);
    if (!plan) return std::move(plan).error();
    return writer.write({nullptr, nullptr, &plan.value()});
}

Result<std::string> textOf(const io::OpenedInput& input, const std::string& format, const Reporter& reporter) {
    for (const FormatWriter* writer : formatWriters())
        if (writer->id == format) return machineText(*writer, input);
    if (format == "graph") return graphText(input);
    if (isPlanFormat(format)) return planText(input, format, reporter);
    return format == "hints" ? hintsText(input) : instanceText(input, format);
}

int run(const ConvertOptions& o, const Streams& streams) {
    const Reporter reporter(streams);
    if (const auto kept = keepInputs("OUTPUT", o.output, {o.input}); !kept)
        return reporter.fail("command line", kept.error());
    const auto format = formatOf(o);
    if (!format) return reporter.fail("command line", format.error());
    const auto settings = settingsFrom(o.sets);
    if (!settings) return reporter.fail("command line", settings.error());
    const auto bindings = bindingsFrom(o.binds);
    if (!bindings) return reporter.fail("command line", bindings.error());
    if (format.value() == "bundle") {
        if (o.output == "-")
            return reporter.usage("OUTPUT", "a bundle is a folder, not a text", "name a folder to write");
        if (auto free = io::checkExportFolder(o.output, o.force); !free) return reporter.fail("OUTPUT", free.error());
    }
    const auto input = open(o.input, openOptions(settings.value(), bindings.value()), Wanted::AnyInput, streams);
    if (!input) return reporter.fail(o.input, input.error());
    if (format.value() == "bundle") return writeBundle(input.value(), o.output, o.force, streams);
    const auto text = textOf(input.value(), format.value(), reporter);
    if (!text) return reporter.fail(o.input, text.error());
    return writeResult(o.output, text.value(), streams);
}

}  // namespace

int convertCommand(const Args& args, const Streams& streams) {
    auto options = parse(args, streams);
    if (!options) return Reporter(streams).fail("command line", options.error());
    if (options.value().helpShown) return kDone;
    takeSample(options.value().input, options.value().sets, options.value().binds);
    return run(options.value(), streams);
}

}  // namespace memplan::cli
