// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/torchwright/replay.h"

#include <algorithm>
#include <map>

namespace memplan::verify::torchwright {
namespace {

using namespace memplan::torchwright;

class Replay {
public:
    Replay(const Program& program, const Schedule& schedule, bool isExport, Report& report)
        : p_(program), g_(program.graph), s_(schedule), o_(s_.options), isExport_(isExport), report_(report),
          stream_(static_cast<std::size_t>(o_.d), -1), isClean_(stream_.size(), o_.assumeZeroInit),
          computedIn_(g_.size(), kNever) {}

    void run() {
        for (std::size_t i = 0; i < s_.holdings.size(); ++i)
            place(i);
        for (layer_ = 0; layer_ < s_.layerCount(); ++layer_)
            runLayer(s_.layers[static_cast<std::size_t>(layer_)]);
        checkEnd();
    }

private:
    static constexpr int kNever = 1'000'000'000;

    const Program& p_;
    const NodeGraph& g_;
    const Schedule& s_;
    const ScheduleOptions& o_;
    bool isExport_;
    Report& report_;
    std::vector<int> stream_;    ///< by column: the node that owns it, -1 for none
    std::vector<bool> isClean_;  ///< by column: an unowned one holds zero
    std::vector<int> computedIn_;
    int layer_ = 0;
    std::vector<int> before_;  ///< the stream that attention reads
    std::vector<int> middle_;  ///< the stream that the MLP reads
    std::vector<bool> isCleared_;
    std::vector<NodeId> attentionNodes_;  ///< that attention of this layer computed
    std::map<int, int> biases_;  ///< Linears of this layer's attention with a bias: bias operations still to come
    int slot_ = 0;
    int heads_ = 0, headsTotal_ = 0, slotsTotal_ = 0, peak_ = 0;
    std::int64_t params_ = 0, paramsTotal_ = 0;

    [[nodiscard]] std::string where() const { return "layer " + std::to_string(layer_); }
    [[nodiscard]] std::string label(NodeId id) const { return "node " + g_.label(id); }
    void fault(const char* code, std::string message) { report_.add(code, where(), std::move(message)); }

    // ---- before layer 0 ----------------------------------------------------------------------------------------

    void place(std::size_t at) {
        const Holding& holding = s_.holdings[at];
        const Node& node = g_.at(holding.owner);
        const std::string name = "columns of " + label(holding.owner);
        if (holding.columns.size() != node.width)
            report_.add("VER-010", name,
                        "there are " + std::to_string(holding.columns.size()) + ", its width is " +
                            std::to_string(node.width));
        if (s_.holdingOf(holding.owner) != static_cast<int>(at))
            report_.add("VER-010", name, "the node owns columns twice");
        if (isInputLike(node.kind) != (holding.firstLayer < 0))
            report_.add("VER-010", name, "inputs, and nothing else, stand in the stream before layer 0");
        if (holding.firstLayer >= 0) return;
        computedIn_[holding.owner.at()] = -1;
        paramsTotal_ += node.params;
        take(holding.owner, holding.columns);
        holding.columns.forEach([&](Columns c) { isClean_[static_cast<std::size_t>(c)] = true; });
        peak_ = occupied();
    }

    void take(NodeId owner, const ColumnList& columns) {
        columns.forEach([&](Columns c) {
            int& held = stream_[static_cast<std::size_t>(c)];
            if (held >= 0)
                fault("VER-010", "column " + std::to_string(c) + " is given to " + label(owner) + " while " +
                                     label(NodeId::of(static_cast<std::size_t>(held))) + " owns it");
            held = owner.index;
        });
    }

    [[nodiscard]] int occupied() const {
        return static_cast<int>(std::ranges::count_if(stream_, [](int owner) { return owner >= 0; }));
    }

    // ---- one layer ---------------------------------------------------------------------------------------------

