// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/features/compare/whatif_choices.h"

#include "app/gui/targets/targets.h"
#include "engine/solve/machine_solvers.h"
#include "widgets/plan/hints/hint_text.h"
#include "widgets/plan/setting_words.h"
#include "widgets/plan/units.h"

#include <QCoreApplication>

#include <span>

namespace memplan::app {

using ui::fromStd;

namespace {

constexpr const char* kPreset = "preset";
constexpr int kMostHints = 40;  ///< hints that can be tried one at a time

const QString kHints = QStringLiteral("hints");
const QString kAsTheyAre = QStringLiteral("own");
const QString kNone = QStringLiteral("none");

QString tr(const char* text) {
    return QCoreApplication::translate("WhatIf", text);
}

std::span<const SettingWord> keysOf(const Document& document) {
    return targetUi(document.target()).trialChoices;
}

QString titleOf(const SettingWord& word) {
    return QCoreApplication::translate("Target", word.title);
}

QString fromView(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// What the value means: of a setting of all machines, of the machine's own, or of a solver.
QString noteOf(std::string_view key, std::string_view value) {
    if (QString help = ui::settingValueHelp(key, value); !help.isEmpty()) return help;
    for (const TargetUi& target : allTargetUis()) {
        for (const ValueWord& word : target.valueWords)
            if (key == word.key && value == word.value) return QCoreApplication::translate("Target", word.help);
    }
    for (const solve::MachineSolvers* of : solve::machineSolvers())
        for (const solve::MachineSolver& solver : of->solvers)
            if (key == of->key && value == solver.value) return fromView(solver.help);
    return {};
}

ui::WhatIfChoice choiceOf(const SettingWord& key, const SettingInfo& info) {
    ui::WhatIfChoice choice;
    choice.key = keyText(key.key);
    choice.title = titleOf(key);
    choice.help = fromView(info.key) + u'\n' + fromView(info.help);
    if (info.type == SettingType::Bool) {
        choice.values = {QStringLiteral("false"), QStringLiteral("true")};
        choice.titles = {tr("off"), tr("on")};
        return choice;
    }
    for (const std::string_view value : info.allowed)
        choice.values << fromView(value);
    choice.titles = choice.values;
    QStringList notes;
    for (const std::string_view value : info.allowed)
        notes << noteOf(info.key, value);
    if (std::ranges::any_of(notes, [](const QString& note) { return !note.isEmpty(); })) choice.notes = notes;
    return choice;
}

/// "pin on chip: sub"
QString hintTitle(const Hint& hint, const TargetId& target) {
    return QStringLiteral("%1: %2").arg(ui::hintKindTitle(hint, target).toLower(), ui::hintSubjectText(hint));
}

QString hintChoiceTitle(const Document& document, int index) {
    const Hint& hint = document.hints()[static_cast<std::size_t>(index)];
    const QString title = hintTitle(hint, document.target());
    return hint.enabled ? tr("without %1").arg(title) : tr("with %1").arg(title);
}

std::optional<int> toggledHint(const Document& document, const ui::WhatIfValues& wanted) {
    const auto chosen = wanted.choices.find(kHints);
    bool isNumber = false;
    const int index = chosen == wanted.choices.end() ? -1 : chosen->second.toInt(&isNumber);
    return isNumber && index >= 0 && index < static_cast<int>(document.hints().size()) ? std::optional(index)
                                                                                       : std::nullopt;
}

bool isWithoutHints(const ui::WhatIfValues& wanted) {
    const auto chosen = wanted.choices.find(kHints);
    return chosen != wanted.choices.end() && chosen->second == kNone;
}

std::map<QString, QString> choicesIn(const Document& document, const Settings& settings) {
    std::map<QString, QString> values;
    for (const ui::WhatIfChoice& choice : whatIfChoices(document))
        values[choice.key] = choice.key == kHints ? kAsTheyAre : fromStd(settings.textOf(choice.key.toStdString()));
    return values;
}

}  // namespace

std::vector<ui::WhatIfChoice> whatIfChoices(const Document& document) {
    std::vector<ui::WhatIfChoice> choices;
    for (const SettingWord& key : keysOf(document)) {
        const SettingInfo* info = findSetting(key.key);
        if (info != nullptr && info->inUse) choices.push_back(choiceOf(key, *info));
    }
    const int count = std::min(kMostHints, static_cast<int>(document.hints().size()));
    if (count == 0) return choices;
    ui::WhatIfChoice hints{kHints, tr("Hints"), tr("Your hints in the trial; the list itself stays as it is"),
                           {},     {},          {}};
    hints.values = QStringList{kAsTheyAre, kNone};
    hints.titles = QStringList{tr("as they are"), tr("none of mine")};
    for (int i = 0; i < count; ++i) {
        hints.values << QString::number(i);
        hints.titles << hintChoiceTitle(document, i);
    }
    choices.push_back(std::move(hints));
    return choices;
}

std::map<QString, QString> ownChoices(const Document& document) {
    return choicesIn(document, document.settings());
}

std::map<QString, QString> choicesUnder(const Document& document, const QString& preset) {
    Settings settings = document.settings();
    (void)settings.set(kPreset, preset.toStdString());  // one of its values
    return choicesIn(document, settings);
}

std::vector<std::pair<QString, QString>> changedSettings(const Document& document, const ui::WhatIfValues& own,
                                                         const ui::WhatIfValues& wanted) {
    std::vector<std::pair<QString, QString>> changed;
    const auto preset = wanted.choices.find(QString::fromLatin1(kPreset));
    const std::map<QString, QString> base =
        preset == wanted.choices.end() ? own.choices : choicesUnder(document, preset->second);
    for (const SettingWord& key : keysOf(document)) {
        const QString name = QString::fromLatin1(key.key);
        const std::map<QString, QString>& values = name == QLatin1String(kPreset) ? own.choices : base;
        const auto before = values.find(name);
        const auto now = wanted.choices.find(name);
        if (before == values.end() || now == wanted.choices.end() || before->second == now->second) continue;
        changed.emplace_back(name, now->second);
    }
    return changed;
}

std::vector<Hint> hintsFor(const Document& document, const ui::WhatIfValues& wanted) {
    std::vector<Hint> hints = document.hints();
    if (isWithoutHints(wanted))
        for (Hint& hint : hints)
            hint.enabled = false;
    if (const auto index = toggledHint(document, wanted)) {
        Hint& hint = hints[static_cast<std::size_t>(*index)];
        hint.enabled = !hint.enabled;
    }
    return hints;
}

QString trialText(const Document& document, const ui::WhatIfValues& own, const ui::WhatIfValues& wanted) {
    QStringList parts;
    if (wanted.cores != own.cores) parts << ui::plural(wanted.cores, tr("core"), tr("cores"));
    if (wanted.reserve != own.reserve) parts << tr("reserve %1").arg(QString::number(wanted.reserve, 'f', 2));
    for (const auto& [key, value] : changedSettings(document, own, wanted))
        for (const SettingWord& k : keysOf(document))
            if (key == QLatin1String(k.key)) parts << titleOf(k).toLower() + u' ' + value;
    if (isWithoutHints(wanted)) parts << tr("without your hints");
    if (const auto index = toggledHint(document, wanted)) parts << hintChoiceTitle(document, *index);
    return parts.join(QStringLiteral(", "));
}

}  // namespace memplan::app
