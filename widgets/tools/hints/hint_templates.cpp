// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tools/hints/hint_templates.h"

#include "engine/hints/kinds.h"
#include "widgets/plan/hints/hint_items.h"
#include "widgets/plan/units.h"
#include "widgets/views/coregrid/data/split_fix.h"

#include <QCoreApplication>

#include <algorithm>
#include <set>

namespace memplan::ui {

using hints::ScopeKind;

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("HintTemplates", text);
}

Hint makeHint(const TargetId& target, std::vector<std::string> scopes, const std::string& key, HintValue value) {
    Hint hint;
    hint.target = std::string(target);
    hint.scopeIsArray = scopes.size() > 1;
    hint.scopes = std::move(scopes);
    hint.key = key;
    hint.value = std::move(value);
    return hint;
}

OpId opOf(const Plan& plan, ItemId item) {
    if (item.kind == ItemKind::Op) return OpId{item.index};
    return item.kind == ItemKind::Buffer ? plan.buffer(BufferId{item.index}).producer : OpId{};
}

/// Paths of the annotations that the items stand under.
std::set<std::string> groupsOf(const Plan& plan, const std::vector<ItemId>& items) {
    std::set<std::string> groups;
    for (const ItemId item : items) {
        const OpId op = opOf(plan, item);
        if (op.isValid() && !plan.op(op).groupPath.empty()) groups.insert(plan.op(op).groupPath);
    }
    return groups;
}

/// Buffers that can be pinned at all: not what leaves or enters the graph.
bool canBePinned(const PlanBuffer& b) {
    return b.role == BufferRole::Intermediate && b.producer.isValid();
}

HintTemplate groupTemplate(const Plan& plan, const std::vector<ItemId>& items, const std::string& key) {
    HintTemplate t;
    const bool pins = key == "pin";
    t.title = pins ? tr("Pin everything in this group") : tr("Keep this group off chip");
    const std::set<std::string> groups = groupsOf(plan, items);
    if (groups.empty()) {
        t.why = items.empty() ? tr("Select an operation of the group first.")
                              : tr("The selected item belongs to no group.");
        return t;
    }
    std::vector<std::string> scopes;
    for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
        const PlanBuffer& b = plan.buffers[i];
        if (!canBePinned(b) || groups.count(plan.op(b.producer).groupPath) == 0) continue;
        const auto scope = scopeOf(plan, ItemId::of(BufferId::of(i)), ScopeKind::Tensor);
        if (scope && std::ranges::find(scopes, hints::scopeText(*scope)) == scopes.end())
            scopes.push_back(hints::scopeText(*scope));
    }
    const QString name = fromStd(*groups.begin());
    if (scopes.empty()) {
        t.why = tr("No buffer of %1 stays inside the graph.").arg(name);
        return t;
    }
    t.why =
        tr("One hint on %1 of %2.").arg(plural(static_cast<qint64>(scopes.size()), tr("buffer"), tr("buffers")), name);
    t.hints = {makeHint(plan.target, scopes, key, HintValue(true))};
    return t;
}

HintTemplate sameSplitTemplate(const Plan& plan, const std::vector<ItemId>& items) {
    HintTemplate t;
    t.title = tr("Same split for producer and consumers");
    if (items.empty()) {
        t.why = tr("Select a buffer whose producer and readers are split differently.");
        return t;
    }
    for (const ItemId item : items) {
        std::vector<BufferId> buffers;
        if (item.kind == ItemKind::Buffer) buffers.push_back(BufferId{item.index});
        if (item.kind == ItemKind::Op) buffers = plan.op(OpId{item.index}).outputs;
        for (const BufferId buffer : buffers) {
            const auto pair = splitPairOf(plan, buffer);
            const auto fix = pair ? splitFix(plan, *pair) : std::nullopt;
            if (!fix) continue;
            t.hints = splitHints(plan, *fix);
            t.why = fromStd(fix->sentence);
            return t;
        }
    }
    t.why = tr("Producer and readers of the selection are split alike, or no one split serves them all.");
    return t;
}

bool isElementwise(const PlanOp& op) {
    return op.kind == "pointwise" || op.kind == "elementwise";
}

HintTemplate shardedTemplate(const Plan& plan) {
    HintTemplate t;
    t.title = tr("All elementwise L1 sharded");
    std::vector<std::string> scopes;
    for (const PlanOp& op : plan.ops)
        if (isElementwise(op) && op.addedBy.empty()) scopes.push_back("op:" + op.name);
    if (scopes.empty()) {
        t.why = tr("The document has no elementwise operation.");
        return t;
    }
    t.why = tr("One hint on %1: buffer l1, memory layout height_sharded.")
                .arg(plural(static_cast<qint64>(scopes.size()), tr("operation"), tr("operations")));
    io::JsonValue layout;
    io::setMember(layout, "buffer", io::jsonString(std::string("l1")));
    io::setMember(layout, "mem", io::jsonString(std::string("height_sharded")));
    t.hints = {makeHint(plan.target, scopes, "output_layout", HintValue(std::move(layout)))};
    return t;
}

}  // namespace

std::vector<Hint> splitHints(const Plan& plan, const SplitFix& fix) {
    std::vector<Hint> hints;
    for (const SplitProposal& p : fix.proposals)
        hints.push_back(makeHint(plan.target, {"op:" + plan.op(p.op).name}, "split", p.value()));
    return hints;
}

std::vector<HintTemplate> hintTemplates(const Plan& plan, const std::vector<ItemId>& items) {
    const auto has = [&plan](const char* key) { return hints::findKind(plan.target, key) != nullptr; };
    if (has("pin"))
        return {groupTemplate(plan, items, "pin"), groupTemplate(plan, items, "keep_off_chip"),
                sameSplitTemplate(plan, items)};
    if (has("output_layout")) return {shardedTemplate(plan)};
    if (!has("concurrency")) return {};
    HintTemplate limit;
    limit.title = tr("Limit concurrency to K...");
    limit.why = tr("Opens the editor: how many of a set of parallel chains may be alive at a time.");
    limit.draftKey = QStringLiteral("concurrency");
    return {limit};
}

}  // namespace memplan::ui
