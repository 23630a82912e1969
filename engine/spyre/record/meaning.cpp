// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/record/meaning.h"

#include "engine/base/numeric.h"
#include "engine/base/small_vector.h"
#include "engine/plan/spyre_data.h"
#include "engine/sim/eval/functions.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

std::int64_t productOf(const std::vector<std::int64_t>& extents) {
    std::int64_t product = 1;
    for (const std::int64_t extent : extents)
        product = saturatedMul(product, std::max<std::int64_t>(extent, 0));
    return product;
}

std::vector<std::int64_t> rowMajor(const std::vector<std::int64_t>& shape) {
    std::vector<std::int64_t> strides(shape.size(), 1);
    for (std::size_t d = shape.size(); d-- > 1;)
        strides[d - 1] = saturatedMul(strides[d], std::max<std::int64_t>(shape[d], 1));
    return strides;
}

/// Neighbours that count on from each other are one.
std::vector<HostDigit> merged(const std::vector<HostDigit>& digits) {
    std::vector<HostDigit> out;
    for (const HostDigit& d : digits) {
        if (d.extent == 1) continue;
        const bool goesOn =
            !out.empty() && out.back().stride == d.stride * d.extent && out.back().element == d.element * d.extent;
        if (goesOn) {
            out.back() = {d.stride, out.back().extent * d.extent, d.element};
        } else {
            out.push_back(d);
        }
    }
    return out;
}

/// Finds the meanings in the order in which the ops of a plan run.
class Finder {
public:
    Finder(const Plan& plan, const std::vector<bool>& isTile) : plan_(plan), isTile_(isTile) {
        found_.resize(plan.buffers.size());
    }

    std::vector<std::optional<Meaning>> run() {
        findStorage();
        for (std::size_t b = 0; b < plan_.buffers.size(); ++b)
            ofGraphTensor(b);
        for (std::size_t i = 0; i < plan_.ops.size(); ++i) {
            writeTile(OpId::of(i));
            ofCopy(OpId::of(i));
        }
        return std::move(found_);
    }

private:
    const Plan& plan_;
    const std::vector<bool>& isTile_;
    std::vector<std::optional<Meaning>> found_;
    std::vector<TensorId> finished_;  ///< per tensor: what its storage holds when all have written, invalid = several

    /// Tensors that ops write into the storage of another one: the parts of a concatenation make up the last of them,
    /// any other has one value after the other in the same place, which one name does not distinguish.
    void findStorage() {
        const Graph& graph = *plan_.graph;
        finished_.resize(graph.tensors.size());
        for (std::size_t t = 0; t < finished_.size(); ++t)
            finished_[t] = TensorId::of(t);
        for (const Op& op : graph.ops) {
            for (const TensorId out : op.outputs) {
                const bool isOwn = !out.isValid() || !graph.tensor(out).aliasOf.isValid();
                if (isOwn || op.kind == OpKind::View) continue;
                TensorId& whole = finished_[aliasRoot(graph, out).at()];
                const bool isPart = op.kind == OpKind::Copy && op.fn == "concat" && whole.isValid() &&
                                    graph.tensor(out).shape == graph.tensor(whole).shape;
                whole = isPart ? out : TensorId();
            }
        }
    }

    void ofGraphTensor(std::size_t b) {
        const PlanBuffer& buffer = plan_.buffers[b];
        const TensorId tensor = buffer.graphTensor.isValid() ? finished_[buffer.graphTensor.at()] : TensorId();
        if (!tensor.isValid()) return;
        const std::vector<std::int64_t>& whole = plan_.graph->tensor(tensor).shape;
        Meaning m;
        m.tensor = tensor;
        m.isTile = isTile_[b];
        if (!m.isTile) {
            const std::int64_t count = productOf(buffer.shape);
            if (count != productOf(whole)) return;
            m.digits = merged({{1, count, 1}});
            found_[b] = std::move(m);
            return;
        }
        if (whole.size() != buffer.shape.size()) return;
        const std::vector<std::int64_t> tileStrides = rowMajor(buffer.shape);
        const std::vector<std::int64_t> strides = rowMajor(whole);
        for (std::size_t d = 0; d < whole.size(); ++d)
            m.digits.push_back({tileStrides[d], buffer.shape[d], strides[d]});
        m.digits = merged(m.digits);
        found_[b] = std::move(m);
    }

    static const PlanAccess* writeOf(const PlanOp& op) {
        const auto it = std::find_if(op.accesses.begin(), op.accesses.end(), [](const auto& a) { return a.isWrite; });
        return it == op.accesses.end() ? nullptr : &*it;
    }

    /// Which part of the tensor the tile is follows from the loops of the op that fills it.
    void writeTile(OpId id) {
        const PlanAccess* write = writeOf(plan_.op(id));
        if (write == nullptr) return;
        std::optional<Meaning>& m = found_[write->buffer.at()];
        if (!m || !m->isTile || !m->advance.empty()) return;
        const auto element = m->elementOf(linearIndex(*write), spaceOf(plan_.op(id)));
        if (!element) return m.reset();
        m->advance = advanceOf(plan_, id, *element);
    }

