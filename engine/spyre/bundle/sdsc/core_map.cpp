// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/bundle/sdsc/core_map.h"

#include <cstddef>

namespace memplan::bundle {

using std::int64_t;

CoreMap coreMap(const std::vector<int64_t>& splits, bool kFast) {
    std::vector<std::size_t> order;
    if (kFast && !splits.empty()) order.push_back(splits.size() - 1);
    for (std::size_t d = 0; d + (kFast ? 1 : 0) < splits.size(); ++d)
        order.push_back(d);
    int64_t cores = 1;
    for (const int64_t s : splits)
        cores *= s;
    CoreMap map(static_cast<std::size_t>(cores), std::vector<int64_t>(splits.size(), 0));
    for (int64_t core = 0; core < cores; ++core) {
        int64_t rest = core;
        for (const std::size_t d : order) {
            map[static_cast<std::size_t>(core)][d] = rest % splits[d];
            rest /= splits[d];
        }
    }
    return map;
}

}  // namespace memplan::bundle
