// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/joint/relayout.h"

#include "engine/spyre/cost/rates.h"

#include <algorithm>
#include <map>
#include <set>

namespace memplan::spyre::joint {
namespace {

/// Slice of a device dimension on a core: index and how many slices there are.
struct Slice {
    std::int64_t index = 0, count = 1;
};

Slice sliceOf(const Ownership& o, std::size_t core, int dim) {
    for (std::size_t i = 0; i < o.splits.size(); ++i) {
        if (o.splits[i].first == dim) return {o.slots[core][i], o.splits[i].second};
    }
    return {};
}

bool intersect(Slice a, Slice b) {
    return a.index * b.count < (b.index + 1) * a.count && b.index * a.count < (a.index + 1) * b.count;
}

std::vector<int> splitDims(const Ownership& a, const Ownership& b) {
    std::set<int> dims;
    for (const Ownership* o : {&a, &b}) {
        for (const auto& [dim, count] : o->splits)
            dims.insert(dim);
    }
    return {dims.begin(), dims.end()};
}

std::int64_t product(const Ownership& o) {
    std::int64_t n = 1;
    for (const auto& [dim, count] : o.splits)
        n *= count;
    return n;
}

/// (dimension, slice) pairs that identify what a core holds, dimensions of one slice left out.
std::vector<std::pair<int, std::int64_t>> held(const Ownership& o, std::size_t core) {
    std::vector<std::pair<int, std::int64_t>> key;
    for (std::size_t i = 0; i < o.splits.size(); ++i) {
        if (o.splits[i].second > 1) key.emplace_back(o.splits[i].first, o.slots[core][i]);
    }
    std::sort(key.begin(), key.end());
    return key;
}

std::map<int, std::int64_t> countsOf(const Ownership& o) {
    std::map<int, std::int64_t> counts;
    for (const auto& [dim, count] : o.splits) {
        if (count > 1) counts[dim] = count;
    }
    return counts;
}

bool sameOwnership(const Ownership& a, const Ownership& b) {
    if (a.cores != b.cores || countsOf(a) != countsOf(b)) return false;
    for (std::size_t c = 0; c < static_cast<std::size_t>(a.cores); ++c) {
        if (held(a, c) != held(b, c)) return false;
    }
    return true;
}

/// How many cores hold each slice.
std::map<std::vector<std::pair<int, std::int64_t>>, std::int64_t> holders(const Ownership& o) {
    std::map<std::vector<std::pair<int, std::int64_t>>, std::int64_t> count;
    for (std::size_t c = 0; c < static_cast<std::size_t>(o.cores); ++c)
        ++count[held(o, c)];
    return count;
}

struct Fans {
    std::int64_t edges = 0;
    std::set<std::int64_t> out, in;
};

Fans fansOf(const Ownership& source, const Ownership& destination) {
    const std::vector<int> dims = splitDims(source, destination);
    Fans fans;
    std::vector<std::int64_t> in(static_cast<std::size_t>(destination.cores), 0);
    for (std::size_t s = 0; s < static_cast<std::size_t>(source.cores); ++s) {
        std::int64_t out = 0;
        for (std::size_t d = 0; d < in.size(); ++d) {
            const bool sends = std::all_of(dims.begin(), dims.end(), [&](int dim) {
                return intersect(sliceOf(source, s, dim), sliceOf(destination, d, dim));
            });
            if (!sends) continue;
            ++out;
            ++in[d];
        }
        fans.edges += out;
        fans.out.insert(out);
    }
    fans.in.insert(in.begin(), in.end());
    return fans;
}

/// First rule of 17.3 that fails, empty when the edge is legal.
std::string refusal(const Ownership& source, const Ownership& destination, const Fans& fans) {
    if (destination.cores < source.cores || destination.cores % source.cores != 0) return "core counts";
    if (sameOwnership(source, destination)) return "same partition";
    if (destination.cores % product(destination) != 0 || product(source) != source.cores) return "split product";
    const auto sources = holders(source);
    const bool once = std::all_of(sources.begin(), sources.end(), [](const auto& h) { return h.second == 1; });
    if (!once || static_cast<std::int64_t>(sources.size()) != product(source)) return "source slice not on one core";
    const auto destinations = holders(destination);
    if (static_cast<std::int64_t>(destinations.size()) != product(destination)) return "destination slice missing";
    const bool even = std::all_of(destinations.begin(), destinations.end(),
                                  [&](const auto& h) { return h.second == destinations.begin()->second; });
    if (source.cores == destination.cores && !even) return "destination slices uneven";
    if (fans.out.size() != 1) return "unequal fan-out";
    if (fans.in.size() != 1) return "unequal fan-in";
    if (*fans.in.begin() > 8) return "fan-in above 8";
    const bool broadcast = *fans.in.begin() == 1 && *fans.out.begin() == destination.cores / source.cores;
    if (source.cores != destination.cores && !broadcast) return "not a pure broadcast";
    return {};
}

struct Run {
    std::int64_t elements = 0, split = 1;
};

Run runOf(const std::vector<std::int64_t>& size, const Ownership& o) {
    int innermost = -1;
    std::int64_t split = 1;
    for (const auto& [dim, count] : o.splits) {
        if (count > 1 && dim > innermost) {
            innermost = dim;
            split = count;
        }
    }
    Run run{1, split};
    for (std::size_t d = innermost < 0 ? 0 : static_cast<std::size_t>(innermost); d < size.size(); ++d)
        run.elements *= static_cast<int>(d) == innermost ? size[d] / split : size[d];
    return run;
}

std::optional<Bytes> footprint(const std::vector<std::int64_t>& size, const Ownership& o) {
    Bytes bytes = 128;
    const auto counts = countsOf(o);
    for (std::size_t d = 0; d < size.size(); ++d) {
        const auto it = counts.find(static_cast<int>(d));
        const std::int64_t split = it == counts.end() ? 1 : it->second;
        if (d + 1 == size.size()) {
            if (split > 1) return std::nullopt;
            continue;
        }
        if (size[d] % split != 0) return std::nullopt;
        bytes *= size[d] / split;
    }
    return bytes;
}

/// Elements of one dimension that two slices share.
std::int64_t sharedExtent(std::int64_t size, Slice a, Slice b) {
    const std::int64_t from = std::max(a.index * size / a.count, b.index * size / b.count);
    const std::int64_t to = std::min((a.index + 1) * size / a.count, (b.index + 1) * size / b.count);
    return std::max<std::int64_t>(0, to - from);
}

Bytes movedBytes(const std::vector<std::int64_t>& size, std::int64_t dtypeBytes, const Ownership& source,
                 const Ownership& destination) {
    Bytes moved = 0;
    for (std::size_t s = 0; s < static_cast<std::size_t>(source.cores); ++s) {
        for (std::size_t d = 0; d < static_cast<std::size_t>(destination.cores); ++d) {
            if (s == d) continue;
            std::int64_t shared = dtypeBytes;
            for (std::size_t dim = 0; dim < size.size(); ++dim) {
                shared *= sharedExtent(size[dim], sliceOf(source, s, static_cast<int>(dim)),
                                       sliceOf(destination, d, static_cast<int>(dim)));
            }
            moved += shared;
        }
    }
    return moved;
}

RelayoutKind kindOf(const Ownership& source, const Ownership& destination) {
    if (source.cores != destination.cores) return RelayoutKind::Broadcast;
    return product(destination) == destination.cores ? RelayoutKind::Permutation : RelayoutKind::GroupedGather;
}

}  // namespace

std::string_view relayoutKindName(RelayoutKind k) {
    switch (k) {
    case RelayoutKind::Permutation:
        return "permutation";
    case RelayoutKind::GroupedGather:
        return "grouped gather";
    case RelayoutKind::Broadcast:
        return "broadcast";
    case RelayoutKind::None:
        break;
    }
    return "none";
}

Ownership ownershipOf(const PerCoreView& view) {
    Ownership o;
    o.splits = view.dimsAndSplits();
    o.cores = view.cores;
    o.slots.assign(static_cast<std::size_t>(view.cores), std::vector<int>(view.slices.size(), 0));
    for (std::size_t i = 0; i < view.slices.size(); ++i) {
        for (std::size_t c = 0; c < o.slots.size(); ++c)
            o.slots[c][i] = view.slices[i].slotOf(static_cast<std::int64_t>(c));
    }
    return o;
}

RelayoutEdge relayoutEdge(const std::vector<std::int64_t>& deviceSize, std::int64_t dtypeBytes, const Ownership& source,
                          const Ownership& destination, const cost::Constants& constants) {
    RelayoutEdge edge;
    const Fans fans = fansOf(source, destination);
    edge.edges = fans.edges;
    edge.fanOut.assign(fans.out.begin(), fans.out.end());
    edge.fanIn.assign(fans.in.begin(), fans.in.end());
    edge.reason = refusal(source, destination, fans);
    edge.supported = edge.reason.empty();
    if (edge.supported) edge.kind = kindOf(source, destination);

    const Run from = runOf(deviceSize, source);
    const Run to = runOf(deviceSize, destination);
    const bool sourceGoverns = from.elements < to.elements || (from.elements == to.elements && from.split >= to.split);
    const Run run = sourceGoverns ? from : to;
    edge.governingRunElements = run.elements;
    edge.governingSplit = run.split;
    std::int64_t elements = 1;
    for (const std::int64_t extent : deviceSize)
        elements *= extent;
    const double payload = static_cast<double>(elements * dtypeBytes) / static_cast<double>(source.cores);
    edge.reportingNs = cost::relayoutNs(payload, static_cast<double>(run.elements * dtypeBytes), run.split, constants);
    if (edge.supported && run.split >= 2 && run.split <= 8) edge.offeredNs = edge.reportingNs;
    edge.sourceFootprint = footprint(deviceSize, source);
    edge.destinationFootprint = footprint(deviceSize, destination);
    if (edge.supported) edge.bytesBetweenCores = movedBytes(deviceSize, dtypeBytes, source, destination);
    const bool complete = product(source) == source.cores && product(destination) == destination.cores;
    if (complete && source.cores == destination.cores)
        edge.permutationRule = fans.out.size() == 1 && fans.in.size() == 1;
    return edge;
}

std::optional<RelayoutEdge> edgeOfCopy(const Program& program, const Op& copy, const cost::Constants& constants) {
    if (copy.fn != kRelayoutFn || copy.reads.size() != 1) return std::nullopt;
    const BufferId source = copy.reads.front().buffer;
    const Buffer& buffer = program.buffers[source.at()];
    const auto viewOf = [&](const Op& op, const Access& access) -> std::optional<PerCoreView> {
        for (std::size_t i = 0; i < program.ops.size() && i < program.divisions.size(); ++i) {
            if (&program.ops[i] == &op) return perCoreView(program, op, access, program.divisions[i].splits, {});
        }
        return std::nullopt;
    };
    for (const Op& op : program.ops) {
        if (op.write.buffer != source) continue;
        const auto from = viewOf(op, op.write);
        const auto to = viewOf(copy, copy.reads.front());
        if (!buffer.layout || !from || !to) return std::nullopt;
        return relayoutEdge(buffer.layout->deviceSize, 128 / elemsPerStick(buffer.layout->dtype), ownershipOf(*from),
                            ownershipOf(*to), constants);
    }
    return std::nullopt;
}

}  // namespace memplan::spyre::joint
