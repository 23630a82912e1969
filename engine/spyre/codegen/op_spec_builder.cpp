// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/codegen/op_spec_builder.h"

#include "engine/base/parallel.h"
#include "engine/spyre/bundle/sdsc/sdsc_op.h"
#include "engine/spyre/bundle/sdsc/work_division.h"
#include "engine/spyre/division/core_view.h"
#include "engine/spyre/joint/relayout.h"
#include "engine/spyre/layout/coordinates.h"
#include "engine/spyre/tiling/loop_access.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <utility>

namespace memplan::spyre {

namespace {

using bundle::Expr;
using bundle::OpSpec;
using bundle::SpecNode;
using bundle::SpecTree;
using bundle::TensorArg;

constexpr std::size_t kKernelsOfAThread = 100;

std::string symbolOf(std::size_t loop) {
    return "c" + std::to_string(loop);
}

/// floor(((loop * step) mod wrap) / stride) as an expression, in its simplest form.
Expr termExpr(const CoordinateTerm& term) {
    std::int64_t step = term.step;
    std::int64_t wrap = term.wrap;
    std::int64_t stride = term.stride;
    const std::int64_t common = std::gcd(std::gcd(step, stride), wrap);
    if (common > 1) {
        step /= common;
        wrap /= common;
        stride /= common;
    }
    Expr e = Expr::product(step, Expr::symbol(symbolOf(static_cast<std::size_t>(term.loop))));
    if (wrap != 0) e = Expr::modulo(e, wrap);
    return Expr::floorDiv(e, stride);
}

/// The kernels of a program use few different terms: each is made once and shared.
class TermExprs {
public:
    const Expr& of(const CoordinateTerm& term) {
        const auto [entry, isNew] = known_.try_emplace(Key{term.loop, term.step, term.wrap, term.stride});
        if (isNew) entry->second = termExpr(term);
        return entry->second;
    }

private:
    using Key = std::array<std::int64_t, 4>;
    std::map<Key, Expr> known_;
};

Expr coordinateExpr(CoordinateView view, TermExprs& terms) {
    Expr e(0);
    for (const CoordinateTerm& term : view.terms)
        e = Expr::sum(e, terms.of(term));
    return Expr::sum(e, Expr(view.constant));
}

class KernelBuilder {
public:
    KernelBuilder(const State& state, const Kernel& kernel, bundle::StrideModel model, TermExprs& terms,
                  std::vector<Diagnostic>& notes)
        : state_(state), p_(state.program), kernel_(kernel), model_(model), terms_(terms), notes_(notes) {}

    bundle::Kernel run() {
        bundle::Kernel out;
        out.name = kernel_.name;
        out.poolSize = p_.pool.size;
        for (const BufferId id : kernel_.arguments)
            out.arguments.push_back(p_.buffers[id.at()].name);
        out.specs = tree(kernel_.nodes);
        bind(out);
        return out;
    }

private:
    SpecTree tree(const std::vector<LoopNode>& nodes) {
        SpecTree out;
        out.reserve(nodes.size());
        for (const LoopNode& node : nodes) {
            if (!node.isLoop()) {
                out.push_back(op(node.op));
                continue;
            }
            SpecNode loop = SpecNode::loop(Expr(node.count), tree(node.body));
            loop.tiledSymbols = symbolsOfLevel(loop, node.path.size() - 1);
            out.push_back(std::move(loop));
        }
        return out;
    }

    /// What the OpSpecs of the body tile at this level, all of them: they may tile different symbols (8.3). Operations
    /// without an OpSpec have no symbols: a symbol of the same name in another one is not tiled for their sake.
    static std::vector<std::string> symbolsOfLevel(const SpecNode& loop, std::size_t level) {
        std::vector<std::string> all;
        for (const SpecNode& inner : loop.body) {
            std::vector<std::string> own;
            if (inner.kind == bundle::SpecKind::Loop) {
                own = symbolsOfLevel(inner, level);
            } else if (inner.op.tiledPerLevel && level < inner.op.tiledPerLevel->size()) {
                own = (*inner.op.tiledPerLevel)[level];
            }
            for (std::string& s : own) {
                if (std::find(all.begin(), all.end(), s) == all.end()) all.push_back(std::move(s));
            }
        }
        return all;
    }

    static std::vector<std::string> symbols(const std::vector<int>& loops) {
        std::vector<std::string> out;
        for (const int v : loops)
            out.push_back(symbolOf(static_cast<std::size_t>(v)));
        return out;
    }

    SpecNode unimplemented(const Op& source, const std::string& why) {
        SpecNode node;
        node.kind = bundle::SpecKind::Unimplemented;
        node.name = opSpecName(source);
        if (!why.empty()) {
            warn("BND-105", "op " + source.name,
                 why + "; the kernel \"" + kernel_.name + "\" holds it as not implemented");
        }
        return node;
    }

