// SPDX-License-Identifier: GPL-3.0-or-later
// Ties the panels on the residual stream to the open document (UX 9.7 to 9.11): their jobs run in the background, their
// proposals become settings and hints that can be undone.
#pragma once

#include "app/gui/document/document_controller.h"
#include "app/gui/tasks/background_task.h"
#include "widgets/views/stream/data/stream_request.h"

#include <QObject>

namespace memplan::ui {
class AdviceView;
class AnnotationView;
class ConcurrencyView;
class ParameterView;
class PathView;
class StepsView;
}  // namespace memplan::ui

namespace memplan::app {

class WindowServices;

class StreamController final : public QObject {
    Q_OBJECT
public:
    StreamController(DocumentController& controller, WindowServices& services, QWidget* window);
    [[nodiscard]] ui::AdviceView* advice() const { return advice_; }
    [[nodiscard]] ui::AnnotationView* annotations() const { return annotations_; }
    [[nodiscard]] ui::PathView* paths() const { return paths_; }
    [[nodiscard]] ui::ParameterView* parameters() const { return parameters_; }
    [[nodiscard]] ui::ConcurrencyView* concurrency() const { return concurrency_; }
    [[nodiscard]] ui::StepsView* steps() const { return steps_; }

    /// One job of a panel at a time: a new one takes the place of what runs.
    void run(const ui::StreamJob& job, BackgroundTask& task);
    void apply(const ui::StreamProposal& proposal);

signals:
    void compareRequested(int plan);  ///< with the current one; index in the history

private:
    void addPictures();
    void applyHint(Document& document, const ui::StreamProposal& proposal);
    void compare(const PlanPtr& plan, const QString& label);
    void save(const QString& name, const QByteArray& graph);

    DocumentController& controller_;
    WindowServices& services_;
    ui::AdviceView* advice_;
    ui::AnnotationView* annotations_;
    ui::PathView* paths_;
    ui::ParameterView* parameters_;
    ui::ConcurrencyView* concurrency_;
    ui::StepsView* steps_;
    BackgroundTask counting_{this}, search_{this}, split_{this}, trials_{this};  ///< of a panel each
};

}  // namespace memplan::app
