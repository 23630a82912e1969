// SPDX-License-Identifier: GPL-3.0-or-later
// New from template (user-experience 4.1): choose a graph, give its numbers, save it as a neutral graph
// file, which is then open.
#pragma once

#include <QDialog>

#include <vector>

class QFormLayout;
class QLabel;
class QListWidget;
class QPushButton;
class QSpinBox;

namespace memplan::app {

class TemplateDialog final : public QDialog {
    Q_OBJECT
public:
    explicit TemplateDialog(QWidget* parent = nullptr);
    void choose(const QString& id);
    /// Writes the graph; false with a sentence at the foot of the dialog when it cannot.
    bool writeTo(const QString& path);

signals:
    void created(const QString& path);

private:
    void showTemplate(int index);
    void showFacts();
    void askAndWrite();
    [[nodiscard]] std::vector<std::int64_t> values() const;

    QListWidget* list_;
    QLabel* sentence_;
    QWidget* form_;
    QLabel* facts_;
    QLabel* error_;
    QPushButton* create_;
    std::vector<QSpinBox*> fields_;
    int at_ = 0;
};

}  // namespace memplan::app