    void runLayer(const Layer& layer) {
        const int occupiedBefore = occupied();
        before_ = stream_;
        slot_ = heads_ = 0;
        params_ = 0;
        biases_.clear();
        findCleared(layer);
        releaseOwners();
        for (const AttentionOp& op : layer.attention)
            attention(op);
        middle_ = stream_;
        for (const MlpOp& op : layer.mlp)
            mlp(op);
        for (const auto& [node, open] : biases_) {
            if (open != 0) fault("VER-013", label(NodeId{node}) + " has a bias that no operation of the layer adds");
        }
        checkCancels(layer);
        settle();
        checkCounts(layer, occupiedBefore);
        if (!isExport_) checkRefused(layer);
    }

    /// Remaining: operations that no layer computed.
    [[nodiscard]] std::int64_t remaining() const {
        std::int64_t open = 0;
        for (std::size_t i = 0; i < g_.size(); ++i) {
            const Node& node = g_.nodes[i];
            const bool isOp =
                !isInputLike(node.kind) && !node.is(NodeKind::Concatenate) && !node.is(NodeKind::Placeholder);
            open += isOp && computedIn_[i] == kNever ? 1 : 0;
        }
        return open;
    }

    /// A column is cleared for a value that is born in it, or because its owner lost it.
    void checkCancels(const Layer& layer) {
        std::vector<bool> isMeant(stream_.size(), false);
        const auto mean = [&](const ColumnList& columns) {
            columns.forEach([&](Columns c) { isMeant[static_cast<std::size_t>(c)] = true; });
        };
        for (const AttentionOp& op : layer.attention)
            if (op.kind != AttentionKind::Cancel) mean(op.target);
        for (const MlpOp& op : layer.mlp)
            mean(op.target);
        for (const Holding& h : s_.holdings)
            if (h.lastLayer == layer_ - 1 && h.firstLayer < layer_) mean(h.columns);
        for (std::size_t c = 0; c < stream_.size(); ++c)
            if (isCleared_[c] && !isMeant[c])
                fault("VER-010", "column " + std::to_string(c) + " is cancelled for nobody");
    }

    void findCleared(const Layer& layer) {
        isCleared_.assign(stream_.size(), false);
        for (std::size_t i = 0; i < layer.attention.size(); ++i) {
            const AttentionOp& op = layer.attention[i];
            if (op.kind != AttentionKind::Cancel) continue;
            if (i + 1 != layer.attention.size()) fault("VER-013", "the cancel is not the last operation of attention");
            op.target.forEach([&](Columns c) {
                if (isCleared_[static_cast<std::size_t>(c)])
                    fault("VER-010", "column " + std::to_string(c) + " is cancelled twice");
                isCleared_[static_cast<std::size_t>(c)] = true;
            });
        }
    }

    /// Owners whose last layer was the one before lose their columns, which are cleared or taken over.
    void releaseOwners() {
        for (const Holding& holding : s_.holdings) {
            if (holding.lastLayer != layer_ - 1 || holding.firstLayer >= layer_) continue;
            const auto isIt = [&](Columns c) { return stream_[static_cast<std::size_t>(c)] == holding.owner.index; };
            holding.columns.forEach([&](Columns c) {
                if (!isIt(c)) fault("VER-010", label(holding.owner) + " lost column " + std::to_string(c) + " before");
                stream_[static_cast<std::size_t>(c)] = -1;
                isClean_[static_cast<std::size_t>(c)] = false;
            });
            if (p_.isHeld[holding.owner.at()])
                fault("VER-010", label(holding.owner) + " is a part of an output and loses its columns");
        }
        for (std::size_t c = 0; c < stream_.size(); ++c) {
            if (isCleared_[c] && stream_[c] >= 0)
                fault("VER-010",
                      "column " + std::to_string(c) + " is cancelled while " + label(NodeId{stream_[c]}) + " owns it");
        }
    }

    /// The columns of an input's values in a stream; a value that is not there is a fault.
    [[nodiscard]] bool stands(const std::vector<NodeId>& leaves, const ColumnList& source,
                              const std::vector<int>& stream) const {
        std::vector<int> labels;
        source.forEach([&](Columns c) { labels.push_back(stream[static_cast<std::size_t>(c)]); });
        ColumnList wanted;
        for (const NodeId leaf : leaves) {
            const int at = s_.holdingOf(leaf);
            if (at < 0) return false;
            wanted.append(s_.holdings[static_cast<std::size_t>(at)].columns);
        }
        if (wanted != source) return false;
        std::size_t i = 0;
        for (const NodeId leaf : leaves) {
            for (Columns c = 0; c < g_.at(leaf).width; ++c, ++i) {
                if (i >= labels.size() || labels[i] != leaf.index) return false;
            }
        }
        return i == labels.size();
    }

