// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/features/stream/stream_controller.h"

#include "app/gui/workspace/chart_pictures.h"
#include "app/gui/workspace/window_services.h"
#include "app/gui/workspace/workspace.h"
#include "engine/io/files/files.h"
#include "widgets/canvas/chart/chart.h"
#include "widgets/canvas/pane/view_pane.h"
#include "widgets/canvas/picture/table_picture.h"
#include "widgets/plan/units.h"
#include "widgets/views/residual/residual_side.h"
#include "widgets/views/stream/advice_view.h"
#include "widgets/views/stream/annotation_view.h"
#include "widgets/views/stream/concurrency_view.h"
#include "widgets/views/stream/parameter_view.h"
#include "widgets/views/stream/path_view.h"
#include "widgets/views/stream/steps_view.h"

#include <QStandardItemModel>

#include <algorithm>

namespace memplan::app {

namespace {

/// The table with its rows, whatever the one on screen does meanwhile.
class AnnotationPicture final : public ui::PictureSource {
public:
    AnnotationPicture(std::unique_ptr<QStandardItemModel> rows, const QString& plan)
        : rows_(std::move(rows)), picture_(*rows_, ui::wholeTable(*rows_, {ui::AnnotationView::Name}),
                                           {StreamController::tr("Annotations"), plan, {}}) {}
    [[nodiscard]] QString viewName() const override { return picture_.viewName(); }
    [[nodiscard]] QString scopeText() const override { return picture_.scopeText(); }
    [[nodiscard]] QSize pictureSize() const override { return picture_.pictureSize(); }
    void paintPicture(QPainter& painter, QSize size, const ui::Theme& theme) const override {
        picture_.paintPicture(painter, size, theme);
    }

private:
    std::unique_ptr<QStandardItemModel> rows_;
    ui::TablePicture picture_;
};

}  // namespace

StreamController::StreamController(DocumentController& controller, WindowServices& services, QWidget* window)
    : QObject(window), controller_(controller), services_(services),
      advice_(new ui::AdviceView(&controller.hub(), window)),
      annotations_(new ui::AnnotationView(&controller.hub(), window)),
      paths_(new ui::PathView(&controller.hub(), window)),
      parameters_(new ui::ParameterView(&controller.hub(), window)),
      concurrency_(new ui::ConcurrencyView(&controller.hub(), window)),
      steps_(new ui::StepsView(&controller.hub(), window)) {
    const auto serve = [this](auto* view, BackgroundTask& task) {
        using View = std::remove_pointer_t<decltype(view)>;
        services_.showTask(task);
        connect(&controller_, &DocumentController::documentClosed, &task, &BackgroundTask::cancel);
        connect(view, &View::proposed, this, &StreamController::apply);
        connect(view, &View::jobRequested, this, [this, &task](const ui::StreamJob& job) { run(job, task); });
        if constexpr (requires { view->ended(); }) {
            connect(&task, &BackgroundTask::failed, view, &View::ended);
            connect(&task, &BackgroundTask::cancelled, view, &View::ended);
        }
    };
    serve(annotations_, counting_);
    serve(concurrency_, search_);
    serve(steps_, split_);
    serve(advice_, trials_);
    connect(annotations_, &ui::AnnotationView::planMade, this, &StreamController::compare);
    connect(advice_, &ui::AdviceView::planMade, this, &StreamController::compare);
    connect(advice_, &ui::AdviceView::saveRequested, this, &StreamController::save);
    connect(advice_, &ui::AdviceView::countChanged, this, [this] { services_.showDockCounts(); });
    connect(annotations_, &ui::AnnotationView::concurrencyRequested, this, [this](const QString& annotation) {
        services_.showDock(DockId::Concurrency);
        concurrency_->searchUnder(annotation);
    });
    if (auto* pane = services_.views().pane(QStringLiteral("residual")))
        if (auto* side = pane->findChild<ui::ResidualSide*>())
            connect(side, &ui::ResidualSide::sweepRequested, this, [this](qint64 join) {
                services_.showDock(DockId::Concurrency);
                concurrency_->searchInto(join);
            });
    addPictures();
}

void StreamController::addPictures() {
    Workspace& views = services_.views();
    PicturedView annotations;
    annotations.key = QStringLiteral("annotations");
    annotations.title = tr("Annotations");
    annotations.widget = annotations_;
    annotations.isThere = [this] { return annotations_->count() > 0; };
    annotations.picture = [this, &views](const ui::RenderOptions&) -> std::unique_ptr<ui::PictureSource> {
        return std::make_unique<AnnotationPicture>(annotations_->table()->flat(), views.planName());
    };
    annotations.csv = [this] { return annotations_->table()->csv(); };
    annotations.looksAsOpened = [] { return true; };
    views.addPictured(std::move(annotations));
    const auto chart = [&](const char* key, ui::Chart* of, bool isOfPlan) {
        views.addPictured(
            picturedChart({QString::fromLatin1(key), of->data().name, of,
                           [of] { return of->data().hasFigures() ? of->data() : ui::ChartData(); }, isOfPlan},
                          views));
    };
    chart("tiers", parameters_->tiers(), true);
    chart("occupancy", parameters_->occupancy(), true);
    chart("bindings", paths_->bindings(), true);
    chart("concurrency", concurrency_->chart(), false);
}

void StreamController::run(const ui::StreamJob& job, BackgroundTask& task) {
    const Document* document = controller_.document();
    if (task.isRunning()) task.cancel();
    // What is asked about a plan file follows from its plan alone.
    const bool hasRequest = document != nullptr && document->isPlanned();
    const CompileRequest request = hasRequest ? document->request() : CompileRequest();
    task.start(job.title, [work = job.work, request](const RunControl& control) { return work(request, control); });
}

void StreamController::save(const QString& name, const QByteArray& graph) {
    const Document* document = controller_.document();
    if (document == nullptr) return;
    const QString path = services_.askNewFile(
        tr("Save the rewritten graph"), document->name() + u'-' + name + QStringLiteral(".json"), tr("Graph (*.json)"));
    if (path.isEmpty()) return;
    const auto written = io::writeFileAtomically(path.toStdString(), graph.toStdString());
    services_.message(written ? tr("Saved %1").arg(path) : ui::fromStd(written.error().primary().message));
}

void StreamController::apply(const ui::StreamProposal& proposal) {
    Document* document = controller_.document();
    if (document == nullptr) return;
    if (!document->isPlanned()) return services_.message(document->whyFixed());
    document->closeEdit();
    if (proposal.isHint())
        applyHint(*document, proposal);
    else
        document->changeSetting(proposal.setting, proposal.value);
    document->closeEdit();
    services_.message(tr("Applied: %1").arg(proposal.title));
}

/// A hint of the same kind and subject gets the new value.
void StreamController::applyHint(Document& document, const ui::StreamProposal& proposal) {
    const auto value = HintValue::parse(proposal.json.toStdString());
    if (!value) return;
    Hint hint;
    hint.target = std::string(document.target());
    hint.scopes = {proposal.scope.toStdString()};
    hint.key = proposal.hintKey.toStdString();
    hint.value = *value;
    std::vector<Hint> hints = document.hints();
    const auto there = std::ranges::find_if(
        hints, [&](const Hint& h) { return h.enabled && h.scopes == hint.scopes && h.key == hint.key; });
    if (there == hints.end())
        hints.push_back(hint);
    else
        there->value = hint.value;
    document.setHints(proposal.title, std::move(hints));
}

/// Into the history, and beside the plan on screen, which stays the current one.
void StreamController::compare(const PlanPtr& plan, const QString& label) {
    Document* document = controller_.document();
    if (document == nullptr || document->current() == nullptr) return;
    const auto indexOf = [&] {
        const auto& plans = document->plans();
        const auto at = std::ranges::find_if(
            plans, [&](const PlanEntry& entry) { return entry.plan->inputHash == plan->inputHash; });
        return at == plans.end() ? -1 : static_cast<int>(at - plans.begin());
    };
    if (indexOf() < 0) {
        const PlanPtr before = document->current()->plan;
        document->addPlan(plan, label);
        const auto& plans = document->plans();
        const auto at = std::ranges::find(plans, before, &PlanEntry::plan);
        document->setCurrent(static_cast<int>(at - plans.begin()));
    }
    emit compareRequested(indexOf());
}

}  // namespace memplan::app
