// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/ttnn/advice_modules.h"

#include <functional>
#include <map>

namespace memplan::test {
namespace {

using ttnn::Shape;
using ttnn::ValueId;

const Shape kWide{256, 512};

// ---- TT-050: the second operand comes from an operation outside of chains, or from the caller
SmallCase untracked(bool isProduced) {
    FunctionBuilder b;
    const ValueId x = b.argument(kWide), y = b.argument(kWide);
    const ValueId other = isProduced ? b.add("abs", {y}, kWide) : y;
    b.giveBack(b.add("multiply", {b.add("relu", {x}, kWide), other}, kWide));
    return {b.function};
}

// ---- TT-051: a value of one element is broadcast in both dimensions, which no sharded layout allows
SmallCase deadEdge(bool isOnlyOne) {
    FunctionBuilder b;
    const Shape one{1, 1};
    const ValueId small = b.add("relu", {b.add("neg", {b.argument(one)}, one)}, one);
    ValueId sum = b.add("gelu", {b.add("add", {small, b.argument(kWide)}, kWide)}, kWide);
    // A product with batches takes interleaved operands only.
    if (!isOnlyOne) sum = b.add("matmul", {sum, b.argument({4, 512, 64})}, {4, 256, 64});
    b.giveBack(sum);
    return {b.function};
}

// ---- TT-052: a forced layout on four cores at the entry of a chain of expensive operations
SmallCase fewCoresFirst(bool isForced) {
    FunctionBuilder b;
    const Shape shape{1024, 1024};
    ValueId v = b.add("relu", {b.argument(shape)}, shape);
    for (int i = 0; i < 4; ++i)
        v = b.add("gelu", {v}, shape);
    b.giveBack(v);
    SmallCase small{b.function};
    if (isForced)
        small.hints = {
            opHint("relu_0", "output_layout", R"({"grid":[8,1],"buffer":"l1","mem":"height_sharded","page":"tile"})")};
    return small;
}

// ---- TT-053: a fork and a merge that do not fit together (400 KB of a core each)
SmallCase competing(bool isForked) {
    FunctionBuilder b;
    const Shape shape{4096, 3200};
    const ValueId root = b.add("relu", {b.argument(shape)}, shape);
    const ValueId far = b.add("neg", {root}, shape);
    const ValueId lhs = b.add("relu", {b.argument(shape)}, shape);
    const ValueId rhs = b.add("gelu", {b.argument(shape)}, shape);
    const ValueId product = b.add("multiply", {rhs, lhs}, shape);
    b.giveBack(isForked ? b.add("add", {product, root}, shape) : b.add("relu", {product}, shape));
    b.giveBack(far);
    return {b.function};
}

// ---- TT-054: a fork whose value is too large for L1 in a form that all readers take
SmallCase fork(const Shape& shape) {
    FunctionBuilder b;
    const ValueId root = b.add("relu", {b.argument(shape)}, shape);
    const Shape column{shape[0], 1};
    b.giveBack(b.add("sum", {root}, column, {{"dim_arg", "[1 : i32]"}, {"keep_dim", "true"}}));
    b.giveBack(b.add("neg", {root}, shape));
    return {b.function};
}

// ---- TT-055
SmallCase operandOrder(bool isSecond) {
    FunctionBuilder b;
    const ValueId x = b.argument(kWide), y = b.argument(kWide);
    const ValueId v = b.add("relu", {x}, kWide);
    b.giveBack(b.add("relu", {b.add("add", isSecond ? std::vector{y, v} : std::vector{v, y}, kWide)}, kWide));
    return {b.function};
}

// ---- TT-056: softmax between two chains, or before the end
SmallCase outside(bool isBetween) {
    FunctionBuilder b;
    const ValueId v = b.add("relu", {b.argument(kWide)}, kWide);
    const ValueId soft = b.add("softmax", {v}, kWide, {{"dimension", "1 : si32"}});
    b.giveBack(isBetween ? b.add("relu", {soft}, kWide) : soft);
    return {b.function};
}

// ---- TT-057, TT-060: layouts forced by hand
SmallCase line(std::vector<Hint> hints, std::vector<std::pair<std::string, std::string>> settings = {},
               const Shape& shape = kWide) {
    FunctionBuilder b;
    const ValueId v = b.add("relu", {b.argument(shape)}, shape);
    b.giveBack(b.add("gelu", {v}, shape));
    return {b.function, std::move(settings), std::move(hints)};
}

// ---- TT-059: three operations at the end of a line narrow it one after the other. Of a column of 692 tiles the shards
// of two cores fit for two tensors, but not with the buffers of an addition.
SmallCase narrowed(bool isForced) {
    FunctionBuilder b;
    const Shape column{692 * 32, 32};
    ValueId v = b.argument(column);
    for (int i = 0; i < 9; ++i)
        v = b.add("relu", {v}, column);
    v = b.add("add", {v, b.argument(column)}, column);
    v = b.add("relu", {v}, column);
    b.giveBack(b.add("relu", {v}, column));
    SmallCase small{b.function};
    if (isForced)
        small.hints = {opHint("relu_10", "output_layout", R"({"mem":"height_sharded"})"),
                       opHint("relu_11", "output_layout", R"({"grid":[4,1]})")};
    return small;
}

// ---- TT-061: read back one position later, or only given back
SmallCase readBack(bool isRead) {
    FunctionBuilder b;
    const ValueId v = b.add("relu", {b.argument(kWide)}, kWide);
    b.giveBack(isRead ? b.add("softmax", {v}, kWide, {{"dimension", "1 : si32"}}) : v);
    return {b.function};
}

// ---- TT-062
SmallCase concat(bool isForced) {
    FunctionBuilder b;
    const Shape part{256, 256};
    const ValueId lhs = b.add("relu", {b.argument(part)}, part);
    const ValueId rhs = b.add("gelu", {b.argument(part)}, part);
    b.giveBack(b.add("relu", {b.add("concat", {lhs, rhs}, kWide, {{"dim", "1 : si32"}})}, kWide));
    SmallCase small{b.function};
    if (isForced) small.hints = {opHint("relu_0", "output_layout", R"({"mem":"block_sharded"})")};
    return small;
}

// ---- TT-063
SmallCase unmodelled(const std::string& kind, bool isBetween) {
    FunctionBuilder b;
    const ValueId v = b.add("relu", {b.argument(kWide)}, kWide);
    const ValueId strange = b.add(kind, {v}, kWide);
    b.giveBack(isBetween ? b.add("relu", {strange}, kWide) : strange);
    return {b.function};
}

// ---- TT-064
SmallCase smallDram(Bytes channel) {
    SmallCase small = line({});
    small.device.emplace();
    small.device->dramChannelSize = channel;
    return small;
}

const std::map<std::string, std::function<SmallCase()>>& table() {
    static const std::map<std::string, std::function<SmallCase()>> kTable{
        {"TT-050", [] { return untracked(true); }},
        {"TT-050_near", [] { return untracked(false); }},
        {"TT-051", [] { return deadEdge(true); }},
        {"TT-051_near", [] { return deadEdge(false); }},
        {"TT-052", [] { return fewCoresFirst(true); }},
        {"TT-052_near", [] { return fewCoresFirst(false); }},
        {"TT-053", [] { return competing(true); }},
        {"TT-053_near", [] { return competing(false); }},
        {"TT-054",
         [] {
             return fork({8192, 4096});
         }},
        {"TT-054_near",
         [] {
             return fork({256, 512});
         }},
        {"TT-055", [] { return operandOrder(true); }},
        {"TT-055_near", [] { return operandOrder(false); }},
        {"TT-056", [] { return outside(true); }},
        {"TT-056_near", [] { return outside(false); }},
        {"TT-057", [] { return line({opHint("gelu_1", "output_layout", R"({"buffer":"dram"})")}); }},
        {"TT-057_near", [] { return line({opHint("gelu_1", "output_layout", R"({"buffer":"l1"})")}); }},
        {"TT-058",
         [] {
             return line({}, {{"ttnn.max_legal_layouts", "4"}}, {64, 64});
         }},
        {"TT-058_near",
         [] {
             return line({}, {{"ttnn.max_legal_layouts", "64"}}, {64, 64});
         }},
        {"TT-059", [] { return narrowed(true); }},
        {"TT-059_near", [] { return narrowed(false); }},
        {"TT-060", [] { return line({opHint("gelu_1", "output_layout", R"({"mem":"block_sharded","grid":[2,2]})")}); }},
        {"TT-060_near",
         [] { return line({opHint("gelu_1", "output_layout", R"({"mem":"block_sharded","grid":[4,8]})")}); }},
        {"TT-061", [] { return readBack(true); }},
        {"TT-061_near", [] { return readBack(false); }},
        {"TT-062", [] { return concat(true); }},
        {"TT-062_near", [] { return concat(false); }},
        {"TT-063", [] { return unmodelled("all_gather", true); }},
        {"TT-063_near", [] { return unmodelled("all_gather", false); }},
        {"TT-064", [] { return smallDram(1 << 15); }},
        {"TT-064_near", [] { return smallDram(1 << 20); }},
    };
    return kTable;
}

}  // namespace

SmallCase smallCase(const std::string& name) {
    return table().at(name)();
}

std::vector<std::string> adviceCodes() {
    std::vector<std::string> codes;
    for (const auto& [name, make] : table())
        if (name.size() == 6) codes.push_back(name);
    return codes;
}

}  // namespace memplan::test
