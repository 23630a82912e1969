// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/cost/edition_b.h"

#include "engine/spyre/cost/kernel_bytes.h"
#include "engine/spyre/cost/rates.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

namespace memplan::spyre::cost {
namespace {

double real(std::int64_t v) {
    return static_cast<double>(v);
}

bool isReplicated(const ArgFeatures& a) {
    return a.isInput() && a.inHbm() && !a.broadcast && a.replication > 1;
}

/// Adds up amounts; those of a graph input count once per name, with the largest.
class OncePerInput {
public:
    void add(const ArgFeatures& a, double amount) {
        if (!a.boundary()) {
            sum_ += amount;
            return;
        }
        double& most = largest_[a.name];
        most = std::max(most, amount);
    }
    [[nodiscard]] double total() const {
        double total = sum_;
        for (const auto& [name, amount] : largest_)
            total += amount;
        return total;
    }

private:
    double sum_ = 0;
    std::map<std::string_view, double> largest_;
};

std::optional<double> nsPerRequest(std::int64_t cores, const Constants& c) {
    for (const auto& [count, ns] : c.dmaNsPerRequest) {
        if (count == cores) return ns;
    }
    return std::nullopt;
}

/// Fewest and most requests that a payload can take.
struct RequestRange {
    double fewest, most;
};

RequestRange requestRange(double payload, const Constants& c) {
    const double word = c.dmaWordBytes;
    return {std::ceil(payload / (word * c.dmaMaxBurstWords)), std::ceil(payload / word)};
}

const ArgFeatures* onlyArg(const OpFeatures& op, Role role) {
    const ArgFeatures* only = nullptr;
    for (const ArgFeatures& a : op.args) {
        if (a.role != role) continue;
        if (only != nullptr) return nullptr;
        only = &a;
    }
    return only;
}

/// The op is priced by its transport requests (conditions of 7.6).
bool hasTransportPrice(const OpFeatures& op, const Constants& c) {
    const ArgFeatures* in = onlyArg(op, Role::Input);
    const ArgFeatures* out = onlyArg(op, Role::Output);
    if (in == nullptr || out == nullptr || !in->inHbm() || op.dtypeBytes != 2) return false;
    const bool known = op.transportReadRunBytes.value_or(0) > 0 && op.transportTileElements.value_or(0) > 0;
    return known && nsPerRequest(op.cores, c).has_value();
}

double transportExcess(const OpFeatures& op, const Constants& c) {
    const double payload = real(*op.transportTileElements) * 2;
    const bool swaps = op.hbmPattern == "restickify";
    const double bt = payload / (swaps ? c.bwRestickify : c.bwPeak);
    const double ns = *nsPerRequest(op.cores, c);
    const auto [fewest, most] = requestRange(payload, c);
    const double requests = payload / real(*op.transportReadRunBytes);
    double floor = std::max(0.0, fewest * ns - bt);
    if (swaps && onlyArg(op, Role::Output)->inHbm()) {
        floor = std::max(floor, payload / (c.restickifyCoreRate * real(op.cores)) - 2 * bt);
    }
    const double cap = std::max(floor, most * ns - bt);
    if (floor == cap || requests <= std::floor((floor + bt) / ns)) return floor;
    return requests <= most ? requests * ns - bt : cap;
}

bool isSinglePass(const OpFeatures& op) {
    if (op.loopTrip != 1 || op.tilesOutputDim || op.tilesReductionDim) return false;
    return std::all_of(op.args.begin(), op.args.end(), [](const ArgFeatures& a) { return a.loopFactor == 1; });
}

}  // namespace

double replicatedBytes(const OpFeatures& op) {
    double bytes = 0;
    for (const ArgFeatures& a : op.args) {
        if (isReplicated(a)) bytes += real(a.elements * a.loopFactor * a.replication * op.dtypeBytes);
    }
    return bytes;
}

ReplicatedLoads replicatedLoads(std::span<const OpFeatures> ops, const Constants& c) {
    struct Load {
        double bytes = 0;
        std::int64_t cores = 1;
    };
    std::map<std::string_view, Load> boundary;
    ReplicatedLoads total;
    const auto charge = [&](double bytes, std::int64_t cores) {
        total.bytes += bytes;
        total.ns += bytes / real(cores) / c.replicatedReadRate;
    };
    for (const OpFeatures& op : ops) {
        for (const ArgFeatures& a : op.args) {
            if (!isReplicated(a)) continue;
            const double bytes = real(a.elements * a.loopFactor * a.replication * op.dtypeBytes);
            if (!a.boundary()) {
                charge(bytes, op.cores);
                continue;
            }
            Load& load = boundary[a.name];
            load.bytes = std::max(load.bytes, bytes);
            load.cores = op.cores;
        }
    }
    for (const auto& [name, load] : boundary)
        charge(load.bytes, load.cores);
    return total;
}

double indirectStoreNs(std::span<const OpFeatures> ops, const Constants& c) {
    if (c.storeRate <= 0) return 0;
    double ns = 0;
    for (const OpFeatures& op : ops) {
        if (!op.isIndirectStore || op.isMatmul) continue;
        const double slower = 1 / (real(op.cores) * c.storeRate) - 1 / c.bwPeak;
        ns += real(opBytes(op, Edition::B).write) * std::max(0.0, slower);
    }
    return ns;
}

double sharedLoadNs(std::span<const OpFeatures> ops, const Constants& c) {
    OncePerInput ns;
    for (const OpFeatures& op : ops) {
        if (!op.isMatmul) continue;
        for (const ArgFeatures& a : op.args) {
            if (!a.isInput() || !a.inHbm() || !a.broadcast || a.replication == 1) continue;
            const double fan = std::max(1.0, std::pow(real(a.replication) / 8, 0.75)) - 1;
            ns.add(a, real(a.elements * a.loopFactor * op.dtypeBytes) / c.bwPeak * fan);
        }
    }
    return ns.total();
}

double partitionedReadNs(std::span<const OpFeatures> ops, const Constants& c) {
    if (c.partitionedReadRate <= 0 || !std::all_of(ops.begin(), ops.end(), isSinglePass)) return 0;
    OncePerInput ns;
    for (const OpFeatures& op : ops) {
        if (!op.isMatmul || op.matmulMacs <= 0) continue;
        for (const ArgFeatures& a : op.args) {
            if (!a.isInput() || !a.inHbm() || a.replication != 1 || op.matmulMacs > a.elements) continue;
            const double bytes = real(a.elements * op.dtypeBytes);
            ns.add(a, std::max(0.0, bytes / (real(op.cores) * c.partitionedReadRate) - bytes / c.bwPeak));
        }
    }
    return ns.total();
}

std::optional<double> fusedReductionNs(std::span<const OpFeatures> ops, const Constants& c) {
    if (ops.size() < 2) return std::nullopt;
    std::optional<double> longest;
    for (const OpFeatures& op : ops) {
        if (!op.isReduction || op.isMatmul) continue;
        std::optional<std::int64_t> most;
        for (const ArgFeatures& a : op.args) {
            if (!a.isInput() || a.boundary()) continue;
            most = std::max(most.value_or(0), a.elements * a.loopFactor);
        }
        if (!most) continue;
        longest = std::max(longest.value_or(0), real(*most) / real(op.cores) / c.fusedReductionRate);
    }
    return longest;
}

double relayoutCopiesNs(std::span<const OpFeatures> ops, const Constants& c) {
    double ns = 0;
    for (const OpFeatures& op : ops) {
        if (!op.isLxRelayout || op.relayoutRunElements <= 0) continue;
        const double payload = real(op.outElements * op.dtypeBytes) / real(op.cores);
        ns += relayoutNs(payload, real(op.relayoutRunElements * op.dtypeBytes), op.relayoutSplit, c);
    }
    return ns;
}

double cloneInNs(std::span<const OpFeatures> ops, const Constants& c) {
    std::map<std::string_view, double> bytes;
    for (const OpFeatures& op : ops) {
        for (const ArgFeatures& a : op.args) {
            if (!a.isInput() || a.inHbm() || !a.boundary() || !a.ownsBoundaryCharge) continue;
            double& most = bytes[a.name];
            most = std::max(most, real(a.elements * op.dtypeBytes));
        }
    }
    double total = 0;
    for (const auto& [name, b] : bytes)
        total += b / c.bwPeak;
    return total;
}

double loopCarryNs(std::span<const OpFeatures> ops, const Constants& c) {
    if (c.loopRereadRate <= 0) return 0;
    double ns = 0;
    for (const OpFeatures& op : ops) {
        if (op.isMatmul) continue;
        for (const ArgFeatures& a : op.args) {
            if (!a.isInput() || a.broadcast || !a.inHbm() || a.loopFactor <= 1) continue;
            ns += real(a.elements * (a.loopFactor - 1) * op.dtypeBytes) * (1 / c.loopRereadRate - 1 / c.bwPeak);
        }
    }
    return ns;
}

double transportRequestsNs(std::span<const OpFeatures> ops, const Constants& c) {
    double ns = 0;
    for (const OpFeatures& op : ops) {
        if (hasTransportPrice(op, c)) ns += real(op.loopTrip) * transportExcess(op, c);
    }
    return ns;
}

double readBurstNs(std::span<const OpFeatures> ops, const Constants& c) {
    double ns = 0;
    for (const OpFeatures& op : ops) {
        const auto interval = nsPerRequest(op.cores, c);
        if (!interval || hasTransportPrice(op, c)) continue;
        for (const ArgFeatures& a : op.args) {
            const bool priced = a.isInput() && a.inHbm() && (a.broadcast || a.replication == 1);
            if (!priced || a.readRunBytes.value_or(0) <= 0) continue;
            const double payload = real(a.elements * op.dtypeBytes);
            const double bt = payload / c.bwPeak;
            const auto [fewest, most] = requestRange(payload, c);
            const double requests = std::clamp(payload / real(*a.readRunBytes), fewest, std::max(fewest, most));
            const double least = std::max(0.0, fewest * *interval - bt);
            ns += real(a.loopFactor) * std::max(least, requests * *interval - bt);
        }
    }
    return ns;
}

}  // namespace memplan::spyre::cost
