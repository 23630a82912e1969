// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/specs/spec_coordinates.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/verify/spyre/reading/device_form.h"
#include "engine/verify/spyre/reading/loops.h"
#include "engine/verify/spyre/reading/reading.h"
#include "engine/verify/spyre/specs/whole_parts.h"

#include <algorithm>
#include <array>

namespace memplan::verify {
namespace {

using Point = std::vector<std::int64_t>;

constexpr std::size_t kScattered = 24;   ///< points beside the corners
constexpr std::size_t kMostCorners = 6;  ///< loops of which all corners are looked at

/// A fixed sequence, so that a plan has the same findings everywhere.
class Scatter {
public:
    std::int64_t below(std::int64_t limit) {
        state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<std::int64_t>((state_ >> 33) % static_cast<std::uint64_t>(limit));
    }

private:
    std::uint64_t state_ = 12;
};

std::vector<Point> pointsOf(const std::vector<std::int64_t>& extents) {
    std::vector<Point> points;
    const std::size_t corners = std::min(extents.size(), kMostCorners);
    for (std::size_t mask = 0; mask < (std::size_t{1} << corners); ++mask) {
        Point p(extents.size(), 0);
        for (std::size_t v = 0; v < corners; ++v)
            p[v] = (mask >> v & 1) != 0 ? extents[v] - 1 : 0;
        points.push_back(std::move(p));
    }
    // One step along each loop, which corners may hide: a step of a whole stick, one before it, one behind.
    for (std::size_t v = 0; v < extents.size(); ++v) {
        for (const std::int64_t at : {std::int64_t{1}, std::int64_t{31}, std::int64_t{32}, std::int64_t{63},
                                      std::int64_t{64}, std::int64_t{127}, std::int64_t{128}, extents[v] - 1}) {
            if (at < 1 || at >= extents[v]) continue;
            Point p(extents.size(), 0);
            p[v] = at;
            points.push_back(std::move(p));
        }
    }
    Scatter scatter;
    for (std::size_t i = 0; i < kScattered && !extents.empty(); ++i) {
        Point p;
        for (const std::int64_t e : extents)
            p.push_back(scatter.below(e));
        points.push_back(std::move(p));
    }
    return points;
}

std::size_t loopOf(std::string_view symbol) {
    const auto number = symbol.starts_with('c') ? text::parseInt(symbol.substr(1)) : std::nullopt;
    return number && *number >= 0 ? static_cast<std::size_t>(*number) : SIZE_MAX;
}

}  // namespace

std::string CoordinateCheck::firstWrong(OpId id, const PlanAccess& access, const bundle::TensorArg& arg) {
    const BufferLayout& layout = *plan_.buffer(access.buffer).layout;
    if (arg.coordinates.size() != layout.deviceSize.size())
        return "has " + std::to_string(arg.coordinates.size()) + " coordinates, the layout " +
               std::to_string(layout.deviceSize.size()) + " dimensions";
    if (access.isIndirect || layout.strideMap.size() != layout.deviceSize.size()) return {};
    std::vector<std::int64_t> extents;
    if (arg.perTileFixed) {
        for (const IterationDim& d : plan_.op(id).iterationSpace)
            extents.push_back(d.extent);
    } else {
        extents = wholeExtents(plan_, id);
    }
    if (std::any_of(extents.begin(), extents.end(), [](std::int64_t e) { return e < 1; })) return {};
    std::vector<std::int64_t> key{access.offset, static_cast<std::int64_t>(extents.size())};
    const std::array<const std::vector<std::int64_t>*, 4> parts{&extents, &access.coefficients, &layout.deviceSize,
                                                                &layout.strideMap};
    for (const auto* part : parts)
        key.insert(key.end(), part->begin(), part->end());
    std::vector<std::vector<bundle::Expr>>& known = right_[std::move(key)];
    if (std::find(known.begin(), known.end(), arg.coordinates) != known.end()) return {};
    std::string wrong = evaluate(access, arg, extents);
    if (wrong.empty()) known.push_back(arg.coordinates);
    return wrong;
}

std::string CoordinateCheck::evaluate(const PlanAccess& access, const bundle::TensorArg& arg,
                                      const std::vector<std::int64_t>& extents) const {
    const BufferLayout& layout = *plan_.buffer(access.buffer).layout;
    const DigitReader digits(layout.deviceSize, layout.strideMap);
    Point real;
    for (const Point& p : pointsOf(extents)) {
        std::int64_t element = access.offset;
        for (std::size_t v = 0; v < p.size() && v < access.coefficients.size(); ++v)
            element = saturatedAdd(element, saturatedMul(access.coefficients[v], p[v]));
        digits.read(element, real);
        const auto valueOf = [&p](std::string_view symbol) {
            const std::size_t v = loopOf(symbol);
            return v < p.size() ? p[v] : std::int64_t{-1};
        };
        for (std::size_t d = 0; d < real.size(); ++d) {
            if (arg.coordinates[d].evaluate(valueOf) == real[d]) continue;
            return "coordinate " + std::to_string(d) + " (" + arg.coordinates[d].text() +
                   ") leads to another position than host element " + text::grouped(element) + ", which lies at " +
                   text::grouped(real[d]);
        }
    }
    return {};
}

std::vector<std::int64_t> tileSize(const Plan& plan, OpId id, const PlanAccess& access) {
    const PlanOp& op = plan.op(id);
    const BufferLayout& layout = *plan.buffer(access.buffer).layout;
    const DigitReader digits(layout.deviceSize, layout.strideMap);
    std::vector<std::int64_t> size = layout.deviceSize;
    const std::vector<std::int64_t> whole = wholeExtents(plan, id);
    for (std::size_t v = 0; v < op.iterationSpace.size() && v < access.coefficients.size(); ++v) {
        const IterationDim& d = op.iterationSpace[v];
        if (d.extent == whole[v] || d.extent < 1) continue;
        for (std::size_t dim = 0; dim + 1 < size.size(); ++dim) {
            if (!digits.moves(dim, access.coefficients[v], whole[v])) continue;
            const std::int64_t step = std::max<std::int64_t>(access.coefficients[v], 1);
            size[dim] = wholeParts(saturatedMul(d.extent, step), std::max(layout.strideMap[dim], step));
        }
    }
    return size;
}

}  // namespace memplan::verify
