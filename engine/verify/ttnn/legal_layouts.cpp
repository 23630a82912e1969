// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/ttnn/legal_layouts.h"

#include <algorithm>
#include <array>

namespace memplan::verify::ttnn {
namespace {

using memplan::ttnn::BufferType;
using memplan::ttnn::DataType;
using memplan::ttnn::Grid;
using memplan::ttnn::MemLayout;
using memplan::ttnn::PageLayout;

class LegalLayouts {
public:
    LegalLayouts(ShapeSpan shape, DataType dtype, PageLayout page, const Device& device)
        : shape_(shape), device_(device), tiles_(tilesOf(shape)) {
        layout_.buffer = BufferType::L1;
        layout_.page = page;
        layout_.dtype = dtype;
    }

    std::vector<Layout> list() {
        const auto cores = static_cast<std::int32_t>(device_.workers.volume());
        std::vector<Grid> blocks, rows, columns;
        for (std::int32_t h = 1; h <= device_.workers.rows; ++h)
            for (std::int32_t w = 1; w <= device_.workers.cols; ++w)
                blocks.push_back({h, w});
        for (std::int32_t n = 1; n <= cores; ++n)
            rows.push_back({n, 1}), columns.push_back({1, n});
        add(MemLayout::BlockSharded, blocks);
        add(MemLayout::HeightSharded, rows);
        add(MemLayout::WidthSharded, columns);
        return std::move(legal_);
    }

private:
    ShapeSpan shape_;
    const Device& device_;
    std::array<std::int64_t, 2> tiles_;
    Layout layout_;
    std::vector<Layout> legal_;

    /// Of each shard shape the first grid stands for all, where it is legal.
    void add(MemLayout mem, const std::vector<Grid>& grids) {
        std::vector<std::array<std::int64_t, 2>> shards;
        layout_.mem = mem;
        for (const Grid grid : grids) {
            layout_.grid = grid;
            layout_.shard = shardOf(layout_, shape_);
            if (std::ranges::find(shards, layout_.shard) != shards.end()) continue;
            shards.push_back(layout_.shard);
            if (isLegal()) legal_.push_back(layout_);
        }
    }

    [[nodiscard]] bool isLegal() const {
        if (layout_.isTiled()) return tiles_[0] >= layout_.grid.rows && tiles_[1] >= layout_.grid.cols;
        return layout_.shard[1] * elementBytes(layout_.dtype) % device_.l1Alignment == 0;
    }
};

void sortByCores(std::vector<Layout>& layouts) {
    std::ranges::stable_sort(layouts, std::ranges::greater(), [](const Layout& l) { return l.grid.volume(); });
}

}  // namespace

std::vector<Layout> legalSharded(ShapeSpan shape, DataType dtype, PageLayout page, const Device& device) {
    if (page == PageLayout::RowMajor && isBlockFloat(dtype)) return {};
    std::vector<Layout> layouts = LegalLayouts(shape, dtype, page, device).list();
    sortByCores(layouts);
    return layouts;
}

bool followsRules(const Plan& plan) {
    const bool isForced = ttnnData(plan).overrides.find("override-") != std::string::npos;
    return !isForced && !plan.settings.boolean("ttnn.validate_op_layouts");
}

std::int64_t keptOfAPage(const Plan& plan) {
    const std::int64_t limit = std::max<std::int64_t>(0, plan.settings.integer("ttnn.max_legal_layouts"));
    return plan.settings.boolean("ttnn.row_major") ? limit / 2 : limit;
}

std::vector<PageLayout> pagesOf(const Plan& plan) {
    if (plan.settings.boolean("ttnn.row_major")) return {PageLayout::RowMajor, PageLayout::Tile};
    return {PageLayout::Tile};
}

bool isKept(const TtnnOp& op) {
    return !op.name.starts_with("ttnn.") || op.name == "ttnn.to_layout" || op.name == "ttnn.to_memory_config";
}

std::optional<std::vector<Layout>> shardedChoices(const Plan& plan, OpId id) {
    const TtnnOp& op = ttnnData(plan).ops[id.at()];
    if (!followsRules(plan) || isKept(op) || op.name == "ttnn.empty" || op.results.empty()) return std::nullopt;
    const TtnnTensor& result = op.results.front();
    std::vector<Layout> choices;
    for (const PageLayout page : pagesOf(plan)) {
        std::vector<Layout> legal =
            legalSharded(plan.buffer(result.buffer).shape, result.layout.dtype, page, ttnnData(plan).device);
        const auto kept = std::min<std::size_t>(legal.size(), static_cast<std::size_t>(keptOfAPage(plan)));
        choices.insert(choices.end(), legal.begin(), legal.begin() + static_cast<std::ptrdiff_t>(kept));
    }
    sortByCores(choices);
    return choices;
}

}  // namespace memplan::verify::ttnn
