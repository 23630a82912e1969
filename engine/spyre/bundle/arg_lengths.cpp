// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/bundle/arg_lengths.h"

#include "engine/base/text.h"

#include <algorithm>

namespace memplan::bundle {
namespace {

std::string counted(std::size_t n, const std::string& what) {
    return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

}  // namespace

std::optional<std::string> lengthProblem(const TensorArg& arg) {
    const auto negative =
        std::find_if(arg.deviceSize.begin(), arg.deviceSize.end(), [](std::int64_t size) { return size < 0; });
    if (negative != arg.deviceSize.end()) return "the device size " + text::grouped(*negative) + " is negative";
    const std::size_t rank = arg.deviceSize.size();
    const bool fits = rank > 0 && arg.coordinates.size() == rank && (!arg.strideMap || arg.strideMap->size() == rank);
    if (fits) return std::nullopt;
    std::string problem = counted(rank, "device size");
    if (arg.strideMap) {
        problem +=
            ", " + counted(arg.coordinates.size(), "coordinate") + " and " + counted(arg.strideMap->size(), "stride");
    } else {
        problem += " and " + counted(arg.coordinates.size(), "coordinate");
    }
    return problem + " do not fit each other";
}

Result<void> checkLengths(const OpSpec& op, const std::string& path) {
    if (op.iterationSpace.empty()) return {};
    for (std::size_t a = 0; a < op.args.size(); ++a) {
        const auto problem = lengthProblem(op.args[a]);
        if (!problem) continue;
        return makeError("CT-025", path + ".args[" + std::to_string(a) + "]", "check 1: " + *problem,
                         "correct the source or compile it anew");
    }
    return {};
}

}  // namespace memplan::bundle
