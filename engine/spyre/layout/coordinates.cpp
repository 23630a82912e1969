// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/layout/coordinates.h"

#include "engine/base/numeric.h"
#include "engine/spyre/lower/index_range.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

namespace memplan::spyre {
namespace {

constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t kMaxDims = 16;
constexpr std::size_t kMaxLoops = 64;

/// Smallest stride above that of dimension `d`, among dimensions of more than one position.
std::int64_t nextStride(std::span<const std::int64_t> size, std::span<const std::int64_t> stride, std::size_t d) {
    std::int64_t next = kNoLimit;
    for (std::size_t j = 0; j < size.size(); ++j) {
        if (size[j] > 1 && stride[j] > stride[d]) next = std::min(next, stride[j]);
    }
    return next;
}

/// Dimension of the largest stride not above `step`; the first of equals, -1 for none.
int primaryDim(std::span<const std::int64_t> size, std::span<const std::int64_t> stride, std::int64_t step) {
    int best = -1;
    for (std::size_t d = 0; d < size.size(); ++d) {
        if (size[d] == 1 || stride[d] <= 0 || stride[d] > step) continue;
        if (best < 0 || stride[d] > stride[static_cast<std::size_t>(best)]) best = static_cast<int>(d);
    }
    return best;
}

/// Host element at which the constants of all coordinates stand. It is another one than the offset where this passes
/// rows that are no whole sticks.
std::int64_t offsetOf(const Coordinates& coords, const StickLayout& layout) {
    std::int64_t sum = 0;
    for (std::size_t d = 0; d < coords.size(); ++d)
        sum = saturatedAdd(sum, saturatedMul(coords[d].constant, std::max<std::int64_t>(layout.strideMap[d], 0)));
    return sum;
}

std::string termText(const CoordinateTerm& t, std::span<const LoopVar> loops) {
    const std::string name = loops[static_cast<std::size_t>(t.loop)].name;
    if (t.isPlain()) return t.wrap == 0 ? name : name + " mod " + std::to_string(t.wrap / t.stride);
    std::string value = t.step == 1 ? name : std::to_string(t.step) + "*" + name;
    if (t.wrap != 0) value = "(" + value + " mod " + std::to_string(t.wrap) + ")";
    if (t.stride == 1) return value;
    if (t.wrap == 0 && t.step % t.stride == 0) return std::to_string(t.step / t.stride) + "*" + name;
    return "floor(" + value + "/" + std::to_string(t.stride) + ")";
}

}  // namespace

LoopMask CoordinateView::loops() const {
    LoopMask mask = 0;
    for (const CoordinateTerm& t : terms)
        mask |= LoopMask{1} << t.loop;
    return mask;
}

std::optional<int> CoordinateView::bareLoop() const {
    if (constant != 0 || terms.size() != 1 || terms[0].wrap != 0 || !terms[0].isPlain()) return std::nullopt;
    return terms[0].loop;
}

std::optional<int> CoordinateView::onlyLoop() const {
    const LoopMask mask = loops();
    if (std::popcount(mask) != 1) return std::nullopt;
    return std::countr_zero(mask);
}

std::int64_t CoordinateView::at(std::span<const std::int64_t> loopValues) const {
    std::int64_t sum = constant;
    for (const CoordinateTerm& t : terms)
        sum += t.at(loopValues[static_cast<std::size_t>(t.loop)]);
    return sum;
}

std::string CoordinateView::text(std::span<const LoopVar> loops) const {
    std::string out;
    for (const CoordinateTerm& t : terms) {
        if (!out.empty()) out += " + ";
        out += termText(t, loops);
    }
    if (out.empty()) return std::to_string(constant);
    return constant == 0 ? out : out + " + " + std::to_string(constant);
}

std::string Coordinates::text(std::span<const LoopVar> loops) const {
    std::string out = "[";
    for (std::size_t d = 0; d < size(); ++d) {
        if (d > 0) out += ", ";
        out += (*this)[d].text(loops);
    }
    return out + "]";
}

bool operator==(const Coordinates& a, const Coordinates& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t d = 0; d < a.size(); ++d) {
        if (!(a[d] == b[d])) return false;
    }
    return true;
}

