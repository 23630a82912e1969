// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/mlir/problems.h"

#include "engine/base/text.h"

#include <array>
#include <string_view>
#include <utility>

namespace memplan::ttnn {

namespace {

struct Kind {
    std::string_view part;  ///< of the library's message
    std::string_view code, hint;
};

constexpr std::string_view kKernels =
    "modules of kernels (ttir.generic, D2M, TTMetal) are not planned: open the TTIR or TTNN module they were made from";
constexpr std::string_view kCustom = "print the file in generic form (mlir-opt -mlir-print-op-generic)";

/// The first that fits counts; all others are MLIR-002.
constexpr std::array kKinds{
    Kind{"expects different type than prior uses", "MLIR-004", ""},
    Kind{"number of operands and types", "MLIR-004", ""},
    Kind{"operand types but", "MLIR-004", ""},
    Kind{"operand type, but", "MLIR-004", ""},
    Kind{"operand types, but", "MLIR-004", ""},
    Kind{"operation defines", "MLIR-004", ""},
    Kind{"doesn't match function result type", "MLIR-004", ""},
    Kind{"enclosing function", "MLIR-004", ""},
    Kind{"undeclared SSA value", "MLIR-003", ""},
    Kind{"undefined SSA value", "MLIR-003", ""},
    Kind{"redefinition of SSA value", "MLIR-003", ""},
    Kind{"redefinition of symbol", "MLIR-003", ""},
    Kind{"reference to invalid result number", "MLIR-003", ""},
    Kind{"invalid memref element type", "MLIR-008", kKernels},
    Kind{"not found for custom op", "MLIR-006", kCustom},
};

Diagnostic diagnosticOf(const ir::Problem& problem, const TextMap& map) {
    Diagnostic d;
    d.code = "MLIR-002";
    for (const Kind& kind : kKinds) {
        if (problem.message.find(kind.part) == std::string::npos) continue;
        d.code = kind.code;
        d.hint = kind.hint;
        break;
    }
    d.where = map.placeOfResult(problem.at);
    // It goes on with advice for users of the library.
    d.message = memplan::text::escaped(problem.message.substr(0, problem.message.find(" ; Available dialects")));
    return d;
}

}  // namespace

Error errorOf(const std::vector<ir::Problem>& problems, const TextMap& map) {
    std::vector<Diagnostic> list;
    for (const ir::Problem& problem : problems)
        list.push_back(diagnosticOf(problem, map));
    return Error(std::move(list));
}

}  // namespace memplan::ttnn
