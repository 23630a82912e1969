// SPDX-License-Identifier: Apache-2.0
// `memplan list WHAT [--json]`: prints the catalogues of the program.
#include "app/cli/output/listing.h"
#include "app/cli/program/arguments.h"
#include "app/cli/program/commands.h"
#include "app/cli/program/common_options.h"
#include "app/cli/program/reporter.h"
#include "engine/base/suggestion.h"
#include "engine/base/text.h"

#include <algorithm>

namespace memplan::cli {

namespace {

struct ListOptions {
    std::string what;
    bool json = false;
    bool helpShown = false;
};

struct Catalogue {
    std::string name;
    Listing (*make)() = nullptr;
};

const std::vector<Catalogue>& catalogues() {
    static const std::vector<Catalogue> kAll{{"targets", listTargets},   {"machines", listMachines},
                                             {"passes", listPasses},     {"solvers", listSolvers},
                                             {"settings", listSettings}, {"hints", listHints},
                                             {"formats", listFormats},   {"samples", listSamples},
                                             {"reasons", listReasons},   {"diagnostics", listDiagnostics}};
    return kAll;
}

std::vector<std::string> catalogueNames() {
    std::vector<std::string> names;
    for (const Catalogue& c : catalogues())
        names.push_back(c.name);
    return names;
}

Result<ListOptions> parse(const Args& args, const Streams& streams) {
    ListOptions o;
    Arguments a("list", "Prints a catalogue of the program.");
    a.positional("WHAT", o.what, text::join(catalogueNames(), ", "));
    a.flag("--json", o.json, "print an array of JSON objects");
    auto parsed = a.parse(args);
    if (!parsed && args.empty())
        return makeError("CLI-001", "list", "WHAT is required", "one of " + text::join(catalogueNames(), ", "));
    if (!parsed) return std::move(parsed).error();
    o.helpShown = !parsed.value();
    if (o.helpShown) streams.out << a.helpText();
    return o;
}

int run(const ListOptions& o, const Streams& streams) {
    const auto& all = catalogues();
    const auto it = std::find_if(all.begin(), all.end(), [&](const Catalogue& c) { return c.name == o.what; });
    if (it == all.end()) {
        return Reporter(streams).usage(
            "list", "unknown catalogue \"" + o.what + "\"",
            didYouMean(o.what, catalogueNames(), "there are " + text::join(catalogueNames(), ", ")));
    }
    const Listing listing = it->make();
    streams.out << (o.json ? asJson(listing) : asText(listing));
    return kDone;
}

}  // namespace

int listCommand(const Args& args, const Streams& streams) {
    const auto options = parse(args, streams);
    if (!options) return Reporter(streams).fail("command line", options.error());
    return options.value().helpShown ? kDone : run(options.value(), streams);
}

}  // namespace memplan::cli
