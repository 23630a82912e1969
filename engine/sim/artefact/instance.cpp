// SPDX-License-Identifier: Apache-2.0
#include "sim/artefact/instance.h"

#include "base/text.h"
#include "sim/artefact/hazards.h"

#include <algorithm>
#include <array>
#include <map>

namespace memplan::sim::artefact {
namespace {

using std::int64_t;
using std::string;

/// What reading a lane without data and a lane with data in one sum gives: equal to nothing.
constexpr Value kMixed = 0xFFFFFFFE;

/// Elements of a tensor on one core, dense over the labels along which it moves.
struct Dense {
    std::vector<Value> value;
    std::vector<std::uint8_t> padding;  ///< empty = none is
    std::vector<int64_t> stride;        ///< per label, 0 where it does not move

    [[nodiscard]] bool isPadding(int64_t i) const {
        return !padding.empty() && padding[static_cast<std::size_t>(i)] != 0;
    }
};

/// Sums of one group of cores.
struct Sums {
    std::vector<std::uint64_t> sum;
    std::vector<std::int32_t> real, padded;  ///< terms with and without data
    /// Products: weighted sums of each operand, one for each point of what it has in common with the result.
    std::array<std::vector<std::uint64_t>, 2> side;
};

class Instance {
public:
    Instance(const ReadyOp& op, const std::vector<std::vector<Placed>>& at, std::uint32_t event, std::uint64_t seed,
             InstanceCounts& counts)
        : op_(op), d_(*op.file), at_(at), event_(event), counts_(counts), f_(op.function, op.attributes, seed) {}

    std::optional<Fault> run() {
        for (std::size_t t = 0; t < d_.tensors.size() && !fault_; ++t)
            checkPlaces(t);
        if (fault_) return fault_;
        count();
        order();
        if (op_.form == ReadyOp::Form::Pointwise) {
            pointwise();
        } else {
            sums();
        }
        if (!fault_) fault_ = findHazard(op_, at_, event_);
        return fault_;
    }

private:
    const ReadyOp& op_;
    const Descriptor& d_;
    const std::vector<std::vector<Placed>>& at_;
    std::uint32_t event_;
    InstanceCounts& counts_;
    Function f_;
    std::optional<Fault> fault_;
    std::vector<std::size_t> order_;  ///< labels, the innermost loop last

    const Access& out() const { return op_.access[d_.output]; }

    void fail(string code, std::size_t tensor, std::size_t core, int64_t address, string message) {
        if (fault_) return;
        Fault f;
        f.code = std::move(code);
        f.op = op_.name;
        f.core = static_cast<int>(core);
        const Placed& p = at_[tensor][core];
        f.memory = p.isLx ? "LX" : p.store == nullptr ? "" : "HBM";
        f.buffer = d_.tensors[tensor].name + (p.store == nullptr || p.isLx ? "" : " (" + p.store->name() + ")");
        f.address = address;
        f.message = std::move(message);
        fault_ = std::move(f);
    }

    /// Byte behind the last element that must be there.
    int64_t reach(std::size_t t, std::size_t core) const {
        const Access& a = op_.access[t];
        int64_t byte = a.width;
        for (std::size_t l = 0; l < d_.labels.size(); ++l) {
            if (!a.moves(l)) continue;
            const auto n = static_cast<int64_t>(a.offset[l].size());
            const int64_t first = d_.tensors[t].ownSlices.empty() ? d_.slice[core][l] * perCore(l) : 0;
            const int64_t sure = std::clamp<int64_t>(std::min(a.sure[l], a.limit[l]) - first, 1, n);
            byte += a.offset[l][static_cast<std::size_t>(sure - 1)];
        }
        return byte;
    }

