// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/graph/scene/opening_place.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace memplan::ui {
namespace {

constexpr double kLeastScale = 0.7, kTwoLineScale = 0.55, kOverviewScale = 0.5, kScaleStep = 0.01;
constexpr double kGap = 6;   // scene px between a whole box and the side of the view
constexpr double kAway = 3;  // and between the side and a box outside of it

struct Span {
    double begin = 0, end = 0;
    [[nodiscard]] double middle() const { return (begin + end) / 2; }
    [[nodiscard]] double length() const { return end - begin; }
};

/// The part of a scene that a first picture is about, with ranks along one axis and boxes across it.
class Opening {
public:
    Opening(const GraphScene& scene, QSizeF view, double margin)
        : scene_(scene), view_(view), isDown_(scene.direction == graphlayout::Direction::TopToBottom), margin_(margin),
          viewAlong_(isDown_ ? view.height() : view.width()), viewAcross_(isDown_ ? view.width() : view.height()),
          all_(across(scene.bounds)), begin_(along(scene.bounds).begin - margin) {
        first_ = across(*std::min_element(scene.nodes.begin(), scene.nodes.end(), [this](const auto& a, const auto& b) {
            return along(a).begin < along(b).begin;
        }));
    }

    /// Without a cut box the place that shows the most boxes, each counted by its size; the nearest to the wanted
    /// scale of equals.
    [[nodiscard]] OpeningPlace best() const {
        const double wanted = std::clamp(viewAcross_ / (all_.length() + 2 * margin_), kReadableScale, 1.0);
        std::optional<Candidate> best;
        const int steps = static_cast<int>(std::ceil((1.0 - kLeastScale) / kScaleStep));
        for (int i = 0; i <= steps; ++i)
            for (const double scale : {wanted + i * kScaleStep, wanted - i * kScaleStep}) {
                if (scale > 1.0 + 1e-9 || scale < kLeastScale - 1e-9) continue;
                const Candidate c = at(scale);
                const bool isBetter = !best || c.place.cut < best->place.cut ||
                                      (c.place.cut == best->place.cut && c.shown > best->shown * 1.02);
                if (isBetter) best = c;
            }
        // A narrow view: smaller as long as a box has its two lines (5.9), the largest scale that cuts fewest.
        for (double scale = kLeastScale; scale >= kTwoLineScale && best->place.cut > 0; scale -= kScaleStep)
            if (const Candidate c = at(scale); c.place.cut < best->place.cut) best = c;
        return tellsTheStory(best->place) ? best->place : whole();
    }

private:
    /// Few boxes near 100 % say less than all of them at half of it: a graph of wide rows opens with one input
    /// otherwise.
    [[nodiscard]] bool tellsTheStory(const OpeningPlace& place) const {
        if (wholeScale() < kOverviewScale) return true;
        const QRectF window(place.origin, view_ / place.scale);
        const auto shown = std::ranges::count_if(scene_.nodes, [&](const QRectF& r) { return window.contains(r); });
        return 2 * static_cast<std::size_t>(shown) >= scene_.nodes.size();
    }
    [[nodiscard]] double wholeScale() const {
        return std::min(view_.width() / (scene_.bounds.width() + 2 * margin_),
                        view_.height() / (scene_.bounds.height() + 2 * margin_));
    }
    [[nodiscard]] OpeningPlace whole() const {
        const double scale = wholeScale();
        const QSizeF window = view_ / scale;
        return {scale, scene_.bounds.center() - QPointF(window.width(), window.height()) / 2, 0, true};
    }

    struct Candidate {
        OpeningPlace place;
        double shown = 0;  ///< whole boxes times the scale
    };

    [[nodiscard]] Span across(const QRectF& r) const {
        return isDown_ ? Span{r.left(), r.right()} : Span{r.top(), r.bottom()};
    }
    [[nodiscard]] Span along(const QRectF& r) const {
        return isDown_ ? Span{r.top(), r.bottom()} : Span{r.left(), r.right()};
    }

    /// Boxes in the ranks that the view reaches.
    [[nodiscard]] std::vector<Span> reached(double scale) const {
        std::vector<Span> boxes;
        for (const QRectF& r : scene_.nodes)
            if (along(r).begin < begin_ + viewAlong_ / scale) boxes.push_back(across(r));
        return boxes;
    }

    struct Count {
        int cut = 0, whole = 0;
    };
    [[nodiscard]] static Count countOf(const std::vector<Span>& boxes, Span window) {
        Count n;
        for (const Span& b : boxes) {
            if (b.end + kAway <= window.begin || b.begin - kAway >= window.end) continue;
            const bool isWhole = b.begin >= window.begin && b.end <= window.end;
            ++(isWhole ? n.whole : n.cut);
        }
        return n;
    }

    /// The place moves as far as the same boxes stay whole and alone, to have them in its middle.
    [[nodiscard]] static double centred(const std::vector<Span>& boxes, Span window) {
        Span whole{window.end, window.begin};
        Span limits{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
        for (const Span& b : boxes) {
            if (b.end + kAway <= window.begin)
                limits.begin = std::max(limits.begin, b.end + kAway);
            else if (b.begin - kAway >= window.end)
                limits.end = std::min(limits.end, b.begin - kAway);
            else
                whole = {std::min(whole.begin, b.begin), std::max(whole.end, b.end)};
        }
        const double begin = whole.middle() - window.length() / 2;
        return std::max(limits.begin, std::min(begin, limits.end - window.length()));
    }

    [[nodiscard]] Candidate at(double scale) const {
        const double width = viewAcross_ / scale;
        const std::vector<Span> boxes = reached(scale);
        std::vector<double> starts{first_.middle() - width / 2};
        for (const Span& b : boxes) {
            starts.push_back(b.begin - kGap);
            starts.push_back(b.end + kGap - width);
        }
        double start = starts.front();
        Count best{std::numeric_limits<int>::max(), 0};
        for (const double s : starts) {
            // In a view narrower than a box its middle is all there is to keep.
            const bool hasFirst = s <= first_.begin && s + width >= first_.end;
            if (!hasFirst && width >= first_.length() + 2 * kGap) continue;
            const Count n = countOf(boxes, {s, s + width});
            const double aside = std::abs(s - starts.front()), least = std::abs(start - starts.front());
            if (n.cut > best.cut || (n.cut == best.cut && n.whole < best.whole) ||
                (n.cut == best.cut && n.whole == best.whole && aside >= least && best.whole > 0))
                continue;
            best = n;
            start = s;
        }
        if (best.cut == 0) start = centred(boxes, {start, start + width});
        return {{scale, isDown_ ? QPointF(start, begin_) : QPointF(begin_, start), best.cut, false},
                best.whole * scale};
    }

    const GraphScene& scene_;
    QSizeF view_;
    bool isDown_;
    double margin_, viewAlong_, viewAcross_;
    Span all_;
    double begin_;
    Span first_;
};

}  // namespace

OpeningPlace openingPlace(const GraphScene& scene, QSizeF view, double margin) {
    return Opening(scene, view, margin).best();
}

}  // namespace memplan::ui
