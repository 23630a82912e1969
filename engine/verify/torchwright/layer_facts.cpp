// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/torchwright/bound.h"
#include "engine/verify/torchwright/report_facts.h"

#include <algorithm>
#include <map>

namespace memplan::verify::torchwright {
namespace {

using namespace memplan::torchwright;

using ColumnsBy = std::map<std::string, std::int64_t>;

/// Columns by annotation of their owner, after each layer.
std::vector<ColumnsBy> occupancy(const TorchwrightData& data) {
    std::vector<ColumnsBy> layers(data.schedule.layers.size());
    for (std::size_t layer = 0; layer < layers.size(); ++layer) {
        for (const Holding& h : data.schedule.holdings) {
            const auto at = static_cast<int>(layer);
            if (h.firstLayer <= at && at <= h.lastLayer)
                layers[layer][annotationOf(data.graph->at(h.owner))] += h.columns.size();
        }
    }
    return layers;
}

class PlateauFacts {
public:
    PlateauFacts(const Plan& plan, const TorchwrightData& data, Report& report)
        : data_(data), s_(data.schedule), report_(report), occupancy_(occupancy(data)) {
        full_ = plan.settings.number("torchwright.plateau_share") * s_.options.d;
        const std::int64_t asked = plan.settings.integer("torchwright.plateau_min_layers");
        least_ = asked > 0 ? asked : std::max<std::int64_t>(3, (std::int64_t{s_.layerCount()} + 19) / 20);
    }

    void run() {
        checkOccupancy();
        std::vector<std::pair<int, int>> runs;
        for (int layer = 0; layer < s_.layerCount(); ++layer) {
            if (!isFull(layer)) continue;
            if (!runs.empty() && runs.back().second == layer - 1)
                runs.back().second = layer;
            else
                runs.emplace_back(layer, layer);
        }
        std::erase_if(runs, [&](const auto& run) { return run.second - run.first + 1 < least_; });
        report_.expect("plateaus", static_cast<std::int64_t>(data_.plateaus.size()),
                       static_cast<std::int64_t>(runs.size()));
        for (std::size_t i = 0; i < std::min(runs.size(), data_.plateaus.size()); ++i)
            check(data_.plateaus[i], runs[i]);
    }

private:
    const TorchwrightData& data_;
    const Schedule& s_;
    Report& report_;
    std::vector<ColumnsBy> occupancy_;
    double full_ = 0;
    std::int64_t least_ = 3;

    [[nodiscard]] const Layer& layerAt(int layer) const { return s_.layers[static_cast<std::size_t>(layer)]; }
    [[nodiscard]] bool isFull(int layer) const { return layerAt(layer).occupiedAfter >= full_; }

    void checkOccupancy() {
        report_.expect("live_by_annotation layers", static_cast<std::int64_t>(data_.occupancy.size()),
                       static_cast<std::int64_t>(occupancy_.size()));
        for (std::size_t i = 0; i < std::min(occupancy_.size(), data_.occupancy.size()); ++i) {
            const ColumnsBy stated(data_.occupancy[i].begin(), data_.occupancy[i].end());
            if (stated == occupancy_[i] && stated.size() == data_.occupancy[i].size()) continue;
            report_.add("VER-013", "layer " + std::to_string(i) + " live_by_annotation",
                        "it is not what the owners of columns hold after the layer");
        }
    }

    [[nodiscard]] double meanOps(std::pair<int, int> run, bool isInside) const {
        double ops = 0, layers = 0;
        for (int i = 0; i < s_.layerCount(); ++i) {
            if ((i >= run.first && i <= run.second) != isInside) continue;
            ops += static_cast<double>(layerAt(i).attention.size() + layerAt(i).mlp.size());
            ++layers;
        }
        return layers > 0 ? ops / layers : 0;
    }

