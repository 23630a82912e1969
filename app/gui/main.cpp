// SPDX-License-Identifier: GPL-3.0-or-later
// memplan-studio: the window, and pictures without one (`--screenshot`).
#include "app/batch/given_hints.h"
#include "app/batch/no_display.h"
#include "app/batch/screenshot.h"
#include "app/cli/program/reporter.h"
#include "app/gui/preferences/appearance.h"
#include "app/gui/preferences/preferences.h"
#include "app/gui/tasks/fault_guard.h"
#include "app/gui/tasks/log.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/studio_window.h"
#include "engine/io/samples.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/kit/theme/theme.h"
#include "widgets/plan/units.h"

#include <QApplication>
#include <QFontDatabase>
#include <QSettings>
#include <QTimer>

#include <cstdio>
#include <cstring>
#include <iostream>
#include <unistd.h>

namespace {

using namespace memplan;

constexpr const char* kUsage =
    R"(usage: memplan-studio [--clean] [--theme light|dark|high-contrast] [--set KEY=VALUE]...
                      [--bind SYM=N]... [--hints FILE] [--target TARGET] [--machine FILE] [FILE...]
       memplan-studio --screenshot VIEW[:OPTION=VALUE,...]=FILE ... [--size WxH] [--set KEY=VALUE]...
                      [--bind SYM=N]... [--hints FILE] [--target TARGET] [--machine FILE] [--plan-name TEXT] INPUT
       memplan-studio --list-views | --version | --help

FILE and INPUT are files (ONNX model, neutral graph, plan, buffer list, workspace), or the id of a sample such as S1.
--set, --bind, --hints, --target (a machine of `memplan list targets`) and --machine (a file of its figures) hold for
the files that are named; --json-errors prints findings as JSON lines.
Pictures end in .png, .svg, .pdf or .csv and show the whole of a view; options of a view: select=NAME, plan=N,
theme=light|dark|high-contrast, scale=1..4 (pixels), label_percent=75..300 (size of text), vector=force (an .svg
or .pdf keeps every rectangle where more than 20 000 would become an image); of the view "window", a .png of the
window as it opens, also do=ACTION, the id of an action that is run first (view.perspective3, find.commands, ...).
--plan-name is what the titles call the plan.
)";

ui::ThemeKind wantedTheme(const QStringList& arguments) {
    const qsizetype at = arguments.indexOf(QStringLiteral("--theme"));
    const bool given = at >= 0 && at + 1 < arguments.size();
    return app::themeKindOf(given ? arguments[at + 1]
                                  : app::Preferences::instance().value(QStringLiteral("appearance/theme")).toString());
}

bool has(int argc, char** argv, const char* option) {
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], option) == 0) return true;
    }
    return false;
}

QtMessageHandler ordinaryHandler = nullptr;

/// Pictures are made without a display, on a platform that says at each window that it has no window manager to
/// hand size limits to, and often where no session of a desktop runs. Nothing else is held back.
void withoutKnownTalk(QtMsgType type, const QMessageLogContext& context, const QString& text) {
    const bool isKnown = type == QtWarningMsg && (text == u"This plugin does not support propagateSizeHints()" ||
                                                  text.startsWith(u"QStandardPaths: XDG_RUNTIME_DIR not set"));
    if (!isKnown && ordinaryHandler != nullptr) ordinaryHandler(type, context, text);
}

int runWindow(const QStringList& arguments, const cli::Streams& streams) {
    const auto given = app::readStudioArguments(arguments);
    if (!given) return cli::Reporter(streams).fail("command line", given.error());
    if (const auto aside = app::leftAside(given.value())) cli::Reporter(streams).print("command line", *aside);
    app::OpenRequest choices;
    choices.settings = given.value().settings;
    choices.bindings = given.value().bindings;
    choices.target = given.value().target;
    choices.machine = given.value().machine;
    if (const int bad = app::readGivenHints(given.value(), streams, choices.hints)) return bad;
    const std::vector<io::SampleInfo> samples = io::listSamples();
    app::StudioWindow window(samples, given.value().clean);
    window.current().offerTour();
    window.show();
    window.openGiven(given.value().files, choices);
    return QApplication::exec();
}

}  // namespace

int main(int argc, char** argv) {
    if (has(argc, argv, "--help") || has(argc, argv, "-h")) {
        std::fputs(kUsage, stdout);
        return 0;
    }
    if (has(argc, argv, "--version")) {
        std::puts("memplan-studio " MEMPLAN_VERSION);
        return 0;
    }
    const bool batch = has(argc, argv, "--screenshot") || has(argc, argv, "--list-views");
    const bool jsonErrors = has(argc, argv, "--json-errors");
    if (batch) qputenv("QT_QPA_PLATFORM", "offscreen");
    if (batch) ordinaryHandler = qInstallMessageHandler(withoutKnownTalk);
    std::optional<app::DisplayGuard> guard(jsonErrors);
    app::GuardedApplication application(argc, argv);
    guard.reset();
    QCoreApplication::setOrganizationName(QStringLiteral("memplan-studio"));
    QCoreApplication::setApplicationName(batch ? QStringLiteral("memplan-studio-batch")
                                               : QStringLiteral("memplan-studio"));
    QCoreApplication::setApplicationVersion(QStringLiteral(MEMPLAN_VERSION));
    const ui::Theme theme =
        batch ? ui::Theme(ui::ThemeKind::Light, 1.0) : app::preferredTheme(wantedTheme(application.arguments()));
    QApplication::setStyle(new ui::StudioStyle(theme));
    // The platform has fonts of its own for menus, buttons and the rest; the size of text is one for all.
    QApplication::setFont(theme.font(ui::TextStyle::Body));
    if (!batch) app::Log::takeMessages();
    const cli::Streams streams{std::cout, std::cerr, isatty(STDERR_FILENO) == 1, jsonErrors, {}, "memplan-studio"};
    QStringList arguments = QApplication::arguments();
    arguments.removeAll(QStringLiteral("--json-errors"));
    return batch ? app::runScreenshots(arguments, streams) : runWindow(arguments, streams);
}
