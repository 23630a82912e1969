// SPDX-License-Identifier: GPL-3.0-or-later
// The part of core_map.h that compares how a writer and a reader cut one buffer.
#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/plan/dimension_name.h"
#include "engine/plan/loop_words.h"
#include "widgets/views/coregrid/data/core_map.h"

#include <algorithm>
#include <numeric>

namespace memplan::ui {
namespace {

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

/// By the names that the buffer's writer declared, else by position.
std::string hostDimName(const Plan& plan, const PlanBuffer& buffer, int host) {
    return dimensionName(at(host), buffer.layout->size.size(), declaredDims(plan, buffer));
}

std::int64_t elementsPerStick(const BufferLayout& layout) {
    return layout.deviceSize.empty() ? 1 : layout.deviceSize.back();
}

/// Host dimension whose stride equals the device stride; among equal strides the larger extent.
int hostWithStride(const PlanBuffer& buffer, std::int64_t stride) {
    int found = -1;
    const BufferLayout& layout = *buffer.layout;
    for (std::size_t h = 0; h < layout.stride.size() && h < layout.size.size(); ++h) {
        if (layout.stride[h] != stride) continue;
        if (found < 0 || layout.size[h] > layout.size[at(found)]) found = static_cast<int>(h);
    }
    return found;
}

DeviceDim deviceDim(const PlanBuffer& buffer, int index) {
    const BufferLayout& layout = *buffer.layout;
    DeviceDim d;
    d.device = index;
    d.size = layout.deviceSize[at(index)];
    d.extent = d.size;
    if (at(index) >= layout.strideMap.size()) return d;
    const std::int64_t stride = layout.strideMap[at(index)], eps = elementsPerStick(layout);
    const std::int64_t stickStride = layout.strideMap.back();
    d.host = hostWithStride(buffer, stride);
    // The tile index of the stick variable steps by one stick of elements (LWD 14).
    const bool stepsBySticks = stickStride > 0 && stride == eps * stickStride;
    const int stickHost = stepsBySticks ? hostWithStride(buffer, stickStride) : -1;
    if (stickHost >= 0 && (d.host < 0 || ceilDiv(layout.size[at(stickHost)], eps) == d.size)) {
        d.host = stickHost;
        d.isStick = true;
    }
    if (d.host >= 0) d.extent = layout.size[at(d.host)];
    return d;
}

/// Two dimensions for the picture: those that either side cuts, then the largest; the outer host
/// dimension becomes the rows.
PicturePlane planeOf(const SplitPair& pair) {
    std::vector<int> order(pair.dims.size());
    std::iota(order.begin(), order.end(), 0);
    const auto cuts = [&](int i) {
        const int device = pair.dims[at(i)].device;
        return std::max(piecesAlong(*pair.write, device), piecesAlong(*pair.read, device));
    };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        const bool x = cuts(a) > 1, y = cuts(b) > 1;
        if (x != y) return x;
        return pair.dims[at(a)].size > pair.dims[at(b)].size;
    });
    if (order.empty()) return {};
    if (order.size() == 1) return {-1, order[0]};
    const bool inOrder = pair.dims[at(order[0])].host <= pair.dims[at(order[1])].host;
    return inOrder ? PicturePlane{order[0], order[1]} : PicturePlane{order[1], order[0]};
}

bool sameCut(const PlanAccess& a, const PlanAccess& b) {
    return a.sliceDims == b.sliceDims && a.coreSlots == b.coreSlots;
}

bool splitsReduction(const PlanOp& op) {
    return std::any_of(op.iterationSpace.begin(), op.iterationSpace.end(),
                       [](const IterationDim& d) { return d.isReduction && d.slices > 1; });
}

SplitPair pairOf(const Plan& plan, BufferId buffer, OpId writer, OpId reader) {
    SplitPair pair;
    pair.buffer = buffer;
    pair.writer = writer;
    pair.reader = reader;
    pair.write = accessOf(plan.op(writer), buffer, true);
    pair.read = accessOf(plan.op(reader), buffer, false);
    pair.writerCores = plan.op(writer).cores;
    pair.readerCores = plan.op(reader).cores;
    if (pair.write == nullptr || pair.read == nullptr) return pair;
    pair.hasPartialSums = splitsReduction(plan.op(writer));
    pair.dims = deviceDimsOf(plan, buffer);
    pair.plane = planeOf(pair);
    pair.isSame = sameCut(*pair.write, *pair.read) && pair.writerCores == pair.readerCores && !pair.hasPartialSums;
    return pair;
}

std::string alongText(const std::vector<DeviceDim>& dims, const PlanAccess& access) {
    std::vector<std::string> names;
    for (const DeviceDim& d : dims)
        if (piecesAlong(access, d.device) > 1) names.push_back(d.name);
    return text::join(names, " and ");
}

/// `what` is who or what cuts: "produced", "by max".
std::string cutClause(const std::vector<DeviceDim>& dims, const PlanAccess& access, const std::string& what,
                      std::int64_t cores) {
    const std::int64_t pieces = piecesOf(access);
    if (pieces > 1) return what + " in " + std::to_string(pieces) + " pieces along " + alongText(dims, access);
    return what + " whole by " + (cores == 1 ? "one core" : "each of " + std::to_string(cores) + " cores");
}

