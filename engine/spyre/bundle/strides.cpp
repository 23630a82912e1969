// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/bundle/strides.h"

#include "engine/base/numeric.h"

#include <algorithm>

namespace memplan::bundle {

std::string_view strideModelName(StrideModel m) {
    return m == StrideModel::HostStrideMap ? "host_stride_map" : "device_row_major";
}

std::optional<StrideModel> strideModelNamed(std::string_view name) {
    for (const StrideModel m : {StrideModel::HostStrideMap, StrideModel::DeviceRowMajor}) {
        if (strideModelName(m) == name) return m;
    }
    return std::nullopt;
}

namespace {

Error badArg(const std::string& what) {
    return makeError("BND-105", "device_coordinates", what, "correct the source or compile it anew");
}

}  // namespace

Result<std::vector<std::int64_t>> coordinateDeltas(const TensorArg& arg, std::string_view symbol, std::int64_t extent) {
    std::vector<std::int64_t> deltas;
    deltas.reserve(arg.coordinates.size());
    const SymbolValue moved = [&](std::string_view s) { return s == symbol ? extent : 0; };
    for (const Expr& e : arg.coordinates) {
        const auto at = e.evaluate(moved);
        const auto origin = e.atZero();
        const auto delta = at && origin ? checkedAdd(*at, -*origin) : std::nullopt;
        if (!delta) return badArg("the coordinate \"" + e.text() + "\" has no integer value");
        deltas.push_back(*delta);
    }
    return deltas;
}

Result<std::int64_t> byteStride(const TensorArg& arg, std::string_view symbol, std::int64_t extent, StrideModel model) {
    const DeviceFormat* format = deviceFormatNamed(arg.deviceDtype);
    if (format == nullptr) return badArg("the device format \"" + arg.deviceDtype + "\" is not known");
    auto deltas = coordinateDeltas(arg, symbol, extent);
    if (!deltas) return std::move(deltas).error();
    const std::vector<std::int64_t>& delta = deltas.value();
    const bool host = model == StrideModel::HostStrideMap;
    if (host && !arg.strideMap) return badArg("the tensor has no stride_map, which the stride model needs");
    const std::size_t units = host ? arg.strideMap->size() : arg.deviceSize.size();
    if (units != delta.size()) return badArg("coordinates and sizes differ in number");
    std::int64_t total = 0;
    std::int64_t inner = 1;
    for (std::size_t d = delta.size(); d-- > 0;) {
        const std::int64_t unit = host ? std::max<std::int64_t>((*arg.strideMap)[d], 0) : inner;
        const auto step = checkedMul(delta[d], unit);
        const auto sum = step ? checkedAdd(total, *step) : std::nullopt;
        if (!sum) return badArg("the byte stride leaves 64 bits");
        total = *sum;
        if (!host) inner = saturatedMul(inner, std::max<std::int64_t>(arg.deviceSize[d], 0));
    }
    const auto bytes = checkedMul(total, format->bytes);
    if (!bytes) return badArg("the byte stride leaves 64 bits");
    return *bytes;
}

namespace {

using Names = std::vector<std::string>;

bool holds(const SpecNode& loop, const std::string& symbol) {
    return loop.tiledSymbols &&
           std::find(loop.tiledSymbols->begin(), loop.tiledSymbols->end(), symbol) != loop.tiledSymbols->end();
}

/// The op's list in pieces, one for each loop from the outermost inwards, that hold only what the loop lists; of
/// several ways the one that leaves the fewest loops empty, then the one with the longest outer pieces.
struct Pieces {
    std::size_t filled = 0;
    LevelSymbols levels;
};

std::optional<Pieces> pieces(const Names& tiled, const std::vector<const SpecNode*>& loops, std::size_t first,
                             std::size_t level) {
    if (level == loops.size()) return first == tiled.size() ? std::optional<Pieces>(Pieces{}) : std::nullopt;
    std::size_t end = first;
    while (end < tiled.size() && holds(*loops[level], tiled[end]))
        ++end;
    std::optional<Pieces> best;
    for (;; --end) {
        auto rest = pieces(tiled, loops, end, level + 1);
        const std::size_t here = end > first ? 1 : 0;
        if (rest && (!best || rest->filled + here > best->filled)) {
            rest->filled += here;
            rest->levels.insert(rest->levels.begin(), Names(tiled.begin() + static_cast<std::ptrdiff_t>(first),
                                                            tiled.begin() + static_cast<std::ptrdiff_t>(end)));
            best = std::move(rest);
        }
        if (end == first) return best;
    }
}

/// What the loops list, as far as the op tiles it. A loop lists what any of its ops tiles: where several loops name a
/// symbol that the op has once, the order of the op's own list, outermost first, says which one it is (8.3).
LevelSymbols listedSymbols(const Names& tiled, const std::vector<const SpecNode*>& loops) {
    LevelSymbols levels(loops.size());
    std::size_t count = 0;
    for (std::size_t i = 0; i < loops.size(); ++i) {
        if (!loops[i]->tiledSymbols) continue;
        for (const std::string& s : *loops[i]->tiledSymbols) {
            if (std::find(tiled.begin(), tiled.end(), s) != tiled.end()) levels[i].push_back(s);
        }
        count += levels[i].size();
    }
    constexpr std::size_t kMostPieces = 8;
    if (count <= tiled.size() || loops.size() > kMostPieces || tiled.size() > kMostPieces) return levels;
    auto cut = pieces(tiled, loops, 0, 0);
    return cut ? std::move(cut->levels) : levels;
}

}  // namespace

LevelSymbols levelSymbols(const OpSpec& op, const std::vector<const SpecNode*>& loops, Diagnostics& notes) {
    const std::size_t depth = loops.size();
    LevelSymbols levels(depth);
    if (op.tiledPerLevel && op.tiledPerLevel->size() == depth) return *op.tiledPerLevel;
    const auto& tiled = op.tiledSymbols;
    const bool listed = std::any_of(loops.begin(), loops.end(),
                                    [](const SpecNode* l) { return l->tiledSymbols && !l->tiledSymbols->empty(); });
    if (listed) return listedSymbols(tiled, loops);
    if (depth == 0 || tiled.empty()) return levels;
    if (depth > 1 && tiled.size() != depth) {
        notes.warning("CT-022", op.op,
                      "ambiguous tiling levels: " + std::to_string(tiled.size()) + " tiled symbols in " +
                          std::to_string(depth) + " loops; the last symbols are taken for the innermost loops",
                      "write tiled_symbols at each LoopSpec");
    }
    // Last symbols to last levels; what is left over belongs to the outermost loop.
    for (std::size_t i = 0; i < tiled.size(); ++i) {
        const std::size_t fromEnd = tiled.size() - 1 - i;
        levels[fromEnd < depth ? depth - 1 - fromEnd : 0].push_back(tiled[i]);
    }
    return levels;
}

Result<ArgStrides> argStrides(const OpSpec& op, const TensorArg& arg, const LevelSymbols& levels, StrideModel model) {
    ArgStrides strides;
    if (arg.perTileFixed) return strides;
    for (std::size_t level = 0; level < levels.size(); ++level) {
        std::int64_t total = 0;
        for (const std::string& s : levels[level]) {
            const IterationEntry* e = op.find(s);
            if (e == nullptr) continue;
            const auto extent = e->extent.integer();
            if (!extent) return badArg("the extent of \"" + s + "\" is no number");
            const auto stride = byteStride(arg, s, *extent, model);
            if (!stride) return stride.error();
            total = saturatedAdd(total, stride.value());
        }
        if (total != 0) strides.emplace_back(static_cast<int>(level), total);
    }
    return strides;
}

Result<std::string> modelDisagreement(const SpecTree& tree) {
    std::string found;
    Diagnostics ignored;
    const auto compare = [&](const OpSpec& op, const std::vector<const SpecNode*>& loops) -> Result<void> {
        const LevelSymbols levels = levelSymbols(op, loops, ignored);
        for (std::size_t a = 0; a < op.args.size() && found.empty(); ++a) {
            if (!op.args[a].strideMap) continue;
            const auto host = argStrides(op, op.args[a], levels, StrideModel::HostStrideMap);
            const auto device = argStrides(op, op.args[a], levels, StrideModel::DeviceRowMajor);
            if (!host || !device || host.value() == device.value()) continue;
            const auto at = [](const ArgStrides& s) { return s.empty() ? std::int64_t{0} : s.front().second; };
            found = "op " + op.op + ", argument " + std::to_string(a) + ": " + std::to_string(at(host.value())) +
                    " bytes per iteration by the host stride map, " + std::to_string(at(device.value())) +
                    " by the device layout";
        }
        return {};
    };
    if (auto walked = forEachOp(tree, compare); !walked) return walked.error();
    return found;
}

}  // namespace memplan::bundle
