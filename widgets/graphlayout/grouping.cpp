// SPDX-License-Identifier: Apache-2.0
#include "widgets/graphlayout/grouping.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace memplan::graphlayout {
namespace {

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

std::vector<std::string_view> partsOf(std::string_view path) {
    std::vector<std::string_view> parts;
    while (!path.empty()) {
        const std::size_t cut = std::min(path.find('/'), path.size());
        if (cut > 0) parts.push_back(path.substr(0, cut));
        path.remove_prefix(std::min(cut + 1, path.size()));
    }
    return parts;
}

/// Structure of a group in one string: members' signatures and edges with members numbered from 0;
/// edges from or to outside count per member.
std::string structureOf(const std::vector<int>& members, const std::vector<std::string>& signatures,
                        const std::vector<std::vector<int>>& out, const std::vector<int>& indegree) {
    std::map<int, int> local;
    for (const int m : members)
        local.emplace(m, static_cast<int>(local.size()));
    std::string text;
    std::vector<int> inside(members.size(), 0);
    for (const int m : members) {
        text += signatures[at(m)] + '\x1f';
        int outside = 0;
        std::vector<int> targets;
        for (const int to : out[at(m)]) {
            const auto it = local.find(to);
            if (it == local.end()) {
                ++outside;
                continue;
            }
            targets.push_back(it->second);
            ++inside[at(it->second)];
        }
        std::sort(targets.begin(), targets.end());
        for (const int t : targets)
            text += std::to_string(t) + ',';
        text += '+' + std::to_string(outside > 0 ? 1 : 0) + '\x1e';
    }
    for (std::size_t i = 0; i < members.size(); ++i)
        text += std::to_string(indegree[at(members[i])] - inside[i]) + ';';
    return text;
}

}  // namespace

GroupTree GroupTree::fromPaths(const std::vector<std::string>& paths) {
    GroupTree tree;
    std::map<std::string, int, std::less<>> known;
    for (std::size_t node = 0; node < paths.size(); ++node) {
        int group = -1;
        std::string path;
        for (const std::string_view part : partsOf(paths[node])) {
            path += (path.empty() ? "" : "/") + std::string(part);
            const auto [it, isNew] = known.try_emplace(path, static_cast<int>(tree.groups_.size()));
            if (isNew) {
                Group g;
                g.name = part;
                g.path = path;
                g.parent = group;
                g.depth = group < 0 ? 0 : tree.group(group).depth + 1;
                g.firstNode = static_cast<int>(node);
                tree.groups_.push_back(g);
                if (group >= 0) tree.groups_[at(group)].groups.push_back(it->second);
            }
            group = it->second;
            ++tree.groups_[at(group)].memberCount;
        }
        tree.groupOfNode_.push_back(group);
        if (group >= 0) tree.groups_[at(group)].nodes.push_back(static_cast<int>(node));
    }
    return tree;
}

int GroupTree::find(std::string_view path) const {
    for (std::size_t i = 0; i < groups_.size(); ++i)
        if (groups_[i].path == path) return static_cast<int>(i);
    return -1;
}

std::vector<int> GroupTree::membersOf(int group) const {
    std::vector<int> members;
    if (group < 0) {
        for (int i = 0; i < nodeCount(); ++i)
            members.push_back(i);
        return members;
    }
    std::vector<int> open{group};
    while (!open.empty()) {
        const Group& g = groups_[at(open.back())];
        open.pop_back();
        members.insert(members.end(), g.nodes.begin(), g.nodes.end());
        open.insert(open.end(), g.groups.begin(), g.groups.end());
    }
    std::sort(members.begin(), members.end());
    return members;
}

int GroupTree::levels() const {
    int levels = 0;
    for (const Group& g : groups_)
        levels = std::max(levels, g.depth + 1);
    return levels;
}

int GroupTree::visibleAtDepth(int depth) const {
    int count = 0;
    for (const Group& g : groups_)
        count += g.depth == depth ? 1 : 0;
    for (const int g : groupOfNode_)
        count += g < 0 || group(g).depth < depth ? 1 : 0;
    return count;
}

int GroupTree::openingDepth(int limit) const {
    for (int depth = levels(); depth >= 0; --depth)
        if (visibleAtDepth(depth) <= limit) return depth;
    return -1;
}

std::vector<std::string> pagedPaths(const std::vector<std::string>& paths, int limit) {
    const int count = static_cast<int>(paths.size());
    const int page = std::max(64, (count + limit - 1) / std::max(1, limit));
    std::vector<std::string> paged;
    paged.reserve(paths.size());
    for (int i = 0; i < count; ++i) {
        const int first = i / page * page, last = std::min(count, first + page) - 1;
        const std::string head = "steps " + std::to_string(first) + "\u2013" + std::to_string(last);
        paged.push_back(paths[at(i)].empty() ? head : head + '/' + paths[at(i)]);
    }
    return paged;
}

std::vector<int> alikeClasses(const GroupTree& tree, const std::vector<std::string>& signatures,
                              const std::vector<SourceEdge>& edges) {
    std::vector<std::vector<int>> out(at(tree.nodeCount()));
    std::vector<int> indegree(at(tree.nodeCount()), 0);
    for (const SourceEdge& e : edges) {
        out[at(e.from)].push_back(e.to);
        ++indegree[at(e.to)];
    }
    std::map<std::string, std::vector<int>> byStructure;
    for (std::size_t g = 0; g < tree.groups().size(); ++g)
        byStructure[structureOf(tree.membersOf(static_cast<int>(g)), signatures, out, indegree)].push_back(
            static_cast<int>(g));
    std::vector<int> classes(tree.groups().size(), -1);
    for (const auto& [structure, members] : byStructure) {
        // A lone inner group has the members of its parent; that does not make the two alike.
        std::map<int, std::vector<int>> byDepth;
        for (const int g : members)
            byDepth[tree.group(g).depth].push_back(g);
        for (const auto& [depth, same] : byDepth)
            for (const int g : same)
                if (same.size() > 1) classes[at(g)] = same.front();
    }
    return classes;
}

int alikeCount(const std::vector<int>& classes, int group) {
    const int wanted = classes[at(group)];
    if (wanted < 0) return 1;
    return static_cast<int>(std::count(classes.begin(), classes.end(), wanted));
}

}  // namespace memplan::graphlayout
