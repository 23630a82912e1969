// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/features/export/command_line.h"

#include "app/gui/document/opening.h"
#include "engine/settings/settings.h"
#include "engine/target/target.h"
#include "widgets/plan/units.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

namespace memplan::app {
namespace {

/// Settings that were chosen and differ from what a plain compile takes, then the bindings.
QStringList choices(const Document& document, const OpenRequest& request) {
    QStringList words;
    if (document.target() != naturalTarget(document.input().program.get()).info().id && document.isPlanned())
        words << QStringLiteral("--target") << shellWord(ui::fromStd(document.target()));
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

/// A list with offsets has them as its first plan, before that of the solver.
bool hasOffsets(const Document& document) {
    const auto& items = document.problem().items;
    return std::ranges::any_of(items, [](const solve::Item& item) { return item.givenAddress.has_value(); });
}

/// No option names an instance or a capacity: a list is opened with those that it or its workspace has.
bool opensTheInstance(const Document& document, const OpenRequest& request) {
    const bool isWorkspace = !document.origin().workspacePath.isEmpty() &&
                             QFileInfo(request.path) == QFileInfo(document.origin().workspacePath);
    return isWorkspace ? !document.isModified() : document.instance() == openingInstance(document.input().problems);
}

QString tr(const char* text) {
    return QCoreApplication::translate("CommandLine", text);
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

QString machineOption(const Document& document) {
    return document.origin().machine.isBuiltIn() ? QString() : QStringLiteral(" --machine MACHINE.json");
}

QString compileCommand(const Document& document, const OpenRequest& request, const QString& out) {
    QStringList words{QStringLiteral("memplan"), QStringLiteral("compile"),
                      shellWord(request.path) + machineOption(document)};
    words << choices(document, request);
    for (const SideFile& file : document.sideFiles())
        words << QStringLiteral("--side") << shellWord(file.path);
    words << QStringLiteral("--out") << shellWord(out);
    return words.join(QLatin1Char(' '));
}

QString pictureCommand(const Document& document, const OpenRequest& request, const QString& view, QSize size,
                       QStringList options, const QString& out) {
    const PlanEntry& shown = *document.current();
    const bool isList = document.kind() == DocumentKind::BufferList;
    if (isList && !opensTheInstance(document, request)) return {};
    // A list with offsets has them and the solver's as two plans, of which the command takes the last; any other input
    // is planned once. How many plans this window has made since does not count.
    const bool isOffsets = isList && hasOffsets(document) && shown.number == 1;
    if (isOffsets) options << QStringLiteral("plan=1");
    const int made = isList && hasOffsets(document) && !isOffsets ? 2 : 1;
    const QString head = options.isEmpty() ? view : view + QLatin1Char(':') + options.join(QLatin1Char(','));
    QStringList words{QStringLiteral("memplan-studio"), QStringLiteral("--screenshot"),
                      shellWord(head + QLatin1Char('=') + out), QStringLiteral("--size"),
                      QStringLiteral("%1x%2").arg(size.width()).arg(size.height())};
    // The title has the plan's number and variant, which the command's own plan has not.
    const bool hasItsName = shown.number == made && shown.label.isEmpty();
    // Two plans are compared under their own names, and only the sample as a whole has both.
    if (view == u"compare" && request.sample)
        return (words << shellWord(ui::fromStd(request.sample->id))).join(QLatin1Char(' '));
    if (!hasItsName) words << QStringLiteral("--plan-name") << shellWord(shown.name);
    words << choices(document, request) << shellWord(request.path);
    return words.join(QLatin1Char(' '));
}

namespace {

/// What neither the drawing nor the compiling command can have.
QString whyNotThisPlan(const Document& document, const PlanPtr& onScreen) {
    if (!document.origin().cut.isEmpty())
        return tr("this document is a part of its file (%1)").arg(ui::fromStd(document.origin().cut.text()));
    if (document.current() == nullptr) return tr("there is no plan yet");
    if (document.isStale()) return tr("the plan is older than the hints or settings; recompile first (F5)");
    if (document.isOfFailure(onScreen)) return tr("the memory on screen is that of a failed compile, not of a plan");
    if (document.shown().kind == ShownPlan::Kind::Compared)
        return tr("the plan on screen is there to be compared with that of the document");
    if (onScreen != document.current()->plan) return tr("the plan on screen is one that What-if tries");
    return {};
}

}  // namespace

QString whyNoPictureCommand(const Document& document, const PlanPtr& onScreen) {
    if (QString why = whyNotThisPlan(document, onScreen); !why.isEmpty()) return why;
    if (document.hintLists() != HintLists())
        return tr("the hints of this document are in no file yet; export them and name it with --hints");
    if (document.origin().workspacePath.isEmpty() && !document.origin().machine.isBuiltIn())
        return tr("the window does not know the file of this document's machine; save the document first");
    if (!document.origin().workspacePath.isEmpty() && document.isModified())
        return tr("it would open what was saved, and not your changes");
    return {};
}

QString whyNoCompileCommand(const Document& document, const PlanPtr& onScreen) {
    if (QString why = whyNotThisPlan(document, onScreen); !why.isEmpty()) return why;
    return document.kind() == DocumentKind::Graph ? QString() : tr("only a graph is compiled");
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
