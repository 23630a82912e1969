// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/source_place.h"

#include <QFile>
#include <QRegularExpression>

#include <algorithm>
#include <cstring>

namespace memplan::app {
namespace {

constexpr qint64 kLargestFile = 16 << 20;
constexpr int kBefore = 3, kAfter = 2, kWidest = 400, kLeft = 60;

/// Walks through JSON text without building anything; every step says whether the text went on as JSON does.
class Scanner {
public:
    explicit Scanner(const QByteArray& text) : text_(text) {}

    [[nodiscard]] qsizetype at() const { return at_; }

    void skipSpace() {
        while (at_ < text_.size() &&
               (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t'))
            ++at_;
    }

    [[nodiscard]] bool take(char c) {
        skipSpace();
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }

    [[nodiscard]] bool isAt(char c) {
        skipSpace();
        return at_ < text_.size() && text_[at_] == c;
    }

    /// The bytes between the quotes, escapes as written.
    [[nodiscard]] std::optional<QByteArray> string() {
        if (!take('"')) return std::nullopt;
        const qsizetype begin = at_;
        for (; at_ < text_.size() && text_[at_] != '"'; ++at_) {
            if (text_[at_] == '\\') ++at_;
        }
        if (at_ >= text_.size()) return std::nullopt;
        return text_.mid(begin, at_++ - begin);
    }

    /// Over one value, however deep, without recursion.
    [[nodiscard]] bool skipValue() {
        int depth = 0;
        do {
            skipSpace();
            if (at_ >= text_.size()) return false;
            const char c = text_[at_];
            if (c == '"') {
                if (!string()) return false;
            } else if (c == '{' || c == '[') {
                ++depth;
                ++at_;
            } else if (c == '}' || c == ']') {
                --depth;
                ++at_;
            } else if (c == ',' || c == ':') {
                if (depth == 0) return false;
                ++at_;
            } else {
                skipWord();
            }
        } while (depth > 0);
        return depth == 0;
    }

    [[nodiscard]] SourcePlace placeOf(qsizetype begin, qsizetype end) const {
        const QByteArrayView before = QByteArrayView(text_).first(begin);
        const qsizetype lineStart = before.lastIndexOf('\n') + 1;
        const qsizetype lineEnd = text_.indexOf('\n', begin);
        const qsizetype last = lineEnd < 0 ? end : qMin(end, lineEnd);
        return {static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1,
                static_cast<int>(QString::fromUtf8(text_.mid(lineStart, begin - lineStart)).size()) + 1,
                qMax(1, static_cast<int>(QString::fromUtf8(text_.mid(begin, last - begin)).trimmed().size()))};
    }

private:
    void skipWord() {
        const qsizetype begin = at_;
        while (at_ < text_.size() && text_[at_] != 0 && std::strchr(",:{}[]\" \t\r\n", text_[at_]) == nullptr)
            ++at_;
        if (at_ == begin) ++at_;  // a zero byte, for one
    }

    QByteArray text_;  // shared, not copied
    qsizetype at_ = 0;
};

/// Stands the scanner on the member of that name; false when there is none, or the text is no JSON.
bool enterMember(Scanner& scan, const QByteArray& name) {
    if (!scan.take('{') || scan.isAt('}')) return false;
    do {
        const auto key = scan.string();
        if (!key || !scan.take(':')) return false;
        scan.skipSpace();
        if (*key == name) return true;
        if (!scan.skipValue()) return false;
    } while (scan.take(','));
    return false;
}

bool enterEntry(Scanner& scan, qlonglong index) {
    if (!scan.take('[') || scan.isAt(']')) return false;
    for (qlonglong i = 0; i < index; ++i) {
        if (!scan.skipValue() || !scan.take(',')) return false;
    }
    scan.skipSpace();
    return true;
}

/// As the file holds it: names with quotes or control characters are written with escapes there and are not found.
QByteArray unescaped(QString token) {
    return token.replace(QStringLiteral("~1"), QStringLiteral("/"))
        .replace(QStringLiteral("~0"), QStringLiteral("~"))
        .toUtf8();
}

}  // namespace

std::optional<SourcePlace> placeOfPointer(const QByteArray& json, const QString& pointer) {
    if (!pointer.isEmpty() && !pointer.startsWith(u'/')) return std::nullopt;
    Scanner scan(json);
    scan.skipSpace();
    const QStringList tokens = pointer.isEmpty() ? QStringList() : pointer.mid(1).split(u'/');
    for (const QString& token : tokens) {
        Scanner inside = scan;
        bool isIndex = false;
        const qlonglong index = token.toLongLong(&isIndex);
        const bool found = inside.isAt('[') ? isIndex && index >= 0 && enterEntry(inside, index)
                                            : enterMember(inside, unescaped(token));
        if (!found) break;
        scan = inside;
    }
    const qsizetype begin = scan.at();
    if (begin >= json.size()) return std::nullopt;
    Scanner end = scan;
    if (scan.isAt('{') || scan.isAt('[')) return scan.placeOf(begin, begin + 1);
    return end.skipValue() ? std::optional(scan.placeOf(begin, end.at())) : std::nullopt;
}

std::optional<SourcePlace> placeInWords(const QString& words) {
    static const QRegularExpression kPlace(
        QStringLiteral("line (\\d+)(?:,? column (\\d+))?|(?<![\\d.:])(\\d+):(\\d+)(?![\\d:])"));
    const QRegularExpressionMatch m = kPlace.match(words);
    if (!m.hasMatch()) return std::nullopt;
    const int line = (m.captured(1).isEmpty() ? m.captured(3) : m.captured(1)).toInt();
    const int column = (m.captured(1).isEmpty() ? m.captured(4) : m.captured(2)).toInt();
    if (line < 1) return std::nullopt;
    return SourcePlace{line, qMax(1, column), 1};
}

QByteArray sourceText(const QString& path) {
    QFile file(path);
    if (!file.exists() || file.size() > kLargestFile || !file.open(QIODevice::ReadOnly)) return {};
    const QByteArray text = file.readAll();
    return text.left(4096).contains('\0') ? QByteArray() : text;
}

std::optional<SourcePlace> sourcePlace(const QByteArray& text, const QString& where, const QString& message) {
    if (text.isEmpty()) return std::nullopt;
    const QByteArray start = text.left(4096).trimmed();
    const bool isJson = start.startsWith('{') || start.startsWith('[');
    return isJson && where.startsWith(u'/') ? placeOfPointer(text, where) : placeInWords(where + u' ' + message);
}

std::optional<SourceExcerpt> sourceExcerpt(const QByteArray& text, const QString& where, const QString& message) {
    const auto place = sourcePlace(text, where, message);
    if (!place) return std::nullopt;
    const QList<QByteArray> lines = text.split('\n');
    if (place->line > lines.size()) return std::nullopt;
    SourceExcerpt excerpt;
    excerpt.at = *place;
    excerpt.firstLine = qMax(1, place->line - kBefore);
    excerpt.cut = place->column > kLeft + kLeft / 2 ? place->column - kLeft : 0;
    for (int i = excerpt.firstLine; i <= qMin(static_cast<int>(lines.size()), place->line + kAfter); ++i) {
        QString line = QString::fromUtf8(lines[i - 1]);
        line.replace(u'\t', u' ').remove(u'\r');
        excerpt.lines << line.mid(excerpt.cut, kWidest);
    }
    // The end of the last line is no line of its own.
    while (excerpt.lines.size() > 1 && excerpt.lines.constLast().isEmpty() &&
           excerpt.firstLine + excerpt.lines.size() - 1 > place->line)
        excerpt.lines.removeLast();
    return excerpt;
}

}  // namespace memplan::app