/// Units of a dimension that both coreSlices cover; `size` need not be a multiple of the pieces' product.
std::int64_t commonUnits(std::int64_t size, std::pair<std::int64_t, std::int64_t> a,
                         std::pair<std::int64_t, std::int64_t> b) {
    const std::int64_t begin = std::max(a.first * size / a.second, b.first * size / b.second);
    const std::int64_t end = std::min((a.first + 1) * size / a.second, (b.first + 1) * size / b.second);
    return std::max<std::int64_t>(0, end - begin);
}

/// size * part / whole without overflow: the common divisor of part and whole goes first.
Bytes exactFraction(Bytes size, std::int64_t part, std::int64_t whole) {
    const std::int64_t g = std::gcd(part, whole);
    return g == 0 ? 0 : size / (whole / g) * (part / g) + size % (whole / g) * (part / g) / (whole / g);
}

}  // namespace

std::int64_t piecesAlong(const PlanAccess& access, int deviceDim) {
    for (const auto& [dim, slices] : access.sliceDims)
        if (dim == deviceDim) return slices;
    return 1;
}

std::int64_t piecesOf(const PlanAccess& access) {
    std::int64_t pieces = 1;
    for (const auto& [dim, slices] : access.sliceDims)
        pieces *= slices;
    return pieces;
}

std::int64_t slotAlong(const PlanAccess& access, int deviceDim, int core) {
    for (std::size_t i = 0; i < access.sliceDims.size() && i < access.coreSlots.size(); ++i) {
        const std::vector<int>& coreSlices = access.coreSlots[i];
        if (access.sliceDims[i].first == deviceDim && core >= 0 && at(core) < coreSlices.size())
            return coreSlices[at(core)];
    }
    return 0;
}

const PlanAccess* accessOf(const PlanOp& op, BufferId buffer, bool wantWrite) {
    for (const PlanAccess& a : op.accesses)
        if (a.buffer == buffer && a.isWrite == wantWrite) return &a;
    return nullptr;
}

std::vector<DeviceDim> deviceDimsOf(const Plan& plan, BufferId id) {
    std::vector<DeviceDim> dims;
    const PlanBuffer& buffer = plan.buffer(id);
    if (!buffer.layout) return dims;
    for (std::size_t i = 0; i + 1 < buffer.layout->deviceSize.size(); ++i) {
        DeviceDim d = deviceDim(buffer, static_cast<int>(i));
        d.name = d.host >= 0 ? hostDimName(plan, buffer, d.host) : "device dim " + std::to_string(i);
        dims.push_back(std::move(d));
    }
    std::stable_sort(dims.begin(), dims.end(), [](const DeviceDim& a, const DeviceDim& b) { return a.host < b.host; });
    return dims;
}

std::vector<std::string> reducedDims(const Plan& plan, OpId id, const PlanAccess& access) {
    std::vector<std::string> names;
    const PlanOp& op = plan.op(id);
    const PlanBuffer& buffer = plan.buffer(access.buffer);
    if (!buffer.layout || access.isWrite) return names;
    for (std::size_t d = 0; d < op.iterationSpace.size() && d < access.coefficients.size(); ++d)
        if (const int host = hostWithStride(buffer, access.coefficients[d]);
            op.iterationSpace[d].isReduction && host >= 0)
            names.push_back(hostDimName(plan, buffer, host));
    return names;
}

std::string namedSplitText(const Plan& plan, const PlanOp& op) {
    const PlanAccess* write = op.outputs.empty() ? nullptr : accessOf(op, op.outputs.front(), true);
    std::vector<const PlanAccess*> accesses;
    if (write != nullptr) accesses.push_back(write);
    for (const PlanAccess& a : op.accesses)
        if (!a.isWrite) accesses.push_back(&a);
    std::vector<std::string> parts;
    for (std::size_t d = 0; d < op.iterationSpace.size(); ++d) {
        if (op.iterationSpace[d].slices <= 1) continue;
        std::string name = op.iterationSpace[d].name;
        for (const PlanAccess* a : accesses) {
            const PlanBuffer& b = plan.buffer(a->buffer);
            const bool isUsed = d < a->coefficients.size() && a->coefficients[d] != 0 && b.layout;
            const int host = isUsed ? hostWithStride(b, a->coefficients[d]) : -1;
            if (host < 0) continue;
            name = hostDimName(plan, b, host);
            break;
        }
        parts.push_back(name + " " + std::to_string(op.iterationSpace[d].slices));
    }
    return parts.empty() ? wholeText(op) : text::join(parts, ", ");
}

std::vector<OpId> readersOf(const Plan& plan, BufferId id) {
    const PlanBuffer& buffer = plan.buffer(id);
    std::vector<OpId> readers;
    for (const OpId reader : buffer.uses)
        if (reader.isValid() && reader != buffer.producer) readers.push_back(reader);
    std::ranges::sort(readers);
    readers.erase(std::unique(readers.begin(), readers.end()), readers.end());
    return readers;
}

