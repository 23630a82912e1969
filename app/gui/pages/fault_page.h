// SPDX-License-Identifier: GPL-3.0-or-later
// An exception that nobody expected (user-experience 19.7): its text, the end of the log, and ways on.
// The program goes on; it never ends silently.
#pragma once

#include <QWidget>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace memplan::app {

class FaultPage final : public QWidget {
    Q_OBJECT
public:
    explicit FaultPage(QWidget* parent = nullptr);
    void show(const QString& text);
    /// The document behind the page: none, nothing unsaved, unsaved with a copy for recovery, unsaved without.
    enum class Work { None, Saved, Copied, AtRisk };
    void setDocument(Work work);

signals:
    void saveRequested();
    void goOn();

private:
    QLabel *text_, *what_;
    QPushButton* save_;
    QPlainTextEdit* log_;
};

}  // namespace memplan::app
