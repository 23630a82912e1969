// SPDX-License-Identifier: GPL-3.0-or-later
// What tests of the whole window share: the program as it starts, samples, waiting for a plan, finding things by name,
// pictures for the eye.
#pragma once

#include "core/studio_style.h"
#include "io/samples.h"
#include "main_window.h"

#include <QApplication>
#include <QStandardPaths>
#include <QtTest>

#include <vector>

namespace memplan::app {

/// Settings of the tests' own and the light theme; the samples that come with the program.
inline std::vector<io::SampleInfo> prepareProgram(const char* name = nullptr) {
    QCoreApplication::setOrganizationName(QStringLiteral("memplan-studio-tests"));
    if (name != nullptr) QCoreApplication::setApplicationName(QString::fromLatin1(name));
    QStandardPaths::setTestModeEnabled(true);
    QApplication::setStyle(new ui::StudioStyle(ui::Theme(ui::ThemeKind::Light)));
    return io::listSamples();
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

[[nodiscard]] inline BufferId bufferNamed(const Plan& plan, const std::string& name) {
    for (std::size_t i = 0; i < plan.buffers.size(); ++i)
        if (plan.buffers[i].name == name) return BufferId::of(i);
    return {};
}

[[nodiscard]] inline OpId opNamed(const Plan& plan, const std::string& name) {
    for (std::size_t i = 0; i < plan.ops.size(); ++i)
        if (plan.ops[i].name == name) return OpId::of(i);
    return {};
}

/// Writes what the window looks like into the folder that MEMPLAN_PICTURES names (UX 24: "with pictures").
inline void takePicture(QWidget& window, const QString& name) {
    const QString folder = qEnvironmentVariable("MEMPLAN_PICTURES");
    if (folder.isEmpty()) return;
    QTest::qWait(400);
    QVERIFY(window.grab().save(QStringLiteral("%1/%2.png").arg(folder, name)));
}

}  // namespace memplan::app
