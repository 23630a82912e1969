// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/bars/plan_switcher.h"

#include "app/gui/targets/targets.h"
#include "widgets/kit/theme/theme.h"
#include "widgets/plan/units.h"

#include <QAbstractItemView>
#include <QPainter>
#include <QSignalBlocker>

#include <algorithm>

namespace memplan::app {
namespace {

QString metricsText(const Plan& plan) {
    const PlanMetrics& m = plan.metrics;
    if (const auto own = targetUi(plan.target).statusWords; own != nullptr && !plan.ops.empty()) {
        QStringList facts = own(plan);
        facts.removeAll(QString());
        return facts.join(QStringLiteral(", "));
    }
    if (plan.ops.empty()) {
        return QObject::tr("%1 of %2 buffers placed, peak %3")
            .arg(m.buffersOnChip)
            .arg(m.buffersTotal)
            .arg(ui::exactBytes(plan.memory.peak));
    }
    return QObject::tr("%1 of %2 buffers on chip, off-chip traffic %3")
        .arg(m.buffersOnChip)
        .arg(m.buffersTotal)
        .arg(ui::exactBytes(m.traffic()));
}

}  // namespace

QString distinctPlanName(const QString& name, const QStringList& names) {
    const QString separator = QStringLiteral(", ");
    const auto partsOf = [&](const QString& text) { return text.section(QStringLiteral(": "), 1).split(separator); };
    QStringList own = partsOf(name);
    own.removeIf([&](const QString& part) {
        return std::ranges::all_of(names, [&](const QString& other) { return partsOf(other).contains(part); });
    });
    if (own.isEmpty() || names.size() < 2) return name;
    return name.section(u':', 0, 0) + QStringLiteral(": ") + own.join(separator);
}

PlanSwitcher::PlanSwitcher(QWidget* parent) : QComboBox(parent) {
    setObjectName(QStringLiteral("planSwitcher"));
    setAccessibleName(tr("Plan"));
    setMinimumContentsLength(29);
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    connect(this, &QComboBox::activated, this, [this](int index) {
        if (document_ != nullptr) document_->setCurrent(index);
    });
}

void PlanSwitcher::setDocument(Document* document) {
    document_ = document;
    if (document_ != nullptr) {
        connect(document, &Document::plansChanged, this, &PlanSwitcher::refill);
        connect(document, &Document::currentChanged, this, &PlanSwitcher::showCurrent);
        connect(document, &Document::stateChanged, this, qOverload<>(&QWidget::update));
    }
    refill();
}

void PlanSwitcher::setInstead(const QString& name, bool isTrial) {
    instead_ = name;
    isTrial_ = isTrial;
    showCurrent();
}

QSize PlanSwitcher::minimumSizeHint() const {
    return {ui::themeOf(this).px(170), sizeHint().height()};
}

void PlanSwitcher::refill() {
    const QSignalBlocker blocker(this);
    clear();
    if (document_ == nullptr) return;
    for (const PlanEntry& entry : document_->plans()) {
        addItem(entry.name + QStringLiteral("  ·  ") + metricsText(*entry.plan));
        setItemData(count() - 1, entry.name, Qt::UserRole);
    }
    view()->setMinimumWidth(view()->sizeHintForColumn(0) + ui::themeOf(this).px(24));
    showCurrent();
}

void PlanSwitcher::showCurrent() {
    const QSignalBlocker blocker(this);
    setCurrentIndex(document_ == nullptr ? -1 : document_->currentIndex());
    const PlanEntry* entry = document_ == nullptr ? nullptr : document_->current();
    setToolTip(!instead_.isEmpty() ? instead_
               : entry == nullptr  ? QString()
                                   : entry->name + QLatin1Char('\n') + metricsText(*entry->plan));
    update();
}

/// The whole name, or where that is too long what the plan does not share with the others.
QString PlanSwitcher::nameFor(int width) const {
    QString name = instead_;
    if (name.isEmpty()) name = currentIndex() < 0 ? tr("no plan") : itemData(currentIndex(), Qt::UserRole).toString();
    if (fontMetrics().horizontalAdvance(name) <= width) return name;
    QStringList names;
    for (int i = 0; instead_.isEmpty() && i < count(); ++i)
        names << itemData(i, Qt::UserRole).toString();
    return fontMetrics().elidedText(distinctPlanName(name, names), Qt::ElideRight, width);
}

/// The closed combo shows the name alone behind its state dot.
void PlanSwitcher::paintEvent(QPaintEvent*) {
    QPainter p(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    option.currentText.clear();
    style()->drawComplexControl(QStyle::CC_ComboBox, &option, &p, this);
    const ui::Theme& theme = ui::themeOf(this);
    const QRect field = style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
    const double radius = theme.px(8) / 2.0;
    const double left = field.left() + theme.px(6);
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(Qt::NoPen);
    const PlanState state = document_ == nullptr ? PlanState::None : document_->state();
    p.setBrush(theme.color(isTrial_ ? ui::Token::WhatIf : stateToken(state)));
    p.drawEllipse(QPointF(left + radius, field.center().y() + 0.5), radius, radius);
    const QRectF text(left + radius * 2 + theme.px(7), field.top(), field.right() - left - radius * 2 - theme.px(9),
                      field.height());
    p.setPen(theme.color(ui::Token::Text1));
    p.setFont(font());
    p.drawText(text, Qt::AlignVCenter | Qt::AlignLeft, nameFor(static_cast<int>(text.width())));
}

}  // namespace memplan::app
