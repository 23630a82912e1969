// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/tasks/log.h"

#include <QMutex>
#include <QTime>

#include <cstdio>

namespace memplan::app {
namespace {

QMutex& guard() {
    static QMutex mutex;
    return mutex;
}

void takeMessage(QtMsgType, const QMessageLogContext&, const QString& text) {
    std::fprintf(stderr, "%s\n", qPrintable(text));
    Log::instance().add(text);
}

}  // namespace

Log& Log::instance() {
    static Log log;
    return log;
}

void Log::add(const QString& line) {
    const QString dated = QTime::currentTime().toString(QStringLiteral("HH:mm:ss.zzz  ")) + line;
    {
        const QMutexLocker lock(&guard());
        lines_ << dated;
        if (lines_.size() > kMostLines) lines_.remove(0, lines_.size() - kMostLines);
    }
    emit added(dated);
}

QStringList Log::tail(int lines) const {
    const QMutexLocker lock(&guard());
    return lines_.mid(qMax<qsizetype>(0, lines_.size() - lines));
}

void Log::takeMessages() {
    qInstallMessageHandler(takeMessage);
}

}  // namespace memplan::app
