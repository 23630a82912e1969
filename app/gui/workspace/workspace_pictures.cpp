// SPDX-License-Identifier: GPL-3.0-or-later
// Views that are pictured without a canvas, and which view is in front (user-experience 17.1).
#include "app/gui/workspace/chart_pictures.h"
#include "app/gui/workspace/workspace.h"
#include "widgets/canvas/graphic_view.h"
#include "widgets/plan/models/plan_models.h"
#include "widgets/plan/models/table_text.h"
#include "widgets/plan/selection_hub.h"
#include "widgets/views/gantt/gantt_view.h"
#include "widgets/views/gantt/metrics_panel.h"
#include "widgets/views/passes/passes_view.h"
#include "widgets/views/problems/problems_view.h"

#include <QTableView>

#include <algorithm>

namespace memplan::app {

void Workspace::addPictured(PicturedView view) {
    pictured_.push_back(std::move(view));
}

const PicturedView* Workspace::pictured(const QString& key) const {
    const auto found = std::ranges::find(pictured_, key, &PicturedView::key);
    return found == pictured_.end() ? nullptr : &*found;
}

QString Workspace::keyInFront() const {
    const PicturedView* view = pictured(focusedPicture_);
    const bool isSeen = view != nullptr && view->widget != nullptr && view->widget->isVisible() && view->isThere();
    return isSeen ? view->key : focusedView()->viewKey();
}

void Workspace::addOwnPictures(ui::SelectionHub* hub) {
    ui::PassesView* passes = this->passes();
    const QTableView* list = passes->list();
    PicturedView timeline;
    timeline.key = QStringLiteral("passes");
    timeline.title = tr("Passes");
    timeline.widget = passes;
    timeline.isThere = [hub] { return hub->plan() && !hub->plan()->passes.empty(); };
    timeline.picture = [passes](const ui::RenderOptions& render) { return passes->picture(render); };
    // Times are others in each run, and the same plan gives the same bytes (17.4).
    timeline.csv = [list] { return ui::tableToCsv(ui::unfiltered(*list->model()), {ui::PassModel::Milliseconds}); };
    timeline.looksAsOpened = [passes] { return passes->looksAsOpened(); };
    addPictured(std::move(timeline));

    PicturedView problems;
    problems.key = QStringLiteral("problems");
    problems.title = tr("Problems");
    problems.widget = problems_;
    problems.isThere = [hub] { return hub->plan() != nullptr; };
    problems.picture = [this](const ui::RenderOptions& render) { return problems_->picture(render, planName_); };
    problems.csv = [this] { return ui::tableToCsv(*problems_->model()); };
    problems.looksAsOpened = [] { return true; };
    addPictured(std::move(problems));

    const auto* gantt = qobject_cast<const ui::GanttView*>(view(QStringLiteral("gantt")));
    const auto sizes = [gantt] { return ui::sizeChart(ui::sizeHistogram(*gantt->ganttData(), std::nullopt), -1); };
    addPictured(picturedChart({QStringLiteral("sizes"), tr("Size histogram"), nullptr, sizes, true}, *this));
}

}  // namespace memplan::app
