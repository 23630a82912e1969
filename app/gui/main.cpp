// SPDX-License-Identifier: GPL-3.0-or-later
// memplan-studio: the window, and pictures without one (`--screenshot`).
#include "batch/screenshot.h"
#include "core/studio_style.h"
#include "core/theme.h"
#include "core/units.h"
#include "io/samples.h"
#include "main_window.h"
#include "preferences/appearance.h"
#include "preferences/preferences.h"
#include "session/studio_window.h"
#include "shell/fault_page.h"
#include "shell/log_view.h"

#include <QApplication>
#include <QFontDatabase>
#include <QSettings>
#include <QTimer>

#include <cstdio>
#include <cstring>

namespace {

using namespace memplan;

constexpr const char* kUsage = R"(usage: memplan-studio [--clean] [--theme light|dark|high-contrast] [FILE...]
       memplan-studio --screenshot VIEW[:OPTION=VALUE,...]=FILE ... [--size WxH] [--set KEY=VALUE]...
                      [--bind SYM=N]... INPUT
       memplan-studio --list-views | --version | --help

FILE and INPUT are files (ONNX model, neutral graph, plan, buffer list, workspace), or the id of a sample such as S1.
Pictures end in .png, .svg, .pdf or .csv; options of a view: select=NAME, plan=N, theme=light|dark|high-contrast,
scale=1..4 (pixels), label_percent=75..300 (size of text); of the view "window" also do=ACTION, the id of an action
that is run first (view.perspective3, find.commands, ...).
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

/// Pictures are made without a display, on a platform that tells at each window that it has no window manager to
/// hand size limits to. Nothing else is held back.
void withoutSizeHints(QtMsgType type, const QMessageLogContext& context, const QString& text) {
    const bool isKnown = type == QtWarningMsg && text == u"This plugin does not support propagateSizeHints()";
    if (!isKnown && ordinaryHandler != nullptr) ordinaryHandler(type, context, text);
}

std::vector<std::string> files(const QStringList& arguments) {
    std::vector<std::string> list;
    for (qsizetype i = 1; i < arguments.size(); ++i) {
        if (arguments[i] == u"--theme") {
            ++i;
        } else if (!arguments[i].startsWith(u"--")) {
            list.push_back(arguments[i].toStdString());
        }
    }
    return list;
}

int runWindow(QApplication& application) {
    const QStringList arguments = application.arguments();
    const std::vector<io::SampleInfo> samples = io::listSamples();
    app::StudioWindow window(samples, arguments.contains(QStringLiteral("--clean")));
    window.current().offerTour();
    window.show();
    window.openGiven(files(arguments));
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
    if (batch) qputenv("QT_QPA_PLATFORM", "offscreen");
    if (batch) ordinaryHandler = qInstallMessageHandler(withoutSizeHints);
    app::GuardedApplication application(argc, argv);
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
    if (batch) return app::runScreenshots(application.arguments());
    return runWindow(application);
}
