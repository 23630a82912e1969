// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/artefact/bundle/entry_access.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/sim/eval/values.h"
#include "engine/verify/spyre/artefact/access/memory.h"
#include "engine/verify/spyre/artefact/files/coordinate.h"

#include <algorithm>

namespace memplan::sim::artefact {
namespace {

using std::int64_t;
using std::string;
using Point = std::vector<int64_t>;

std::vector<string> symbolsOf(const OpEntry& op) {
    std::vector<string> out;
    for (const EntryLoop& l : op.loops)
        out.push_back(l.symbol);
    return out;
}

/// The layout of one tensor as its entry says it: byte of every point of the iteration space.
class EntryLayout {
public:
    EntryLayout(const OpEntry& op, const EntryTensor& tensor) : tensor_(tensor) {
        const std::vector<string> symbols = symbolsOf(op);
        for (const string& text : tensor.coordinates) {
            auto c = Coordinate::parse(text, symbols);
            isKnown_ = isKnown_ && c.has_value();
            coordinates_.push_back(c.value_or(Coordinate()));
        }
        const int64_t width = kStickBytes / std::max<int64_t>(tensor.size.back(), 1);
        int64_t inner = width;
        units_.resize(tensor.size.size());
        for (std::size_t d = tensor.size.size(); d-- > 0;) {
            units_[d] = inner;
            const int64_t pieces = piecesOf(op, d);
            isKnown_ = isKnown_ && tensor.size[d] % pieces == 0;
            inner = saturatedMul(inner, tensor.size[d] / pieces);
        }
        bytes_ = inner;
        // Sticks beside the first one of a narrower type: outermost dimensions that no point leaves, of which no file
        // speaks.
        reached_ = inner;
        for (std::size_t d = 0; d + 1 < tensor.size.size() && standsStill(d, symbols.size()); ++d)
            reached_ /= std::max<int64_t>(tensor.size[d], 1);
        for (const int64_t stride : tensor.strideMap)
            hostUnits_.push_back(saturatedMul(std::max<int64_t>(stride, 0), width));
    }

    /// False where a coordinate has a form that the format does not know.
    [[nodiscard]] bool isKnown() const { return isKnown_; }
    [[nodiscard]] bool mentions(std::size_t symbol) const {
        return std::any_of(coordinates_.begin(), coordinates_.end(),
                           [symbol](const Coordinate& c) { return c.mentions(symbol); });
    }
    [[nodiscard]] std::optional<int64_t> byteAt(const Point& point) const { return sumAt(point, units_); }
    /// By the strides of the host; none where the entry does not give them.
    [[nodiscard]] std::optional<int64_t> hostByteAt(const Point& point) const {
        return hostUnits_.empty() ? std::nullopt : sumAt(point, hostUnits_);
    }
    /// The outermost dimension is one that a loop cuts, and has the size of one of its pieces.
    [[nodiscard]] bool isTileAlone(const OpEntry& op) const {
        std::size_t d = 0;
        while (d + 1 < tensor_.size.size() && tensor_.size[d] == 1 && !isCut(op, d))
            ++d;
        return isCut(op, d);
    }
    [[nodiscard]] bool holds(const Point& point) const {
        const auto at = byteAt(point);
        return at && *at >= 0 && *at < bytes_;
    }
    [[nodiscard]] int64_t bytes() const { return bytes_; }      ///< of all of it in one memory
    [[nodiscard]] int64_t reached() const { return reached_; }  ///< without an outermost dimension that stands still

private:
    const EntryTensor& tensor_;
    std::vector<Coordinate> coordinates_;
    std::vector<int64_t> units_, hostUnits_;
    int64_t bytes_ = 0, reached_ = 0;
    bool isKnown_ = true;

    [[nodiscard]] bool standsStill(std::size_t d, std::size_t symbols) const {
        std::size_t s = 0;
        while (s < symbols && !coordinates_[d].mentions(s))
            ++s;
        return s == symbols;
    }

    [[nodiscard]] bool isCut(const OpEntry& op, std::size_t d) const {
        for (std::size_t s = 0; s < op.loops.size(); ++s) {
            const bool isTiled = std::find(op.tiled.begin(), op.tiled.end(), op.loops[s].symbol) != op.tiled.end();
            if (isTiled && coordinates_[d].mentions(s) && tensor_.size[d] == op.loops[s].extent) return true;
        }
        return false;
    }

