// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/graph/scene/graph_arranger.h"

#include <algorithm>

namespace memplan::ui {
namespace {

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

}  // namespace

GraphArranger::GraphArranger(QObject* parent) : QObject(parent) {
    connect(&client_, &LayoutClient::finished, this, &GraphArranger::take);
    connect(&client_, &LayoutClient::failed, this, [this] {
        isPending_ = false;
        hasFailed_ = true;
        laidOut_.reset();
        emit noteChanged(tr("The layout failed, see the log; the boxes stand where they stood"));
        emit busyChanged();
    });
}

void GraphArranger::setPlan(PlanPtr plan) {
    if (source_.model && source_.model->plan == plan) return;
    seeds_.clear();
    grown_.clear();
    refusal_.reset();
    if (!plan) {
        client_.cancel();
        source_ = {};
        scene_.reset();
        emit sceneChanged();
        return;
    }
    const bool isFirst = !source_.model;
    const auto model = std::make_shared<const GraphModel>(buildGraphModel(std::move(plan), options_));
    source_.model = model;
    const std::vector<Grouping> useful = usefulGroupings(*model);
    const bool isGone = std::find(useful.begin(), useful.end(), grouping_) == useful.end();
    if (!hasChosenGrouping_ || isGone) grouping_ = openingGrouping(*model);
    page_ = -1;
    const std::set<std::string> before = open_;
    rebuildSource();
    open_ = openingGroups();
    if (!isFirst && !before.empty()) {
        // A recompile keeps what the user opened and closed.
        std::set<std::string> kept;
        for (const std::string& path : before)
            if (source_.tree->find(path) >= 0) kept.insert(path);
        if (!kept.empty()) open_ = kept;
    }
    arrange(LayoutPatience::Automatic);
    emit shapeChanged();
}

void GraphArranger::rebuildSource() {
    client_.cancel();  // a running layout is for boxes that are about to change their numbers
    isPending_ = false;
    const std::shared_ptr<const GraphModel> model = source_.model;
    std::vector<std::string> paths = groupPaths(*model, grouping_);
    isPaged_ = graphlayout::GroupTree::fromPaths(paths).openingDepth(kOpeningNodes) < 0;
    if (isPaged_) paths = graphlayout::pagedPaths(paths, kOpeningNodes);
    source_ = groupedGraph(model, paths);
}

std::set<std::string> GraphArranger::openingGroups() const {
    const int depth = std::max(0, source_.tree->openingDepth(kOpeningNodes));
    return graphlayout::openAtDepth(*source_.tree, depth);
}

bool GraphArranger::isAsOpened() const {
    return !hasChosenGrouping_ && !options_.showParameters && page_ < 0 && !isNeighbourMode() &&
           (!source_.tree || open_ == openingGroups());
}

void GraphArranger::setGrouping(Grouping grouping) {
    hasChosenGrouping_ = true;
    if (grouping == grouping_ || !source_.model) return;
    grouping_ = grouping;
    page_ = -1;
    leaveNeighbours();
    rebuildSource();
    open_ = openingGroups();
    arrange(LayoutPatience::Automatic);
    emit shapeChanged();
}

void GraphArranger::setDirection(graphlayout::Direction direction) {
    if (direction == direction_) return;
    direction_ = direction;
    if (source_.model) arrange(LayoutPatience::Automatic);
    emit shapeChanged();
}

void GraphArranger::setShowParameters(bool on) {
    if (on == options_.showParameters || !source_.model) return;
    options_.showParameters = on;
    const PlanPtr plan = source_.model->plan;
    source_.model = std::make_shared<const GraphModel>(buildGraphModel(plan, options_));
    seeds_.clear();
    page_ = -1;
    const std::set<std::string> before = open_;
    rebuildSource();
    open_ = openingGroups();
    if (!isPaged_ && !before.empty()) open_ = before;
    arrange(LayoutPatience::Automatic);
    emit shapeChanged();
}

bool GraphArranger::isOpen(int group) const {
    return open_.count(source_.tree->group(group).path) > 0;
}

void GraphArranger::setOpen(int group, bool open, bool alike) {
    std::vector<int> groups{group};
    if (alike && source_.alike[at(group)] >= 0) {
        groups.clear();
        for (std::size_t g = 0; g < source_.alike.size(); ++g)
            if (source_.alike[g] == source_.alike[at(group)]) groups.push_back(static_cast<int>(g));
    }
    for (const int g : groups) {
        const std::string& path = source_.tree->group(g).path;
        if (open)
            open_.insert(path);
        else
            open_.erase(path);
    }
    arrange(LayoutPatience::Automatic);
}

void GraphArranger::setOpenGroups(const std::set<std::string>& paths) {
    if (!source_.tree) return;
    std::set<std::string> known;
    for (const std::string& path : paths)
        if (source_.tree->find(path) >= 0) known.insert(path);
    if (known == open_) return;
    open_ = std::move(known);
    arrange(LayoutPatience::Automatic);
}

void GraphArranger::openToDepth(int depth) {
    if (!source_.tree) return;
    open_ = graphlayout::openAtDepth(*source_.tree, depth);
    arrange(LayoutPatience::Automatic);
}

void GraphArranger::openAll() {
    if (source_.tree) openToDepth(source_.tree->levels());
}

void GraphArranger::setPage(int group) {
    if (page_ == group) return;
    page_ = group;
    arrange(LayoutPatience::Automatic);
    emit shapeChanged();
}

void GraphArranger::showNeighbours(std::vector<int> modelNodes, int hops) {
    seeds_ = std::move(modelNodes);
    grown_.clear();
    hops_ = std::clamp(hops, 1, kMostHops);
    arrange(LayoutPatience::Automatic);
    emit shapeChanged();
}

void GraphArranger::setHops(int hops) {
    if (!isNeighbourMode() || hops == hops_) return;
    showNeighbours(seeds_, hops);
}

void GraphArranger::growAt(int modelNode) {
    grown_.push_back(modelNode);
    arrange(LayoutPatience::Automatic);
}

void GraphArranger::leaveNeighbours() {
    if (!isNeighbourMode()) return;
    seeds_.clear();
    grown_.clear();
    if (source_.model) arrange(LayoutPatience::Automatic);
    emit shapeChanged();
}

graphlayout::VisibleGraph GraphArranger::visible() const {
    graphlayout::VisibleRequest request;
    request.open = open_;
    request.page = page_;
    if (isNeighbourMode()) {
        request.page = -1;
        request.open = graphlayout::openAtDepth(*source_.tree, source_.tree->levels());
        request.keep = graphlayout::neighbourhood(source_.model->adjacency, seeds_, hops_);
        if (!grown_.empty()) {
            const graphlayout::NodeSet more = graphlayout::neighbourhood(source_.model->adjacency, grown_, 1);
            for (std::size_t i = 0; i < more.size(); ++i)
                request.keep[i] = static_cast<char>(request.keep[i] | more[i]);
        }
    }
    return graphlayout::visibleGraph(*source_.tree, source_.model->sourceEdges, request);
}

void GraphArranger::arrange(LayoutPatience patience) {
    refusal_.reset();
    graphlayout::VisibleGraph shown = visible();
    const int count = static_cast<int>(shown.nodes.size());
    if (patience == LayoutPatience::Automatic && count > mostNodes_) {
        refusal_ = Refusal{count, std::max(0, source_.tree->openingDepth(mostNodes_))};
        emit refused();
        return;
    }
    lastOpen_ = open_;
    laidOut_ = std::move(shown);
    isPending_ = true;
    hasFailed_ = false;
    client_.request(layoutRequest(*source_.model, *laidOut_, direction_), patience);
    emit busyChanged();
}

void GraphArranger::layOutAnyway() {
    arrange(LayoutPatience::Anyway);
}

void GraphArranger::setLimits(int mostNodes, int deadlineMs) {
    mostNodes_ = mostNodes;
    client_.setDeadlines(deadlineMs, LayoutClient::kAnywayMs);
}

void GraphArranger::dismissRefusal() {
    refusal_.reset();
    open_ = lastOpen_;
    emit shapeChanged();
}

void GraphArranger::cancelLayout() {
    client_.cancel();
    isPending_ = false;
    emit busyChanged();
}

void GraphArranger::take(const LayoutOutcome& outcome) {
    isPending_ = false;
    GraphScene scene = buildScene(source_, std::move(*laidOut_), outcome.result, direction_);
    laidOut_.reset();
    if (isNeighbourMode()) {
        graphlayout::NodeSet shown(source_.model->nodes.size(), 0);
        for (std::size_t i = 0; i < shown.size(); ++i)
            shown[i] = scene.visible.visibleOfNode[i] >= 0 ? 1 : 0;
        const auto hidden = graphlayout::hiddenNeighbours(source_.model->adjacency, shown);
        for (const graphlayout::VisibleNode& n : scene.visible.nodes)
            scene.stubs.push_back(hidden[at(n.node)]);
    }
    scene_ = std::make_shared<const GraphScene>(std::move(scene));
    emit sceneChanged();
    emit noteChanged(outcome.note);
    emit busyChanged();
}

}  // namespace memplan::ui
