// SPDX-License-Identifier: Apache-2.0
#include "engine/solve/exact/packing_lp.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace memplan::solve {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kFeasible = 1e-9;  // a value this far outside its bounds is inside
constexpr double kNothing = 1e-11;  // a tableau entry this small is rounding
constexpr double kPivot = 1e-8;     // smallest entry to divide by
constexpr std::int64_t kRebuildAfter = 3'000;

std::size_t at(int k) {
    return static_cast<std::size_t>(k);
}

/// Four sums at a time: one alone would wait for each addition.
double squaredLength(const double* entries, std::size_t count) {
    std::array<double, 4> sums{};
    std::size_t j = 0;
    for (; j + 4 <= count; j += 4) {
        for (std::size_t k = 0; k < 4; ++k)
            sums[k] += entries[j + k] * entries[j + k];
    }
    for (; j < count; ++j)
        sums[0] += entries[j] * entries[j];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace

PackingLp::PackingLp(std::vector<double> gains, std::vector<double> steering)
    : gains_(std::move(gains)), steering_(std::move(steering)) {
    const std::size_t n = gains_.size();
    low_.assign(n, 0.0);
    high_.assign(n, 1.0);
    x_.assign(n, 0.0);
    price_ = steering_;
    reduced_ = gains_;
    for (std::size_t v = 0; v < n; ++v) {
        nonbasic_.push_back(static_cast<int>(v));
        place_.push_back(static_cast<int>(v));
        placeAtBound(v);
    }
}

/// A nonbasic variable stands at the bound that its price asks for.
void PackingLp::placeAtBound(std::size_t column) {
    const std::size_t v = at(nonbasic_[column]);
    moveNonbasic(column, price_[column] > 0.0 && high_[v] < kInfinite ? high_[v] : low_[v]);
}

void PackingLp::moveNonbasic(std::size_t column, double to) {
    const std::size_t v = at(nonbasic_[column]);
    const double change = to - x_[v];
    if (change == 0.0) return;
    x_[v] = to;
    for (std::size_t r = 0; r < basic_.size(); ++r)
        x_[at(basic_[r])] -= row(r)[column] * change;
}

void PackingLp::addRow(const std::vector<Term>& terms, double limit) {
    const std::size_t n = gains_.size();
    terms_.push_back(terms);
    limits_.push_back(limit);
    tableau_.resize(tableau_.size() + n, 0.0);
    double* added = row(basic_.size());
    double slack = limit;
    for (const Term& term : terms) {
        slack -= term.coefficient * x_[at(term.variable)];
        const int place = place_[at(term.variable)];
        if (place >= 0) {
            added[place] += term.coefficient;
            continue;
        }
        const double* of = row(at(-1 - place));
        for (std::size_t j = 0; j < n; ++j)
            added[j] -= term.coefficient * of[j];
    }
    weight_.push_back(1.0 + squaredLength(added, n));
    place_.push_back(-1 - static_cast<int>(basic_.size()));
    basic_.push_back(static_cast<int>(low_.size()));
    low_.push_back(0.0);
    high_.push_back(kInfinite);
    x_.push_back(slack);
}

void PackingLp::setBounds(int variable, double low, double high) {
    if (low_[at(variable)] == low && high_[at(variable)] == high) return;
    low_[at(variable)] = low;
    high_[at(variable)] = high;
    if (place_[at(variable)] >= 0) placeAtBound(at(place_[at(variable)]));
}

PackingLp::End PackingLp::solve(std::int64_t maxPivots) {
    for (std::int64_t k = 0; k < maxPivots; ++k) {
        if (sinceRebuild_ >= kRebuildAfter) rebuild();
        const int r = leavingRow();
        if (r == kNoRow) return End::Optimal;
        const std::size_t v = at(basic_[at(r)]);
        const bool isBelow = x_[v] < low_[v];
        const double target = isBelow ? low_[v] : high_[v];
        std::size_t entering = 0;
        if (!findEntering(at(r), isBelow ? 1.0 : -1.0, std::abs(x_[v] - target), entering)) return End::Infeasible;
        pivot(at(r), entering, target);
    }
    return End::PivotLimit;
}

/// The row farthest outside its bounds, measured along the nonbasic variables.
int PackingLp::leavingRow() const {
    int worst = kNoRow;
    double most = 0.0;
    for (std::size_t r = 0; r < basic_.size(); ++r) {
        const std::size_t v = at(basic_[r]);
        const double outside = std::max(low_[v] - x_[v], x_[v] - high_[v]);
        if (outside <= kFeasible || outside * outside <= most * weight_[r]) continue;
        most = outside * outside / weight_[r];
        worst = static_cast<int>(r);
    }
    return worst;
}

/// Variables that the falling prices pass are carried to their other bound while that does not bring the row home.
bool PackingLp::findEntering(std::size_t r, double direction, double missing, std::size_t& entering) {
    const double* entries = row(r);
    candidates_.clear();
    for (std::size_t j = 0; j < gains_.size(); ++j) {
        const double strength = direction * entries[j];
        if (std::abs(strength) <= kPivot) continue;
        const std::size_t v = at(nonbasic_[j]);
        if (high_[v] - low_[v] <= 0.0) continue;
        const bool isLow = x_[v] == low_[v];
        if (isLow ? strength > 0.0 : strength < 0.0) continue;
        candidates_.push_back({std::max(0.0, price_[j] / strength), std::abs(strength), static_cast<int>(j)});
    }
    const auto isEarlier = [](const Candidate& a, const Candidate& b) {
        if (a.ratio != b.ratio) return a.ratio < b.ratio;
        return a.strength != b.strength ? a.strength > b.strength : a.column < b.column;
    };
    std::sort(candidates_.begin(), candidates_.end(), isEarlier);
    std::size_t k = 0;
    for (; k < candidates_.size(); ++k) {
        const std::size_t v = at(nonbasic_[at(candidates_[k].column)]);
        missing -= candidates_[k].strength * (high_[v] - low_[v]);
        if (missing < 0.0) break;
    }
    if (k == candidates_.size()) {  // all of them together bring it home just so, or nothing does
        if (k == 0 || missing > kFeasible) return false;
        --k;
    }
    for (std::size_t i = 0; i < k; ++i) {
        const std::size_t j = at(candidates_[i].column);
        const std::size_t v = at(nonbasic_[j]);
        moveNonbasic(j, x_[v] == low_[v] ? high_[v] : low_[v]);
    }
    entering = at(candidates_[k].column);
    return true;
}

/// The basic variable of row `r` leaves at `target`, the nonbasic one of `column` takes its place.
void PackingLp::pivot(std::size_t r, std::size_t column, double target) {
    const std::size_t n = gains_.size();
    double* entries = row(r);
    const std::size_t leaving = at(basic_[r]);
    const std::size_t entering = at(nonbasic_[column]);
    const double step = (x_[leaving] - target) / entries[column];
    for (std::size_t i = 0; i < basic_.size(); ++i)
        x_[at(basic_[i])] -= row(i)[column] * step;
    x_[entering] += step;
    x_[leaving] = target;
    const double inverse = 1.0 / entries[column];
    entries[column] = 1.0;
    support_.clear();
    for (std::size_t j = 0; j < n; ++j) {
        if (std::abs(entries[j]) <= kNothing) {
            entries[j] = 0.0;
            continue;
        }
        entries[j] *= inverse;
        support_.push_back(static_cast<int>(j));
    }
    weight_[r] = 1.0 + squaredLength(entries, n);
    const auto subtract = [&](double* from) {
        const double factor = from[column];
        from[column] = 0.0;
        if (2 * support_.size() > n) {
            for (std::size_t j = 0; j < n; ++j)
                from[j] -= factor * entries[j];
        } else {
            for (const int j : support_)
                from[j] -= factor * entries[j];
        }
    };
    for (std::size_t i = 0; i < basic_.size(); ++i) {
        double* other = row(i);
        if (i == r || std::abs(other[column]) <= kNothing) {
            if (i != r) other[column] = 0.0;
            continue;
        }
        subtract(other);
        weight_[i] = 1.0 + squaredLength(other, n);
    }
    subtract(price_.data());
    std::swap(basic_[r], nonbasic_[column]);
    place_[entering] = -1 - static_cast<int>(r);
    place_[leaving] = static_cast<int>(column);
    ++pivots_;
    ++sinceRebuild_;
}

/// The same basis again from the rows as given, to be rid of rounding.
void PackingLp::rebuild() {
    const std::size_t n = gains_.size();
    const std::vector<int> wanted = basic_;
    std::fill(tableau_.begin(), tableau_.end(), 0.0);
    price_ = steering_;
    for (std::size_t v = 0; v < n; ++v) {
        nonbasic_[v] = static_cast<int>(v);
        place_[v] = static_cast<int>(v);
    }
    for (std::size_t r = 0; r < terms_.size(); ++r) {
        for (const Term& term : terms_[r])
            row(r)[term.variable] += term.coefficient;
        basic_[r] = static_cast<int>(n + r);
        place_[n + r] = -1 - static_cast<int>(r);
    }
    std::vector<std::uint8_t> stays(n + terms_.size(), 0);
    for (const int v : wanted)
        stays[at(v)] = 1;
    const std::vector<double> values = x_;
    for (const int v : wanted) {
        if (place_[at(v)] < 0) continue;
        const auto column = at(place_[at(v)]);
        std::size_t best = terms_.size();
        for (std::size_t r = 0; r < terms_.size(); ++r) {
            if (stays[at(basic_[r])] != 0) continue;
            if (best == terms_.size() || std::abs(row(r)[column]) > std::abs(row(best)[column])) best = r;
        }
        if (best == terms_.size() || std::abs(row(best)[column]) <= kPivot) continue;  // rounding had kept it alive
        pivot(best, column, 0.0);
    }
    x_ = values;
    refreshValues();
    sinceRebuild_ = 0;
}

/// Nonbasic variables to the bounds that their prices ask for, basic ones to what the rows then leave.
void PackingLp::refreshValues() {
    const std::size_t n = gains_.size();
    for (std::size_t j = 0; j < n; ++j) {
        const std::size_t v = at(nonbasic_[j]);
        x_[v] = price_[j] > 0.0 && high_[v] < kInfinite ? high_[v] : low_[v];
    }
    // basic = inverse * limits - tableau * nonbasic; the slacks' columns of the tableau are the inverse.
    for (std::size_t r = 0; r < basic_.size(); ++r) {
        double sum = 0.0;
        for (std::size_t j = 0; j < n; ++j)
            sum -= row(r)[j] * x_[at(nonbasic_[j])];
        for (std::size_t k = 0; k < limits_.size(); ++k) {
            const int place = place_[n + k];
            if (place >= 0) sum += row(r)[place] * limits_[k];
            if (place == -1 - static_cast<int>(r)) sum += limits_[k];
        }
        x_[at(basic_[r])] = sum;
    }
}

double PackingLp::bound() {
    const std::size_t n = gains_.size();
    reduced_ = gains_;
    double total = 0.0;
    for (std::size_t r = 0; r < limits_.size(); ++r) {
        const int place = place_[n + r];
        const double price = place >= 0 ? -price_[at(place)] : 0.0;
        if (price <= 0.0) continue;
        total += price * limits_[r];
        for (const Term& term : terms_[r])
            reduced_[at(term.variable)] -= price * term.coefficient;
    }
    for (std::size_t v = 0; v < n; ++v)
        total += reduced_[v] * (reduced_[v] > 0.0 ? high_[v] : low_[v]);
    return total;
}

PackingLp::Penalty PackingLp::penalty(int variable) const {
    const int place = place_[at(variable)];
    if (place >= 0) return {};
    const double* entries = row(at(-1 - place));
    double down = kInfinite;
    double up = kInfinite;
    for (std::size_t j = 0; j < gains_.size(); ++j) {
        const double entry = entries[j];
        if (std::abs(entry) <= kPivot) continue;
        const std::size_t v = at(nonbasic_[j]);
        if (high_[v] - low_[v] <= 0.0) continue;
        const double ratio = std::abs(price_[j] / entry);
        const bool raises = (x_[v] == low_[v]) == (entry < 0.0);
        (raises ? up : down) = std::min(raises ? up : down, ratio);
    }
    const double x = x_[at(variable)];
    return {down * (x - low_[at(variable)]), up * (high_[at(variable)] - x)};
}

}  // namespace memplan::solve
