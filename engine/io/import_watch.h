// SPDX-License-Identifier: Apache-2.0
// The limits of an import that no importer can count for itself: time without progress, time in all, memory
// (inputs-and-interchange 7).
#pragma once

#include "engine/base/result.h"
#include "engine/base/run_control.h"
#include "engine/json/limits.h"

#include <memory>

namespace memplan::io {

/// Watches one import from a thread of its own and stops it through the control that it hands out.
class ImportWatch {
public:
    ImportWatch(const Limits& limits, const RunControl& control);
    ~ImportWatch();
    ImportWatch(const ImportWatch&) = delete;
    ImportWatch& operator=(const ImportWatch&) = delete;

    /// What the importer polls: stopped by the caller's control or by a limit; progress counts as a sign of life.
    [[nodiscard]] const RunControl& control() const;
    /// The limit that ended the import (IN-905, IN-906, with the value found), nullopt when none did.
    [[nodiscard]] std::optional<Error> exceeded() const;

private:
    struct Watch;
    std::unique_ptr<Watch> watch_;
};

}  // namespace memplan::io
