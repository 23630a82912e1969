// SPDX-License-Identifier: Apache-2.0
// Linear programs of the selection: variables between 0 and 1, rows "at most", bounds that change from node to node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace memplan::solve {

/// Maximises gain * x under rows coefficient * x <= limit and low <= x <= high by the dual simplex method on a dense
/// tableau, with the long step that carries variables from one bound to the other. Bounds may change and rows may be
/// added between calls of solve(), which goes on from where it stands. Small programs only: rows times variables.
class PackingLp {
public:
    struct Term {
        int variable = 0;
        double coefficient = 0.0;
    };
    enum class End { Optimal, Infeasible, PivotLimit };

    /// Gains are best scaled to about 1. The search follows `steering`, which may differ a little from them to choose
    /// among optima; bound() counts the gains alone.
    PackingLp(std::vector<double> gains, std::vector<double> steering);

    void addRow(const std::vector<Term>& terms, double limit);
    void setBounds(int variable, double low, double high);
    End solve(std::int64_t maxPivots);

    [[nodiscard]] std::size_t variables() const { return gains_.size(); }
    [[nodiscard]] std::size_t rows() const { return limits_.size(); }
    [[nodiscard]] double value(int variable) const { return x_[static_cast<std::size_t>(variable)]; }
    [[nodiscard]] double low(int variable) const { return low_[static_cast<std::size_t>(variable)]; }
    [[nodiscard]] double high(int variable) const { return high_[static_cast<std::size_t>(variable)]; }
    [[nodiscard]] std::int64_t pivots() const { return pivots_; }

    /// No x within the bounds gains more. Computed from the rows as given and the dual prices alone, so that it does
    /// not inherit the rounding of the tableau; any state of the tableau gives a bound. Sets reducedGain().
    double bound();
    /// Gain per unit of the variable after the prices of its rows, as of the last bound().
    [[nodiscard]] double reducedGain(int variable) const { return reduced_[static_cast<std::size_t>(variable)]; }
    /// Estimates what raising or lowering a variable strictly between its bounds to a whole number would cost at least.
    struct Penalty {
        double down = 0.0;
        double up = 0.0;
    };
    [[nodiscard]] Penalty penalty(int variable) const;

private:
    static constexpr int kNoRow = -1;

    struct Candidate {
        double ratio = 0.0;
        double strength = 0.0;
        int column = 0;
    };

    [[nodiscard]] double* row(std::size_t r) { return tableau_.data() + r * gains_.size(); }
    [[nodiscard]] const double* row(std::size_t r) const { return tableau_.data() + r * gains_.size(); }
    [[nodiscard]] int leavingRow() const;
    [[nodiscard]] bool findEntering(std::size_t r, double direction, double missing, std::size_t& entering);
    void moveNonbasic(std::size_t column, double to);
    void pivot(std::size_t r, std::size_t column, double target);
    void placeAtBound(std::size_t column);
    void rebuild();
    void refreshValues();

    std::vector<double> gains_, steering_;
    std::vector<std::vector<Term>> terms_;  ///< rows as given
    std::vector<double> limits_;
    std::vector<double> low_, high_, x_;  ///< per variable, then per slack
    std::vector<double> tableau_;         ///< rows() x variables(): basic + sum tableau * nonbasic is constant
    std::vector<double> weight_;          ///< per row: 1 + square of its length
    std::vector<double> price_;           ///< per column: what the objective gains per unit of the nonbasic variable
    std::vector<int> basic_;              ///< per row
    std::vector<int> nonbasic_;           ///< per column
    std::vector<int> place_;              ///< per variable and slack: its column, or -1 - its row
    std::vector<double> reduced_;
    std::vector<double> dual_;
    std::vector<Candidate> candidates_;
    std::vector<int> support_;  ///< columns of the pivot row that are not zero
    std::int64_t pivots_ = 0;
    std::int64_t sinceRebuild_ = 0;
};

}  // namespace memplan::solve
