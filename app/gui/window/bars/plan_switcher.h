// SPDX-License-Identifier: GPL-3.0-or-later
// The toolbar's combo of plans: a state dot, the plan's name, and in the list the metrics of each plan
// (UX 3.1, design-system 5.1).
#pragma once

#include "app/gui/document/document.h"

#include <QComboBox>
#include <QPointer>

namespace memplan::app {

/// A plan's name without the parts that all of `names` share: what distinguishes it from the others. The name itself
/// where nothing else would be left.
[[nodiscard]] QString distinctPlanName(const QString& name, const QStringList& names);

class PlanSwitcher final : public QComboBox {
    Q_OBJECT
public:
    explicit PlanSwitcher(QWidget* parent = nullptr);
    void setDocument(Document* document);
    /// The closed combo names what is on screen in place of the current plan, which may be a trial; empty = none.
    void setInstead(const QString& name, bool isTrial);
    [[nodiscard]] QSize minimumSizeHint() const override;  ///< a long name is elided

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refill();
    void showCurrent();
    [[nodiscard]] QString nameFor(int width) const;
    QPointer<Document> document_;  ///< a trial may end when its document has gone
    QString instead_;
    bool isTrial_ = false;
};

}  // namespace memplan::app
