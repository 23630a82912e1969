// SPDX-License-Identifier: GPL-3.0-or-later
// Help beside the window: topics with a filter at the left, the page at the right. It stays open.
#pragma once

#include "engine/plan/plan.h"

#include <QDialog>

#include <functional>

class QLineEdit;
class QListWidget;
class QTextBrowser;

namespace memplan::app {

class HelpWindow final : public QDialog {
    Q_OBJECT
public:
    /// `plan` gives the plan whose occurrences the pages of codes list; may give null.
    explicit HelpWindow(std::function<PlanPtr()> plan, QWidget* parent = nullptr);
    void showTopic(const QString& id);
    [[nodiscard]] QString topic() const { return topic_; }
    /// Markdown of the topic "keys", which the window knows.
    void setKeysPage(std::function<QString()> page) { keys_ = std::move(page); }

private:
    void fill(const QString& filter);

    std::function<PlanPtr()> plan_;
    std::function<QString()> keys_;
    QLineEdit* filter_;
    QListWidget* list_;
    QTextBrowser* page_;
    QString topic_;
};

}  // namespace memplan::app
