// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/pass.h"

#include "engine/spyre/cost/model_settings.h"

namespace memplan::spyre {

cost::Calibration PassContext::calibration() const {
    return calibration_ ? *calibration_ : cost::builtInCalibration(settings);
}

}  // namespace memplan::spyre
