// SPDX-License-Identifier: GPL-3.0-or-later
// One error of a file in its place (design-system 9.3, picture k2): where, the lines around it with the wrong part
// underlined, what was found and what to do.
#pragma once

#include "engine/base/diagnostic.h"

#include <QFrame>

class QLabel;

namespace memplan::app {

class SourceLines;

class SourceCard final : public QFrame {
    Q_OBJECT
public:
    explicit SourceCard(QWidget* parent = nullptr);
    /// `index` of `count` errors of the file with this text (sourceText); `fix` in place of the diagnostic's own hint.
    void show(const QByteArray& text, const Diagnostic& error, int index, int count, const QString& fix);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QLabel* count_;
    QLabel* place_;
    QLabel* path_;
    SourceLines* lines_;
    QLabel* what_;
    QLabel* fix_;
    QLabel* fixName_;
};

}  // namespace memplan::app
