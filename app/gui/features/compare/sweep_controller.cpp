// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/features/compare/sweep_controller.h"

#include "app/gui/features/export/command_line.h"
#include "app/gui/preferences/preferences.h"
#include "app/gui/targets/targets.h"
#include "app/gui/workspace/chart_pictures.h"
#include "app/gui/workspace/window_services.h"
#include "app/gui/workspace/workspace.h"
#include "engine/base/figures.h"
#include "engine/io/files/files.h"
#include "engine/target/own_figures.h"
#include "widgets/canvas/chart/chart.h"
#include "widgets/canvas/picture/picture_export.h"
#include "widgets/plan/units.h"

#include <QApplication>
#include <QClipboard>
#include <QCoreApplication>

#include <algorithm>

namespace memplan::app {

using ui::fromStd;

namespace {

constexpr std::int64_t kWide = 128;                      ///< from here on a count is not begun at one
const QString kHintFile = QStringLiteral("HINTS.json");  ///< in the copied command

struct MetricChoice {
    QString title;
    bool isLowGood = true;
    QString key;   ///< of the plan's metrics; empty: a figure of the cell itself
    QString unit;  ///< "B", "%", "us" or ""
    double sweep::SweepCell::*figure = nullptr;
};

QString unitText(FigureUnit unit) {
    switch (unit) {
    case FigureUnit::ByteCount:
        return QStringLiteral("B");
    case FigureUnit::Share:
        return QStringLiteral("%");
    case FigureUnit::Count:
        break;
    }
    return {};
}

/// Those of buffers on chip, where plans are judged by them, and those of the machine alone that have a good end.
std::vector<MetricChoice> metricsOf(const std::string& id) {
    const auto tr = [](const char* text) { return SweepController::tr(text); };
    const QString bytes = QStringLiteral("B"), share = QStringLiteral("%"), none;
    std::vector<MetricChoice> metrics;
    if (isJudgedByBytes(id))
        metrics = {
            {tr("Off-chip traffic"), true, none, bytes, &sweep::SweepCell::traffic},
            {tr("Bytes on chip, all cores"), false, none, bytes, &sweep::SweepCell::onChipBytes},
            {tr("Peak"), true, none, bytes, &sweep::SweepCell::peak},
            {tr("Buffers on chip"), false, QStringLiteral("buffers_on_chip"), none},
            {tr("Worst fragmentation"), true, QStringLiteral("fragmentation_max"), share},
            {tr("Core utilisation"), false, QStringLiteral("core_utilisation"), share},
            {tr("Estimated time, ranks only"), true, QStringLiteral("estimated_microseconds"), QStringLiteral("us")}};
    const Target* target = findTarget(id);
    if (target == nullptr) return metrics;
    for (const FigureInfo& figure : target->figures()) {
        if (figure.goal == FigureGoal::Neither) continue;
        metrics.push_back({fromStd(std::string(figure.title)), figure.goal != FigureGoal::High,
                           fromStd(std::string(figure.key)), unitText(figure.unit)});
    }
    return metrics;
}

std::optional<double> valueOf(const sweep::SweepCell& cell, const MetricChoice& metric) {
    if (!cell.isOk()) return std::nullopt;
    if (metric.figure != nullptr) return cell.*metric.figure;
    for (const auto& [key, json] : cell.metrics) {
        if (key != metric.key.toStdString()) continue;
        bool isNumber = false;
        const double value = QString::fromStdString(json).toDouble(&isNumber);
        return isNumber ? std::optional(value) : std::nullopt;
    }
    return std::nullopt;
}

QString exactText(double value, const QString& unit) {
    if (unit == u"%") return ui::percentText(value);
    if (unit == u"us") return fromStd(text::groupedFixed(value, 1)) + QStringLiteral("\u202f\u00b5s");
    const QString number = ui::groupedText(qRound64(value));
    return unit.isEmpty() ? number : number + QStringLiteral("\u202f") + unit;
}

/// Around the value in force: what is as wide as a machine says nothing at one or two.
QString valuesAround(std::int64_t now, std::int64_t step) {
    QStringList values;
    for (const int quarters : {2, 3, 4, 5, 6, 8}) {
        const QString text = QString::number(std::max<std::int64_t>(1, now * quarters / 4 / step) * step);
        if (!values.contains(text)) values << text;
    }
    return values.join(QLatin1Char(','));
}

/// Steps from the least value on, as long as the usual one is among them; else up to a step above that.
QStringList fractions(const SettingInfo& info) {
    constexpr int kSteps = 8;
    constexpr double kStep = 0.05;
    const double span = std::min(info.max - info.min, kSteps * kStep), step = span / kSteps;
    const double usual = fromStd(std::string(info.defaultValue)).toDouble();
    const double from = usual <= info.min + span ? info.min : std::min(usual + step, info.max) - span;
    QStringList values;
    for (int i = 0; i <= kSteps; ++i)
        values << QString::number(from + step * i, 'f', 2);
    return values;
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
        values = fractions(info);
        break;
    default:
        break;
    }
    return values.join(QLatin1Char(','));
}

/// Whole numbers in the user's hints can be varied: the value, or a member of it.
std::vector<ui::SweepKey> hintKeys(const Document& document) {
    std::vector<ui::SweepKey> keys;
    const std::vector<Hint>& hints = document.hints();
    for (std::size_t i = 0; i < hints.size(); ++i) {
        if (!hints[i].enabled || hints[i].scopes.empty()) continue;
        const QString key = QStringLiteral("hint:%1").arg(i);
        const QString title = fromStd(hints[i].key) + QLatin1Char(' ') + fromStd(hints[i].scopes.front());
        const QString counts = QStringLiteral("1,2,3,4,6,8,12,16");
        if (hints[i].value.integer() != nullptr) keys.push_back({key, title, counts});
        const io::JsonValue& value = hints[i].value.tree();
        for (std::size_t m = 0; m < value.keys.size(); ++m) {
            if (!value.items[m].is(io::JsonType::Integer)) continue;
            const QString member = fromStd(value.keys[m]);
            keys.push_back(
                {key + QLatin1Char('.') + member, SweepController::tr("%1 of %2").arg(member, title), counts});
        }
    }
    return keys;
}

}  // namespace

