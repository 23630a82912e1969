// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/bundle/unroll.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"

#include <algorithm>
#include <iterator>

namespace memplan::bundle {

namespace {

/// What one level does to one arg: the same for every copy.
struct ArgChange {
    std::int64_t stride = 0;             ///< bytes per iteration
    std::vector<std::int64_t> tileSize;  ///< new device_size, empty = unchanged
};

/// Device sizes of one tile: a dimension along which a tiled symbol moves in whole steps keeps the tile's
/// extent only. Dimensions of the stick column stay.
Result<std::vector<std::int64_t>> tileDeviceSize(const OpSpec& op, const TensorArg& arg,
                                                 const std::vector<std::string>& symbols, StrideModel model) {
    std::vector<std::int64_t> size = arg.deviceSize;
    for (const std::string& s : symbols) {
        const IterationEntry* e = op.find(s);
        const bool inStick = !arg.coordinates.empty() && arg.coordinates.back().mentions(s);
        if (e == nullptr || inStick) continue;
        const auto deltas = coordinateDeltas(arg, s, e->extent.integer().value_or(0));
        if (!deltas) return deltas.error();
        for (std::size_t d = 0; d < deltas.value().size() && d < size.size(); ++d) {
            if (deltas.value()[d] <= 0) continue;
            const auto outerEnd = size.begin() + static_cast<std::ptrdiff_t>(d);
            const bool outermost = std::all_of(size.begin(), outerEnd, [](std::int64_t n) { return n == 1; });
            if (model == StrideModel::HostStrideMap || outermost) size[d] = deltas.value()[d];
        }
    }
    return size;
}

class Unroller {
public:
    Unroller(StrideModel model, Diagnostics& notes) : model_(model), notes_(notes) {}

    Result<SpecTree> list(const SpecTree& tree, std::vector<const SpecNode*>& open) {
        SpecTree out;
        for (const SpecNode& node : tree) {
            if (node.kind != SpecKind::Loop) {
                out.push_back(node);
                if (node.kind == SpecKind::Op) fixLevels(out.back().op, open);
                continue;
            }
            auto copies = loop(node, open);
            if (!copies) return copies;
            std::move(copies.value().begin(), copies.value().end(), std::back_inserter(out));
        }
        return out;
    }

private:
    static bool anyOpLists(const SpecTree& body) {
        return std::any_of(body.begin(), body.end(), [](const SpecNode& n) {
            return n.kind == SpecKind::Op ? !n.op.tiledSymbols.empty() : anyOpLists(n.body);
        });
    }

    /// While the loops around an op are still there: which symbols each of them tiles.
    void fixLevels(OpSpec& op, const std::vector<const SpecNode*>& open) {
        if (open.empty() || (op.tiledPerLevel && op.tiledPerLevel->size() == open.size())) return;
        // A single loop without a list of its own goes by its first op, see levelOf(). Where any op of a loop lists
        // what it tiles, an op without a list tiles nothing (8.3).
        const bool isListed = open.front()->tiledSymbols && !open.front()->tiledSymbols->empty();
        if (open.size() > 1 || (isListed && anyOpLists(open.front()->body)))
            op.tiledPerLevel = levelSymbols(op, open, notes_);
        else
            op.tiledPerLevel.reset();
    }

    Result<SpecTree> loop(const SpecNode& node, std::vector<const SpecNode*>& open) {
        const auto count = node.count.integer();
        if (!count) {
            return makeError("CT-010", "LoopSpec",
                             "the count \"" + node.count.text() + "\" is no number (free symbols: " +
                                 text::join(node.count.symbols(), ", ") + "), so the loop cannot be unrolled",
                             "keep the loops (spyre.unroll_loops=false) or bind the symbols");
        }
        open.push_back(&node);
        auto body = list(node.body, open);
        open.pop_back();
        if (!body) return body;
        return copies(node, *count, static_cast<int>(open.size()), std::move(body).value());
    }

    /// Symbols that this loop tiles in `op`; `level` is the loop's depth.
    std::vector<std::string> levelOf(const SpecNode& loop, const OpSpec& op, int level, const SpecTree& body) const {
        if (op.tiledPerLevel) return (*op.tiledPerLevel)[static_cast<std::size_t>(level)];
        if (loop.tiledSymbols && !loop.tiledSymbols->empty()) return *loop.tiledSymbols;
        for (const SpecNode& n : body) {
            if (n.kind == SpecKind::Op && !n.op.tiledPerLevel) return n.op.tiledSymbols;
        }
        return {};
    }

