// SPDX-License-Identifier: GPL-3.0-or-later
// What would bring a refused buffer on chip (UX 15.3, design-system 6.6): hints and settings that fit the reason, each
// tried on a copy of the document's input. Only what was seen to work is offered, with its effect in numbers.
#pragma once

#include "background_task.h"
#include "common/cure_card.h"
#include "pipeline/compile.h"

#include <QObject>

#include <functional>
#include <vector>

namespace memplan::app {

/// One thing to try: hints to add, or one setting.
struct CureAttempt {
    QString title;
    std::vector<Hint> hints;
    QString settingKey, settingValue;  ///< empty key: hints only
};

struct TriedCure {
    CureAttempt attempt;
    PlanPtr plan;  ///< with the attempt in force
};

/// What fits the reason of a buffer, at most eight, the mildest first. Nothing for what cannot be cured.
[[nodiscard]] std::vector<CureAttempt> cureAttempts(const Plan& plan, BufferId refused);
/// The request as it would be with the attempt.
[[nodiscard]] CompileRequest withAttempt(CompileRequest request, const CureAttempt& attempt);
/// Compiles the attempts one after the other; those with the buffer on chip and no more traffic than before, best
/// first. Stops when the control says so.
[[nodiscard]] std::vector<TriedCure> tryCures(const CompileRequest& request, const Plan& before, BufferId refused,
                                              const std::vector<CureAttempt>& attempts, const RunControl& control);
/// The card of a cure: what it does in numbers against `before`.
[[nodiscard]] ui::Cure cureCard(const TriedCure& cure, const Plan& before);

/// Runs tryCures() off the window thread, one search at a time.
class CureFinder final : public QObject {
    Q_OBJECT
public:
    explicit CureFinder(QObject* parent = nullptr);
    using Answer = std::function<void(std::vector<TriedCure> cures, int tried)>;
    void search(const CompileRequest& request, const PlanPtr& plan, BufferId refused, Answer answer);
    void cancel() { task_.cancel(); }
    [[nodiscard]] bool isSearching() const { return task_.isRunning(); }

private:
    BackgroundTask task_;
};

}  // namespace memplan::app
