// SPDX-License-Identifier: GPL-3.0-or-later
// Settings as a form, from the engine's own description: name, control by type, range and help; a value that differs
// from the default is set in strong type and has an arrow back (user-experience 12.1).
#pragma once

#include "engine/settings/settings.h"

#include <QString>
#include <QWidget>

#include <vector>

class QLabel;
class QToolButton;

namespace memplan::ui {

class ParameterList final : public QWidget {
    Q_OBJECT
public:
    explicit ParameterList(QWidget* parent = nullptr);
    /// Rebuilds the form when the keys differ, else takes the values over.
    void show(const std::vector<QString>& keys, const Settings& settings);

signals:
    void changed(const QString& key, const QString& value);

private:
    struct Row {
        QString key;
        QLabel* label = nullptr;
        QWidget* field = nullptr;
        QToolButton* reset = nullptr;
        QLabel* note = nullptr;  ///< what its value means, where that needs words
    };
    void build(const std::vector<QString>& keys);
    [[nodiscard]] QWidget* makeField(const SettingInfo& info);
    void fill(Row& row, const Settings& settings);

    std::vector<Row> rows_;
    bool filling_ = false;
};

}  // namespace memplan::ui
