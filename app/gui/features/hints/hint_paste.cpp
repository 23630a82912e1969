// SPDX-License-Identifier: GPL-3.0-or-later
// What was copied as variables, as a command line or as a hint file comes back (user-experience 11.5).
#include "app/gui/features/hints/hint_controller.h"
#include "app/gui/targets/targets.h"
#include "app/gui/tasks/log.h"
#include "app/gui/workspace/window_services.h"
#include "engine/io/hints/hint_file.h"
#include "engine/io/hints/paste_text.h"
#include "widgets/plan/units.h"
#include "widgets/tools/hints/hints_view.h"

#include <QDir>
#include <QFileInfo>
#include <QUndoStack>

#include <algorithm>

namespace memplan::app {

using ui::fromStd;

struct HintController::Pasted {
    std::vector<std::pair<std::string, std::string>> settings;
    std::vector<Hint> hints;
    QStringList notTaken;  ///< "--out plan.json (belongs to the command, not to the document)"

    [[nodiscard]] QString countText() const {
        QStringList parts;
        const auto count = [](const auto& list) { return static_cast<qint64>(list.size()); };
        if (!settings.empty())
            parts << ui::plural(count(settings), HintController::tr("setting"), HintController::tr("settings"));
        if (!hints.empty()) parts << ui::plural(count(hints), HintController::tr("hint"), HintController::tr("hints"));
        return parts.join(HintController::tr(" and "));
    }
    void refuse(const QString& what, const QString& why) { notTaken << QStringLiteral("%1 (%2)").arg(what, why); }
    void refuse(const QString& what, const Error& error) {
        refuse(what, fromStd(error.primary().code + ' ' + error.primary().message));
    }
};

void HintController::pasteHints(const QString& text, Pasted& pasted) const {
    auto read = hints::readHints(text.toStdString(), fileContext());
    if (!read) return pasted.refuse(tr("the text"), read.error());
    pasted.hints = std::move(read.value().hints);
}

/// Hint files are looked for where the command was meant to run: beside the document.
void HintController::pasteLines(const QString& text, Pasted& pasted) const {
    const Document& document = *controller_.document();
    const hints::PastedText lines = hints::readPastedText(text.toStdString(), document.target());
    pasted.settings = lines.settings;
    const QFileInfo own(fromStd(document.input().input.path));
    for (const std::string& name : lines.hintFiles) {
        const QString path = own.absoluteDir().absoluteFilePath(QString::fromStdString(name));
        auto read = hints::readHintFile(path.toStdString(), fileContext());
        if (!read) {
            pasted.refuse(QStringLiteral("--hints ") + fromStd(name), read.error());
            continue;
        }
        const std::vector<Hint>& more = read.value().hints;
        pasted.hints.insert(pasted.hints.end(), more.begin(), more.end());
    }
    for (const hints::NotTaken& part : lines.notTaken)
        pasted.refuse(fromStd(part.what), fromStd(part.why));
    const QString input = QFileInfo(QString::fromStdString(lines.input)).fileName();
    if (!input.isEmpty() && input != own.fileName())
        pasted.refuse(fromStd(lines.input), tr("the open document is %1").arg(document.name()));
}

/// The form of the machine's own compiler, where it has one and this is it.
bool HintController::pasteOwnForm(const QString& text, Pasted& pasted) const {
    const TargetUi& target = targetUi(controller_.document()->target());
    if (target.hintsOfText == nullptr) return false;
    auto read = target.hintsOfText(text.toStdString());
    if (!read) return false;
    if (!*read)
        pasted.refuse(tr("the text"), read->error());
    else
        pasted.hints = std::move(*read).value();
    return true;
}

bool HintController::paste(const QString& text) {
    Document* document = controller_.document();
    if (document == nullptr || text.trimmed().isEmpty()) return false;
    window_.showDock(DockId::Hints);
    Pasted pasted;
    if (text.trimmed().startsWith(u'{'))
        pasteHints(text, pasted);
    else if (!pasteOwnForm(text, pasted))
        pasteLines(text, pasted);
    Settings after = document->settings();
    for (const auto& [key, value] : pasted.settings)
        if (auto set = after.set(key, value); !set) pasted.refuse(fromStd(key + '=' + value), set.error());
    if (auto allowed = after.check(); !allowed) {
        for (const auto& [key, value] : pasted.settings)
            pasted.refuse(fromStd(key + '=' + value), allowed.error());
        pasted.settings.clear();
        after = document->settings();
    }
    // A hint that is in the list already is not put there twice.
    std::vector<Hint> hints = document->hints();
    for (const Hint& hint : missingIn(pasted.hints, document->graphHints()))
        if (std::find(hints.begin(), hints.end(), hint) == hints.end()) hints.push_back(hint);
    const bool isNew = after != document->settings() || hints != document->hints();
    if (isNew) {
        document->undoStack().beginMacro(tr("Paste %1").arg(pasted.countText()));
        for (const auto& [key, value] : pasted.settings)
            document->changeSetting(fromStd(key), fromStd(value));
        document->setHints(tr("Paste hints"), std::move(hints));
        document->undoStack().endMacro();
    }
    reportPasted(pasted, isNew);
    return isNew;
}

/// The line below the hints keeps what was not taken until a row is chosen; the log keeps it for good.
void HintController::reportPasted(const Pasted& pasted, bool isNew) {
    const QString count = pasted.countText();
    QString text = isNew             ? tr("Taken: %1.").arg(count)
                   : count.isEmpty() ? tr("Nothing of this is a setting or a hint.")
                                     : tr("Nothing new: %1 stand so already.").arg(count);
    if (!pasted.notTaken.isEmpty()) text += u' ' + tr("Not taken: %1.").arg(pasted.notTaken.join(QStringLiteral("; ")));
    view_->showRemark(text, !pasted.notTaken.isEmpty() || count.isEmpty());
    Log::instance().add(text);
    report(text);
}

}  // namespace memplan::app
