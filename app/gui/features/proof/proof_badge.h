// SPDX-License-Identifier: GPL-3.0-or-later
// What the status bar shows of the execution of a plan (proof-and-search A14).
#pragma once

#include "widgets/kit/theme/tokens.h"

#include <QString>

namespace memplan::app {

/// What is known of the execution of the plan on screen (proof-and-search A14); an empty text: no badge.
struct ProofBadge {
    QString text;  ///< "proved", "wrong: 1 fault"
    QString icon;
    ui::Token color = ui::Token::Text2;  ///< of the icon
    QString details;                     ///< tooltip
    bool hasFindings = false;            ///< a click leads to Problems, else it shows the details
};

}  // namespace memplan::app
