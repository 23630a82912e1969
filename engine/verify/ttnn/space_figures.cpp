// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/ttnn/space_figures.h"

#include "engine/verify/ttnn/legal_layouts.h"
#include "engine/verify/ttnn/op_facts.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <vector>

namespace memplan::verify::ttnn {
namespace {

using memplan::ttnn::DataType;
using memplan::ttnn::PageLayout;

constexpr std::int64_t kScalars = 14;  ///< that there are (1.2), booleans among them

class Counter {
public:
    explicit Counter(const Plan& plan)
        : plan_(plan), data_(ttnnData(plan)), pages_(pagesOf(plan)), limit_(keptOfAPage(plan)) {}

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
    std::vector<PageLayout> pages_;
    std::int64_t limit_;
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
        const auto [at, isNew] = known_.try_emplace({shape, t.layout.dtype, page}, 0);
        if (isNew) at->second = std::ssize(legalSharded(shape, t.layout.dtype, page, data_.device));
        return at->second;
    }

    void addOperation(const TtnnOp& op) {
        if (op.results.empty() || op.name == "ttnn.empty") return;
        if (isKept(op)) return addKept();
        const TtnnTensor& result = op.results.front();
        std::int64_t kept = 0, interleaved = 0;
        for (const PageLayout page : pages_) {
            const std::int64_t all = shardedOf(result, page);
            kept += std::min(all, limit_);
            figures_.cut += all - std::min(all, limit_);
            interleaved += interleavedOf(result, page);
        }
        figures_.kept += kept;
        const std::int64_t most = isConvolution(op) ? kConvolutionConfigs : 1;
        figures_.configs.least += kept + interleaved;
        figures_.configs.most += most * (kept + interleaved);
        figures_.sharded.least += kept;
        figures_.sharded.most += most * kept;
    }

    /// One configuration where the module states a layout, else none.
    void addKept() {
        ++figures_.configs.most;
        ++figures_.sharded.most;
    }
};

}  // namespace

std::optional<SpaceFigures> spaceFigures(const Plan& plan) {
    if (!followsRules(plan)) return std::nullopt;
    return Counter(plan).count();
}

}  // namespace memplan::verify::ttnn
