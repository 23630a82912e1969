// SPDX-License-Identifier: GPL-3.0-or-later
// An input over a default limit (user-experience 19.8, inputs-and-interchange 7): which limit it passed, and the
// question whether to raise it, for all of the input or for a part.
#pragma once

#include "engine/base/result.h"
#include "engine/graph/cut.h"

#include <QDialog>
#include <QString>

#include <optional>
#include <string>
#include <utility>
#include <vector>

class QLineEdit;
class QPushButton;
class QRadioButton;
class QVBoxLayout;

namespace memplan::app {

/// A limit on the size of an input that an import passed.
struct PassedLimit {
    QString key;             ///< setting: "limits.graph_ops"
    QString unit;            ///< what it counts: "operations", "bytes"
    qint64 limit = 0;        ///< in force when it was passed
    qint64 hardMaximum = 0;  ///< what the setting can be raised to
    std::optional<qint64> found;

    /// False when the limit is at its hard maximum, or what was found is beyond that.
    [[nodiscard]] bool canBeRaised() const { return limit < hardMaximum && (!found || *found <= hardMaximum); }
    [[nodiscard]] QString sentence() const;  ///< "120 000 operations, the limit is 100 000 (limits.graph_ops)"
    [[nodiscard]] QString refusal() const;   ///< why it cannot be opened, naming the hard limit
};

/// nullopt when the error is about something else. `settings` are those that the file was opened with.
[[nodiscard]] std::optional<PassedLimit> passedLimit(const QString& path, const Error& error,
                                                     const std::vector<std::pair<std::string, std::string>>& settings);

class LargeInputDialog final : public QDialog {
    Q_OBJECT
public:
    /// `before` fills the fields again when a second limit is passed with the same choice.
    LargeInputDialog(const QString& path, const PassedLimit& limit, const GraphCut& before, QWidget* parent = nullptr);
    [[nodiscard]] GraphCut cut() const;  ///< empty = all of it
    [[nodiscard]] std::pair<std::string, std::string> raised() const;

private:
    void buildChoice(QVBoxLayout* column, const GraphCut& before);
    void offer();

    PassedLimit limit_;
    QRadioButton* all_ = nullptr;
    QRadioButton* part_ = nullptr;
    QLineEdit* first_ = nullptr;
    QLineEdit* last_ = nullptr;
    QLineEdit* prefix_ = nullptr;
    QPushButton* open_ = nullptr;
};

}  // namespace memplan::app
