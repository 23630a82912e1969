// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/hints/hint_text.h"

#include "engine/hints/value.h"
#include "widgets/plan/units.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <utility>

namespace memplan::ui {

using hints::JsonKind;
using hints::KindInfo;
using hints::Value;
using hints::ValueType;

namespace {

/// A layout is said whole; what is longer ends with an ellipsis.
QString shortened(const QString& value) {
    constexpr qsizetype kMost = 80;
    return value.size() <= kMost ? value : value.left(kMost - 1) + QChar(0x2026);
}

QString tr(const char* text) {
    return QCoreApplication::translate("Hints", text);
}

QString fromView(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// A member of an object value, short: "8", "8x8", "l1", "yes".
QString memberText(const Value& v) {
    switch (v.type) {
    case JsonKind::Bool:
        return v.boolean ? tr("yes") : tr("no");
    case JsonKind::Integer:
        return QString::number(v.integer);
    case JsonKind::Real:
        return QString::number(v.real);
    case JsonKind::String:
        return fromStd(v.string);
    case JsonKind::Array: {
        QStringList parts;
        for (const Value& item : v.items)
            parts << memberText(item);
        return parts.join(u'x');
    }
    case JsonKind::Null:
    case JsonKind::Object:
        break;
    }
    return {};
}

bool isFlat(const Value& v) {
    for (const Value& item : v.items) {
        if (item.is(JsonKind::Object) || item.is(JsonKind::Null)) return false;
        if (!item.is(JsonKind::Array)) continue;
        for (const Value& inner : item.items)
            if (!inner.is(JsonKind::Integer)) return false;
    }
    return true;
}

QString objectText(const Value& v) {
    QStringList parts;
    for (std::size_t i = 0; i < v.items.size(); ++i)
        parts << fromStd(v.keys[i]) + u' ' + memberText(v.items[i]);
    return parts.join(QStringLiteral(", "));
}

QString listText(const Value& v) {
    QStringList parts;
    for (const Value& item : v.items)
        parts << memberText(item);
    return parts.join(QStringLiteral(", "));
}

std::optional<std::int64_t> readNumber(QString text) {
    static const QRegularExpression gaps(QStringLiteral("[\\s\\x{202f}\\x{00a0}_']"));
    std::int64_t factor = 1;
    text.replace(QChar(0x2212), u'-');
    for (const auto& [unit, scale] : {std::pair("kib", 1024LL), std::pair("mib", 1048576LL), std::pair("b", 1LL)}) {
        if (text.startsWith(u"0x", Qt::CaseInsensitive)) break;
        if (!text.endsWith(QLatin1String(unit), Qt::CaseInsensitive)) continue;
        text.chop(static_cast<qsizetype>(qstrlen(unit)));
        factor = scale;
        break;
    }
    text.remove(gaps);
    bool ok = false;
    const qlonglong value =
        text.startsWith(u"0x", Qt::CaseInsensitive) ? text.mid(2).toLongLong(&ok, 16) : text.toLongLong(&ok, 10);
    if (!ok || (factor > 1 && std::abs(value) > (1LL << 40))) return std::nullopt;
    return value * factor;
}

QStringList partsOf(const QString& text) {
    QStringList parts;
    for (const QString& part : text.split(u',')) {
        if (!part.trimmed().isEmpty()) parts << part.trimmed();
    }
    return parts;
}

/// "c0 8" as name and rest; also "c0=8" and "c0: 8".
std::optional<std::pair<QString, QString>> nameAndRest(const QString& part) {
    static const QRegularExpression form(QStringLiteral("^(.*?\\S)\\s*(?:[=:]|\\s)\\s*(\\S+)$"));
    const auto match = form.match(part);
    if (!match.hasMatch()) return std::nullopt;
    return std::pair(match.captured(1), match.captured(2));
}

ReadValue readCounts(const QString& text, const QString& example) {
    NamedCounts counts;
    for (const QString& part : partsOf(text)) {
        const auto pair = nameAndRest(part);
        const auto number = pair ? readNumber(pair->second) : std::nullopt;
        if (!number) return {std::nullopt, tr("\u201c%1\u201d: write a name and a number, like %2").arg(part, example)};
        counts.emplace_back(pair->first.toStdString(), *number);
    }
    if (counts.empty()) return {std::nullopt, tr("write a name and a number, like %1").arg(example)};
    return {HintValue(std::move(counts)), {}};
}

Value memberValue(const QString& text) {
    static const QRegularExpression grid(QStringLiteral("^[0-9]+(x[0-9]+)+$"));
    if (grid.match(text).hasMatch()) {
        std::vector<Value> extents;
        for (const QString& extent : text.split(u'x'))
            extents.push_back(io::jsonInteger(std::int64_t{extent.toLongLong()}));
        return io::jsonArray(std::move(extents));
    }
    if (text == tr("yes") || text == u"true") return io::jsonBool(true);
    if (text == tr("no") || text == u"false") return io::jsonBool(false);
    if (const auto number = readNumber(text)) return io::jsonInteger(*number);
    return io::jsonString(text.toStdString());
}

ReadValue readMembers(const QString& text, const QString& example) {
    Value object;
    for (const QString& part : partsOf(text)) {
        const auto pair = nameAndRest(part);
        if (!pair) return {std::nullopt, tr("\u201c%1\u201d: write a field and its value, like %2").arg(part, example)};
        io::setMember(object, pair->first.toStdString(), memberValue(pair->second));
    }
    if (object.items.empty()) return {std::nullopt, tr("write a field and its value, like %1").arg(example)};
    return {HintValue(std::move(object)), {}};
}

ReadValue readNames(const QString& text) {
    NameList names;
    for (const QString& part : partsOf(text))
        names.push_back(part.toStdString());
    if (names.empty()) return {std::nullopt, tr("write at least one name")};
    return {HintValue(std::move(names)), {}};
}

ReadValue readPositions(const QString& text) {
    std::vector<Value> positions;
    for (const QString& part : partsOf(text)) {
        const auto number = readNumber(part);
        if (!number) return {std::nullopt, tr("\u201c%1\u201d is no whole number").arg(part)};
        positions.push_back(io::jsonInteger(*number));
    }
    if (positions.empty()) return {std::nullopt, tr("write at least one name")};
    return {HintValue(io::jsonArray(std::move(positions))), {}};
}

ReadValue readInteger(const QString& text) {
    if (text.isEmpty()) return {std::nullopt, tr("write a whole number")};
    const auto number = readNumber(text);
    if (!number) return {std::nullopt, tr("\u201c%1\u201d is no whole number").arg(text)};
    return {HintValue(*number), {}};
}

ReadValue readBool(const QString& text, bool onlyTrue) {
    if (text == tr("yes") || text == u"true") return {HintValue(true), {}};
    if (!onlyTrue && (text == tr("no") || text == u"false")) return {HintValue(false), {}};
    return {std::nullopt, onlyTrue ? tr("the value is always yes") : tr("yes or no")};
}

ReadValue readJson(const QString& text) {
    auto value = HintValue::parse(text.toStdString());
    if (!value) return {std::nullopt, tr("this is no JSON: check brackets, commas and quotes")};
    return {std::move(value), {}};
}

}  // namespace

QString hintKindTitle(const Hint& hint, const TargetId& target) {
    const KindInfo* kind = hints::kindOf(hint, target);
    return kind == nullptr ? fromStd(hint.key) : fromView(kind->title);
}

QString hintSubjectText(const Hint& hint) {
    QStringList parts;
    for (const std::string& text : hint.scopes) {
        const auto scope = hints::parseScope(text);
        if (!scope) {
            parts << fromStd(text);
            continue;
        }
        const QString id = fromStd(scope->id);
        const QString word = fromView(hints::scopeTitle(scope->kind));
        const bool bare = scope->kind == hints::ScopeKind::Op || scope->kind == hints::ScopeKind::Tensor;
        parts << (scope->kind == hints::ScopeKind::Graph ? word : bare ? id : word + u' ' + id);
    }
    return parts.join(QStringLiteral(", "));
}

QString hintValueText(const KindInfo* kind, const HintValue& value, bool hexAddresses) {
    const Value& v = value.tree();
    const auto json = [&value] { return fromStd(value.json()); };
    if (kind == nullptr) return json();
    if (v.is(JsonKind::Bool)) return v.boolean ? tr("yes") : tr("no");
    const bool isHex = hexAddresses && kind->type == ValueType::Bytes && v.is(JsonKind::Integer) && v.integer >= 0;
    if (isHex) return hexText(v.integer);
    if (v.is(JsonKind::Integer)) return groupedText(v.integer);
    if (v.is(JsonKind::String)) return fromStd(v.string);
    const bool isCount = kind->type == ValueType::Concurrency && v.is(JsonKind::Object) && v.items.size() == 1 &&
                         v.keys.front() == "k" && v.items.front().is(JsonKind::Integer);
    if (isCount) return groupedText(v.items.front().integer);
    if (kind->type == ValueType::Groups || kind->type == ValueType::Concurrency || !isFlat(v)) return json();
    if (v.is(JsonKind::Object)) return objectText(v);
    return v.is(JsonKind::Array) ? listText(v) : json();
}

ReadValue readHintValue(const KindInfo& kind, const QString& typed) {
    const QString text = typed.trimmed();
    if (text.startsWith(u'{') || text.startsWith(u'[')) return readJson(text);
    switch (kind.type) {
    case ValueType::True:
        return readBool(text, true);
    case ValueType::Bool:
        return readBool(text, false);
    case ValueType::Bytes:
    case ValueType::Integer:
        return readInteger(text);
    case ValueType::Choice:
        if (text.isEmpty()) return {std::nullopt, tr("choose a value")};
        return {HintValue(text.toStdString()), {}};
    case ValueType::Splits:
        return readCounts(text, QStringLiteral("c0 8"));
    case ValueType::Slices:
        return readCounts(text, QStringLiteral("A 4"));
    case ValueType::DimSizes:
        return readCounts(text, QStringLiteral("A 1024"));
    case ValueType::DimNames:
    case ValueType::OpOrder:
    case ValueType::OpIds:
        return readNames(text);
    case ValueType::OperandIndices:
        return readPositions(text);
    case ValueType::OutputLayout:
        return readMembers(text, QStringLiteral("grid 8x8"));
    case ValueType::ConvConfig:
        return readMembers(text, QStringLiteral("act_block_h_override 64"));
    case ValueType::Concurrency:
        if (const auto number = readNumber(text)) return {HintValue(NamedCounts{{"k", *number}}), {}};
        return {std::nullopt, tr("write K, or an object with k, terminals and members")};
    case ValueType::Groups:
        break;
    }
    return {std::nullopt, tr("write it as JSON: %1").arg(fromView(kind.value))};
}

QString hintCommandText(const Hint& hint, const TargetId& target) {
    const QString subject = hintSubjectText(hint);
    const KindInfo* kind = hints::kindOf(hint, target);
    const QString value = hintValueText(kind, hint.value);
    const bool yes = hint.value == HintValue(true);
    if (hint.key == "pin") return tr("Pin %1 on chip").arg(subject);
    if (hint.key == "keep_off_chip") return tr("Keep %1 off chip").arg(subject);
    if (hint.key == "address") return tr("Pin %1 at %2").arg(subject, value);
    if (hint.key == "address_limit") return tr("Keep %1 at or below %2").arg(subject, value);
    if (hint.key == "in_place")
        return hint.value == HintValue("force") ? tr("Force %1 in place").arg(subject)
                                                : tr("Forbid %1 in place").arg(subject);
    if (hint.key == "clone_input") return yes ? tr("Clone %1").arg(subject) : tr("Do not clone %1").arg(subject);
    if (hint.key == "lx_eligible")
        return yes ? tr("Include %1 in LX").arg(subject) : tr("Exclude %1 from LX").arg(subject);
    if (hint.key == "break_chain") return tr("Break the chain %1 %2").arg(value, subject);
    if (hint.key == "split") return tr("Split %1: %2").arg(subject, value);
    return tr("%1 of %2: %3").arg(hintKindTitle(hint, target), subject, shortened(value));
}

HintStateLook hintStateLook(std::string_view state) {
    namespace s = hints::state;
    if (state == s::kApplied) return {tr("applied"), QStringLiteral("check"), Token::Good};
    if (state == s::kPartlyApplied) return {tr("partly applied"), QStringLiteral("warning"), Token::Warning};
    if (state == s::kIgnored) return {tr("ignored"), QStringLiteral("warning"), Token::Warning};
    if (state == s::kConflicting) return {tr("conflicting"), QStringLiteral("warning"), Token::Warning};
    if (state == s::kImpossible) return {tr("impossible"), QStringLiteral("error"), Token::Error};
    if (state == s::kUnmatched) return {tr("unmatched"), QStringLiteral("error"), Token::Error};
    if (state == s::kDisabled) return {tr("off"), QStringLiteral("remove"), Token::Text3};
    if (state == kPendingHint) return {tr("pending"), QStringLiteral("recover"), Token::Text2};
    return {fromView(state), QStringLiteral("note"), Token::Text2};
}

}  // namespace memplan::ui
