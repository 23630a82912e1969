// SPDX-License-Identifier: GPL-3.0-or-later
// What the program did: opened, compiled, cancelled, failed, with times (user-experience 3.2). Lines of
// Qt's message log come in too. The newest lines are kept.
#pragma once

#include <QObject>
#include <QStringList>

namespace memplan::app {

/// The one log of the program; may be written from any thread.
class Log final : public QObject {
    Q_OBJECT
public:
    static constexpr int kMostLines = 5000;

    [[nodiscard]] static Log& instance();
    void add(const QString& line);
    [[nodiscard]] QStringList tail(int lines) const;
    /// Takes Qt's warnings in and passes them on to the terminal.
    static void takeMessages();

signals:
    void added(const QString& line);

private:
    Log() = default;
    QStringList lines_;
};

}  // namespace memplan::app
