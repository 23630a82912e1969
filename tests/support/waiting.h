// SPDX-License-Identifier: Apache-2.0
// Waiting for what no signal announces.
#pragma once

#include <QCoreApplication>
#include <QTest>

namespace memplan::test {

/// Whether `condition` holds now and for the whole of `milliseconds`: for what must not happen.
template <class Condition> [[nodiscard]] bool staysTrue(Condition condition, int milliseconds) {
    return !QTest::qWaitFor([&condition] { return !condition(); }, milliseconds);
}

/// Widgets are where their layouts want them: one turn of the event loop may post the next layout.
inline void finishLayouts() {
    constexpr int kDepth = 5;
    for (int i = 0; i < kDepth; ++i) {
        QCoreApplication::sendPostedEvents();
        QCoreApplication::processEvents();
    }
}

}  // namespace memplan::test