    void reads(NodeId reader, std::size_t input, const ColumnList& source, const std::vector<int>& stream) {
        if (input >= p_.inputLeaves[reader.at()].size()) return;
        if (!stands(p_.inputLeaves[reader.at()][input], source, stream))
            fault("VER-011", label(reader) + " reads columns that do not hold its input " + std::to_string(input));
    }

    void computes(NodeId id, const ColumnList& target, bool isAttention) {
        isComputed(id, isAttention);
        const int at = s_.holdingOf(id);
        if (at < 0 || s_.holdings[static_cast<std::size_t>(at)].columns != target ||
            s_.holdings[static_cast<std::size_t>(at)].firstLayer != layer_)
            return fault("VER-010", label(id) + " writes columns that it does not own from this layer on");
        target.forEach([&](Columns c) {
            const auto i = static_cast<std::size_t>(c);
            if (!isCleared_[i] && !isClean_[i])
                fault("VER-010", label(id) + " is added onto column " + std::to_string(c) + ", which is not clear");
        });
        take(id, target);
    }

    void isComputed(NodeId id, bool isAttention) {
        if (computedIn_[id.at()] != kNever) fault("VER-013", label(id) + " is computed twice");
        computedIn_[id.at()] = layer_;
        if (isAttention) attentionNodes_.push_back(id);
    }

    void waits(NodeId id, bool isAttention) {
        if (!g_.at(id).afterMissing.empty()) fault("VER-011", label(id) + " waits for a node that nothing computes");
        for (const NodeId before : g_.at(id).after) {
            int done = -1;
            for (const NodeId leaf : p_.ownLeaves[before.at()])
                done = std::max(done, computedIn_[leaf.at()]);
            const bool isPart = g_.at(before).is(NodeKind::Concatenate);
            const bool isSame = done == layer_ && !isAttention && !isPart &&
                                std::ranges::find(attentionNodes_, before) != attentionNodes_.end();
            if (done >= layer_ && !isSame) fault("VER-011", label(id) + " does not wait for " + label(before));
        }
        const std::vector<int>& least = o_.layerMin;
        if (!least.empty() && layer_ < least[id.at()]) fault("VER-011", label(id) + " comes before its layer_min");
    }

    void usesHeads(const AttentionOp& op, int heads, int counted) {
        if (op.heads != heads)
            fault("VER-013",
                  "an operation says " + std::to_string(op.heads) + " heads, it takes " + std::to_string(heads));
        heads_ += heads;
        params_ += std::int64_t{counted} * o_.headParams();
    }

    void attention(const AttentionOp& op) {
        if (op.kind == AttentionKind::Cancel) {
            if (op.target.empty()) fault("VER-013", "a cancel of nothing");
            const int heads = headsFor(op.target.size(), o_.dHead);
            return usesHeads(op, heads, heads);
        }
        const Node& node = g_.at(op.node);
        const NodeKind wanted = op.kind == AttentionKind::ComputeAttn     ? NodeKind::Attn
                                : op.kind == AttentionKind::ComputeLinear ? NodeKind::Linear
                                                                          : NodeKind::Add;
        if (!node.is(wanted)) return fault("VER-013", label(op.node) + " is not what its operation computes");
        waits(op.node, true);
        if (op.kind == AttentionKind::AddInto) return addInto(op);
        if (op.kind == AttentionKind::ComputeAttn) {
            reads(op.node, 0, op.query, before_), reads(op.node, 1, op.key, before_);
            reads(op.node, 2, op.value, before_);
            const int heads = headsFor(node.attn().v, o_.dHead);
            usesHeads(op, heads, heads);
            if (node.attn().qk > o_.dHead) fault("VER-013", label(op.node) + " needs a wider head");
        } else if (op.kind == AttentionKind::ComputeLinear) {
            reads(op.node, 0, op.source, before_);
            const int heads = headsFor(node.linear().inputWidth, o_.dHead);
            usesHeads(op, heads, heads);
            if (o_.localInAttention == LocalRouting::Never)
                fault("VER-013", label(op.node) + " runs in attention against local_in_attention");
            if (node.linear().hasBias) ++biases_[op.node.index];
        } else {
            reads(op.node, 0, op.source, before_), reads(op.node, 1, op.sourceB, before_);
            usesHeads(op, addHeads(node.width), 2 * headsFor(node.width, o_.dHead));
        }
        computes(op.node, op.target, true);
    }

