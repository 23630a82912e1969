// SPDX-License-Identifier: GPL-3.0-or-later
#include "find_field.h"

#include "core/icons.h"
#include "core/units.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QStringListModel>

namespace memplan::app {

FindField::FindField(QWidget* parent) : QLineEdit(parent), rows_(new QStringListModel(this)) {
    setObjectName(QStringLiteral("findField"));
    setAccessibleName(tr("Find an operation or a buffer"));
    setPlaceholderText(tr("Find anything  Ctrl+K"));
    setClearButtonEnabled(true);
    addAction(ui::icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    auto* completer = new QCompleter(rows_, this);
    completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    completer->setMaxVisibleItems(14);
    setCompleter(completer);
    connect(this, &QLineEdit::textEdited, this, &FindField::fill);
    connect(completer, qOverload<const QString&>(&QCompleter::activated), this, &FindField::choose);
    connect(this, &QLineEdit::returnPressed, this, [this] {
        if (!rows_->stringList().isEmpty()) choose(rows_->stringList().constFirst());
    });
}

void FindField::setHub(ui::SelectionHub* hub) {
    hub_ = hub;
    clear();
    rows_->setStringList({});
}

void FindField::fill(const QString& text) {
    ids_.clear();
    QStringList rows;
    if (hub_ == nullptr || !hub_->plan() || text.isEmpty()) {
        rows_->setStringList(rows);
        return;
    }
    const auto offer = [&](const std::string& name, const QString& kind, ui::ItemId id) {
        if (rows.size() >= kMostRows) return;
        const QString shown = ui::fromStd(name);
        if (!shown.contains(text, Qt::CaseInsensitive)) return;
        const QString row = QStringLiteral("%1   %2").arg(shown, kind);
        ids_.insert(row, id);
        rows << row;
    };
    const Plan& plan = *hub_->plan();
    for (std::size_t i = 0; i < plan.buffers.size(); ++i)
        offer(plan.buffers[i].name, tr("buffer"), ui::ItemId::of(BufferId::of(i)));
    for (std::size_t i = 0; i < plan.ops.size(); ++i)
        offer(plan.ops[i].name, tr("op"), ui::ItemId::of(OpId::of(i)));
    rows_->setStringList(rows);
}

void FindField::choose(const QString& row) {
    const auto it = ids_.constFind(row);
    if (it == ids_.constEnd() || hub_ == nullptr) return;
    hub_->select(*it);
    hub_->requestInspect(*it);
}

}  // namespace memplan::app
