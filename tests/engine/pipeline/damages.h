// SPDX-License-Identifier: Apache-2.0
// Kinds of damage of a plan file: what is changed, in which of a few plans, and how the place is called in findings.
#pragma once

#include <nlohmann/json.hpp>

#include <functional>
#include <string>
#include <vector>

namespace memplan::test {

using Json = nlohmann::ordered_json;

/// The plans that are damaged.
enum class Subject {
    OneCore,   ///< softmax over axis 0 on one core: clone, slots taken over
    Cores,     ///< softmax over the last axis on four cores: slices
    Mismatch,  ///< softmax over axis 0 on 32 cores: buffers off chip for other slices, a pool
    Tiled,     ///< two operations in a nest of 2 x 4 iterations, slices asked for by hints
    Kernels,   ///< one core, every operation a kernel of its own: buffers stay on chip between kernels
    Searched,  ///< divisions found by a search
};

struct Damage {
    std::string name;
    Subject subject = Subject::OneCore;
    std::function<void(Json& plan)> apply;
    std::string place;        ///< some finding names it
    bool needsGraph = false;  ///< seen only where the file holds the graph
};

/// A change of a plan file that verify lets pass, and why it may.
struct FreeChange {
    std::string name;
    Subject subject = Subject::OneCore;
    std::function<void(Json& plan)> apply;
    std::string why;
};

/// Keys that a plan file may lack although they do not have their default, by their place (items of lists as *, names
/// of operations, loops and kernels as they are).
struct DeletionRule {
    const char* pattern = nullptr;  ///< regular expression
    const char* why = nullptr;
};

[[nodiscard]] Json& kernelOf(Json& plan, std::size_t position = 0);
[[nodiscard]] Json& estimateOf(Json& plan);
void raise(Json& value, std::int64_t by = 1);
void swapFirst(Json& list);
[[nodiscard]] Json& opOf(Json& plan, const std::string& id);
[[nodiscard]] Json& bufferOf(Json& plan, const std::string& name);
/// The OpSpec at this position among all of the plan, loops flattened.
[[nodiscard]] Json& specOf(Json& plan, std::size_t position);

[[nodiscard]] std::vector<Damage> allDamages();
[[nodiscard]] std::vector<FreeChange> freeChanges();
[[nodiscard]] std::vector<DeletionRule> deletionRules();

}  // namespace memplan::test
