// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tools/palette/item_text.h"

#include "widgets/plan/hints/hint_items.h"
#include "widgets/plan/plan_look.h"
#include "widgets/plan/units.h"

#include <QCoreApplication>

#include <map>

namespace memplan::ui {
namespace {

QString tensorText(const PlanBuffer& b) {
    QStringList extents;
    for (const std::int64_t e : b.shape)
        extents << QString::number(e);
    // Shapes can be typed as "512x1024", "512, 1024" or as the window writes them.
    return QStringList{dtypeLabel(b.dtype), extents.join(u'x'), extents.join(QStringLiteral(", ")), timesText(b.shape)}
        .join(u'\n');
}

/// What the hints on each item say, by every way that a hint can name it: operation, tensor, group or annotation.
using HintTexts = std::map<ItemId, QString>;

HintTexts hintTexts(const Plan& plan) {
    HintTexts texts;
    for (const Hint& hint : plan.hints) {
        const QString line =
            QStringLiteral("\n%1 %2 %3").arg(fromStd(hint.key), fromStd(hint.value.json()), fromStd(hint.comment));
        for (const ItemId item : itemsOf(plan, hint))
            texts[item] += line;
    }
    return texts;
}

QString textOf(const HintTexts& texts, ItemId item) {
    const auto at = texts.find(item);
    return at == texts.end() ? QString() : at->second;
}

QString searchText(const Plan& plan, OpId id, const HintTexts& hints) {
    const PlanOp& op = plan.op(id);
    QStringList parts{fromStd(op.name), fromStd(op.type), fromStd(op.kind), fromStd(op.groupPath)};
    for (const BufferId output : op.outputs)
        parts << tensorText(plan.buffer(output));
    return parts.join(u'\n') + textOf(hints, ItemId::of(id));
}

QString searchText(const Plan& plan, BufferId id, const HintTexts& hints) {
    const PlanBuffer& b = plan.buffer(id);
    QStringList parts{fromStd(b.name), residencyName(residencyOf(b)), tensorText(b)};
    if (b.producer.isValid()) {
        const PlanOp& op = plan.op(b.producer);
        parts << fromStd(op.type) << fromStd(op.groupPath);
    }
    return parts.join(u'\n') + textOf(hints, ItemId::of(id));
}

}  // namespace

std::optional<QRegularExpression> findPattern(const FindOptions& options, QString* error) {
    QString text = options.isRegex ? options.text : QRegularExpression::escape(options.text);
    if (options.wholeWord) text = QStringLiteral("\\b(?:%1)\\b").arg(text);
    QRegularExpression pattern(text, options.matchCase ? QRegularExpression::MultilineOption
                                                       : QRegularExpression::MultilineOption |
                                                             QRegularExpression::CaseInsensitiveOption);
    if (pattern.isValid()) return pattern;
    if (error != nullptr) {
        const qsizetype column = pattern.patternErrorOffset() - (options.wholeWord ? 5 : 0);
        *error = QCoreApplication::translate("FindBar", "%1, at character %2")
                     .arg(pattern.errorString())
                     .arg(qBound<qsizetype>(1, column + 1, options.text.size() + 1));
    }
    return std::nullopt;
}

std::vector<ItemId> findItems(const Plan& plan, const QRegularExpression& pattern) {
    const HintTexts hints = hintTexts(plan);
    std::vector<ItemId> items;
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        if (pattern.match(searchText(plan, OpId::of(i), hints)).hasMatch()) items.push_back(ItemId::of(OpId::of(i)));
    }
    for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
        if (pattern.match(searchText(plan, BufferId::of(i), hints)).hasMatch())
            items.push_back(ItemId::of(BufferId::of(i)));
    }
    return items;
}

}  // namespace memplan::ui
