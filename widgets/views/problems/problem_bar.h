// SPDX-License-Identifier: GPL-3.0-or-later
// What the table of problems shows of them: by severity with its count, by pass, by text, in groups (user-experience
// 15.1).
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/plan/plan.h"

#include <QWidget>

#include <array>
#include <set>
#include <vector>

class QComboBox;
class QLineEdit;

namespace memplan::ui {

class Chip;

using SeverityCounts = std::array<int, 3>;  ///< errors, warnings, notes
/// "3 warnings, 2 notes", "no problems".
[[nodiscard]] QString severityText(const SeverityCounts& counts);

class ProblemBar final : public QWidget {
    Q_OBJECT
public:
    explicit ProblemBar(QWidget* parent = nullptr);

    /// The passes that problems come from; the chosen one stays where it is among them.
    void fill(const SeverityCounts& counts, const std::set<QString>& passes, const std::vector<PassRun>& runs);
    [[nodiscard]] bool isShown(Severity severity) const;
    [[nodiscard]] QString pass() const;  ///< empty = all
    void setShown(Severity severity, bool shown);
    void setPass(const QString& pass);
    void setText(const QString& text);
    void setGrouped(bool on);
    void setTextHint(const QString& text);

signals:
    void filterChanged();
    void groupedChanged(bool on);
    void textChanged(const QString& text);

private:
    std::array<Chip*, 3> severities_{};
    Chip* grouped_;
    QComboBox* passes_;
    QLineEdit* filter_;
};

}  // namespace memplan::ui
