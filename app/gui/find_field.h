// SPDX-License-Identifier: GPL-3.0-or-later
// "Find anything" in the toolbar: names of ops and buffers; Enter or a click selects the item
// everywhere (UX 3.8).
#pragma once

#include "core/selection_hub.h"

#include <QLineEdit>

class QStringListModel;

namespace memplan::app {

class FindField final : public QLineEdit {
    Q_OBJECT
public:
    static constexpr int kMostRows = 50;

    explicit FindField(QWidget* parent = nullptr);
    void setHub(ui::SelectionHub* hub);

private:
    void fill(const QString& text);
    void choose(const QString& row);

    ui::SelectionHub* hub_ = nullptr;
    QStringListModel* rows_;
    QHash<QString, ui::ItemId> ids_;
};

}  // namespace memplan::app
