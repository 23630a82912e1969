// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/features/notes/log_view.h"

#include "widgets/kit/theme/theme.h"

#include <QMutex>
#include <QScrollBar>
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

LogView::LogView(QWidget* parent) : QPlainTextEdit(parent) {
    setObjectName(QStringLiteral("logView"));
    setAccessibleName(tr("Log"));
    setReadOnly(true);
    setFrameShape(QFrame::NoFrame);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setMaximumBlockCount(Log::kMostLines);
    setTabChangesFocus(true);
    setFont(ui::themeOf(this).font(ui::TextStyle::Fixed));
    setPlainText(Log::instance().tail(Log::kMostLines).join(QLatin1Char('\n')));
    connect(
        &Log::instance(), &Log::added, this,
        [this](const QString& line) {
            const bool atEnd = verticalScrollBar()->value() == verticalScrollBar()->maximum();
            appendPlainText(line);
            if (atEnd) verticalScrollBar()->setValue(verticalScrollBar()->maximum());
        },
        Qt::QueuedConnection);
}

}  // namespace memplan::app
