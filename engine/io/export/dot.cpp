// SPDX-License-Identifier: Apache-2.0
#include "engine/base/text.h"
#include "engine/io/export/plan_export.h"

#include <algorithm>
#include <map>
#include <set>

namespace memplan::io {

namespace {

constexpr std::size_t kMostOps = 5'000;
constexpr const char* kOnChip = "#d9f2e3";
constexpr const char* kOffChip = "#f3e3d3";
constexpr const char* kInput = "#e8ecf2";

/// In quotes: backslash and quote escaped, line ends as \n, other control characters dropped.
std::string quoted(const std::string& s) {
    std::string out = "\"";
    for (const char c : s) {
        if (c == '\\' || c == '"') out += '\\';
        if (c == '\n') {
            out += "\\n";
        } else if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) {
            out += c;
        }
    }
    return out + "\"";
}

/// Lines of a label; the line end is written as an escape.
std::string label(const std::vector<std::string>& lines) {
    return quoted(text::join(lines, "\n"));
}

std::string tensorText(const PlanBuffer& b) {
    return std::string(dtypeName(b.dtype)) + " " + text::shapeText(b.shape);
}

class DotWriter {
public:
    explicit DotWriter(const Plan& plan) : p_(plan) {}

    DotText run() {
        DotText out;
        out.isCoarse = p_.ops.size() > kMostOps;
        text_ = "digraph " + quoted(p_.input.name.empty() ? "plan" : p_.input.name) + " {\n";
        text_ += "  rankdir=TB;\n  node [shape=box,fontname=\"Helvetica\"];\n";
        out.isCoarse ? coarse() : fine();
        out.text = text_ + "}\n";
        return out;
    }

private:
    // ---- operations --------------------------------------------------------------------------------------

    void fine() {
        std::map<std::string, std::vector<std::size_t>> clusters;
        for (std::size_t i = 0; i < p_.ops.size(); ++i)
            clusters[p_.ops[i].groupPath].push_back(i);
        int next = 0;
        for (const auto& [path, members] : clusters) {
            const std::string indent = path.empty() ? "  " : "    ";
            if (!path.empty()) {
                text_ += "  subgraph cluster_" + std::to_string(next++) + " {\n    label=" + quoted(path) + ";\n";
            }
            for (const std::size_t i : members)
                node(i, indent);
            if (!path.empty()) text_ += "  }\n";
        }
        edges();
    }

    void node(std::size_t i, const std::string& indent) {
        const PlanOp& op = p_.ops[i];
        const bool onChip = !op.outputs.empty() && std::all_of(op.outputs.begin(), op.outputs.end(), [&](BufferId id) {
            return id.isValid() && isOnChip(p_.buffer(id).space);
        });
        std::vector<std::string> lines{op.name, op.type};
        if (op.cores > 1) lines.push_back(std::to_string(op.cores) + " cores");
        for (const BufferId out : op.outputs) {
            if (!out.isValid()) continue;
            const PlanBuffer& b = p_.buffer(out);
            lines.push_back(std::string(spaceName(b.space)) + (b.address ? " at " + std::to_string(*b.address) : ""));
        }
        text_ += indent + "n" + std::to_string(i) + " [label=" + label(lines) + ",style=filled,fillcolor=\"" +
                 (onChip ? kOnChip : kOffChip) + "\"];\n";
    }

    void edges() {
        std::vector<int> writer(p_.buffers.size(), -1);
        std::set<BufferId> inputs;
        for (std::size_t i = 0; i < p_.ops.size(); ++i) {
            for (const BufferId in : p_.ops[i].inputs) {
                if (!in.isValid()) continue;
                const int from = writer[in.at()];
                if (from < 0) inputs.insert(in);
                edge(from < 0 ? "t" + std::to_string(in.index) : "n" + std::to_string(from), i, in);
            }
            for (const BufferId out : p_.ops[i].outputs) {
                if (out.isValid()) writer[out.at()] = static_cast<int>(i);
            }
        }
        for (const BufferId id : inputs) {
            text_ += "  t" + std::to_string(id.index) + " [shape=ellipse,label=" + quoted(p_.buffer(id).name) +
                     ",style=filled,fillcolor=\"" + std::string(kInput) + "\"];\n";
        }
    }

    void edge(const std::string& from, std::size_t to, BufferId buffer) {
        text_ +=
            "  " + from + " -> n" + std::to_string(to) + " [label=" + quoted(tensorText(p_.buffer(buffer))) + "];\n";
    }

    // ---- groups ------------------------------------------------------------------------------------------

    /// One node for each group; operations of none are one node together with their neighbours of none.
    void coarse() {
        std::vector<int> groupOf;
        std::vector<std::pair<std::string, int>> groups;
        std::map<std::string, int> known;
        for (const PlanOp& op : p_.ops) {
            const std::string top = op.groupPath.substr(0, op.groupPath.find('/'));
            const bool goesOn = !groups.empty() && groups.back().first == top;
            int at = static_cast<int>(groups.size()) - 1;
            if (top.empty() ? !goesOn : !known.contains(top)) {
                at = static_cast<int>(groups.size());
                groups.emplace_back(top, 0);
                if (!top.empty()) known.emplace(top, at);
            } else if (!top.empty()) {
                at = known.at(top);
            }
            groupOf.push_back(at);
            ++groups[static_cast<std::size_t>(at)].second;
        }
        for (std::size_t g = 0; g < groups.size(); ++g) {
            text_ += "  n" + std::to_string(g) + " [label=" +
                     label({groups[g].first.empty() ? "operations" : groups[g].first,
                            std::to_string(groups[g].second) + " operations"}) +
                     "];\n";
        }
        coarseEdges(groupOf);
    }

    void coarseEdges(const std::vector<int>& groupOf) {
        std::vector<int> writer(p_.buffers.size(), -1);
        std::map<std::pair<int, int>, int> tensors;
        for (std::size_t i = 0; i < p_.ops.size(); ++i) {
            for (const BufferId in : p_.ops[i].inputs) {
                const int from = in.isValid() ? writer[in.at()] : -1;
                if (from >= 0 && from != groupOf[i]) ++tensors[{from, groupOf[i]}];
            }
            for (const BufferId out : p_.ops[i].outputs) {
                if (out.isValid()) writer[out.at()] = groupOf[i];
            }
        }
        for (const auto& [ends, count] : tensors) {
            text_ += "  n" + std::to_string(ends.first) + " -> n" + std::to_string(ends.second) +
                     " [label=" + quoted(std::to_string(count) + (count == 1 ? " tensor" : " tensors")) + "];\n";
        }
    }

    const Plan& p_;
    std::string text_;
};

}  // namespace

DotText graphvizDot(const Plan& plan) {
    return DotWriter(plan).run();
}

}  // namespace memplan::io
