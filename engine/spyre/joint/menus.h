// SPDX-License-Identifier: Apache-2.0
// Menus of core divisions that the joint searches choose from (spyre-cost-and-co-optimisation 11).
#pragma once

#include "engine/spyre/division/core_view.h"
#include "engine/spyre/division/iteration_space.h"

#include <map>
#include <string>
#include <vector>

namespace memplan::spyre::joint {

struct MenuRule {
    std::int64_t cores = 32;
    Bytes spanLimit = 65535LL * 4096;
    Splits pinned;              ///< per loop, 0 = free
    std::vector<bool> blocked;  ///< per loop, true = never split
};

/// Factors that a loop may take: ascending divisors of its sticks or extent (11.1).
[[nodiscard]] std::vector<std::vector<std::int64_t>> factorDomains(const Op& op, const IterationSpace& space,
                                                                   const MenuRule& rule);
/// Conditions 1 to 4 of 11.1.
[[nodiscard]] bool isLegalDivision(const IterationSpace& space, const Splits& splits, const MenuRule& rule);

/// 11.1, in enumeration order, the last loop fastest, divisions that encode alike once. Ends early with what it has
/// at `limit` entries (0 = none).
[[nodiscard]] std::vector<Splits> fullMenu(const Op& op, const IterationSpace& space, const MenuRule& rule,
                                           std::size_t limit = 0);

/// 11.3: each loop in order, each other factor of its domain ascending, if legal.
[[nodiscard]] std::vector<Splits> neighbours(const Op& op, const IterationSpace& space, const Splits& at,
                                             const MenuRule& rule);

/// Factor of each role of a multiply's axes (11.2).
using RoleFactors = std::map<char, std::int64_t>;

/// An operation of the graph for the pruned menus.
struct PrunedOp {
    const Op* op = nullptr;
    const IterationSpace* space = nullptr;
    Splits splits;  ///< committed
};

struct PrunedMenus {
    std::vector<std::vector<SplitEncoding>> menus;  ///< parallel to the ops, committed division first
    std::vector<SplitEncoding> bases;               ///< output divisions of multiplies
    std::vector<RoleFactors> roles;                 ///< per multiply with a committed split
};

/// 11.2 for all operations of a graph.
[[nodiscard]] PrunedMenus prunedMenus(const std::vector<PrunedOp>& ops, std::int64_t cores, std::size_t cap = 6);

/// `s<var>/<n>` per output factor, `~s<var>/<n>` per reduction factor, `whole` when nothing is split.
[[nodiscard]] std::string divisionLabel(const Op& op, const Splits& splits);

}  // namespace memplan::spyre::joint
