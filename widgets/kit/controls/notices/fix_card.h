// SPDX-License-Identifier: GPL-3.0-or-later
// A fix beside the reason (design-system 6.6): title, one or two sentences with numbers, buttons.
#pragma once

#include <QWidget>

namespace memplan::ui {

/// What would help, with its effect, and whether that was tried (user-experience 15.3).
struct FixOffer {
    QString title;         ///< "Pin v at address 1 505 664"
    QString text;          ///< effect in numbers
    QString applyText;     ///< "Add hint", "Set"
    QString previewText;   ///< "Preview", empty = no second button
    bool worsens = false;  ///< it does what is asked, but the plan as a whole moves more bytes
    friend bool operator==(const FixOffer&, const FixOffer&) = default;
};

class FixCard final : public QWidget {
    Q_OBJECT
public:
    /// The first fix of a pane has the primary button, unless it makes the plan worse.
    FixCard(const FixOffer& fix, bool primary, QWidget* parent = nullptr);

signals:
    void applied();
    void previewed();

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace memplan::ui
