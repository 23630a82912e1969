// SPDX-License-Identifier: Apache-2.0
// How many of many random cases a test goes through.
#pragma once

namespace memplan::test {

/// All of them; a quarter where the code is instrumented, which takes ten times as long. The tests without it go
/// through all, and instrumentation looks for faults of memory, which every case can show.
template <class Count> [[nodiscard]] constexpr Count thinned(Count count) {
#ifdef MEMPLAN_INSTRUMENTED
    return (count + 3) / 4;
#else
    return count;
#endif
}

}  // namespace memplan::test
