// SPDX-License-Identifier: GPL-3.0-or-later
// The hints of a document as a table (user-experience 11.2). The list itself belongs to the document: edits go out as
// a new list with the text of the undo step and come back through setHints().
#pragma once

#include "widgets/plan/marks/badge.h"
#include "widgets/tools/hints/editor/hint_context.h"

#include <QAbstractTableModel>

#include <vector>

namespace memplan::ui {

class HintModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { On, Subject, Kind, Value, State, Reason, Comment, ColumnCount };

    struct Row {
        Hint hint;
        bool isFixed = false;  ///< stands in the graph file: shown, not editable
        std::string state;     ///< of hints.md 3, or `pending`
        std::string reason;    ///< of the state, may be empty
        QString effect;        ///< what it changed where it is applied and a plan without it is known
        bool isGone = false;   ///< a subject does not exist in the document (any more)
    };

    explicit HintModel(HintContext& context, QObject* parent = nullptr);

    /// `fixed` come first in a compile (hints.md 1); states are those of the plan in the context.
    void setHints(std::vector<Hint> fixed, std::vector<Hint> own);
    void refreshStates();
    /// The other plans of the document: beside one without a hint stands what the hint changed.
    void setOtherPlans(std::vector<PlanPtr> plans);
    void unitsChanged();  ///< of the context: values are written anew
    [[nodiscard]] const std::vector<Hint>& own() const { return own_; }
    [[nodiscard]] const Row& row(int index) const { return rows_[static_cast<std::size_t>(index)]; }
    /// Row of the hint that stands at this place in the list of the plan on screen; -1: changed or removed since.
    [[nodiscard]] int rowOfPlanHint(int index) const;
    [[nodiscard]] int fixedCount() const { return fixed_; }
    /// "1 impossible, 1 not compiled yet"; "all applied", empty without hints.
    [[nodiscard]] QString summary() const;
    /// Rows may be dragged only in list order.
    void setReorderable(bool on) { reorderable_ = on; }
    /// Ids of the selected items of the document: their rows are set in strong type.
    void setMarked(const std::vector<std::string>& scopes);

    // Edits of rows, given as rows of this model; fixed rows are passed over. All come out of edited().
    void remove(const std::vector<int>& rows);
    void duplicate(const std::vector<int>& rows);
    void setEnabled(const std::vector<int>& rows, bool on);
    void move(const std::vector<int>& rows, int before);  ///< row that follows afterwards, rowCount() = to the end

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
    [[nodiscard]] QStringList mimeTypes() const override;
    [[nodiscard]] QMimeData* mimeData(const QModelIndexList& indexes) const override;
    bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                      const QModelIndex& parent) override;

signals:
    /// The whole list of the user's hints as it should be, and what the undo history calls the step.
    void edited(const QString& text, const std::vector<memplan::Hint>& hints, const QString& mergeKey);

private:
    void findStates();
    [[nodiscard]] std::vector<std::size_t> ownPositions(const std::vector<int>& rows) const;
    [[nodiscard]] QString cellText(const Row& row, int column) const;
    [[nodiscard]] int kindRank(const Row& row) const;
    [[nodiscard]] QString tooltip(const Row& row, int column) const;
    [[nodiscard]] QString stepText(const std::vector<std::size_t>& positions, const QString& one,
                                   const QString& many) const;

    HintContext& context_;
    std::vector<Hint> own_;
    std::vector<Row> rows_;
    std::vector<PlanPtr> others_;
    std::vector<std::string> marked_;
    int fixed_ = 0;
    bool reorderable_ = true;
};

}  // namespace memplan::ui
