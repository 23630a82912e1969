// SPDX-License-Identifier: Apache-2.0
#include "engine/sim/eval/source_values.h"

#include <algorithm>

namespace memplan::sim {

std::vector<Value> sourceValues(const Tensor& tensor, std::uint64_t seed) {
    const std::int64_t n = elementCount(tensor.shape).value_or(0);
    std::vector<Value> values(static_cast<std::size_t>(std::max<std::int64_t>(n, 0)));
    if (tensor.role == TensorRole::Constant && tensor.value.size() == values.size()) {
        std::transform(tensor.value.begin(), tensor.value.end(), values.begin(), constantValue);
        return values;
    }
    const std::uint64_t key = keyOf(tensor.id, seed);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = inputValue(key, i);
    return values;
}

std::uint64_t opaqueKey(const Op& op, const std::vector<std::uint64_t>& fingerprints, std::uint64_t seed) {
    std::uint64_t key = keyOf("outside " + op.id + " " + op.fn, seed);
    for (const std::uint64_t f : fingerprints)
        key = mix(key ^ f) + 1;
    return key;
}

std::uint64_t fingerprint(const std::vector<Value>& values) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        sum += fingerprintTerm(i, values[i]);
    return mix(sum);
}

}  // namespace memplan::sim