    void check(const TorchwrightPlateau& stated, std::pair<int, int> run) {
        const std::string where = "plateau " + std::to_string(run.first) + "-" + std::to_string(run.second) + " ";
        report_.expect(where + "first", std::int64_t{stated.first}, std::int64_t{run.first});
        report_.expect(where + "last", std::int64_t{stated.last}, std::int64_t{run.second});
        report_.expect(where + "mean_ops_inside", stated.meanOpsInside, meanOps(run, true));
        report_.expect(where + "mean_ops_outside", stated.meanOpsOutside, meanOps(run, false));
        ColumnsBy sums;
        std::int64_t all = 0;
        for (int i = run.first; i <= run.second; ++i) {
            for (const auto& [name, columns] : occupancy_[static_cast<std::size_t>(i)]) {
                sums[name] += columns;
                all += columns;
            }
        }
        checkShares(where + "avg_columns", stated.averageColumns, sums, run.second - run.first + 1);
        checkShares(where + "share", stated.share, sums, static_cast<double>(all));
    }

    void checkShares(const std::string& where, const TorchwrightShares& stated, const ColumnsBy& sums, double whole) {
        report_.expect(where + " rows", static_cast<std::int64_t>(stated.size()),
                       static_cast<std::int64_t>(sums.size()));
        for (const auto& [name, value] : stated) {
            const auto it = sums.find(name);
            const double real = it == sums.end() ? 0 : static_cast<double>(it->second) / whole;
            report_.expect(where + " of " + name, value, real);
        }
    }
};

/// Parallel chains into one Concatenate, by the words of torchwright.md 13.
class ClusterFacts {
public:
    ClusterFacts(const Program& program, const TorchwrightData& data, Report& report)
        : p_(program), g_(program.graph), data_(data), s_(data.schedule), report_(report), readers_(g_.size()),
          isInner_(g_.size(), false) {
        for (std::size_t i = 0; i < g_.size(); ++i)
            for (const NodeId input : g_.nodes[i].inputs)
                readers_[input.at()].push_back(NodeId::of(i));
        for (const ChainOfThree& chain : chainsIn(program))
            isInner_[chain.relu.at()] = true;
    }

    void run() {
        std::vector<TorchwrightCluster> real;
        const auto least = static_cast<std::size_t>(s_.options.admissionMinChains);
        for (std::size_t i = 0; i < g_.size(); ++i) {
            if (!g_.nodes[i].is(NodeKind::Concatenate) || g_.nodes[i].inputs.size() < least) continue;
            TorchwrightCluster cluster = clusterInto(NodeId::of(i));
            if (cluster.chains.size() >= least && cluster.peakWidth >= s_.options.admissionMinPeakWidth)
                real.push_back(std::move(cluster));
        }
        report_.expect("clusters", static_cast<std::int64_t>(data_.clusters.size()),
                       static_cast<std::int64_t>(real.size()));
        for (std::size_t i = 0; i < std::min(real.size(), data_.clusters.size()); ++i)
            compare(data_.clusters[i], real[i]);
    }

private:
    static constexpr int kNobody = -1, kSeveral = -2;

    const Program& p_;
    const NodeGraph& g_;
    const TorchwrightData& data_;
    const Schedule& s_;
    Report& report_;
    std::vector<std::vector<NodeId>> readers_;  ///< direct ones
    std::vector<bool> isInner_;                 ///< ReLUs inside of chains
    NodeId join_;
    std::vector<int> owner_;  ///< by node: the input of the join that alone reaches it

    /// Each node is reached from an input once as its own and once more as shared.
    void reach(NodeId from, int input) {
        std::vector<NodeId> open{from};
        while (!open.empty()) {
            const NodeId id = open.back();
            open.pop_back();
            int& owner = owner_[id.at()];
            if (owner == input || owner == kSeveral) continue;
            owner = owner == kNobody ? input : kSeveral;
            const auto& inputs = g_.at(id).inputs;
            open.insert(open.end(), inputs.begin(), inputs.end());
        }
    }

    [[nodiscard]] bool isReadInside(NodeId id, int input) const {
        return std::ranges::all_of(readers_[id.at()], [&](NodeId reader) {
            if (reader == join_) return true;
            if (g_.at(reader).is(NodeKind::Concatenate)) return isReadInside(reader, input);
            return owner_[reader.at()] == input;
        });
    }

