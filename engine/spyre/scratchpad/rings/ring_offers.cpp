// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/scratchpad/rings/ring_offers.h"

#include "engine/spyre/joint/relayout.h"
#include "engine/spyre/program_edit.h"
#include "engine/spyre/scratchpad/rings/ring_transfers.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

/// Written once by an ordinary operation, before all of its users, at least one of which the ring can serve.
bool isPossibleSource(const Program& program, BufferId buffer, std::span<const BufferAccess> accesses) {
    if (!program.buffers[buffer.at()].layout || accesses.size() < 2) return false;
    if (!accesses.front().isWrite || accesses.front().access == nullptr) return false;
    if (!ringProducerRefusal(program.ops[accesses.front().op.at()]).isEmpty()) return false;
    bool served = false;
    for (std::size_t i = 1; i < accesses.size(); ++i) {
        const Op& user = program.ops[accesses[i].op.at()];
        if (accesses[i].isWrite || accesses[i].access == nullptr || !user.isComputed()) return false;
        served = served || ringConsumerRefusal(user, buffer).isEmpty();
    }
    return served;
}

}  // namespace

RingOffers::RingOffers(const Program& program, const BufferRules& rules, const cost::Constants& constants)
    : program_(program), rules_(rules), constants_(constants) {
    using Shape = std::tuple<std::vector<std::int64_t>, std::vector<std::int64_t>, std::vector<std::int64_t>,
                             std::vector<std::int64_t>, HostType>;
    std::map<Shape, int> shapes;
    const AccessLists accesses(program);
    for (std::size_t b = 0; b < program.buffers.size(); ++b) {
        const Buffer& buffer = program.buffers[b];
        sources_.push_back(isPossibleSource(program, BufferId::of(b), accesses[b]));
        const StickLayout layout = buffer.layout.value_or(StickLayout{});
        Shape shape{buffer.size, buffer.stride, layout.deviceSize, layout.strideMap, layout.dtype};
        shape_.push_back(shapes.emplace(std::move(shape), static_cast<int>(shapes.size())).first->second);
    }
}

std::optional<std::vector<OfferedCopy>> RingOffers::copies(BufferId source, NumberedView writer,
                                                           const std::vector<User>& users) const {
    if (!canBeSource(source) || rules_.sizeByMaxUsers || writer.number < 0) return std::nullopt;
    if (writer.view->partialReduction) return std::nullopt;
    std::vector<OfferedCopy> copies;
    for (const User& user : users) {
        if (user.view.number < 0) return std::nullopt;
        if (user.view.number == writer.number) continue;
        const Op& op = program_.ops[user.op.at()];
        if (!ringConsumerRefusal(op, source).isEmpty()) return std::nullopt;
        const std::optional<Edge>& e = edge(source, writer, user.view);
        if (!e || (e->gathers && !op.isMatmul())) return std::nullopt;
        if (e->broadcasts && user.view.view->cores != rules_.cores) return std::nullopt;
        const auto same = std::find_if(copies.begin(), copies.end(),
                                       [&](const OfferedCopy& c) { return c.view == user.view.number; });
        if (same == copies.end()) {
            copies.push_back({user.view.number, e->sizePerCore, e->nanoseconds, {user.op}});
        } else {
            same->users.push_back(user.op);
        }
    }
    return copies;
}

const std::optional<RingOffers::Edge>& RingOffers::edge(BufferId source, NumberedView from, NumberedView to) const {
    const Key key{shape_[source.at()], from.number, to.number};
    const auto known = edges_.find(key);
    if (known != edges_.end()) return known->second;
    return edges_.emplace(key, judge(source, from, to)).first->second;
}

std::optional<RingOffers::Edge> RingOffers::judge(BufferId source, NumberedView from, NumberedView to) const {
    if (to.view->cores < from.view->cores || to.view->cores % from.view->cores != 0) return std::nullopt;
    const Buffer& buffer = program_.buffers[source.at()];
    const joint::RelayoutEdge found =
        joint::relayoutEdge(buffer.layout->deviceSize, 128 / elemsPerStick(buffer.layout->dtype),
                            joint::ownershipOf(*from.view), joint::ownershipOf(*to.view), constants_);
    if (!found.offeredNs || !found.sourceFootprint || !found.destinationFootprint) return std::nullopt;
    const Op copy = identityOp(program_, source, source, {});
    if (!splitsForView(copy, buffer, *to.view, {rules_.kAdjacentMap})) return std::nullopt;
    Edge edge;
    edge.gathers = found.kind == joint::RelayoutKind::GroupedGather;
    edge.broadcasts = found.kind == joint::RelayoutKind::Broadcast;
    edge.nanoseconds = *found.offeredNs;
    edge.sizePerCore = *found.destinationFootprint;
    return edge;
}

}  // namespace memplan::spyre
