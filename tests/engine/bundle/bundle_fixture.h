// SPDX-License-Identifier: Apache-2.0
// The example of spyre-coarse-tiling-and-bundle 15 as an OpSpec tree.
#pragma once

#include "engine/plan/op_spec/op_spec.h"

namespace memplan::bundle {

inline Expr expr(std::string_view text) {
    return Expr::parse(text).value();
}

inline TensorArg tensor(bool isInput, std::vector<std::int64_t> deviceSize, std::vector<std::int64_t> strideMap,
                        Allocation at, bool fixed = false) {
    TensorArg a;
    a.isInput = isInput;
    a.deviceSize = std::move(deviceSize);
    a.coordinates = {expr("floor(c1/64)"), expr("c0"), expr("Mod(c1, 64)")};
    a.strideMap = std::move(strideMap);
    a.allocation = at;
    a.perTileFixed = fixed;
    const auto& segments = kSegmentOffsets;
    if (at.space == Space::Hbm) a.argIndex = std::find(segments.begin(), segments.end(), at.address) - segments.begin();
    return a;
}

inline OpSpec pointwise(std::string name, std::vector<TensorArg> args) {
    OpSpec op;
    op.op = std::move(name);
    op.iterationSpace = {{"c0", Expr(512), 32}, {"c1", Expr(1024), 1}};
    op.tiledSymbols = {"c0", "c1"};
    op.args = std::move(args);
    return op;
}

/// y = a + b; z = y * c in two loops, y in LX at 0.
inline Kernel seedKernel() {
    const std::vector<std::int64_t> full{64, 1024, 64};
    const std::vector<std::int64_t> tile{16, 512, 64};
    const std::vector<std::int64_t> fullMap{64, 4096, 1};
    const std::vector<std::int64_t> tileMap{64, 1024, 1};
    const auto hbm = [](std::size_t slot) { return Allocation{Space::Hbm, kSegmentOffsets[slot]}; };
    const Allocation lx{Space::Lx, 0};
    OpSpec add = pointwise("add", {tensor(true, full, fullMap, hbm(0)), tensor(true, full, fullMap, hbm(1)),
                                   tensor(false, tile, tileMap, lx, true)});
    OpSpec mul = pointwise("mul", {tensor(true, tile, tileMap, lx, true), tensor(true, full, fullMap, hbm(2)),
                                   tensor(false, tile, fullMap, hbm(3))});
    SpecNode inner = SpecNode::loop(Expr(4), {SpecNode::ofOp(std::move(add)), SpecNode::ofOp(std::move(mul))});
    inner.tiledSymbols = std::vector<std::string>{"c1"};
    SpecNode outer = SpecNode::loop(Expr(2), {std::move(inner)});
    outer.tiledSymbols = std::vector<std::string>{"c0"};
    Kernel k;
    k.name = "sdsc_fused_add_mul_0";
    k.specs = {std::move(outer)};
    k.arguments = {"a", "b", "c", "z"};
    return k;
}

}  // namespace memplan::bundle
