// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/batch/given_hints.h"

#include "app/cli/program/reporter.h"
#include "engine/io/hints/hint_file.h"
#include "engine/io/input.h"
#include "engine/io/samples.h"
#include "engine/settings/settings.h"
#include "engine/target/compile.h"

namespace memplan::app {

int readGivenHints(const StudioArguments& arguments, const cli::Streams& streams, std::vector<Hint>& out) {
    if (arguments.hints.isEmpty()) return 0;
    const cli::Reporter reporter(streams);
    if (arguments.files.empty()) {
        return reporter.usage("--hints", "hints belong to an input, and none is named",
                              "memplan-studio --hints FILE INPUT");
    }
    const auto settings = Settings::fromPairs(arguments.settings);
    if (!settings) return reporter.fail("command line", settings.error());
    const auto samples = io::listSamples();
    const io::SampleInfo* sample = io::findSample(samples, arguments.files.front());
    const std::string path = sample != nullptr ? sample->path : arguments.files.front();
    if (path.ends_with(".memplan")) return 0;  // has hints of its own (leftAside reports them)
    io::OpenOptions options;
    options.limits = io::Limits::from(settings.value());
    if (sample != nullptr) options.bindings.raw = sample->bindings;
    options.bindings.raw.insert(options.bindings.raw.end(), arguments.bindings.begin(), arguments.bindings.end());
    options.bindWithSuggestions = true;
    const auto input = io::openInput(path, options, RunControl{});
    if (!input) return reporter.fail(path, input.error());
    std::shared_ptr<const Graph> graph = input.value().graph;
    if (input.value().program) graph = graphOf(*input.value().program, input.value().input.name);
    if (!graph) {
        return reporter.usage("--hints", "\"" + path + "\" is no graph, and hints are about parts of a graph",
                              "leave out --hints, or name the graph");
    }
    const hints::Subjects subjects(*graph);
    const std::string file = arguments.hints.toStdString();
    auto read = hints::readHintFile(file, {subjects, graph->name, input.value().input.sha256, options.limits});
    if (!read) return reporter.fail(file, read.error());
    reporter.printAll(file, read.value().diagnostics);
    out = std::move(read.value().hints);
    return 0;
}

}  // namespace memplan::app
