// SPDX-License-Identifier: GPL-3.0-or-later
// Completion of the name under the cursor in a field with several names parted by commas.
#pragma once

#include <QObject>
#include <QStringList>

class QCompleter;
class QLineEdit;
class QStringListModel;

namespace memplan::ui {

class TokenCompleter final : public QObject {
    Q_OBJECT
public:
    explicit TokenCompleter(QLineEdit* field);
    void setNames(const QStringList& names);
    [[nodiscard]] const QStringList& names() const { return names_; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void offer(bool evenEmpty);
    void take(const QString& name);
    [[nodiscard]] QString token() const;  ///< trimmed text between the commas round the cursor

    QLineEdit* field_;
    QCompleter* completer_;
    QStringListModel* model_;
    QStringList names_;
};

}  // namespace memplan::ui
