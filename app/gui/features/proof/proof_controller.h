// SPDX-License-Identifier: GPL-3.0-or-later
// Runs plans in the background and says of the plan on screen whether it is proved: the badge of the status bar and
// the findings in Problems (proof-and-search A12, A14, A15).
#pragma once

#include "app/gui/document/document_controller.h"
#include "app/gui/features/proof/proof_badge.h"
#include "app/gui/tasks/background_task.h"
#include "engine/sim/outcome.h"

#include <QDateTime>
#include <QObject>

#include <map>
#include <memory>
#include <optional>

namespace memplan::app {

class WindowServices;
class Workspace;

/// What a run found of one plan. A plan never changes: what was found once holds.
struct Proof {
    sim::Outcome outcome;
    QDateTime at;
    bool wasRun = false;  ///< else static findings or a missing record decide
};

/// Bytes that a run of the plan moves, estimated from its traffic and its on-chip buffers.
[[nodiscard]] double estimatedBytesMoved(const Plan& plan);
/// Runs the plan, to be called on any thread; nothing when it was cancelled.
[[nodiscard]] std::optional<Proof> proofOf(const Plan& plan, bool isFile, const RunControl& control);
/// The faults with links to ops and buffers of the plan; what a run left unproved is VER-025.
[[nodiscard]] std::vector<Diagnostic> proofFindings(const Plan& plan, const Proof& proof);

class ProofController final : public QObject {
    Q_OBJECT
public:
    static constexpr double kAutomaticBytes = 1e8;  ///< above this only on command (A15)

    ProofController(DocumentController& controller, WindowServices& services, QObject* parent);
    /// Proves the plan on screen, whatever `sim.auto` says; nothing where it is running or known.
    void prove();
    [[nodiscard]] const Proof* shown() const;  ///< of the plan on screen; null: not executed
    [[nodiscard]] bool isRunning() const { return proving_.isRunning(); }

signals:
    void problemsChanged();
    void badgeChanged(const memplan::app::ProofBadge& badge);

private:
    [[nodiscard]] PlanPtr plan() const;
    void planChanged();
    void start(const PlanPtr& plan);
    void show();
    [[nodiscard]] ProofBadge badge() const;

    DocumentController& controller_;
    Workspace& workspace_;
    std::map<std::weak_ptr<const Plan>, Proof, std::owner_less<>> proofs_;
    std::weak_ptr<const Plan> running_;
    BackgroundTask proving_{this};  ///< last: its end joins the worker
};

}  // namespace memplan::app
