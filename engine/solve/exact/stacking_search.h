// SPDX-License-Identifier: Apache-2.0
// One depth-first run of stacking.h under a fixed preference.
#pragma once

#include "engine/base/run_control.h"
#include "engine/solve/exact/stacking_problem.h"

#include <optional>
#include <unordered_set>
#include <vector>

namespace memplan::solve {

/// Which of the shapes that can lie on a floor is tried first.
enum class Preference { Width, Tallness, Area, Crowd };

/// What the runs of one search differ in.
struct StackingStyle {
    Preference preference = Preference::Width;
    /// Above 0 it perturbs the preference by up to a half, the same way each time.
    std::uint64_t variation = 0;
    /// Small holes are tried before the shapes that would avoid them.
    bool liftsEarly = false;
    /// The failures of columns count from none; else half of what earlier runs counted.
    bool forgets = true;
};

class StackingSearch {
public:
    StackingSearch(const StackingProblem& problem, const RunControl& control);

    /// Spends at most `maxNodes`; the addresses are valid after Placed.
    StackingEnd run(const StackingStyle& style, std::int64_t maxNodes);
    [[nodiscard]] const std::vector<Address>& addresses() const { return address_; }
    [[nodiscard]] std::int64_t nodes() const { return nodes_; }

private:
    /// Remaining shapes of one connected part of time, and its columns.
    struct Frame {
        std::vector<int> shapes;  ///< by first column
        std::size_t begin = 0;
        std::size_t end = 0;
        std::vector<Address> floor;  ///< per column
        std::vector<Bytes> load;     ///< per column: height that remains to be placed
        std::vector<Address> rest;   ///< per shape: no address below this is possible
    };
    struct Choice {
        std::size_t column = 0;
        int options = 0;
        Address lifted = 0;
        bool mayStayEmpty = false;
    };

    void rank(Preference preference, std::uint64_t variation);
    void start();
    Frame& frameAt(std::size_t depth);
    StackingEnd solve(std::size_t depth);
    StackingEnd branch(std::size_t depth);
    StackingEnd tryShape(std::size_t depth, int shape, Address address);
    StackingEnd tryLifting(std::size_t depth, const Choice& choice);
    bool fillFrom(const Frame& from, Frame& to, std::size_t first, std::size_t last) const;
    [[nodiscard]] bool propagate(Frame& frame);
    [[nodiscard]] bool settle(Frame& frame, std::size_t column);
    [[nodiscard]] bool fitsWithReleases(Address floor, Bytes slack);
    [[nodiscard]] std::optional<Choice> choose(const Frame& frame);
    [[nodiscard]] Address liftedFloor(const Frame& frame, std::size_t column, Address next) const;
    [[nodiscard]] Address lowestFloor(const Frame& frame, int shape);
    [[nodiscard]] bool prefersLifting(const Frame& frame, const Choice& choice,
                                      const std::vector<int>& candidates) const;
    [[nodiscard]] std::vector<int> candidates(const Frame& frame, std::size_t column) const;
    [[nodiscard]] std::uint64_t fingerprint(const Frame& frame) const;
    StackingEnd fail(std::uint64_t key);
    void enqueue(std::size_t column);

    struct Release {
        Address at;
        Bytes height;
    };

    const StackingProblem& problem_;
    const RunControl& control_;
    Bytes ceiling_ = 0;                        ///< capacity rounded up to the grain
    std::vector<std::vector<int>> inColumn_;   ///< shapes of a column
    std::vector<std::vector<Bytes>> heights_;  ///< parallel to inColumn_
    std::vector<std::uint64_t> tag_;           ///< per shape, for fingerprints
    std::vector<int> twin_;                    ///< per shape: first shape equal to it
    std::vector<int> rank_;                    ///< per shape: lower is tried first
    std::vector<Bytes> shortest_;              ///< per shape: least height
    std::vector<double> weight_;               ///< per column: 1 + failures, half of them kept from run to run
    std::vector<Address> address_;
    std::vector<std::uint8_t> isPlaced_;
    std::vector<Frame> frames_;
    std::vector<Address> low_;  ///< per shape: lowest floor below it, scratch of choose
    std::vector<std::uint8_t> isQueued_;
    std::vector<std::size_t> queue_;
    std::vector<Release> releases_;
    std::unordered_set<std::uint64_t> failed_;  ///< of all runs: what failed under one preference fails under all
    std::int64_t nodes_ = 0;
    std::int64_t limit_ = 0;
    bool liftsEarly_ = false;
};

}  // namespace memplan::solve