    Result<SpecTree> copies(const SpecNode& loop, std::int64_t count, int level, SpecTree body) {
        const auto total = checkedMul(std::max<std::int64_t>(count, 0), static_cast<std::int64_t>(body.size()));
        if (!total || *total > kMostCopies) {
            return makeError("BND-107", "LoopSpec",
                             "unrolling would make more than " + text::grouped(kMostCopies) + " copies of operations",
                             "keep the loops: spyre.unroll_loops=false, with spyre.address_mode=per_tensor_constants");
        }
        std::vector<std::vector<ArgChange>> changes(body.size());
        for (std::size_t i = 0; i < body.size(); ++i) {
            if (body[i].kind != SpecKind::Op) continue;
            auto made = changesOf(loop, body[i].op, level, body);
            if (!made) return std::move(made).error();
            changes[i] = std::move(made).value();
        }
        SpecTree out;
        out.reserve(static_cast<std::size_t>(*total));
        for (std::int64_t i = 0; i < count; ++i) {
            for (std::size_t n = 0; n < body.size(); ++n) {
                out.push_back(body[n]);
                if (out.back().kind != SpecKind::Op) continue;
                if (!apply(out.back().op, changes[n], i, level)) {
                    return makeError("BND-105", body[n].op.op, "an address leaves 64 bits", "check the addresses");
                }
            }
        }
        return out;
    }

    Result<std::vector<ArgChange>> changesOf(const SpecNode& loop, const OpSpec& op, int level, const SpecTree& body) {
        const std::vector<std::string> symbols = levelOf(loop, op, level, body);
        std::vector<ArgChange> changes(op.args.size());
        for (std::size_t a = 0; a < op.args.size(); ++a) {
            auto strides = argStrides(op, op.args[a], {symbols}, model_);
            if (!strides) return std::move(strides).error();
            if (strides.value().empty()) continue;
            changes[a].stride = strides.value().front().second;
            auto size = tileDeviceSize(op, op.args[a], symbols, model_);
            if (!size) return std::move(size).error();
            changes[a].tileSize = std::move(size).value();
        }
        return changes;
    }

    static bool apply(OpSpec& op, const std::vector<ArgChange>& changes, std::int64_t iteration, int level) {
        for (std::size_t a = 0; a < op.args.size(); ++a) {
            TensorArg& arg = op.args[a];
            if (changes[a].stride == 0) continue;
            arg.deviceSize = changes[a].tileSize;
            const auto offset = checkedMul(iteration, changes[a].stride);
            const auto moved = offset && arg.allocation ? checkedAdd(arg.allocation->address, *offset) : offset;
            if (!moved) return false;
            if (arg.allocation) arg.allocation->address = *moved;
        }
        // The copies of the outermost loop are in no loop any more; inner levels are needed until then.
        if (level == 0 || !op.tiledPerLevel) op.tiledSymbols.clear();
        if (level == 0) op.tiledPerLevel.reset();
        return true;
    }

    StrideModel model_;
    Diagnostics& notes_;
};

}  // namespace

Result<SpecTree> unrolled(const SpecTree& tree, StrideModel model, Diagnostics& notes) {
    std::vector<const SpecNode*> open;
    return Unroller(model, notes).list(tree, open);
}

Result<bool> hasMovingAddress(const SpecTree& tree, StrideModel model) {
    bool found = false;
    Diagnostics ignored;  // unrolling or writing the tree reports them
    const auto look = [&](const OpSpec& op, const std::vector<const SpecNode*>& loops) -> Result<void> {
        const LevelSymbols levels = levelSymbols(op, loops, ignored);
        for (const TensorArg& arg : op.args) {
            const auto strides = argStrides(op, arg, levels, model);
            if (!strides) return strides.error();
            found = found || !strides.value().empty();
        }
        return {};
    };
    if (auto walked = forEachOp(tree, look); !walked) return walked.error();
    return found;
}

}  // namespace memplan::bundle
