// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/targets/torchwright.h"

#include "engine/plan/torchwright_data.h"
#include "widgets/plan/units.h"

#include <QCoreApplication>

#include <algorithm>

namespace memplan::app {
namespace {

constexpr std::string_view kHead = "torchwright.d_head";
constexpr SettingWord kWidth{"torchwright.d", QT_TRANSLATE_NOOP("Target", "d")};
constexpr SettingWord kHidden{"torchwright.d_hidden", QT_TRANSLATE_NOOP("Target", "d_hidden")};
constexpr SettingWord kLinears{"torchwright.local_in_attention", QT_TRANSLATE_NOOP("Target", "Linears in attention")};
constexpr SettingWord kPressure{"torchwright.pressure_threshold", QT_TRANSLATE_NOOP("Target", "Pressure threshold")};

constexpr ToolSetting kToolBar[]{
    {kWidth, QT_TRANSLATE_NOOP("Target", "Columns of the residual stream, a multiple of d_head"), "widthSpin", 76,
     false, kHead},
    {kHidden,
     QT_TRANSLATE_NOOP("Target", "Slots of the hidden layer; 0 takes as many as d"),
     "hiddenSpin",
     76,
     false,
     {},
     QT_TRANSLATE_NOOP("Target", "as d")},
    {kLinears, QT_TRANSLATE_NOOP("Target", "Whether a Linear that stands alone takes heads or slots"), "linearsCombo",
     0, false},
};

constexpr const char* kParameters[]{"engine.seed",
                                    "engine.time_limit_seconds",
                                    "torchwright.d_head",
                                    "torchwright.max_layers",
                                    "torchwright.fuse",
                                    "torchwright.admission_control",
                                    "torchwright.assume_zero_init",
                                    "torchwright.plateau_share",
                                    "torchwright.plateau_min_layers"};

constexpr SettingWord kTrialChoices[]{
    {"preset", QT_TRANSLATE_NOOP("Target", "Preset")},
    kLinears,
    {"torchwright.fuse", QT_TRANSLATE_NOOP("Target", "Fuse Linears")},
    {"torchwright.admission_control", QT_TRANSLATE_NOOP("Target", "Admission control")},
    {"torchwright.assume_zero_init", QT_TRANSLATE_NOOP("Target", "Columns start as zero")},
};

constexpr ValueWord kValueWords[]{
    {"torchwright.local_in_attention", "never",
     QT_TRANSLATE_NOOP("Target",
                       "A Linear that stands alone goes through the MLP: two slots for each of its columns.")},
    {"torchwright.local_in_attention", "always",
     QT_TRANSLATE_NOOP("Target",
                       "A Linear that stands alone goes through attention: one head for d_head input columns.")},
};

constexpr PlanFigure kRaceFigures[]{
    {QT_TRANSLATE_NOOP("Target", "Layers"),
     [](const Plan& plan) { return double(torchwrightData(plan).schedule.layerCount()); }},
    {QT_TRANSLATE_NOOP("Target", "Heads"),
     [](const Plan& plan) { return double(torchwrightData(plan).schedule.headsTotal); }},
    {QT_TRANSLATE_NOOP("Target", "Slots"),
     [](const Plan& plan) { return double(torchwrightData(plan).schedule.slotsTotal); }},
    {QT_TRANSLATE_NOOP("Target", "Peak columns"),
     [](const Plan& plan) { return double(torchwrightData(plan).schedule.peakOccupied); }},
};

constexpr CodeFamily kCodes[]{
    {"TW", QT_TRANSLATE_NOOP("Target", "torchwright: reading a graph, layers and columns, advice.")},
};

/// Its values own columns of the stream: there are no cores, and no addresses in bytes that somebody could choose. The
/// twin of the residual stream has every value with its columns.
constexpr const char* kHides[]{"cores", "matrixDock", "edgesDock", "sideDock", "buffersDock"};

constexpr const char* kOwns[]{"annotationsDock", "pathsDock", "parametersDock",
                              "concurrencyDock", "stepsDock", "adviceDock"};

QString words(const char* text) {
    return QCoreApplication::translate("Target", text);
}

QString planWords(const Plan& plan) {
    const TorchwrightData& data = torchwrightData(plan);
    if (!data.isScheduled()) return ui::fromStd(plan.solver);
    QString text = ui::plural(data.schedule.layerCount(), words("layer"), words("layers"));
    if (!plan.settings.text("torchwright.isolate").empty()) text += words(", isolated");
    if (!plan.settings.text("torchwright.stub").empty()) text += words(", with stubs");
    if (!plan.settings.text("torchwright.as_inputs").empty()) text += words(", second step");
    return text;
}

/// The layer after which the stream is fullest; of several the first.
int peakLayer(const torchwright::Schedule& schedule) {
    for (int i = 0; i < schedule.layerCount(); ++i)
        if (schedule.layers[static_cast<std::size_t>(i)].occupiedAfter == schedule.peakOccupied) return i;
    return 0;
}

QStringList statusWords(const Plan& plan) {
    const TorchwrightData& data = torchwrightData(plan);
    const torchwright::Schedule& s = data.schedule;
    if (!data.isScheduled()) return {words("no schedule"), {}, {}};
    int full = 0;
    for (const TorchwrightPlateau& plateau : data.plateaus)
        full += plateau.last - plateau.first + 1;
    const QString share = ui::percentText(plan.settings.number("torchwright.plateau_share"));
    const QString plateaus =
        full == 0 ? words("no plateau")
                  : words("plateau: %1 at %2 or more").arg(ui::plural(full, words("layer"), words("layers")), share);
    return {ui::plural(s.layerCount(), words("layer"), words("layers")),
            words("peak %1 of %2 columns after layer %3")
                .arg(ui::groupedText(s.peakOccupied), ui::groupedText(s.options.d))
                .arg(peakLayer(s)),
            plateaus};
}

/// Columns of the stream over the layers: what is taken, under the limit.
void paintThumbnail(QPainter& painter, const QRectF& area, const Plan& plan, const ui::Theme& theme) {
    const torchwright::Schedule& s = torchwrightData(plan).schedule;
    const double width = area.width() / std::max(1, s.layerCount() + 1);
    const double height = area.height() / static_cast<double>(std::max<std::int64_t>(1, s.options.d));
    for (const torchwright::Holding& holding : s.holdings) {
        const double left = area.left() + (holding.firstLayer + 1) * width;
        const double layers = std::max(1, holding.lastLayer - holding.firstLayer + 1);
        for (const torchwright::ColumnRun& run : holding.columns.runs()) {
            const double bottom = area.bottom() - static_cast<double>(run.first) * height;
            const double high = static_cast<double>(run.count) * height;
            const QRectF box(left, bottom - high, layers * width, high);
            painter.fillRect(box, theme.residency(ui::Residency::OnChip, ui::Tone::Soft));
            painter.fillRect(QRectF(box.left(), box.top(), std::min(1.0, box.width()), box.height()),
                             theme.residency(ui::Residency::OnChip, ui::Tone::Edge));
        }
    }
    painter.setPen(QPen(theme.color(ui::Token::Error), 1.5));
    painter.drawLine(area.topLeft(), area.topRight());
}

constexpr TargetUi kTorchwright{
    .target = "torchwright",
    .title = "Torchwright",
    .toolBar = kToolBar,
    .solverKey = "torchwright.optimize",
    .graphParameters = kParameters,
    .trialCount = kWidth,
    .trialShare = kPressure,
    .trialChoices = kTrialChoices,
    .planWords = &planWords,
    .opens = QT_TRANSLATE_NOOP("Target", "torchwright graphs (JSON), with or without weights"),
    .codes = kCodes,
    .valueWords = kValueWords,
    .isShareOfMemory = false,
    .trialCountStep = kHead,
    .statusWords = &statusWords,
    .hides = kHides,
    .owns = kOwns,
    .memoryView = "residual",
    .isMemoryWide = true,
    .paintThumbnail = &paintThumbnail,
    .raceFigures = kRaceFigures,
};

}  // namespace

const TargetUi& torchwrightUi() {
    return kTorchwright;
}

}  // namespace memplan::app
