// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tools/hints/editor/hint_value_field.h"

#include "widgets/plan/units.h"
#include "widgets/tools/hints/editor/token_completer.h"

#include <QCompleter>
#include <QLineEdit>
#include <QScopedValueRollback>

namespace memplan::ui {

using hints::ValueType;

namespace {

constexpr std::int64_t kMostListed = 64;

bool isClosed(ValueType type) {
    return type == ValueType::True || type == ValueType::Bool || type == ValueType::Choice;
}

QString exampleOf(const hints::KindInfo& kind) {
    switch (kind.type) {
    case ValueType::Bytes:
        return QStringLiteral("16 384, 0x4000, 16 KiB");
    case ValueType::Splits:
        return QStringLiteral("c0 8, c1 4");
    case ValueType::Slices:
        return QStringLiteral("A 4");
    case ValueType::DimSizes:
        return QStringLiteral("A 1024, B 4096");
    case ValueType::DimNames:
        return QStringLiteral("A, B");
    case ValueType::OutputLayout:
        return QStringLiteral("grid 8x8, buffer l1");
    default:
        return QString::fromUtf8(kind.value.data(), static_cast<qsizetype>(kind.value.size()));
    }
}

}  // namespace

HintValueField::HintValueField(QWidget* parent) : QComboBox(parent) {
    setObjectName(QStringLiteral("hintValue"));
    setAccessibleName(tr("Value"));
    QFont asTyped;                                     // but for this as inherited
    asTyped.setStyleStrategy(QFont::PreferNoShaping);  // Inter makes a multiplication sign of the x in 0x4000
    setFont(asTyped);
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(8);
    setMaxVisibleItems(14);
    setInsertPolicy(QComboBox::NoInsert);
    connect(this, &QComboBox::currentTextChanged, this, &HintValueField::valueEdited);
}

void HintValueField::setKind(const hints::KindInfo* kind, const hints::AllowedValues& allowed) {
    const QString before = currentText();
    const bool sameKind = kind == kind_;
    kind_ = kind;
    const QSignalBlocker quiet(this);
    names_ = nullptr;
    clear();
    setEnabled(kind != nullptr);
    if (kind == nullptr) return setEditable(false);
    const bool closed = isClosed(kind->type);
    setEditable(!closed);
    fill(allowed);
    if (!closed) {
        setCompleter(nullptr);
        lineEdit()->setPlaceholderText(exampleOf(*kind));
        names_ = new TokenCompleter(lineEdit());
        QStringList names;
        for (const std::string& name : allowed.names)
            names << fromStd(name);
        names_->setNames(names);
        // The list is a help, not a default: nothing is chosen for the user.
        setCurrentIndex(-1);
        setEditText(sameKind ? before : QString());
    } else if (sameKind && findText(before) >= 0) {
        setCurrentIndex(findText(before));
    }
    setToolTip(fromStd(allowed.text));
}

void HintValueField::fill(const hints::AllowedValues& allowed) {
    const auto add = [this](const HintValue& value, const QString& label) {
        const QString text = hintValueText(kind_, value, hexAddresses_);
        if (findText(text) >= 0) return;
        addItem(text, QVariant::fromValue(value));
        if (label != text) setItemData(count() - 1, label, Qt::ToolTipRole);
    };
    for (const hints::AllowedValue& value : allowed.list)
        add(value.value, fromStd(value.label));
    if (count() == 0 && kind_->type == ValueType::True) add(HintValue(true), {});
    if (count() == 0 && kind_->type == ValueType::Bool) {
        add(HintValue(true), {});
        add(HintValue(false), {});
    }
    for (std::size_t i = 0; count() == 0 && kind_->type == ValueType::Choice && i < kind_->choices.size(); ++i)
        addItem(QString::fromUtf8(kind_->choices[i].data(), static_cast<qsizetype>(kind_->choices[i].size())));
    if (count() > 0 || !allowed.range || allowed.range->step <= 0) return;
    const hints::AllowedRange& range = *allowed.range;
    const std::int64_t steps = (range.max - range.min) / range.step + 1;
    for (std::int64_t i = 0; steps <= kMostListed && i < steps; ++i)
        add(HintValue(range.min + i * range.step), {});
}

void HintValueField::setHexAddresses(bool on) {
    if (hexAddresses_ == on) return;
    const ReadValue now = value();
    hexAddresses_ = on;
    if (kind_ == nullptr || kind_->type != ValueType::Bytes || !now.value) return;
    for (int row = 0; row < count(); ++row)
        setItemText(row, hintValueText(kind_, itemData(row).value<HintValue>(), on));
    setValue(*now.value);
}

void HintValueField::setValue(const HintValue& value) {
    if (kind_ == nullptr) return;
    const QString text = hintValueText(kind_, value, hexAddresses_);
    const int row = findText(text);
    if (isEditable())
        setEditText(text);
    else if (row >= 0)
        setCurrentIndex(row);
}

ReadValue HintValueField::value() const {
    if (kind_ == nullptr) return {std::nullopt, tr("choose a kind")};
    return readHintValue(*kind_, currentText());
}

void HintValueField::setWrong(bool wrong) {
    const Theme& theme = themeOf(this);
    QPalette palette = this->palette();
    palette.setColor(QPalette::Text, theme.color(wrong ? Token::Error : Token::Text1));
    palette.setColor(QPalette::ButtonText, theme.color(wrong ? Token::Error : Token::Text1));
    setPalette(palette);
}

}  // namespace memplan::ui
