// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/graph/tensor.h"

#include <algorithm>

namespace memplan::torchwright {

std::span<const Tensor::Entry> Tensor::row(std::int64_t r) const {
    const auto begin = std::ranges::lower_bound(entries, r * columns, {}, &Entry::index);
    const auto end = std::ranges::lower_bound(begin, entries.end(), (r + 1) * columns, {}, &Entry::index);
    return {begin, end};
}

float Tensor::at(std::int64_t r, std::int64_t column) const {
    const std::int64_t wanted = r * columns + column;
    const auto found = std::ranges::lower_bound(entries, wanted, {}, &Entry::index);
    return found != entries.end() && found->index == wanted ? found->value : 0.0F;
}

}  // namespace memplan::torchwright
