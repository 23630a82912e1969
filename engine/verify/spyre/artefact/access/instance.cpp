// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/artefact/access/instance.h"

#include "engine/verify/spyre/artefact/access/core_io.h"
#include "engine/verify/spyre/artefact/access/hazards.h"

#include <algorithm>
#include <array>
#include <map>

namespace memplan::sim::artefact {
namespace {

using std::int64_t;

/// What reading a lane without data and a lane with data in one sum gives: equal to nothing.
constexpr Value kMixed = 0xFFFFFFFE;

/// Sums of one group of cores.
struct Sums {
    std::vector<std::uint64_t> sum;
    std::vector<std::int32_t> real, padded;  ///< terms with and without data
    /// Products: weighted sums of each operand, one for each point of what it has in common with the result.
    std::array<std::vector<std::uint64_t>, 2> side;
};

class Instance : private CoreIo {
public:
    Instance(const ReadyOp& op, const std::vector<std::vector<Placed>>& at, std::uint32_t event, std::uint64_t seed,
             InstanceCounts& counts)
        : CoreIo(op, at, event, counts), f_(op.function, op.attributes, seed) {}

    std::optional<Fault> run() {
        for (std::size_t t = 0; t < d_.tensors.size() && !fault_; ++t)
            checkPlaces(t);
        if (fault_) return fault_;
        count();
        if (op_.form == ReadyOp::Form::Pointwise) {
            pointwise();
        } else {
            sums();
        }
        if (!fault_) fault_ = findHazard(op_, at_, event_);
        return fault_;
    }

private:
    Function f_;

    void count() {
        for (std::size_t t = 0; t < d_.tensors.size(); ++t) {
            if (d_.tensors[t].isLx) continue;
            const int64_t bytes = op_.access[t].sticks * kStickBytes;
            (t == d_.output ? counts_.writeBytes : counts_.readBytes) += bytes;
        }
    }

    /// The file masks this element of a core out.
    bool isMasked(std::size_t core, std::size_t label, int64_t local) const {
        const Label& l = d_.labels[label];
        const int64_t global = d_.slice[core][label] * l.perCore + local;
        return global >= l.masked.first && global < l.masked.second;
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
        bool isMarked = false;
        for (std::size_t k = 0; k < in.size(); ++k) {
            if (!load(d_.inputs[k], core, in[k])) return false;
            isMarked = isMarked || !in[k].padding.empty() || !in[k].filled.empty();
        }
        int64_t size = 1;
        result = shape(d_.output, size);
        result.value.assign(static_cast<std::size_t>(size), 0);
        bool isOnce = true;
        for (const std::size_t l : order_)
            isOnce = isOnce && (out().moves(l) || perCore(l) == 1);
        if (!isMarked && isOnce && in.size() <= 2) {
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

    /// Operands with marks, or results that are computed several times. What is moved keeps its mark.
    bool computeEach(std::size_t core, const std::vector<Dense>& in, Dense& result) {
        std::vector<std::uint8_t> written(result.value.size(), 0);
        std::vector<Value> operands(in.size());
        return walk(order_, [&](const std::vector<int64_t>& point, int64_t) {
            bool padding = false;
            const bool isMoved = in.size() == 1 && isIdentity(op_.function);
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
            if (isMoved && in[0].isFilled(position(in[0], order_, point))) result.markFilled(static_cast<int64_t>(o));
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
        std::array<Dense, 2> in;
        if (!load(d_.inputs[0], core, in[0]) || !load(d_.inputs[1], core, in[1])) return false;
        absorb(core, in[0], in[1]);
        absorb(core, in[1], in[0]);
        return addSequences(core, d_.inputs[0], in[0], sum.side[0]) &&
               addSequences(core, d_.inputs[1], in[1], sum.side[1]);
    }

    /// Elements behind the data are multiplied by the zeros of the padded operand: whatever they hold counts as 0.
    /// Behind the data are lanes without data and the zeros of `fill`; a zero of the data is a number like others.
    void absorb(std::size_t core, Dense& into, const Dense& zeros) const {
        for (const std::size_t l : order_) {
            if (out().moves(l) || into.stride[l] == 0 || zeros.stride[l] == 0) continue;
            int64_t eps = 1;
            for (const Access& a : op_.access)
                eps = a.stick == static_cast<int>(l) ? std::max(eps, a.stickSize) : eps;
            const int64_t first = d_.labels[l].extent - eps + 1 - d_.slice[core][l] * perCore(l);
            if (zeros.padding.empty() && zeros.filled.empty()) continue;
            for (int64_t i = std::max<int64_t>(first, 0); i < perCore(l); ++i) {
                if (isBehindData(zeros, l, i)) clear(into, l, i);
            }
        }
    }

    /// All elements with index `i` of label `l`: those in the dense numbers i*stride .. of blocks of perCore*stride.
    template <class Visit> void slab(std::size_t size, int64_t stride, int64_t count, int64_t i, Visit&& visit) const {
        const int64_t block = stride * count;
        for (int64_t b = i * stride; b < static_cast<int64_t>(size); b += block) {
            for (int64_t k = 0; k < stride; ++k)
                visit(static_cast<std::size_t>(b + k));
        }
    }

    bool isBehindData(const Dense& dense, std::size_t l, int64_t index) const {
        bool isBehind = true;
        slab(dense.value.size(), dense.stride[l], perCore(l), index, [&](std::size_t k) {
            const auto i = static_cast<int64_t>(k);
            isBehind = isBehind && (dense.isPadding(i) || dense.isFilled(i));
        });
        return isBehind;
    }

    void clear(Dense& dense, std::size_t l, int64_t i) const {
        slab(dense.value.size(), dense.stride[l], perCore(l), i, [&](std::size_t k) { dense.value[k] = 0; });
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