    void dropWhatOthersRead() {
        for (bool isChanged = true; isChanged;) {
            isChanged = false;
            for (auto it = p_.order.rbegin(); it != p_.order.rend(); ++it) {
                int& owner = owner_[it->at()];
                const Node& node = g_.at(*it);
                if (owner < 0 || node.is(NodeKind::Concatenate)) continue;
                if (!isInputLike(node.kind) && isReadInside(*it, owner)) continue;
                owner = kSeveral;
                isChanged = true;
            }
        }
    }

    [[nodiscard]] TorchwrightCluster clusterInto(NodeId join) {
        join_ = join;
        owner_.assign(g_.size(), kNobody);
        const std::vector<NodeId>& inputs = g_.at(join).inputs;
        for (std::size_t i = 0; i < inputs.size(); ++i)
            reach(inputs[i], static_cast<int>(i));
        dropWhatOthersRead();
        std::vector<std::vector<NodeId>> members(inputs.size());
        for (std::size_t i = 0; i < g_.size(); ++i)
            if (owner_[i] >= 0 && !g_.nodes[i].is(NodeKind::Concatenate))
                members[static_cast<std::size_t>(owner_[i])].push_back(NodeId::of(i));
        TorchwrightCluster cluster;
        cluster.join = g_.at(join).number;
        cluster.inFlight.assign(s_.layers.size(), 0);
        for (std::size_t i = 0; i < inputs.size(); ++i)
            if (!members[i].empty()) addChain(members[i], inputs[i], cluster);
        for (const int count : cluster.inFlight)
            cluster.natural = std::max(cluster.natural, count);
        return cluster;
    }

    void addChain(const std::vector<NodeId>& nodes, NodeId input, TorchwrightCluster& cluster) const {
        TorchwrightChain chain;
        NodeId end;
        for (const NodeId id : nodes) {
            chain.nodes.push_back(g_.at(id).number);
            if (!isInner_[id.at()]) chain.peakWidth = std::max(chain.peakWidth, g_.at(id).width);
            if (!end.isValid() || g_.at(id).width > g_.at(end).width) end = id;
        }
        if (std::ranges::find(nodes, input) != nodes.end()) end = input;
        chain.terminal = g_.at(end).number;
        addFlight(nodes, end, cluster.inFlight);
        cluster.peakWidth = std::max(cluster.peakWidth, chain.peakWidth);
        cluster.chains.push_back(std::move(chain));
    }

    /// In flight after a layer: something of it is computed, its end is not, or in this layer.
    void addFlight(const std::vector<NodeId>& nodes, NodeId end, std::vector<int>& counts) const {
        const auto layerOf = [&](NodeId id) { return s_.nodeLayer[id.at()]; };
        for (int layer = 0; layer < s_.layerCount(); ++layer) {
            const bool isBegun =
                std::ranges::any_of(nodes, [&](NodeId id) { return layerOf(id) >= 0 && layerOf(id) <= layer; });
            const bool isOpen = layerOf(end) < 0 || layerOf(end) >= layer;
            counts[static_cast<std::size_t>(layer)] += isBegun && isOpen ? 1 : 0;
        }
    }

    void compare(const TorchwrightCluster& stated, const TorchwrightCluster& real) {
        const std::string where = "cluster into node " + std::to_string(real.join) + " ";
        report_.expect(where + "join", stated.join, real.join);
        report_.expect(where + "peak_chain_width", std::int64_t{stated.peakWidth}, std::int64_t{real.peakWidth});
        report_.expect(where + "natural", std::int64_t{stated.natural}, std::int64_t{real.natural});
        if (stated.chains != real.chains)
            report_.add("VER-013", where + "chains", "they are not the parts that only one input of it needs");
        if (stated.inFlight != real.inFlight)
            report_.add("VER-013", where + "in_flight", "it is not what the layers of the nodes give");
    }
};

}  // namespace

void checkPlateaus(const Plan& plan, const TorchwrightData& data, Report& report) {
    PlateauFacts(plan, data, report).run();
}

void checkClusters(const Program& program, const TorchwrightData& data, Report& report) {
    ClusterFacts(program, data, report).run();
}

}  // namespace memplan::verify::torchwright
