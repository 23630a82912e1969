// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/help/help_window.h"

#include "app/gui/help/drawing.h"
#include "app/gui/help/help_pages.h"
#include "widgets/kit/controls/window_size.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/kit/theme/theme.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QSignalBlocker>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextTable>
#include <QVBoxLayout>

namespace memplan::app {

namespace {

/// Markdown sets words of neighbouring cells against each other and headings against the text above them.
void spaceOut(QTextDocument& page, const ui::Theme& theme) {
    for (QTextFrame* frame : page.rootFrame()->childFrames()) {
        auto* table = qobject_cast<QTextTable*>(frame);
        if (table == nullptr) continue;
        QTextTableFormat format = table->format();
        format.setCellPadding(theme.px(4));
        format.setCellSpacing(0);
        format.setBorderCollapse(true);
        table->setFormat(format);
    }
    for (QTextBlock block = page.begin().next(); block.isValid(); block = block.next()) {
        QTextBlockFormat format = block.blockFormat();
        if (format.headingLevel() == 0) continue;
        format.setTopMargin(theme.px(14));
        format.setBottomMargin(theme.px(4));
        QTextCursor(block).setBlockFormat(format);
    }
}

}  // namespace

HelpWindow::HelpWindow(std::function<PlanPtr()> plan, QWidget* parent) : QDialog(parent), plan_(std::move(plan)) {
    setObjectName(QStringLiteral("helpWindow"));
    setWindowTitle(tr("Help"));
    const ui::Theme& theme = ui::themeOf(this);
    filter_ = new QLineEdit(this);
    filter_->setPlaceholderText(tr("Filter topics and codes"));
    filter_->setAccessibleName(filter_->placeholderText());
    filter_->addAction(ui::icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    list_ = new QListWidget(this);
    list_->setAccessibleName(tr("Topics"));
    list_->setFrameShape(QFrame::NoFrame);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    page_ = new HelpPage(this);
    page_->setObjectName(QStringLiteral("helpPage"));
    page_->setAccessibleName(tr("Page"));
    page_->setFrameShape(QFrame::NoFrame);
    page_->setOpenLinks(false);
    page_->document()->setDocumentMargin(theme.px(20));
    auto* side = new QVBoxLayout;
    side->setSpacing(theme.px(6));
    side->setContentsMargins(theme.px(10), theme.px(10), 0, theme.px(10));
    side->addWidget(filter_);
    side->addWidget(list_, 1);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(theme.px(10));
    row->addLayout(side, 3);
    row->addWidget(page_, 7);
    connect(filter_, &QLineEdit::textChanged, this, &HelpWindow::fill);
    connect(list_, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
        if (item != nullptr) showTopic(item->data(Qt::UserRole).toString());
    });
    connect(page_, &QTextBrowser::anchorClicked, this,
            [this](const QUrl& link) { showTopic(helpTopicOf(link.toString())); });
    fill({});
    ui::setScaledWindowSize(this, 900, 640);
}

void HelpWindow::fill(const QString& filter) {
    const QSignalBlocker blocker(list_);
    list_->clear();
    std::vector<HelpTopic> topics = helpTopics();
    topics.insert(topics.begin() + 3, {QStringLiteral("keys"), tr("Keys")});
    for (const HelpTopic& topic : topics) {
        if (!topic.title.contains(filter, Qt::CaseInsensitive)) continue;
        auto* item = new QListWidgetItem(topic.title, list_);
        item->setData(Qt::UserRole, topic.id);
        item->setToolTip(topic.title);
        if (topic.id == topic_) list_->setCurrentItem(item);
    }
}

void HelpWindow::showTopic(const QString& id) {
    const PlanPtr plan = plan_ ? plan_() : nullptr;
    const QString text = id == u"keys" && keys_ ? keys_() : helpPage(id, plan.get());
    if (text.isEmpty()) return;
    topic_ = id;
    page_->setMarkdown(text);
    spaceOut(*page_->document(), ui::themeOf(this));
    const QSignalBlocker blocker(list_);
    for (int i = 0; i < list_->count(); ++i) {
        if (list_->item(i)->data(Qt::UserRole).toString() == id) list_->setCurrentRow(i);
    }
}

}  // namespace memplan::app
