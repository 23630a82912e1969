// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/passes/timeline/pass_texts.h"

#include "widgets/plan/pass_words.h"
#include "widgets/plan/units.h"

#include <QObject>

namespace memplan::ui {
namespace {

/// The pass before `pass` whose text is known, -1 = none.
int snapshotBefore(const std::vector<PassRun>& passes, int pass) {
    for (int i = pass - 1; i >= 0; --i)
        if (runOf(passes, i).snapshot) return i;
    return -1;
}

QString nameOf(const std::vector<PassRun>& passes, int pass) {
    if (pass < 0) return QObject::tr("as read");
    return QObject::tr("after pass %1, %2").arg(pass + 1).arg(passTitle(runOf(passes, pass)));
}

}  // namespace

QString passTimeText(double seconds) {
    return QObject::tr("%1 ms").arg(seconds * 1000.0, 0, 'f', 2);
}

PassTexts passTexts(const std::vector<PassRun>& passes, int pass) {
    const auto textOf = [&](int at) {
        const auto snapshot = at < 0 ? nullptr : runOf(passes, at).snapshot;
        return snapshot ? QString::fromStdString(snapshot->text) : QString();
    };
    const int earlier = snapshotBefore(passes, pass);
    const QString after = textOf(runOf(passes, pass).snapshot ? pass : earlier);
    // The first snapshot has nothing to compare with: it is the program as it was read.
    return {nameOf(passes, earlier), earlier < 0 ? after : textOf(earlier), nameOf(passes, pass), after};
}

int passToOpenWith(const std::vector<PassRun>& passes) {
    const auto textOf = [&](int at) {
        const auto snapshot = at < 0 ? nullptr : runOf(passes, at).snapshot;
        return snapshot ? snapshot->text : std::string();
    };
    const int last = static_cast<int>(passes.size()) - 1;
    for (int i = last; i >= 0; --i)
        if (runOf(passes, i).changed && textOf(i) != textOf(snapshotBefore(passes, i))) return i;
    return last;
}

}  // namespace memplan::ui
