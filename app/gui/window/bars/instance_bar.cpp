// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/bars/instance_bar.h"

#include "widgets/kit/theme/scaled.h"
#include "widgets/kit/theme/theme.h"
#include "widgets/plan/units.h"

#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QScopedValueRollback>
#include <QSpinBox>

#include <cmath>

namespace memplan::app {

using ui::fromStd;

std::optional<Bytes> bytesFromText(const QString& text) {
    static const QRegularExpression kForm(QStringLiteral("^([0-9]+(?:\\.[0-9]+)?)(B|KIB|MIB|GIB)?$"));
    QString plain = text.toUpper();
    plain.remove(QRegularExpression(QStringLiteral("[\\s\\x{202F}\\x{00A0},']")));
    const QRegularExpressionMatch match = kForm.match(plain);
    if (!match.hasMatch()) return std::nullopt;
    const QString unit = match.captured(2);
    const double factor = unit == u"KIB" ? 1024.0 : unit == u"MIB" ? 1048576.0 : unit == u"GIB" ? 1073741824.0 : 1.0;
    const double bytes = match.captured(1).toDouble() * factor;
    constexpr double kMost = 1125899906842624.0;  // 2^50, as the command line
    if (bytes < 1 || bytes > kMost || bytes != std::floor(bytes)) return std::nullopt;
    return static_cast<Bytes>(bytes);
}

InstanceBar::InstanceBar(QWidget* parent) : QToolBar(tr("Buffer list"), parent) {
    setObjectName(QStringLiteral("instanceBar"));
    setMovable(false);
    toggleViewAction()->setVisible(false);
    const auto text = [this](const QString& words) {
        auto* label = new QLabel(words, this);
        label->setForegroundRole(QPalette::PlaceholderText);
        label->setContentsMargins(8, 0, 4, 0);
        return label;
    };
    index_ = new QSpinBox(this);
    index_->setObjectName(QStringLiteral("instanceSpin"));
    index_->setAccessibleName(tr("Instance"));
    index_->setMinimum(1);
    index_->setKeyboardTracking(false);
    name_ = text({});
    several_ << addWidget(text(tr("Instance"))) << addWidget(index_) << addWidget(name_);
    addWidget(text(tr("Capacity")));
    capacity_ = new QLineEdit(this);
    capacity_->setObjectName(QStringLiteral("capacityField"));
    capacity_->setAccessibleName(tr("Capacity in bytes"));
    capacity_->setToolTip(tr("Memory to place the buffers into: bytes, or a number with KiB, MiB or GiB"));
    ui::setScaledSize(capacity_, 130, -1);
    addWidget(capacity_);
    bound_ = text({});
    bound_->setObjectName(QStringLiteral("capacityBound"));
    addWidget(bound_);
    connect(index_, &QSpinBox::valueChanged, this, &InstanceBar::takeIndex);
    connect(capacity_, &QLineEdit::editingFinished, this, &InstanceBar::takeCapacity);
    hide();
}

void InstanceBar::setDocument(Document* document) {
    const bool fits = document != nullptr && document->kind() == DocumentKind::BufferList;
    document_ = fits ? document : nullptr;
    setVisible(fits);
    if (!fits) return;
    const auto count = static_cast<int>(document->input().problems.size());
    for (QAction* part : several_)
        part->setVisible(count > 1);
    const QScopedValueRollback<bool> guard(filling_, true);
    index_->setMaximum(count);
    index_->setSuffix(tr(" of %1").arg(count));
    connect(document, &Document::instanceChanged, this, &InstanceBar::showChoice);
    connect(document, &Document::currentChanged, this, &InstanceBar::showBound);
    showChoice();
}

void InstanceBar::showChoice() {
    if (document_ == nullptr) return;
    const QScopedValueRollback<bool> guard(filling_, true);
    index_->setValue(document_->instance().index + 1);
    name_->setText(fromStd(document_->problem().name));
    capacity_->setText(ui::groupedText(document_->instance().capacity));
    showBound();
}

void InstanceBar::showBound() {
    if (document_ == nullptr || document_->current() == nullptr) return;
    const Bytes least = document_->current()->plan->metrics.peakLowerBound;
    bound_->setText(tr("B; %1 are live at once").arg(ui::exactBytes(least)));
}

void InstanceBar::takeCapacity() {
    if (document_ == nullptr || filling_) return;
    const auto bytes = bytesFromText(capacity_->text());
    if (!bytes) {
        bound_->setText(tr("\"%1\" is no size: bytes, or a number with KiB, MiB or GiB").arg(capacity_->text()));
        return;
    }
    document_->changeInstance({document_->instance().index, *bytes});
    document_->closeEdit();
    showChoice();
}

void InstanceBar::takeIndex(int index) {
    if (document_ == nullptr || filling_) return;
    const auto& problems = document_->input().problems;
    const Bytes own = problems[static_cast<std::size_t>(index - 1)].capacity;
    document_->changeInstance({index - 1, own > 0 ? own : document_->instance().capacity});
}

}  // namespace memplan::app
