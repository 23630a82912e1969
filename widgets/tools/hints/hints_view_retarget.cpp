// SPDX-License-Identifier: GPL-3.0-or-later
// Hints whose subject vanished get another one (user-experience 11.5, "Re-target...").
#include "widgets/kit/theme/icons.h"
#include "widgets/plan/hints/hint_items.h"
#include "widgets/plan/hints/hint_text.h"
#include "widgets/plan/units.h"
#include "widgets/tools/hints/hints_view.h"

#include <QMenu>

#include <algorithm>

namespace memplan::ui {

namespace {

/// The hint with `scopes` where its missing subjects stood first; nothing stands twice.
Hint moved(const Hint& hint, const std::vector<hints::Scope>& missing, const std::vector<std::string>& scopes) {
    Hint result = hint;
    result.scopes.clear();
    const auto add = [&](const std::string& scope) {
        if (std::ranges::find(result.scopes, scope) == result.scopes.end()) result.scopes.push_back(scope);
    };
    for (const std::string& text : hint.scopes) {
        const auto scope = hints::parseScope(text);
        const bool isMissing = scope && std::ranges::find(missing, *scope) != missing.end();
        if (!isMissing) {
            add(text);
            continue;
        }
        for (const std::string& s : scopes)
            add(s);
    }
    return result;
}

}  // namespace

bool HintsView::retarget(int row, const std::vector<std::string>& scopes) {
    const int at = row - model_->fixedCount();
    if (at < 0 || row >= model_->rowCount() || scopes.empty()) return false;
    const Hint& hint = model_->row(row).hint;
    const auto missing = context_.missing(hint);
    if (missing.empty()) return false;
    std::vector<Hint> after = model_->own();
    Hint& next = after[static_cast<std::size_t>(at)];
    next = moved(hint, missing, scopes);
    if (!context_.check(next).ok || !context_.missing(next).empty()) return false;
    emit edited(tr("Re-target: %1").arg(hintCommandText(next, context_.target())), after, {});
    return true;
}

void HintsView::addRetarget(QMenu& menu, int row) {
    const Hint& hint = model_->row(row).hint;
    const auto missing = context_.missing(hint);
    QMenu* targets = menu.addMenu(icon(QStringLiteral("edit")), tr("Re-target..."));
    targets->setToolTipsVisible(true);
    const auto offer = [&](const std::vector<std::string>& scopes, const QString& text) {
        const Hint next = moved(hint, missing, scopes);
        const HintCheck check = context_.check(next);
        QAction* action = targets->addAction(text, this, [this, row, scopes] { retarget(row, scopes); });
        action->setEnabled(check.ok);
        action->setToolTip(check.text);
    };
    std::vector<std::string> near;
    QStringList names;
    for (const hints::Scope& scope : missing) {
        const std::string id = context_.subjects().nearest(scope);
        if (id.empty()) continue;
        near.push_back(hints::scopeText({scope.kind, id}));
        names << fromStd(id);
    }
    if (near.size() == missing.size()) offer(near, tr("To %1, the nearest name").arg(names.join(QStringLiteral(", "))));
    if (hub_->plan()) {
        std::vector<std::string> selected;
        QStringList selectedNames;
        for (const ItemId item : hub_->selection()) {
            const auto scope = scopeOf(*hub_->plan(), item, missing.front().kind);
            if (!scope) continue;
            selected.push_back(hints::scopeText(*scope));
            selectedNames << fromStd(scope->id);
        }
        if (!selected.empty() && selected != near)
            offer(selected, tr("To the selection: %1").arg(selectedNames.join(QStringLiteral(", "))));
    }
    targets->addSeparator();
    targets->addAction(tr("Choose another..."), this, [this, row] { editRow(row); });
}

}  // namespace memplan::ui
