// SPDX-License-Identifier: Apache-2.0
#include "engine/sim/machine/prepared_op.h"

#include "engine/sim/sabotage.h"

#include <algorithm>
#include <map>
#include <set>

namespace memplan::sim {
namespace {

using std::int64_t;

int64_t unitsOf(const RecordSymbol& s) {
    return (s.extent + s.unit - 1) / s.unit;
}

}  // namespace

std::vector<CoreWork> coreWork(const RecordOp& op, std::string& misfit) {
    const std::size_t n = op.space.size();
    std::vector<std::size_t> order;
    if (op.kFirst && n > 0) order.push_back(n - 1);
    for (std::size_t i = 0; i + (op.kFirst ? 1 : 0) < n; ++i)
        order.push_back(i);
    int64_t cores = 1;
    for (const RecordSymbol& s : op.space) {
        cores *= s.slices;
        if (unitsOf(s) % s.slices != 0) {
            misfit = std::to_string(s.slices) + " slices do not divide the " + std::to_string(unitsOf(s)) +
                     " units of " + s.name;
        }
    }
    std::vector<CoreWork> list(static_cast<std::size_t>(cores));
    for (std::size_t k = 0; k < list.size(); ++k) {
        CoreWork& w = list[k];
        w.core = static_cast<int>((static_cast<int64_t>(k) + op.coreShift) % cores);
        w.slice.assign(n, 0);
        w.box.resize(n);
        auto rest = static_cast<int64_t>(k);
        for (const std::size_t i : order) {
            const RecordSymbol& s = op.space[i];
            w.slice[i] = rest % s.slices;
            if (sabotage == Sabotage::SliceOrder && op.kind == "reduction") w.slice[i] = s.slices - 1 - w.slice[i];
            rest /= s.slices;
            const int64_t step = unitsOf(s) / s.slices * s.unit;
            const int64_t begin = std::min(w.slice[i] * step, s.extent);
            w.box[i] = {begin, std::min(begin + step, s.extent)};
        }
    }
    return list;
}

ArgMap::ArgMap(const RecordOp& op, const RecordArg& arg, const DeviceMap& layout, const std::vector<CoreWork>& work)
    : layout_(layout), onChip_(arg.memory == RecordMemory::Lx), constant_(arg.index.constant),
      coefficient_(op.space.size(), 0) {
    for (const auto& [symbol, coefficient] : arg.index.terms)
        coefficient_[static_cast<std::size_t>(symbol)] += coefficient;
    local_ = layout_.size();
    low_.assign(work.size(), std::vector<int64_t>(local_.size(), 0));
    if (onChip_) cutSlices(op, work);
    weight_.assign(local_.size(), 1);
    for (std::size_t d = local_.size(); d-- > 1;)
        weight_[d - 1] = weight_[d] * local_[d];
    separable_ = addsUp(op);
    if (separable_) buildTables(op, work);
}

int64_t ArgMap::localElements() const {
    int64_t n = 1;
    for (const int64_t e : local_)
        n *= e;
    return n;
}

int64_t ArgMap::hostElement(const std::vector<int64_t>& point) const {
    int64_t h = constant_;
    for (std::size_t v = 0; v < point.size(); ++v)
        h += coefficient_[v] * point[v];
    return h;
}

/// A dimension along which the slices of the cores begin at n different places is cut in n equal parts.
void ArgMap::cutSlices(const RecordOp& op, const std::vector<CoreWork>& work) {
    std::vector<std::set<int64_t>> begins(local_.size());
    std::vector<std::vector<int64_t>> at(work.size());
    for (std::size_t w = 0; w < work.size(); ++w) {
        int64_t h = constant_;
        for (std::size_t v = 0; v < op.space.size(); ++v) {
            if (op.space[v].slices > 1) h += coefficient_[v] * work[w].box[v].begin;
        }
        const auto c = layout_.coordinates(h);
        if (!c) {
            misfit_ = "the slice of core " + std::to_string(work[w].core) + " begins outside of the tensor";
            return;
        }
        at[w] = *c;
        for (std::size_t d = 0; d < c->size(); ++d)
            begins[d].insert((*c)[d]);
    }
    for (std::size_t d = 0; d < local_.size(); ++d) {
        const auto parts = static_cast<int64_t>(begins[d].size());
        if (parts <= 1) continue;
        if (local_[d] % parts != 0) {
            misfit_ = std::to_string(parts) + " slices do not divide " + std::to_string(local_[d]) +
                      " places of device dimension " + std::to_string(d);
            return;
        }
        local_[d] /= parts;
        for (std::size_t w = 0; w < work.size(); ++w)
            low_[w][d] = at[w][d] / local_[d] * local_[d];
    }
}

/// No sum of positions carries into the next coarser dimension, whatever the values of the symbols.
bool ArgMap::addsUp(const RecordOp& op) const {
    if (constant_ < 0 || !layout_.coordinates(constant_)) return false;
    for (std::size_t v = 0; v < op.space.size(); ++v) {
        if (coefficient_[v] < 0) return false;
        if (!layout_.coordinates(coefficient_[v] * (op.space[v].extent - 1))) return false;
    }
    for (const int64_t boundary : layout_.boundaries()) {
        int64_t sum = constant_ % boundary;
        for (std::size_t v = 0; v < op.space.size(); ++v) {
            const int64_t c = coefficient_[v];
            const int64_t last = op.space[v].extent - 1;
            // Below the boundary the largest remainder is the last one, beyond it any may occur.
            if (c * last < boundary) {
                sum += c * last;
                continue;
            }
            int64_t most = 0;
            for (int64_t j = 0; j <= last; ++j)
                most = std::max(most, c * j % boundary);
            sum += most;
        }
        if (sum >= boundary) return false;
    }
    return true;
}

void ArgMap::buildTables(const RecordOp& op, const std::vector<CoreWork>& work) {
    const std::size_t rank = local_.size();
    const auto weigh = [&](const std::vector<int64_t>& c) {
        int64_t sum = 0;
        for (std::size_t d = 0; d < rank; ++d)
            sum += c[d] * weight_[d];
        return sum;
    };
    std::vector<std::vector<std::vector<int64_t>>> digits(op.space.size());
    tables_.resize(op.space.size());
    for (std::size_t v = 0; v < op.space.size(); ++v) {
        for (int64_t j = 0; j < op.space[v].extent; ++j) {
            const std::vector<int64_t> c =
                layout_.coordinates(coefficient_[v] * j).value_or(std::vector<int64_t>(rank, 0));
            tables_[v].push_back(weigh(c));
            if (coefficient_[v] == 0) {
                tables_[v].resize(static_cast<std::size_t>(op.space[v].extent), 0);
                break;
            }
            digits[v].push_back(c);
        }
    }
    const std::vector<int64_t> origin = *layout_.coordinates(constant_);
    // Cores with the same slice of a symbol reach the same coordinates through it.
    struct Reach {
        std::vector<int64_t> least, most;
    };
    std::vector<std::map<int64_t, Reach>> reach(op.space.size());
    const auto reachOf = [&](std::size_t v, const CoreWork& w) -> const Reach& {
        const auto [it, isNew] = reach[v].try_emplace(w.slice[v]);
        if (!isNew) return it->second;
        Reach& r = it->second;
        r.least.assign(rank, INT64_MAX);
        r.most.assign(rank, 0);
        for (int64_t j = w.box[v].begin; j < w.box[v].end; ++j) {
            for (std::size_t d = 0; d < rank; ++d) {
                r.least[d] = std::min(r.least[d], digits[v][static_cast<std::size_t>(j)][d]);
                r.most[d] = std::max(r.most[d], digits[v][static_cast<std::size_t>(j)][d]);
            }
        }
        return r;
    };
    for (std::size_t w = 0; w < work.size(); ++w) {
        std::vector<int64_t> least = origin;
        std::vector<int64_t> most = origin;
        for (std::size_t v = 0; v < op.space.size(); ++v) {
            if (coefficient_[v] == 0 || work[w].box[v].size() <= 0) continue;
            const Reach& r = reachOf(v, work[w]);
            for (std::size_t d = 0; d < rank; ++d) {
                least[d] += r.least[d];
                most[d] += r.most[d];
            }
        }
        bool inside = true;
        for (std::size_t d = 0; d < rank; ++d)
            inside = inside && least[d] >= low_[w][d] && most[d] < low_[w][d] + local_[d];
        plain_.push_back(inside);
        start_.push_back(weigh(origin) - weigh(low_[w]));
    }
}

std::optional<int64_t> ArgMap::localPosition(std::size_t w, const std::vector<int64_t>& coordinates) const {
    int64_t at = 0;
    for (std::size_t d = 0; d < local_.size(); ++d) {
        const int64_t c = coordinates[d] - low_[w][d];
        if (c < 0 || c >= local_[d]) return std::nullopt;
        at += c * weight_[d];
    }
    return at;
}

std::optional<int64_t> ArgMap::position(std::size_t w, const std::vector<int64_t>& point) const {
    const auto c = layout_.coordinates(hostElement(point));
    return c ? localPosition(w, *c) : std::nullopt;
}

PreparedOp::PreparedOp(const RecordOp& source, const std::vector<DeviceMap>& layouts) : op(source) {
    work = coreWork(op, misfit);
    if (op.role == RecordRole::Outside || op.role == RecordRole::Allocate) return;
    for (const RecordArg& a : op.args)
        maps.emplace_back(op, a, layouts[static_cast<std::size_t>(a.buffer)], work);
}

}  // namespace memplan::sim
