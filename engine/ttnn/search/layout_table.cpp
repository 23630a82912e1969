// SPDX-License-Identifier: Apache-2.0
// Scalar types and legal layouts of tensors (ttnn-optimizer 3.1, 3.2).
#include "engine/ttnn/search/search_space.h"

#include <algorithm>

namespace memplan::ttnn {
namespace {

void addOnce(std::vector<DataType>& types, DataType type) {
    if (std::find(types.begin(), types.end(), type) == types.end()) types.push_back(type);
}

bool byCores(const Layout& a, const Layout& b) {
    return a.grid.volume() > b.grid.volume();
}

/// The layouts of one page layout that are accepted, `most` of them.
std::vector<Layout> firstOf(const std::vector<Layout>& all, std::size_t most, const LayoutLimit& limit) {
    std::vector<Layout> kept;
    for (const Layout& layout : all)
        if (!limit.accepts || limit.accepts(layout))
            if (kept.size() < most) kept.push_back(layout);
    return kept;
}

/// Generates the sharded layouts of one tensor type.
class Generator {
public:
    Generator(std::span<const std::int64_t> shape, const LayoutChoice& choice, const Device& device)
        : shape_(shape), choice_(choice), device_(device), tiles_(tiledShape(shape)) {}

    std::vector<Layout> run() {
        const Grid workers = device_.workers;
        const auto cores = static_cast<std::int32_t>(workers.volume());
        begin(MemLayout::BlockSharded);
        for (std::int32_t h = 1; h <= workers.rows; ++h)
            for (std::int32_t w = 1; w <= workers.cols; ++w)
                offer({h, w});
        begin(MemLayout::HeightSharded);
        for (std::int32_t n = 1; n <= cores; ++n)
            offer({n, 1});
        begin(MemLayout::WidthSharded);
        for (std::int32_t n = 1; n <= cores; ++n)
            offer({1, n});
        std::stable_sort(layouts_.begin(), layouts_.end(), byCores);
        return std::move(layouts_);
    }

private:
    void begin(MemLayout mem) {
        choice_.mem = mem;
        seen_.clear();
    }

    /// The smallest grid of a shard shape stands for all of them, even where it is not legal itself.
    void offer(Grid grid) {
        choice_.grid = grid;
        Layout layout = makeLayout(shape_, choice_, device_);
        if (std::find(seen_.begin(), seen_.end(), layout.shard) != seen_.end()) return;
        seen_.push_back(layout.shard);
        if (layout.cores && isAllocatable(layout)) layouts_.push_back(std::move(layout));
    }

    [[nodiscard]] bool isAllocatable(const Layout& layout) const {
        if (layout.isTiled()) return tiles_[0] >= layout.grid.rows && tiles_[1] >= layout.grid.cols;
        return layout.shard[1] * elementBytes(layout.dtype) % device_.l1Alignment == 0;
    }

    std::span<const std::int64_t> shape_;
    LayoutChoice choice_;
    const Device& device_;
    std::array<std::int64_t, 2> tiles_;
    std::vector<std::array<std::int64_t, 2>> seen_;
    std::vector<Layout> layouts_;
};

}  // namespace

std::vector<DataType> scalarDataTypes(const Module& module, const Options& options) {
    std::vector<DataType> types;
    std::vector<std::string_view> names;
    for (const Function& function : module.functions)
        for (const OperationId id : function.order) {
            const Operation& operation = function.operation(id);
            names.push_back(operation.location.name);
            for (const std::vector<ValueId>* values : {&operation.operands, &operation.results})
                for (const ValueId value : *values)
                    if (function.typeOf(value).isTensor) addOnce(types, function.typeOf(value).dtype);
        }
    for (const auto& [name, layout] : options.outputLayouts)
        if (layout.dtype && std::find(names.begin(), names.end(), name) != names.end()) addOnce(types, *layout.dtype);
    return types;
}

LayoutList legalLayouts(std::span<const std::int64_t> shape, DataType scalar, PageLayout page, const Device& device) {
    if (page == PageLayout::RowMajor && isBlockFloat(scalar)) return {};
    LayoutChoice choice{scalar, page, BufferType::Dram, MemLayout::Interleaved, {}};
    LayoutList list;
    list.interleaved.push_back(makeLayout(shape, choice, device));
    choice.buffer = BufferType::L1;
    choice.grid = device.workers;
    if (page == PageLayout::Tile) list.interleaved.push_back(makeLayout(shape, choice, device));
    list.sharded = Generator(shape, choice, device).run();
    return list;
}

const LayoutList& LayoutTable::of(const Shape& shape, DataType scalar, PageLayout page) {
    auto& list = lists_[{shape, {scalar, page}}];
    if (list.interleaved.empty()) list = legalLayouts(shape, scalar, page, device_);
    return list;
}

OpLayouts opLayouts(const Shape& shape, DataType scalar, const LayoutLimit& limit, LayoutTable& table) {
    OpLayouts layouts;
    const int most = std::max(0, limit.isRowMajor ? limit.sharded / 2 : limit.sharded);
    for (const PageLayout page : {PageLayout::RowMajor, PageLayout::Tile}) {
        if (page == PageLayout::RowMajor && !limit.isRowMajor) continue;
        const LayoutList& list = table.of(shape, scalar, page);
        layouts.interleaved.insert(layouts.interleaved.end(), list.interleaved.begin(), list.interleaved.end());
        layouts.allSharded += static_cast<int>(list.sharded.size());
        const std::vector<Layout> kept = firstOf(list.sharded, static_cast<std::size_t>(most), limit);
        layouts.sharded.insert(layouts.sharded.end(), kept.begin(), kept.end());
    }
    std::stable_sort(layouts.sharded.begin(), layouts.sharded.end(), byCores);
    return layouts;
}

}  // namespace memplan::ttnn
