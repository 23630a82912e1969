// SPDX-License-Identifier: Apache-2.0
// One file below tests/data/graphs for each code of inputs-and-interchange 2.7, with the code and the
// pointer that reading it must give first. MPG-002, MPG-012 and MPG-110 are made in the test.
#pragma once

namespace memplan::test {

struct GraphCase {
    const char* file;
    const char* code;
    const char* pointer;
    const char* severity;
};

// clang-format off
inline constexpr GraphCase kGraphCases[] = {
        {"mpg-001-empty.json", "MPG-001", "", "error"},
        {"mpg-003-utf8.json", "MPG-003", "", "error"},
        {"mpg-003-utf16.json", "MPG-003", "", "error"},
        {"mpg-011-comma.json", "MPG-011", "3:1", "error"},
        {"mpg-011-nan.json", "MPG-011", "1:47", "error"},
        {"mpg-013-key.json", "MPG-013", "/ops/1/fn", "error"},
        {"mpg-014-integer.json", "MPG-014", "/tensors/0/shape/1", "error"},
        {"mpg-014-unsigned.json", "MPG-014", "/tensors/0/shape/1", "error"},
        {"mpg-014-real.json", "MPG-014", "/x_scale", "error"},
        {"mpg-101-format.json", "MPG-101", "/format", "error"},
        {"mpg-101-missing.json", "MPG-101", "/format", "error"},
        {"mpg-102-version.json", "MPG-102", "/version", "error"},
        {"mpg-103-version.json", "MPG-103", "/version", "error"},
        {"mpg-104-minor.json", "MPG-104", "/minor", "note"},
        {"mpg-105-top.json", "MPG-105", "", "error"},
        {"mpg-105-tensor.json", "MPG-105", "/tensors/2", "error"},
        {"mpg-105-loop.json", "MPG-105", "/ops/0/iter/1", "error"},
        {"mpg-106-type.json", "MPG-106", "/ops/2/inputs", "error"},
        {"mpg-106-float.json", "MPG-106", "/tensors/0/shape/0", "error"},
        {"mpg-107-negative.json", "MPG-107", "/tensors/0/shape/0", "error"},
        {"mpg-107-dtype.json", "MPG-107", "/tensors/3/dtype", "error"},
        {"mpg-107-rank.json", "MPG-107", "/tensors/0/shape", "error"},
        {"mpg-107-kind.json", "MPG-107", "/ops/1/kind", "error"},
        {"mpg-107-dim.json", "MPG-107", "/dims/batch/value", "error"},
        {"mpg-107-value.json", "MPG-107", "/tensors/0/value", "error"},
        {"mpg-107-group.json", "MPG-107", "/groups/0/kind", "error"},
        {"mpg-108-unknown.json", "MPG-108", "/tensors/1/colour", "warning"},
        {"mpg-108-loop.json", "MPG-108", "/ops/0/iter/0/step", "error"},
        {"mpg-108-maps.json", "MPG-108", "/ops/0/maps/x_more", "error"},
        {"mpg-109-long.json", "MPG-109", "/ops/3/id", "error"},
        {"mpg-109-control.json", "MPG-109", "/ops/3/id", "error"},
        {"mpg-109-bidi.json", "MPG-109", "/tensors/0/id", "error"},
        {"mpg-110-value.json", "MPG-110", "/tensors/3/value", "error"},
        {"mpg-201-tensor.json", "MPG-201", "/tensors/3/id", "error"},
        {"mpg-202-op.json", "MPG-202", "/ops/4/id", "error"},
        {"mpg-203-input.json", "MPG-203", "/ops/1/inputs/1", "error"},
        {"mpg-203-alias.json", "MPG-203", "/tensors/13/alias_of", "error"},
        {"mpg-204-shape.json", "MPG-204", "/tensors/2/shape/0", "error"},
        {"mpg-204-loop.json", "MPG-204", "/ops/0/iter/0/size", "error"},
        {"mpg-205-op.json", "MPG-205", "/ops/1/group", "error"},
        {"mpg-205-group.json", "MPG-205", "/groups/0/ops/2", "error"},
        {"mpg-205-parent.json", "MPG-205", "/groups/1/parent", "error"},
        {"mpg-205-twice.json", "MPG-205", "/groups/1/ops/0", "error"},
        {"mpg-205-apart.json", "MPG-205", "/groups/0/ops", "error"},
        {"mpg-206-unknown.json", "MPG-206", "/outputs/0", "error"},
        {"mpg-206-repeat.json", "MPG-206", "/inputs/1", "error"},
        {"mpg-210-scope.json", "MPG-210", "/hints/0/scope", "error"},
        {"mpg-210-array.json", "MPG-210", "/hints/0/scope/1", "error"},
        {"mpg-301-writers.json", "MPG-301", "/ops/4/outputs/0", "error"},
        {"mpg-302-writer.json", "MPG-302", "/tensors/6", "error"},
        {"mpg-303-order.json", "MPG-303", "/ops/3/inputs/1", "error"},
        {"mpg-304-cycle.json", "MPG-304", "/ops/1", "error"},
        {"mpg-304-self.json", "MPG-304", "/ops/2", "error"},
        {"mpg-305-input.json", "MPG-305", "/ops/4/outputs/0", "error"},
        {"mpg-306-copy.json", "MPG-306", "/ops/0/maps/in/0/0", "error"},
        {"mpg-306-pads.json", "MPG-306", "/ops/0/maps/in/0/2", "error"},
        {"mpg-307-rank.json", "MPG-307", "/ops/2/maps/in/0", "error"},
        {"mpg-307-count.json", "MPG-307", "/ops/1/maps/in", "error"},
        {"mpg-308-name.json", "MPG-308", "/ops/2/maps/in/0/1", "error"},
        {"mpg-308-syntax.json", "MPG-308", "/ops/2/maps/in/0/1", "error"},
        {"mpg-308-size.json", "MPG-308", "/ops/2/maps/in/0/1", "error"},
        {"mpg-309-kind.json", "MPG-309", "/ops/0/iter", "error"},
        {"mpg-309-size.json", "MPG-309", "/ops/2/iter", "error"},
        {"mpg-309-missing.json", "MPG-309", "/ops/2/iter", "error"},
        {"mpg-310-value.json", "MPG-310", "/tensors/3/value", "error"},
        {"mpg-311-count.json", "MPG-311", "/tensors/6/shape", "error"},
        {"mpg-311-overflow.json", "MPG-311", "/tensors/6/shape", "error"},
        {"mpg-312-size.json", "MPG-312", "/tensors/13/alias_of", "error"},
        {"mpg-312-cycle.json", "MPG-312", "/tensors/12/alias_of", "error"},
        {"mpg-313-unused.json", "MPG-313", "/tensors/6", "warning"},
        {"mpg-314-zero.json", "MPG-314", "/tensors/6/shape/1", "note"},
};
// clang-format on

}  // namespace memplan::test
