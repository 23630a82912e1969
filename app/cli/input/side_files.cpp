// SPDX-License-Identifier: Apache-2.0
#include "app/cli/input/side_files.h"

#include "app/cli/program/arguments.h"
#include "app/cli/program/common_options.h"
#include "app/cli/program/reporter.h"
#include "engine/target/compile.h"

namespace memplan::cli {

void addSideOption(Arguments& arguments, std::vector<std::string>& paths) {
    arguments.repeated("--side", "FILE", paths,
                       "provenance sidecar, pass log or cost dump of the same kernels: stands beside the plan by name");
}

int readSideFiles(const std::vector<std::string>& paths, const Settings& settings, const Streams& streams,
                  std::vector<SideDocument>& out) {
    const Reporter reporter(streams);
    for (const std::string& path : paths) {
        auto input = open(path, openOptions(settings), Wanted::CompilerRecords, streams);
        if (!input) return reporter.fail(path, input.error());
        if (input.value().side.empty()) {
            return reporter.usage("--side",
                                  "\"" + path + "\" holds no compiler records but \"" +
                                      std::string(input.value().input.format) + "\"",
                                  "a provenance sidecar, a pass log or a cost dump is expected");
        }
        for (SideDocument& d : input.value().side)
            out.push_back(std::move(d));
    }
    return kDone;
}

std::shared_ptr<const SideInformation> sideBeside(const Plan& plan, const std::string& path,
                                                  const std::vector<SideDocument>& documents, const Streams& streams) {
    if (documents.empty()) return nullptr;
    SideAttachment attached = attachSide(plan, documents);
    Reporter(streams).printAll(path, attached.problems);
    return std::make_shared<const SideInformation>(std::move(attached.side));
}

void addSideFacts(const SideInformation& side, Explanation& explanation) {
    const SideRecords& records = explanation.kind == "buffer" ? side.buffers : side.ops;
    for (auto& line : sideLines(side, records, explanation.name))
        explanation.facts.push_back(std::move(line));
}

}  // namespace memplan::cli
