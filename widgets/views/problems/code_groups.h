// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of the problems table below a head for each code (user-experience 15.1): heads open and close and say how
// many problems stand below them. Without grouping it passes its source through.
#pragma once

#include "engine/base/diagnostic.h"
#include "widgets/plan/models/flat_proxy.h"

#include <array>
#include <set>
#include <vector>

namespace memplan::ui {

class CodeGroups final : public FlatProxyModel {
    Q_OBJECT
public:
    explicit CodeGroups(QObject* parent = nullptr);

    void setSourceModel(QAbstractItemModel* source) override;
    void setGrouped(bool on);
    [[nodiscard]] bool isGrouped() const { return isGrouped_; }
    /// Groups of closed codes stay closed when the source changes.
    void setOpen(const QString& code, bool open);
    void setAllOpen(bool open);
    /// The code whose head stands at the row; empty for a problem.
    [[nodiscard]] QString headAt(int row) const;
    [[nodiscard]] bool isOpen(const QString& code) const { return !closed_.contains(code); }
    [[nodiscard]] int headRow(const QString& code) const;  ///< -1 = none
    [[nodiscard]] int groupCount() const { return static_cast<int>(groups_.size()); }

    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

signals:
    void groupsChanged();

protected:
    [[nodiscard]] int rows() const override;
    [[nodiscard]] int sourceRow(int row) const override;
    [[nodiscard]] int rowOf(int sourceRow) const override;

private:
    struct Group {
        QString code;
        std::array<int, 3> counts{};  ///< errors, warnings, notes
        std::vector<int> rows;        ///< of the source, in its order
    };
    struct Row {
        int source = -1;  ///< -1: the head of the group
        int group = -1;
    };
    void findGroups();
    void layOut();
    [[nodiscard]] QVariant headData(const Group& group, int column, int role) const;

    bool isGrouped_ = false;
    std::set<QString> closed_;
    std::vector<Group> groups_;
    std::vector<Row> rows_;
    std::vector<int> proxyOf_;  ///< by source row, -1 = in a closed group
};

}  // namespace memplan::ui
