// SPDX-License-Identifier: GPL-3.0-or-later
// Values per operation and core (user-experience 6.2): what the heat map of the core grid and the
// all-ops matrix show, with the real limits of each metric. Prepared once per plan.
#pragma once

#include "engine/plan/plan.h"
#include "widgets/views/coregrid/data/memory_stack.h"

#include <QString>

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace memplan::ui {

enum class CoreMetric { WorkShare, BytesOnChip, PeakBytes, Span, OffChipBytes, Idle };
inline constexpr int kCoreMetricCount = 6;
[[nodiscard]] QString metricName(CoreMetric metric);                ///< "share of the work"
[[nodiscard]] QString metricText(CoreMetric metric, double value);  ///< "12.5 %", "1.0 MiB"

struct MetricLimits {
    double low = 0;
    double high = 1;
    friend bool operator==(const MetricLimits&, const MetricLimits&) = default;
    [[nodiscard]] double share(double value) const;  ///< 0..1, clamped
};

/// A block of one core's scratchpad at one step.
struct CoreBlock {
    BufferId buffer;  ///< invalid = gap
    Address begin = 0;
    Address end = 0;
    [[nodiscard]] Bytes size() const { return end - begin; }
    friend bool operator==(const CoreBlock&, const CoreBlock&) = default;
};

class CoreMetrics {
public:
    CoreMetrics() = default;
    /// `shape`: of the plan's machine, where that is known beside its settings.
    explicit CoreMetrics(PlanPtr plan, std::optional<CoreShape> shape = std::nullopt);

    [[nodiscard]] const PlanPtr& plan() const { return plan_; }
    [[nodiscard]] int machineCores() const { return machine_; }  ///< drawn cells
    [[nodiscard]] int columns() const { return columns_; }
    /// "11"; "1,3" (row, column) where the machine's grid is known.
    [[nodiscard]] QString coreLabel(int core) const;
    /// Device memory that one core may address; nothing where the machine has no such limit.
    [[nodiscard]] std::optional<Bytes> spanLimit() const { return spanLimit_; }
    /// Whether a value breaks the limit of its metric; only the span has one that a plan can exceed.
    [[nodiscard]] bool isOverLimit(CoreMetric metric, double value) const {
        return metric == CoreMetric::Span && spanLimit_ && value > static_cast<double>(*spanLimit_);
    }
    [[nodiscard]] int configuredCores() const { return configured_; }
    [[nodiscard]] int mostUsedCores() const { return mostUsed_; }

    /// Value of one op on one core; NaN where the op does not use the core (except Idle).
    [[nodiscard]] double value(CoreMetric metric, OpId op, int core) const;
    /// Value of one core over the whole plan: mean share, peak, largest span, sum of off-chip bytes,
    /// share of the ops that leave it idle.
    [[nodiscard]] double planValue(CoreMetric metric, int core) const;
    /// Fixed limits, so that two plans can be compared by eye.
    [[nodiscard]] MetricLimits limits(CoreMetric metric) const;
    /// Limits of the values themselves ("auto range").
    [[nodiscard]] MetricLimits autoLimits(CoreMetric metric, OpId op) const;

    /// Bytes of a core's scratchpad in use at a step; in-place pairs count once.
    [[nodiscard]] Bytes bytesAt(Step step, int core) const;
    /// Blocks and gaps from 0 to the usable limit, then what lies above it up to the physical size.
    [[nodiscard]] std::vector<CoreBlock> blocksAt(Step step, int core) const;

private:
    /// Bytes by step for the cores that hold buffers cut into at least `cores` pieces.
    struct Level {
        std::int64_t cores = 1;
        std::vector<Bytes> bytes;
        Bytes peak = 0;
    };
    /// What only the memory metrics need; made when first asked for.
    struct Memory {
        std::vector<Level> levels;                // by falling core count
        std::vector<std::vector<BufferId>> live;  // placed buffers by step
    };
    [[nodiscard]] const Memory& memory() const;
    [[nodiscard]] const Level* levelOf(int core) const;
    [[nodiscard]] double computePlanValue(CoreMetric metric, int core) const;

    PlanPtr plan_;
    mutable std::optional<Memory> memory_;
    mutable std::array<std::vector<double>, kCoreMetricCount> planValues_;  // by core, empty = not asked for yet
    int configured_ = 1;
    int mostUsed_ = 1;
    int machine_ = 1;
    int columns_ = 8;
    bool isGrid_ = false;
    std::optional<Bytes> spanLimit_;
    Bytes largestSpan_ = 0, largestOffChip_ = 0;
};

/// Those of a plan as its machine's own code knows it: the cores, and what each of them has of an operation. Null
/// without a plan.
[[nodiscard]] std::shared_ptr<const CoreMetrics> coreMetricsOf(const PlanPtr& plan, const CoreSources& sources);

}  // namespace memplan::ui
