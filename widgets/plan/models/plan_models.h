// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of a plan: buffers, ops, problems, passes.
#pragma once

#include "widgets/plan/models/plan_table_model.h"

#include <functional>
#include <map>
#include <optional>

namespace memplan::ui {

class BufferModel final : public PlanTableModel {
    Q_OBJECT
public:
    enum Column { Name, Space, Producer, BytesPerCore, Address, Start, End, Slot, Reason, Saved, ColumnCount };
    explicit BufferModel(QObject* parent = nullptr);

protected:
    [[nodiscard]] int rows() const override;
    [[nodiscard]] TableCell cell(int row, int column) const override;
    [[nodiscard]] ItemId idOf(int row) const override { return {ItemKind::Buffer, row}; }
    [[nodiscard]] QString tooltipOf(int row, int column) const override;
    void planChanged() override;

private:
    [[nodiscard]] QString slotText(int row) const;
    std::vector<int> placement_;  ///< per buffer: index of its last placing decision, -1 = none
};

class OpModel final : public PlanTableModel {
    Q_OBJECT
public:
    enum Column { Step, Name, Space, Type, Kind, Group, Cores, Split, Read, Written, Span, ColumnCount };
    explicit OpModel(QObject* parent = nullptr);

protected:
    [[nodiscard]] int rows() const override;
    [[nodiscard]] TableCell cell(int row, int column) const override;
    [[nodiscard]] ItemId idOf(int row) const override { return {ItemKind::Op, row}; }
    [[nodiscard]] int nameColumn() const override { return Name; }
};

class ProblemModel final : public PlanTableModel {
    Q_OBJECT
public:
    enum Column { Severity, Code, Message, Item, Pass, Fix, ColumnCount };
    explicit ProblemModel(QObject* parent = nullptr);
    /// Whether the window can carry out a fix of a problem; asked once for each and plan.
    void setFixable(std::function<bool(int problem)> isFixable);
    /// Whether hints can be edited now: hintOf() has none where they cannot. They can while nobody is asked.
    void setHintsOffered(std::function<bool()> areOffered) { asksOffered_ = std::move(areOffered); }
    [[nodiscard]] bool isFixable(int problem) const;
    /// Findings that stand beside the plan, below its own, or alone: they have no item and no fix.
    void setBeside(std::vector<Diagnostic> findings);
    [[nodiscard]] const Diagnostic& problem(int row) const;
    [[nodiscard]] bool isBeside(int row) const;
    /// The hint in the plan's list that a problem is about; nothing for other problems.
    [[nodiscard]] std::optional<int> hintOf(int row) const;

protected:
    [[nodiscard]] int rows() const override;
    [[nodiscard]] int rowsWithoutPlan() const override { return static_cast<int>(beside_.size()); }
    [[nodiscard]] TableCell cell(int row, int column) const override;
    [[nodiscard]] ItemId idOf(int row) const override { return {ItemKind::Problem, isBeside(row) ? -1 : row}; }
    [[nodiscard]] QString tooltipOf(int row, int column) const override;

private:
    [[nodiscard]] std::size_t planned() const { return plan() ? plan()->problems.size() : 0; }

    std::vector<Diagnostic> beside_;
    std::function<bool(int)> asksFixable_;
    std::function<bool()> asksOffered_;
    mutable std::map<int, bool> fixable_;  ///< answers for `fixablePlan_`
    mutable PlanPtr fixablePlan_;
};

class PassModel final : public PlanTableModel {
    Q_OBJECT
public:
    enum Column { Number, Name, State, Milliseconds, Changes, Findings, ColumnCount };
    explicit PassModel(QObject* parent = nullptr);

protected:
    [[nodiscard]] int rows() const override;
    [[nodiscard]] TableCell cell(int row, int column) const override;
    [[nodiscard]] ItemId idOf(int row) const override { return {ItemKind::Pass, row}; }
};

/// The cut of an op as words: "batch 8, columns 4", "no split".
[[nodiscard]] QString splitText(const Plan& plan, OpId op);

}  // namespace memplan::ui
