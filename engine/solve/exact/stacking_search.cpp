// SPDX-License-Identifier: Apache-2.0
#include "engine/solve/exact/stacking_search.h"

#include "engine/base/numeric.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

namespace memplan::solve {

namespace {

constexpr std::size_t kMostFailures = 1'000'000;  // remembered; more would only cost memory
constexpr Address kNowhere = std::numeric_limits<Address>::max();

std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31U);
}

double fraction(std::uint64_t draw) {
    return static_cast<double>(draw >> 11U) * 0x1.0p-53;
}

std::size_t at(int shape) {
    return static_cast<std::size_t>(shape);
}

}  // namespace

StackingSearch::StackingSearch(const StackingProblem& problem, const RunControl& control)
    : problem_(problem), control_(control), ceiling_(alignUp(problem.capacity, problem.grain)),
      inColumn_(problem.columns), heights_(problem.columns) {
    const std::size_t n = problem.shapes.size();
    for (std::size_t s = 0; s < n; ++s) {
        for (const ShapeCell& cell : problem.shapes[s].cells) {
            inColumn_[cell.column].push_back(static_cast<int>(s));
            heights_[cell.column].push_back(cell.height);
        }
        const auto& cells = problem.shapes[s].cells;
        shortest_.push_back(std::min_element(cells.begin(), cells.end(), [](const ShapeCell& a, const ShapeCell& b) {
                                return a.height < b.height;
                            })->height);
        tag_.push_back(mixed(0x9e3779b97f4a7c15ULL * (s + 1)));
        const auto same = std::find(problem.shapes.begin(), problem.shapes.begin() + static_cast<std::ptrdiff_t>(s),
                                    problem.shapes[s]);
        twin_.push_back(static_cast<int>(same - problem.shapes.begin()));
    }
    low_.resize(n);
    rank_.resize(n);
    isQueued_.assign(problem.columns, 0);
    weight_.assign(problem.columns, 1.0);
}

/// Ties: lower number first.
void StackingSearch::rank(Preference preference, std::uint64_t variation) {
    const std::size_t n = problem_.shapes.size();
    std::vector<Bytes> load(problem_.columns, 0);
    for (std::size_t c = 0; c < problem_.columns; ++c)
        load[c] = std::accumulate(heights_[c].begin(), heights_[c].end(), Bytes{0});
    std::vector<std::pair<double, double>> key(n);
    for (std::size_t s = 0; s < n; ++s) {
        const StackShape& shape = problem_.shapes[s];
        const auto width = static_cast<double>(shape.cells.size());
        const auto tallness = static_cast<double>(shape.tallest);
        double area = 0.0;
        double crowd = 0.0;
        for (const ShapeCell& cell : shape.cells) {
            area += static_cast<double>(cell.height);
            crowd = std::max(crowd, static_cast<double>(load[cell.column]));
        }
        switch (preference) {
        case Preference::Width:
            key[s] = {width, tallness};
            break;
        case Preference::Tallness:
            key[s] = {tallness, width};
            break;
        case Preference::Area:
            key[s] = {area, width};
            break;
        case Preference::Crowd:
            key[s] = {crowd, width};
            break;
        }
        if (variation == 0) continue;
        const std::uint64_t draw = mixed(variation * 1'000'003 + s * 77 + 1);
        key[s].first *= 1.0 + 0.5 * fraction(draw);
        key[s].second *= 1.0 + 0.5 * fraction(mixed(draw));
    }
    std::vector<int> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return key[at(a)] > key[at(b)]; });
    for (std::size_t k = 0; k < n; ++k)
        rank_[at(order[k])] = static_cast<int>(k);
}

void StackingSearch::start() {
    const std::size_t n = problem_.shapes.size();
    address_.assign(n, 0);
    isPlaced_.assign(n, 0);
    nodes_ = 0;
    Frame& root = frameAt(0);
    root.shapes.resize(n);
    std::iota(root.shapes.begin(), root.shapes.end(), 0);
    std::stable_sort(root.shapes.begin(), root.shapes.end(), [&](int a, int b) {
        return problem_.shapes[at(a)].cells.front().column < problem_.shapes[at(b)].cells.front().column;
    });
    root.begin = 0;
    root.end = problem_.columns;
    std::fill(root.floor.begin(), root.floor.end(), 0);
    std::fill(root.rest.begin(), root.rest.end(), 0);
    for (std::size_t c = 0; c < problem_.columns; ++c)
        root.load[c] = std::accumulate(heights_[c].begin(), heights_[c].end(), Bytes{0});
}