    void checkPlaces(std::size_t t) {
        for (std::size_t c = 0; c < at_[t].size(); ++c) {
            const Placed& p = at_[t][c];
            if (p.start % kStickBytes != 0)
                return fail("VER-001", t, c, p.start, "an address is no multiple of 128 bytes");
            const int64_t end = reach(t, c);
            if (p.start < 0 || p.start > p.store->bytes() - end) {
                return fail("VER-002", t, c, p.start,
                            "bytes " + text::grouped(p.start) + " to " + text::grouped(p.start + end) + " leave the " +
                                text::grouped(p.store->bytes()) + " bytes of " + p.store->name());
            }
            if (p.isLx) counts_.lxPeak = std::max(counts_.lxPeak, p.start + end);
        }
    }

    void count() {
        for (std::size_t t = 0; t < d_.tensors.size(); ++t) {
            if (d_.tensors[t].isLx) continue;
            const int64_t bytes = op_.access[t].sticks * kStickBytes;
            (t == d_.output ? counts_.writeBytes : counts_.readBytes) += bytes;
        }
    }

    /// The output's stick label goes innermost.
    void order() {
        for (std::size_t l = 0; l < d_.labels.size(); ++l) {
            if (static_cast<int>(l) != out().stick) order_.push_back(l);
        }
        if (out().stick >= 0) order_.push_back(static_cast<std::size_t>(out().stick));
    }

    int64_t perCore(std::size_t label) const { return d_.labels[label].perCore; }

    /// First local index of a label, and one behind its last, that count on a core: masked ones are at the end.
    bool isMasked(std::size_t core, std::size_t label, int64_t local) const {
        const Label& l = d_.labels[label];
        const int64_t global = d_.slice[core][label] * l.perCore + local;
        return global >= l.masked.first && global < l.masked.second;
    }

    // ---- reading -----------------------------------------------------------------------------------

    Dense shape(std::size_t t, int64_t& size) const {
        Dense dense;
        dense.stride.assign(d_.labels.size(), 0);
        size = 1;
        for (std::size_t i = order_.size(); i-- > 0;) {
            const std::size_t l = order_[i];
            if (!op_.access[t].moves(l)) continue;
            dense.stride[l] = size;
            size *= perCore(l);
        }
        return dense;
    }

    /// Reads an element of a stick; false ends the instance.
    bool take(std::size_t t, std::size_t core, const Cell* cells, int64_t other, int64_t address, Cell& into) {
        const int64_t width = op_.access[t].width;
        const Cell* cell = cells == nullptr ? nullptr : cells + address % kStickBytes / width;
        if (cell != nullptr && cell->writer != 0 && eventOf(*cell) != event_) {
            into = *cell;
            return true;
        }
        if (cell != nullptr && cell->writer != 0) {
            fail("VER-016", t, core, address, "a core reads what another core writes in the same run of the operation");
        } else if (other != 0) {
            fail("VER-015", t, core, address,
                 "it reads elements of " + std::to_string(width) + " bytes where elements of " + std::to_string(other) +
                     " bytes stand");
        } else {
            fail("VER-011", t, core, address, "it reads what nobody wrote");
        }
        return false;
    }

    std::vector<std::size_t> movingLabels(std::size_t t) const {
        std::vector<std::size_t> moving;
        for (const std::size_t l : order_) {
            if (op_.access[t].moves(l)) moving.push_back(l);
        }
        return moving;
    }

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

    /// All elements that a core reads of a tensor; false ends the instance.
    bool load(std::size_t t, std::size_t core, Dense& dense) {
        int64_t size = 1;
        dense = shape(t, size);
        dense.value.assign(static_cast<std::size_t>(size), 0);
        counts_.bytesMoved += size * op_.access[t].width;
        if (!d_.tensors[t].ownSlices.empty()) return loadMoved(t, core, dense);
        const Placed& p = at_[t][core];
        const int64_t width = op_.access[t].width;
        return rows(t, core, movingLabels(t), [&](const Row& row) {
            const Cell* cells = nullptr;
            int64_t stick = -1;
            int64_t other = 0;
            const auto n = static_cast<int64_t>(row.offset.size());
            for (int64_t j = 0; j < row.inside; ++j) {
                const int64_t address = p.start + row.byte + row.offset[static_cast<std::size_t>(j)];
                if (address / kStickBytes != stick) {
                    stick = address / kStickBytes;
                    cells = p.store->stick(stick, width, other);
                }
                const bool isNothing = cells == nullptr || cells[address % kStickBytes / width].writer == 0;
                if (isNothing && j >= row.sure) {
                    put(dense, row.first + j, 0, true);
                    continue;
                }
                Cell cell;
                if (!take(t, core, cells, other, address, cell)) return false;
                put(dense, row.first + j, cell.value, isPadding(cell));
            }
            for (int64_t j = row.inside; j < n; ++j)
                put(dense, row.first + j, 0, true);
            return true;
        });
    }

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

