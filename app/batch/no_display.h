// SPDX-License-Identifier: GPL-3.0-or-later
// A window where there is no display: one error in place of the abort that Qt ends such a program with.
#pragma once

namespace memplan::app {

/// While one exists, Qt's failure to start a platform ends the program with CLI-002 and its exit status. Stands around
/// the making of the application object only.
class DisplayGuard {
public:
    explicit DisplayGuard(bool jsonErrors);
    ~DisplayGuard();
    DisplayGuard(const DisplayGuard&) = delete;
    DisplayGuard& operator=(const DisplayGuard&) = delete;
};

}  // namespace memplan::app
