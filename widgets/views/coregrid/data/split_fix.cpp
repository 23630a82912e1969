// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/coregrid/data/split_fix.h"

#include <algorithm>
#include <set>

namespace memplan::ui {
namespace {

/// "a", "a and b", "a, b and c".
std::string listText(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
    return text;
}

/// The one dimension an access cuts, nullptr for none or several.
const DeviceDim* onlyCut(const std::vector<DeviceDim>& dims, const PlanAccess& access) {
    const DeviceDim* found = nullptr;
    for (const DeviceDim& d : dims) {
        if (piecesAlong(access, d.device) <= 1) continue;
        if (found != nullptr) return nullptr;
        found = &d;
    }
    return found;
}

/// Loop of an op that walks along a host dimension of what it writes; -1 when none does.
int loopAlong(const Plan& plan, const PlanOp& op, int host) {
    if (op.outputs.empty() || host < 0) return -1;
    const PlanAccess* write = accessOf(op, op.outputs.front(), true);
    const PlanBuffer& out = plan.buffer(op.outputs.front());
    if (write == nullptr || !out.layout || static_cast<std::size_t>(host) >= out.layout->stride.size()) return -1;
    const std::int64_t stride = out.layout->stride[static_cast<std::size_t>(host)];
    for (std::size_t d = 0; d < op.iterationSpace.size() && d < write->coefficients.size(); ++d)
        if (write->coefficients[d] == stride) return static_cast<int>(d);
    return -1;
}

/// Ops reached from the writer over buffers that both sides cut alike.
std::set<OpId> sameCutGroup(const std::vector<SplitPair>& pairs, OpId start) {
    std::set<OpId> group{start};
    for (bool grows = true; grows;) {
        grows = false;
        for (const SplitPair& p : pairs) {
            if (!p.isSame || piecesOf(*p.write) <= 1) continue;
            if (group.count(p.writer) > 0) grows = group.insert(p.reader).second || grows;
            if (group.count(p.reader) > 0) grows = group.insert(p.writer).second || grows;
        }
    }
    return group;
}

}  // namespace

HintValue SplitProposal::value() const {
    return HintValue(NamedCounts{{dim, slices}});
}

std::optional<SplitFix> splitFix(const Plan& plan, const SplitPair& pair) {
    if (pair.isSame || pair.write == nullptr || pair.read == nullptr) return std::nullopt;
    const DeviceDim* wanted = onlyCut(pair.dims, *pair.read);
    if (wanted == nullptr) return std::nullopt;
    const std::int64_t slices = piecesAlong(*pair.read, wanted->device);
    SplitFix fix;
    std::vector<std::string> names;
    for (const OpId id : sameCutGroup(allSplitPairs(plan), pair.writer)) {
        if (id == pair.reader) return std::nullopt;  // the reader would have to change as well
        const PlanOp& op = plan.op(id);
        const int loop = loopAlong(plan, op, wanted->host);
        if (loop < 0 || op.iterationSpace[static_cast<std::size_t>(loop)].adjusted % slices != 0) return std::nullopt;
        fix.proposals.push_back({id, op.iterationSpace[static_cast<std::size_t>(loop)].name, slices});
        names.push_back(op.name);
    }
    const std::string who = listText(names), now = cutText(pair.dims, *pair.write),
                      then = cutText(pair.dims, *pair.read);
    const bool isOne = names.size() == 1;
    fix.label = "Split " + who + " by " + wanted->name + ", " + std::to_string(slices);
    fix.sentence = who + (isOne ? " cuts " : " cut ") + now + "; " + plan.op(pair.reader).name + " cuts " + then +
                   ". With " + then + " in " + who + " every core finds its bytes of " + plan.buffer(pair.buffer).name +
                   " where it needs them.";
    return fix;
}

}  // namespace memplan::ui
