// SPDX-License-Identifier: Apache-2.0
// The metric header of a comparison and its outcome sentence (user-experience 16.5).
#include "engine/base/figures.h"
#include "engine/base/text.h"
#include "engine/compare/comparison.h"
#include "engine/plan/statistics.h"
#include "engine/target/own_figures.h"

#include <algorithm>
#include <cmath>

namespace memplan::compare {

namespace {

constexpr const char* kMinus = "\u2212";
constexpr const char* kNarrow = "\u202f";

enum class Good { High, Low, Neither };

std::string percent(double share) {
    return text::fixed(share * 100.0, 1) + kNarrow + "%";
}

std::string withSign(double value, const std::string& magnitude) {
    return (value < 0 ? kMinus : "+") + magnitude;
}

/// One decimal; what would read 0.0 and is not nothing is "<0.1" (user-experience 2.10).
std::string signedShare(double share, const char* unit) {
    const double points = std::abs(share) * 100.0;
    const std::string number = points < 0.05 ? "<0.1" : text::fixed(points, 1);
    return withSign(share, number + kNarrow + unit);
}

std::string seconds(double value) {
    return value < 1 ? text::fixed(value * 1000.0, 1) + kNarrow + "ms" : text::fixed(value, 2) + kNarrow + "s";
}

std::string valueText(MetricUnit unit, double value) {
    switch (unit) {
    case MetricUnit::Share:
        return percent(value);
    case MetricUnit::Microseconds:
        return text::groupedFixed(value, 1) + kNarrow + "\u00b5s";
    case MetricUnit::Seconds:
        return seconds(value);
    case MetricUnit::Count:
    case MetricUnit::Bytes:
        break;
    }
    if (std::trunc(value) != value) return text::fixed(value, 2);
    return text::grouped(static_cast<std::int64_t>(value));
}

/// A.10: exact below 10 000, KiB and MiB with one decimal below 100.
std::string humanBytes(double bytes) {
    if (bytes < 10'000) return text::grouped(static_cast<std::int64_t>(bytes)) + kNarrow + "B";
    const bool kibi = bytes < 1'048'576;
    const double scaled = bytes / (kibi ? 1024.0 : 1'048'576.0);
    return text::fixed(scaled, scaled < 100 ? 1 : 0) + kNarrow + (kibi ? "KiB" : "MiB");
}

struct Facts {
    double onChip = 0, buffers = 0, onChipBytes = 0, pinned = 0;
    double read = 0, written = 0, peak = 0, free = 0, capacity = 0, fragmentation = 0;
    double findings = 0, seconds = 0;
    bool isPlanned = true;  ///< memory was planned; a compile stopped before has no residency
    bool isTimed = false;
};

Facts factsOf(const Plan& plan) {
    Facts f;
    for (const PlanBuffer& b : plan.buffers) {
        f.onChip += isOnChip(b.space) ? 1 : 0;
        f.onChipBytes += isOnChip(b.space) ? static_cast<double>(b.size) : 0;
    }
    f.buffers = static_cast<double>(plan.buffers.size());
    f.pinned = static_cast<double>(plan.metrics.pinnedBytes);
    f.read = static_cast<double>(plan.metrics.mainMemoryReadBytes);
    f.written = static_cast<double>(plan.metrics.mainMemoryWriteBytes);
    f.peak = static_cast<double>(plan.memory.peak);
    f.free = static_cast<double>(plan.memory.capacity - plan.memory.peak);
    f.capacity = static_cast<double>(plan.memory.capacity);
    f.fragmentation = plan.metrics.fragmentationMax;
    for (const Diagnostic& d : plan.problems)
        f.findings += d.severity == Severity::Note ? 0 : 1;
    for (const PassRun& r : plan.passes)
        f.seconds += r.parent.empty() ? r.seconds : 0;
    f.isTimed = f.seconds > 0;
    f.isPlanned = plan.stoppedAfter.empty() || plan.memory.capacity > 0;
    return f;
}

class Rows {
public:
    void add(std::string_view key, std::string_view title, MetricUnit unit, std::pair<double, double> values,
             Good good) {
        MetricRow row;
        row.key = key;
        row.title = title;
        row.unit = unit;
        row.a = values.first;
        row.b = values.second;
        row.textA = valueText(unit, row.a);
        row.textB = valueText(unit, row.b);
        if (row.a != row.b) {
            const bool rises = row.b > row.a;
            row.outcome = good == Good::Neither           ? Outcome::Other
                          : rises == (good == Good::High) ? Outcome::Better
                                                          : Outcome::Worse;
        }
        rows_.push_back(std::move(row));
    }
    MetricRow& last() { return rows_.back(); }
    std::vector<MetricRow> take() { return std::move(rows_); }

private:
    std::vector<MetricRow> rows_;
};

/// Those that only the machine of both plans has.
void addOwnFigures(const Plan& a, const Plan& b, Rows& rows) {
    if (a.target != b.target) return;
    for (const FigureInfo& info : figuresOf(a)) {
        const double* const x = ownFigure(a, info.key);
        const double* const y = ownFigure(b, info.key);
        if (x == nullptr || y == nullptr) continue;
        const MetricUnit unit = info.unit == FigureUnit::Share       ? MetricUnit::Share
                                : info.unit == FigureUnit::ByteCount ? MetricUnit::Bytes
                                                                     : MetricUnit::Count;
        const Good good = info.goal == FigureGoal::High  ? Good::High
                          : info.goal == FigureGoal::Low ? Good::Low
                                                         : Good::Neither;
        rows.add(info.key, info.title, unit, {*x, *y}, good);
        rows.last().isHeadline = info.isHeadline;
    }
}

/// Of machines whose plans are judged by bytes.
void addMemoryRows(const Facts& x, const Facts& y, bool hasMainMemory, Rows& rows) {
    rows.add("buffers_on_chip", "On chip", MetricUnit::Count, {x.onChip, y.onChip}, Good::High);
    rows.last().textA += " of " + text::grouped(static_cast<std::int64_t>(x.buffers));
    rows.last().textB += " of " + text::grouped(static_cast<std::int64_t>(y.buffers));
    rows.add("on_chip_bytes", "Bytes on chip, all cores", MetricUnit::Bytes, {x.onChipBytes, y.onChipBytes},
             Good::High);
    if (hasMainMemory)
        rows.add("main_memory_bytes", "Off-chip traffic", MetricUnit::Bytes, {x.read + x.written, y.read + y.written},
                 Good::Low);
    rows.add("peak_bytes", "Peak", MetricUnit::Bytes, {x.peak, y.peak}, Good::Low);
    rows.add("fragmentation_max", "Worst fragmentation", MetricUnit::Share, {x.fragmentation, y.fragmentation},
             Good::Low);
    rows.add("free_above_peak", "Free above the peak", MetricUnit::Bytes, {x.free, y.free}, Good::High);
    if (hasMainMemory) {
        rows.add("main_memory_read_bytes", "Read from main memory", MetricUnit::Bytes, {x.read, y.read}, Good::Low);
        rows.add("main_memory_write_bytes", "Written to main memory", MetricUnit::Bytes, {x.written, y.written},
                 Good::Low);
    }
    rows.add("pinned_bytes", "Pinned per core", MetricUnit::Bytes, {x.pinned, y.pinned}, Good::High);
    rows.add("capacity_bytes", "Usable memory per core", MetricUnit::Bytes, {x.capacity, y.capacity}, Good::Neither);
}

const MetricRow* find(const std::vector<MetricRow>& rows, const char* key) {
    const auto at = std::find_if(rows.begin(), rows.end(), [&](const MetricRow& r) { return r.key == key; });
    return at == rows.end() ? nullptr : &*at;
}

std::string keepsText(const std::string& b, const MetricRow& count, const MetricRow& bytes) {
    const auto n = static_cast<std::int64_t>(std::abs(count.delta()));
    std::string words = "as many buffers on chip";
    if (n > 0)
        words = text::grouped(n) + (count.delta() > 0 ? " more " : " fewer ") + (n == 1 ? "buffer" : "buffers") +
                " on chip";
    const double difference = bytes.delta();
    const std::string size = difference == 0 ? "same bytes" : withSign(difference, humanBytes(std::abs(difference)));
    return b + " keeps " + words + " (" + size + ")";
}

std::string named(const std::string& name, const MetricRow& row) {
    return name + " " + (row.outcome == Outcome::Same ? "unchanged" : row.changeText());
}

}  // namespace

std::string_view outcomeText(Outcome outcome) {
    switch (outcome) {
    case Outcome::Better:
        return "better";
    case Outcome::Worse:
        return "worse";
    case Outcome::Other:
        return "differs";
    case Outcome::Same:
        break;
    }
    return "same";
}

std::string signedText(std::int64_t value) {
    if (value == 0) return "0";
    return (value < 0 ? kMinus : "+") + text::grouped(value < 0 ? -value : value);
}

std::string MetricRow::deltaText() const {
    if (a == b) return "0";
    switch (unit) {
    case MetricUnit::Share:
        return signedShare(delta(), "pt");
    case MetricUnit::Microseconds:
        if (std::abs(delta()) < 0.05) return withSign(delta(), "<0.1" + (kNarrow + std::string("\u00b5s")));
        [[fallthrough]];
    case MetricUnit::Seconds:
        return withSign(delta(), valueText(unit, std::abs(delta())));
    case MetricUnit::Count:
    case MetricUnit::Bytes:
        break;
    }
    if (std::trunc(delta()) != delta()) return withSign(delta(), valueText(unit, std::abs(delta())));
    return signedText(static_cast<std::int64_t>(delta()));
}

std::string MetricRow::changeText() const {
    if (a == b) return {};
    if (unit == MetricUnit::Share || a == 0) return deltaText();
    return signedShare(delta() / std::abs(a), "%");
}

std::vector<MetricRow> metricRows(const Plan& a, const Plan& b) {
    const Facts x = factsOf(a);
    const Facts y = factsOf(b);
    const PlanMetrics& m = a.metrics;
    const PlanMetrics& n = b.metrics;
    // What a machine does not have is no metric of it, and of two machines both have to have it.
    const bool areAlike = a.target == b.target;
    const auto stated = [areAlike, ofA = statedFigures(m), ofB = statedFigures(n)](bool StatedFigures::*figure) {
        return areAlike ? ofA.*figure || ofB.*figure : ofA.*figure && ofB.*figure;
    };
    Rows rows;
    if (x.isPlanned && y.isPlanned) {
        addOwnFigures(a, b, rows);
        if (isJudgedByBytes(a.target) && isJudgedByBytes(b.target))
            addMemoryRows(x, y, stated(&StatedFigures::mainMemory), rows);
    }
    if (stated(&StatedFigures::coreUtilisation))
        rows.add("core_utilisation", "Core utilisation", MetricUnit::Share, {m.coreUtilisation, n.coreUtilisation},
                 Good::High);
    if (m.estimatedMicroseconds && n.estimatedMicroseconds)
        rows.add("estimated_microseconds", "Estimated time (ranks only)", MetricUnit::Microseconds,
                 {*m.estimatedMicroseconds, *n.estimatedMicroseconds}, Good::Low);
    if (stated(&StatedFigures::divisions)) {
        rows.add("mismatches", "Split mismatches", MetricUnit::Count,
                 {static_cast<double>(m.mismatches), static_cast<double>(n.mismatches)}, Good::Low);
        rows.add("ops_over_span", "Operations over the span limit", MetricUnit::Count,
                 {static_cast<double>(m.opsOverSpan), static_cast<double>(n.opsOverSpan)}, Good::Low);
    }
    rows.add("findings", "Errors and warnings", MetricUnit::Count, {x.findings, y.findings}, Good::Low);
    if (x.isTimed && y.isTimed)
        rows.add("compile_seconds", "Time to compile", MetricUnit::Seconds, {x.seconds, y.seconds}, Good::Low);
    return rows.take();
}

std::string outcomeSentence(const std::vector<MetricRow>& rows, bool areEqual, const std::string& b) {
    if (areEqual) return "A and B are the same plan.";
    std::vector<std::string> parts;
    for (const MetricRow& row : rows)
        if (row.isHeadline) parts.push_back(named(inSentence(row.title), row));
    if (!parts.empty()) {
        parts.front() = b + ": " + parts.front();
    } else if (const MetricRow* count = find(rows, "buffers_on_chip"); count != nullptr) {
        parts.push_back(keepsText(b, *count, *find(rows, "on_chip_bytes")));
        if (const MetricRow* traffic = find(rows, "main_memory_bytes"); traffic != nullptr)
            parts.push_back(named("off-chip traffic", *traffic));
        parts.push_back(named("peak", *find(rows, "peak_bytes")));
    } else {
        return "One of the plans stopped before its memory was planned.";
    }
    if (const MetricRow* time = find(rows, "compile_seconds"); time != nullptr && std::abs(time->delta()) >= 0.0005)
        parts.push_back("compile " + time->deltaText());
    return text::join(parts, ", ") + ".";
}

}  // namespace memplan::compare
