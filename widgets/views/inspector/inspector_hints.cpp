// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/inspector/inspector_hints.h"

#include "widgets/plan/hints/hint_items.h"
#include "widgets/plan/hints/hint_text.h"
#include "widgets/views/inspector/inspector_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <functional>

namespace memplan::ui {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("Inspector", text);
}

/// Hints that name an item of this kind, or the whole document.
InspectorSection hintsOn(const InspectorInput& input, const std::function<bool(ItemId)>& isMine) {
    const Plan& plan = *input.plan;
    InspectorSection s{QStringLiteral("hints"), tr("Hints"), {}, {}, {}, {}, false};
    for (std::size_t i = 0; i < plan.hints.size(); ++i) {
        const Hint& h = plan.hints[i];
        const std::vector<ItemId> items = itemsOf(plan, h);
        const bool mine = std::ranges::any_of(items, isMine) || std::ranges::find(h.scopes, "graph") != h.scopes.end();
        if (!mine) continue;
        const std::string state = i < plan.hintStates.size() ? plan.hintStates[i] : std::string();
        const HintStateLook look = hintStateLook(state);
        const QString title = hintKindTitle(h, plan.target);
        QString html = hintValueText(hints::kindOf(h, plan.target), h.value, input.units.hexAddresses).toHtmlEscaped();
        if (input.offersHints) html = QStringLiteral("<a href=\"edit:%1\">%2</a>").arg(i).arg(html);
        if (!state.empty())
            html += QStringLiteral("<br><span style=\"color:%1\">%2</span>")
                        .arg(themeOf().color(look.token).name(), look.word);
        if (i < plan.hintStateReasons.size() && !plan.hintStateReasons[i].empty())
            html += QStringLiteral(": ") + fromStd(plan.hintStateReasons[i]).toHtmlEscaped();
        s.rows.push_back(htmlRow(title, html));
    }
    s.count = s.rows.empty() ? QString() : groupedText(static_cast<qint64>(s.rows.size()));
    s.openByDefault = !s.rows.empty();
    if (input.offersHints) s.paragraphs << QStringLiteral("<a href=\"add-hint\">%1</a>").arg(tr("Add hint..."));
    return s;
}

}  // namespace

QString hintKeyFor(const Plan& plan, const char* key) {
    return hints::findKind(plan.target, key) == nullptr ? QString() : QString::fromLatin1(key);
}

InspectorRow addressLimitRow(const Plan& plan, BufferId buffer, const Units& units) {
    InspectorRow limit = htmlRow(tr("At or below"), quiet(tr("no limit")));
    for (const Hint& h : plan.hints) {
        if (!h.enabled || h.key != "address_limit") continue;
        const std::vector<ItemId> items = itemsOf(plan, h);
        if (std::ranges::find(items, ItemId::of(buffer)) == items.end()) continue;
        const QString value = hintValueText(hints::kindOf(h, plan.target), h.value, units.hexAddresses);
        limit = row(tr("At or below"), value);
        limit.copy = fromStd(h.value.json());
    }
    limit.hintKey = hintKeyFor(plan, "address_limit");
    return limit;
}

InspectorSection hintsSection(const InspectorInput& input, BufferId buffer, OpId op) {
    return hintsOn(input, [&](ItemId item) { return item == ItemId::of(buffer) || item == ItemId::of(op); });
}

InspectorSection loopHintsSection(const InspectorInput& input, const std::vector<OpId>& ops) {
    return hintsOn(input, [&](ItemId item) {
        return item.kind == ItemKind::Op && std::ranges::find(ops, OpId{item.index}) != ops.end();
    });
}
InspectorSection notesSection(const InspectorInput& input, StepRange steps) {
    InspectorSection s{QStringLiteral("notes"), tr("Notes"), {}, {}, {}, {}, false};
    qint64 count = 0;
    if (!input.note.isEmpty()) {
        s.markdown = input.note;
        ++count;
    }
    for (std::size_t i = 0; input.notes != nullptr && i < input.notes->ranges.size(); ++i) {
        const NoteFlags::OnSteps& note = input.notes->ranges[i];
        if (!note.steps.overlaps(steps)) continue;
        s.rows.push_back(htmlRow(tr("Steps %1").arg(rangeText(note.steps)), note.words.toHtmlEscaped()));
        ++count;
    }
    s.openByDefault = count > 0;
    s.count = count > 0 ? groupedText(count) : QString();
    if (input.offersHints)
        s.paragraphs << QStringLiteral("<a href=\"note\">%1</a>")
                            .arg(s.markdown.isEmpty() ? tr("Add note...") : tr("Edit note..."));
    return s;
}

}  // namespace memplan::ui
