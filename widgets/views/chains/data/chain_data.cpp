// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/chains/data/chain_data.h"

#include "widgets/plan/units.h"
#include "widgets/views/chains/data/chain_words.h"

#include <QCoreApplication>

#include <algorithm>

namespace memplan::ui {

using ttnn::ChainState;
using ttnn::MergeKind;

namespace {

QString words(const char* text) {
    return QCoreApplication::translate("Chains", text);
}

ChainLink::Kind linkKind(MergeKind kind) {
    if (kind == MergeKind::ThreeWay) return ChainLink::Kind::ThreeWay;
    return kind == MergeKind::Concat ? ChainLink::Kind::Concat : ChainLink::Kind::Merge;
}

}  // namespace

QString ChainEdge::text() const {
    if (alive < 0) return {};
    return first > 0 ? QStringLiteral("%1/%2").arg(alive).arg(first) : QStringLiteral("0");
}

ChainData::ChainData(PlanPtr plan) : plan_(std::move(plan)), data_(ttnnData(*plan_)) {
    laneOfOp_.assign(plan_->ops.size(), -1);
    laneOfChain_.assign(data_.record.chains.size(), -1);
    hasPairs_ = std::ranges::any_of(data_.record.ops, [](const auto& op) { return !op.sharded.empty(); });
    makeLanes();
    makeEdges();
    makeLinks();
    markTracked();
    makeColumns();
    makeShortages();
    packRows();
}

ChainCell ChainData::cellOf(OpId op) const {
    ChainCell cell;
    cell.op = op;
    cell.name = fromStd(plan_->op(op).name);
    cell.cores = plan_->op(op).cores;
    const auto at = static_cast<std::size_t>(op.index);
    if (at >= data_.ops.size()) return cell;
    const TtnnOp& record = data_.ops[at];
    cell.conversion = record.conversion;
    if (record.results.empty()) return cell;
    const ttnn::Layout& layout = record.results.front().layout;
    cell.layout = layoutWord(layout);
    cell.grid = gridWord(layout);
    cell.isSharded = layout.isL1Sharded();
    cell.isInL1 = layout.isInL1();
    if (layout.isSharded()) cell.cores = layout.grid.volume();
    return cell;
}

void ChainData::makeLanes() {
    const auto& chains = data_.record.chains;
    const auto isKnown = [this](OpId op) {
        return op.isValid() && static_cast<std::size_t>(op.index) < plan_->ops.size();
    };
    for (std::size_t i = 0; i < chains.size(); ++i) {
        ChainLane lane;
        lane.chain = static_cast<int>(i);
        lane.state = chains[i].state;
        lane.spill = chains[i].spill;
        for (const OpId op : chains[i].ops)
            if (isKnown(op)) lane.cells.push_back(cellOf(op));
        if (lane.cells.empty()) continue;
        std::ranges::sort(lane.cells, {}, [](const ChainCell& c) { return c.op.index; });
        lanes_.push_back(std::move(lane));
    }
    std::ranges::stable_sort(lanes_, {}, &ChainLane::first);
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
        ChainLane& lane = lanes_[i];
        lane.title = QStringLiteral("C%1").arg(lane.chain);  // as messages and plan files number them
        laneOfChain_[static_cast<std::size_t>(lane.chain)] = static_cast<int>(i);
        for (const ChainCell& cell : lane.cells)
            laneOfOp_[static_cast<std::size_t>(cell.op.index)] = static_cast<int>(i);
    }
    for (ChainLane& lane : lanes_) {
        const ttnn::ChainInfo& chain = chains[static_cast<std::size_t>(lane.chain)];
        lane.goes = goesTo(chain, lane.chain);
        lane.ends = endSentence(*plan_, chain);
    }
    for (std::size_t i = 0; i < plan_->ops.size(); ++i)
        if (laneOfOp_[i] < 0) outside_.push_back(cellOf(OpId{static_cast<int>(i)}));
}

QString ChainData::goesTo(const ttnn::ChainInfo& chain, int index) const {
    for (const ttnn::MergeInfo& merge : data_.record.merges)
        if (merge.isAccepted && std::ranges::find(merge.sources, index) != merge.sources.end())
            return words("L1, merged into C%1").arg(merge.target);
    return spillWord(chain);
}

void ChainData::makeEdges() {
    const auto& edges = data_.record.edges;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const ttnn::EdgeInfo& info = edges[i];
        const int lane = laneOfChain(info.chain);
        if (lane < 0) continue;
        ChainEdge edge;
        edge.edge = static_cast<int>(i);
        edge.producer = info.producer;
        edge.consumer = info.consumer;
        edge.isResharded = info.isResharded;
        if (info.reshard) edge.reshard = shortLayoutText(*info.reshard);
        const bool isChecked = info.producerConfigs > 0 || info.consumerConfigs > 0;
        if (hasPairs_ && isChecked && info.producer.isValid()) {
            edge.first = static_cast<int>(info.paths.size());
            edge.alive = static_cast<int>(std::ranges::count(info.dropped, 0));
        }
        const auto& failure = data_.record.chains[static_cast<std::size_t>(info.chain)].failure;
        edge.isDead = failure && failure->consumer == info.consumer && failure->producer == info.producer;
        lanes_[static_cast<std::size_t>(lane)].edges.push_back(edge);
    }
}

