// SPDX-License-Identifier: GPL-3.0-or-later
// Trial plans (UX 13.1, 13.2): compiled with other cores, another LX reserve, solver or capacity rule, with or without
// a hint; drawn with the document's plan as outlines, gone on Escape unless they are applied or kept.
#pragma once

#include "app/gui/document/document_controller.h"
#include "app/gui/tasks/background_task.h"
#include "widgets/tools/whatif/whatif_panel.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <optional>

namespace memplan::ui {
class Strip;
}

namespace memplan::app {

class WindowServices;
class Workspace;

class WhatIfController final : public QObject {
    Q_OBJECT
public:
    static constexpr int kDebounceMs = 100;              ///< with the compile within 150 ms of the last movement
    static constexpr std::size_t kWhileMovingOps = 500;  ///< larger graphs wait for the release

    /// Its strip stands on `page`; Escape in `window` ends the trial.
    WhatIfController(DocumentController& controller, WindowServices& services, QWidget* page, QWidget* window);
    [[nodiscard]] ui::WhatIfPanel* panel() const { return panel_; }
    [[nodiscard]] ui::Strip* strip() const { return strip_; }  ///< says what is tried; the window gives it its place
    [[nodiscard]] bool isOn() const { return plan_ != nullptr; }
    /// Compiles the request and shows its plan over the current one; `apply` makes it the document's. `text` says what
    /// it changes ("Pin y on chip").
    void tryOut(const CompileRequest& request, const QString& text, const std::function<void()>& apply);
    void leave();  ///< the document's own plan is back on screen
    void apply();
    void keep();

signals:
    void shown();  ///< a trial is on screen

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void valuesChanged(bool isSettled);
    /// What a trial changes, and how that becomes the document's own.
    struct Trial {
        QString text;
        std::function<void()> apply;
    };
    void followPreset(const Document& document);
    void start();
    void run(const CompileRequest& request, const Trial& trial);
    void show(const PlanPtr& plan, const Trial& trial);
    void showStrip(const QString& base);
    void applyValues(const ui::WhatIfValues& values);
    void forget();  ///< without touching the views
    void showBase();
    [[nodiscard]] ui::WhatIfValues ownValues() const;

    DocumentController& controller_;
    Workspace& workspace_;
    ui::WhatIfPanel* panel_;
    ui::Strip* strip_;
    BackgroundTask task_{this};
    bool isForgetting_ = false;
    QTimer debounce_;
    PlanPtr plan_;
    Trial trial_;     ///< of plan_
    QString preset_;  ///< that the panel's choices follow
};

}  // namespace memplan::app
