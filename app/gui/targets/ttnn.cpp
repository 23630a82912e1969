// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/targets/ttnn.h"

#include "engine/plan/ttnn_data.h"
#include "engine/ttnn/options/hint_text.h"
#include "widgets/plan/units.h"
#include "widgets/views/chains/data/chain_data.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace memplan::app {
namespace {

constexpr std::string_view kPolicy = "ttnn.policy";
constexpr SettingWord kPolicyWord{kPolicy, QT_TRANSLATE_NOOP("Target", "Policy")};
constexpr SettingWord kLayouts{"ttnn.max_legal_layouts", QT_TRANSLATE_NOOP("Target", "Legal layouts")};
constexpr SettingWord kCap{"ttnn.l1_usage_cap", QT_TRANSLATE_NOOP("Target", "L1 cap")};

constexpr ToolSetting kToolBar[]{
    {kPolicyWord, QT_TRANSLATE_NOOP("Target", "How layouts are chosen"), "policyCombo", 0, false},
    {kLayouts, QT_TRANSLATE_NOOP("Target", "Sharded layouts that are kept for one operation"), "layoutsSpin", 72,
     false},
    {kCap, QT_TRANSLATE_NOOP("Target", "Share of usable L1 that tensors may take"), "capSpin", 76, false},
};

constexpr const char* kOfSharding[]{"ttnn.concat_chains", "ttnn.reshape_reservations", "ttnn.fork_reservations",
                                    "ttnn.chain_merging"};
constexpr SolverParameters kParameters[]{{"DFSharding", kOfSharding}};
constexpr const char* kOfGraphs[]{
    "preset",         "engine.time_limit_seconds",   "ttnn.optimization_level", "ttnn.memreconfig",
    "ttnn.row_major", "ttnn.l1_interleaved_fallback"};

constexpr SettingWord kTrialChoices[]{
    {"preset", QT_TRANSLATE_NOOP("Target", "Preset")},
    kPolicyWord,
    {"ttnn.row_major", QT_TRANSLATE_NOOP("Target", "Row major")},
    {"ttnn.memreconfig", QT_TRANSLATE_NOOP("Target", "Reshards")},
    {"ttnn.chain_merging", QT_TRANSLATE_NOOP("Target", "Chain merging")},
    {"ttnn.fork_reservations", QT_TRANSLATE_NOOP("Target", "Fork reservations")},
    {"ttnn.l1_interleaved_fallback", QT_TRANSLATE_NOOP("Target", "L1 interleaved fallback")},
};

constexpr ValueWord kValueWords[]{
    {"ttnn.policy", "DFSharding",
     QT_TRANSLATE_NOOP("Target", "Chains of sharded operations, depth first, with merges and reservations.")},
    {"ttnn.policy", "GreedyL1Interleaved",
     QT_TRANSLATE_NOOP("Target", "No sharding: values go to interleaved L1 one after another, as long as they fit.")},
    {"ttnn.policy", "BFInterleaved",
     QT_TRANSLATE_NOOP("Target",
                       "No sharding: breadth first, operands leave interleaved L1 as soon as they are read.")},
    {"ttnn.policy", "GreedyBeam",
     QT_TRANSLATE_NOOP("Target",
                       "Layouts of all operands by a beam through the schedule; values go to DRAM where L1 is "
                       "full.")},
    {"ttnn.policy", "Global",
     QT_TRANSLATE_NOOP("Target", "Least estimated time over all layouts and conversions, with a bound.")},
};

constexpr CodeFamily kCodes[]{
    {"RES", QT_TRANSLATE_NOOP("Target", "TTNN: why a result is not in L1.")},
    {"TT", QT_TRANSLATE_NOOP("Target", "TTNN: layouts, chains and the operation model.")},
};

constexpr const char* kHelpPages[]{"ttnn-tiles.md", "ttnn-interleaved.md", "ttnn-sharded.md", "ttnn-memories.md",
                                   "ttnn-chain.md", "ttnn-reshard.md",     "ttnn-spill.md",   "ttnn-reservation.md"};

/// What an operation reads is said by layouts, not by coefficients of loops: there are no two splits to compare.
constexpr const char* kHides[]{"edgesDock"};

QString planWords(const Plan& plan) {
    const TtnnData& data = ttnnData(plan);
    QString policy = ui::fromStd(data.policy.empty() ? plan.settings.text(kPolicy) : data.policy);
    if (data.policy == "none") policy = QCoreApplication::translate("Target", "no policy");
    return data.device.arch.empty() ? policy : policy + QStringLiteral(", ") + ui::fromStd(data.device.arch);
}

/// Bytes of a core over the schedule, stacked as in the view of chains, under the limit.
void paintThumbnail(QPainter& painter, const QRectF& area, const Plan& plan, const ui::Theme& theme) {
    const ui::ChainDataPtr chains = ui::chainDataOf(PlanPtr(PlanPtr(), &plan));  // no copy: it is gone first
    if (!chains || chains->columns().empty()) return;
    const double width = area.width() / static_cast<double>(chains->columns().size());
    const double unit = area.height() / static_cast<double>(std::max({Bytes{1}, chains->limit(), chains->highest()}));
    double left = area.left();
    for (const ui::ChainColumn& column : chains->columns()) {
        double bottom = area.bottom();
        for (const auto& [bytes, kind] :
             {std::pair{column.reserved, ui::Residency::Reserved}, std::pair{column.resident, ui::Residency::InPlace},
              std::pair{column.own, ui::Residency::OnChip}}) {
            const double high = static_cast<double>(bytes) * unit;
            painter.fillRect(QRectF(left, bottom - high, width, high), theme.residency(kind, ui::Tone::Soft));
            painter.fillRect(QRectF(left, bottom - high, width, std::min(1.0, high)),
                             theme.residency(kind, ui::Tone::Edge));
            bottom -= high;
        }
        left += width;
    }
    painter.setPen(QPen(theme.color(ui::Token::Error), 1.5));
    const double limit = area.bottom() - static_cast<double>(chains->limit()) * unit;
    painter.drawLine(QPointF(area.left(), limit), QPointF(area.right(), limit));
}

constexpr std::string_view kOverrides[]{"insert-memreconfig", "override-output-layout", "override-conv2d-config",
                                        "override-conv3d-config"};

/// "insert-memreconfig=a=0 override-output-layout=b=l1", as the compiler's option string has them.
Result<std::string> hintsAsText(std::span<const Hint> hints) {
    std::string all;
    for (const std::string_view option : kOverrides) {
        auto text = ttnn::textOfHints(option, hints);
        if (!text) return std::move(text).error();
        if (!text.value().empty()) all += (all.empty() ? "" : " ") + std::string(option) + '=' + text.value();
    }
    return all;
}

/// The option and what it says; of the string of layouts or convolutions alone the option is found.
std::optional<std::pair<std::string_view, std::string>> overrideOf(const QString& word) {
    QString text = word;
    text.remove(u'"').remove(u'\'');
    while (text.startsWith(u'-'))
        text.remove(0, 1);
    for (const std::string_view option : kOverrides) {
        const QString head = ui::fromStd(std::string(option)) + u'=';
        if (text.startsWith(head)) return std::pair{option, text.mid(head.size()).toStdString()};
    }
    for (const std::string_view option : {kOverrides[1], kOverrides[2]})
        if (ttnn::hintsOfText(option, text.toStdString())) return std::pair{option, text.toStdString()};
    return std::nullopt;
}

std::optional<Result<std::vector<Hint>>> hintsOfText(std::string_view text) {
    std::vector<Hint> hints;
    const QString words = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())).simplified();
    for (const QString& word : words.split(u' ', Qt::SkipEmptyParts)) {
        const auto found = overrideOf(word);
        if (!found) return std::nullopt;
        auto read = ttnn::hintsOfText(found->first, found->second);
        if (!read) return Result<std::vector<Hint>>(std::move(read).error());
        hints.insert(hints.end(), read.value().begin(), read.value().end());
    }
    if (hints.empty()) return std::nullopt;
    return Result<std::vector<Hint>>(std::move(hints));
}

constexpr TargetUi kTtnn{
    .target = "ttnn",
    .title = "TTNN",
    .toolBar = kToolBar,
    .solverKey = kPolicy,
    .solverParameters = kParameters,
    .graphParameters = kOfGraphs,
    .trialCount = kLayouts,
    .trialShare = kCap,
    .trialChoices = kTrialChoices,
    .planWords = &planWords,
    .opens = QT_TRANSLATE_NOOP("Target", "TTIR, TTNN and StableHLO modules (MLIR text); ONNX models and neutral graphs "
                                         "with --target ttnn"),
    .files = QT_TRANSLATE_NOOP("Target", "module.mlir, the optimised module, and overrides.txt, its layouts as an "
                                         "override string."),
    .codes = kCodes,
    .valueWords = kValueWords,
    .hides = kHides,
    .hintsAsText = &hintsAsText,
    .hintsOfText = &hintsOfText,
    .memoryView = "chains",
    .isMemoryWide = true,
    .paintThumbnail = &paintThumbnail,
    .helpPages = kHelpPages,
};

}  // namespace

const TargetUi& ttnnUi() {
    return kTtnn;
}

}  // namespace memplan::app
