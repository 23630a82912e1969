// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/document/save_question.h"

#include "widgets/kit/controls/window_size.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/kit/theme/theme.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace memplan::app {

namespace {

QString question(const QList<UnsavedDocument>& documents) {
    if (documents.size() == 1) return QObject::tr("Save the changes of \"%1\"?").arg(documents.front().name);
    return QObject::tr("Save the changes of %1 documents?").arg(documents.size());
}

QTreeWidget* lossList(const QList<UnsavedDocument>& documents, QWidget* parent) {
    auto* list = new QTreeWidget(parent);
    list->setObjectName(QStringLiteral("lossList"));
    list->setAccessibleName(QObject::tr("What would be lost"));
    list->setHeaderHidden(true);
    list->setRootIsDecorated(documents.size() > 1);
    list->setSelectionMode(QAbstractItemView::NoSelection);
    list->setUniformRowHeights(true);
    for (const UnsavedDocument& document : documents) {
        QTreeWidgetItem* parentItem = list->invisibleRootItem();
        if (documents.size() > 1) parentItem = new QTreeWidgetItem(list, {document.name});
        for (const QString& change : document.changes)
            new QTreeWidgetItem(parentItem, {change});
    }
    list->expandAll();
    return list;
}

}  // namespace

SaveAnswer askToSave(QWidget* parent, const QList<UnsavedDocument>& documents) {
    QDialog dialog(parent);
    dialog.setObjectName(QStringLiteral("saveQuestion"));
    dialog.setWindowTitle(QObject::tr("Unsaved changes"));
    auto* box = new QVBoxLayout(&dialog);
    box->setContentsMargins(20, 18, 20, 16);
    box->setSpacing(10);
    auto* title = new QLabel(question(documents), &dialog);
    title->setFont(ui::themeOf(&dialog).font(ui::TextStyle::ObjectTitle));
    title->setWordWrap(true);
    box->addWidget(title);
    box->addWidget(new QLabel(QObject::tr("Without saving, this is lost:"), &dialog));
    box->addWidget(lossList(documents, &dialog), 1);
    auto* buttons = new QDialogButtonBox(&dialog);
    QPushButton* save = buttons->addButton(QDialogButtonBox::Save);
    QPushButton* discard = buttons->addButton(QDialogButtonBox::Discard);
    buttons->addButton(QDialogButtonBox::Cancel);
    ui::setPrimary(save);
    save->setDefault(true);
    SaveAnswer answer = SaveAnswer::Cancel;
    QObject::connect(save, &QPushButton::clicked, &dialog, [&] { answer = SaveAnswer::Save, dialog.accept(); });
    QObject::connect(discard, &QPushButton::clicked, &dialog, [&] { answer = SaveAnswer::Discard, dialog.accept(); });
    QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    box->addWidget(buttons);
    ui::setScaledWindowSize(&dialog, 460, 320);
    save->setFocus();
    dialog.exec();
    return answer;
}

}  // namespace memplan::app
