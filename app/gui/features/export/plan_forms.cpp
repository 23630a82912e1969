// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/features/export/plan_forms.h"

#include "engine/io/export/plan_bundle.h"
#include "engine/io/export/plan_export.h"
#include "engine/io/hints/hint_file.h"
#include "engine/target/compile.h"
#include "engine/target/verify.h"
#include "widgets/plan/units.h"

namespace memplan::app {
namespace {

QByteArray bytesOf(const std::string& text) {
    return QByteArray(text.data(), static_cast<qsizetype>(text.size()));
}

}  // namespace

QByteArray planInForm(const Plan& plan, OtherForm form) {
    if (form == OtherForm::Trace) return bytesOf(io::chromeTrace(plan));
    return bytesOf(form == OtherForm::ModelExplorer ? io::modelExplorerJson(plan) : io::graphvizDot(plan).text);
}

QString formName(OtherForm form) {
    if (form == OtherForm::Trace) return QStringLiteral("trace");
    return form == OtherForm::ModelExplorer ? QStringLiteral("model-explorer") : QStringLiteral("dot");
}

std::vector<std::pair<QString, const PassRun*>> changedSnapshots(const Plan& plan) {
    std::vector<std::pair<QString, const PassRun*>> files;
    const Snapshot* before = nullptr;
    const bool isAll = plan.settings.text("engine.snapshots") == "all";
    for (std::size_t i = 0; i < plan.passes.size(); ++i) {
        const PassRun& run = plan.passes[i];
        if (!run.snapshot || run.snapshot->text.empty()) continue;
        const bool isOwn = isAll && run.snapshot->pass == run.name;
        if (before != nullptr && before->text == run.snapshot->text && !isOwn) continue;
        before = run.snapshot.get();
        const bool isInput = files.empty() && !run.changed;
        const QString number = QStringLiteral("%1").arg(i + 1, 2, 10, QLatin1Char('0'));
        files.emplace_back(isInput ? QStringLiteral("00_input.txt")
                                   : QStringLiteral("%1_after_%2.txt").arg(number, ui::fromStd(run.name)),
                           &run);
    }
    return files;
}

Plan markedStale(const Plan& plan) {
    Plan copy = plan;
    Diagnostic d;
    d.severity = Severity::Note;
    d.code = "EXP-001";
    d.message = "exported although hints or settings of the document had changed since this plan was made";
    d.hint = "compile again for a plan of the inputs as they are";
    copy.problems.push_back(std::move(d));
    return copy;
}

Result<std::vector<io::FolderFile>> filesOfItsTarget(const Plan& plan) {
    if (auto sound = requireSound(plan); !sound) return std::move(sound).error();
    Diagnostics notes;  // reported by the passes already
    // A plan that was stopped early has no files of the target's own; the rest of a bundle holds all the same.
    if (!targetDataOf(plan).hasArtefacts()) return std::vector<io::FolderFile>();
    return planArtefacts(plan, notes);
}

Result<std::vector<io::FolderFile>> bundleFiles(const Plan& plan, const Graph* graph, bool isOld) {
    auto own = filesOfItsTarget(plan);
    if (!own) return own;
    const hints::HintedGraph identity{plan.input.name, plan.input.sha256};
    const Plan marked = isOld ? markedStale(plan) : Plan();
    const io::PlanBundleParts parts{isOld ? marked : plan, graph, hints::hintFileText(identity, plan.hints),
                                    std::move(own).value()};
    return io::planBundle(parts);
}

}  // namespace memplan::app
