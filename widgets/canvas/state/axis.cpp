// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/state/axis.h"

#include <algorithm>
#include <cmath>

namespace memplan::ui {

namespace {
/// Zoom-out stops at 110 % of the content (user-experience 2.7).
constexpr double kZoomOutShare = 1.1;
/// Visible ends of a fitted axis may miss a whole number by a rounding error.
constexpr double kRounding = 1e-6;

double contentOf(const Axis& a) {
    return std::max(1e-9, a.contentEnd - a.contentBegin);
}

/// Keeps the content in sight: never further out than its ends plus the 10 % margin.
Axis clampedOrigin(Axis a) {
    const double visible = a.length / a.scale;
    const double slack = contentOf(a) * (kZoomOutShare - 1.0) / 2.0;
    if (visible >= contentOf(a)) {
        a.origin = std::clamp(a.origin, a.contentEnd - visible, a.contentBegin);
        return a;
    }
    a.origin = std::clamp(a.origin, a.contentBegin - slack, a.contentEnd + slack - visible);
    return a;
}
}  // namespace

double Axis::fitScale() const {
    return std::max(1e-12, length) / contentOf(*this);
}
double Axis::minScale() const {
    return fitScale() / kZoomOutShare;
}

bool Axis::isFitted() const {
    return std::abs(scale - fitScale()) <= 1e-9 * fitScale() && std::abs(toPixel(contentBegin)) < 0.5;
}

Axis Axis::zoomedAt(double pixel, double factor) const {
    Axis next = *this;
    const double value = toValue(pixel);
    next.scale = std::clamp(scale * factor, minScale(), std::max(maxScale, fitScale()));
    next.origin = value - pixel / next.scale;
    return next;
}

Axis Axis::panned(double pixels) const {
    Axis next = *this;
    next.origin -= pixels / scale;
    return clampedOrigin(next);
}

Axis Axis::fitted() const {
    Axis next = *this;
    next.scale = fitScale();
    next.origin = contentBegin;
    return next;
}

Axis Axis::fittedTo(double begin, double end, double margin) const {
    Axis next = *this;
    const double span = std::max(1e-9, end - begin) * (1.0 + 2.0 * margin);
    next.scale = std::clamp(length / span, minScale(), std::max(maxScale, fitScale()));
    next.origin = (begin + end) / 2.0 - length / next.scale / 2.0;
    return clampedOrigin(next);
}

Axis Axis::resized(double newLength) const {
    Axis next = *this;
    next.length = std::max(1.0, newLength);
    if (isFitted()) return next.fitted();
    next.scale = std::max(next.scale, next.minScale());
    return next;
}

Axis Axis::centredOn(double value) const {
    Axis next = *this;
    next.origin = value - length / scale / 2.0;
    return clampedOrigin(next);
}

double niceStep(double minimum, TickBase base) {
    const double wanted = std::max(1.0, minimum);
    if (base == TickBase::PowersOfTwo) {
        double step = 1;
        while (step < wanted)
            step *= 2;
        return step;
    }
    double decade = 1;
    for (;;) {
        for (const double m : {1.0, 2.0, 5.0})
            if (decade * m >= wanted) return decade * m;
        decade *= 10;
    }
}

std::vector<double> niceTicks(const Axis& axis, double minPixels, TickBase base) {
    const double begin = std::max(axis.contentBegin, std::ceil(axis.visibleBegin() - kRounding));
    const double end = std::min(axis.contentEnd, std::floor(axis.visibleEnd() + kRounding));
    if (end < begin) return {};
    if (end == begin) return {begin};
    const double step = niceStep(minPixels / axis.scale, base);
    std::vector<double> ticks{begin};
    for (double v = std::ceil(begin / step) * step; v < end; v += step) {
        const bool clear = (v - ticks.back()) * axis.scale >= minPixels && (end - v) * axis.scale >= minPixels;
        if (clear) ticks.push_back(v);
    }
    ticks.push_back(end);
    return ticks;
}

std::vector<double> gridTicks(const Axis& axis, double minPixels, TickBase base) {
    const double begin = std::max(axis.contentBegin, axis.visibleBegin()),
                 end = std::min(axis.contentEnd, axis.visibleEnd());
    const double half = 0.5 / axis.scale;
    std::vector<double> ticks;
    if (axis.contentBegin >= axis.visibleBegin() - half) ticks.push_back(axis.contentBegin);
    const bool showsEnd = axis.contentEnd <= axis.visibleEnd() + half;
    const double step = niceStep(minPixels / axis.scale, base);
    for (double v = std::ceil(begin / step) * step; v <= end + half; v += step) {
        const bool clearBefore = ticks.empty() || (v - ticks.back()) * axis.scale >= minPixels * 0.6;
        const bool clearAfter = !showsEnd || (axis.contentEnd - v) * axis.scale >= minPixels * 0.6;
        if (clearBefore && clearAfter) ticks.push_back(v);
    }
    if (showsEnd && (ticks.empty() || ticks.back() != axis.contentEnd)) ticks.push_back(axis.contentEnd);
    return ticks;
}

}  // namespace memplan::ui
