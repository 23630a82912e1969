// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/import/bundle_strides.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/spyre/bundle/imported.h"

#include <algorithm>

namespace memplan::io {

namespace {

using bundle::OpSpec;
using bundle::SpecKind;
using bundle::SpecTree;
using bundle::StrideModel;
using bundle::TensorArg;

/// The symbol whose movement explains most steps of one level, how many args it explains, and for how many of
/// these all iterations stay inside the tensor.
struct Match {
    std::string symbol;
    int count = 0;
    int inside = 0;
};

/// All iterations of a level together stay inside the device size.
bool staysInside(const TensorArg& arg, const bundle::IterationEntry& e, std::int64_t trips) {
    const auto whole = checkedMul(e.extent.integer().value_or(0), trips);
    if (!whole || arg.coordinates.size() != arg.deviceSize.size()) return false;
    for (std::size_t d = 0; d < arg.coordinates.size(); ++d) {
        const auto last =
            arg.coordinates[d].evaluate([&](std::string_view symbol) { return symbol == e.symbol ? *whole - 1 : 0; });
        if (!last || *last >= arg.deviceSize[d]) return false;
    }
    return true;
}

Match bestSymbol(const OpSpec& op, const OpSteps& steps, int level, StrideModel model, std::int64_t trips) {
    Match best;
    for (const bundle::IterationEntry& e : op.iterationSpace) {
        Match match{e.symbol, 0, 0};
        for (std::size_t a = 0; a < op.args.size(); ++a) {
            const auto step = steps.args[a].find(level);
            if (step == steps.args[a].end()) continue;
            TensorArg arg = op.args[a];
            if (model == StrideModel::HostStrideMap) arg.strideMap = bundle::rowMajorStrideMap(op, arg);
            const auto stride = bundle::byteStride(arg, e.symbol, e.extent.integer().value_or(0), model);
            if (!stride || stride.value() != step->second) continue;
            ++match.count;
            match.inside += staysInside(arg, e, trips) ? 1 : 0;
        }
        const bool isBetter = match.count > best.count || (match.count == best.count && match.inside > best.inside);
        if (isBetter) best = std::move(match);
    }
    return best;
}

/// Trip counts of the loops around every op, outermost first; parallel to opsOf().
std::vector<std::vector<std::int64_t>> tripCounts(const SpecTree& tree) {
    std::vector<std::vector<std::int64_t>> all;
    (void)bundle::forEachOp(tree, [&](const OpSpec&, const auto& loops) -> Result<void> {
        std::vector<std::int64_t> counts;
        for (const bundle::SpecNode* loop : loops)
            counts.push_back(loop->count.integer().value_or(1));
        all.push_back(std::move(counts));
        return {};
    });
    return all;
}

using Trips = std::vector<std::vector<std::int64_t>>;

std::int64_t tripsAt(const std::vector<std::int64_t>& counts, std::size_t level) {
    return level < counts.size() ? counts[level] : 1;
}

int explained(const std::vector<OpSpec*>& ops, const std::vector<OpSteps>& steps, const Trips& trips,
              StrideModel model) {
    int total = 0;
    for (std::size_t i = 0; i < ops.size(); ++i) {
        for (std::size_t level = 0; level < steps[i].depth; ++level)
            total += bestSymbol(*ops[i], steps[i], static_cast<int>(level), model, tripsAt(trips[i], level)).count;
    }
    return total;
}

/// The one device dimension that moves with `symbol` takes the unit that gives the step that was read.
void fitStrideMap(const OpSpec& op, TensorArg& arg, const std::string& symbol, std::int64_t step) {
    const bundle::IterationEntry* e = op.find(symbol);
    const bundle::DeviceFormat* format = bundle::deviceFormatNamed(arg.deviceDtype);
    if (e == nullptr || format == nullptr || !arg.strideMap) return;
    const auto deltas = bundle::coordinateDeltas(arg, symbol, e->extent.integer().value_or(0));
    if (!deltas) return;
    int moving = -1;
    for (std::size_t d = 0; d < deltas.value().size(); ++d) {
        if (deltas.value()[d] == 0) continue;
        if (moving >= 0) return;
        moving = static_cast<int>(d);
    }
    if (moving < 0) return;
    const auto at = static_cast<std::size_t>(moving);
    const std::int64_t moved = saturatedMul(deltas.value()[at], format->bytes);
    if (moved > 0 && step % moved == 0) (*arg.strideMap)[at] = step / moved;
}

bool touches(const TensorArg& arg, const std::string& symbol) {
    return std::any_of(arg.coordinates.begin(), arg.coordinates.end(),
                       [&](const bundle::Expr& e) { return e.mentions(symbol); });
}

void recoverOp(OpSpec& op, const OpSteps& steps, const std::vector<std::int64_t>& trips, StrideModel model,
               Diagnostics& notes) {
    if (steps.depth == 0) return;
    op.tiledPerLevel.emplace(steps.depth);
    for (std::size_t level = 0; level < steps.depth; ++level) {
        const Match match = bestSymbol(op, steps, static_cast<int>(level), model, tripsAt(trips, level));
        const bool moves = std::any_of(steps.args.begin(), steps.args.end(),
                                       [&](const auto& per) { return per.contains(static_cast<int>(level)); });
        if (match.count > 0) {
            (*op.tiledPerLevel)[level].push_back(match.symbol);
            op.tiledSymbols.push_back(match.symbol);
        } else if (moves) {
            notes.warning("BND-109", "op " + op.op,
                          "the address steps of loop level " + std::to_string(level) +
                              " belong to none of its loop dimensions under either stride model",
                          "the steps are not carried over");
        }
    }
    for (std::size_t a = 0; a < op.args.size(); ++a) {
        TensorArg& arg = op.args[a];
        if (model == StrideModel::HostStrideMap) arg.strideMap = bundle::rowMajorStrideMap(op, arg);
        bool moves = false;
        bool mentioned = false;
        for (std::size_t level = 0; level < steps.depth; ++level) {
            for (const std::string& symbol : (*op.tiledPerLevel)[level]) {
                mentioned = mentioned || touches(arg, symbol);
                const auto step = steps.args[a].find(static_cast<int>(level));
                if (step == steps.args[a].end()) continue;
                moves = true;
                if (model == StrideModel::HostStrideMap) fitStrideMap(op, arg, symbol, step->second);
            }
        }
        // An address in LX is no symbol: it is the same in every iteration.
        const bool isInLx = arg.allocation && arg.allocation->space == bundle::Space::Lx;
        arg.perTileFixed = (mentioned || isInLx) && !moves;
    }
}

/// Lists at the loops: what the ops inside say, all together (8.3).
void nameLevels(SpecTree& tree, std::size_t level) {
    for (bundle::SpecNode& node : tree) {
        if (node.kind != SpecKind::Loop) continue;
        for (const OpSpec* op : bundle::opsOf(std::as_const(node.body))) {
            if (!op->tiledPerLevel || op->tiledPerLevel->size() <= level) continue;
            if (!node.tiledSymbols) node.tiledSymbols.emplace();
            std::vector<std::string>& all = *node.tiledSymbols;
            for (const std::string& s : (*op->tiledPerLevel)[level]) {
                if (std::find(all.begin(), all.end(), s) == all.end()) all.push_back(s);
            }
        }
        nameLevels(node.body, level + 1);
    }
}

/// Trip counts and nests are in the text of the loops; what moves in them is in their address steps only.
void reportStepless(const std::vector<OpSpec*>& ops, const std::vector<OpSteps>& steps, const Trips& trips,
                    Diagnostics& notes) {
    std::size_t count = 0;
    std::int64_t most = 1;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const auto moves = [](const auto& byLevel) { return !byLevel.empty(); };
        if (std::any_of(steps[i].args.begin(), steps[i].args.end(), moves)) return;
        const bool isOffChip = std::any_of(ops[i]->args.begin(), ops[i]->args.end(), [](const TensorArg& a) {
            return a.allocation && a.allocation->space != bundle::Space::Lx;
        });
        if (steps[i].depth == 0 || !isOffChip) continue;
        ++count;
        std::int64_t product = 1;
        for (const std::int64_t trip : trips[i])
            product = saturatedMul(product, trip);
        most = std::max(most, product);
    }
    if (count == 0) return;
    notes.note("BND-109", "bundle.mlir",
               std::to_string(count) + (count == 1 ? " operation stands" : " operations stand") +
                   " in loops of up to " + text::grouped(most) +
                   " iterations, and no address in the text advances with them, as where addresses are baked into the "
                   "SuperDSC files: trip counts and nests are known, which tensor moves with which loop is not, so "
                   "each counts as moved whole in every iteration",
               "open the folder that holds output_code.py, or export with another spyre.address_mode");
}

}  // namespace

