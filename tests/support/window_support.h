// SPDX-License-Identifier: GPL-3.0-or-later
// What tests of the whole window share: the program as it starts, a window, samples, waiting for a plan, finding things
// by name, pictures for the eye.
#pragma once

#include "app/gui/window/main_window.h"
#include "app/gui/workspace/workspace.h"
#include "engine/io/samples.h"
#include "tests/support/hint_support.h"
#include "tests/support/plan_lookup.h"
#include "tests/support/waiting.h"
#include "widgets/kit/style/studio_style.h"

#include <QApplication>
#include <QCoreApplication>
#include <QDockWidget>
#include <QFile>
#include <QIODevice>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <string>
#include <vector>

namespace memplan::app {

using test::bufferNamed;
using test::opNamed;

/// Settings of this run's own, which no other run of the same test shares, and the light theme; the samples that come
/// with the program.
inline std::vector<io::SampleInfo> prepareProgram(const char* name = nullptr) {
    QCoreApplication::setOrganizationName(QStringLiteral("memplan-studio-tests"));
    if (name != nullptr) QCoreApplication::setApplicationName(QString::fromLatin1(name));
    static const QTemporaryDir home;
    qputenv("HOME", home.path().toUtf8());
    QStandardPaths::setTestModeEnabled(true);
    QApplication::setStyle(new ui::StudioStyle(ui::Theme(ui::ThemeKind::Light)));
    return io::listSamples();
}

[[nodiscard]] inline QByteArray contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Waits until a plan is on screen, fresh or not, and nothing runs.
[[nodiscard]] inline bool waitForAnyPlan(DocumentController& controller, int milliseconds = 30000) {
    return QTest::qWaitFor(
        [&controller] {
            const Document* d = controller.document();
            return d != nullptr && d->current() != nullptr && !controller.task().isRunning();
        },
        milliseconds);
}

/// Waits until the document has the plan of its inputs and nothing runs.
[[nodiscard]] inline bool waitForPlan(MainWindow& window, int milliseconds = 30000) {
    return QTest::qWaitFor(
        [&window] {
            const Document* d = window.controller().document();
            return d != nullptr && d->current() != nullptr && !window.controller().task().isRunning() &&
                   d->state() == PlanState::Fresh;
        },
        milliseconds);
}

/// Opens a sample and waits for its first picture and the end of its compiles. False where it is not there.
[[nodiscard]] inline bool openSample(MainWindow& window, const io::SampleInfo* sample) {
    if (sample == nullptr) return false;
    QSignalSpy first(&window, &MainWindow::firstPicture);
    window.openSample(*sample);
    return (first.count() > 0 || first.wait(60000)) &&
           QTest::qWaitFor([&window] { return !window.controller().task().isRunning(); }, 60000);
}

/// In front of all others, as large as on a usual screen.
[[nodiscard]] inline bool showInFront(MainWindow& window) {
    window.resize(1600, 1000);
    window.show();
    window.activateWindow();
    return QTest::qWaitForWindowActive(&window);
}

/// A sample with the settings of one of its variants as a plain document: one plan, made by a compile.
[[nodiscard]] inline OpenRequest sampleRequest(const io::SampleInfo& sample, const char* variant = nullptr) {
    OpenRequest request;
    request.path = QString::fromStdString(sample.path);
    request.settings = sample.settings;
    request.bindings = sample.bindings;
    for (const io::SampleVariant& v : sample.variants)
        if (variant != nullptr && v.name.starts_with(variant))
            request.settings.insert(request.settings.end(), v.settings.begin(), v.settings.end());
    return request;
}

[[nodiscard]] inline Hint pin(const std::string& tensor) {
    Hint hint;
    hint.target = "spyre";
    hint.scopes = {"tensor:" + tensor};
    hint.key = "pin";
    hint.value = test::hintValue("true");
    return hint;
}

/// Names of the docks that are not hidden, sorted.
[[nodiscard]] inline QStringList shownDocks(const MainWindow& window) {
    QStringList names;
    for (const QDockWidget* dock : window.findChildren<QDockWidget*>())
        if (!dock->isHidden()) names << dock->objectName();
    names.sort();
    return names;
}

/// Writes what the window looks like into the folder that MEMPLAN_PICTURES names (UX 24: "with pictures").
inline void takePicture(MainWindow& window, const QString& name) {
    const QString folder = qEnvironmentVariable("MEMPLAN_PICTURES");
    if (folder.isEmpty()) return;
    QVERIFY(QTest::qWaitFor([&window] { return window.workspace().isSettled(); }));
    test::finishLayouts();
    QVERIFY(window.grab().save(QStringLiteral("%1/%2.png").arg(folder, name)));
}

/// One window, which each test has anew.
class WindowSupport {
protected:
    /// As large as on a usual screen; other arrangements make their own window_.
    [[nodiscard]] bool showWindow() {
        window_ = std::make_unique<MainWindow>(samples_);
        window_->resize(1600, 1000);
        window_->show();
        return QTest::qWaitForWindowExposed(window_.get());
    }
    [[nodiscard]] bool settled() const { return waitForPlan(*window_); }
    [[nodiscard]] Document& document() const { return *window_->controller().document(); }
    [[nodiscard]] ui::SelectionHub& hub() const { return window_->controller().hub(); }
    [[nodiscard]] BufferId buffer(const char* name) const { return bufferNamed(*hub().plan(), name); }

    std::vector<io::SampleInfo> samples_;
    std::unique_ptr<MainWindow> window_;
};

}  // namespace memplan::app
