// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/features/notes/log_view.h"

#include "app/gui/tasks/log.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/kit/theme/theme.h"

#include <QScrollBar>

namespace memplan::app {

LogView::LogView(QWidget* parent) : QPlainTextEdit(parent) {
    setObjectName(QStringLiteral("logView"));
    setAccessibleName(tr("Log"));
    setReadOnly(true);
    setFrameShape(QFrame::NoFrame);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setMaximumBlockCount(Log::kMostLines);
    setTabChangesFocus(true);
    ui::withScale(this, [this](const ui::Theme& theme) { setFont(theme.font(ui::TextStyle::Fixed)); });
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
