// SPDX-License-Identifier: GPL-3.0-or-later
// What differs between two states of a document, in words: the list of what would be lost (UX 3.7).
#pragma once

#include "app/gui/document/parts/document_parts.h"

#include <QStringList>

namespace memplan::app {

[[nodiscard]] QStringList hintChanges(const HintLists& before, const HintLists& after);
[[nodiscard]] QStringList noteChanges(const Notes& before, const Notes& after);
[[nodiscard]] QStringList settingChanges(const Settings& before, const Settings& after);
[[nodiscard]] QStringList sideChanges(const SideFiles& before, const SideFiles& after);

}  // namespace memplan::app
