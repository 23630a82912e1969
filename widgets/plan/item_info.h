// SPDX-License-Identifier: GPL-3.0-or-later
// The table of item kinds (architecture 8.12): what each is called, its icon, how a search names it, which view shows
// it, what belongs to it. Search, outline, inspector, notes and links walk over it; there is no second list of words.
#pragma once

#include "widgets/plan/item_id.h"
#include "widgets/plan/loop_groups.h"

#include <QString>

#include <optional>
#include <span>
#include <vector>

namespace memplan::ui {

/// What ids count into: a plan and its loops.
struct ItemTables {
    const Plan& plan;
    const LoopGroups& loops;
};

struct ItemInfo {
    ItemKind kind;
    const char* key;    ///< in links and notes, never translated: "buffer"
    const char* word;   ///< English; wordOf() is what the user reads
    const char* words;  ///< of several
    const char* icon;
    const char* prefix;  ///< of a search: "buf:"
    const char* view;    ///< key of the view that shows it, "" = the table of its kind does
    std::size_t (*count)(const ItemTables& tables);
    QString (*name)(const ItemTables& tables, int index);
    /// The same thing in other views: what an operation writes, what makes a buffer.
    std::vector<ItemId> (*twins)(const ItemTables& tables, int index);
    /// What is marked with it.
    std::vector<ItemId> (*related)(const ItemTables& tables, int index);
};

[[nodiscard]] std::span<const ItemInfo> allItemKinds();  ///< in the order of ItemKind
[[nodiscard]] const ItemInfo& itemInfo(ItemKind kind);
[[nodiscard]] QString wordOf(ItemKind kind);                 ///< "operation"
[[nodiscard]] QString countOf(ItemKind kind, qint64 count);  ///< "3 operations"
[[nodiscard]] bool exists(const ItemTables& tables, ItemId id);

/// Data of a drag that carries an item: its link.
inline const QString kItemMime = QStringLiteral("application/x-memplan-item");

/// "buffer:12", for links in texts.
[[nodiscard]] QString linkOf(ItemId id);
/// Nothing for what is no such link.
[[nodiscard]] std::optional<ItemId> itemOfLink(const QString& link);

}  // namespace memplan::ui