Coordinates coordinates(std::span<const std::int64_t> size, std::span<const std::int64_t> stride,
                        std::span<const LoopVar> loops, const Index& index) {
    Coordinates out;
    const std::size_t rank = std::min(size.size(), kMaxDims);
    out.dims_.resize(rank);
    struct Mover {
        int loop;
        std::int64_t step, limit;
        int primary;  ///< dimension that its single steps move
    };
    std::array<Mover, kMaxLoops> movers;
    std::size_t count = 0;
    for (std::size_t v = 0; v < std::min({loops.size(), index.coefficients.size(), kMaxLoops}); ++v) {
        const std::int64_t step = index.coefficients[v];
        if (step == 0 || loops[v].extent <= 1) continue;
        movers[count++] = {static_cast<int>(v), step, step * loops[v].extent, primaryDim(size, stride, step)};
    }
    const int offsetPrimary = index.offset > 0 ? primaryDim(size, stride, 1) : -1;

    for (std::size_t d = 0; d < rank; ++d) {
        Coordinates::Dim& dim = out.dims_[d];
        dim.first = static_cast<std::uint32_t>(out.terms_.size());
        if (size[d] == 1 || stride[d] <= 0) continue;
        const std::int64_t next = nextStride(size, stride, d);
        if (index.offset > 0 && (static_cast<int>(d) == offsetPrimary || stride[d] > 1))
            dim.constant = (next < kNoLimit ? index.offset % next : index.offset) / stride[d];
        for (const Mover& m : std::span(movers.data(), count)) {
            const bool isCrossed = m.step < stride[d] && stride[d] < m.limit;
            if (m.primary != static_cast<int>(d) && !isCrossed) continue;
            out.terms_.push_back({m.loop, m.step, next < m.limit ? next : 0, stride[d]});
        }
        dim.count = static_cast<std::uint32_t>(out.terms_.size()) - dim.first;
    }
    return out;
}

bool isSupportedStick(CoordinateView stick, std::int64_t elemsPerStick) {
    if (stick.constant != 0 || stick.terms.size() > 1) return false;
    if (stick.terms.empty()) return true;
    const CoordinateTerm& t = stick.terms[0];
    return t.isPlain() && (t.wrap == 0 || t.wrap / t.stride == elemsPerStick);
}

Result<Coordinates> deviceCoordinates(const StickLayout& layout, std::span<const LoopVar> loops, const Index& index) {
    Coordinates coords = coordinates(layout.deviceSize, layout.strideMap, loops, index);
    if (!isSupportedStick(coords.back(), elemsPerStick(layout.dtype))) {
        return unsupported("LAY-003", "", "Unexpected stick expression " + coords.back().text(loops));
    }
    if (!fillsLayout(layout, loops, index) || offsetOf(coords, layout) != index.offset) {
        return unsupported("LAY-007", "",
                           "an index that carries from one device dimension into the next: " + coords.text(loops));
    }
    return coords;
}

std::optional<std::size_t> matchingDim(const Coordinates& coords, CoordinateView expression) {
    const std::optional<int> loop = expression.onlyLoop();
    if (!loop) return std::nullopt;
    const bool isWrapped = expression.constant == 0 && expression.terms.size() == 1 && expression.terms[0].isPlain() &&
                           expression.terms[0].wrap != 0;
    const std::int64_t a = isWrapped ? expression.terms[0].wrap / expression.terms[0].stride : 0;
    std::optional<std::size_t> found;
    for (std::size_t d = 0; d < coords.size(); ++d) {
        const CoordinateView c = coords[d];
        if (c.constant != 0 || c.terms.size() != 1 || c.terms[0].loop != *loop || !c.terms[0].isPlain()) continue;
        const std::int64_t b = c.terms[0].wrap / c.terms[0].stride;
        if (c.terms[0].wrap != 0 && !(isWrapped && a <= b)) continue;
        if (found) return std::nullopt;
        found = d;
    }
    return found;
}

Error unsupported(std::string code, std::string where, const std::string& message) {
    return makeError(std::move(code), std::move(where), "Spyre backend does not support: " + message);
}

}  // namespace memplan::spyre
