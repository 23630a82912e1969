// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/models/plan_models.h"

#include "engine/plan/given_name.h"
#include "engine/plan/loop_words.h"
#include "widgets/plan/marks/buffer_badge.h"
#include "widgets/plan/pass_words.h"
#include "widgets/plan/plan_look.h"
#include "widgets/plan/units.h"

namespace memplan::ui {

namespace {

TableCell linkTo(const QString& name, ItemId id) {
    TableCell c;
    c.text = name;
    c.link = id;
    return c;
}

bool isPlacing(DecisionKind kind) {
    return kind == DecisionKind::Placed || kind == DecisionKind::InPlace || kind == DecisionKind::Spilled;
}

}  // namespace

QString splitText(const Plan& plan, OpId id) {
    QStringList parts;
    const std::vector<IterationDim>& loops = plan.op(id).iterationSpace;
    for (std::size_t v = 0; v < loops.size(); ++v)
        if (loops[v].slices > 1) parts << fromStd(loopName(plan, id, v)) + u' ' + groupedText(loops[v].slices);
    return parts.isEmpty() ? QStringLiteral("no split") : parts.join(QStringLiteral(", "));
}

BufferModel::BufferModel(QObject* parent)
    : PlanTableModel({{tr("Buffer")},
                      {tr("Space"), false, tr("L on chip, I in place, C clone, H off chip")},
                      {tr("Producer")},
                      {tr("Bytes per core"), true, {}, true},
                      {tr("Address"), true},
                      {tr("Start"), true},
                      {tr("End"), true, tr("First step after its lifetime")},
                      {tr("Slot")},
                      {tr("Reason when off chip")},
                      {tr("Traffic saved"), true, tr("Main-memory bytes per run that its place on chip saves")}},
                     parent) {}

int BufferModel::rows() const {
    return static_cast<int>(plan()->buffers.size());
}

void BufferModel::planChanged() {
    placement_.clear();
    if (!plan()) return;
    placement_.assign(plan()->buffers.size(), -1);
    for (std::size_t i = 0; i < plan()->decisions.size(); ++i) {
        const Decision& d = plan()->decisions[i];
        if (d.buffer.isValid() && d.buffer.at() < placement_.size() && isPlacing(d.kind))
            placement_[d.buffer.at()] = static_cast<int>(i);
    }
}

QString BufferModel::slotText(int row) const {
    const PlanBuffer& b = plan()->buffers[static_cast<std::size_t>(row)];
    if (!isOnChip(b.space)) return {};
    if (b.inPlaceOf.isValid()) return tr("from %1").arg(fromStd(plan()->buffer(b.inPlaceOf).name));
    const int decision = placement_[static_cast<std::size_t>(row)];
    const std::string chosen =
        decision < 0 ? std::string() : sentence(plan()->decisions[static_cast<std::size_t>(decision)].chosen);
    return chosen.empty() ? tr("new block") : fromStd(chosen);
}

QString BufferModel::tooltipOf(int row, int column) const {
    const PlanBuffer& b = plan()->buffers[static_cast<std::size_t>(row)];
    if (column == BytesPerCore) return exactBytes(b.sizePerCore);
    if (column == Address && b.address)
        return QStringLiteral("%1 (%2)").arg(groupedText(*b.address), hexText(*b.address));
    return column == Reason && b.reason ? fromStd(sentence(*b.reason)) : QString();
}

TableCell BufferModel::cell(int row, int column) const {
    const PlanBuffer& b = plan()->buffers[static_cast<std::size_t>(row)];
    TableCell c;
    switch (column) {
    case Name:
        c.text = fromStd(shownName(*plan(), BufferId{row}));
        c.strong = true;
        return c;
    case Space:
        c.badge = badgeOf(b);
        c.raw = c.badge->meaning;
        return c;
    case Producer:
        if (b.producer.isValid()) return textCell(fromStd(plan()->op(b.producer).name));
        return textCell(b.role == BufferRole::Parameter  ? tr("parameter")
                        : b.role == BufferRole::Constant ? tr("constant")
                        : plan()->ops.empty()            ? tr("in the list")
                                                         : tr("graph input"));
    case BytesPerCore:
        return sizeCell(b.sizePerCore);
    case Address:
        return b.address ? addressCell(*b.address) : c;
    case Start:
        return numberCell(b.life.begin);
    case End:
        return numberCell(b.life.end);
    case Slot:
        return textCell(slotText(row));
    case Reason:
        c.text = whyOffChip(b);
        c.color = Token::Text2;
        return c;
    case Saved:
        if (b.trafficSaved == 0 && residencyOf(b) != Residency::OffChip) return c;
        c = numberCell(b.trafficSaved);
        c.text = units().size(b.trafficSaved);
        return c;
    default:
        return c;
    }
}

OpModel::OpModel(QObject* parent)
    : PlanTableModel(
          {{tr("Step"), true},
           {tr("Operation")},
           {tr("Space"), false, tr("Where its first output is")},
           {tr("Function")},
           {tr("Kind")},
           {tr("Annotation")},
           {tr("Cores"), true},
           {tr("Split")},
           {tr("Read from main memory"), true, {}, true},
           {tr("Written to main memory"), true, {}, true},
           {tr("Span per core"), true, tr("Largest range of bytes one core touches in one of its tensors"), true}},
          parent) {}

int OpModel::rows() const {
    return static_cast<int>(plan()->ops.size());
}

TableCell OpModel::cell(int row, int column) const {
    const PlanOp& op = plan()->ops[static_cast<std::size_t>(row)];
    TableCell c;
    switch (column) {
    case Step:
        return numberCell(row);
    case Name:
        c.text = fromStd(op.name);
        c.strong = true;
        return c;
    case Space:
        if (op.outputs.empty()) return c;  // a step that makes nothing, such as one that frees columns
        c.badge = badgeOf(residencyOf(*plan(), op));
        c.raw = residencyName(residencyOf(*plan(), op));
        return c;
    case Type:
        return textCell(fromStd(op.type));
    case Kind:
        return textCell(fromStd(op.kind));
    case Group:
        return textCell(fromStd(op.groupPath));
    case Cores:
        return numberCell(op.cores);
    case Split:
        return textCell(splitText(*plan(), OpId{row}));
    case Read:
        return sizeCell(op.offChipRead);
    case Written:
        return sizeCell(op.offChipWrite);
    case Span:
        return sizeCell(op.maxSpan);
    default:
        return c;
    }
}

ProblemModel::ProblemModel(QObject* parent)
    : PlanTableModel(
          {{QString(), false, tr("Severity")}, {tr("Code")}, {tr("Message")}, {tr("Item")}, {tr("Pass")}, {tr("Fix")}},
          parent) {}

void ProblemModel::setFixable(std::function<bool(int problem)> isFixable) {
    asksFixable_ = std::move(isFixable);
    fixable_.clear();
}

bool ProblemModel::isFixable(int problem) const {
    if (!asksFixable_ || problem < 0 || !plan() || isBeside(problem)) return false;
    if (fixablePlan_ != plan()) {
        fixablePlan_ = plan();
        fixable_.clear();
    }
    const auto known = fixable_.find(problem);
    if (known != fixable_.end()) return known->second;
    return fixable_[problem] = asksFixable_(problem);
}

void ProblemModel::setBeside(std::vector<Diagnostic> findings) {
    beginResetModel();
    beside_ = std::move(findings);
    endResetModel();
}

bool ProblemModel::isBeside(int row) const {
    return row >= static_cast<int>(planned());
}

const Diagnostic& ProblemModel::problem(int row) const {
    const std::size_t at = static_cast<std::size_t>(row);
    return isBeside(row) ? beside_[at - planned()] : plan()->problems[at];
}

std::optional<int> ProblemModel::hintOf(int row) const {
    const Diagnostic& d = problem(row);
    const QString where = fromStd(d.where);
    static const QString kBegin = QStringLiteral("/hints/");
    if (asksOffered_ && !asksOffered_()) return std::nullopt;
    if (isBeside(row) || !d.code.starts_with("HNT-") || !where.startsWith(kBegin)) return std::nullopt;
    bool isNumber = false;
    const int at = where.mid(kBegin.size()).section(u'/', 0, 0).toInt(&isNumber);
    return isNumber ? std::optional(at) : std::nullopt;
}

int ProblemModel::rows() const {
    return static_cast<int>(planned() + beside_.size());
}

QString ProblemModel::tooltipOf(int row, int column) const {
    const Diagnostic& d = problem(row);
    if (column == Message) return fromStd(d.hint.empty() ? d.message : d.message + " " + d.hint);
    return column == Code ? fromStd(d.where) : QString();
}

TableCell ProblemModel::cell(int row, int column) const {
    const Diagnostic& d = problem(row);
    TableCell c;
    switch (column) {
    case Severity:
        c.badge = badgeOf(d.severity);
        c.raw = static_cast<int>(d.severity);
        return c;
    case Code:
        c.text = fromStd(d.code);
        c.fixed = true;
        return c;
    case Message:
        return textCell(fromStd(d.message));
    case Item: {
        const std::size_t count = d.buffers.size() + d.ops.size();
        if (count == 0) return textCell(fromStd(d.where));
        const ItemId first = d.buffers.empty() ? ItemId::of(d.ops.front()) : ItemId::of(d.buffers.front());
        const QString name = d.buffers.empty() ? fromStd(plan()->op(d.ops.front()).name)
                                               : fromStd(plan()->buffer(d.buffers.front()).name);
        return linkTo(d.buffers.size() > 1 ? tr("%1 items").arg(d.buffers.size()) : name, first);
    }
    case Pass:
        c.text = plan() ? passTitle(plan()->passes, d.pass) : fromStd(d.pass);
        c.color = Token::Text2;
        return c;
    case Fix:
        if (const auto hint = hintOf(row)) {
            c.text = tr("Edit hint %1").arg(*hint + 1);
            c.color = Token::Accent;
            return c;
        }
        // Advice in words; it becomes a link where the window can carry it out.
        c.text = d.hint.empty() && isFixable(row) ? tr("find a fix") : fromStd(d.hint);
        c.color = isFixable(row) ? Token::Accent : Token::Text2;
        return c;
    default:
        return c;
    }
}

PassModel::PassModel(QObject* parent)
    : PlanTableModel({{tr("#"), true},
                      {tr("Pass")},
                      {tr("State")},
                      {tr("Time, ms"), true},
                      {tr("Changes")},
                      {tr("Findings"), true}},
                     parent) {}

int PassModel::rows() const {
    return static_cast<int>(plan()->passes.size());
}

TableCell PassModel::cell(int row, int column) const {
    const PassRun& run = plan()->passes[static_cast<std::size_t>(row)];
    TableCell c;
    switch (column) {
    case Number:
        return numberCell(row + 1);
    case Name:
        c.text = passTitle(run);
        c.strong = run.changed;  // what did something is what one looks for (design f)
        return c;
    case State:
        return textCell(!run.ran ? tr("off") : run.changed ? tr("changed") : tr("no change"));
    case Milliseconds:
        c.text = QString::number(run.seconds * 1000.0, 'f', 2);
        c.raw = run.seconds * 1000.0;
        return c;
    case Changes:
        return textCell(passCountsText(run));
    case Findings:
        return numberCell(static_cast<qint64>(run.diagnostics.size()));
    default:
        return c;
    }
}

}  // namespace memplan::ui