    /// A transfer between cores: every element comes from a core that owns it (A4.4).
    bool loadMoved(std::size_t t, std::size_t core, Dense& dense) {
        const Tensor& tensor = d_.tensors[t];
        const Access& a = op_.access[t];
        const std::vector<std::size_t> moving = movingLabels(t);
        std::vector<int64_t> own;
        for (const std::size_t l : moving)
            own.push_back(static_cast<int64_t>(a.offset[l].size()));
        return walk(moving, [&](const std::vector<int64_t>& point, int64_t i) {
            int64_t byte = 0;
            std::vector<int64_t> wanted(moving.size());
            for (std::size_t k = 0; k < moving.size(); ++k) {
                const int64_t global = d_.slice[core][moving[k]] * perCore(moving[k]) + point[k];
                wanted[k] = global / own[k];
                byte += a.offset[moving[k]][static_cast<std::size_t>(global % own[k])];
            }
            const int owner = ownerOf(tensor, moving, wanted, core);
            if (owner < 0) {
                fail("VER-018", t, core, -1, "no core holds a slice that this core receives");
                return false;
            }
            const Placed& p = at_[t][static_cast<std::size_t>(owner)];
            int64_t other = 0;
            const Cell* cells = p.store->stick((p.start + byte) / kStickBytes, a.width, other);
            Cell cell;
            if (!take(t, static_cast<std::size_t>(owner), cells, other, p.start + byte, cell)) return false;
            put(dense, i, cell.value, isPadding(cell));
            return true;
        });
    }

    static int ownerOf(const Tensor& tensor, const std::vector<std::size_t>& labels, const std::vector<int64_t>& wanted,
                       std::size_t receiver) {
        const auto owns = [&](std::size_t c) {
            for (std::size_t k = 0; k < labels.size(); ++k) {
                if (tensor.ownSlices[c][labels[k]] != wanted[k]) return false;
            }
            return true;
        };
        if (receiver < tensor.ownSlices.size() && owns(receiver)) return static_cast<int>(receiver);
        for (std::size_t c = 0; c < tensor.ownSlices.size(); ++c) {
            if (owns(c)) return static_cast<int>(c);
        }
        return -1;
    }

    // ---- writing -----------------------------------------------------------------------------------

    bool write(std::size_t core, Cell& cell, int64_t address, Value value, bool padding) {
        if (eventOf(cell) != event_) {
            cell = {padding ? Value{0} : value, event_ | (padding ? kPadding : 0U)};
            return true;
        }
        if (isPadding(cell) && !padding) {
            cell = {value, event_};
            return true;
        }
        if (padding || cell.value == value) {
            counts_.redundantWrites += address % kStickBytes == 0 ? 1 : 0;
            return true;
        }
        fail("VER-016", d_.output, core, address, "two different values are written to one place");
        return false;
    }

    /// Lanes behind the data of a stick that nobody wrote hold no data.
    void padTail(std::size_t core, int64_t byte, int64_t lanes) {
        const Placed& p = at_[d_.output][core];
        const int64_t address = p.start + byte;
        const auto all = static_cast<std::size_t>(kStickBytes / out().width);
        Cell* cells = p.store->stickForWriting(address / kStickBytes, out().width);
        const auto first = static_cast<std::size_t>(address % kStickBytes / out().width);
        for (std::size_t i = 0; i < all; ++i) {
            const bool isData = i >= first && i < first + static_cast<std::size_t>(lanes);
            if (!isData && cells[i].writer == 0) cells[i] = {0, event_ | kPadding};
        }
    }

