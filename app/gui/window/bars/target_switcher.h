// SPDX-License-Identifier: GPL-3.0-or-later
// Which machine the document is planned for, where more than one can plan it (architecture 8.13). A machine that cannot
// stands in the list, disabled, with its reason.
#pragma once

#include "app/gui/document/document.h"

#include <QComboBox>
#include <QPointer>

#include <span>

namespace memplan::app {

class TargetSwitcher final : public QComboBox {
    Q_OBJECT
public:
    explicit TargetSwitcher(QWidget* parent = nullptr);

    /// Lists the machines among `targets`; false where there is nothing to choose.
    bool offer(Document& document, std::span<const Target* const> targets);

    [[nodiscard]] QSize minimumSizeHint() const override;

private:
    void choose(int row);
    QPointer<Document> document_;
};

}  // namespace memplan::app
