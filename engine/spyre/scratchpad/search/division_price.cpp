// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/scratchpad/search/division_price.h"

#include "engine/spyre/estimate/extract.h"

namespace memplan::spyre {

DivisionPrice::DivisionPrice(const Program& program, const DivisionOptions& options, bool fuse, cost::Model model)
    : program_(program), options_(options), model_(std::move(model)), at_(program.ops.size(), -1),
      place_(program.ops.size()) {
    std::vector<cost::ReportOp> ops(program.ops.size());
    for (std::size_t i = 0; i < ops.size(); ++i)
        ops[i].modellable = cost::isModellable(program.ops[i]);
    kernels_ = cost::groupKernels(ops, fuse);
    for (std::size_t k = 0; k < kernels_.size(); ++k) {
        work_.emplace_back(kernels_[k].size());
        for (std::size_t i = 0; i < kernels_[k].size(); ++i)
            place_[kernels_[k][i]] = {k, i};
    }
}

void DivisionPrice::choose(std::size_t op, int option) const {
    if (at_[op] == option) return;
    at_[op] = option;
    const auto& [kernel, position] = place_[op];
    work_[kernel][position] = cost::extractFeatures(
        program_, program_.ops[op], options_[op][static_cast<std::size_t>(option)], [](BufferId) { return false; });
}

std::vector<std::vector<std::int64_t>> DivisionPrice::aloneNs(const std::function<bool(BufferId)>& inLx) const {
    std::vector<std::vector<std::int64_t>> times(program_.ops.size());
    for (std::size_t i = 0; i < times.size(); ++i) {
        times[i].assign(options_[i].size(), 0);
        if (!cost::isModellable(program_.ops[i])) continue;
        for (std::size_t o = 0; o < options_[i].size(); ++o) {
            const std::vector<cost::OpFeatures> alone{
                cost::extractFeatures(program_, program_.ops[i], options_[i][o], inLx)};
            // A price that is no time is refused like one that is too large.
            const auto ticks = cost::toFixed(cost::priceKernel(alone, model_).totalNs / 1000);
            times[i][o] = ticks ? ticks.value() / 1000 : INT64_MAX;
        }
    }
    return times;
}

std::int64_t DivisionPrice::ticks(const std::vector<int>& chosen, const std::function<bool(BufferId)>& inLx) const {
    const auto memory = [&](BufferId id) { return inLx(id) ? cost::Memory::Lx : cost::Memory::Hbm; };
    std::int64_t sum = 0;
    for (std::size_t k = 0; k < kernels_.size(); ++k) {
        for (std::size_t i = 0; i < kernels_[k].size(); ++i) {
            const std::size_t op = kernels_[k][i];
            choose(op, chosen[op]);
            cost::OpFeatures& f = work_[k][i];
            f.args[0].memory = memory(program_.ops[op].write.buffer);
            for (std::size_t r = 0; r < program_.ops[op].reads.size(); ++r)
                f.args[r + 1].memory = memory(program_.ops[op].reads[r].buffer);
        }
        const auto ticks = cost::toFixed(cost::priceKernel(work_[k], model_).totalNs / 1000);
        if (ticks) sum += ticks.value();
    }
    return sum;
}

}  // namespace memplan::spyre