    /// Writes the dense result of a core.
    bool save(std::size_t core, const Dense& dense) {
        const Access& a = out();
        const Placed& p = at_[d_.output][core];
        counts_.bytesMoved += static_cast<int64_t>(dense.value.size()) * a.width;
        return rows(d_.output, core, movingLabels(d_.output), [&](const Row& row) {
            Cell* cells = nullptr;
            int64_t stick = -1;
            for (int64_t j = 0; j < row.inside; ++j) {
                const int64_t byte = row.byte + row.offset[static_cast<std::size_t>(j)];
                const int64_t address = p.start + byte;
                if (address / kStickBytes != stick) {
                    stick = address / kStickBytes;
                    cells = p.store->stickForWriting(stick, a.width);
                }
                const int64_t i = row.first + j;
                Cell& cell = cells[address % kStickBytes / a.width];
                if (!write(core, cell, address, dense.value[static_cast<std::size_t>(i)], dense.isPadding(i)))
                    return false;
                // Without a stick label every element has a stick of its own.
                if (a.stick < 0) padTail(core, byte, 1);
            }
            const int64_t lanes = row.inside % a.stickSize;
            if (a.stick >= 0 && lanes > 0)
                padTail(core, row.byte + row.offset[static_cast<std::size_t>(row.inside - lanes)], lanes);
            return true;
        });
    }

    // ---- pointwise ---------------------------------------------------------------------------------

    void pointwise() {
        // Transfers between cores read everything before they write.
        const bool isTransfer = std::any_of(d_.inputs.begin(), d_.inputs.end(),
                                            [&](std::size_t t) { return !d_.tensors[t].ownSlices.empty(); });
        std::vector<Dense> waiting;
        for (std::size_t core = 0; core < d_.slice.size(); ++core) {
            Dense result;
            if (!compute(core, result)) return;
            if (isTransfer) {
                waiting.push_back(std::move(result));
            } else if (!save(core, result)) {
                return;
            }
        }
        for (std::size_t core = 0; core < waiting.size(); ++core) {
            if (!save(core, waiting[core])) return;
        }
    }

    bool compute(std::size_t core, Dense& result) {
        std::vector<Dense> in(d_.inputs.size());
        bool isPadded = false;
        for (std::size_t k = 0; k < in.size(); ++k) {
            if (!load(d_.inputs[k], core, in[k])) return false;
            isPadded = isPadded || !in[k].padding.empty();
        }
        int64_t size = 1;
        result = shape(d_.output, size);
        result.value.assign(static_cast<std::size_t>(size), 0);
        bool isOnce = true;
        for (const std::size_t l : order_)
            isOnce = isOnce && (out().moves(l) || perCore(l) == 1);
        if (!isPadded && isOnce && in.size() <= 2) {
            computeRows(in, result);
            return true;
        }
        return computeEach(core, in, result);
    }

    /// One or two operands without padding, every result computed once.
    void computeRows(const std::vector<Dense>& in, Dense& result) const {
        std::vector<std::size_t> outer = order_;
        const std::size_t inner = outer.back();
        outer.pop_back();
        const int64_t n = perCore(inner);
        const Dense& b = in.back();
        const int64_t sa = in.front().stride[inner];
        const int64_t sb = b.stride[inner];
        const int64_t so = result.stride[inner];
        walk(outer, [&](const std::vector<int64_t>& point, int64_t) {
            const Value* pa = in.front().value.data() + position(in.front(), outer, point);
            const Value* pb = b.value.data() + position(b, outer, point);
            Value* po = result.value.data() + position(result, outer, point);
            if (in.size() == 1) {
                for (int64_t j = 0; j < n; ++j)
                    po[j * so] = f_.apply(pa[j * sa]);
            } else {
                for (int64_t j = 0; j < n; ++j)
                    po[j * so] = f_.apply(pa[j * sa], pb[j * sb]);
            }
            return true;
        });
    }

