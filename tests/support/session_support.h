// SPDX-License-Identifier: GPL-3.0-or-later
// What tests of saved, recovered and reopened documents share: samples, a note to lose, and an answer to the
// question that is about to be asked.
#pragma once

#include "tests/support/window_support.h"

#include <QFile>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTimer>
#include <QTreeWidget>

#include <string>
#include <vector>

namespace memplan::app {

inline const NoteSubject kExp{QStringLiteral("buffer"), QStringLiteral("exp")};

class SessionSupport {
protected:
    /// A plan is on screen, fresh or not.
    [[nodiscard]] static bool ready(MainWindow& window) { return waitForAnyPlan(window.controller()); }

    [[nodiscard]] bool openSample(MainWindow& window, const char* id) const {
        window.openSample(*io::findSample(samples_, id));
        return ready(window);
    }

    [[nodiscard]] QString copyOfSample(const QTemporaryDir& folder, const char* id) const {
        const QString path = folder.filePath(QString::fromLatin1(id) + QStringLiteral(".json"));
        return QFile::copy(QString::fromStdString(io::findSample(samples_, id)->path), path) &&
                       QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner)
                   ? path
                   : QString();
    }

    /// Presses a button of the question that is about to be asked; its lines are in `asked_` then.
    void answer(const QString& button) {
        QTimer::singleShot(0, qApp, [this, button] {
            QWidget* dialog = QApplication::activeModalWidget();
            if (dialog == nullptr) return answer(button);
            asked_.clear();
            auto* list = dialog->findChild<QTreeWidget*>(QStringLiteral("lossList"));
            for (QTreeWidgetItemIterator it(list); *it; ++it)
                asked_ << (*it)->text(0);
            for (QPushButton* b : dialog->findChildren<QPushButton*>())
                if (b->text().remove(QLatin1Char('&')) == button) return b->click();
        });
    }

    std::vector<io::SampleInfo> samples_;
    QStringList asked_;  ///< lines of the last question
};

}  // namespace memplan::app
