// SPDX-License-Identifier: Apache-2.0
// How an operation reads and writes the tensors of one core: cells to dense values and back.
#pragma once

#include "engine/sim/outcome.h"
#include "engine/verify/spyre/artefact/access/ready_op.h"

#include <algorithm>

namespace memplan::sim::artefact {

/// Elements of a tensor on one core, dense over the labels along which it moves.
struct Dense {
    std::vector<Value> value;
    std::vector<std::uint8_t> padding;  ///< empty = none is
    std::vector<std::uint8_t> filled;   ///< zeros of an operation `fill`; empty = none is
    std::vector<std::int64_t> stride;   ///< per label, 0 where it does not move

    [[nodiscard]] bool isPadding(std::int64_t i) const {
        return !padding.empty() && padding[static_cast<std::size_t>(i)] != 0;
    }
    [[nodiscard]] bool isFilled(std::int64_t i) const {
        return !filled.empty() && filled[static_cast<std::size_t>(i)] != 0;
    }
    void markFilled(std::int64_t i) {
        if (filled.empty()) filled.assign(value.size(), 0);
        filled[static_cast<std::size_t>(i)] = 1;
    }
};

class CoreIo {
public:
    CoreIo(const ReadyOp& op, const std::vector<std::vector<Placed>>& at, std::uint32_t event, InstanceCounts& counts);

protected:
    using int64_t = std::int64_t;

    const ReadyOp& op_;
    const Descriptor& d_;
    const std::vector<std::vector<Placed>>& at_;
    std::uint32_t event_;
    InstanceCounts& counts_;
    std::optional<Fault> fault_;
    std::vector<std::size_t> order_;  ///< labels, the innermost loop last: the output's stick label

    const Access& out() const { return op_.access[d_.output]; }
    int64_t perCore(std::size_t label) const { return d_.labels[label].perCore; }
    void fail(std::string code, std::size_t tensor, std::size_t core, int64_t address, std::string message);

    /// Addresses of a tensor on all cores: aligned, and inside of their memories.
    void checkPlaces(std::size_t t);
    /// Strides and number of elements of a tensor on one core.
    Dense shape(std::size_t t, int64_t& size) const;
    /// All elements that a core reads of a tensor; false ends the instance. Cores that read the same part share it.
    bool load(std::size_t t, std::size_t core, Dense& dense);
    /// Writes the dense result of a core; false ends the instance.
    bool save(std::size_t core, const Dense& dense);

    static void put(Dense& dense, int64_t i, Value v, bool padding) {
        dense.value[static_cast<std::size_t>(i)] = padding ? 0 : v;
        if (!padding) return;
        if (dense.padding.empty()) dense.padding.assign(dense.value.size(), 0);
        dense.padding[static_cast<std::size_t>(i)] = 1;
    }

    /// visit(point, running number) over the local box of some labels; false from it ends the walk.
    template <class Visit> bool walk(const std::vector<std::size_t>& labels, Visit&& visit) const {
        std::vector<int64_t> point(labels.size(), 0);
        for (int64_t i = 0;; ++i) {
            if (!visit(point, i)) return false;
            std::size_t k = labels.size();
            while (k-- > 0) {
                if (++point[k] < perCore(labels[k])) break;
                point[k] = 0;
            }
            if (k == static_cast<std::size_t>(-1)) return true;
        }
    }

private:
    /// A row of a tensor: its innermost label.
    struct Row {
        int64_t byte = 0;    ///< offset on the core
        int64_t first = 0;   ///< number of its first element
        int64_t inside = 0;  ///< elements that the tensor has
        int64_t sure = 0;    ///< elements that must have been written
        const std::vector<int64_t>& offset;
    };
    /// visit(row) over the rows of a tensor on a core; false from it ends the walk.
    template <class Visit>
    bool rows(std::size_t t, std::size_t core, std::vector<std::size_t> moving, Visit&& visit) const {
        static const std::vector<int64_t> kOne{0};
        const Access& a = op_.access[t];
        const std::vector<int64_t>& row = moving.empty() ? kOne : a.offset[moving.back()];
        auto inside = static_cast<int64_t>(row.size());
        int64_t sure = inside;
        if (!moving.empty()) {
            const std::size_t l = moving.back();
            const int64_t first = d_.slice[core][l] * perCore(l);
            inside = std::clamp<int64_t>(a.limit[l] - first, 0, inside);
            sure = std::clamp<int64_t>(a.sure[l] - first, 0, sure);
            moving.pop_back();
        }
        return walk(moving, [&](const std::vector<int64_t>& point, int64_t i) {
            Row r{0, i * static_cast<int64_t>(row.size()), inside, sure, row};
            for (std::size_t k = 0; k < moving.size(); ++k) {
                const std::size_t l = moving[k];
                const int64_t global = d_.slice[core][l] * perCore(l) + point[k];
                r.byte += a.offset[l][static_cast<std::size_t>(point[k])];
                if (global >= a.limit[l]) r.inside = 0;
                if (global >= a.sure[l]) r.sure = 0;
            }
            return visit(r);
        });
    }

    /// What a core reads of a tensor.
    struct Part {
        std::size_t tensor = 0;
        const Store* store = nullptr;
        int64_t start = 0;
        std::vector<int64_t> slice;  ///< of the labels that move the tensor
        bool operator==(const Part&) const = default;
    };
    static constexpr std::size_t kMostShared = 64;
    static constexpr std::size_t kMostSharedElements = std::size_t{1} << 27;
    std::vector<std::pair<Part, Dense>> shared_;  ///< of this run of the operation
    std::size_t sharedElements_ = 0;

    bool isReadOnly(std::size_t t) const;
    bool read(std::size_t t, std::size_t core, Dense& dense);
    int64_t reach(std::size_t t, std::size_t core) const;
    std::vector<std::size_t> movingLabels(std::size_t t) const;
    bool take(std::size_t t, std::size_t core, const Cell* cells, int64_t other, int64_t address, Cell& into);
    bool loadMoved(std::size_t t, std::size_t core, Dense& dense);
    bool write(std::size_t core, Cell& cell, int64_t address, const Dense& dense, int64_t i);
    void padTail(std::size_t core, int64_t byte, int64_t lanes);
};

}  // namespace memplan::sim::artefact
