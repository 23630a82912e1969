// SPDX-License-Identifier: GPL-3.0-or-later
// Difference of two neighbouring snapshots (user-experience 14.3): side by side or unified, only the
// changes with three lines around them or everything, with marked words; J and K step.
#pragma once

#include "widgets/views/passes/snapshot/snapshot_edit.h"

#include <QWidget>

class QLabel;

namespace memplan::ui {

class Chip;

class PassDiff final : public QWidget {
    Q_OBJECT
public:
    explicit PassDiff(QWidget* parent = nullptr);
    void setTexts(const QString& beforeName, const QString& before, const QString& afterName, const QString& after);
    [[nodiscard]] int changeCount() const { return static_cast<int>(changeStarts_.size()); }
    void step(int direction);
    [[nodiscard]] bool isUnified() const;
    void setUnified(bool on);
    [[nodiscard]] DiffForm form() const;

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] QWidget* buildBar();
    [[nodiscard]] QWidget* buildSides();
    void rebuild();
    void showChange();

    SnapshotLines before_, after_;
    std::vector<DiffRow> diff_;
    std::vector<int> changeStarts_;  ///< row of the text where each change begins
    int at_ = -1;
    Chip* sides_;
    Chip* unified_;
    Chip* changedOnly_;
    Chip* words_;
    QLabel* place_;
    QLabel* beforeHead_;
    QLabel* afterHead_;
    QLabel* same_;
    QWidget* left_;
    SnapshotEdit* beforeText_;
    SnapshotEdit* afterText_;
    QString beforeName_, afterName_;
};

}  // namespace memplan::ui
