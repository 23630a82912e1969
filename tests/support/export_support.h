// SPDX-License-Identifier: GPL-3.0-or-later
// A window with a plan, the export dialog on it and a folder to write into.
#pragma once

#include "app/gui/features/export/export_dialog.h"
#include "engine/io/samples.h"
#include "tests/support/window_support.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

namespace memplan::app {

class ExportSupport : protected WindowSupport {
protected:
    [[nodiscard]] bool begin() {
        folder_ = std::make_unique<QTemporaryDir>();
        return showWindow() && folder_->isValid();
    }
    void end() {
        window_.reset();
        folder_.reset();
    }
    [[nodiscard]] bool openPath(const QString& path) {
        OpenRequest request;
        request.path = path;
        window_->controller().open(request);
        return settled();
    }
    [[nodiscard]] bool openSample(const char* id) {
        const io::SampleInfo* sample = io::findSample(samples_, id);
        return sample != nullptr && openPath(QString::fromStdString(sample->path));
    }
    [[nodiscard]] std::unique_ptr<ExportDialog> dialog(ExportWhat what) const {
        auto d = std::make_unique<ExportDialog>(window_->controller(), window_->workspace(),
                                                window_->workspace().focusedView(), nullptr);
        d->setWhat(what);
        return d;
    }
    std::unique_ptr<QTemporaryDir> folder_;
};

}  // namespace memplan::app