StackingSearch::Frame& StackingSearch::frameAt(std::size_t depth) {
    while (frames_.size() <= depth) {
        Frame& frame = frames_.emplace_back();
        frame.floor.resize(problem_.columns);
        frame.load.resize(problem_.columns);
        frame.rest.resize(problem_.shapes.size());
    }
    return frames_[depth];
}

StackingEnd StackingSearch::run(const StackingStyle& style, std::int64_t maxNodes) {
    rank(style.preference, style.variation);
    liftsEarly_ = style.liftsEarly;
    for (double& w : weight_)
        w = style.forgets ? 1.0 : 1.0 + 0.5 * (w - 1.0);
    start();
    limit_ = maxNodes;
    for (std::size_t c = 0; c < problem_.columns; ++c)
        enqueue(c);
    if (!propagate(frames_.front())) return StackingEnd::Impossible;
    return solve(0);
}

void StackingSearch::enqueue(std::size_t column) {
    if (isQueued_[column] != 0) return;
    isQueued_[column] = 1;
    queue_.push_back(column);
}

/// Lifts floors and resting addresses until nothing moves. False when some column cannot hold what remains.
bool StackingSearch::propagate(Frame& frame) {
    bool fits = true;
    while (!queue_.empty()) {
        const std::size_t column = queue_.back();
        queue_.pop_back();
        isQueued_[column] = 0;
        if (!fits) continue;
        fits = settle(frame, column);
        if (!fits) weight_[column] += 1.0;
    }
    return fits;
}

bool StackingSearch::settle(Frame& frame, std::size_t column) {
    const Address floor = frame.floor[column];
    releases_.clear();
    Address lowest = kNowhere;
    const std::vector<int>& shapes = inColumn_[column];
    for (std::size_t k = 0; k < shapes.size(); ++k) {
        const int s = shapes[k];
        if (isPlaced_[at(s)] != 0) continue;
        const StackShape& shape = problem_.shapes[at(s)];
        Address& rest = frame.rest[at(s)];
        if (rest < floor) {
            rest = alignUp(floor, shape.alignment);
            if (rest + shape.tallest > problem_.capacity) return false;
            for (const ShapeCell& cell : shape.cells) {
                if (cell.column != column) enqueue(cell.column);
            }
        }
        lowest = std::min(lowest, rest);
        releases_.push_back({rest, heights_[column][k]});
    }
    if (releases_.empty()) return true;
    frame.floor[column] = lowest;
    const Bytes slack = ceiling_ - lowest - frame.load[column];
    return slack >= 0 && fitsWithReleases(lowest, slack);
}

/// Stacking the shapes of one column by rising resting address gives its least height.
bool StackingSearch::fitsWithReleases(Address floor, Bytes slack) {
    const bool mayMatter =
        std::any_of(releases_.begin(), releases_.end(), [&](const Release& r) { return r.at - floor > slack; });
    if (!mayMatter) return true;
    std::sort(releases_.begin(), releases_.end(), [](const Release& a, const Release& b) { return a.at < b.at; });
    Address top = floor;
    for (const Release& r : releases_)
        top = std::max(top, r.at) + r.height;
    return top <= ceiling_;
}

std::uint64_t StackingSearch::fingerprint(const Frame& frame) const {
    std::uint64_t key = 0;
    for (const int s : frame.shapes)
        key += tag_[at(s)];
    for (std::size_t c = frame.begin; c < frame.end; ++c) {
        if (frame.load[c] > 0) key = mixed(key ^ static_cast<std::uint64_t>(frame.floor[c])) + c;
    }
    return key;
}

StackingEnd StackingSearch::fail(std::uint64_t key) {
    if (failed_.size() < kMostFailures) failed_.insert(key);
    return StackingEnd::Impossible;
}

/// Lowest address at which something can lie in `column` when nothing lies on its floor. `next`: lowest resting
/// address there above the floor. A shape that could lie on the floor must then be carried by one outside `column`.
Address StackingSearch::liftedFloor(const Frame& frame, std::size_t column, Address next) const {
    Address lifted = next;
    for (const int s : inColumn_[column]) {
        if (isPlaced_[at(s)] != 0 || frame.rest[at(s)] != frame.floor[column]) continue;
        for (const ShapeCell& cell : problem_.shapes[at(s)].cells) {
            const std::vector<int>& others = inColumn_[cell.column];
            for (std::size_t k = 0; k < others.size(); ++k) {
                const int o = others[k];
                if (isPlaced_[at(o)] != 0) continue;
                const Address top = frame.rest[at(o)] + heights_[cell.column][k];
                if (top >= lifted) continue;
                const auto& cells = problem_.shapes[at(o)].cells;
                const auto here = std::lower_bound(cells.begin(), cells.end(), column,
                                                   [](const ShapeCell& c, std::size_t to) { return c.column < to; });
                if (here == cells.end() || here->column != column) lifted = top;
            }
        }
    }
    return lifted;
}