    bool computeEach(std::size_t core, const std::vector<Dense>& in, Dense& result) {
        std::vector<std::uint8_t> written(result.value.size(), 0);
        std::vector<Value> operands(in.size());
        return walk(order_, [&](const std::vector<int64_t>& point, int64_t) {
            bool padding = false;
            for (std::size_t k = 0; k < in.size(); ++k) {
                const int64_t i = position(in[k], order_, point);
                operands[k] = in[k].value[static_cast<std::size_t>(i)];
                padding = padding || in[k].isPadding(i);
            }
            const auto o = static_cast<std::size_t>(position(result, order_, point));
            const Value v = padding ? 0 : f_.apply(operands);
            if (written[o] != 0 && result.value[o] != v) {
                fail("VER-016", d_.output, core, -1, "two different values are written to one place");
                return false;
            }
            written[o] = 1;
            put(result, static_cast<int64_t>(o), v, padding);
            return true;
        });
    }

    static int64_t position(const Dense& dense, const std::vector<std::size_t>& labels,
                            const std::vector<int64_t>& point) {
        int64_t i = 0;
        for (std::size_t k = 0; k < labels.size(); ++k)
            i += dense.stride[labels[k]] * point[k];
        return i;
    }

    // ---- sums --------------------------------------------------------------------------------------

    /// Cores with one slice of the result in common add up; the last of them, in slice order, writes.
    void sums() {
        std::map<std::vector<int64_t>, std::pair<Sums, std::size_t>> groups;
        std::map<std::vector<int64_t>, std::size_t> members;
        for (std::size_t core = 0; core < d_.slice.size(); ++core)
            ++members[groupOf(core)];
        for (std::size_t core = 0; core < d_.slice.size(); ++core) {
            const auto key = groupOf(core);
            auto& [sum, seen] = groups[key];
            if (!(op_.form == ReadyOp::Form::Product ? addProducts(core, sum) : addTerms(core, sum))) return;
            if (++seen < members[key]) continue;
            if (!finish(core, sum)) return;
            groups.erase(key);
        }
    }

    std::vector<int64_t> groupOf(std::size_t core) const {
        std::vector<int64_t> key;
        for (std::size_t l = 0; l < d_.labels.size(); ++l)
            key.push_back(out().moves(l) ? d_.slice[core][l] : 0);
        return key;
    }

    bool finish(std::size_t core, const Sums& sum) {
        int64_t size = 1;
        Dense result = shape(d_.output, size);
        result.value.assign(static_cast<std::size_t>(size), 0);
        if (op_.form == ReadyOp::Form::Product) {
            nameProducts(sum, result);
            return save(core, result);
        }
        for (std::size_t i = 0; i < result.value.size(); ++i) {
            const bool hasReal = sum.real[i] > 0;
            const bool hasPadding = sum.padded[i] > 0;
            const Value v = hasReal && hasPadding ? kMixed : reduced(f_.key(), sum.sum[i]);
            put(result, static_cast<int64_t>(i), v, !hasReal);
        }
        return save(core, result);
    }

    void nameProducts(const Sums& sum, Dense& result) {
        std::vector<std::size_t> kept;
        for (const std::size_t l : order_) {
            if (out().moves(l)) kept.push_back(l);
        }
        const Dense left = common(d_.inputs[0]);
        const Dense right = common(d_.inputs[1]);
        walk(kept, [&](const std::vector<int64_t>& point, int64_t) {
            put(result, position(result, kept, point),
                product(f_.key(), sum.side[0][static_cast<std::size_t>(position(left, kept, point))],
                        sum.side[1][static_cast<std::size_t>(position(right, kept, point))]),
                false);
            return true;
        });
    }

    /// Strides over the labels that a tensor has in common with the result, and room for one entry each.
    Dense common(std::size_t t) const {
        Dense dense;
        dense.stride.assign(d_.labels.size(), 0);
        int64_t size = 1;
        for (std::size_t i = order_.size(); i-- > 0;) {
            const std::size_t l = order_[i];
            if (!op_.access[t].moves(l) || !out().moves(l)) continue;
            dense.stride[l] = size;
            size *= perCore(l);
        }
        dense.value.resize(static_cast<std::size_t>(size));
        return dense;
    }

