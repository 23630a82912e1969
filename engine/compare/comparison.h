// SPDX-License-Identifier: Apache-2.0
// Two plans side by side (user-experience 16): which item is which, what changed, every metric with
// better or worse, and one sentence about it. A is the baseline, B the plan that is judged.
#pragma once

#include "engine/compare/plan_changes.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace memplan::compare {

enum class MetricUnit { Count, Bytes, Share, Microseconds, Seconds };
enum class Outcome { Same, Better, Worse, Other };  ///< Other: differs and neither is good or bad

struct MetricRow {
    std::string key;    ///< "main_memory_bytes"
    std::string title;  ///< "Off-chip traffic"
    MetricUnit unit = MetricUnit::Count;
    double a = 0, b = 0;
    std::string textA, textB;  ///< with unit where it is not bytes: "10 of 14", "5 457 408", "74.8 %"
    Outcome outcome = Outcome::Same;
    bool isHeadline = false;  ///< the outcome sentence names it
    [[nodiscard]] double delta() const { return b - a; }
    /// "+40.0 %" of A, "-74.1 pt" for shares; the difference itself where A is 0; empty when equal.
    [[nodiscard]] std::string changeText() const;
    [[nodiscard]] std::string deltaText() const;  ///< "+1 244 672", "-3", "0"
    friend bool operator==(const MetricRow&, const MetricRow&) = default;
};

[[nodiscard]] std::string_view outcomeText(Outcome outcome);  ///< "better"

/// Metrics that both plans have, the most asked for first.
[[nodiscard]] std::vector<MetricRow> metricRows(const Plan& a, const Plan& b);
/// "B keeps 3 more buffers on chip (+412 KiB), off-chip traffic -18.2 %, peak +4.0 %, compile +12 ms".
/// `b`: what the second plan is called there.
[[nodiscard]] std::string outcomeSentence(const std::vector<MetricRow>& rows, bool areEqual, const std::string& b);

struct Comparison {
    PlanMatch match;
    std::vector<Change> changes;
    std::vector<MetricRow> metrics;
    std::string outcome;                     ///< one sentence about A and B
    std::string unlike;                      ///< one sentence on another input or machine; empty where both are alike
    std::array<int, kChangeKinds> counts{};  ///< rows of each kind
    /// A change of an item or of a metric other than the time of compiling.
    [[nodiscard]] bool areEqual() const;
    [[nodiscard]] int count(ChangeKind kind) const { return counts[static_cast<std::size_t>(kind)]; }
};

[[nodiscard]] Comparison comparePlans(const Plan& a, const Plan& b);

/// Number with sign: "+12", "\u22123", "0"; digits in groups.
[[nodiscard]] std::string signedText(std::int64_t value);

struct ComparedNames {
    std::string a, b;  ///< files or plan names
};
/// Aligned text for a terminal, lines end with LF.
[[nodiscard]] std::string comparisonText(const Comparison& c, const ComparedNames& names);
/// The change table: change,item,field,a,b,delta,unit,match,effect; plain digits, lines end with LF.
[[nodiscard]] std::string changesCsv(const Comparison& c);

}  // namespace memplan::compare
