// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/document/bindings_text.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>

namespace memplan::app {

QString bindingsText(const BindingPairs& pairs) {
    QStringList parts;
    for (const auto& [name, value] : pairs)
        parts << QString::fromStdString(name + "=" + value);
    return parts.join(QStringLiteral(", "));
}

std::optional<BindingPairs> bindingsFromText(const QString& text) {
    BindingPairs pairs;
    for (const QString& part : text.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        const QString trimmed = part.trimmed();
        const qsizetype sign = trimmed.lastIndexOf(QLatin1Char('='));
        if (trimmed.isEmpty()) continue;
        if (sign < 1 || sign + 1 == trimmed.size()) return std::nullopt;
        pairs.emplace_back(trimmed.left(sign).trimmed().toStdString(), trimmed.mid(sign + 1).trimmed().toStdString());
    }
    return pairs;
}

QString proposedBindings(const QString& fix) {
    static const QRegularExpression kOption(QStringLiteral("--bind (?:'([^']+)'|([^\\s,()]+))"));
    QStringList parts;
    for (auto it = kOption.globalMatch(fix); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        QString part = match.captured(1).isEmpty() ? match.captured(2) : match.captured(1);
        if (part.endsWith(u"=VALUE")) part.chop(5);
        parts << part;
    }
    static const QRegularExpression kBound(QStringLiteral("bound dimensions: ([^;]+)"));
    if (parts.isEmpty()) return kBound.match(fix).captured(1);
    const bool isChoice = fix.contains(u"one of");
    return isChoice ? parts.value(0) : parts.join(QStringLiteral(", "));
}

QString withProposed(const QString& given, const QString& fix) {
    QStringList parts = given.split(QStringLiteral(", "), Qt::SkipEmptyParts);
    for (const QString& part : proposedBindings(fix).split(QStringLiteral(", "), Qt::SkipEmptyParts)) {
        const QString name = part.left(part.lastIndexOf(QLatin1Char('=')) + 1);
        const bool isGiven = std::ranges::any_of(parts, [&name](const QString& p) { return p.startsWith(name); });
        if (!isGiven) parts << part;
    }
    return parts.join(QStringLiteral(", "));
}

}  // namespace memplan::app
