// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/item_json.h"

#include "engine/plan/reasons.h"
#include "widgets/plan/units.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace memplan::ui {

namespace {

QString fromView(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QJsonArray numbers(const std::vector<std::int64_t>& values) {
    QJsonArray array;
    for (const std::int64_t v : values)
        array.append(static_cast<qint64>(v));
    return array;
}

QJsonArray names(const Plan& plan, const std::vector<BufferId>& ids) {
    QJsonArray array;
    for (const BufferId id : ids)
        if (id.isValid()) array.append(fromStd(plan.buffer(id).name));
    return array;
}

QJsonArray names(const Plan& plan, const std::vector<OpId>& ids, OpId except = {}) {
    QJsonArray array;
    for (const OpId id : ids)
        if (id.isValid() && id != except) array.append(fromStd(plan.op(id).name));
    return array;
}

QString jsonText(const QJsonObject& object) {
    return QString::fromUtf8(QJsonDocument(object).toJson()).trimmed();
}

QJsonObject reasonJson(const Reason& reason) {
    return {{QStringLiteral("code"), fromView(reasonInfo(reason.code).name)},
            {QStringLiteral("text"), fromStd(sentence(reason))}};
}

QString problemJson(const Plan& plan, const Diagnostic& d) {
    return jsonText({{QStringLiteral("code"), fromStd(d.code)},
                     {QStringLiteral("severity"), QString::fromLatin1(severityName(d.severity))},
                     {QStringLiteral("message"), fromStd(d.message)},
                     {QStringLiteral("hint"), fromStd(d.hint)},
                     {QStringLiteral("where"), fromStd(d.where)},
                     {QStringLiteral("pass"), fromStd(d.pass)},
                     {QStringLiteral("ops"), names(plan, d.ops)},
                     {QStringLiteral("buffers"), names(plan, d.buffers)}});
}

QString passJson(const PassRun& run) {
    QJsonObject counts;
    for (const auto& [name, count] : run.counts)
        counts.insert(fromStd(name), static_cast<qint64>(count));
    return jsonText({{QStringLiteral("name"), fromStd(run.name)},
                     {QStringLiteral("ran"), run.ran},
                     {QStringLiteral("changed"), run.changed},
                     {QStringLiteral("seconds"), run.seconds},
                     {QStringLiteral("counts"), counts}});
}

}  // namespace

QString bufferJson(const Plan& plan, BufferId id) {
    const PlanBuffer& b = plan.buffer(id);
    QJsonObject o{{QStringLiteral("id"), fromStd(b.name)},
                  {QStringLiteral("size"), static_cast<qint64>(b.size)},
                  {QStringLiteral("size_per_core"), static_cast<qint64>(b.sizePerCore)},
                  {QStringLiteral("cores"), static_cast<qint64>(b.cores)},
                  {QStringLiteral("life"), QJsonArray{b.life.begin, b.life.end}},
                  {QStringLiteral("space"), fromView(spaceName(b.space))},
                  {QStringLiteral("shape"), numbers(b.shape)},
                  {QStringLiteral("dtype"), fromView(dtypeName(b.dtype))},
                  {QStringLiteral("readers"), names(plan, b.uses, b.producer)}};
    if (b.producer.isValid()) o.insert(QStringLiteral("producer"), fromStd(plan.op(b.producer).name));
    if (b.address) o.insert(QStringLiteral("address"), static_cast<qint64>(*b.address));
    if (b.inPlaceOf.isValid()) o.insert(QStringLiteral("in_place_of"), fromStd(plan.buffer(b.inPlaceOf).name));
    if (b.cloneOf.isValid()) o.insert(QStringLiteral("clone_of"), fromStd(plan.buffer(b.cloneOf).name));
    if (b.reason) o.insert(QStringLiteral("reason"), reasonJson(*b.reason));
    if (b.layout) {
        o.insert(QStringLiteral("device_size"), numbers(b.layout->deviceSize));
        o.insert(QStringLiteral("stride_map"), numbers(b.layout->strideMap));
    }
    return jsonText(o);
}

QString opJson(const Plan& plan, OpId id) {
    const PlanOp& op = plan.op(id);
    QJsonArray loops;
    for (const IterationDim& d : op.iterationSpace)
        loops.append(QJsonObject{{QStringLiteral("name"), fromStd(d.name)},
                                 {QStringLiteral("extent"), static_cast<qint64>(d.extent)},
                                 {QStringLiteral("slices"), static_cast<qint64>(d.slices)}});
    QJsonObject o{{QStringLiteral("id"), fromStd(op.name)},
                  {QStringLiteral("type"), fromStd(op.type)},
                  {QStringLiteral("kind"), fromStd(op.kind)},
                  {QStringLiteral("inputs"), names(plan, op.inputs)},
                  {QStringLiteral("outputs"), names(plan, op.outputs)},
                  {QStringLiteral("iteration_space"), loops},
                  {QStringLiteral("cores"), static_cast<qint64>(op.cores)},
                  {QStringLiteral("off_chip_read"), static_cast<qint64>(op.offChipRead)},
                  {QStringLiteral("off_chip_write"), static_cast<qint64>(op.offChipWrite)}};
    if (!op.loopCounts.empty()) o.insert(QStringLiteral("loop_counts"), numbers(op.loopCounts));
    if (!op.groupPath.empty()) o.insert(QStringLiteral("group"), fromStd(op.groupPath));
    if (!op.addedBy.empty()) o.insert(QStringLiteral("added_by"), fromStd(op.addedBy));
    return jsonText(o);
}

QString loopJson(const Plan& plan, int index) {
    const LoopGroups loops = loopGroups(plan);
    if (static_cast<std::size_t>(index) >= loops.groups.size()) return QStringLiteral("{}");
    const LoopGroup& loop = loops.group(index);
    QJsonArray path, ops;
    for (const int p : loop.path)
        path.append(p);
    for (const OpId op : loop.ops)
        ops.append(fromStd(plan.op(op).name));
    return jsonText({{QStringLiteral("loop_path"), path},
                     {QStringLiteral("loop_counts"), numbers(loop.counts)},
                     {QStringLiteral("ops"), ops}});
}

QString itemJson(const Plan* plan, ItemId id) {
    const auto has = [id](const auto& items) {
        return id.index >= 0 && static_cast<std::size_t>(id.index) < items.size();
    };
    const auto at = static_cast<std::size_t>(id.index);
    if (plan == nullptr) return QStringLiteral("{}");
    switch (id.kind) {
    case ItemKind::Buffer:
        if (has(plan->buffers)) return bufferJson(*plan, BufferId{id.index});
        break;
    case ItemKind::Op:
    case ItemKind::Step:
        if (has(plan->ops)) return opJson(*plan, OpId{id.index});
        break;
    case ItemKind::Problem:
        if (has(plan->problems)) return problemJson(*plan, plan->problems[at]);
        break;
    case ItemKind::Pass:
        if (has(plan->passes)) return passJson(plan->passes[at]);
        break;
    case ItemKind::Loop:
        if (id.index >= 0) return loopJson(*plan, id.index);
        break;
    case ItemKind::Core:
        return jsonText({{QStringLiteral("core"), id.index}});
    }
    return QStringLiteral("{}");
}

}  // namespace memplan::ui
