// SPDX-License-Identifier: GPL-3.0-or-later
#include "shell/command_line.h"

#include "core/units.h"
#include "settings/settings.h"

#include <QRegularExpression>

namespace memplan::app {
namespace {

/// Settings that were chosen and differ from what a plain compile takes, then the bindings.
QStringList choices(const Document& document, const OpenRequest& request) {
    QStringList words;
    const Settings plain;
    for (const SettingInfo& info : allSettings()) {
        const std::string now = document.settings().textOf(info.key);
        if (now == plain.textOf(info.key)) continue;
        words << QStringLiteral("--set")
              << shellWord(ui::fromStd(std::string(info.key)) + QLatin1Char('=') + ui::fromStd(now));
    }
    auto bindings = request.sample ? request.sample->bindings : std::vector<std::pair<std::string, std::string>>{};
    bindings.insert(bindings.end(), request.bindings.begin(), request.bindings.end());
    for (const auto& [symbol, value] : bindings)
        words << QStringLiteral("--bind") << shellWord(ui::fromStd(symbol) + QLatin1Char('=') + ui::fromStd(value));
    return words;
}

}  // namespace

QString shellWord(const QString& word) {
    static const QRegularExpression kPlain(QStringLiteral("^[A-Za-z0-9_@%+=:,./-]+$"));
    if (kPlain.match(word).hasMatch()) return word;
    return QLatin1Char('\'') + QString(word).replace(QLatin1Char('\''), QStringLiteral("'\\''")) + QLatin1Char('\'');
}

QString hintOptions(const Document& document, const QString& hintFile) {
    if (document.hintLists() == HintLists()) return {};
    // The exported file has the hints of the graph file too: they would be given twice.
    const QString alone = document.fileHints().empty() ? QString() : QStringLiteral(" --no-input-hints");
    return alone + (document.request().hints.empty() ? QString() : QStringLiteral(" --hints ") + shellWord(hintFile));
}

QString compileCommand(const Document& document, const OpenRequest& request, const QString& out) {
    QStringList words{QStringLiteral("memplan"), QStringLiteral("compile"), shellWord(request.path)};
    words << choices(document, request);
    for (const SideFile& file : document.sideFiles())
        words << QStringLiteral("--side") << shellWord(file.path);
    words << QStringLiteral("--out") << shellWord(out);
    return words.join(QLatin1Char(' '));
}

QString pictureCommand(const Document& document, const OpenRequest& request, const QString& view, QSize size,
                       QStringList options, const QString& out) {
    const PlanEntry& shown = *document.current();
    // A list with offsets has them and the solver's as two plans; any other input is planned once.
    const bool isList = document.kind() == DocumentKind::BufferList;
    if (isList) options << QStringLiteral("plan=%1").arg(shown.number);
    const QString head = options.isEmpty() ? view : view + QLatin1Char(':') + options.join(QLatin1Char(','));
    QStringList words{QStringLiteral("memplan-studio"), QStringLiteral("--screenshot"),
                      shellWord(head + QLatin1Char('=') + out), QStringLiteral("--size"),
                      QStringLiteral("%1x%2").arg(size.width()).arg(size.height())};
    // The title has the plan's number and variant, which the command's own plan has not.
    const bool hasItsName = isList || (shown.number == 1 && shown.label.isEmpty());
    // Two plans are compared under their own names, and only the sample as a whole has both.
    if (view == u"compare" && request.sample)
        return (words << shellWord(ui::fromStd(request.sample->id))).join(QLatin1Char(' '));
    if (!hasItsName) words << QStringLiteral("--plan-name") << shellWord(shown.name);
    words << choices(document, request) << shellWord(request.path);
    return words.join(QLatin1Char(' '));
}

QString themeOption(ui::ThemeKind kind) {
    switch (kind) {
    case ui::ThemeKind::Dark:
        return QStringLiteral("theme=dark");
    case ui::ThemeKind::HighContrast:
        return QStringLiteral("theme=high-contrast");
    case ui::ThemeKind::Light:
        break;
    }
    return QStringLiteral("theme=light");
}

}  // namespace memplan::app
