// SPDX-License-Identifier: GPL-3.0-or-later
// Where in a text file an error is (user-experience 19.3): the engine names a JSON pointer or line:column, the reader
// wants to see the lines.
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <optional>

namespace memplan::app {

/// Line and column from 1; `length` of what is wrong in characters of that line, at least 1.
struct SourcePlace {
    int line = 1, column = 1, length = 1;
    friend bool operator==(const SourcePlace&, const SourcePlace&) = default;
};

/// Where the value of a JSON pointer ("/tensors/3/shape/1", RFC 6901) stands. Of a member or an entry that is not there
/// the place is that of what should hold it. Empty when the text ends or is no JSON before that.
[[nodiscard]] std::optional<SourcePlace> placeOfPointer(const QByteArray& json, const QString& pointer);

/// The place that words give: "line 3, column 7", "line 3" or "3:7".
[[nodiscard]] std::optional<SourcePlace> placeInWords(const QString& words);

/// Some lines of a file around a place.
struct SourceExcerpt {
    int firstLine = 1;
    QStringList lines;  ///< of long lines the part around the place
    SourcePlace at;     ///< in the file
    int cut = 0;        ///< characters left out before each line
};

/// What a text file holds; empty for one that is not text, is larger than 16 MiB or cannot be read.
[[nodiscard]] QByteArray sourceText(const QString& path);

/// The place that a diagnostic names in the text; empty for errors without one.
[[nodiscard]] std::optional<SourcePlace> sourcePlace(const QByteArray& text, const QString& where,
                                                     const QString& message);

/// The lines around the place that a diagnostic names; empty for errors without a place.
[[nodiscard]] std::optional<SourceExcerpt> sourceExcerpt(const QByteArray& text, const QString& where,
                                                         const QString& message);

}  // namespace memplan::app