    bool addTerms(std::size_t core, Sums& sum) {
        Dense in;
        if (d_.inputs.size() != 1) {
            fail("VER-020", d_.output, core, -1, "a reduction of other than one tensor");
            return false;
        }
        if (!load(d_.inputs[0], core, in)) return false;
        int64_t size = 1;
        const Dense result = shape(d_.output, size);
        sum.sum.resize(static_cast<std::size_t>(size), 0);
        sum.real.resize(static_cast<std::size_t>(size), 0);
        sum.padded.resize(static_cast<std::size_t>(size), 0);
        std::vector<std::size_t> outer = order_;
        const std::size_t inner = outer.back();
        outer.pop_back();
        const int64_t si = in.stride[inner];
        const int64_t so = result.stride[inner];
        return walk(outer, [&](const std::vector<int64_t>& point, int64_t) {
            for (std::size_t k = 0; k < outer.size(); ++k) {
                if (d_.isMasked && isMasked(core, outer[k], point[k])) return true;
            }
            const int64_t from = position(in, outer, point);
            const int64_t to = position(result, outer, point);
            for (int64_t j = 0; j < perCore(inner); ++j) {
                if (d_.isMasked && isMasked(core, inner, j)) continue;
                const int64_t i = from + j * si;
                const auto o = static_cast<std::size_t>(to + j * so);
                if (in.isPadding(i)) {
                    ++sum.padded[o];
                } else {
                    ++sum.real[o];
                    sum.sum[o] += reductionTerm(f_.key(), in.value[static_cast<std::size_t>(i)]);
                }
            }
            return true;
        });
    }

    /// Lanes without data are zero in a product.
    bool addProducts(std::size_t core, Sums& sum) {
        if (d_.inputs.size() != 2) {
            fail("VER-020", d_.output, core, -1, "a product of other than two tensors");
            return false;
        }
        for (std::size_t k = 0; k < 2; ++k) {
            Dense in;
            if (!load(d_.inputs[k], core, in)) return false;
            if (!addSequences(core, d_.inputs[k], in, sum.side[k])) return false;
        }
        return true;
    }

    bool addSequences(std::size_t core, std::size_t t, const Dense& in, std::vector<std::uint64_t>& sums) {
        const Dense into = common(t);
        sums.resize(into.value.size(), 0);
        std::vector<std::size_t> labels;
        std::vector<std::size_t> reduced;
        for (const std::size_t l : order_) {
            if (out().moves(l)) {
                if (op_.access[t].moves(l)) labels.push_back(l);
            } else {
                reduced.push_back(l);
            }
        }
        std::vector<std::uint64_t> weights;
        std::vector<int64_t> places;
        walk(reduced, [&](const std::vector<int64_t>& point, int64_t) {
            std::uint64_t weight = kFirstWeight;
            for (std::size_t i = 0; i < reduced.size(); ++i) {
                const std::size_t l = reduced[i];
                if (d_.labels[l].extent > 1) weight = productWeight(weight, d_.slice[core][l] * perCore(l) + point[i]);
            }
            weights.push_back(weight);
            places.push_back(position(in, reduced, point));
            return true;
        });
        return walk(labels, [&](const std::vector<int64_t>& point, int64_t) {
            const Value* from = in.value.data() + position(in, labels, point);
            std::uint64_t add = 0;
            for (std::size_t k = 0; k < weights.size(); ++k)
                add += productTerm(weights[k], from[places[k]]);
            sums[static_cast<std::size_t>(position(into, labels, point))] += add;
            counts_.productTerms += static_cast<int64_t>(weights.size());
            return true;
        });
    }
};

}  // namespace

std::optional<Fault> runInstance(const ReadyOp& op, const std::vector<std::vector<Placed>>& at, std::uint32_t event,
                                 std::uint64_t seed, InstanceCounts& counts) {
    return Instance(op, at, event, seed, counts).run();
}

}  // namespace memplan::sim::artefact
