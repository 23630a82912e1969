// SPDX-License-Identifier: GPL-3.0-or-later
// "Copy command line": the command that makes the plan or the picture on screen, on the clipboard (UX 17.6).
#pragma once

namespace memplan::app {

class DocumentController;
class WindowServices;

/// Says in a message what was copied, or why there is no such command.
void copyCommandLine(const DocumentController& controller, WindowServices& window, bool picture);

}  // namespace memplan::app