std::optional<StrideModel> recoverTiling(SpecTree& tree, const std::vector<OpSteps>& steps, Diagnostics& notes) {
    const auto ops = bundle::opsOf(tree);
    const Trips trips = tripCounts(tree);
    const int host = explained(ops, steps, trips, StrideModel::HostStrideMap);
    const int device = explained(ops, steps, trips, StrideModel::DeviceRowMajor);
    const StrideModel model = host > device ? StrideModel::HostStrideMap : StrideModel::DeviceRowMajor;
    for (std::size_t i = 0; i < ops.size(); ++i)
        recoverOp(*ops[i], steps[i], trips[i], model, notes);
    nameLevels(tree, 0);
    if (host == 0 && device == 0) {
        reportStepless(ops, steps, trips, notes);
        return std::nullopt;
    }
    notes.note("BND-109", "bundle.mlir",
               "the address steps follow the stride model " + std::string(bundle::strideModelName(model)) + " (" +
                   std::to_string(std::max(host, device)) + " steps explained, " +
                   std::to_string(std::min(host, device)) + " by the other model)");
    return model;
}

namespace {

/// Steps from the addresses of one op to those of another that is the same otherwise; nullopt for another op.
std::optional<std::vector<std::int64_t>> stepsBetween(const OpSpec& a, const OpSpec& b) {
    if (a.op != b.op || a.isReduction != b.isReduction || a.args.size() != b.args.size()) return std::nullopt;
    if (!(a.iterationSpace == b.iterationSpace)) return std::nullopt;
    std::vector<std::int64_t> steps;
    for (std::size_t k = 0; k < a.args.size(); ++k) {
        const TensorArg& x = a.args[k];
        const TensorArg& y = b.args[k];
        const bool alike = x.isInput == y.isInput && x.deviceSize == y.deviceSize && x.deviceDtype == y.deviceDtype &&
                           x.allocation && y.allocation && x.allocation->space == y.allocation->space;
        if (!alike) return std::nullopt;
        steps.push_back(y.allocation->address - x.allocation->address);
    }
    return steps;
}

/// How often the ops from `first` on repeat every `period` of them, moving on by equal steps; 1 = not at all.
std::size_t repeats(const std::vector<const OpSpec*>& ops, std::size_t first, std::size_t period) {
    std::size_t times = 1;
    bool moves = false;
    for (; first + (times + 1) * period <= ops.size(); ++times) {
        for (std::size_t i = 0; i < period; ++i) {
            const std::size_t at = first + (times - 1) * period + i;
            const auto steps = stepsBetween(*ops[at], *ops[at + period]);
            if (!steps || (times > 1 && steps != stepsBetween(*ops[at - period], *ops[at]))) return moves ? times : 1;
            for (std::size_t k = 0; k < steps->size(); ++k)
                moves = moves || ((*steps)[k] != 0 && ops[at]->args[k].allocation->space != bundle::Space::Lx);
        }
        if (!moves) return 1;  // every step of a loop is the same, so the first one gives it
    }
    return times;
}

}  // namespace

