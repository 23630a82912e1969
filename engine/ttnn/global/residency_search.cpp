// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/global/residency_search.h"

#include <algorithm>
#include <limits>

namespace memplan::ttnn {
namespace {

class BranchAndBound {
public:
    BranchAndBound(const ResidencyProblem& problem, std::int64_t mostNodes)
        : p_(problem), mostNodes_(mostNodes), state_(problem.tensors.size(), State::Free), at_(problem.room.size()),
          excess_(problem.room.size(), 0) {
        for (std::size_t p = 0; p < p_.room.size(); ++p)
            excess_[p] = -p_.room[p];
        for (std::size_t t = 0; t < p_.tensors.size(); ++t)
            for (const int position : p_.tensors[t].positions) {
                const auto p = static_cast<std::size_t>(position);
                at_[p].push_back(t);
                excess_[p] += p_.tensors[t].bytes;
            }
        for (auto& list : at_)
            std::stable_sort(list.begin(), list.end(), [this](std::size_t a, std::size_t b) {
                return p_.tensors[a].loss * static_cast<double>(p_.tensors[b].bytes) <
                       p_.tensors[b].loss * static_cast<double>(p_.tensors[a].bytes);
            });
        best_.loss = std::numeric_limits<double>::infinity();
    }

    ResidencyChoice run() {
        visit(0);
        best_.nodes = nodes_;
        return std::move(best_);
    }

private:
    enum class State : std::uint8_t { Free, Stays, Goes };
    struct Bound {
        double loss = 0;
        std::size_t position = 0;
        bool isFull = false;  ///< some position is too full
    };

    /// Least loss that frees enough at one position, tensors taken in part.
    [[nodiscard]] double knapsack(std::size_t p) const {
        double need = static_cast<double>(excess_[p]), loss = 0;
        for (const std::size_t t : at_[p]) {
            if (need <= 0) break;
            if (state_[t] != State::Free) continue;
            const auto bytes = static_cast<double>(p_.tensors[t].bytes);
            loss += p_.tensors[t].loss * std::min(1.0, need / bytes);
            need -= bytes;
        }
        return need > 0 ? std::numeric_limits<double>::infinity() : loss;
    }
    [[nodiscard]] Bound bound() const {
        Bound bound;
        for (std::size_t p = 0; p < excess_.size(); ++p) {
            if (excess_[p] <= 0) continue;
            const double loss = knapsack(p);
            if (bound.isFull && loss <= bound.loss) continue;
            bound = {loss, p, true};
        }
        return bound;
    }
    void remove(std::size_t t, std::int64_t sign) {
        for (const int position : p_.tensors[t].positions)
            excess_[static_cast<std::size_t>(position)] -= sign * p_.tensors[t].bytes;
    }
    void visit(double loss) {
        if (nodes_ >= mostNodes_) {
            best_.isProved = false;
            return;
        }
        ++nodes_;
        const Bound least = bound();
        if (loss + least.loss >= best_.loss) return;
        if (!least.isFull) {
            best_.loss = loss;
            best_.stays.assign(state_.size(), true);
            for (std::size_t t = 0; t < state_.size(); ++t)
                best_.stays[t] = state_[t] != State::Goes;
            return;
        }
        const auto& list = at_[least.position];
        const auto next = std::ranges::find_if(list, [this](std::size_t t) { return state_[t] == State::Free; });
        if (next == list.end()) return;
        state_[*next] = State::Goes;
        remove(*next, 1);
        visit(loss + p_.tensors[*next].loss);
        remove(*next, -1);
        state_[*next] = State::Stays;
        visit(loss);
        state_[*next] = State::Free;
    }

    const ResidencyProblem& p_;
    std::int64_t mostNodes_, nodes_ = 0;
    std::vector<State> state_;
    std::vector<std::vector<std::size_t>> at_;  ///< by position, least loss per byte first
    std::vector<std::int64_t> excess_;          ///< bytes over the room if all but those that go stay
    ResidencyChoice best_;
};

}  // namespace

ResidencyChoice chooseResidents(const ResidencyProblem& problem, std::int64_t mostNodes) {
    return BranchAndBound(problem, mostNodes).run();
}

}  // namespace memplan::ttnn
