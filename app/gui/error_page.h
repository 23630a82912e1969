// SPDX-License-Identifier: GPL-3.0-or-later
// A file that cannot be opened gets a page, not a message box (UX 19.3, picture k2): file, place, what
// was found, the source line with a caret, the first errors, what to do next.
#pragma once

#include "base/result.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QTableWidget;
class QVBoxLayout;

namespace memplan::app {

class ErrorPage final : public QWidget {
    Q_OBJECT
public:
    explicit ErrorPage(QWidget* parent = nullptr);
    void show(const QString& path, const Error& error);

signals:
    void openAnother();
    void tryAgain();
    void backToStart();

private:
    [[nodiscard]] QString excerpt(const QString& path, const QString& where) const;

    QLabel* title_;
    QLabel* sentence_;
    QLabel* source_;
    QLabel* cure_;
    QTableWidget* errors_;
    QString details_;
};

}  // namespace memplan::app
