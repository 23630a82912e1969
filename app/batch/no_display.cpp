// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/batch/no_display.h"

#include "app/cli/program/reporter.h"
#include "engine/base/diagnostic.h"
#include "engine/plan/reasons.h"

#include <QByteArray>
#include <QString>
#include <QtGlobal>

#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

namespace memplan::app {
namespace {

struct Held {
    QtMessageHandler before = nullptr;
    bool jsonErrors = false;
    /// What the platform said before Qt gave up; repeated when it did not.
    std::vector<std::pair<QtMsgType, QString>> messages;
};
Held held;

std::string reason() {
    if (qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        return "the platform \"" + qgetenv("QT_QPA_PLATFORM").toStdString() + "\" of QT_QPA_PLATFORM cannot be started";
    for (const char* name : {"WAYLAND_DISPLAY", "DISPLAY"}) {
        const std::string value = qgetenv(name).toStdString();
        if (!value.empty()) return "the display \"" + value + "\" of " + name + " cannot be reached";
    }
    return "there is no display to open the window on: neither DISPLAY nor WAYLAND_DISPLAY is set";
}

[[noreturn]] void endWithoutDisplay() {
    Diagnostic d;
    d.code = "CLI-002";
    d.message = reason();
    d.hint =
        "start it on a desktop; `memplan-studio --screenshot gantt=gantt.png FILE` and `memplan compile FILE` need "
        "no display";
    cli::Streams streams{std::cout, std::cerr, false, held.jsonErrors, {}, "memplan-studio"};
    cli::Reporter(streams).print("", d);
    std::cerr.flush();
    // Nothing was made yet that would have to be put away, and Qt would abort behind this.
    std::_Exit(exitStatusOf(d.code));
}

void hold(QtMsgType type, const QMessageLogContext& context, const QString& text) {
    (void)context;
    if (type == QtFatalMsg) endWithoutDisplay();
    held.messages.emplace_back(type, text);
}

}  // namespace

DisplayGuard::DisplayGuard(bool jsonErrors) {
    held.jsonErrors = jsonErrors;
    held.before = qInstallMessageHandler(hold);
}

DisplayGuard::~DisplayGuard() {
    qInstallMessageHandler(held.before);
    for (const auto& [type, text] : held.messages) {
        if (held.before != nullptr) held.before(type, {}, text);
    }
    held.messages.clear();
}

}  // namespace memplan::app
