// SPDX-License-Identifier: GPL-3.0-or-later
// What "find in view" looks at (user-experience 3.9): name, kind, annotation, dtype, shape and hint
// text of every operation and buffer.
#pragma once

#include "widgets/plan/selection_hub.h"

#include <QRegularExpression>

#include <functional>

namespace memplan::ui {

struct FindOptions {
    QString text;
    bool matchCase = false;
    bool wholeWord = false;
    bool isRegex = false;
    friend bool operator==(const FindOptions&, const FindOptions&) = default;
};

/// The search as a regular expression. `error` gets the reason and its column when it is none.
[[nodiscard]] std::optional<QRegularExpression> findPattern(const FindOptions& options, QString* error = nullptr);

/// Items of the plan that match by name, kind, annotation, type, shape or what the hints on them say; ops first, each
/// kind in schedule order.
[[nodiscard]] std::vector<ItemId> findItems(const Plan& plan, const QRegularExpression& pattern);

}  // namespace memplan::ui