    SpecNode op(OpId id) {
        const Op& source = p_.ops[id.at()];
        if (!source.isComputed()) return unimplemented(source, "");
        OpSpec spec;
        spec.op = opSpecName(source);
        spec.isReduction = source.kind == OpClass::Reduction;
        addConstants(source, spec);
        spec.iterationSpace.reserve(source.loops.size());
        for (std::size_t v = 0; v < source.loops.size(); ++v)
            spec.iterationSpace.push_back({symbolOf(v), Expr(source.loops[v].extent), splitOf(id, v)});
        if (source.loop.isTiled()) {
            spec.tiledPerLevel.emplace();
            for (const auto& level : source.loop.tiledLoops) {
                spec.tiledPerLevel->push_back(symbols(level));
                const auto& names = spec.tiledPerLevel->back();
                spec.tiledSymbols.insert(spec.tiledSymbols.end(), names.begin(), names.end());
            }
        }
        const std::size_t named = names_.size();
        const std::vector<LoopVar> whole = source.loop.isTiled() ? fullLoops(source) : std::vector<LoopVar>{};
        const auto refused = [&](const std::string& why) {
            names_.resize(named);
            return unimplemented(source, why);
        };
        spec.args.reserve(source.reads.size() + 1);
        for (std::size_t r = 0; r <= source.reads.size(); ++r) {
            const bool isWrite = r == source.reads.size();
            const Access& access = isWrite ? source.write : source.reads[r];
            if (access.indirect) return refused("its data-dependent access has no OpSpec form");
            auto arg = tensorArg(source, access, isWrite, source.loop.isTiled() ? whole : source.loops);
            if (!arg) return refused(arg.error().primary().message);
            spec.args.push_back(std::move(arg).value());
            names_.push_back(p_.buffers[access.buffer.at()].name);
        }
        if (source.fn == joint::kRelayoutFn) divideLikeWriter(source, spec.args.front());
        if (const auto form = bundle::checkSdscForm(spec); !form) return refused(form.error().primary().message);
        return SpecNode::ofOp(std::move(spec));
    }

    /// Numbers that a pointwise function takes beside its operands, such as the bounds of a clamp.
    void addConstants(const Op& source, OpSpec& spec) const {
        const bool isOwn = state_.graph && source.sourceOps.size() == 1 && source.addedBy.empty();
        if (!isOwn) return;
        const memplan::Op& op = state_.graph->ops[source.sourceOps.front().at()];
        if (op.kind != OpKind::Pointwise) return;
        bundle::PyValue constants = bundle::PyValue::dict();
        for (const auto& [key, value] : op.attrs) {
            const std::string name = op.fn == "clamp" && key == "min"   ? "clipMin"
                                     : op.fn == "clamp" && key == "max" ? "clipMax"
                                                                        : key;
            if (const auto* real = std::get_if<double>(&value)) constants.put(name, bundle::PyValue::ofReal(*real));
            if (const auto* whole = std::get_if<std::int64_t>(&value); whole != nullptr && key != "axis")
                constants.put(name, bundle::PyValue::ofInt(*whole));
        }
        if (!constants.isEmptyDict()) spec.opInfo.put("constants", std::move(constants));
    }

    /// The input of a relayout keeps the slices of the op that wrote it; that difference makes the copy a shuffle.
    void divideLikeWriter(const Op& copy, TensorArg& input) const {
        const BufferId source = copy.reads.front().buffer;
        const auto& layout = p_.buffers[source.at()].layout;
        for (std::size_t i = 0; i < p_.ops.size() && i < p_.divisions.size() && layout; ++i) {
            const Op& writer = p_.ops[i];
            if (writer.write.buffer != source) continue;
            const PerCoreView view = perCoreView(p_, writer, writer.write, p_.divisions[i].splits, {});
            const Coordinates device =
                coordinates(layout->deviceSize, layout->strideMap, copy.loops, copy.reads.front().index);
            bundle::WorkDivision division;
            for (const CoreSlice& slice : view.slices) {
                const auto loop = device[static_cast<std::size_t>(slice.dim)].onlyLoop();
                if (loop) division.push_back({symbolOf(static_cast<std::size_t>(*loop)), slice.split, slice.stride});
            }
            return bundle::setWorkDivision(input, division);
        }
    }

    std::int64_t splitOf(OpId id, std::size_t loop) const {
        if (id.at() >= p_.divisions.size()) return 1;
        const Splits& splits = p_.divisions[id.at()].splits;
        return loop < splits.size() ? splits[loop] : 1;
    }

    /// Cuts the dimensions in front of the stick that tiled loops move to what one iteration goes over.
    static void cutToSlice(std::vector<std::int64_t>& size, const Coordinates& coordinates,
                           const std::vector<LoopVar>& tile, const std::vector<LoopVar>& whole) {
        for (std::size_t d = 0; d + 1 < size.size(); ++d) {
            std::int64_t last = 0;
            bool isCut = false;
            for (const CoordinateTerm& t : coordinates[d].terms) {
                const auto loop = static_cast<std::size_t>(t.loop);
                const std::int64_t moved = (tile[loop].extent - 1) * t.step;
                last += (t.wrap == 0 ? moved : std::min(moved, t.wrap - 1)) / t.stride;
                isCut = isCut || tile[loop].extent != whole[loop].extent;
            }
            if (isCut) size[d] = last + 1;
        }
    }

