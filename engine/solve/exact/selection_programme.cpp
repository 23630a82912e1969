// SPDX-License-Identifier: Apache-2.0
#include "engine/solve/exact/selection_programme.h"

#include "engine/base/numeric.h"
#include "engine/solve/exact/selection.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#ifdef MEMPLAN_HAS_GLPK
#include <glpk.h>
#endif

namespace memplan::solve {

#ifdef MEMPLAN_HAS_GLPK

namespace {

constexpr int kRootSlice = 1'000;   // steps of the simplex method between two looks at whether to stop
constexpr int kRootSteps = 50'000;  // of the problem without cuts; one of 300 items takes 300 of them

/// GLPK counts from 1.
int column(std::size_t item) {
    return static_cast<int>(item) + 1;
}

class Programme {
public:
    Programme(const Part& part, const std::vector<int>& known, const ProgrammeLimits& limits, const RunControl& control)
        : part_(part), limits_(limits), control_(control), problem_(glp_create_prob()) {
        for (const PartItem& item : part.items)
            granule_ = std::gcd(granule_, item.value);
        granule_ = std::max<std::int64_t>(granule_, 1);
        start_.assign(part.items.size() + 1, 0.0);
        for (const int k : known)
            start_[static_cast<std::size_t>(k) + 1] = 1.0;
        hasStart_ = !known.empty();
        addItems();
        addCapacityRows();
    }

    std::optional<SelectedSet> run() {
        if (!solveRoot()) return std::nullopt;
        bound_ = glp_get_obj_val(problem_.get());
        stepsBefore_ = glp_get_it_cnt(problem_.get());
        glp_iocp search;
        glp_init_iocp(&search);
        search.msg_lev = GLP_MSG_OFF;
        search.tm_lim = limits_.guardMs;
        // Relative differences of neighbouring sums of sizes are far below the usual tolerance.
        search.tol_obj = 1e-12;
        search.gmi_cuts = search.mir_cuts = search.cov_cuts = search.clq_cuts = GLP_ON;
        search.cb_func = &Programme::called;
        search.cb_info = this;
        const int end = glp_intopt(problem_.get(), &search);
        // What the clock has ended depends on the machine: neither its bound nor its set is used.
        if (end != 0 && end != GLP_ESTOP) return std::nullopt;
        const int status = glp_mip_status(problem_.get());
        const bool isThrough = end == 0 && status == GLP_OPT;
        return resultOf(isThrough, isThrough || status == GLP_FEAS);
    }

private:
    struct Delete {
        void operator()(glp_prob* p) const {
            glp_delete_prob(p);
            glp_free_env();  // that of this thread: threads of a pool come and go
        }
    };

    /// The problem with divisible items, in slices: within one the library cannot be stopped.
    [[nodiscard]] bool solveRoot() {
        glp_smcp simplex;
        glp_init_smcp(&simplex);
        simplex.msg_lev = GLP_MSG_OFF;
        simplex.it_lim = kRootSlice;
        for (int steps = 0; steps < kRootSteps && !control_.shouldStop(); steps += kRootSlice) {
            const int end = glp_simplex(problem_.get(), &simplex);
            if (end == 0) return glp_get_status(problem_.get()) == GLP_OPT;
            if (end != GLP_EITLIM) return false;
        }
        return false;
    }

    void addItems() {
        glp_set_obj_dir(problem_.get(), GLP_MAX);
        glp_add_cols(problem_.get(), column(part_.items.size()) - 1);
        for (std::size_t k = 0; k < part_.items.size(); ++k) {
            const bool isAlwaysIn = firstOwnColumn(part_.items[k]) >= part_.items[k].endColumn;
            glp_set_col_kind(problem_.get(), column(k), GLP_BV);
            if (isAlwaysIn) glp_set_col_bnds(problem_.get(), column(k), GLP_FX, 1.0, 1.0);
            glp_set_obj_coef(problem_.get(), column(k), static_cast<double>(part_.items[k].value / granule_));
        }
    }

    /// One row for each column of time that cannot take all of its items, in units of the alignment.
    void addCapacityRows() {
        const Bytes room = alignUp(part_.capacity, part_.alignment);
        std::vector<std::vector<std::size_t>> live(part_.columns);
        for (std::size_t k = 0; k < part_.items.size(); ++k) {
            for (std::size_t c = firstOwnColumn(part_.items[k]); c < part_.items[k].endColumn; ++c)
                live[c].push_back(k);
        }
        for (std::size_t c = 0; c < part_.columns; ++c) {
            const bool isInNext = c + 1 < part_.columns &&
                                  std::includes(live[c + 1].begin(), live[c + 1].end(), live[c].begin(), live[c].end());
            if (!isInNext) addRow(live[c], room);
        }
    }