void ChainData::makeLinks() {
    for (const ttnn::MergeInfo& merge : data_.record.merges)
        for (const int source : merge.sources) {
            const int from = laneOfChain(source), to = laneOf(merge.joinOp);
            if (from < 0 || to < 0) continue;
            links_.push_back({linkKind(merge.kind), lanes_[static_cast<std::size_t>(from)].cells.back().op,
                              merge.joinOp, from, to, merge.operand, merge.isAccepted, mergeSentence(*plan_, merge)});
        }
    for (const ttnn::Reservation& kept : data_.record.reservations) {
        const int from = laneOf(kept.source);
        if (kept.purpose != "fork" || from < 0) continue;
        for (std::size_t i = 0; i < plan_->ops.size(); ++i) {
            const bool reads = std::ranges::any_of(
                plan_->ops[i].inputs, [&](BufferId in) { return plan_->buffer(in).producer == kept.source; });
            const int to = laneOfOp_[i];
            if (!reads || to < 0 || to == from) continue;
            links_.push_back({ChainLink::Kind::Fork, kept.source, OpId{static_cast<int>(i)}, from, to, 0, true,
                              words("fork kept in L1, %1 of a core").arg(exactBytes(kept.bytes))});
        }
    }
}

void ChainData::makeColumns() {
    for (std::size_t i = 0; i < data_.ops.size(); ++i) {
        const TtnnOp& op = data_.ops[i];
        ChainColumn column;
        column.reserved = op.reserved;
        // Where nothing is computed nothing was validated: what is kept stays there all the same.
        if (op.operands.empty() && op.results.empty())
            for (const ttnn::Reservation* kept : reservationsAt(static_cast<int>(i)))
                column.reserved += kept->bytes;
        column.resident = std::min(op.residentInputs, std::max<Bytes>(0, op.need - op.reserved));
        column.own = std::max<Bytes>(0, op.need - column.reserved - column.resident);
        columns_.push_back(column);
        highest_ = std::max(highest_, column.sum());
    }
}

void ChainData::makeShortages() {
    for (std::size_t chain = 0; chain < data_.record.chains.size(); ++chain) {
        const ttnn::EdgeInfo* edge = failedEdge(static_cast<int>(chain));
        if (edge != nullptr && edge->paths.empty() && edge->answers.need > 0)
            shortages_.push_back({edge->consumer.index, edge->answers.need, edge->answers.limit});
    }
}

int ChainData::laneOf(OpId op) const {
    const auto at = static_cast<std::size_t>(op.index);
    return op.isValid() && at < laneOfOp_.size() ? laneOfOp_[at] : -1;
}

int ChainData::laneOfChain(int chain) const {
    return chain >= 0 && static_cast<std::size_t>(chain) < laneOfChain_.size()
               ? laneOfChain_[static_cast<std::size_t>(chain)]
               : -1;
}

const ttnn::EdgeInfo* ChainData::failedEdge(int chain) const {
    const auto& failure = data_.record.chains[static_cast<std::size_t>(chain)].failure;
    if (!failure) return nullptr;
    const auto at = std::ranges::find_if(data_.record.edges, [&](const ttnn::EdgeInfo& e) {
        return e.chain == chain && e.producer == failure->producer && e.consumer == failure->consumer &&
               e.operand == failure->operand;
    });
    return at == data_.record.edges.end() ? nullptr : &*at;
}

int ChainData::countOf(ChainState state) const {
    return static_cast<int>(std::ranges::count(lanes_, state, &ChainLane::state));
}

bool ChainData::hasCell(bool (*isSo)(const ChainCell&)) const {
    return std::ranges::any_of(outside_, isSo) ||
           std::ranges::any_of(lanes_, [&](const ChainLane& lane) { return std::ranges::any_of(lane.cells, isSo); });
}

QString ChainData::cellTitle(const ChainCell& cell) const {
    return cell.isSharded ? cell.layout + u' ' + cell.grid : cell.layout;
}

std::vector<const ttnn::Reservation*> ChainData::reservationsAt(int position) const {
    std::vector<const ttnn::Reservation*> found;
    for (const ttnn::Reservation& r : data_.record.reservations)
        if (r.positions.begin <= position && position < r.positions.end) found.push_back(&r);
    return found;
}

ChainDataPtr chainDataOf(const PlanPtr& plan) {
    if (!plan || dynamic_cast<const TtnnData*>(plan->targetData.get()) == nullptr) return nullptr;
    return std::make_shared<const ChainData>(plan);
}

}  // namespace memplan::ui
