// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/artefact/access/parts.h"

#include "engine/sim/eval/loop_walk.h"

#include <algorithm>
#include <map>

namespace memplan::sim::artefact {
namespace {

using std::int64_t;

int64_t countOf(const memplan::Tensor& t) {
    return elementCount(t.shape).value_or(0);
}

/// Elements that a loop nest reaches in one tensor: first one and steps; false for an index that depends on data.
bool readMap(const memplan::Tensor& t, const std::vector<IndexExpr>& map, int64_t& first, std::vector<int64_t>& steps) {
    if (map.size() != t.shape.size()) return false;
    int64_t stride = 1;
    for (std::size_t d = map.size(); d-- > 0;) {
        if (map[d].dataDependent) return false;
        first += map[d].constant * stride;
        for (const IndexExpr::Term& term : map[d].terms)
            steps[static_cast<std::size_t>(term.loop)] += term.coefficient * stride;
        stride *= t.shape[d];
    }
    return true;
}

/// visit(stick, lane, element) for every element that the host knows in a region.
template <class Visit> void visitElements(const Region& region, Visit&& visit) {
    const int64_t lanes = kStickBytes / region.layout.wordLength();
    const int64_t length = region.host->rowLength();
    for (int64_t r = 0; r < region.host->rows(); ++r) {
        const HostOrder::Row row = region.host->row(r);
        for (int64_t i = 0; i < row.data; ++i)
            visit((r * length + i) / lanes, (r * length + i) % lanes, row.first + i * row.step);
    }
}

bool contains(const Part& part, int64_t element) {
    return !part.isPartial || std::binary_search(part.elements.begin(), part.elements.end(), element);
}

}  // namespace

Part partOf(const Graph& graph, int number, TensorId output) {
    const Op& op = graph.ops[static_cast<std::size_t>(number)];
    const auto at =
        static_cast<std::size_t>(std::find(op.outputs.begin(), op.outputs.end(), output) - op.outputs.begin());
    if (!op.hasIter || at >= op.outMaps.size() || !op.outMaps[at]) return {};
    const memplan::Tensor& t = graph.tensor(output);
    int64_t first = 0;
    std::vector<int64_t> steps(op.iter.size(), 0);
    if (!readMap(t, *op.outMaps[at], first, steps)) return {};
    std::vector<int64_t> extents;
    for (std::size_t d = 0; d < steps.size(); ++d)
        extents.push_back(steps[d] == 0 ? std::min<int64_t>(op.iter[d].size, 1) : op.iter[d].size);
    Part part;
    walkBox<1>(extents, {steps}, {first}, [&](const auto& place) { part.elements.push_back(place[0]); });
    std::sort(part.elements.begin(), part.elements.end());
    part.isPartial = static_cast<int64_t>(part.elements.size()) < countOf(t);
    if (!part.isPartial) part.elements.clear();
    return part;
}

void fillPart(Region& region, const Part& part, int64_t offset, const std::vector<Value>& values, std::uint32_t host) {
    const int64_t width = region.layout.wordLength();
    const int64_t lanes = kStickBytes / width;
    std::map<int64_t, std::vector<bool>> isData;  // of the sticks of the part
    visitElements(region, [&](int64_t stick, int64_t lane, int64_t element) {
        const int64_t at = element - offset;
        if (at < 0 || at >= static_cast<int64_t>(values.size()) || !contains(part, at)) return;
        region.store.stickForWriting(stick, width)[lane] = {values[static_cast<std::size_t>(at)], host};
        isData.try_emplace(stick, static_cast<std::size_t>(lanes), false);
    });
    visitElements(region, [&](int64_t stick, int64_t lane, int64_t) {
        const auto it = isData.find(stick);
        if (it != isData.end()) it->second[static_cast<std::size_t>(lane)] = true;
    });
    for (const auto& [stick, data] : isData) {
        Cell* cells = region.store.stickForWriting(stick, width);
        for (std::size_t lane = 0; lane < data.size(); ++lane) {
            if (!data[lane] && cells[lane].writer == 0) cells[lane] = {0, host | kPadding};
        }
    }
}

}  // namespace memplan::sim::artefact