    [[nodiscard]] int addHeads(int width) const {
        int heads = 0;
        for (int done = 0; done < width; done += o_.dHead)
            heads += 2 * std::min(o_.dHead, width - done) <= o_.dHead ? 1 : 2;
        return heads;
    }

    /// A Concatenate owns no columns that could be taken over, also where it stands in the same columns as the other.
    [[nodiscard]] bool takesOver(const AttentionOp& op, std::size_t input) const {
        return !g_.at(g_.at(op.node).inputs[input]).is(NodeKind::Concatenate) &&
               stands(p_.inputLeaves[op.node.at()][input], op.target, before_);
    }

    /// Computed before this layer; a first Linear that its chains alone read is computed inside of them.
    [[nodiscard]] bool isDone(NodeId id) const {
        if (computedIn_[id.at()] < layer_) return true;
        return g_.at(id).is(NodeKind::Linear) && !p_.isHeld[id.at()] &&
               std::ranges::all_of(p_.readers[id.at()], [this](NodeId reader) {
                   return g_.at(reader).is(NodeKind::ReLU) && computedIn_[reader.at()] < layer_;
               });
    }

    /// One addend is taken over with its columns: nobody may read it later.
    void addInto(const AttentionOp& op) {
        const auto& inputs = p_.inputLeaves[op.node.at()];
        const std::size_t dead = takesOver(op, 0) && stands(inputs[1], op.source, before_) ? 0 : 1;
        const NodeId addend = g_.at(op.node).inputs[dead];
        reads(op.node, 1 - dead, op.source, before_);
        if (!takesOver(op, dead))
            return fault("VER-011", label(op.node) + " is added onto columns that hold none of its addends");
        for (const NodeId reader : p_.readers[addend.at()]) {
            if (reader != op.node && !isDone(reader))
                fault("VER-011", label(addend) + " is overwritten before " + label(reader) + " reads it");
        }
        op.target.forEach([&](Columns c) {
            const auto i = static_cast<std::size_t>(c);
            if (isCleared_[i]) fault("VER-010", "column " + std::to_string(c) + " is added onto and cancelled");
            isClean_[i] = true;  // what stands there is the addend
        });
        const int heads = headsFor(op.source.size(), o_.dHead);
        usesHeads(op, heads, heads);
        computes(op.node, op.target, true);
    }

    void mlp(const MlpOp& op) {
        const Node& node = g_.at(op.node);
        if (op.kind == MlpKind::Bias) return bias(op);
        int count = 0;
        if (op.kind == MlpKind::ComputeRelu) {
            count = chain(op);
        } else if (op.kind == MlpKind::StandaloneRelu && node.is(NodeKind::ReLU)) {
            count = node.width;
            waits(op.node, false), reads(op.node, 0, op.source, middle_);
        } else if (op.kind == MlpKind::LinearBypass && node.is(NodeKind::Linear)) {
            count = 2 * node.width;
            waits(op.node, false), reads(op.node, 0, op.source, middle_);
            if (o_.localInAttention == LocalRouting::Always)
                fault("VER-013", label(op.node) + " runs in the MLP against local_in_attention");
        } else if (op.kind != MlpKind::LiteralValue || !node.is(NodeKind::LiteralValue)) {
            return fault("VER-013", label(op.node) + " is not what its operation computes");
        }
        if (op.slotRange.first != slot_ || op.slotRange.count != count)
            fault("VER-013", label(op.node) + " has other slots than the next " + std::to_string(count));
        slot_ += count;
        computes(op.node, op.target, false);
    }