/// Below a shape; worked out once for each frame.
Address StackingSearch::lowestFloor(const Frame& frame, int shape) {
    Address& low = low_[at(shape)];
    if (low != kNowhere) return low;
    for (const ShapeCell& cell : problem_.shapes[at(shape)].cells)
        low = std::min(low, frame.floor[cell.column]);
    return low;
}

/// Column with the fewest ways on; nullopt when some column has none.
std::optional<StackingSearch::Choice> StackingSearch::choose(const Frame& frame) {
    Bytes shortest = kNowhere;
    for (const int s : frame.shapes) {
        shortest = std::min(shortest, shortest_[at(s)]);
        low_[at(s)] = kNowhere;
    }
    Choice best;
    double bestScore = std::numeric_limits<double>::infinity();
    Bytes bestSlack = 0;
    for (std::size_t c = frame.begin; c < frame.end; ++c) {
        if (frame.load[c] == 0) continue;
        const Address floor = frame.floor[c];
        int options = 0;
        bool isSettled = true;
        Address next = kNowhere;
        for (const int s : inColumn_[c]) {
            if (isPlaced_[at(s)] != 0) continue;
            if (frame.rest[at(s)] != floor) {
                next = std::min(next, frame.rest[at(s)]);
                continue;
            }
            isSettled = lowestFloor(frame, s) == floor;  // else something may still come below it elsewhere
            if (!isSettled) break;
            ++options;
        }
        if (!isSettled) continue;
        const Bytes slack = ceiling_ - floor - frame.load[c];
        bool mayStayEmpty = std::min(next, floor + shortest) - floor <= slack;
        if (static_cast<double>(options) / weight_[c] > bestScore) continue;
        Address lifted = next;
        if (mayStayEmpty) {
            if (next > floor + shortest) lifted = liftedFloor(frame, c, next);
            mayStayEmpty = lifted != kNowhere && lifted - floor <= slack;
        }
        options += mayStayEmpty ? 1 : 0;
        if (options == 0) {
            weight_[c] += 1.0;
            return std::nullopt;
        }
        const double score = options == 1 ? 0.0 : options / weight_[c];
        if (score > bestScore || (score == bestScore && slack >= bestSlack)) continue;
        bestScore = score;
        bestSlack = slack;
        best = {c, options, lifted, mayStayEmpty};
        if (options == 1) break;
    }
    return best;
}

/// Shapes that can lie on the floor of `column`, one of each kind, preferred ones first.
std::vector<int> StackingSearch::candidates(const Frame& frame, std::size_t column) const {
    std::vector<int> list;
    for (const int s : inColumn_[column]) {
        if (isPlaced_[at(s)] != 0 || frame.rest[at(s)] != frame.floor[column]) continue;
        const bool isRepeat =
            std::any_of(list.begin(), list.end(), [&](int o) { return twin_[at(o)] == twin_[at(s)]; });
        if (!isRepeat) list.push_back(s);
    }
    std::sort(list.begin(), list.end(), [&](int a, int b) { return rank_[at(a)] < rank_[at(b)]; });
    return list;
}

/// True when lifting the floor costs the column no more than its share of the slack and brings a shape within reach
/// that comes before all of `candidates`: where sizes are ragged, a small hole is better than a wrong shape.
bool StackingSearch::prefersLifting(const Frame& frame, const Choice& choice,
                                    const std::vector<int>& candidates) const {
    if (!liftsEarly_ || !choice.mayStayEmpty || candidates.empty()) return false;
    const Address floor = frame.floor[choice.column];
    Bytes shapes = 0;
    bool isBetter = false;
    for (const int s : inColumn_[choice.column]) {
        if (isPlaced_[at(s)] != 0) continue;
        ++shapes;
        const Address rest = frame.rest[at(s)];
        isBetter = isBetter || (rest > floor && rest <= choice.lifted && rank_[at(s)] < rank_[at(candidates.front())]);
    }
    const Bytes slack = ceiling_ - floor - frame.load[choice.column];
    return isBetter && (choice.lifted - floor) * shapes <= slack;
}

