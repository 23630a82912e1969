// SPDX-License-Identifier: GPL-3.0-or-later
// The table of a race (user-experience 12.3): one row for each solver, filled as they finish; the best value of each
// column is set in strong type.
#pragma once

#include "engine/plan/plan.h"
#include "widgets/plan/marks/badge.h"

#include <QAbstractTableModel>

#include <vector>

namespace memplan::ui {

struct RaceRow {
    enum class State { Waiting, Running, Done, Failed, Cancelled };
    QString solver;  ///< name of settings.md 5
    QString value;   ///< of the setting that chooses it
    State state = State::Waiting;
    QString step;         ///< what it does now, while it runs
    double progress = 0;  ///< 0..1, while it runs; 0 = not known
    double seconds = 0;   ///< wall clock, when done
    PlanPtr plan;         ///< when done
    QString error;        ///< when it failed
};

/// What plans of a machine are compared in; less is better.
struct RaceFigure {
    QString title;
    double (*value)(const Plan& plan) = nullptr;
};

class RaceModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Solver, OnChip, BytesOnChip, Traffic, Peak, Fragmentation, Time, State, ColumnCount };
    static constexpr int ProgressRole = Qt::UserRole + 90;  ///< 0..1 in column OnChip of a running row

    using QAbstractTableModel::QAbstractTableModel;
    void setRows(std::vector<RaceRow> rows);
    void setRow(int index, RaceRow row);
    [[nodiscard]] const RaceRow& row(int index) const { return rows_[static_cast<std::size_t>(index)]; }
    [[nodiscard]] int doneCount() const;
    /// A list of buffers is placed in one memory, without cores or chips.
    void setIsList(bool on);
    /// In place of bytes on chip and traffic, in columns from OnChip on; at most five, empty for those.
    void setFigures(std::vector<RaceFigure> figures);
    [[nodiscard]] const std::vector<RaceFigure>& figures() const { return figures_; }
    /// Columns between solver and time that show nothing.
    [[nodiscard]] bool isEmptyColumn(int column) const;
    /// Hash of the plan on screen: its row is marked.
    void setCurrentHash(const std::string& hash);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] std::optional<double> figure(const RaceRow& row, int column) const;
    [[nodiscard]] bool isBest(int index, int column) const;
    [[nodiscard]] QString text(const RaceRow& row, int column) const;

    std::vector<RaceRow> rows_;
    std::string current_;
    bool isList_ = false;
    std::vector<RaceFigure> figures_;

    /// The figure of the machine in this column; null for a common one.
    [[nodiscard]] const RaceFigure* figureAt(int column) const;
};

}  // namespace memplan::ui
