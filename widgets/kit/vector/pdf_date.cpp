// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/kit/vector/pdf_date.h"

#include <algorithm>

namespace memplan::ui {
namespace {

// "0000000015 00000 n \n": ten digits of the offset, then the generation.
constexpr qsizetype kEntry = 20, kDigits = 10;

qsizetype numberAt(const QByteArray& pdf, qsizetype at) {
    const qsizetype end = std::min(pdf.indexOf('\n', at), pdf.size());
    return pdf.mid(at, end - at).trimmed().toLongLong();
}

}  // namespace

QByteArray pdfWithoutDate(QByteArray pdf) {
    const QByteArray key = "/CreationDate (D:", startMark = "startxref\n";
    const qsizetype begin = pdf.indexOf(key), start = pdf.lastIndexOf(startMark);
    const qsizetype end = begin < 0 ? -1 : pdf.indexOf(")\n", begin);
    if (end < 0 || start < end) return pdf;
    const qsizetype removed = end + 2 - begin;
    const qsizetype table = numberAt(pdf, start + startMark.size());
    if (table <= end || table >= start || !pdf.mid(table, 5).startsWith("xref\n")) return pdf;
    // The objects behind the date move to the front, and so does the table itself.
    for (qsizetype at = pdf.indexOf(" n", table) - (kDigits + 6); at > table; at += kEntry) {
        const QByteArray entry = pdf.mid(at, kEntry);
        const QByteArray use = entry.mid(kDigits + 6, 2);
        if (use == " f") continue;  // an object that is not there has no place
        if (use != " n") break;
        const qlonglong offset = entry.left(kDigits).toLongLong();
        if (offset <= begin) continue;
        pdf.replace(at, kDigits, QByteArray::number(offset - removed).rightJustified(kDigits, '0'));
    }
    const QByteArray tail = startMark + QByteArray::number(table - removed) + " \n%%EOF\n";
    return pdf.left(start).remove(begin, removed) + tail;
}

}  // namespace memplan::ui
