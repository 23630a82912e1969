// SPDX-License-Identifier: GPL-3.0-or-later
// Asks the layout program for positions without blocking the window (user-experience 5.4;
// architecture 8.9): deadline, kill, cache by content, built-in layout as fallback with a note.
#pragma once

#include "widgets/graphlayout/layout_graph.h"

#include <QByteArray>
#include <QHash>
#include <QObject>
#include <QString>
#include <QTimer>

#include <exception>
#include <functional>
#include <memory>

class QProcess;
class QThread;

namespace memplan::ui {

enum class LayoutPatience { Automatic, Anyway };  ///< deadline 1.5 s or 60 s

/// A finished layout. `note` says why the built-in layout was used, empty when dot did it.
struct LayoutOutcome {
    graphlayout::LayoutResult result;
    QString note;
    bool isBuiltIn = false;
};

class LayoutClient : public QObject {
    Q_OBJECT
public:
    static constexpr int kAutomaticMs = 1500;
    static constexpr int kAnywayMs = 60000;
    static constexpr int kLargestForDot = 1000;  ///< above this dot takes too long (performance 3)

    explicit LayoutClient(QObject* parent = nullptr);
    ~LayoutClient() override;

    /// Starts a layout and stops the one before. `finished` follows later, never from inside this call.
    void request(graphlayout::LayoutGraph graph, LayoutPatience patience);
    /// Kills a running layout; nothing is emitted for it.
    void cancel();
    [[nodiscard]] bool isRunning() const { return process_ != nullptr || worker_ != nullptr; }
    [[nodiscard]] int cachedCount() const { return static_cast<int>(cache_.size()); }

    /// For tests and for unusual installations; empty = look beside the program and in ../libexec.
    void setProgram(const QString& path) { program_ = path; }
    /// In place of graphlayout::layeredLayout, for tests.
    void setBuiltIn(std::function<graphlayout::LayoutResult(const graphlayout::LayoutGraph&)> layout) {
        builtIn_ = std::move(layout);
    }
    void setDeadlines(int automaticMs, int anywayMs);
    /// Full path of memplan-layout, empty when it is not installed.
    [[nodiscard]] static QString findProgram();

signals:
    void finished(const memplan::ui::LayoutOutcome& outcome);
    void failed();  ///< the built-in layout ended with a fault, which is reported too; no layout comes

private:
    struct Job {
        graphlayout::LayoutGraph graph;
        QByteArray request;
        QByteArray key;
        quint64 number = 0;
    };

    void startProgram(const QString& program, int deadlineMs);
    void readAnswer(int exitCode, bool crashed);
    void fallBack(const QString& note);
    void giveUp(const std::exception_ptr& fault);
    void deliver(LayoutOutcome outcome, quint64 number);
    void dropProcess();
    void dropWorker();

    QString program_;
    int automaticMs_ = kAutomaticMs;
    int anywayMs_ = kAnywayMs;
    std::shared_ptr<const Job> job_;
    quint64 nextNumber_ = 1;
    QProcess* process_ = nullptr;
    QThread* worker_ = nullptr;
    std::function<graphlayout::LayoutResult(const graphlayout::LayoutGraph&)> builtIn_;
    QTimer deadline_;
    QHash<QByteArray, LayoutOutcome> cache_;
    QList<QByteArray> cacheOrder_;
};

}  // namespace memplan::ui
