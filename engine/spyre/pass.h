// SPDX-License-Identifier: Apache-2.0
// Passes of the Spyre pipeline: steps over spyre::State that also see the machine and its performance model.
#pragma once

#include "engine/pipeline/pass.h"
#include "engine/spyre/cost/calibration.h"
#include "engine/spyre/machine/spyre_machine.h"

#include <memory>

namespace memplan::spyre {

struct State;  // spyre/state.h

class PassContext : public memplan::PassContext {
public:
    /// Without calibration: that of the built-in constants.
    PassContext(std::string_view pass, const Settings& values, const SpyreMachine& spyreMachine,
                std::span<const Hint> given, const RunControl& run,
                std::shared_ptr<const cost::Calibration> calibration = nullptr)
        : memplan::PassContext(pass, values, given, run), machine(spyreMachine), calibration_(std::move(calibration)) {}

    const SpyreMachine& machine;

    /// The same inputs for another pass or other settings; what it says is its own.
    [[nodiscard]] PassContext silent(std::string_view pass, const Settings& values) const {
        return PassContext(pass, values, machine, hints, control, calibration_);
    }
    [[nodiscard]] cost::Calibration calibration() const;

private:
    std::shared_ptr<const cost::Calibration> calibration_;
};

using Pass = PassOver<State, PassContext>;

}  // namespace memplan::spyre