/// `to` becomes the part of `from` in the columns [first, last) without shapes placed since. False when none is left.
bool StackingSearch::fillFrom(const Frame& from, Frame& to, std::size_t first, std::size_t last) const {
    to.shapes.clear();
    for (const int s : from.shapes) {
        const std::size_t column = problem_.shapes[at(s)].cells.front().column;
        if (isPlaced_[at(s)] != 0 || column < first || column >= last) continue;
        to.shapes.push_back(s);
        to.rest[at(s)] = from.rest[at(s)];
    }
    to.begin = first;
    to.end = last;
    const auto b = static_cast<std::ptrdiff_t>(first);
    const auto e = static_cast<std::ptrdiff_t>(last);
    std::copy(from.floor.begin() + b, from.floor.begin() + e, to.floor.begin() + b);
    std::copy(from.load.begin() + b, from.load.begin() + e, to.load.begin() + b);
    return !to.shapes.empty();
}

/// Cuts the frame into parts that share no column and solves the smallest first.
StackingEnd StackingSearch::solve(std::size_t depth) {
    frameAt(depth + 1);
    const Frame& frame = frames_[depth];
    if (frame.shapes.empty()) return StackingEnd::Placed;
    std::vector<std::tuple<std::size_t, std::size_t, std::size_t>> parts;  // shapes, first and end column
    for (const int s : frame.shapes) {
        const auto& cells = problem_.shapes[at(s)].cells;
        const std::size_t first = cells.front().column;
        const std::size_t end = cells.back().column + 1;
        if (parts.empty() || first >= std::get<2>(parts.back())) parts.emplace_back(0, first, end);
        ++std::get<0>(parts.back());
        std::get<2>(parts.back()) = std::max(std::get<2>(parts.back()), end);
    }
    std::sort(parts.begin(), parts.end());
    for (const auto& [count, first, end] : parts) {
        fillFrom(frames_[depth], frames_[depth + 1], first, end);
        const StackingEnd result = branch(depth + 1);
        if (result == StackingEnd::Placed) continue;
        for (const int s : frames_[depth].shapes)
            isPlaced_[at(s)] = 0;  // also those of parts that were solved before
        return result;
    }
    return StackingEnd::Placed;
}

StackingEnd StackingSearch::branch(std::size_t depth) {
    if (++nodes_ > limit_) return StackingEnd::NodeLimit;
    if ((nodes_ & 63) == 0 && control_.shouldStop()) return StackingEnd::Interrupted;
    frameAt(depth + 1);
    const std::uint64_t key = fingerprint(frames_[depth]);
    if (failed_.contains(key)) return StackingEnd::Impossible;
    const std::optional<Choice> choice = choose(frames_[depth]);
    if (!choice) return fail(key);
    const Address floor = frames_[depth].floor[choice->column];
    const std::vector<int> list = candidates(frames_[depth], choice->column);
    const bool liftsFirst = prefersLifting(frames_[depth], *choice, list);
    if (liftsFirst) {
        const StackingEnd result = tryLifting(depth, *choice);
        if (result != StackingEnd::Impossible) return result;
    }
    for (const int s : list) {
        const StackingEnd result = tryShape(depth, s, floor);
        if (result != StackingEnd::Impossible) return result;
    }
    if (choice->mayStayEmpty && !liftsFirst) {
        const StackingEnd result = tryLifting(depth, *choice);
        if (result != StackingEnd::Impossible) return result;
    }
    return fail(key);
}

StackingEnd StackingSearch::tryShape(std::size_t depth, int shape, Address address) {
    const Frame& frame = frames_[depth];
    Frame& child = frames_[depth + 1];
    isPlaced_[at(shape)] = 1;
    fillFrom(frame, child, frame.begin, frame.end);
    address_[at(shape)] = address;
    for (const ShapeCell& cell : problem_.shapes[at(shape)].cells) {
        child.floor[cell.column] = address + cell.height;
        child.load[cell.column] -= cell.height;
        enqueue(cell.column);
    }
    const StackingEnd result = propagate(child) ? solve(depth + 1) : StackingEnd::Impossible;
    if (result == StackingEnd::Impossible) isPlaced_[at(shape)] = 0;
    return result;
}

StackingEnd StackingSearch::tryLifting(std::size_t depth, const Choice& choice) {
    const Frame& frame = frames_[depth];
    Frame& child = frames_[depth + 1];
    fillFrom(frame, child, frame.begin, frame.end);
    child.floor[choice.column] = choice.lifted;
    enqueue(choice.column);
    return propagate(child) ? solve(depth + 1) : StackingEnd::Impossible;
}

}  // namespace memplan::solve
