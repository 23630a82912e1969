// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/scratchpad/step_info.h"

namespace memplan::spyre {

const PassInfo& scratchpadPlanningInfo() {
    static const PassInfo kInfo{"scratchpad_planning",
                                "choose what lives in LX, where and when",
                                "keeps as many bytes as possible in each core's scratchpad",
                                false,
                                "spyre.lx_planning",
                                {"layouts", "splits"},
                                {"lifetimes", "addresses"},
                                ""};
    return kInfo;
}

PassInfo scratchpadStep(const PassText& text) {
    PassInfo info = passInfo(text);
    info.parent = "scratchpad_planning";
    return info;
}

}  // namespace memplan::spyre
