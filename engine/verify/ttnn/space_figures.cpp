// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/ttnn/space_figures.h"

#include "engine/verify/ttnn/layouts.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace memplan::verify::ttnn {
namespace {

using memplan::ttnn::BufferType;
using memplan::ttnn::DataType;
using memplan::ttnn::Grid;
using memplan::ttnn::MemLayout;
using memplan::ttnn::PageLayout;

/// Block heights of activations that are tried where the module states none (3.4): automatic, 64, 32.
constexpr std::int64_t kBlockHeights = 3;
constexpr std::int64_t kScalars = 14;  ///< that there are (1.2), booleans among them

/// Sharded layouts of one tensor type (3.2).
class LegalLayouts {
public:
    LegalLayouts(ShapeSpan shape, DataType dtype, PageLayout page, const Device& device)
        : shape_(shape), device_(device), tiles_(tilesOf(shape)) {
        layout_.buffer = BufferType::L1;
        layout_.page = page;
        layout_.dtype = dtype;
    }

    std::int64_t count() {
        const auto cores = static_cast<std::int32_t>(device_.workers.volume());
        std::vector<Grid> blocks, rows, columns;
        for (std::int32_t h = 1; h <= device_.workers.rows; ++h)
            for (std::int32_t w = 1; w <= device_.workers.cols; ++w)
                blocks.push_back({h, w});
        for (std::int32_t n = 1; n <= cores; ++n)
            rows.push_back({n, 1}), columns.push_back({1, n});
        return countOf(MemLayout::BlockSharded, blocks) + countOf(MemLayout::HeightSharded, rows) +
               countOf(MemLayout::WidthSharded, columns);
    }

private:
    ShapeSpan shape_;
    const Device& device_;
    std::array<std::int64_t, 2> tiles_;
    Layout layout_;

    /// Of each shard shape the first grid counts, where it is legal.
    std::int64_t countOf(MemLayout mem, const std::vector<Grid>& grids) {
        std::vector<std::array<std::int64_t, 2>> shards;
        std::int64_t legal = 0;
        layout_.mem = mem;
        for (const Grid grid : grids) {
            layout_.grid = grid;
            const std::array<std::int64_t, 2> shard = shardOf(layout_, shape_);
            if (std::ranges::find(shards, shard) != shards.end()) continue;
            shards.push_back(shard);
            legal += isLegal(shard) ? 1 : 0;
        }
        return legal;
    }

    [[nodiscard]] bool isLegal(const std::array<std::int64_t, 2>& shard) const {
        if (layout_.isTiled()) return tiles_[0] >= layout_.grid.rows && tiles_[1] >= layout_.grid.cols;
        return shard[1] * elementBytes(layout_.dtype) % device_.l1Alignment == 0;
    }
};

class Counter {
public:
    explicit Counter(const Plan& plan) : plan_(plan), data_(ttnnData(plan)) {
        isRowMajor_ = plan.settings.boolean("ttnn.row_major");
        limit_ = std::max<std::int64_t>(0, plan.settings.integer("ttnn.max_legal_layouts"));
        if (isRowMajor_) limit_ /= 2;
    }

    SpaceFigures count() {
        for (const TtnnOp& op : data_.ops) {
            if (op.conversion != TtnnConversion::None) continue;
            for (const TtnnTensor& t : op.results) {
                ++figures_.tensors;
                figures_.layouts += shardedOf(t, PageLayout::Tile) + interleavedOf(t, PageLayout::Tile);
            }
            addOperation(op);
        }
        figures_.scalars = {scalarsOfPlan(), kScalars};
        return figures_;
    }

private:
    const Plan& plan_;
    const TtnnData& data_;
    bool isRowMajor_ = false;
    std::int64_t limit_ = 0;
    SpaceFigures figures_;
    std::map<std::tuple<std::vector<std::int64_t>, DataType, PageLayout>, std::int64_t> known_;

    [[nodiscard]] std::int64_t scalarsOfPlan() const {
        std::set<DataType> types;
        for (const TtnnOp& op : data_.ops)
            for (const auto* tensors : {&op.operands, &op.results})
                for (const TtnnTensor& t : *tensors)
                    types.insert(t.layout.dtype);
        return std::ssize(types);
    }

    static std::int64_t interleavedOf(const TtnnTensor& t, PageLayout page) {
        if (page == PageLayout::Tile) return 2;
        return isBlockFloat(t.layout.dtype) ? 0 : 1;
    }

    std::int64_t shardedOf(const TtnnTensor& t, PageLayout page) {
        const std::vector<std::int64_t>& shape = plan_.buffer(t.buffer).shape;
        if (page == PageLayout::RowMajor && isBlockFloat(t.layout.dtype)) return 0;
        const auto [at, isNew] = known_.try_emplace({shape, t.layout.dtype, page}, 0);
        if (isNew) at->second = LegalLayouts(shape, t.layout.dtype, page, data_.device).count();
        return at->second;
    }

    void addOperation(const TtnnOp& op) {
        if (op.results.empty() || op.name == "ttnn.empty") return;
        if (!op.name.starts_with("ttnn.") || op.name == "ttnn.to_layout" || op.name == "ttnn.to_memory_config")
            return addKept();
        const TtnnTensor& result = op.results.front();
        std::int64_t kept = 0, interleaved = 0;
        for (const PageLayout page : {PageLayout::RowMajor, PageLayout::Tile}) {
            if (page == PageLayout::RowMajor && !isRowMajor_) continue;
            const std::int64_t all = shardedOf(result, page);
            kept += std::min(all, limit_);
            figures_.cut += all - std::min(all, limit_);
            interleaved += interleavedOf(result, page);
        }
        figures_.kept += kept;
        const bool isConvolution = op.name == "ttnn.conv2d" || op.name == "ttnn.conv_transpose2d";
        const std::int64_t most = isConvolution ? kBlockHeights : 1;
        figures_.configs.least += kept + interleaved;
        figures_.configs.most += most * (kept + interleaved);
        figures_.sharded.least += kept;
        figures_.sharded.most += most * kept;
    }

    /// It has the layout that the module states, if it states one.
    void addKept() {
        ++figures_.configs.most;
        ++figures_.sharded.most;
    }
};

}  // namespace

std::optional<SpaceFigures> spaceFigures(const Plan& plan) {
    const bool isForced = ttnnData(plan).overrides.find("override-") != std::string::npos;
    if (isForced || plan.settings.boolean("ttnn.validate_op_layouts")) return std::nullopt;
    return Counter(plan).count();
}

}  // namespace memplan::verify::ttnn
