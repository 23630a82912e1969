// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/window_features.h"

#include "app/gui/features/chains/chain_controller.h"
#include "app/gui/features/compare/compare_controller.h"
#include "app/gui/features/compare/compare_pair.h"
#include "app/gui/features/compare/sweep_controller.h"
#include "app/gui/features/compare/whatif_controller.h"
#include "app/gui/features/export/export_controller.h"
#include "app/gui/features/export/export_source.h"
#include "app/gui/features/fixes/fix_controller.h"
#include "app/gui/features/hints/hint_controller.h"
#include "app/gui/features/notes/log_view.h"
#include "app/gui/features/notes/notes_controller.h"
#include "app/gui/features/proof/proof_controller.h"
#include "app/gui/features/records/records_controller.h"
#include "app/gui/features/solver/solver_controller.h"
#include "app/gui/features/stream/stream_controller.h"
#include "app/gui/window/docks/docks.h"
#include "app/gui/window/docks/perspectives.h"
#include "app/gui/workspace/review_docks.h"
#include "app/gui/workspace/window_services.h"
#include "app/gui/workspace/workspace.h"
#include "widgets/kit/controls/scroll_width.h"
#include "widgets/kit/controls/wheel_pass.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/tools/compare/changes_view.h"
#include "widgets/tools/solver/solver_panel.h"
#include "widgets/tools/sweep/sweep_panel.h"
#include "widgets/tools/whatif/whatif_panel.h"
#include "widgets/views/inspector/inspector_view.h"
#include "widgets/views/outline/outline.h"
#include "widgets/views/records/side_view.h"
#include "widgets/views/stream/advice_view.h"
#include "widgets/views/stream/annotation_view.h"
#include "widgets/views/stream/concurrency_view.h"
#include "widgets/views/stream/parameter_view.h"
#include "widgets/views/stream/path_view.h"
#include "widgets/views/stream/steps_view.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QScrollArea>
#include <QUndoView>