    /// Slots of the chain that ends in the operation's node.
    int chain(const MlpOp& op) {
        const Node& second = g_.at(op.node);
        const NodeId relu = second.is(NodeKind::Linear) ? second.inputs.front() : NodeId{};
        const bool isRelu = relu.isValid() && g_.at(relu).is(NodeKind::ReLU);
        const NodeId first = isRelu ? g_.at(relu).inputs.front() : NodeId{};
        if (!isRelu || !g_.at(first).is(NodeKind::Linear)) {
            fault("VER-013", label(op.node) + " does not end a chain Linear, ReLU, Linear");
            return op.slotRange.count;
        }
        if (p_.readers[relu.at()].size() != 1 || p_.isHeld[relu.at()])
            fault("VER-010", label(relu) + " is read by others than its chain and owns no columns");
        waits(first, false);
        reads(first, 0, op.source, middle_);
        isComputed(relu, false);
        const bool isExclusive = p_.readers[first.at()].size() == 1 && !p_.isHeld[first.at()];
        if (isExclusive) isComputed(first, false);
        return g_.at(relu).width;
    }

    void bias(const MlpOp& op) {
        const auto open = biases_.find(op.node.index);
        if (open == biases_.end() || open->second != 1)
            return fault("VER-013", label(op.node) + " has no bias left to add in this layer");
        open->second = 0;
        const int at = s_.holdingOf(op.node);
        if (at < 0 || s_.holdings[static_cast<std::size_t>(at)].columns != op.target)
            fault("VER-010", "the bias of " + label(op.node) + " goes to other columns than its own");
        params_ += op.target.size();
    }

    /// What the layer cleared is clean from then on, until an owner loses it.
    void settle() {
        for (std::size_t c = 0; c < stream_.size(); ++c)
            isClean_[c] = isClean_[c] || isCleared_[c];
        attentionNodes_.clear();
    }

    // ---- figures -----------------------------------------------------------------------------------------------

    void checkCounts(const Layer& layer, int occupiedBefore) {
        params_ += std::int64_t{slot_} * o_.slotParams();
        report_.expect(where() + " heads", std::int64_t{layer.heads}, std::int64_t{heads_});
        report_.expect(where() + " slots", std::int64_t{layer.slotsUsed}, std::int64_t{slot_});
        if (!isExport_) report_.expect(where() + " params", layer.params, params_);
        report_.expect(where() + " occupied_before", std::int64_t{layer.occupiedBefore}, std::int64_t{occupiedBefore});
        report_.expect(where() + " occupied_after", std::int64_t{layer.occupiedAfter}, std::int64_t{occupied()});
        if (heads_ > o_.headsPerLayer()) fault("VER-006", "takes more heads than a layer has");
        if (slot_ > o_.slotsPerLayer()) fault("VER-002", "takes more slots than a layer has");
        headsTotal_ += heads_, slotsTotal_ += slot_, paramsTotal_ += params_;
        peak_ = std::max(peak_, occupied());
        std::vector<NodeId> released;
        for (const Holding& h : s_.holdings) {
            if (h.lastLayer == layer_ - 1 && h.firstLayer < layer_) released.push_back(h.owner);
        }
        std::ranges::sort(released);
        if (released != layer.released) fault("VER-013", "released owners are not those that lost their columns");
    }

    /// What it reads, of a chain its first Linear, is there for the layer.
    [[nodiscard]] bool isReady(NodeId id) const {
        const auto isThere = [this](NodeId node) {
            return std::ranges::all_of(p_.inputLeaves[node.at()], [this](const std::vector<NodeId>& leaves) {
                return std::ranges::all_of(leaves, [this](NodeId leaf) { return computedIn_[leaf.at()] <= layer_; });
            });
        };
        const Node& node = g_.at(id);
        if (isInputLike(node.kind) || node.is(NodeKind::Concatenate)) return false;
        if (isThere(id)) return true;
        const NodeId relu = node.is(NodeKind::Linear) ? node.inputs.front() : NodeId{};
        return relu.isValid() && g_.at(relu).is(NodeKind::ReLU) && isThere(g_.at(relu).inputs.front());
    }