    /// `whole` are the loops of the op as they were before tiling.
    Result<TensorArg> tensorArg(const Op& source, const Access& access, bool isWrite,
                                const std::vector<LoopVar>& whole) const {
        const Buffer& buffer = p_.buffers[access.buffer.at()];
        if (!buffer.layout) {
            return makeError("BND-105", buffer.name, "tensor \"" + buffer.name + "\" has no device layout");
        }
        TensorArg arg;
        arg.isInput = !isWrite;
        arg.deviceDtype = std::string(deviceFormat(buffer.dtype));
        arg.deviceSize = buffer.layout->deviceSize;
        arg.strideMap = buffer.layout->strideMap;
        arg.perTileFixed = buffer.holdsOneTile();
        const std::vector<LoopVar>& loops = buffer.holdsOneTile() ? source.loops : whole;
        auto coordinates = deviceCoordinates(*buffer.layout, loops, access.index);
        if (!coordinates) return std::move(coordinates).error();
        // In the original's listing what is written slice by slice shows the size of the slice; the addresses of the
        // slices are those of the whole buffer, though (4.4).
        if (model_ == bundle::StrideModel::HostStrideMap && isWrite && source.tileOfWrite.isValid())
            cutToSlice(arg.deviceSize, coordinates.value(), source.loops, whole);
        arg.coordinates.reserve(coordinates.value().size());
        for (std::size_t d = 0; d < coordinates.value().size(); ++d)
            arg.coordinates.push_back(coordinateExpr(coordinates.value()[d], terms_));
        place(access.buffer, arg);
        return arg;
    }

    void place(BufferId id, TensorArg& arg) const {
        if (id.at() < state_.scratchpad.entries.size() && state_.scratchpad.entries[id.at()].address) {
            arg.allocation = bundle::Allocation{bundle::Space::Lx, *state_.scratchpad.entries[id.at()].address};
        } else if (const auto it = p_.pool.offsets.find(id); it != p_.pool.offsets.end()) {
            arg.allocation = bundle::Allocation{bundle::Space::Pool, it->second};
        }
    }

    void bind(bundle::Kernel& kernel) {
        if (auto bound = bundle::bindArguments(kernel.specs, names_, kernel.arguments, kernel.poolSize); !bound) {
            const Diagnostic& d = bound.error().primary();
            warn(d.code, "kernel " + kernel.name, d.message + "; the kernel cannot be exported", d.hint);
        }
    }

    void warn(std::string code, std::string where, std::string message, std::string hint = {}) {
        notes_.push_back(
            {Severity::Warning, std::move(code), std::move(where), std::move(message), std::move(hint), {}, {}, {}});
    }

    const State& state_;
    const Program& p_;
    const Kernel& kernel_;
    bundle::StrideModel model_;
    TermExprs& terms_;
    std::vector<Diagnostic>& notes_;
    std::vector<std::string> names_;  ///< tensor of every arg in tree order
};

}  // namespace

std::string opSpecName(const Op& op) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 16> kNames = {
        {{"div", "realdiv"},
         {"relu", "relufwd"},
         {"clone", "identity"},
         {"copy", "identity"},
         {joint::kRelayoutFn, "identity"},
         {"lx_evict", "identity"},
         {"lx_reload", "identity"},
         {"eq", "equal"},
         {"ne", "notequal"},
         {"gt", "greaterthan"},
         {"ge", "greaterequal"},
         {"lt", "lesserthan"},
         {"le", "lesserequal"},
         {"amax", "max"},
         {"amin", "min"},
         {"matmul", "batchmatmul"}}};
    const bool pairwise = op.kind == OpClass::Pointwise && op.reads.size() == 2;
    if (pairwise && op.fn == "max") return "maximum";
    if (pairwise && op.fn == "min") return "minimum";
    for (const auto& [from, to] : kNames) {
        if (op.fn == from) return std::string(to);
    }
    return op.fn;
}

std::vector<bundle::Kernel> buildOpSpecs(const State& state, bundle::StrideModel model, unsigned threads,
                                         Diagnostics& notes) {
    std::vector<const Kernel*> sources;
    for (const Kernel& kernel : state.program.kernels) {
        if (!kernel.isFallback) sources.push_back(&kernel);
    }
    std::vector<bundle::Kernel> kernels(sources.size());
    std::vector<std::vector<Diagnostic>> notesOf(rangeCount(sources.size(), kKernelsOfAThread, threads));
    parallelRanges(sources.size(), kKernelsOfAThread, threads,
                   [&](std::size_t part, std::size_t begin, std::size_t end) {
                       TermExprs terms;
                       for (std::size_t k = begin; k < end; ++k)
                           kernels[k] = KernelBuilder(state, *sources[k], model, terms, notesOf[part]).run();
                   });
    for (std::vector<Diagnostic>& part : notesOf) {
        for (Diagnostic& d : part)
            notes.add(std::move(d));
    }
    return kernels;
}

}  // namespace memplan::spyre
