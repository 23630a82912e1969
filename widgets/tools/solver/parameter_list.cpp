// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tools/solver/parameter_list.h"

#include "widgets/kit/theme/icons.h"
#include "widgets/plan/setting_words.h"
#include "widgets/plan/units.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QScopedValueRollback>
#include <QSpinBox>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <limits>

namespace memplan::ui {

namespace {

QString fromView(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// What may be written, as the engine describes it: "whole number, 1 to 32", "greedy, firstfit or bestfit".
QString allowedOf(const SettingInfo& info) {
    const auto number = [](double v) {
        return v == std::floor(v) && std::abs(v) < 1e15 ? groupedText(std::llround(v)) : QString::number(v, 'g', 6);
    };
    QStringList words;
    switch (info.type) {
    case SettingType::Bool:
        return ParameterList::tr("on or off");
    case SettingType::Enum:
        for (const std::string_view value : info.allowed)
            words << fromView(value);
        return ParameterList::tr("one of %1").arg(words.join(QStringLiteral(", ")));
    case SettingType::Int:
        return ParameterList::tr("whole number, %1 to %2").arg(number(info.min), number(info.max));
    case SettingType::Num:
        return ParameterList::tr("number, %1 to %2").arg(number(info.min), number(info.max));
    case SettingType::Path:
        return ParameterList::tr("file");
    case SettingType::Text:
        break;
    }
    return ParameterList::tr("text");
}

/// What the table of settings says of it, as a label.
QString titleOf(const SettingInfo& info) {
    const QString text = fromView(info.help);
    return text.left(1).toUpper() + text.mid(1);
}

QString helpOf(const SettingInfo& info) {
    QString text = QStringLiteral("%1\n%2").arg(fromView(info.key), fromView(info.help));
    text += u'\n' + ParameterList::tr("allowed: %1").arg(allowedOf(info));
    if (!info.unit.empty()) text += QStringLiteral("\n%1: %2").arg(ParameterList::tr("unit"), fromView(info.unit));
    return text + QStringLiteral("\n%1: %2").arg(ParameterList::tr("default"), fromView(info.defaultValue));
}

}  // namespace

ParameterList::ParameterList(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("solverParameters"));
    setAccessibleName(tr("Parameters"));
}

void ParameterList::show(const std::vector<QString>& keys, const Settings& settings) {
    const bool same = std::ranges::equal(keys, rows_, {}, {}, &Row::key);
    if (!same) build(keys);
    const QScopedValueRollback<bool> guard(filling_, true);
    for (Row& row : rows_)
        fill(row, settings);
}

void ParameterList::build(const std::vector<QString>& keys) {
    const Theme& theme = themeOf(this);
    rows_.clear();
    // A field that is left behind may be the one whose change brought us here: a preset changes the solver.
    for (QWidget* old : findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
        old->hide();
        old->setObjectName(QString());
        old->deleteLater();
    }
    delete layout();
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(theme.px(10), theme.px(4), theme.px(10), theme.px(4));
    grid->setHorizontalSpacing(theme.px(8));
    grid->setVerticalSpacing(theme.px(3));
    for (const QString& key : keys) {
        const SettingInfo* info = findSetting(key.toStdString());
        if (info == nullptr) continue;
        Row row{key, new QLabel(titleOf(*info), this), makeField(*info), new QToolButton(this), nullptr};
        row.label->setWordWrap(true);
        row.label->setBuddy(row.field);
        row.label->setToolTip(helpOf(*info));
        row.field->setToolTip(helpOf(*info));
        row.field->setAccessibleName(row.label->text());
        row.field->setObjectName(key);
        row.reset->setIcon(icon(QStringLiteral("reset")));
        row.reset->setIconSize(QSize(14, 14));
        row.reset->setAutoRaise(true);
        row.reset->setToolTip(tr("Back to %1").arg(fromView(info->defaultValue)));
        row.reset->setAccessibleName(tr("Reset %1").arg(row.label->text()));
        connect(row.reset, &QToolButton::clicked, this,
                [this, key, value = fromView(info->defaultValue)] { emit changed(key, value); });
        const int at = static_cast<int>(rows_.size());
        grid->addWidget(row.label, 2 * at, 0);
        grid->addWidget(row.field, 2 * at, 1);
        grid->addWidget(row.reset, 2 * at, 2);
        if (info->type == SettingType::Enum && !settingValueHelp(info->key, info->allowed.front()).isEmpty()) {
            row.note = new QLabel(this);
            row.note->setForegroundRole(QPalette::PlaceholderText);
            row.note->setWordWrap(true);
            row.note->setObjectName(key + QStringLiteral(".note"));
            grid->addWidget(row.note, 2 * at + 1, 0, 1, 3);
        }
        rows_.push_back(row);
    }
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
}

QWidget* ParameterList::makeField(const SettingInfo& info) {
    const QString key = fromView(info.key);
    const auto send = [this, key](const QString& value) {
        if (!filling_) emit changed(key, value);
    };
    switch (info.type) {
    case SettingType::Bool: {
        auto* box = new QCheckBox(this);
        connect(box, &QCheckBox::toggled, this,
                [send](bool on) { send(on ? QStringLiteral("true") : QStringLiteral("false")); });
        return box;
    }
    case SettingType::Enum: {
        auto* combo = new QComboBox(this);
        for (const std::string_view value : info.allowed)
            combo->addItem(fromView(value));
        connect(combo, &QComboBox::currentTextChanged, this, send);
        return combo;
    }
    case SettingType::Int: {
        auto* spin = new QSpinBox(this);
        constexpr double kMost = std::numeric_limits<int>::max();
        spin->setRange(static_cast<int>(std::clamp(info.min, -kMost, kMost)),
                       static_cast<int>(std::clamp(info.max, -kMost, kMost)));
        spin->setKeyboardTracking(false);
        connect(spin, &QSpinBox::valueChanged, this, [send](int value) { send(QString::number(value)); });
        return spin;
    }
    case SettingType::Num: {
        auto* spin = new QDoubleSpinBox(this);
        spin->setLocale(QLocale::c());
        spin->setRange(info.min, info.max);
        spin->setDecimals(2);
        spin->setKeyboardTracking(false);
        connect(spin, &QDoubleSpinBox::valueChanged, this,
                [send](double value) { send(QString::number(value, 'f', 2)); });
        return spin;
    }
    case SettingType::Text:
    case SettingType::Path:
        break;
    }
    auto* edit = new QLineEdit(this);
    connect(edit, &QLineEdit::editingFinished, this, [send, edit] { send(edit->text()); });
    return edit;
}

void ParameterList::fill(Row& row, const Settings& settings) {
    const std::string key = row.key.toStdString();
    const QString text = fromStd(settings.textOf(key));
    if (auto* box = qobject_cast<QCheckBox*>(row.field)) box->setChecked(settings.boolean(key));
    if (auto* combo = qobject_cast<QComboBox*>(row.field)) combo->setCurrentText(text);
    if (row.note != nullptr) row.note->setText(settingValueHelp(key, text.toStdString()));
    if (auto* spin = qobject_cast<QSpinBox*>(row.field)) spin->setValue(text.toInt());
    if (auto* spin = qobject_cast<QDoubleSpinBox*>(row.field)) spin->setValue(text.toDouble());
    if (auto* edit = qobject_cast<QLineEdit*>(row.field)) edit->setText(text);
    static const Settings kDefaults;
    const bool isChanged = settings.textOf(key) != kDefaults.textOf(key);
    row.label->setFont(themeOf(this).font(isChanged ? TextStyle::BodyStrong : TextStyle::Body));
    // The arrow keeps its place, so that nothing jumps when a value changes.
    row.reset->setEnabled(isChanged);
}

}  // namespace memplan::ui