    /// The binding is the cause of the refused node with the longest way to an output.
    void checkRefused(const Layer& layer) {
        Cause binding = Cause::Order;
        int longest = -1;
        for (const Refusal& r : layer.refused) {
            if (computedIn_[r.node.at()] <= layer_) fault("VER-013", label(r.node) + " is refused and computed");
            if (!isReady(r.node)) fault("VER-013", label(r.node) + " is refused and could not be computed");
            if (r.cause == Cause::Order) fault("VER-013", label(r.node) + " is refused without a cause");
            if (p_.distance[r.node.at()] > longest) longest = p_.distance[r.node.at()], binding = r.cause;
        }
        if (binding != layer.binding) fault("VER-013", "binding is not the cause of the most urgent refused node");
        const auto isOnPath = [&](const auto& op) {
            return op.node.isValid() && p_.distance[op.node.at()] + p_.depth[op.node.at()] == p_.longest;
        };
        const bool hasOp = std::ranges::any_of(layer.attention, isOnPath) || std::ranges::any_of(layer.mlp, isOnPath);
        const bool isForced = layer.refused.empty() && hasOp && layer.params * 4 < o_.layerCapacity();
        if (isForced != layer.isForcedByOrder) fault("VER-013", "forced_by_order does not follow from its figures");
    }

    [[nodiscard]] int layerOf(NodeId id) const {
        int layer = computedIn_[id.at()];
        if (!g_.at(id).is(NodeKind::Concatenate)) return layer == kNever ? -1 : layer;
        layer = s_.layers.empty() ? -1 : 0;  // of inputs alone: with the first layer
        for (const NodeId leaf : p_.ownLeaves[id.at()])
            layer = std::max(layer, computedIn_[leaf.at()]);
        return layer == kNever ? -1 : layer;
    }

    void checkEnd() {
        layer_ = s_.layerCount();
        for (const Holding& h : s_.holdings) {
            if (h.lastLayer >= layer_ || h.firstLayer > h.lastLayer + (h.firstLayer < 0 ? 1 : 0))
                report_.add("VER-010", "columns of " + label(h.owner), "the layers in which it holds them are none");
        }
        for (std::size_t i = 0; i < g_.size(); ++i) {
            const NodeId id = NodeId::of(i);
            if (i < s_.nodeLayer.size() && s_.nodeLayer[i] != layerOf(id))
                report_.add("VER-013", label(id),
                            "node_layer says " + std::to_string(s_.nodeLayer[i]) + ", the layers give " +
                                std::to_string(layerOf(id)));
        }
        if (!isExport_) checkTotals();
        if (s_.ok()) checkOutputs();
    }

    void checkTotals() {
        report_.expect("totals heads_total", std::int64_t{s_.headsTotal}, std::int64_t{headsTotal_});
        report_.expect("totals slots_total", std::int64_t{s_.slotsTotal}, std::int64_t{slotsTotal_});
        report_.expect("totals params_used", s_.paramsUsed, paramsTotal_);
        report_.expect("totals peak_occupied", std::int64_t{s_.peakOccupied}, std::int64_t{peak_});
        report_.expect("totals remaining_nodes", std::int64_t{s_.remainingNodes}, remaining());
        report_.expect("totals free_columns", std::int64_t{s_.freeColumns}, std::int64_t{o_.d} - occupied());
        if (s_.layerCount() > o_.maxLayers) report_.add("VER-013", "layers", "there are more than max_layers");
    }

    void checkOutputs() {
        for (std::size_t i = 0; i < g_.size(); ++i) {
            if (p_.isHeld[i] && computedIn_[i] == kNever)
                report_.add("VER-011", label(NodeId::of(i)), "a part of an output is never computed");
        }
        if (!stands(p_.ownLeaves[g_.output.at()], s_.outputColumns, stream_))
            report_.add("VER-011", "output_columns", "they do not hold the output");
    }
};

}  // namespace

void replay(const Program& program, const TorchwrightData& data, Report& report) {
    Replay(program, data.schedule, false, report).run();
}

void replayExport(const Program& program, const Schedule& schedule, Report& report) {
    Replay(program, schedule, true, report).run();
}

}  // namespace memplan::verify::torchwright