    /// In LX every core holds its slice alone: how many times fewer positions of a dimension the first one has.
    int64_t piecesOf(const OpEntry& op, std::size_t d) const {
        if (tensor_.memory != "lx" || d + 1 == coordinates_.size()) return 1;
        const auto slice = [](const EntryLoop& l) { return ceilDiv(l.extent, l.split); };
        const int64_t own = positions(op, d, slice);
        const int64_t all = positions(op, d, [](const EntryLoop& l) { return l.extent; });
        return own > 0 && all % own == 0 ? all / own : 1;
    }

    /// Positions of dimension d in a box of the iteration space from 0 on.
    template <class Extent> int64_t positions(const OpEntry& op, std::size_t d, Extent&& extent) const {
        constexpr int64_t kMost = 65'536;
        Point point(op.loops.size(), 0);
        int64_t last = 0;
        for (std::size_t s = 0; s < op.loops.size(); ++s) {
            if (!coordinates_[d].mentions(s)) continue;
            int64_t most = 0;
            for (int64_t v = 0; v < std::min<int64_t>(extent(op.loops[s]), kMost); ++v) {
                point[s] = v;
                most = std::max(most, coordinates_[d].at(point).value_or(0));
            }
            point[s] = 0;
            last += most;
        }
        return last + 1;
    }

    std::optional<int64_t> sumAt(const Point& point, const std::vector<int64_t>& units) const {
        int64_t sum = 0;
        for (std::size_t d = 0; d < coordinates_.size(); ++d) {
            const auto at = coordinates_[d].at(point);
            const auto bytes = at ? checkedMul(*at, units[d]) : std::nullopt;
            const auto next = bytes ? checkedAdd(sum, *bytes) : std::nullopt;
            if (!next) return std::nullopt;
            sum = *next;
        }
        return sum;
    }
};

/// Labels of the file that a loop of the source is: one, or several that walk it in pieces, by default the last one
/// fastest.
using LabelsOfLoop = std::vector<std::vector<std::size_t>>;

/// The extent of the file is that of the loop, or raised to whole sticks.
bool isExtent(const Descriptor& d, std::size_t label, int64_t extent) {
    if (d.labels[label].extent == extent) return true;
    return std::any_of(d.tensors.begin(), d.tensors.end(), [&](const Tensor& t) {
        return t.stickSize > 0 && ceilDiv(extent, t.stickSize) * t.stickSize == d.labels[label].extent;
    });
}

std::optional<LabelsOfLoop> labelsOf(const OpEntry& op, const Descriptor& d) {
    LabelsOfLoop out;
    std::size_t next = 0;
    for (const EntryLoop& loop : op.loops) {
        std::vector<std::size_t>& own = out.emplace_back();
        if (next == d.labels.size()) return std::nullopt;
        own.push_back(next++);
        int64_t product = d.labels[own.front()].extent;
        while (product < loop.extent && next < d.labels.size() && loop.extent % product == 0) {
            product = saturatedMul(product, d.labels[next].extent);
            own.push_back(next++);
        }
        if (own.size() == 1 ? !isExtent(d, own.front(), loop.extent) : product != loop.extent) return std::nullopt;
    }
    return out;
}

/// Where a file has a point: the byte, and the point that byte is counted from. In LX every core counts from its own
/// slice.
class FileLayout {
public:
    FileLayout(const LoadedFile& file, const LabelsOfLoop& labels, std::size_t tensor)
        : d_(file.descriptor), labels_(labels), tensor_(d_.tensors[tensor]), access_(file.ready.access[tensor]) {}

    [[nodiscard]] std::pair<int64_t, Point> byteAt(const Point& point) const {
        int64_t sum = 0;
        Point origin(point.size(), 0);
        for (std::size_t s = 0; s < point.size(); ++s) {
            int64_t rest = point[s];
            int64_t weight = 1;
            for (std::size_t k = labels_[s].size(); k-- > 0;) {
                const std::size_t l = labels_[s][k];
                const int64_t perCore = d_.labels[l].perCore;
                const int64_t digit = rest % d_.labels[l].extent;
                rest /= d_.labels[l].extent;
                if (tensor_.isLx) origin[s] += digit / perCore * perCore * weight;
                weight *= d_.labels[l].extent;
                if (!access_.moves(l)) continue;
                sum += access_.offset[l][static_cast<std::size_t>(digit % perCore)];
                if (!tensor_.isLx) sum += digit / perCore * access_.sliceBytes[l];
            }
        }
        return {sum, origin};
    }

