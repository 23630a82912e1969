// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/bars/target_switcher.h"

#include "app/gui/targets/target_choice.h"
#include "widgets/plan/units.h"

#include <QSignalBlocker>
#include <QStandardItemModel>

namespace memplan::app {

TargetSwitcher::TargetSwitcher(QWidget* parent) : QComboBox(parent) {
    setObjectName(QStringLiteral("targetCombo"));
    setAccessibleName(tr("Machine that is planned for"));
    setToolTip(accessibleName());
    setSizeAdjustPolicy(QComboBox::AdjustToContents);  // the machines come with the document, after the first show
    connect(this, &QComboBox::activated, this, &TargetSwitcher::choose);
}

bool TargetSwitcher::offer(Document& document, std::span<const Target* const> targets) {
    const QSignalBlocker blocker(this);
    document_ = &document;
    clear();
    if (document.kind() != DocumentKind::Graph) return false;
    const io::OpenedInput& input = document.input();
    const MachineDescription& machine = document.origin().machine;
    const PlannedInput asked{input.input.format, input.program.get(),
                             machine.isBuiltIn() ? std::string_view() : std::string_view(machine.target)};
    auto* rows = qobject_cast<QStandardItemModel*>(model());
    for (const TargetChoice& choice : targetChoices(asked, targets)) {
        addItem(choice.title, ui::fromStd(choice.id));
        QStandardItem* row = rows->item(count() - 1);
        row->setToolTip(choice.whyNot.isEmpty() ? choice.help : choice.whyNot);
        row->setEnabled(choice.whyNot.isEmpty());
    }
    setCurrentIndex(findData(ui::fromStd(document.target())));
    return count() > 0;
}

/// Qt keeps the least size of a combo box as it was when it had no entries.
QSize TargetSwitcher::minimumSizeHint() const {
    return sizeHint();
}

void TargetSwitcher::choose(int row) {
    if (document_) document_->changeTarget(itemData(row).toString().toStdString());
}

}  // namespace memplan::app
