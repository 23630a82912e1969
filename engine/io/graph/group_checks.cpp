// SPDX-License-Identifier: Apache-2.0
// Groups: membership, nesting and consecutive members (inputs-and-interchange 2.5).
#include "engine/base/text.h"
#include "engine/io/graph/graph_checks.h"

#include <algorithm>

namespace memplan::io {

namespace {

constexpr int kMaxDepth = 4;

/// Depth of a group, 1 for an outermost one; kMaxDepth + 1 for anything deeper or cyclic.
int depthOf(const Graph& g, GroupId id) {
    int depth = 0;
    for (; id.isValid() && depth <= kMaxDepth; id = g.groups[id.at()].parent)
        ++depth;
    return depth;
}

void checkNesting(const Graph& g, Diagnostics& findings) {
    for (std::size_t i = 0; i < g.groups.size(); ++i) {
        const GroupId parent = g.groups[i].parent;
        if (parent.isValid() && parent.at() >= g.groups.size()) {
            findings.error("MPG-205", pointerTo("groups", i, "parent"), "the parent is no group of this graph");
            return;
        }
    }
    for (std::size_t i = 0; i < g.groups.size(); ++i) {
        if (depthOf(g, GroupId::of(i)) <= kMaxDepth) continue;
        findings.error("MPG-205", pointerTo("groups", i, "parent"),
                       "group " + text::quoted(g.groups[i].id) +
                           " is nested deeper than 4 levels or is its own ancestor",
                       "flatten the groups");
    }
}

void checkMembers(const Graph& g, Diagnostics& findings) {
    std::vector<GroupId> listedBy(g.ops.size());
    for (std::size_t i = 0; i < g.groups.size(); ++i) {
        for (std::size_t k = 0; k < g.groups[i].ops.size(); ++k) {
            const GraphOpId op = g.groups[i].ops[k];
            const auto where = [i, k] { return pointerTo("groups", i, "ops", k); };
            if (!op.isValid() || op.at() >= g.ops.size()) {
                findings.error("MPG-205", where(),
                               "group " + text::quoted(g.groups[i].id) + " lists no op of this graph");
                continue;
            }
            if (listedBy[op.at()].isValid()) {
                findings.error("MPG-205", where(),
                               "op " + text::quoted(g.ops[op.at()].id) + " is listed twice or in two groups",
                               "an op is in at most one group");
            } else if (g.ops[op.at()].group.isValid() && g.ops[op.at()].group != GroupId::of(i)) {
                findings.error("MPG-205", where(),
                               "op " + text::quoted(g.ops[op.at()].id) + " names another group itself",
                               "an op is in at most one group");
            }
            listedBy[op.at()] = GroupId::of(i);
        }
    }
    for (std::size_t i = 0; i < g.ops.size(); ++i) {
        if (!g.ops[i].group.isValid() || listedBy[i].isValid()) continue;
        findings.error("MPG-205", pointerTo("ops", i, "group"),
                       "group " + text::quoted(g.groups[g.ops[i].group.at()].id) + " does not list op " +
                           text::quoted(g.ops[i].id),
                       "add the op to the group's ops");
    }
}

struct Extent {
    std::size_t first = SIZE_MAX, last = 0;
    std::size_t members = 0;  // views not counted
};

/// Between the first and the last member there may be nothing but members and views.
void checkConsecutive(const Graph& g, Diagnostics& findings) {
    std::vector<Extent> extents(g.groups.size());
    std::vector<std::size_t> before(g.ops.size() + 1, 0);  // ops that are no views, ahead of each position
    for (std::size_t i = 0; i < g.ops.size(); ++i) {
        const bool counts = g.ops[i].kind != OpKind::View;
        before[i + 1] = before[i] + (counts ? 1 : 0);
        if (!counts) continue;
        for (GroupId id = g.ops[i].group; id.isValid(); id = g.groups[id.at()].parent) {
            Extent& e = extents[id.at()];
            e.first = std::min(e.first, i);
            e.last = i;
            ++e.members;
        }
    }
    for (std::size_t i = 0; i < extents.size(); ++i) {
        const Extent& e = extents[i];
        if (e.members == 0 || before[e.last + 1] - before[e.first] == e.members) continue;
        findings.error("MPG-205", pointerTo("groups", i, "ops"),
                       "the members of group " + text::quoted(g.groups[i].id) +
                           " are not consecutive: " + std::to_string(before[e.last + 1] - before[e.first] - e.members) +
                           " other ops stand between " + text::quoted(g.ops[e.first].id) + " and " +
                           text::quoted(g.ops[e.last].id),
                       "move the members together or leave out the group");
    }
}

}  // namespace

void checkGroups(const Graph& graph, Diagnostics& findings) {
    Diagnostics own;
    checkNesting(graph, own);
    checkMembers(graph, own);
    if (!own.hasErrors()) checkConsecutive(graph, own);
    for (const Diagnostic& d : own.kept())
        findings.add(d);
}

}  // namespace memplan::io