    void addRow(const std::vector<std::size_t>& items, Bytes room) {
        std::vector<int> index(1, 0);
        std::vector<double> size(1, 0.0);
        Bytes load = 0;
        for (const std::size_t k : items) {
            index.push_back(column(k));
            size.push_back(static_cast<double>(part_.items[k].padded / part_.alignment));
            load += part_.items[k].padded;
        }
        if (load <= room) return;
        const int row = glp_add_rows(problem_.get(), 1);
        glp_set_row_bnds(problem_.get(), row, GLP_UP, 0.0, static_cast<double>(room / part_.alignment));
        glp_set_mat_row(problem_.get(), row, static_cast<int>(items.size()), index.data(), size.data());
    }

    static void called(glp_tree* tree, void* self) { static_cast<Programme*>(self)->at(tree); }

    void at(glp_tree* tree) {
        const int best = glp_ios_best_node(tree);
        if (best != 0) bound_ = std::min(bound_, glp_ios_node_bound(tree, best));
        const int reason = glp_ios_reason(tree);
        if (reason == GLP_IHEUR && hasStart_) {
            hasStart_ = false;
            glp_ios_heur_sol(tree, start_.data());
        }
        if (reason == GLP_ISELECT) ++nodes_;
        const bool isSpent =
            nodes_ > limits_.maxNodes || glp_get_it_cnt(problem_.get()) - stepsBefore_ > limits_.maxSteps;
        if (isSpent || control_.shouldStop()) glp_ios_terminate(tree);
    }

    [[nodiscard]] SelectedSet resultOf(bool isThrough, bool hasSet) const {
        SelectedSet result;
        result.nodes = nodes_;
        if (hasSet) {
            result.value = 0;
            for (std::size_t k = 0; k < part_.items.size(); ++k) {
                if (glp_mip_col_val(problem_.get(), column(k)) < 0.5) continue;
                result.set.push_back(static_cast<int>(k));
                result.value += part_.items[k].value;
            }
        }
        const double bound = isThrough ? glp_mip_obj_val(problem_.get()) : bound_;
        // Values are whole numbers of granules; what arithmetic may have lost is far less than one.
        result.upperBound = static_cast<std::int64_t>(std::floor(bound * (1.0 + 1e-10) + 1e-3)) * granule_;
        result.upperBound = std::max(result.upperBound, result.value);
        return result;
    }

    const Part& part_;
    const ProgrammeLimits limits_;
    const RunControl& control_;
    std::unique_ptr<glp_prob, Delete> problem_;
    std::int64_t granule_ = 0;   ///< divides every value
    std::vector<double> start_;  ///< from 1
    bool hasStart_ = false;
    double bound_ = std::numeric_limits<double>::infinity();
    std::int64_t nodes_ = 0;
    std::int64_t stepsBefore_ = 0;  ///< of the root
};

/// What the library aborts on, or what doubles do not hold.
bool isSound(const Part& part) {
    constexpr std::int64_t kLargest = std::int64_t{1} << 50;
    std::int64_t values = 0;
    for (const PartItem& item : part.items) {
        if (item.value < 0 || item.padded < 0 || item.value > kLargest || item.padded > kLargest) return false;
        values += item.value;
        if (values > kLargest) return false;
    }
    return !part.items.empty() && part.alignment > 0 && part.capacity >= 0;
}

}  // namespace

bool hasSelectionProgramme() {
    return true;
}

std::optional<SelectedSet> selectByProgramme(const Part& part, const std::vector<int>& known,
                                             const ProgrammeLimits& limits, const RunControl& control) {
    if (!isSound(part) || control.shouldStop()) return std::nullopt;
    glp_term_out(GLP_OFF);
    return Programme(part, known, limits, control).run();
}

#else

bool hasSelectionProgramme() {
    return false;
}

std::optional<SelectedSet> selectByProgramme(const Part&, const std::vector<int>&, const ProgrammeLimits&,
                                             const RunControl&) {
    return std::nullopt;
}

#endif

}  // namespace memplan::solve
