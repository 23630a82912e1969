// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/features/compare/sweep_controller.h"

#include "app/gui/features/export/command_line.h"
#include "app/gui/preferences/preferences.h"
#include "app/gui/targets/targets.h"
#include "app/gui/workspace/chart_pictures.h"
#include "app/gui/workspace/window_services.h"
#include "app/gui/workspace/workspace.h"
#include "engine/io/files.h"
#include "widgets/canvas/chart/chart.h"
#include "widgets/canvas/picture/picture_export.h"
#include "widgets/plan/units.h"
#include "widgets/tools/sweep/sweep_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QPointer>

#include <algorithm>
#include <array>

namespace memplan::app {

using ui::fromStd;

namespace {

const QString kHintFile = QStringLiteral("HINTS.json");  ///< in the copied command

struct MetricChoice {
    const char* title;
    bool isLowGood;
    const char* key;   ///< of the plan's metrics; empty: a figure of the cell itself
    const char* unit;  ///< "B", "%", "us" or ""
    double sweep::SweepCell::*figure;
};

constexpr std::array<MetricChoice, 7> kMetrics{
    {{"Off-chip traffic", true, "", "B", &sweep::SweepCell::traffic},
     {"Bytes on chip, all cores", false, "", "B", &sweep::SweepCell::onChipBytes},
     {"Peak", true, "", "B", &sweep::SweepCell::peak},
     {"Buffers on chip", false, "buffers_on_chip", "", nullptr},
     {"Worst fragmentation", true, "fragmentation_max", "%", nullptr},
     {"Core utilisation", false, "core_utilisation", "%", nullptr},
     {"Estimated time, ranks only", true, "estimated_microseconds", "us", nullptr}}};

std::optional<double> valueOf(const sweep::SweepCell& cell, const MetricChoice& metric) {
    if (!cell.isOk()) return std::nullopt;
    if (metric.figure != nullptr) return cell.*metric.figure;
    for (const auto& [key, json] : cell.metrics) {
        if (key != metric.key) continue;
        bool isNumber = false;
        const double value = QString::fromStdString(json).toDouble(&isNumber);
        return isNumber ? std::optional(value) : std::nullopt;
    }
    return std::nullopt;
}

QString exactText(double value, const QString& unit) {
    if (unit == u"%") return ui::percentText(value);
    if (unit == u"us") return QString::number(value, 'f', 1) + QStringLiteral("\u202f\u00b5s");
    const QString number = ui::groupedText(qRound64(value));
    return unit.isEmpty() ? number : number + QStringLiteral("\u202f") + unit;
}

/// Values to begin with: all words of a choice, powers of two of a count, steps of a fraction.
QString firstValues(const SettingInfo& info) {
    QStringList values;
    switch (info.type) {
    case SettingType::Bool:
        return QStringLiteral("false,true");
    case SettingType::Enum:
        for (const std::string_view word : info.allowed)
            values << fromStd(std::string(word));
        break;
    case SettingType::Int:
        for (double v = 1; v <= info.max && values.size() < 8; v *= 2)
            if (v >= info.min) values << QString::number(v, 'f', 0);
        break;
    case SettingType::Num:
        for (int i = 0; i <= 8; ++i)
            values << QString::number(info.min + (std::min(info.max, 0.4) - info.min) * i / 8, 'f', 2);
        break;
    default:
        break;
    }
    return values.join(QLatin1Char(','));
}

}  // namespace

SweepController::SweepController(DocumentController& controller, WindowServices& services, QWidget* window)
    : QObject(window), controller_(controller), services_(services), panel_(new ui::SweepPanel(window)) {
    services_.showTask(task_);
    const auto chart = [this] { return panel_->chart()->data(); };
    services_.views().addPictured(picturedChart({QStringLiteral("sweep"), tr("Sweep"), panel_->chart(), chart, false}));
    QStringList titles;
    for (const MetricChoice& m : kMetrics)
        titles << tr(m.title);
    panel_->setMetrics(titles);
    panel_->setOffered(tr("No document is open."));
    connect(panel_, &ui::SweepPanel::runRequested, this, &SweepController::run);
    connect(panel_, &ui::SweepPanel::cancelRequested, &task_, &BackgroundTask::cancel);
    connect(panel_, &ui::SweepPanel::metricChanged, this, &SweepController::showMatrix);
    connect(panel_, &ui::SweepPanel::csvRequested, this, &SweepController::saveCsv);
    connect(panel_, &ui::SweepPanel::pictureRequested, this, &SweepController::savePicture);
    connect(panel_, &ui::SweepPanel::commandRequested, this, &SweepController::copyCommand);
    connect(panel_, &ui::SweepPanel::cellChosen, this, &SweepController::makeCurrent);
    connect(&task_, &BackgroundTask::progress, this, [this](const QString&, double at, double total) {
        panel_->setStatus(tr("%1 of %2 cells").arg(at).arg(total));
    });
    connect(&task_, &BackgroundTask::cancelled, this, [this](double seconds) {
        ++generation_;
        panel_->setRunning(false);
        panel_->setStatus(tr("Cancelled after %1 s; finished cells stay").arg(seconds, 0, 'f', 1));
    });
    connect(&task_, &BackgroundTask::failed, this, [this] {
        ++generation_;
        panel_->setRunning(false);
        panel_->setStatus(tr("Failed; finished cells stay"), true);
    });
    connect(&controller_, &DocumentController::documentOpened, this, &SweepController::documentOpened);
    connect(&controller_, &DocumentController::documentClosed, this, [this] {
        task_.cancel();
        cells_.clear();
        panel_->setOffered(tr("No document is open."));
        panel_->setHasResult(false);
        panel_->setPictures({}, 0);
    });
    connect(&controller_.hub(), &ui::SelectionHub::planChanged, this, &SweepController::showMatrix);
}

void SweepController::documentOpened() {
    fitToTarget();
    connect(controller_.document(), &Document::targetChanged, this, &SweepController::fitToTarget);
}

/// The axes are settings of the machine that is planned for.
void SweepController::fitToTarget() {
    const Document& document = *controller_.document();
    task_.cancel();
    ++generation_;
    cells_.clear();
    panel_->setPictures({}, 0);
    panel_->setHasResult(false);
    const std::string prefix = std::string(document.target()) + ".";
    std::vector<ui::SweepKey> keys;
    for (const SettingInfo& info : allSettings()) {
        const bool isValue = info.type != SettingType::Text && info.type != SettingType::Path;
        if (!info.inUse || !isValue || info.key.substr(0, prefix.size()) != prefix) continue;
        keys.push_back({fromStd(std::string(info.key)), settingTitle(info.key), firstValues(info)});
    }
    const TargetUi& target = targetUi(document.target());
    panel_->setKeys(keys, keyText(target.trialCount.key), keyText(target.trialShare.key));
    panel_->setStatus(tr("nothing compiled yet"));
    panel_->setOffered(document.whyFixed());
}

void SweepController::run() {
    const Document* document = controller_.document();
    if (document == nullptr || !document->isPlanned()) return;
    sweep::SweepRequest request;
    request.base = document->request();
    request.hints = {document->graphHints().size(), document->hints().size()};
    request.threads = static_cast<int>(document->settings().integer("engine.threads"));
    request.keepPlans = controller_.documentSize() <= kKeptOps;
    for (const QString& text : panel_->axes()) {
        auto axis = sweep::parseAxis(text.toStdString());
        if (!axis) return panel_->setStatus(fromStd(axis.error().primary().message), true);
        request.axes.push_back(std::move(axis).value());
    }
    if (const auto ok = sweep::checkSweep(request); !ok) {
        const Diagnostic& d = ok.error().primary();
        return panel_->setStatus(
            fromStd(d.message) + (d.hint.empty() ? QString() : QStringLiteral("; ") + fromStd(d.hint)), true);
    }
    request_ = request;
    inputPath_ = fromStd(document->input().input.path);
    hintWords_ = machineOption(*document) + hintOptions(*document, kHintFile);
    cells_.assign(sweep::cellCount(request.axes), {});
    const quint64 mine = ++generation_;
    panel_->setRunning(true);
    panel_->setHasResult(false);
    showMatrix();
    task_.start(tr("sweep"), [this, mine, request](const RunControl& control) -> BackgroundTask::Finish {
        const QPointer<SweepController> self(this);  // outlives the task: its destructor joins
        auto cells = std::make_shared<Result<std::vector<sweep::SweepCell>>>(
            sweep::runSweep(request, control, [self, mine](std::size_t index, const sweep::SweepCell& cell) {
                QMetaObject::invokeMethod(
                    self, [self, mine, index, cell] { self->cellDone(mine, index, cell); }, Qt::QueuedConnection);
            }));
        return [this, cells] { ended(*cells); };
    });
}

void SweepController::cellDone(quint64 generation, std::size_t index, const sweep::SweepCell& cell) {
    if (generation != generation_ || index >= cells_.size()) return;
    cells_[index] = cell;
    showMatrix();
}

void SweepController::ended(const Result<std::vector<sweep::SweepCell>>& cells) {
    panel_->setRunning(false);
    if (!cells) return panel_->setStatus(fromStd(cells.error().primary().message), true);
    cells_ = cells.value();
    panel_->setHasResult(true);
    showMatrix();
    panel_->setStatus(summary());
}

QString SweepController::summary() const {
    const auto plans = std::count_if(cells_.begin(), cells_.end(), [](const sweep::SweepCell& c) { return c.isOk(); });
    const auto rings = ui::sharpOptima(panel_->matrix()->picture()).size();
    QString text = tr("%1 of %2 cells have a plan").arg(plans).arg(cells_.size());
    if (rings > 0) text += tr(", %1 ringed: over 10 % better than its neighbours").arg(rings);
    return text;
}

ui::SweepPicture SweepController::pictureOf(std::size_t metricIndex) const {
    const MetricChoice& metric = kMetrics[metricIndex];
    ui::SweepPicture picture;
    picture.metric = tr(metric.title);
    picture.isLowGood = metric.isLowGood;
    const auto texts = [](const sweep::Axis& axis) {
        QStringList list;
        for (const std::string& value : axis.values)
            list << fromStd(value);
        return list;
    };
    picture.columnKey = fromStd(request_.axes.back().key);
    picture.columns = texts(request_.axes.back());
    if (request_.axes.size() > 1) {
        picture.rowKey = fromStd(request_.axes.front().key);
        picture.rows = texts(request_.axes.front());
    }
    const PlanPtr& shown = controller_.hub().plan();
    for (std::size_t i = 0; i < cells_.size(); ++i) {
        const sweep::SweepCell& cell = cells_[i];
        ui::SweepPicture::Cell c;
        c.isDone = !cell.status.empty();
        c.value = valueOf(cell, metric);
        if (c.value) c.text = exactText(*c.value, QString::fromLatin1(metric.unit));
        c.status = fromStd(cell.status);
        c.message = fromStd(cell.message);
        if (shown && cell.isOk() && cell.inputHash == shown->inputHash) picture.current = static_cast<int>(i);
        picture.cells.push_back(std::move(c));
    }
    return picture;
}

void SweepController::showMatrix() {
    if (cells_.empty()) return;
    std::vector<ui::SweepPicture> pictures;
    for (std::size_t i = 0; i < kMetrics.size(); ++i)
        pictures.push_back(pictureOf(i));
    panel_->setPictures(pictures, static_cast<std::size_t>(std::max(0, panel_->metric())));
    if (!task_.isRunning()) panel_->setStatus(summary());
}

/// The values become settings in one step that can be undone; a plan that was kept is in the history before, so that
/// nothing is compiled again.
void SweepController::makeCurrent(int index) {
    Document* document = controller_.document();
    if (document == nullptr || index < 0 || index >= static_cast<int>(cells_.size())) return;
    const sweep::SweepCell& cell = cells_[static_cast<std::size_t>(index)];
    if (!cell.isOk()) return;
    const bool isStored = document->showStored(cell.inputHash);
    if (!isStored && cell.plan) document->addPlan(cell.plan);
    QStringList words;
    for (std::size_t i = 0; i < request_.axes.size(); ++i)
        words << QStringLiteral("%1 %2").arg(fromStd(request_.axes[i].key), fromStd(cell.values[i]));
    document->closeEdit();
    document->undoStack().beginMacro(tr("Sweep: %1").arg(words.join(QStringLiteral(", "))));
    for (std::size_t i = 0; i < request_.axes.size(); ++i)
        document->changeSetting(fromStd(request_.axes[i].key), fromStd(cell.values[i]));
    document->undoStack().endMacro();
    document->closeEdit();
    if (!isStored && !cell.plan && !controller_.automatic()) controller_.compileNow();
}

void SweepController::saveCsv() {
    if (cells_.empty() || controller_.document() == nullptr) return;
    const QString path = services_.askNewFile(
        tr("Save the sweep"), controller_.document()->name() + QStringLiteral("-sweep.csv"), tr("CSV table (*.csv)"));
    if (path.isEmpty()) return;
    const auto written = io::writeFileAtomically(path.toStdString(), sweep::sweepCsv(request_.axes, cells_));
    if (!written) panel_->setStatus(fromStd(written.error().primary().message), true);
}

void SweepController::savePicture() {
    if (cells_.empty() || controller_.document() == nullptr) return;
    const QString path =
        services_.askNewFile(tr("Save the picture"), controller_.document()->name() + QStringLiteral("-sweep.png"),
                             tr("PNG picture (*.png);;SVG drawing (*.svg);;PDF page (*.pdf)"));
    if (path.isEmpty()) return;
    ui::PictureRequest picture;
    picture.size = panel_->picture().pictureSize();
    picture.scale = path.endsWith(u".png", Qt::CaseInsensitive) ? 2 : 1;
    picture.title = true;
    const auto written = ui::exportPicture(panel_->picture(), picture, path);
    if (!written) panel_->setStatus(fromStd(written.error().primary().message), true);
}

void SweepController::copyCommand() {
    const Document* document = controller_.document();
    if (document == nullptr || cells_.empty()) return;
    QStringList words{QStringLiteral("memplan"), QStringLiteral("sweep"), shellWord(inputPath_)};
    for (const sweep::Axis& axis : request_.axes) {
        QStringList values;
        for (const std::string& value : axis.values)
            values << fromStd(value);
        words << QStringLiteral("--vary")
              << shellWord(fromStd(axis.key) + QLatin1Char('=') + values.join(QLatin1Char(',')));
    }
    for (const SettingInfo& info : allSettings()) {
        if (!request_.base.settings.isExplicit(info.key)) continue;
        words << QStringLiteral("--set")
              << shellWord(fromStd(std::string(info.key)) + QLatin1Char('=') +
                           fromStd(request_.base.settings.textOf(info.key)));
    }
    for (const auto& [key, value] : document->origin().bindings)
        words << QStringLiteral("--bind") << shellWord(fromStd(key) + QLatin1Char('=') + fromStd(value));
    const bool hasFile = hintWords_.contains(kHintFile);
    const QString end = hintWords_ + QStringLiteral(" --out SWEEP.csv");
    QApplication::clipboard()->setText(words.join(QLatin1Char(' ')) + end);
    panel_->setStatus(hasFile ? tr("Copied; HINTS.json is the exported hint file") : tr("Copied"));
}

}  // namespace memplan::app