SweepController::SweepController(DocumentController& controller, WindowServices& services, QWidget* window)
    : QObject(window), controller_(controller), services_(services), panel_(new ui::SweepPanel(window)) {
    services_.showTask(task_);
    const auto chart = [this] { return panel_->chart()->data(); };
    Workspace& views = services_.views();
    views.addPictured(picturedChart({QStringLiteral("sweep"), tr("Sweep"), panel_->chart(), chart, false}, views));
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
    connect(controller_.document(), &Document::hintsChanged, this, &SweepController::showHintKeys);
}

/// The axes and figures are those of the machine that is planned for.
void SweepController::fitToTarget() {
    const Document& document = *controller_.document();
    task_.cancel();
    ++generation_;
    cells_.clear();
    panel_->setPictures({}, 0);
    panel_->setHasResult(false);
    QStringList titles;
    for (const MetricChoice& m : metricsOf(std::string(document.target())))
        titles << m.title;
    panel_->setMetrics(titles);
    showKeys();
    panel_->setStatus(tr("nothing compiled yet"));
    panel_->setOffered(document.whyFixed());
}

void SweepController::showKeys() {
    const Document& document = *controller_.document();
    const TargetUi& target = targetUi(document.target());
    const std::string prefix = std::string(document.target()) + ".";
    std::vector<ui::SweepKey> keys;
    for (const SettingInfo& info : allSettings()) {
        const bool isValue = info.type != SettingType::Text && info.type != SettingType::Path;
        if (!info.inUse || !isValue || info.key.substr(0, prefix.size()) != prefix) continue;
        keys.push_back({fromStd(std::string(info.key)), settingTitle(info.key), firstValues(info)});
        const std::int64_t now = info.type == SettingType::Int ? document.settings().integer(info.key) : 0;
        if (now < kWide) continue;
        const bool isStepped = info.key == target.trialCount.key && !target.trialCountStep.empty();
        keys.back().values = valuesAround(now, isStepped ? document.settings().integer(target.trialCountStep) : 1);
    }
    const std::vector<ui::SweepKey> ofHints = hintKeys(document);
    keys.insert(keys.end(), ofHints.begin(), ofHints.end());
    panel_->setKeys(keys, keyText(target.trialCount.key), keyText(target.trialShare.key));
    hintKeys_ = ofHints;
}

/// Another list of hints: what was chosen and typed stays where the keys are the same.
void SweepController::showHintKeys() {
    if (hintKeys(*controller_.document()) != hintKeys_) showKeys();
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
        auto cells = std::make_shared<Result<std::vector<sweep::SweepCell>>>(
            sweep::runSweep(request, control, [this, mine](std::size_t index, const sweep::SweepCell& cell) {
                task_.post([this, mine, index, cell] { cellDone(mine, index, cell); });
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
    const std::vector<MetricChoice> metrics = metricsOf(std::string(request_.base.target));
    const MetricChoice& metric = metrics[metricIndex];
    ui::SweepPicture picture;
    picture.metric = metric.title;
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
        if (c.value) c.text = exactText(*c.value, metric.unit);
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
    const std::size_t count = metricsOf(std::string(request_.base.target)).size();
    for (std::size_t i = 0; i < count; ++i)
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
    CompileRequest chosen = request_.base;
    for (std::size_t i = 0; i < request_.axes.size(); ++i) {
        const std::string& key = request_.axes[i].key;
        if (findSetting(key) != nullptr)
            document->changeSetting(fromStd(key), fromStd(cell.values[i]));
        else
            (void)sweep::applyValue(chosen, request_.hints, key, cell.values[i]);
    }
    const auto first = chosen.hints.begin() + static_cast<std::ptrdiff_t>(request_.hints.begin);
    document->setHints(tr("Sweep"), {first, first + static_cast<std::ptrdiff_t>(request_.hints.count)});
    document->undoStack().endMacro();
    document->closeEdit();
    if (!isStored && !cell.plan && !controller_.automatic()) controller_.compileNow();
}

QByteArray SweepController::csv() const {
    return QByteArray::fromStdString(sweep::sweepCsv(request_.axes, cells_));
}

void SweepController::saveCsv() {
    if (cells_.empty() || controller_.document() == nullptr) return;
    const QString path = services_.askNewFile(
        tr("Save the sweep"), controller_.document()->name() + QStringLiteral("-sweep.csv"), tr("CSV table (*.csv)"));
    if (path.isEmpty()) return;
    const auto written = io::writeFileAtomically(path.toStdString(), csv().toStdString());
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
