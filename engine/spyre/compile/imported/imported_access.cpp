// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/compile/imported/imported_access.h"

#include "engine/base/numeric.h"
#include "engine/plan/spyre_data.h"
#include "engine/spyre/bundle/arg_lengths.h"
#include "engine/spyre/bundle/imported.h"
#include "engine/spyre/division/core_view.h"

#include <algorithm>
#include <optional>
#include <set>

namespace memplan::spyre {
namespace {

using bundle::Expr;
using bundle::OpSpec;
using bundle::TensorArg;

constexpr std::int64_t kMostCores = 4096;

bool isDataDependent(const Expr& e) {
    if (e.isConstant()) return false;
    const auto symbols = e.symbols();
    return symbols.empty() ||
           std::any_of(symbols.begin(), symbols.end(), [](const std::string& s) { return s.starts_with("indirect"); });
}

bool mentions(const TensorArg& arg, const std::string& symbol) {
    return std::any_of(arg.coordinates.begin(), arg.coordinates.end(),
                       [&](const Expr& e) { return e.mentions(symbol); });
}

/// Host index with one symbol at a value and all others at 0; nullopt when it leaves 64 bits.
std::optional<std::int64_t> hostIndex(const TensorArg& arg, const std::string& symbol, std::int64_t value) {
    std::int64_t index = 0;
    for (std::size_t d = 0; d < arg.coordinates.size(); ++d) {
        // -1 marks a dimension of extent 1.
        if ((*arg.strideMap)[d] < 0) continue;
        const auto at = arg.coordinates[d].evaluate([&](std::string_view s) { return s == symbol ? value : 0; });
        const auto moved = at ? checkedMul(*at, (*arg.strideMap)[d]) : std::nullopt;
        const auto sum = moved ? checkedAdd(index, *moved) : std::nullopt;
        if (!sum) return std::nullopt;
        index = *sum;
    }
    return index;
}

/// Elements per step of one loop. Where the first step moves nothing (a loop over whole sticks), the mean step.
std::int64_t coefficientOf(const TensorArg& arg, const std::string& symbol, std::int64_t extent, std::int64_t atZero) {
    if (!mentions(arg, symbol)) return 0;
    const auto first = hostIndex(arg, symbol, 1);
    if (first && *first != atZero) return *first - atZero;
    const auto last = extent > 1 ? hostIndex(arg, symbol, extent - 1) : std::nullopt;
    const std::int64_t mean = last ? (*last - atZero) / (extent - 1) : 0;
    return mean != 0 ? mean : 1;
}

std::optional<spyre::HostType> deviceTypeOf(const std::string& format) {
    for (const auto type :
         {spyre::HostType::Float16, spyre::HostType::Float32, spyre::HostType::Float8E4M3, spyre::HostType::Int32}) {
        if (spyre::deviceFormat(type) == format) return type;
    }
    return std::nullopt;
}

/// Figures of a real tensor: index arithmetic on them stays in 64 bits.
bool isPlausible(const PlanOp& op, const TensorArg& arg, const PlanAccess& access) {
    constexpr std::int64_t kLargest = std::int64_t{1} << 48;
    constexpr std::size_t kMostLoops = 16;
    const auto isLarge = [](std::int64_t value) { return value > kLargest; };
    if (op.iterationSpace.size() > kMostLoops || isLarge(access.offset)) return false;
    for (std::size_t v = 0; v < op.iterationSpace.size(); ++v) {
        const auto reach = checkedMul(access.coefficients[v], op.iterationSpace[v].extent);
        if (!reach || isLarge(*reach)) return false;
    }
    const auto isNoSize = [&](std::int64_t size) { return size < 1 || isLarge(size); };
    return std::none_of(arg.strideMap->begin(), arg.strideMap->end(), isLarge) &&
           std::none_of(arg.deviceSize.begin(), arg.deviceSize.end(), isNoSize);
}

/// What each core sees: pieces along device dimensions, and the piece of every core. The rule is that of our own
/// plans: index and stride map place a loop along one dimension or several.
void addSlices(const PlanOp& op, const TensorArg& arg, PlanAccess& access) {
    const auto type = deviceTypeOf(arg.deviceDtype);
    if (bundle::lengthProblem(arg)) return;  // a stub without loops, which no reader checks
    if (op.cores <= 1 || op.cores > kMostCores || !type || access.isIndirect || !isPlausible(op, arg, access)) return;
    std::vector<spyre::LoopVar> loops;
    spyre::Splits splits;
    std::vector<std::int64_t> stickEps;
    for (const IterationDim& d : op.iterationSpace) {
        loops.push_back({d.name, d.extent, d.isReduction});
        splits.push_back(d.slices);
        stickEps.push_back(d.elemsPerStick);
    }
    const spyre::StickLayout layout{arg.deviceSize, *arg.strideMap, *type, spyre::Arrangement::Standard};
    const spyre::PerCoreView view =
        spyre::perCoreView(layout, {access.coefficients, access.offset}, {loops, splits, stickEps, op.kAdjacent});
    access.sliceDims = view.dimsAndSplits();
    for (const spyre::CoreSlice& slice : view.slices)
        access.coreSlots.push_back(view.slotsOf(slice));
}

bool movesAt(const Plan& plan, std::size_t op, const PlanAccess& access, std::size_t level) {
    const PlanBuffer& b = plan.buffer(access.buffer);
    const auto& tiled = spyreData(plan).ops[op].tiledLoops;
    if (level >= tiled.size() || (b.layout && b.layout->perTileFixed)) return false;
    return std::any_of(tiled[level].begin(), tiled[level].end(), [&](int v) {
        const auto at = static_cast<std::size_t>(v);
        return at < access.coefficients.size() && access.coefficients[at] != 0;
    });
}

std::int64_t tripsOf(const Plan& plan, std::size_t op, const PlanAccess& access) {
    const auto& counts = plan.ops[op].loopCounts;
    std::int64_t trips = 1;
    for (std::size_t level = 0; level < counts.size(); ++level) {
        if (!movesAt(plan, op, access, level)) trips = saturatedMul(trips, counts[level]);
    }
    return trips;
}

bool moves(const Plan& plan, std::size_t op, const PlanAccess& access) {
    const auto& counts = plan.ops[op].loopCounts;
    for (std::size_t level = 0; level < counts.size(); ++level) {
        if (counts[level] > 1 && movesAt(plan, op, access, level)) return true;
    }
    return false;
}

/// One past the last op of the outermost loop around `reader` that `writer` is not in; 0 when there is none.
Step endOfLoopWithout(const Plan& plan, std::size_t reader, const std::vector<int>& writer) {
    const std::vector<int>& path = plan.ops[reader].loopPath;
    std::size_t shared = 0;
    while (shared < path.size() && shared < writer.size() && path[shared] == writer[shared])
        ++shared;
    if (shared >= path.size()) return 0;
    const std::vector<int> loop(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(shared) + 1);
    const auto isInside = [&](const PlanOp& op) {
        return op.loopPath.size() >= loop.size() && std::equal(loop.begin(), loop.end(), op.loopPath.begin());
    };
    std::size_t end = reader;
    while (end < plan.ops.size() && isInside(plan.ops[end]))
        ++end;
    return static_cast<Step>(end);
}

/// The last value of every symbol of the op, in one tile or over all iterations.
auto lastOf(const OpSpec& op, const std::vector<std::int64_t>& extents, bool ofTile) {
    return [&op, &extents, ofTile](std::string_view symbol) -> std::int64_t {
        for (std::size_t v = 0; v < op.iterationSpace.size(); ++v) {
            if (op.iterationSpace[v].symbol != symbol) continue;
            const std::int64_t extent =
                ofTile ? op.iterationSpace[v].extent.integer().value_or(extents[v]) : extents[v];
            return std::max<std::int64_t>(extent - 1, 0);
        }
        return 0;
    };
}

}  // namespace

std::vector<std::int64_t> fullExtents(const PlanOp& op, const SpyreOpData& data) {
    std::vector<std::int64_t> extents;
    for (const IterationDim& d : op.iterationSpace)
        extents.push_back(d.extent);
    for (std::size_t level = 0; level < data.tiledLoops.size() && level < op.loopCounts.size(); ++level) {
        for (const int v : data.tiledLoops[level]) {
            std::int64_t& extent = extents[static_cast<std::size_t>(v)];
            extent = saturatedMul(extent, op.loopCounts[level]);
        }
    }
    return extents;
}

TensorArg touchedTensor(const OpSpec& op, const TensorArg& arg, const std::vector<std::int64_t>& extents) {
    TensorArg touched = arg;
    if (arg.perTileFixed || arg.coordinates.size() != arg.deviceSize.size()) return touched;
    for (std::size_t d = 0; d + 1 < arg.coordinates.size(); ++d) {
        if (isDataDependent(arg.coordinates[d])) continue;
        const auto highest = arg.coordinates[d].evaluate(lastOf(op, extents, false));
        if (highest && *highest >= 0 && *highest < INT64_MAX) touched.deviceSize[d] = *highest + 1;
    }
    return touched;
}

TensorArg wholeTensor(const OpSpec& op, const TensorArg& arg, const std::vector<std::int64_t>& extents) {
    TensorArg whole = arg;
    if (arg.perTileFixed || arg.coordinates.size() != arg.deviceSize.size()) return whole;
    // The last dimension is the stick, which no loop makes longer; the others grow where the loops move them.
    for (std::size_t d = 0; d + 1 < arg.coordinates.size(); ++d) {
        if (isDataDependent(arg.coordinates[d])) continue;
        const auto inTile = arg.coordinates[d].evaluate(lastOf(op, extents, true));
        const auto highest = arg.coordinates[d].evaluate(lastOf(op, extents, false));
        const bool grows = inTile && highest && *highest > *inTile && *highest < INT64_MAX;
        if (grows) whole.deviceSize[d] = std::max(whole.deviceSize[d], *highest + 1);
    }
    return whole;
}

PlanAccess importedAccess(const PlanOp& op, const OpSpec& spec, const TensorArg& arg, BufferId buffer,
                          const std::vector<std::int64_t>& extents) {
    PlanAccess access;
    access.buffer = buffer;
    access.isWrite = !arg.isInput;
    access.coefficients.assign(op.iterationSpace.size(), 0);
    access.isIndirect = std::any_of(arg.coordinates.begin(), arg.coordinates.end(), isDataDependent);
    TensorArg known = arg;
    const bool hasMap = arg.strideMap && arg.strideMap->size() == arg.coordinates.size();
    if (!hasMap) known.strideMap = bundle::rowMajorStrideMap(spec, arg);
    if (known.strideMap->size() != known.coordinates.size()) return access;
    access.offset = hostIndex(known, "", 0).value_or(0);
    for (std::size_t v = 0; v < op.iterationSpace.size(); ++v)
        access.coefficients[v] = coefficientOf(known, op.iterationSpace[v].name, extents[v], access.offset);
    // Rebuilt coordinates do not show every cut: what a core sees is said where the source states it.
    if (hasMap) addSlices(op, known, access);
    return access;
}

void extendLivesOverLoops(Plan& plan) {
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        if (plan.ops[i].loopPath.empty()) continue;
        for (const PlanAccess& a : plan.ops[i].accesses) {
            if (a.isWrite || moves(plan, i, a)) continue;
            PlanBuffer& b = plan.buffers[a.buffer.at()];
            const bool hasWriter = b.producer.isValid();
            const Step end = endOfLoopWithout(plan, i, hasWriter ? plan.op(b.producer).loopPath : std::vector<int>{});
            b.life.end = std::max(b.life.end, end);
        }
    }
}

void fillImportedTraffic(Plan& plan) {
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        PlanOp& op = plan.ops[i];
        for (const bool isWrite : {false, true}) {
            Bytes& bytes = isWrite ? op.offChipWrite : op.offChipRead;
            for (const BufferId id : isWrite ? op.outputs : op.inputs) {
                if (isOnChip(plan.buffer(id).space)) continue;
                std::int64_t most = 1;
                for (const PlanAccess& a : op.accesses) {
                    if (a.buffer == id && a.isWrite == isWrite) most = std::max(most, tripsOf(plan, i, a));
                }
                bytes += saturatedMul(plan.buffer(id).size, most);
            }
        }
    }
}

}  // namespace memplan::spyre
