// SPDX-License-Identifier: GPL-3.0-or-later
// The inspector of a plan with a residual stream: layer, columns and readers where other plans have addresses, cores
// and traffic (user-experience 10.1, "Chain or layer").
#pragma once

#include "widgets/views/inspector/inspector_facts.h"

namespace memplan::ui {

/// Puts the words of such a plan in place of those that are not true of it. Plans of other machines stay as they are.
void toResidualWords(const InspectorInput& input, InspectorContent& content);

}  // namespace memplan::ui
