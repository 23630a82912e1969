// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tools/hints/hint_delegate.h"

#include "widgets/plan/units.h"
#include "widgets/tools/hints/editor/hint_value_field.h"
#include "widgets/tools/hints/hint_model.h"

#include <QAbstractProxyModel>
#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPointer>

namespace memplan::ui {

namespace {

constexpr const char* kOk = "valueIsAllowed";

const HintModel::Row* rowOf(const QModelIndex& index) {
    QModelIndex at = index;
    const QAbstractItemModel* model = at.model();
    while (const auto* proxy = qobject_cast<const QAbstractProxyModel*>(model)) {
        at = proxy->mapToSource(at);
        model = proxy->sourceModel();
    }
    const auto* hints = qobject_cast<const HintModel*>(model);
    return hints == nullptr || !at.isValid() ? nullptr : &hints->row(at.row());
}

}  // namespace

HintDelegate::HintDelegate(HintContext& context, QObject* parent)
    : QStyledItemDelegate(parent), context_(context), cells_(new CellDelegate(this)) {}

QWidget* HintDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex& index) const {
    const HintModel::Row* row = rowOf(index);
    if (row == nullptr) return nullptr;
    if (index.column() == HintModel::Comment) {
        auto* edit = new QLineEdit(parent);
        edit->setAccessibleName(tr("Comment"));
        edit->setMaxLength(4096);
        return edit;
    }
    const hints::KindInfo* kind = hints::kindOf(row->hint, context_.target());
    if (index.column() != HintModel::Value || kind == nullptr || kind->type == hints::ValueType::True) return nullptr;
    std::vector<hints::Scope> scopes;
    for (const std::string& text : row->hint.scopes)
        if (const auto scope = hints::parseScope(text)) scopes.push_back(*scope);
    auto* field = new HintValueField(parent);
    field->setHexAddresses(context_.hexAddresses());
    field->setKind(kind, context_.allowed(*kind, scopes));
    connect(field, &HintValueField::valueEdited, this, [this, field, hint = row->hint] {
        const HintCheck check = judge(field, hint);
        field->setWrong(!check.ok);
        field->setProperty(kOk, check.ok);
        emit checked(check);
    });
    return field;
}

HintCheck HintDelegate::judge(const QWidget* editor, const Hint& hint) const {
    const auto* field = qobject_cast<const HintValueField*>(editor);
    if (field == nullptr) return {};
    const ReadValue read = field->value();
    if (!read.value) return {false, false, false, read.why.left(1).toUpper() + read.why.mid(1) + u'.'};
    Hint candidate = hint;
    candidate.value = *read.value;
    return context_.check(candidate);
}

void HintDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const {
    if (auto* field = qobject_cast<HintValueField*>(editor)) {
        // A list that closes over the pointer would come up again and again: set once.
        if (field->property(kOk).isValid()) return;
        field->setValue(index.data(Qt::EditRole).value<HintValue>());
        field->setProperty(kOk, true);
        if (field->lineEdit() != nullptr) field->lineEdit()->selectAll();
        return;
    }
    if (auto* edit = qobject_cast<QLineEdit*>(editor)) edit->setText(index.data(Qt::EditRole).toString());
}

void HintDelegate::setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const {
    const auto* field = qobject_cast<HintValueField*>(editor);
    if (field == nullptr) {
        if (const auto* edit = qobject_cast<QLineEdit*>(editor)) model->setData(index, edit->text());
        return;
    }
    const HintModel::Row* row = rowOf(index);
    const ReadValue read = field->value();
    if (row != nullptr && read.value && judge(field, row->hint).ok)
        model->setData(index, QVariant::fromValue(*read.value));
}

bool HintDelegate::eventFilter(QObject* watched, QEvent* event) {
    auto* field = qobject_cast<HintValueField*>(watched);
    if (field != nullptr && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        const bool leaves = key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Tab;
        if (leaves && !field->property(kOk).toBool()) return true;
    }
    if (field != nullptr && event->type() == QEvent::FocusOut && !field->property(kOk).toBool()) {
        const auto* popup = QApplication::activePopupWidget();
        if (popup != nullptr) return false;
        emit closeEditor(field, QAbstractItemDelegate::RevertModelCache);
        return true;
    }
    return QStyledItemDelegate::eventFilter(watched, event);
}

void HintDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option, const QModelIndex&) const {
    // A value needs room to be read while it is typed, whatever the column has.
    QRect room = option.rect.adjusted(0, 0, 0, -1);
    room.setWidth(std::max(room.width(), themeOf(editor).px(150)));
    editor->setGeometry(room);
}

void HintDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    cells_->paint(painter, option, index);
}

QSize HintDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    return cells_->sizeHint(option, index);
}

bool HintDelegate::helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                             const QModelIndex& index) {
    return cells_->helpEvent(event, view, option, index);
}

}  // namespace memplan::ui
