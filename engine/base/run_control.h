// SPDX-License-Identifier: Apache-2.0
// Cancellation, deadline and progress of one long task; checked at least every 10 ms of work
// (architecture 5.7, 10.3).
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string_view>

namespace memplan {

struct RunControl {
    std::stop_token stop;  ///< request_stop() of its source cancels
    std::optional<std::chrono::steady_clock::time_point> deadline;
    /// Called with what is going on and done/total; may be empty. Called from the working thread.
    std::function<void(std::string_view what, double done, double total)> onProgress;

    [[nodiscard]] bool cancelled() const { return stop.stop_requested(); }
    [[nodiscard]] bool timedOut() const { return deadline && std::chrono::steady_clock::now() >= *deadline; }
    [[nodiscard]] bool shouldStop() const { return cancelled() || timedOut(); }
    void progress(std::string_view what, double done, double total) const {
        if (onProgress) onProgress(what, done, total);
    }
};

/// Code of the error that a cancelled task ends with; exit status 130.
inline constexpr const char* kCancelledCode = "CANCELLED";

}  // namespace memplan
