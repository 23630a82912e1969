// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/search/conv2d_space.h"

#include "engine/ttnn/options/config_fields.h"

#include <algorithm>

namespace memplan::ttnn {
namespace {

bool isReshardToNowhere(const Conv2dConfig& config) {
    return config.reshardIfNotOptimal == true && !config.shardLayout;
}

}  // namespace

Conv2dSpace standardConv2dSpace() {
    Conv2dSpace space(4);
    space[0].deallocateActivation = true;
    space[1].actBlockHOverride = 0;  // automatic, preferred
    space[2].actBlockHOverride = 64;
    space[3].actBlockHOverride = 32;
    return space;
}

Conv2dSearch conv2dConfigs(const Conv2dConfig& base, const Conv2dSpace& space, Conv2dFilter filter) {
    Conv2dSearch search{true, {base}};
    eachField(base, [&](const auto& field) {
        if (base.*field.member) return;
        std::vector<Conv2dConfig> combined;
        for (const Conv2dConfig& config : search.configs)
            for (const Conv2dConfig& value : space) {
                if (!(value.*field.member)) continue;
                combined.push_back(config);
                combined.back().*field.member = value.*field.member;
            }
        if (combined.empty()) return;
        search = {false, std::move(combined)};
    });
    if (search.isEmpty) search.configs.clear();
    if (filter == Conv2dFilter::Standard) std::erase_if(search.configs, isReshardToNowhere);
    return search;
}

}  // namespace memplan::ttnn
