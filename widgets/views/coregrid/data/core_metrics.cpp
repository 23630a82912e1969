// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/coregrid/data/core_metrics.h"

#include "engine/settings/settings.h"
#include "engine/target/target.h"
#include "widgets/plan/units.h"
#include "widgets/views/coregrid/data/core_map.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace memplan::ui {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

bool isPlacedBuffer(const PlanBuffer& b) {
    return isOnChip(b.space) && b.address.has_value();
}

/// Bytes covered by the placed buffers that reach `cores` cores.
Bytes covered(const Plan& plan, const std::vector<BufferId>& live, std::int64_t cores) {
    std::vector<std::pair<Address, Address>> ranges;
    for (const BufferId id : live) {
        const PlanBuffer& b = plan.buffer(id);
        if (b.cores >= cores) ranges.emplace_back(*b.address, *b.address + b.sizePerCore);
    }
    std::sort(ranges.begin(), ranges.end());
    Bytes sum = 0;
    Address reached = 0;
    for (const auto& [begin, end] : ranges) {
        sum += std::max<Bytes>(0, end - std::max(begin, reached));
        reached = std::max(reached, end);
    }
    return sum;
}

/// Rows of eight, at least four, for a machine that nobody here knows.
int coresOfUnknown(int used) {
    int cores = 32;
    while (cores < used)
        cores *= 2;
    return cores;
}

}  // namespace

QString metricName(CoreMetric metric) {
    switch (metric) {
    case CoreMetric::WorkShare:
        return QStringLiteral("share of the work");
    case CoreMetric::BytesOnChip:
        return QStringLiteral("bytes on chip, per core");
    case CoreMetric::PeakBytes:
        return QStringLiteral("peak bytes");
    case CoreMetric::Span:
        return QStringLiteral("span");
    case CoreMetric::OffChipBytes:
        return QStringLiteral("off-chip bytes");
    case CoreMetric::Idle:
        break;
    }
    return QStringLiteral("idle");
}

QString metricText(CoreMetric metric, double value) {
    if (std::isnan(value)) return {};
    switch (metric) {
    case CoreMetric::WorkShare:
        return percentText(value);
    case CoreMetric::Idle:
        return percentText(value);
    default:
        return humanBytes(static_cast<Bytes>(value));
    }
}

double MetricLimits::share(double value) const {
    if (high <= low) return 1;
    return std::clamp((value - low) / (high - low), 0.0, 1.0);
}

CoreMetrics::CoreMetrics(PlanPtr plan, std::optional<CoreShape> shape) : plan_(std::move(plan)) {
    if (!plan_) return;
    for (const PlanOp& op : plan_->ops) {
        if (!runsOnCores(op)) continue;
        mostUsed_ = std::max(mostUsed_, static_cast<int>(op.cores));
        largestSpan_ = std::max(largestSpan_, op.maxSpan);
        largestOffChip_ = std::max(largestOffChip_, op.traffic() / std::max<std::int64_t>(1, op.cores));
    }
    const std::string_view cores = settingRoles(plan_->target).cores;
    configured_ = cores.empty() ? mostUsed_ : static_cast<int>(plan_->settings.integer(cores));
    configured_ = std::max(configured_, mostUsed_);
    machine_ = cores.empty() ? coresOfUnknown(mostUsed_) : static_cast<int>(findSetting(cores)->max);
    if (shape) {
        isGrid_ = true;
        columns_ = std::max(1, shape->columns);
        machine_ = configured_ = std::max(1, shape->rows) * columns_;
    }
    if (const Target* target = findTarget(plan_->target)) spanLimit_ = target->spanLimit(*plan_);
}

QString CoreMetrics::coreLabel(int core) const {
    return isGrid_ ? QStringLiteral("%1,%2").arg(core / columns_).arg(core % columns_) : QString::number(core);
}

const CoreMetrics::Memory& CoreMetrics::memory() const {
    if (memory_) return *memory_;
    memory_.emplace();
    memory_->live.resize(plan_->ops.size());
    std::set<std::int64_t, std::greater<>> counts;
    for (std::size_t i = 0; i < plan_->buffers.size(); ++i) {
        const PlanBuffer& b = plan_->buffers[i];
        if (!isPlacedBuffer(b)) continue;
        counts.insert(b.cores);
        for (Step s = std::max(0, b.life.begin); s < b.life.end && static_cast<std::size_t>(s) < plan_->ops.size(); ++s)
            memory_->live[static_cast<std::size_t>(s)].push_back(BufferId::of(i));
    }
    for (const std::int64_t cores : counts) {
        Level level{cores, {}, 0};
        for (const std::vector<BufferId>& live : memory_->live) {
            level.bytes.push_back(covered(*plan_, live, cores));
            level.peak = std::max(level.peak, level.bytes.back());
        }
        memory_->levels.push_back(std::move(level));
    }
    return *memory_;
}

const CoreMetrics::Level* CoreMetrics::levelOf(int core) const {
    // The level with the smallest core count that still reaches this core holds all its buffers.
    const Level* found = nullptr;
    for (const Level& level : memory().levels)
        if (core < level.cores) found = &level;
    return found;
}

Bytes CoreMetrics::bytesAt(Step step, int core) const {
    const Level* level = levelOf(core);
    return level == nullptr || step < 0 || static_cast<std::size_t>(step) >= level->bytes.size()
               ? 0
               : level->bytes[static_cast<std::size_t>(step)];
}

