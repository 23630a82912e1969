// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tools/hints/editor/hint_editor.h"

#include "widgets/kit/style/studio_style.h"
#include "widgets/plan/hints/hint_items.h"
#include "widgets/plan/units.h"
#include "widgets/tools/hints/editor/hint_value_field.h"
#include "widgets/tools/hints/editor/token_completer.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QScopedValueRollback>

#include <algorithm>

namespace memplan::ui {

using hints::KindInfo;
using hints::Scope;
using hints::ScopeKind;

namespace {

QString fromView(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

bool isOnlyDocument(const KindInfo& kind) {
    return kind.scopes.size() == 1 && kind.scopes.front() == ScopeKind::Graph;
}

}  // namespace

HintEditor::HintEditor(HintContext& context, QWidget* parent) : QWidget(parent), context_(context) {
    setObjectName(QStringLiteral("hintEditor"));
    setAccessibleName(tr("Hint"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);  // never lower than its fields
    build();
}

void HintEditor::build() {
    const Theme& theme = themeOf(this);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(theme.px(10), theme.px(6), theme.px(10), theme.px(4));
    grid->setHorizontalSpacing(theme.px(8));
    grid->setVerticalSpacing(theme.px(2));
    kinds_ = new QComboBox(this);
    kinds_->setObjectName(QStringLiteral("hintKind"));
    kinds_->setMaxVisibleItems(20);
    kinds_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    kinds_->setMinimumContentsLength(12);
    subject_ = new QLineEdit(this);
    subject_->setObjectName(QStringLiteral("hintSubject"));
    subjects_ = new TokenCompleter(subject_);
    value_ = new HintValueField(this);
    comment_ = new QLineEdit(this);
    comment_->setObjectName(QStringLiteral("hintComment"));
    comment_->setMaxLength(4096);
    comment_->setPlaceholderText(tr("why, optional"));
    commit_ = new QPushButton(tr("Add hint"), this);
    commit_->setObjectName(QStringLiteral("hintCommit"));
    setPrimary(commit_, true);
    auto* cancel = new QPushButton(tr("Cancel"), this);
    cancel->setObjectName(QStringLiteral("hintCancel"));
    int column = 0;
    const auto add = [&](QWidget* field, const QString& name, int stretch) {
        auto* label = new QLabel(name, this);
        label->setBuddy(field);
        label->setFont(theme.font(TextStyle::Small));
        label->setForegroundRole(QPalette::PlaceholderText);
        field->setAccessibleName(name);
        field->setMinimumWidth(theme.px(70));
        grid->addWidget(label, 0, column);
        grid->addWidget(field, 1, column);
        grid->setColumnStretch(column++, stretch);
    };
    add(kinds_, tr("Kind"), 3);
    add(subject_, tr("Subject"), 4);
    add(value_, tr("Value"), 4);
    add(comment_, tr("Comment"), 5);
    grid->addWidget(commit_, 1, column++);
    grid->addWidget(cancel, 1, column);
    connect(kinds_, &QComboBox::currentIndexChanged, this, &HintEditor::kindChosen);
    connect(subject_, &QLineEdit::textEdited, this, &HintEditor::subjectEdited);
    connect(value_, &HintValueField::valueEdited, this, &HintEditor::refreshCheck);
    connect(comment_, &QLineEdit::textChanged, this, &HintEditor::refreshCheck);
    connect(commit_, &QPushButton::clicked, this, &HintEditor::commit);
    connect(cancel, &QPushButton::clicked, this, &HintEditor::cancelled);
}

const KindInfo* HintEditor::kind() const {
    return hints::findKind(context_.target(), kinds_->currentData().toString().toStdString());
}

/// Kinds that fit the items come first, the others stay within reach; both in the order of hints.md 5. Without a key
/// the first that the items do not have yet is chosen.
void HintEditor::fillKinds(const QString& key) {
    const QSignalBlocker quiet(kinds_);
    kinds_->clear();
    std::vector<const KindInfo*> fitting, others;
    for (const KindInfo& k : hints::allKinds()) {
        if (k.target != context_.target()) continue;
        const bool fits = !items_.empty() && !isOnlyDocument(k) && !subjectsOfItems(k).empty();
        (fits || items_.empty() ? fitting : others).push_back(&k);
    }
    for (auto* list : {&fitting, &others})
        std::ranges::stable_sort(*list, {}, [](const KindInfo* k) { return hints::windowRank(*k); });
    const auto add = [this](const KindInfo* k) {
        kinds_->addItem(fromView(k->title), fromView(k->key));
        kinds_->setItemData(kinds_->count() - 1, fromView(k->help), Qt::ToolTipRole);
    };
    for (const KindInfo* k : fitting)
        add(k);
    if (!fitting.empty() && !others.empty()) kinds_->insertSeparator(kinds_->count());
    for (const KindInfo* k : others)
        add(k);
    // The list is as wide as its longest kind, whatever room the field has.
    int widest = 0;
    for (int i = 0; i < kinds_->count(); ++i)
        widest = std::max(widest, kinds_->fontMetrics().horizontalAdvance(kinds_->itemText(i)));
    kinds_->view()->setMinimumWidth(widest + themeOf(this).px(48));
    const auto next = std::ranges::find_if(fitting, [this](const KindInfo* k) { return !isGiven(*k); });
    const QString chosen = key.isEmpty() && next != fitting.end() ? fromView((*next)->key) : key;
    kinds_->setCurrentIndex(std::max(0, chosen.isEmpty() ? 0 : kinds_->findData(chosen)));
}

/// A hint of this kind names all items already: the same once more says nothing new.
bool HintEditor::isGiven(const KindInfo& kind) const {
    const std::vector<Scope> scopes = subjectsOfItems(kind);
    return !scopes.empty() && std::ranges::any_of(existing_, [&](const Hint& h) {
        return h.key == kind.key && std::ranges::all_of(scopes, [&](const Scope& scope) {
                   return std::ranges::any_of(
                       h.scopes, [&](const std::string& text) { return hints::parseScope(text) == scope; });
               });
    });
}

std::vector<Scope> HintEditor::subjectsOfItems(const KindInfo& kind) const {
    std::vector<Scope> scopes;
    if (!context_.plan()) return scopes;
    for (const ItemId item : items_) {
        const auto scope = scopeOf(*context_.plan(), item, kind);
        if (scope && std::ranges::find(scopes, *scope) == scopes.end()) scopes.push_back(*scope);
    }
    return scopes;
}

void HintEditor::startNew(const std::vector<ItemId>& items, const QString& key, const std::optional<HintValue>& value) {
    items_ = items;
    row_ = -1;
    base_ = Hint{};
    ownSubject_ = false;
    commit_->setText(tr("Add hint"));
    {
        const QScopedValueRollback<bool> guard(filling_, true);
        comment_->clear();
        subject_->clear();
        value_->setKind(nullptr, {});
        fillKinds(key);
        kindChosen();
        if (value) value_->setValue(*value);
    }
    refreshCheck();
    if (subject_->text().isEmpty() && subject_->isEnabled())
        subject_->setFocus();
    else if (key.isEmpty())
        kinds_->setFocus();
    else
        value_->setFocus();
}

void HintEditor::startEdit(int row, const Hint& hint) {
    items_.clear();
    row_ = row;
    base_ = hint;
    ownSubject_ = true;
    commit_->setText(tr("Save"));
    {
        const QScopedValueRollback<bool> guard(filling_, true);
        value_->setKind(nullptr, {});
        fillKinds(fromStd(hint.key));
        if (const KindInfo* k = kind()) {
            std::vector<Scope> scopes;
            for (const std::string& text : hint.scopes)
                if (const auto scope = hints::parseScope(text)) scopes.push_back(*scope);
            subject_->setText(context_.subjectText(*k, scopes));
        }
        kindChosen();
        value_->setValue(hint.value);
        comment_->setText(fromStd(hint.comment));
    }
    refreshCheck();
    value_->setFocus();
}

void HintEditor::kindChosen() {
    const KindInfo* k = kind();
    if (k == nullptr) return;
    subjects_->setNames(context_.subjectNames(*k));
    subject_->setEnabled(!isOnlyDocument(*k));
    if (isOnlyDocument(*k)) {
        subject_->setText(fromView(hints::scopeTitle(ScopeKind::Graph)));
    } else if (!ownSubject_) {
        subject_->setText(context_.subjectText(*k, subjectsOfItems(*k)));
    }
    QStringList words;
    for (const ScopeKind scope : k->scopes)
        words << fromView(hints::scopeTitle(scope));
    subject_->setPlaceholderText(k->onlyGraphInputs ? tr("graph input") : words.join(tr(" or ")));
    kinds_->setToolTip(fromView(k->help));
    refreshValue();
    refreshCheck();
}

void HintEditor::subjectEdited() {
    ownSubject_ = true;
    refreshValue();
    refreshCheck();
}

void HintEditor::refreshValue() {
    const KindInfo* k = kind();
    if (k == nullptr) return;
    value_->setKind(k, context_.allowed(*k, context_.readSubjects(*k, subject_->text())));
}

void HintEditor::unitsChanged() {
    value_->setHexAddresses(context_.hexAddresses());
}

Hint HintEditor::hint() const {
    Hint hint = base_;
    const KindInfo* k = kind();
    if (k == nullptr) return hint;
    if (row_ < 0 || hint.target.empty()) hint.target = std::string(context_.target());
    hint.key = std::string(k->key);
    hint.scopes.clear();
    for (const Scope& scope : context_.readSubjects(*k, subject_->text()))
        hint.scopes.push_back(hints::scopeText(scope));
    hint.scopeIsArray = hint.scopes.size() > 1 || (base_.scopeIsArray && row_ >= 0);
    hint.value = value_->value().value.value_or(HintValue());
    hint.comment = comment_->text().trimmed().toStdString();
    return hint;
}

HintCheck HintEditor::judge() const {
    const KindInfo* k = kind();
    if (k == nullptr) return {false, false, false, tr("This kind is not known to the target.")};
    if (context_.readSubjects(*k, subject_->text()).empty())
        return {false, false, false, tr("Name what the hint is about."), subject_->text().trimmed().isEmpty()};
    const ReadValue read = value_->value();
    const bool isEmpty = value_->isEditable() && value_->currentText().trimmed().isEmpty();
    if (!read.value) {
        QString text = isEmpty ? tr("Give a value.") : read.why.left(1).toUpper() + read.why.mid(1) + u'.';
        if (!value_->toolTip().isEmpty()) text += u' ' + tr("Allowed: %1.").arg(value_->toolTip());
        return {false, false, false, text, isEmpty};
    }
    const Hint candidate = hint();
    if (candidate.comment.size() > 4096) return {false, false, false, tr("The comment is longer than 4096 bytes.")};
    HintCheck check = context_.check(candidate);
    if (check.ok && check.isUnmatched && row_ < 0) check.ok = false;
    const bool isTwin = check.ok && std::ranges::any_of(existing_, [&](const Hint& h) {
                            return h.enabled && h.scopes == candidate.scopes && h.key == candidate.key &&
                                   h.value == candidate.value && !(row_ >= 0 && h == base_);
                        });
    return isTwin ? HintCheck{false, false, false, tr("The same hint is in the list already.")} : check;
}

void HintEditor::refreshCheck() {
    if (filling_) return;
    check_ = judge();
    value_->setWrong(!check_.ok && !check_.isOpen && (!value_->value().value || !check_.isUnmatched));
    commit_->setEnabled(check_.ok);
    emit checked();
}

void HintEditor::commit() {
    refreshCheck();
    if (check_.ok) emit committed(row_, hint());
}

void HintEditor::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) return emit cancelled();
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return commit();
    QWidget::keyPressEvent(event);
}

void HintEditor::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(Token::BgPanel));
    painter.fillRect(QRect(0, 0, width(), 1), theme.color(Token::Line1));
}

}  // namespace memplan::ui
