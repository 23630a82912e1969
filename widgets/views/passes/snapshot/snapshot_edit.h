// SPDX-License-Identifier: GPL-3.0-or-later
// Read-only text of a snapshot with line numbers, signs, coloured words and marked differences
// (user-experience 14.3, design-system 2.6).
#pragma once

#include "widgets/views/passes/snapshot/diff_text.h"

#include <QPlainTextEdit>

namespace memplan::ui {

class SnapshotEdit final : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit SnapshotEdit(QWidget* parent = nullptr);
    void setRows(std::vector<SnapshotRow> rows, bool markWords);
    void scrollToRow(int row);
    /// Rows of what is selected elsewhere (2.4), ascending.
    void setSelectedRows(std::vector<int> rows);
    [[nodiscard]] const std::vector<int>& selectedRows() const { return selected_; }
    [[nodiscard]] int gutterWidth() const;
    void paintGutter(QPaintEvent* event);

signals:
    void rowChosen(int row);  ///< clicked, or Enter on the line of the cursor

protected:
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void applyMarks();
    std::vector<SnapshotRow> rows_;
    std::vector<int> selected_;
    bool markWords_ = true;
    QWidget* gutter_;
};

}  // namespace memplan::ui