    /// Of all of it in one memory; `hasEnd`: with the gap behind the outermost dimension that it has more than once.
    [[nodiscard]] int64_t bytes(bool hasEnd) const {
        int64_t bytes = kStickBytes;
        bool isOutermost = true;
        for (std::size_t k = tensor_.dims.size(); k-- > 0;) {
            const ArgDim& dim = tensor_.dims[k];
            const bool isStick = dim.label == tensor_.stick;
            const int64_t whole = tensor_.isLx ? dim.perCore : d_.labels[static_cast<std::size_t>(dim.label)].extent;
            const int64_t own = dim.scale == 1 ? whole : 1;
            const int64_t elements = own + (isOutermost && !hasEnd ? 0 : dim.gap);
            bytes = saturatedMul(bytes, isStick ? ceilDiv(elements, tensor_.stickSize) : elements);
            isOutermost = isOutermost && own == 1;
        }
        return bytes;
    }

private:
    const Descriptor& d_;
    const LabelsOfLoop& labels_;
    const Tensor& tensor_;
    const Access& access_;
};

/// Points that distinguish two layouts: every loop alone, and some points of all loops together.
template <class Visit> bool holdsAtPoints(const OpEntry& op, Visit&& holds) {
    constexpr int64_t kMostAlone = 2048;
    constexpr int kTogether = 16;
    Point point(op.loops.size(), 0);
    for (std::size_t s = 0; s < op.loops.size(); ++s) {
        const int64_t extent = op.loops[s].extent;
        for (int64_t v = 0; v < std::min(extent, kMostAlone); ++v) {
            point[s] = v;
            if (!holds(point)) return false;
            point[s] = extent - 1 - v;
            if (v < kStickBytes && !holds(point)) return false;
        }
        point[s] = 0;
    }
    for (int i = 0; i < kTogether; ++i) {
        for (std::size_t s = 0; s < op.loops.size(); ++s)
            point[s] = static_cast<int64_t>(prf(static_cast<std::uint64_t>(i), s) %
                                            static_cast<std::uint64_t>(op.loops[s].extent));
        if (!holds(point)) return false;
    }
    return true;
}

Point lastPoint(const OpEntry& op) {
    Point last;
    for (const EntryLoop& l : op.loops)
        last.push_back(l.extent - 1);
    return last;
}

bool sameElements(const OpEntry& op, const LoadedFile& file, const LabelsOfLoop& labels, std::size_t t) {
    const EntryTensor& tensor = op.tensors[t];
    if (tensor.hasOwnDivision) return true;
    const EntryLayout said(op, tensor);
    const FileLayout real(file, labels, t);
    const auto isRoom = [&](int64_t bytes) { return bytes == real.bytes(true) || bytes == real.bytes(false); };
    const bool isLx = tensor.memory == "lx";
    // Of main memory a file shows steps: an outer one may lead past the end of a tensor whose last rows stand beside
    // others, and a tile has the step of the tensor that its loop cuts.
    const bool isFree = said.bytes() < real.bytes(false) || said.isTileAlone(op);
    const bool hasRoom = isLx ? isRoom(said.bytes()) || isRoom(said.reached())
                              : said.bytes() >= real.bytes(true) || (isFree && said.holds(lastPoint(op)));
    if (!said.isKnown() || !hasRoom) return false;
    return holdsAtPoints(op, [&](const Point& point) {
        if (!isLx && !said.holds(point)) return false;
        const auto [wanted, origin] = real.byteAt(point);
        const auto from = said.byteAt(origin);
        const auto there = said.byteAt(point);
        return from && there && *there - *from == wanted;
    });
}

bool holds(const std::vector<string>& list, const string& symbol) {
    return std::find(list.begin(), list.end(), symbol) != list.end();
}

bool isListed(const std::vector<const OpEntry*>& loops) {
    return std::any_of(loops.begin(), loops.end(), [](const OpEntry* l) { return !l->tiled.empty(); });
}

/// Symbols that each loop tiles in the operation (8.3): loops without lists of their own have one symbol each.
struct Levels {
    std::vector<std::vector<std::size_t>> symbols;
    std::size_t count = 0;  ///< of all levels
};

Levels tiledLevels(const OpEntry& op, const std::vector<const OpEntry*>& loops) {
    const bool areListed = isListed(loops);
    Levels levels{std::vector<std::vector<std::size_t>>(loops.size()), 0};
    for (std::size_t level = 0; level < loops.size(); ++level) {
        for (std::size_t s = 0; s < op.loops.size(); ++s) {
            const string& symbol = op.loops[s].symbol;
            const bool isOwn = !areListed && level < op.tiled.size() && op.tiled[level] == symbol;
            if (!isOwn && !(holds(loops[level]->tiled, symbol) && holds(op.tiled, symbol))) continue;
            levels.symbols[level].push_back(s);
            ++levels.count;
        }
    }
    return levels;
}

}  // namespace

std::vector<TensorSteps> stepsOf(const OpEntry& op, const std::vector<const OpEntry*>& loops) {
    std::vector<TensorSteps> out;
    const Levels levels = tiledLevels(op, loops);
    for (const EntryTensor& tensor : op.tensors) {
        TensorSteps& steps = out.emplace_back();
        const EntryLayout layout(op, tensor);
        const auto origin = layout.isKnown() ? layout.byteAt(Point(op.loops.size(), 0)) : std::nullopt;
        // Where more loops list a symbol than the operation has it, the source does not say which of them tiles it.
        if (!origin || levels.count != op.tiled.size()) continue;
        steps.areKnown = true;
        steps.first = *origin;
        steps.device.assign(loops.size(), 0);
        steps.host.assign(loops.size(), 0);
        for (std::size_t level = 0; level < loops.size() && !tensor.isFixed; ++level) {
            for (const std::size_t s : levels.symbols[level]) {
                Point moved(op.loops.size(), 0);
                const auto before = layout.hostByteAt(moved);
                moved[s] = op.loops[s].extent;
                const auto after = layout.hostByteAt(moved);
                const auto device = layout.byteAt(moved);
                steps.areKnown = steps.areKnown && device;
                steps.device[level] += device.value_or(0) - *origin;
                steps.host[level] += after.value_or(0) - before.value_or(0);
            }
        }
    }
    return out;
}

string accessDifference(const OpEntry& op, const std::vector<const OpEntry*>& loops, const LoadedFile& file) {
    const Descriptor& d = file.descriptor;
    const auto labels = labelsOf(op, d);
    if (!labels) return "other extents";
    for (std::size_t s = 0; s < op.loops.size(); ++s) {
        int64_t slices = 1;
        for (const std::size_t l : (*labels)[s])
            slices = saturatedMul(slices, d.labels[l].slices);
        if (slices != op.loops[s].split) return "other slices of " + op.loops[s].symbol;
        const Label& first = d.labels[(*labels)[s].front()];
        const bool isMasked = first.masked.first < first.masked.second;
        if (isMasked && first.masked.first != op.loops[s].extent) return "another extent of " + op.loops[s].symbol;
    }
    for (const string& symbol : op.tiled) {
        const auto isIts = [&symbol](const EntryLoop& l) { return l.symbol == symbol; };
        if (std::none_of(op.loops.begin(), op.loops.end(), isIts)) return "a tiled symbol that it does not have,";
    }
    if (isListed(loops) && tiledLevels(op, loops).count < op.tiled.size()) return "a tiled symbol that no loop lists,";
    // Of the labels that walk one loop in pieces the first or the last is the fastest.
    LabelsOfLoop reversed = *labels;
    for (std::vector<std::size_t>& own : reversed)
        std::reverse(own.begin(), own.end());
    const auto differing = [&](const LabelsOfLoop& by) {
        std::size_t t = 0;
        while (t < op.tensors.size() && sameElements(op, file, by, t))
            ++t;
        return t;
    };
    const std::size_t t = differing(*labels);
    if (t == op.tensors.size() || differing(reversed) == op.tensors.size()) return "";
    return "other elements of tensor " + std::to_string(t);
}

}  // namespace memplan::sim::artefact
