// SPDX-License-Identifier: GPL-3.0-or-later
// Which part of the graph is shown and where: grouping, open groups, neighbour mode, direction; asks
// the layout client and hands out finished scenes (user-experience 5.2 to 5.6). No painting.
#pragma once

#include "widgets/views/graph/scene/graph_scene.h"
#include "widgets/views/graph/scene/layout_client.h"

#include <QObject>

#include <optional>
#include <set>

namespace memplan::ui {

class GraphArranger : public QObject {
    Q_OBJECT
public:
    static constexpr int kOpeningNodes = 250;  ///< 5.3
    static constexpr int kMostNodes = 500;     ///< 5.4
    static constexpr int kMostHops = 5;

    explicit GraphArranger(QObject* parent = nullptr);

    void setPlan(PlanPtr plan);
    [[nodiscard]] const GraphScenePtr& scene() const { return scene_; }
    [[nodiscard]] const GroupedGraph& source() const { return source_; }
    [[nodiscard]] LayoutClient& client() { return client_; }
    [[nodiscard]] bool isBusy() const { return client_.isRunning() || isPending_; }
    /// The last layout ended with a fault: none comes.
    [[nodiscard]] bool hasFailed() const { return hasFailed_; }
    /// Shows what it opened with: the user chose neither groups nor a part. The direction does not count.
    [[nodiscard]] bool isAsOpened() const;

    [[nodiscard]] Grouping grouping() const { return grouping_; }
    [[nodiscard]] bool isPaged() const { return isPaged_; }  ///< groups of consecutive steps were added
    void setGrouping(Grouping grouping);
    /// False while the grouping is the one that fits the plan best.
    [[nodiscard]] bool hasChosenGrouping() const { return hasChosenGrouping_; }
    [[nodiscard]] graphlayout::Direction direction() const { return direction_; }
    void setDirection(graphlayout::Direction direction);
    [[nodiscard]] bool showParameters() const { return options_.showParameters; }
    void setShowParameters(bool on);

    [[nodiscard]] bool isOpen(int group) const;
    /// Opens or closes a group; with `alike` all groups that are like it.
    void setOpen(int group, bool open, bool alike);
    /// Opens these groups and closes the others, in one layout; paths that are not there are passed over.
    void setOpenGroups(const std::set<std::string>& paths);
    void openToDepth(int depth);
    void openAll();
    void closeAll() { openToDepth(0); }
    /// Shows the inside of one group only; -1 = everything. Breadcrumb: page and its ancestors.
    void setPage(int group);
    [[nodiscard]] int page() const { return page_; }

    [[nodiscard]] bool isNeighbourMode() const { return !seeds_.empty(); }
    [[nodiscard]] int hops() const { return hops_; }
    void showNeighbours(std::vector<int> modelNodes, int hops);
    void setHops(int hops);
    void growAt(int modelNode);  ///< a "+n" stub: the node's own neighbours join
    void leaveNeighbours();

    /// The change that was refused for its size.
    struct Refusal {
        int nodes = 0;
        int depth = 0;  ///< depth that can be shown
    };
    [[nodiscard]] std::optional<Refusal> refusal() const { return refusal_; }
    void layOutAnyway();
    /// Nodes that are laid out without asking, and time of an automatic layout in ms.
    void setLimits(int mostNodes, int deadlineMs);
    void dismissRefusal();
    void cancelLayout();

signals:
    void sceneChanged();  ///< scene() is new
    void busyChanged();
    void noteChanged(const QString& note);  ///< why the built-in layout was used; empty = dot did it
    void refused();                         ///< refusal() is set
    void shapeChanged();                    ///< grouping, mode or page changed (view bar)

private:
    void rebuildSource();
    [[nodiscard]] std::set<std::string> openingGroups() const;
    void arrange(LayoutPatience patience);
    [[nodiscard]] graphlayout::VisibleGraph visible() const;
    void take(const LayoutOutcome& outcome);

    LayoutClient client_;
    int mostNodes_ = kMostNodes;
    GraphOptions options_;
    GroupedGraph source_;
    GraphScenePtr scene_;
    Grouping grouping_ = Grouping::None;
    bool hasChosenGrouping_ = false;
    bool isPaged_ = false;
    graphlayout::Direction direction_ = graphlayout::Direction::TopToBottom;
    std::set<std::string> open_;
    std::set<std::string> lastOpen_;  ///< open groups of the scene on screen
    int page_ = -1;
    std::vector<int> seeds_;
    std::vector<int> grown_;
    int hops_ = 1;
    std::optional<Refusal> refusal_;
    std::optional<graphlayout::VisibleGraph> laidOut_;  ///< what the running layout is for
    bool isPending_ = false;
    bool hasFailed_ = false;
};

}  // namespace memplan::ui
