// SPDX-License-Identifier: GPL-3.0-or-later
// What the command palette finds in a plan and what a row of it says (user-experience 3.8).
#pragma once

#include "widgets/plan/marks/badge.h"
#include "widgets/plan/selection_hub.h"
#include "widgets/tools/palette/fuzzy.h"

#include <QString>

#include <array>
#include <optional>
#include <vector>

namespace memplan::ui {

enum class PaletteKind { Op, Buffer, Core, Group, Loop, Pass, Problem, Note, Command };
inline constexpr std::array kPaletteKinds{PaletteKind::Op,      PaletteKind::Buffer, PaletteKind::Core,
                                          PaletteKind::Group,   PaletteKind::Loop,   PaletteKind::Pass,
                                          PaletteKind::Problem, PaletteKind::Note,   PaletteKind::Command};

/// "op", "buf", ...: first column of a row, and with a colon the prefix that filters.
[[nodiscard]] QString paletteWord(PaletteKind kind);
[[nodiscard]] QString paletteIcon(PaletteKind kind);
[[nodiscard]] std::optional<PaletteKind> paletteKindOf(const QString& word);

struct PaletteNote {
    QString text;
    ItemId subject;
};

struct PaletteCommand {
    QString id;
    QString text;     ///< "Compile"
    QString context;  ///< menu it stands in
    QString shortcut;
    QString icon;
    bool enabled = true;
};

struct PaletteRow {
    PaletteKind kind = PaletteKind::Op;
    QString name;
    QString context;  ///< second line
    QString value;    ///< at the right
    QString icon;
    std::optional<BadgeText> badge;
    std::vector<ItemId> items;  ///< what choosing the row selects
    QString command;            ///< id of a command row
    bool enabled = true;
    std::vector<int> matched;  ///< letters of name
};

/// Index over a plan, its notes, and the commands. Rows are made only for what is shown.
class PaletteItems {
public:
    static constexpr std::size_t kMostRows = 50;

    void setPlan(PlanPtr plan);
    void setNotes(std::vector<PaletteNote> notes);
    void setCommands(std::vector<PaletteCommand> commands);

    /// Plain text over all items, "op:exp" over one kind, ">exp" over the commands.
    [[nodiscard]] std::vector<PaletteRow> find(const QString& text, int* total = nullptr) const;
    [[nodiscard]] int itemCount() const;
    [[nodiscard]] bool hasKind(PaletteKind kind) const;

private:
    struct Entry {
        PaletteKind kind = PaletteKind::Op;
        int index = 0;
    };
    void buildItems();
    void addItem(PaletteKind kind, int index, const QString& name);
    void addItem(PaletteKind kind, int index, const std::string& name, const std::string& group);
    [[nodiscard]] PaletteRow rowOf(const Entry& entry) const;
    [[nodiscard]] PaletteRow opRow(int index) const;
    [[nodiscard]] PaletteRow bufferRow(int index) const;
    [[nodiscard]] PaletteRow groupRow(int index) const;
    [[nodiscard]] PaletteRow loopRow(int index) const;
    [[nodiscard]] PaletteRow problemRow(int index) const;

    PlanPtr plan_;
    std::vector<PaletteNote> notes_;
    std::vector<PaletteCommand> commands_;
    std::vector<QString> groups_;
    LoopGroups loops_;
    FuzzyIndex items_, commandNames_;
    std::vector<Entry> entries_;
};

}  // namespace memplan::ui
