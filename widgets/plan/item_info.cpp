// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/item_info.h"

#include "widgets/plan/pass_words.h"
#include "widgets/plan/units.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <limits>

namespace memplan::ui {
namespace {

using Items = std::vector<ItemId>;

constexpr const char* kContext = "Item";

QString translated(const char* text) {
    return QCoreApplication::translate(kContext, text);
}

std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

Items none(const ItemTables&, int) {
    return {};
}

// ---- counts and names ---------------------------------------------------------------------------------------

std::size_t countOps(const ItemTables& t) {
    return t.plan.ops.size();
}

std::size_t countBuffers(const ItemTables& t) {
    return t.plan.buffers.size();
}

/// A core that the plan does not use can be looked at too.
std::size_t countCores(const ItemTables&) {
    return std::numeric_limits<int>::max();
}

std::size_t countPasses(const ItemTables& t) {
    return t.plan.passes.size();
}

std::size_t countProblems(const ItemTables& t) {
    return t.plan.problems.size();
}

std::size_t countLoops(const ItemTables& t) {
    return t.loops.groups.size();
}

QString nameOfOp(const ItemTables& t, int index) {
    return fromStd(t.plan.ops[at(index)].name);
}

QString nameOfBuffer(const ItemTables& t, int index) {
    return fromStd(t.plan.buffers[at(index)].name);
}

QString nameOfCore(const ItemTables&, int index) {
    return translated("core %1").arg(index);
}

QString nameOfStep(const ItemTables&, int index) {
    return translated("step %1").arg(index);
}

QString nameOfPass(const ItemTables& t, int index) {
    return passTitle(t.plan.passes[at(index)]);
}

QString nameOfProblem(const ItemTables& t, int index) {
    return fromStd(t.plan.problems[at(index)].code);
}

QString nameOfLoop(const ItemTables& t, int index) {
    return fromStd(t.loops.group(index).name);
}

// ---- what belongs together ----------------------------------------------------------------------------------

Items writtenBy(const ItemTables& t, int index) {
    Items items;
    for (const BufferId out : t.plan.op(OpId{index}).outputs)
        if (out.isValid()) items.push_back(ItemId::of(out));
    return items;
}

Items makerOf(const ItemTables& t, int index) {
    const OpId producer = t.plan.buffer(BufferId{index}).producer;
    return producer.isValid() ? Items{ItemId::of(producer)} : Items();
}

void addWithMaker(const ItemTables& t, BufferId buffer, Items& items) {
    if (!buffer.isValid()) return;
    items.push_back(ItemId::of(buffer));
    for (const ItemId maker : makerOf(t, buffer.index))
        items.push_back(maker);
}

Items loopsAround(const ItemTables& t, int index) {
    Items items;
    for (int loop = t.loops.innermostOf(OpId{index}); loop >= 0; loop = t.loops.group(loop).parent)
        items.push_back({ItemKind::Loop, loop});
    return items;
}

Items sourcesOf(const ItemTables& t, int index) {
    Items items;
    const PlanBuffer& buffer = t.plan.buffer(BufferId{index});
    addWithMaker(t, buffer.inPlaceOf, items);
    addWithMaker(t, buffer.cloneOf, items);
    return items;
}

Items subjectsOf(const ItemTables& t, int index) {
    Items items;
    const Diagnostic& d = t.plan.problems[at(index)];
    for (const OpId op : d.ops)
        items.push_back(ItemId::of(op));
    for (const BufferId b : d.buffers)
        addWithMaker(t, b, items);
    return items;
}

bool holds(const LoopGroups& loops, int outer, int inner) {
    while (inner >= 0 && inner != outer)
        inner = loops.group(inner).parent;
    return inner == outer;
}

/// The operations in the loop, what they write, and the loops inside and around it.
Items insideLoop(const ItemTables& t, int index) {
    Items items;
    for (const OpId op : t.loops.group(index).ops) {
        items.push_back(ItemId::of(op));
        for (const ItemId twin : writtenBy(t, op.index))
            items.push_back(twin);
    }
    for (int other = 0; other < static_cast<int>(t.loops.groups.size()); ++other)
        if (other != index && (holds(t.loops, index, other) || holds(t.loops, other, index)))
            items.push_back({ItemKind::Loop, other});
    return items;
}

#define WORD(text) QT_TRANSLATE_NOOP("Item", text)

constexpr std::array kKinds{
    ItemInfo{ItemKind::Op, "op", WORD("operation"), WORD("operations"), "graph-view", "op", "graph", &countOps,
             &nameOfOp, &writtenBy, &loopsAround},
    ItemInfo{ItemKind::Buffer, "buffer", WORD("buffer"), WORD("buffers"), "lx-gantt", "buf", "gantt", &countBuffers,
             &nameOfBuffer, &makerOf, &sourcesOf},
    ItemInfo{ItemKind::Core, "core", WORD("core"), WORD("cores"), "core-grid", "core", "cores", &countCores,
             &nameOfCore, &none, &none},
    ItemInfo{ItemKind::Step, "step", WORD("step"), WORD("steps"), "lx-gantt", "step", "gantt", &countOps, &nameOfStep,
             &none, &none},
    ItemInfo{ItemKind::Pass, "pass", WORD("pass"), WORD("passes"), "pass-timeline", "pass", "", &countPasses,
             &nameOfPass, &none, &none},
    ItemInfo{ItemKind::Problem, "problem", WORD("problem"), WORD("problems"), "warning", "problem", "", &countProblems,
             &nameOfProblem, &none, &subjectsOf},
    ItemInfo{ItemKind::Loop, "loop", WORD("loop"), WORD("loops"), "auto-recompile", "loop", "graph", &countLoops,
             &nameOfLoop, &none, &insideLoop},
};

#undef WORD

static_assert([] {
    for (std::size_t i = 0; i < kKinds.size(); ++i)
        if (static_cast<std::size_t>(kKinds[i].kind) != i) return false;
    return true;
}());

}  // namespace

std::span<const ItemInfo> allItemKinds() {
    return kKinds;
}

const ItemInfo& itemInfo(ItemKind kind) {
    return kKinds[static_cast<std::size_t>(kind)];
}

QString wordOf(ItemKind kind) {
    return translated(itemInfo(kind).word);
}

QString countOf(ItemKind kind, qint64 count) {
    return plural(count, wordOf(kind), translated(itemInfo(kind).words));
}

bool exists(const ItemTables& tables, ItemId id) {
    return id.index >= 0 && static_cast<std::size_t>(id.index) < itemInfo(id.kind).count(tables);
}

QString linkOf(ItemId id) {
    return QStringLiteral("%1:%2").arg(QLatin1String(itemInfo(id.kind).key)).arg(id.index);
}

std::optional<ItemId> itemOfLink(const QString& link) {
    const QStringList parts = link.split(u':');
    bool isNumber = false;
    const int index = parts.value(1).toInt(&isNumber);
    const auto info =
        std::ranges::find_if(kKinds, [&parts](const ItemInfo& i) { return parts.front() == QLatin1String(i.key); });
    if (parts.size() != 2 || !isNumber || info == kKinds.end()) return std::nullopt;
    return ItemId{info->kind, index};
}

}  // namespace memplan::ui
