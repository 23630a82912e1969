// SPDX-License-Identifier: GPL-3.0-or-later
// Outline dock: groups, counted loops and the buffers made in them as a tree with a filter (UX 3.2). Bound
// to the one selection.
#pragma once

#include "engine/plan/plan.h"
#include "widgets/plan/selection_hub.h"

#include <QAbstractItemModel>
#include <QWidget>

#include <map>
#include <vector>

class QLineEdit;
class QTreeView;
class QSortFilterProxyModel;

namespace memplan::ui {

/// Flat storage of the tree: a node per group level, a leaf per buffer with its writer's name where that differs, and a
/// leaf per operation that writes none. Leaves carry the id of what they stand for.
class OutlineModel final : public QAbstractItemModel {
    Q_OBJECT
public:
    using QAbstractItemModel::QAbstractItemModel;
    static constexpr int kNamesRole = Qt::UserRole + 100;  ///< all names of a row, whole: what the filter looks at
    void setPlan(PlanPtr plan);
    void setHub(SelectionHub* hub) { hub_ = hub; }  ///< knows which buffers have notes

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QModelIndex indexOf(BufferId id) const;
    [[nodiscard]] QModelIndex indexOf(OpId id) const;       ///< of its first output, or its own row
    [[nodiscard]] QModelIndex indexOfLoop(int loop) const;  ///< its first row: a loop across groups has several

private:
    struct Node {
        QString text;
        int parent = -1;
        int row = 0;
        BufferId buffer;  ///< leaf
        OpId op;          ///< leaf of an operation without outputs
        [[nodiscard]] bool isLeaf() const { return buffer.isValid() || op.isValid(); }
        int loop = -1;  ///< the row is this loop, an index of SelectionHub::loops()
        std::vector<int> children;
        int leaves = 0;
    };
    int child(int parent, const QString& name, int loop = -1);
    int loopRow(int parent, const LoopGroups& loops, int loop);
    [[nodiscard]] static QString groupWithoutWriter(BufferRole role);
    int groupOf(const LoopGroups& loops, OpId op);
    int addLeaf(int parent, const QString& text);
    void addOpsWithoutOutputs(const LoopGroups& loops);
    [[nodiscard]] QModelIndex leafIndex(int leaf) const;
    [[nodiscard]] QString leafText(BufferId id) const;
    [[nodiscard]] QString namesOf(const Node& node) const;

    PlanPtr plan_;
    SelectionHub* hub_ = nullptr;
    std::vector<Node> nodes_;
    std::vector<int> leafOf_, rowOfLoop_;
    std::map<OpId, int> leafOfOp_;  ///< of those without outputs
};

class Outline final : public QWidget {
    Q_OBJECT
public:
    explicit Outline(QWidget* parent = nullptr);
    /// Shows the plan of the hub, whatever that is.
    void setHub(SelectionHub* hub);

private:
    void setPlan(PlanPtr plan);
    void showSelection();
    void sizeCounts();
    [[nodiscard]] std::vector<ItemId> itemsBelow(const QModelIndex& group) const;

    OutlineModel model_;
    QSortFilterProxyModel* filtered_;
    QTreeView* tree_;
    SelectionHub* hub_ = nullptr;
    bool following_ = false;  ///< the tree follows the selection
    bool choosing_ = false;   ///< the selection follows the tree
};

}  // namespace memplan::ui