void reportUnrolled(const bundle::Kernel& kernel, Diagnostics& notes) {
    constexpr std::size_t kLongest = 64;
    const bool hasLoops = std::any_of(kernel.specs.begin(), kernel.specs.end(),
                                      [](const bundle::SpecNode& n) { return n.kind == SpecKind::Loop; });
    if (hasLoops) return;
    const auto ops = bundle::opsOf(kernel.specs);
    for (std::size_t first = 0; first < ops.size();) {
        std::size_t period = 1;
        std::size_t times = 1;
        for (; period <= kLongest && first + 2 * period <= ops.size(); ++period) {
            times = repeats(ops, first, period);
            if (times > 1) break;
        }
        if (times == 1) {
            ++first;
            continue;
        }
        notes.note("BND-109", kernel.name,
                   "operations " + std::to_string(first) + " to " + std::to_string(first + period * times - 1) +
                       " look like " + std::to_string(times) + " iterations of a loop of " + std::to_string(period) +
                       " that was unrolled: the files hold no loop, so every copy counts as an operation of its own "
                       "and its traffic is that of the tensor sizes in its file",
                   "open the folder that holds output_code.py, which has the loops, or export with "
                   "spyre.unroll_loops=false");
        first += period * times;
    }
}

}  // namespace memplan::io
