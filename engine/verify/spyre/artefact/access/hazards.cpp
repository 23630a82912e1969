// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/artefact/access/hazards.h"

#include <algorithm>
#include <unordered_set>

namespace memplan::sim::artefact {
namespace {

using std::int64_t;

class HazardSearch {
public:
    HazardSearch(const ReadyOp& op, const std::vector<std::vector<Placed>>& at, std::uint32_t event)
        : op_(op), d_(*op.file), at_(at), event_(event), out_(op.access[d_.output]) {}

    std::optional<Fault> run() {
        for (const std::size_t t : d_.inputs) {
            if (!d_.tensors[t].ownSlices.empty() || isSamePlace(t)) continue;
            for (std::size_t core = 0; core < d_.slice.size(); ++core) {
                if (!mayMeet(t, core)) continue;
                if (auto fault = check(t, core)) return fault;
            }
        }
        return std::nullopt;
    }

private:
    const ReadyOp& op_;
    const Descriptor& d_;
    const std::vector<std::vector<Placed>>& at_;
    std::uint32_t event_;
    const Access& out_;

    /// Every element is read where its own result goes: in place.
    bool isSamePlace(std::size_t t) const {
        const Access& a = op_.access[t];
        if (a.offset != out_.offset || a.width != out_.width || op_.form != ReadyOp::Form::Pointwise) return false;
        for (std::size_t c = 0; c < d_.slice.size(); ++c) {
            if (at_[t][c].store != at_[d_.output][c].store || at_[t][c].start != at_[d_.output][c].start) return false;
        }
        return true;
    }

    bool mayMeet(std::size_t t, std::size_t core) const {
        const Placed& from = at_[t][core];
        const Access& a = op_.access[t];
        return std::any_of(at_[d_.output].begin(), at_[d_.output].end(), [&](const Placed& to) {
            return to.store == from.store && from.start <= to.start + out_.highest &&
                   to.start <= from.start + a.highest;
        });
    }

    static int64_t byteOf(const Access& a, const std::vector<int64_t>& point) {
        int64_t byte = 0;
        for (std::size_t l = 0; l < point.size(); ++l) {
            if (a.moves(l)) byte += a.offset[l][static_cast<std::size_t>(point[l])];
        }
        return byte;
    }

    template <class Visit> void box(Visit&& visit) const {
        std::vector<int64_t> point(d_.labels.size(), 0);
        while (true) {
            visit(point);
            std::size_t k = point.size();
            while (k-- > 0) {
                if (++point[k] < d_.labels[k].perCore) break;
                point[k] = 0;
            }
            if (k == static_cast<std::size_t>(-1)) return;
        }
    }

    /// Lanes that may hold no data are free to be overwritten.
    bool mayBeBehind(const Access& a, std::size_t core, const std::vector<int64_t>& point) const {
        for (std::size_t l = 0; l < point.size(); ++l) {
            const int64_t global = d_.slice[core][l] * d_.labels[l].perCore + point[l];
            if (a.moves(l) && global >= std::min(a.sure[l], a.limit[l])) return true;
        }
        return false;
    }

    std::optional<Fault> check(std::size_t t, std::size_t core) const {
        const Placed& from = at_[t][core];
        const Placed& to = at_[d_.output][core];
        const Access& a = op_.access[t];
        std::unordered_set<int64_t> own;
        box([&](const std::vector<int64_t>& point) { own.insert(to.start + byteOf(out_, point)); });
        std::optional<Fault> fault;
        box([&](const std::vector<int64_t>& point) {
            if (fault || mayBeBehind(a, core, point)) return;
            const int64_t x = from.start + byteOf(a, point);
            int64_t other = 0;
            const Cell* cells = from.store->stick(x / kStickBytes, out_.width, other);
            if (cells == nullptr) return;
            const Cell& cell = cells[x % kStickBytes / out_.width];
            if (eventOf(cell) != event_ || isPadding(cell)) return;
            const int64_t y = to.start + byteOf(out_, point);
            const bool isOwn = from.store == to.store && own.contains(x / out_.width * out_.width);
            if (isOwn && x / kStickBytes >= y / kStickBytes) return;
            Fault f;
            f.code = isOwn ? "VER-015" : "VER-016";
            f.op = op_.name;
            f.buffer = d_.tensors[t].name;
            f.core = static_cast<int>(core);
            f.memory = from.isLx ? "LX" : "HBM";
            f.address = x;
            f.kind = "overlap";
            f.message = isOwn ? "the operation overwrites an operand before it reads it"
                              : "a core overwrites what another core reads in the same run of the operation";
            fault = std::move(f);
        });
        return fault;
    }
};

}  // namespace

std::optional<Fault> findHazard(const ReadyOp& op, const std::vector<std::vector<Placed>>& at, std::uint32_t event) {
    return HazardSearch(op, at, event).run();
}

}  // namespace memplan::sim::artefact
