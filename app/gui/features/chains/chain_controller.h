// SPDX-License-Identifier: GPL-3.0-or-later
// What the view of L1 chains asks the engine about the plan on screen (user-experience 8.7 to 8.9): suggestions are
// compiled in the background before they are offered, parts of the policy one by one when asked for, other memory for
// the selected operation at once. Nothing of it is part of a plan.
#pragma once

#include "app/gui/document/document_controller.h"
#include "app/gui/features/chains/chain_rows.h"
#include "app/gui/tasks/background_task.h"

#include <QObject>
#include <QTimer>

#include <map>

namespace memplan::ui {
class ChainSide;
}  // namespace memplan::ui

namespace memplan::app {

class FixController;
class WindowServices;

class ChainController final : public QObject {
    Q_OBJECT
public:
    ChainController(DocumentController& controller, WindowServices& services, FixController& fixes, QObject* parent);
    /// Nothing is being tried or about to be.
    [[nodiscard]] bool isSettled() const;
    /// Of the plan on screen; null before they are there.
    [[nodiscard]] const ttnn::TrialReport* report() const;

private:
    void planChanged();
    [[nodiscard]] const TtnnData* shownData() const;
    [[nodiscard]] QString whyNotNow() const;
    void startTrials();
    void showAdvice();
    void takeOffer(int offer);
    void startParts();
    void showParts();
    void takePart(int row);
    void weigh(OpId op);
    void takeMemory(int row);
    void copyOverrides();
    void saveModule();

    DocumentController& controller_;
    WindowServices& services_;
    FixController& fixes_;
    ui::ChainSide* side_ = nullptr;
    BackgroundTask trials_{this}, parts_{this}, weighing_{this};
    QTimer wait_;
    QString progress_;
    QString trialError_, partError_;                                ///< of what was tried last on the plan on screen
    std::map<std::string, ttnn::TrialReport> reports_;              ///< by plan hash
    std::map<std::string, std::vector<ttnn::PartStep>> partSteps_;  ///< by plan hash
    std::vector<ttnn::PartStep> carried_;  ///< to the plan of a step that is being made current
    OfferRows offers_;
    std::vector<ttnn::TradeOffRow> memories_;
};

}  // namespace memplan::app
