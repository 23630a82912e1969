// SPDX-License-Identifier: GPL-3.0-or-later
// Advice by lever (user-experience 9.10; torchwright.md 19): the findings of a plan, or those of its job with trials.
#pragma once

#include "engine/target/compile.h"
#include "engine/torchwright/compile/advice_job.h"
#include "widgets/views/stream/data/stream_report.h"
#include "widgets/views/stream/data/stream_request.h"

#include <memory>

namespace memplan::ui {

using AdvicePtr = std::shared_ptr<const torchwright::AdviceReport>;

struct AdviceLine {
    int finding = 0;  ///< index in the report
    QString code;     ///< "TW-110"
    QString what;     ///< with "x 9:" in front where nine places are alike
    QString layers;   ///< "15 -> 14"; empty where nothing was tried
    QString effect;   ///< of the trial, or predicted
    int gain = 0;     ///< layers
    bool canBeTried = false, isTried = false, isBetter = false;
    std::vector<ItemId> items;  ///< its nodes in the plan
};
struct AdviceGroup {
    QString lever;  ///< "Depth"
    int gain = 0;   ///< largest of its lines
    std::vector<AdviceLine> lines;
};
/// By lever in the order of the guide, without empty ones. `withoutGain`: also what was tried and gained nothing.
[[nodiscard]] std::vector<AdviceGroup> adviceGroups(const PlanPtr& plan, const AdvicePtr& advice, bool withoutGain);
/// What, why and what to write instead, as one text to copy.
[[nodiscard]] QString adviceText(const torchwright::Finding& finding);
/// What is beyond the listed rows, skipped and dropped; empty when nothing is.
[[nodiscard]] QString adviceRest(const AdvicePtr& advice);

/// The compile with the advice followed: another setting, another hint, or the rewritten graph.
[[nodiscard]] CompileRequest followed(CompileRequest request, const torchwright::AdviceReport& report,
                                      const torchwright::Finding& finding);
/// A setting or hint that follows it; nothing where the user's program is to be changed.
[[nodiscard]] std::optional<StreamProposal> adviceProposal(const torchwright::AdviceReport& report,
                                                           const torchwright::Finding& finding);

}  // namespace memplan::ui
