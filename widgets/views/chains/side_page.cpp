// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/chains/side_page.h"

#include "widgets/kit/controls/wrapped_label.h"
#include "widgets/kit/theme/scaled.h"

#include <QHeaderView>
#include <QLabel>
#include <QStandardItemModel>
#include <QTableView>
#include <QVBoxLayout>

namespace memplan::ui {

namespace {

constexpr int kMargin = 10, kRow = 24;

}  // namespace

SidePage::SidePage(ChainView* view, QWidget* parent) : QWidget(parent), view_(view), column_(new QVBoxLayout(this)) {
    setScaledMargins(column_, {kMargin, kMargin, kMargin, kMargin}, 6);
}

QString SidePage::nameOf(OpId op) const {
    return op.isValid() ? view_->hub()->itemName(ItemId::of(op)) : tr("entry");
}

QLabel* sideSentence(const QString& text, QWidget* parent) {
    return wrappedLabel(text, parent);
}

QLabel* sideHead(const QString& text, QWidget* parent) {
    return wrappedLabel(text, parent, TextStyle::ObjectTitle);
}

QLabel* sideNote(const QString& text, QWidget* parent) {
    return wrappedLabel(text, parent, TextStyle::Small);
}

QTableView* sideTable(QStandardItemModel* model, const QString& name, QWidget* parent) {
    auto* table = new QTableView(parent);
    table->setModel(model);
    table->setAccessibleName(name);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setShowGrid(false);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(themeOf(parent).px(kRow));
    table->horizontalHeader()->setStretchLastSection(true);
    table->horizontalHeader()->setHighlightSections(false);
    table->setFrameShape(QFrame::NoFrame);
    return table;
}

void showAllRows(QTableView* table) {
    table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    const int rows = table->model()->rowCount();
    table->setFixedHeight(themeOf(table).px(kRow) * (rows + 1) + themeOf(table).px(14));
}

}  // namespace memplan::ui