std::vector<CoreBlock> CoreMetrics::blocksAt(Step step, int core) const {
    std::vector<CoreBlock> used;
    if (step < 0 || static_cast<std::size_t>(step) >= memory().live.size()) return used;
    for (const BufferId id : memory().live[static_cast<std::size_t>(step)]) {
        const PlanBuffer& b = plan_->buffer(id);
        if (core < b.cores) used.push_back({id, *b.address, *b.address + b.sizePerCore});
    }
    // At the step of a hand-over the child stands for both; it comes last in schedule order.
    std::sort(used.begin(), used.end(), [](const CoreBlock& a, const CoreBlock& b) {
        return a.begin != b.begin ? a.begin < b.begin : a.buffer > b.buffer;
    });
    std::vector<CoreBlock> blocks;
    Address reached = 0;
    for (const CoreBlock& block : used) {
        if (block.end <= reached) continue;
        if (block.begin > reached) blocks.push_back({BufferId{}, reached, block.begin});
        blocks.push_back({block.buffer, std::max(block.begin, reached), block.end});
        reached = block.end;
    }
    if (reached < plan_->memory.capacity) blocks.push_back({BufferId{}, reached, plan_->memory.capacity});
    return blocks;
}

double CoreMetrics::value(CoreMetric metric, OpId id, int core) const {
    const PlanOp& op = plan_->op(id);
    const bool isUsed = core < op.cores && runsOnCores(op);
    if (metric == CoreMetric::Idle) return core >= configured_ ? kNone : isUsed ? 0 : 1;
    if (metric == CoreMetric::BytesOnChip || metric == CoreMetric::PeakBytes)
        return core < configured_ ? static_cast<double>(bytesAt(id.index, core)) : kNone;
    if (!isUsed) return kNone;
    if (metric == CoreMetric::Span) return static_cast<double>(op.maxSpan);
    if (metric == CoreMetric::OffChipBytes) return static_cast<double>(op.traffic() / op.cores);
    const double all = workOf(op);
    return all > 0 ? workOfCore(op, core) / all : kNone;
}

double CoreMetrics::planValue(CoreMetric metric, int core) const {
    std::vector<double>& values = planValues_[static_cast<std::size_t>(metric)];
    if (values.empty())
        for (int c = 0; c < machineCores(); ++c)
            values.push_back(computePlanValue(metric, c));
    return values[static_cast<std::size_t>(core)];
}

double CoreMetrics::computePlanValue(CoreMetric metric, int core) const {
    if (core >= configured_ || plan_->ops.empty()) return kNone;
    if (metric == CoreMetric::PeakBytes || metric == CoreMetric::BytesOnChip) {
        const Level* level = levelOf(core);
        return level == nullptr ? 0 : static_cast<double>(level->peak);
    }
    double sum = 0, largest = 0, work = 0, all = 0;
    for (std::size_t i = 0; i < plan_->ops.size(); ++i) {
        const double v = value(metric, OpId::of(i), core);
        if (metric == CoreMetric::WorkShare) {
            all += workOf(plan_->ops[i]);
            work += workOfCore(plan_->ops[i], core);
        }
        if (std::isnan(v)) continue;
        sum += v;
        largest = std::max(largest, v);
    }
    if (metric == CoreMetric::WorkShare) return all > 0 ? work / all : 0;
    if (metric == CoreMetric::Idle) return sum / static_cast<double>(plan_->ops.size());
    return metric == CoreMetric::Span ? largest : sum;
}

MetricLimits CoreMetrics::limits(CoreMetric metric) const {
    switch (metric) {
    case CoreMetric::BytesOnChip:
    case CoreMetric::PeakBytes:
        return {0, static_cast<double>(std::max<Bytes>(1, plan_ ? plan_->memory.capacity : 1))};
    case CoreMetric::Span:
        return {0, static_cast<double>(std::max<Bytes>(1, spanLimit_.value_or(largestSpan_)))};
    case CoreMetric::OffChipBytes:
        return {0, static_cast<double>(std::max<Bytes>(1, largestOffChip_))};
    default:
        return {0, 1};
    }
}

MetricLimits CoreMetrics::autoLimits(CoreMetric metric, OpId op) const {
    MetricLimits limits{0, 0};
    bool isFirst = true;
    for (int core = 0; core < configured_; ++core) {
        const double v = op.isValid() ? value(metric, op, core) : planValue(metric, core);
        if (std::isnan(v)) continue;
        limits.low = isFirst ? v : std::min(limits.low, v);
        limits.high = isFirst ? v : std::max(limits.high, v);
        isFirst = false;
    }
    if (limits.high <= limits.low) limits = {0, std::max(1e-9, limits.high)};
    return limits;
}

std::shared_ptr<const CoreMetrics> coreMetricsOf(const PlanPtr& plan, const CoreSources& sources) {
    if (!plan) return nullptr;
    std::shared_ptr<Plan> divided;
    for (std::size_t i = 0; sources.division && i < plan->ops.size(); ++i) {
        std::optional<PlanOp> op = sources.division(*plan, OpId::of(i));
        if (!op) continue;
        if (!divided) divided = std::make_shared<Plan>(*plan);
        divided->ops[i] = *std::move(op);
    }
    const auto shape = sources.shape ? sources.shape(*plan) : std::nullopt;
    return std::make_shared<const CoreMetrics>(divided ? divided : plan, shape);
}

}  // namespace memplan::ui