namespace memplan::app {

namespace {

/// With large text a panel is higher than its dock: it is scrolled and does not make the window higher.
QWidget* scrolled(QWidget* panel, QWidget* parent) {
    auto* area = new QScrollArea(parent);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setWidget(panel);
    ui::passWheelTo(area);
    ui::keepAsWideAsPage(area);
    return area;
}

QWidget* makeUndoView(DocumentController& controller, QWidget* parent) {
    auto* undo = new QUndoView(parent);
    undo->setEmptyLabel(WindowFeatures::tr("As opened"));
    undo->setCleanIcon(ui::icon(QStringLiteral("save")));  // the state that is on disk (UX 11.4)
    undo->setObjectName(QStringLiteral("undoView"));
    undo->setAccessibleName(WindowFeatures::tr("Undo history"));
    QObject::connect(&controller, &DocumentController::documentOpened, undo,
                     [&controller, undo] { undo->setStack(&controller.document()->undoStack()); });
    QObject::connect(&controller, &DocumentController::documentClosed, undo, [undo] { undo->setStack(nullptr); });
    return undo;
}

}  // namespace

WindowFeatures::WindowFeatures(const Parts& parts, QMainWindow* window)
    : QObject(window), parts_(parts), views_(parts.services.views()),
      notes_(new NotesController(parts.controller, parts.services, window)),
      solver_(new SolverController(parts.controller, parts.services, window)),
      compare_(new CompareController(parts.controller, parts.services, parts.page, this)),
      whatIf_(new WhatIfController(parts.controller, parts.services, parts.page, window)),
      sweep_(new SweepController(parts.controller, parts.services, window)),
      stream_(new StreamController(parts.controller, parts.services, window)),
      records_(new RecordsController(parts.controller, parts.services, window)),
      proof_(new ProofController(parts.controller, parts.services, this)),
      hints_(new HintController(parts.controller, parts.services, this)),
      exports_(new ExportController(parts.controller, parts.services, window)) {
    buildDocks(window);
    chains_ = new ChainController(parts.controller, parts.services, hints_->fixes(), this);  // needs all docks
    connectCompare();
    connectRecords();
    connect(&hints_->fixes(), &FixController::previewRequested, whatIf_, &WhatIfController::tryOut);
}

void WindowFeatures::buildDocks(QMainWindow* window) {
    Docks& docks = parts_.docks;
    auto* outline = new ui::Outline(window);
    outline->setHub(&parts_.controller.hub());
    docks.add(DockId::Outline, outline);
    docks.add(DockId::Inspector, views_.inspector());
    connect(views_.inspectorView(), &ui::InspectorView::scopeChanged, &docks,
            [&docks](const QString& scope) { docks.setScope(DockId::Inspector, scope); });
    for (const Workspace::Table& table : views_.tables())
        docks.add(table.dock, table.widget, table.count);
    docks.add(DockId::UserNotes, notes_->view(), [this] { return notes_->view()->count(); });
    docks.add(DockId::Undo, makeUndoView(parts_.controller, window));
    docks.add(DockId::Solver, solver_->panel());
    docks.add(DockId::Compare, compare_->changes());
    docks.add(DockId::WhatIf, scrolled(whatIf_->panel(), window));
    docks.add(DockId::Sweep, scrolled(sweep_->panel(), window));
    docks.add(DockId::Side, records_->view(), [this] { return records_->view()->count(); });
    docks.add(DockId::Log, new LogView(window));
    buildReview(window);
    buildStream();
    docks.showAsBuilt();
}

/// Shown for plans of the machine that owns them.
void WindowFeatures::buildStream() {
    Docks& docks = parts_.docks;
    docks.add(DockId::Annotations, stream_->annotations(), [this] { return stream_->annotations()->count(); });
    docks.add(DockId::Paths, stream_->paths());
    docks.add(DockId::Parameters, stream_->parameters());
    docks.add(DockId::Concurrency, stream_->concurrency());
    docks.add(DockId::Steps, stream_->steps());
    docks.add(DockId::Advice, stream_->advice(), [this] { return stream_->advice()->count(); });
}

void WindowFeatures::buildReview(QMainWindow* window) {
    auto* review = new ReviewDocks(&parts_.controller.hub(), window);
    QDockWidget* matrix = parts_.docks.add(DockId::Matrix, review->matrix());
    QDockWidget* edges = parts_.docks.add(DockId::Edges, review->edges());
    window->splitDockWidget(matrix, edges, Qt::Horizontal);
    review->setDocks(matrix, edges);
    connect(&views_, &Workspace::unitsChanged, review, &ReviewDocks::setUnits);
}

void WindowFeatures::connectCompare() {
    Docks& docks = parts_.docks;
    connect(compare_, &CompareController::onChanged, this, &WindowFeatures::showChanges);
    connect(compare_, &CompareController::comparisonChanged, &docks,
            [&docks](int changesFound) { docks.setCount(DockId::Compare, changesFound); });
    connect(&parts_.perspectives, &Perspectives::currentChanged, compare_, [this] {
        if (!compare_->isOn()) return;
        compare_->rearrange();
        showChanges(true);
    });
    connect(whatIf_, &WhatIfController::shown, compare_, &CompareController::end);
    connect(compare_, &CompareController::onChanged, whatIf_, [this](bool on) {
        if (on) whatIf_->leave();
    });
    connect(solver_, &SolverController::compareRequested, &compare_->pair(), &ComparePair::compareCurrentWith);
    connect(stream_, &StreamController::compareRequested, &compare_->pair(), &ComparePair::compareCurrentWith);
    connect(compare_, &CompareController::onChanged, exports_, &ExportController::shownChanged);
    connect(compare_, &CompareController::comparisonChanged, exports_, &ExportController::shownChanged);
    connect(&views_, &Workspace::exportRequested, exports_, [this] { exports_->show(ExportWhat::CurrentView); });
}

/// The changes between two plans; in front of the other tabs where a perspective is not made of one of these.
void WindowFeatures::showChanges(bool on) {
    parts_.docks.makeRoomToCompare(on);
    parts_.docks.dock(DockId::Compare)->setVisible(on);
    if (on && !views_.isHidden()) parts_.docks.raise(DockId::Compare);
}

/// What the original compiler recorded of the same kernels. The dock shows up when there is some.
void WindowFeatures::connectRecords() {
    connect(records_, &RecordsController::attached, this, [this] { parts_.docks.show(DockId::Side); });
    connect(records_, &RecordsController::problemsChanged, this, [this] {
        // Once: a tab that was closed stays closed when the plan changes.
        if (sources_ == 0) offerRecords();
        sources_ = records_->view()->count();
    });
    connect(&parts_.perspectives, &Perspectives::currentChanged, this, &WindowFeatures::offerRecords);
}

/// Explore has a tab for records while there are some.
void WindowFeatures::offerRecords() {
    if (parts_.perspectives.current() == 0 && records_->view()->count() > 0) parts_.docks.dock(DockId::Side)->show();
}

}  // namespace memplan::app
