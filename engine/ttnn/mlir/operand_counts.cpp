// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/mlir/operand_counts.h"

#include <algorithm>
#include <array>

namespace memplan::ttnn {

namespace {

struct Counts {
    std::size_t least = 0, most = 0;
    std::string_view words;  ///< kinds, each between blanks
};

constexpr std::array kCounts{
    Counts{0, 0, " constant arange iota empty "},
    Counts{
        1, 1,
        " relu relu6 gelu silu sigmoid tanh exp exponential log sqrt rsqrt reciprocal neg negate abs cos sin cosine "
        "sine floor ceil logical_not typecast convert reshape permute transpose softmax sum mean max min prod argmax "
        "max_pool2d avg_pool2d upsample2d repeat repeat_interleave squeeze unsqueeze broadcast broadcast_in_dim "
        "reduce_or index slice_static "},
    Counts{2, 2,
           " add subtract multiply div divide maximum minimum eq ne lt le gt ge logical_and logical_or matmul "
           "dot_general "},
    Counts{2, 3, " linear embedding conv2d conv_transpose2d "},
    Counts{3, 3, " where "},
};

bool isOurs(std::string_view dialect) {
    return dialect == "ttir" || dialect == "ttnn" || dialect == "stablehlo";
}

std::string counted(std::size_t n, std::string_view word) {
    return std::to_string(n) + " " + std::string(word) + (n == 1 ? "" : "s");
}

const Counts* countsOf(std::string_view kind) {
    const std::string word = " " + std::string(kind) + " ";
    const auto it =
        std::ranges::find_if(kCounts, [&](const Counts& c) { return c.words.find(word) != std::string::npos; });
    return it == kCounts.end() ? nullptr : &*it;
}

}  // namespace

std::string wrongCount(std::string_view name, std::size_t operands, std::size_t results, bool hasBuffer) {
    const std::size_t dot = name.find('.');
    if (dot == std::string_view::npos || !isOurs(name.substr(0, dot))) return {};
    const std::string_view dialect = name.substr(0, dot), kind = name.substr(dot + 1);
    const Counts* counts = countsOf(kind);
    if (counts == nullptr) return {};
    // TTNN operations may name a device, a bias or a buffer besides.
    const std::size_t more = (hasBuffer ? 1U : 0U) + (dialect == "ttnn" ? 2U : 0U);
    const std::string who = std::string(name) + " has ";
    if (operands < counts->least || operands > counts->most + more) {
        const std::string wanted = counts->least == counts->most
                                       ? std::to_string(counts->least)
                                       : std::to_string(counts->least) + " or " + std::to_string(counts->most);
        return who + counted(operands, "operand") + ", not " + wanted;
    }
    return results == 1 ? std::string() : who + counted(results, "result") + ", not 1";
}

}  // namespace memplan::ttnn
