// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/torchwright/compiled_graphs.h"

#include "engine/torchwright/compile/target.h"
#include "engine/torchwright/graph/graph_json.h"

#include <QFile>

namespace memplan::test {

using torchwright::GraphSource;
using torchwright::NodeGraph;

NodeGraph graphNamed(const char* name) {
    QFile file(QString(MEMPLAN_TEST_DATA "/torchwright/%1.graph.json").arg(name));
    if (!file.open(QIODevice::ReadOnly)) qFatal("no graph %s", name);
    auto read = torchwright::readGraph(file.readAll().toStdString(), {}, {});
    if (!read) qFatal("%s", read.error().primary().message.c_str());
    return std::move(read).value().graph;
}

CompileOutcome compileNodes(NodeGraph graph, const SettingValues& values, std::vector<Hint> hints) {
    const auto source = std::make_shared<const GraphSource>(std::move(graph));
    Settings settings;
    for (const auto& [key, value] : values)
        if (!settings.set(key, value)) qFatal("no setting %s", key);
    return compile(
        requestFor(torchwright::target().graphOf(*source, "graph"), source, {}, std::move(settings), std::move(hints)),
        {});
}

CompileOutcome compileNamed(const char* name, const SettingValues& values, std::vector<Hint> hints) {
    return compileNodes(graphNamed(name), values, std::move(hints));
}

Plan planNamed(const char* name, const SettingValues& values, std::vector<Hint> hints) {
    const CompileOutcome outcome = compileNamed(name, values, std::move(hints));
    if (outcome.failure) qFatal("%s: %s", name, outcome.failure->error.primary().message.c_str());
    return *outcome.plan;
}

void dropHashes(Plan& plan) {
    plan.planHash.clear();
    plan.inputHash.clear();
}

}  // namespace memplan::test