    void ofCopy(OpId id) {
        const PlanOp& op = plan_.op(id);
        const PlanAccess* write = writeOf(op);
        if (!isPlainMove(op) || write == nullptr || op.accesses.size() != 2 || write->offset != 0) return;
        const PlanAccess& read = op.accesses.front();
        const std::optional<Meaning>& source = found_[read.buffer.at()];
        if (found_[write->buffer.at()] || !source || read.isIndirect || write->isIndirect) return;
        const auto element = source->elementOf(linearIndex(read), spaceOf(op));
        if (!element) return;
        Meaning m;
        m.tensor = source->tensor;
        m.offset = element->constant;
        m.isTile = isTile_[write->buffer.at()];
        m.advance = source->isTile ? source->advance : advanceOf(plan_, id, *element);
        for (std::size_t v = 0; v < op.iterationSpace.size(); ++v) {
            if (write->coefficients[v] <= 0 && op.iterationSpace[v].extent > 1) return;
            const auto term = std::find_if(element->terms.begin(), element->terms.end(),
                                           [v](const auto& t) { return t.first == static_cast<int>(v); });
            const std::int64_t step = term == element->terms.end() ? 0 : term->second;
            m.digits.push_back({write->coefficients[v], op.iterationSpace[v].extent, step});
        }
        std::sort(m.digits.begin(), m.digits.end(), [](const auto& a, const auto& b) { return a.stride > b.stride; });
        for (std::size_t d = 1; d < m.digits.size(); ++d) {
            if (m.digits[d - 1].stride < saturatedMul(m.digits[d].stride, m.digits[d].extent)) return;
        }
        m.digits = merged(m.digits);
        found_[write->buffer.at()] = std::move(m);
    }
};

}  // namespace

std::optional<sim::LinearIndex> Meaning::elementOf(const sim::LinearIndex& index,
                                                   const std::vector<sim::RecordSymbol>& space) const {
    sim::LinearIndex out;
    std::int64_t constant = index.constant;
    SmallVector<std::int64_t, 8> reach;
    reach.resize(digits.size());
    if (constant < 0) return std::nullopt;
    out.constant = offset;
    for (std::size_t d = 0; d < digits.size(); ++d) {
        const std::int64_t step = constant / digits[d].stride;
        constant -= step * digits[d].stride;
        reach[d] += step;
        out.constant += step * digits[d].element;
    }
    if (constant != 0) return std::nullopt;
    for (const auto& [symbol, coefficient] : index.terms) {
        const std::int64_t last = space[static_cast<std::size_t>(symbol)].extent - 1;
        std::int64_t rest = coefficient;
        std::int64_t moved = 0;
        if (rest < 0) return std::nullopt;
        for (std::size_t d = 0; d < digits.size(); ++d) {
            const std::int64_t step = rest / digits[d].stride;
            rest -= step * digits[d].stride;
            reach[d] += step * last;
            moved += step * digits[d].element;
        }
        if (rest != 0 && last > 0) return std::nullopt;
        if (moved != 0) out.terms.emplace_back(symbol, moved);
    }
    for (std::size_t d = 0; d < digits.size(); ++d) {
        if (reach[d] >= digits[d].extent) return std::nullopt;
    }
    return out;
}

std::vector<std::optional<Meaning>> meanings(const Plan& plan, const std::vector<bool>& isTile) {
    return Finder(plan, isTile).run();
}

sim::LinearIndex linearIndex(const PlanAccess& access) {
    sim::LinearIndex out;
    out.constant = access.offset;
    for (std::size_t v = 0; v < access.coefficients.size(); ++v) {
        if (access.coefficients[v] != 0) out.terms.emplace_back(static_cast<int>(v), access.coefficients[v]);
    }
    return out;
}

std::vector<std::int64_t> advanceOf(const Plan& plan, OpId id, const sim::LinearIndex& element) {
    const PlanOp& op = plan.op(id);
    const auto& tiled = spyreData(plan).ops[id.at()].tiledLoops;
    std::vector<std::int64_t> out(op.loopCounts.size(), 0);
    // A loop that several levels cut moves on by all tiles of the inner ones.
    std::vector<std::int64_t> step(op.iterationSpace.size());
    for (std::size_t v = 0; v < step.size(); ++v)
        step[v] = op.iterationSpace[v].extent;
    for (std::size_t level = std::min(out.size(), tiled.size()); level-- > 0;) {
        for (const int v : tiled[level]) {
            for (const auto& [symbol, coefficient] : element.terms)
                out[level] += symbol == v ? coefficient * step[static_cast<std::size_t>(v)] : 0;
            step[static_cast<std::size_t>(v)] *= op.loopCounts[level];
        }
    }
    return out;
}

std::vector<sim::RecordSymbol> spaceOf(const PlanOp& op) {
    std::vector<sim::RecordSymbol> space;
    for (const IterationDim& d : op.iterationSpace) {
        const std::int64_t unit = d.elemsPerStick > 0 ? d.elemsPerStick : 1;
        space.push_back({d.name, d.extent, d.isReduction, d.slices, unit});
    }
    return space;
}

bool isPlainMove(const PlanOp& op) {
    return op.type == "fill" || sim::isIdentity(sim::canonicalFunction(op.type));
}

}  // namespace memplan::spyre
