// SPDX-License-Identifier: GPL-3.0-or-later
// What a document's tasks did, as lines of the log (UX 3.2).
#pragma once

class QObject;

namespace memplan::app {

class DocumentController;

/// As long as `context` lives.
void logTasks(DocumentController& controller, QObject* context);

}  // namespace memplan::app
