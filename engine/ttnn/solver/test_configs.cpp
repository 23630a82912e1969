// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/solver/test_configs.h"

#include "engine/ttnn/chains/op_kinds.h"

#include <algorithm>
#include <map>
#include <utility>

namespace memplan::ttnn {
namespace {

/// Distinct attributes of some configurations in the order first seen, each with the configurations of all that have
/// them.
std::vector<TestConfig> byAttributes(std::span<const OpConfig> sharded, const std::vector<int>& among) {
    std::vector<TestConfig> tests;
    for (const int i : among) {
        const OpAttrs& attrs = sharded[static_cast<std::size_t>(i)].attrs;
        auto known = std::ranges::find_if(tests, [&](const TestConfig& test) { return test.config.attrs == attrs; });
        if (known == tests.end()) known = tests.insert(tests.end(), TestConfig{{std::nullopt, attrs}, {}});
        known->consumers.push_back(i);
    }
    return tests;
}

std::vector<int> allOf(std::span<const OpConfig> sharded) {
    std::vector<int> all;
    for (std::size_t i = 0; i < sharded.size(); ++i)
        all.push_back(static_cast<int>(i));
    return all;
}

/// One group for each buffer and memory layout; each is asked with its first layout, the grid left open.
std::vector<TestConfig> byMemLayout(std::span<const OpConfig> sharded) {
    std::map<std::pair<BufferType, std::optional<MemLayout>>, std::vector<int>> groups;
    for (std::size_t i = 0; i < sharded.size(); ++i)
        groups[{sharded[i].output->buffer, sharded[i].output->mem}].push_back(static_cast<int>(i));
    std::vector<TestConfig> tests;
    for (const auto& [key, members] : groups) {
        const Layout open = withoutGrid(*sharded[static_cast<std::size_t>(members.front())].output);
        for (TestConfig& test : byAttributes(sharded, members)) {
            test.config.output = open;
            tests.push_back(std::move(test));
        }
    }
    return tests;
}

}  // namespace

std::vector<TestConfig> testConfigs(const Operation& operation, std::span<const OpConfig> sharded) {
    if (isAskedWithoutGrid(operation)) return byMemLayout(sharded);
    if (!operation.is("d2m_subgraph")) return byAttributes(sharded, allOf(sharded));
    std::vector<TestConfig> tests;
    for (std::size_t i = 0; i < sharded.size(); ++i)
        tests.push_back({sharded[i], {static_cast<int>(i)}});
    return tests;
}

int matchingConfig(const TestConfig& test, std::span<const OpConfig> sharded, const Layout& actual) {
    const auto found = std::ranges::find_if(
        test.consumers, [&](int i) { return *sharded[static_cast<std::size_t>(i)].output == actual; });
    return found == test.consumers.end() ? -1 : *found;
}

Layout withoutGrid(Layout layout) {
    layout.ignorePhysicalLayout = true;
    layout.cores.reset();
    return layout;
}

}  // namespace memplan::ttnn
