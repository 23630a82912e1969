// SPDX-License-Identifier: Apache-2.0
// memplan-layout: reads one request from standard input, writes one answer to standard output
// (graphlayout/protocol.h). Exit status 0 done, 2 broken request, 3 over a limit, 4 layout failed; the
// reason goes to standard error in one line.
#include "app/layout/dot_layout.h"
#include "widgets/graphlayout/protocol.h"

#include <array>
#include <cstdio>
#include <string>
#include <string_view>

namespace {

using namespace memplan;
using graphlayout::LayoutExit;
using graphlayout::ProtocolLimits;

/// Standard input, but at most one byte more than a request may have.
std::string readInput() {
    std::string text;
    std::array<char, 65536> block{};
    while (text.size() <= ProtocolLimits::kBytes) {
        const std::size_t got = std::fread(block.data(), 1, block.size(), stdin);
        if (got == 0) break;
        text.append(block.data(), got);
    }
    return text;
}

int leave(LayoutExit status, std::string_view message) {
    std::fprintf(stderr, "memplan-layout: %.*s\n", static_cast<int>(message.size()), message.data());
    return static_cast<int>(status);
}

void printUsage() {
    std::puts("Usage: memplan-layout < REQUEST > ANSWER\n"
              "Lays out a graph with Graphviz dot. The window program starts it; the text it reads and\n"
              "writes is described in widgets/graphlayout/protocol.h.\n"
              "Exit status: 0 done, 2 broken request, 3 over a limit, 4 layout failed.");
}

}  // namespace

int main(int argc, char** argv) {
    const std::string_view argument = argc > 1 ? argv[1] : "";
    if (argument == "--version") return std::puts("memplan-layout " MEMPLAN_VERSION) < 0 ? 1 : 0;
    if (argument == "--help") {
        printUsage();
        return 0;
    }
    if (!argument.empty()) return leave(LayoutExit::BadRequest, "takes no arguments; see --help");
    const graphlayout::Parsed<graphlayout::LayoutGraph> request = graphlayout::parseRequest(readInput());
    if (!request.value)
        return leave(request.isOverLimit ? LayoutExit::OverLimit : LayoutExit::BadRequest, request.error);
    const auto result = layout::dotLayout(*request.value);
    if (!result) return leave(LayoutExit::LayoutFailed, "Graphviz could not lay out the graph");
    const std::string answer = graphlayout::encodeAnswer(*result);
    const bool isWritten =
        std::fwrite(answer.data(), 1, answer.size(), stdout) == answer.size() && std::fflush(stdout) == 0;
    return isWritten ? 0 : leave(LayoutExit::LayoutFailed, "standard output is closed");
}
