// SPDX-License-Identifier: GPL-3.0-or-later
// Tool bar of a buffer list: which instance is solved, and into how many bytes (UX 2.1; inputs-and-interchange 1.2).
// Hidden for every other document.
#pragma once

#include "app/gui/document/document.h"

#include <QToolBar>

class QLabel;
class QLineEdit;
class QSpinBox;

namespace memplan::app {

/// "65536", "65 536", "64 KiB", "1.5 MiB"; nothing for anything else and for less than one byte.
[[nodiscard]] std::optional<Bytes> bytesFromText(const QString& text);

class InstanceBar final : public QToolBar {
    Q_OBJECT
public:
    explicit InstanceBar(QWidget* parent = nullptr);
    /// Null or another kind of document hides the bar.
    void setDocument(Document* document);

private:
    void showChoice();
    void showBound();
    void takeCapacity();
    void takeIndex(int index);

    Document* document_ = nullptr;
    QSpinBox* index_;
    QLabel* name_;
    QLineEdit* capacity_;
    QLabel* bound_;
    QList<QAction*> several_;  ///< parts that only a file with several instances needs
    bool filling_ = false;
};

}  // namespace memplan::app
