// SPDX-License-Identifier: GPL-3.0-or-later
// What a document's window asks of the window that holds several of them. A document's window without a host keeps
// to itself: it opens in place.
#pragma once

#include "app/gui/document/opening.h"
#include "app/gui/session/autosave.h"

namespace memplan::app {

class MainWindow;

class DocumentHost {
public:
    virtual ~DocumentHost() = default;
    virtual void open(const OpenRequest& request) = 0;
    /// The user closes this document, or turns away from a file that did not open.
    virtual void close(MainWindow& window) = 0;
    [[nodiscard]] virtual AutosaveFolder& autosaveFolder() = 0;
};

}  // namespace memplan::app
