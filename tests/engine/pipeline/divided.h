// SPDX-License-Identifier: Apache-2.0
// The state of a compile in front of a pass, for tests that look at one search alone.
#pragma once

#include "engine/spyre/compile/pipeline.h"
#include "tests/support/compile_support.h"

#include <QtDebug>

#include <string_view>
#include <utility>

namespace memplan::test {

/// Runs every pass that the settings switch on, up to the first whose id starts with `before`.
struct StateBefore {
    Settings settings;
    SpyreMachine machine;
    RunControl control;
    spyre::State state;

    StateBefore(const Graph& graph, const Pairs& pairs, std::string_view before)
        : settings(Settings::fromPairs(pairs).value()) {
        state.graph = std::make_shared<Graph>(graph);
        for (const spyre::Pass& pass : spyre::pipeline()) {
            if (pass.run == nullptr) continue;
            if (pass.info.id.starts_with(before)) break;
            const bool on = pass.info.switchKey.empty() || settings.boolean(pass.info.switchKey);
            spyre::PassContext context(pass.info.id, settings, machine, {}, control);
            if (on && !pass.run(state, context).ok()) qFatal("pass failed");
        }
    }

    [[nodiscard]] spyre::PassContext context(std::string_view id = "test") const {
        return {id, settings, machine, {}, control};
    }
    [[nodiscard]] std::size_t op(const std::string& name) const {
        for (std::size_t i = 0; i < state.program.ops.size(); ++i) {
            if (state.program.ops[i].name == name) return i;
        }
        qFatal("no such op");
    }
};

}  // namespace memplan::test