std::optional<SplitPair> splitPairOf(const Plan& plan, BufferId id, OpId reader) {
    const OpId writer = plan.buffer(id).producer;
    if (!writer.isValid() || !reader.isValid() || reader == writer) return std::nullopt;
    SplitPair pair = pairOf(plan, id, writer, reader);
    if (pair.write == nullptr || pair.read == nullptr) return std::nullopt;
    return pair;
}

std::optional<SplitPair> splitPairOf(const Plan& plan, BufferId id) {
    const PlanBuffer& buffer = plan.buffer(id);
    if (buffer.reason && buffer.reason->writer.isValid() && buffer.reason->reader.isValid()) {
        const SplitPair pair = pairOf(plan, id, buffer.reason->writer, buffer.reason->reader);
        if (pair.write != nullptr && pair.read != nullptr) return pair;
    }
    std::optional<SplitPair> first;
    for (const OpId reader : readersOf(plan, id)) {
        const std::optional<SplitPair> pair = splitPairOf(plan, id, reader);
        if (pair && !pair->isSame) return pair;
        if (!first) first = pair;
    }
    return first;
}

std::vector<SplitPair> allSplitPairs(const Plan& plan) {
    std::vector<SplitPair> pairs;
    for (std::size_t o = 0; o < plan.ops.size(); ++o)
        for (const BufferId out : plan.ops[o].outputs)
            for (const OpId reader : plan.buffer(out).uses) {
                if (reader.at() == o) continue;
                SplitPair pair = pairOf(plan, out, OpId::of(o), reader);
                if (pair.write != nullptr && pair.read != nullptr) pairs.push_back(std::move(pair));
            }
    return pairs;
}

std::string cutText(const std::vector<DeviceDim>& dims, const PlanAccess& access) {
    std::vector<std::string> parts;
    for (const DeviceDim& d : dims)
        if (const std::int64_t n = piecesAlong(access, d.device); n > 1)
            parts.push_back(d.name + " " + std::to_string(n));
    return parts.empty() ? "whole" : text::join(parts, ", ");
}

std::string cutSentence(const std::vector<DeviceDim>& dims, const PlanAccess& access) {
    std::vector<std::string> parts;
    for (const DeviceDim& d : dims) {
        const std::int64_t n = piecesAlong(access, d.device);
        if (d.size <= 1 && n <= 1) continue;
        if (n <= 1) {
            parts.push_back(d.name + ": not split");
            continue;
        }
        const std::string unit = d.isStick ? (d.size == n ? " stick each" : " sticks each") : " each";
        parts.push_back(d.name + ": " + std::to_string(d.size) + " / " + std::to_string(n) + " = " +
                        std::to_string(d.size / n) + unit);
    }
    return parts.empty() ? "not split" : text::join(parts, "; ");
}

CoreShare shareOf(const Plan& plan, const SplitPair& pair, int core) {
    CoreShare share;
    const Bytes size = plan.buffer(pair.buffer).size;
    const bool writes = core < pair.writerCores, reads = core < pair.readerCores;
    if (writes) share.written = size / std::max<std::int64_t>(1, piecesOf(*pair.write));
    if (reads) share.read = size / std::max<std::int64_t>(1, piecesOf(*pair.read));
    if (!writes || !reads) return share;
    std::int64_t common = 1, all = 1;
    for (const DeviceDim& d : pair.dims) {
        const std::pair w{slotAlong(*pair.write, d.device, core), piecesAlong(*pair.write, d.device)};
        const std::pair r{slotAlong(*pair.read, d.device, core), piecesAlong(*pair.read, d.device)};
        common *= commonUnits(d.size, w, r);
        all *= d.size;
    }
    share.same = all > 0 ? exactFraction(size, common, all) : 0;
    return share;
}

std::string mismatchSentence(const Plan& plan, const SplitPair& pair) {
    if (pair.isSame) return {};
    std::string sentence = "Buffer " + plan.buffer(pair.buffer).name + " cannot be on chip: ";
    if (pair.hasPartialSums)
        return sentence + plan.op(pair.writer).name + " splits its reduction, so most cores hold only partial sums.";
    sentence += cutClause(pair.dims, *pair.write, "produced", pair.writerCores) + ", ";
    return sentence + cutClause(pair.dims, *pair.read, "read", pair.readerCores) + ".";
}

std::string readersSentence(const Plan& plan, BufferId id) {
    constexpr std::size_t kNamed = 3;
    const std::vector<OpId> readers = readersOf(plan, id);
    const std::vector<DeviceDim> dims = deviceDimsOf(plan, id);
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < std::min(kNamed, readers.size()); ++i) {
        const PlanOp& op = plan.op(readers[i]);
        const PlanAccess* read = accessOf(op, id, false);
        parts.push_back(read ? cutClause(dims, *read, "by " + op.name, op.cores) : "by " + op.name);
    }
    if (readers.size() > kNamed) parts.push_back("by " + std::to_string(readers.size() - kNamed) + " more");
    return parts.empty() ? std::string() : "read " + text::join(parts, ", ");
}

}  // namespace memplan::ui
