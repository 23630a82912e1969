// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/op_spec/op_spec.h"

#include "engine/base/numeric.h"

#include <algorithm>

namespace memplan::bundle {

const DeviceFormat* deviceFormatNamed(std::string_view name) {
    static constexpr std::array<DeviceFormat, 4> kFormats = {
        {{"SEN169_FP16", 64, 2}, {"IEEE_FP32", 32, 4}, {"SEN143_FP8", 128, 1}, {"IEEE_INT32", 32, 4}}};
    for (const DeviceFormat& f : kFormats) {
        if (f.name == name) return &f;
    }
    return nullptr;
}

std::string_view spaceKey(Space s) {
    switch (s) {
    case Space::Hbm:
        return "hbm";
    case Space::Lx:
        return "lx";
    case Space::Pool:
        break;
    }
    return "pool";
}

const IterationEntry* OpSpec::find(std::string_view symbol) const {
    const auto it = std::find_if(iterationSpace.begin(), iterationSpace.end(),
                                 [&](const IterationEntry& e) { return e.symbol == symbol; });
    return it == iterationSpace.end() ? nullptr : &*it;
}

std::int64_t OpSpec::cores() const {
    std::int64_t product = 1;
    for (const IterationEntry& e : iterationSpace)
        product = saturatedMul(product, std::max<std::int64_t>(e.split, 1));
    return product;
}

SpecNode SpecNode::ofOp(OpSpec op) {
    SpecNode n;
    n.op = std::move(op);
    return n;
}

SpecNode SpecNode::loop(Expr count, std::vector<SpecNode> body) {
    SpecNode n;
    n.kind = SpecKind::Loop;
    n.count = std::move(count);
    n.body = std::move(body);
    return n;
}

namespace {

template <class Tree, class Ops> void collect(Tree& tree, Ops& out) {
    for (auto& node : tree) {
        if (node.kind == SpecKind::Op) out.push_back(&node.op);
        if (node.kind == SpecKind::Loop) collect(node.body, out);
    }
}

}  // namespace

std::vector<const OpSpec*> opsOf(const SpecTree& tree) {
    std::vector<const OpSpec*> out;
    collect(tree, out);
    return out;
}

std::vector<OpSpec*> opsOf(SpecTree& tree) {
    std::vector<OpSpec*> out;
    collect(tree, out);
    return out;
}

int depthOf(const SpecTree& tree) {
    int deepest = 0;
    for (const SpecNode& node : tree) {
        if (node.kind == SpecKind::Loop) deepest = std::max(deepest, 1 + depthOf(node.body));
    }
    return deepest;
}

Result<void> bindArgument(TensorArg& arg, const std::string& name, const std::vector<std::string>& order,
                          std::int64_t poolSize) {
    if (arg.allocation && arg.allocation->space != Space::Hbm) {
        arg.argIndex = -1;
        return {};
    }
    const auto it = std::find(order.begin(), order.end(), name);
    if (it == order.end()) {
        return makeError("INT-002", name, "tensor \"" + name + "\" is no argument of its kernel", "please report this");
    }
    arg.argIndex = it - order.begin();
    const auto slot = static_cast<std::size_t>(arg.argIndex) + (poolSize > 0 ? 1 : 0);
    if (slot >= kSegmentOffsets.size()) {
        return makeError("CT-009", name,
                         "kernel argument " + std::to_string(arg.argIndex) + " (\"" + name +
                             "\") has no address slot: there are " + std::to_string(kSegmentOffsets.size()) +
                             (poolSize > 0 ? ", the first of them is the pool" : ""),
                         "keep fewer tensors outside the kernel: plan more of them into LX, or tile fewer operations "
                         "together");
    }
    arg.allocation = Allocation{Space::Hbm, kSegmentOffsets[slot]};
    return {};
}

Result<void> bindArguments(SpecTree& tree, const std::vector<std::string>& names, const std::vector<std::string>& order,
                           std::int64_t poolSize) {
    std::size_t next = 0;
    for (OpSpec* op : opsOf(tree)) {
        for (TensorArg& arg : op->args) {
            if (auto bound = bindArgument(arg, names[next++], order, poolSize); !bound) return bound;
        }
    }
    return {};
}

}  // namespace memplan::bundle
