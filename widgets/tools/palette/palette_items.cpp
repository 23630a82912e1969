// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tools/palette/palette_items.h"

#include "engine/plan/given_name.h"
#include "widgets/plan/marks/buffer_badge.h"
#include "widgets/plan/pass_words.h"
#include "widgets/plan/plan_look.h"
#include "widgets/plan/units.h"

#include <algorithm>
#include <array>
#include <set>

namespace memplan::ui {
namespace {

/// What is found beside the items of a plan.
struct OtherKind {
    PaletteKind kind;
    const char* word;
    const char* icon;
};

constexpr std::array kOthers{OtherKind{PaletteKind::Group, "group", "neighbours"},
                             OtherKind{PaletteKind::Note, "note", "note"},
                             OtherKind{PaletteKind::Command, "command", "chevron-right"}};

/// The kind of items that rows of this kind select one of.
std::optional<ItemKind> itemKindOf(PaletteKind kind) {
    switch (kind) {
    case PaletteKind::Op:
        return ItemKind::Op;
    case PaletteKind::Buffer:
        return ItemKind::Buffer;
    case PaletteKind::Core:
        return ItemKind::Core;
    case PaletteKind::Loop:
        return ItemKind::Loop;
    case PaletteKind::Pass:
        return ItemKind::Pass;
    case PaletteKind::Problem:
        return ItemKind::Problem;
    case PaletteKind::Group:
    case PaletteKind::Note:
    case PaletteKind::Command:
        break;
    }
    return std::nullopt;
}

const OtherKind& otherKind(PaletteKind kind) {
    return *std::ranges::find(kOthers, kind, &OtherKind::kind);
}

std::string lowered(const QString& text) {
    return text.toLower().toStdString();
}

/// Names are many and nearly always plain ASCII: those need no detour.
std::string lowered(const std::string& text) {
    if (std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; }))
        return lowered(fromStd(text));
    std::string low(text.size(), ' ');
    std::ranges::transform(text, low.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return low;
}

/// The path that the buffer's writer stands in, with the writer's name where it is another one.
std::string groupOf(const Plan& plan, const PlanBuffer& buffer) {
    if (!buffer.producer.isValid()) return {};
    const PlanOp& op = plan.op(buffer.producer);
    return op.groupPath + '/' + op.name;
}

QString problemName(const Diagnostic& d) {
    return QStringLiteral("%1 %2").arg(fromStd(d.code), fromStd(d.message));
}

/// Positions in a UTF-8 text as positions in the QString.
std::vector<int> lettersAt(const QString& name, const std::vector<int>& bytes) {
    std::vector<int> letters;
    if (bytes.empty()) return letters;
    int at = 0;
    std::size_t next = 0;
    for (int i = 0; i < name.size() && next < bytes.size(); ++i) {
        const int width = static_cast<int>(QString(name[i]).toUtf8().size());
        while (next < bytes.size() && bytes[next] < at + width) {
            if (letters.empty() || letters.back() != i) letters.push_back(i);
            ++next;
        }
        at += width;
    }
    return letters;
}

}  // namespace

QString paletteWord(PaletteKind kind) {
    const auto item = itemKindOf(kind);
    return QString::fromLatin1(item ? itemInfo(*item).prefix : otherKind(kind).word);
}

QString paletteIcon(PaletteKind kind) {
    const auto item = itemKindOf(kind);
    return QString::fromLatin1(item ? itemInfo(*item).icon : otherKind(kind).icon);
}

std::optional<PaletteKind> paletteKindOf(const QString& word) {
    for (const PaletteKind kind : kPaletteKinds)
        if (word == paletteWord(kind)) return kind;
    return std::nullopt;
}

void PaletteItems::setPlan(PlanPtr plan) {
    if (plan == plan_) return;
    plan_ = std::move(plan);
    buildItems();
}

void PaletteItems::setNotes(std::vector<PaletteNote> notes) {
    const bool same = notes.size() == notes_.size() &&
                      std::equal(notes.begin(), notes.end(), notes_.begin(), [](const auto& a, const auto& b) {
                          return a.text == b.text && a.subject == b.subject;
                      });
    if (same) return;
    notes_ = std::move(notes);
    buildItems();
}

void PaletteItems::setCommands(std::vector<PaletteCommand> commands) {
    commands_ = std::move(commands);
    commandNames_.clear();
    for (const PaletteCommand& command : commands_)
        commandNames_.add(lowered(command.text), 0, {});
}

void PaletteItems::addItem(PaletteKind kind, int index, const QString& name) {
    entries_.push_back({kind, index});
    items_.add(lowered(name), static_cast<int>(kind), {});
}

void PaletteItems::addItem(PaletteKind kind, int index, const std::string& name, const std::string& group) {
    entries_.push_back({kind, index});
    items_.add(lowered(name), static_cast<int>(kind), lowered(group));
}

void PaletteItems::buildItems() {
    items_.clear();
    entries_.clear();
    groups_.clear();
    loops_ = plan_ ? loopGroups(*plan_) : LoopGroups();
    if (!plan_) return;
    items_.reserve(plan_->ops.size() + plan_->buffers.size() + 256);
    entries_.reserve(plan_->ops.size() + plan_->buffers.size() + 256);
    for (std::size_t i = 0; i < plan_->buffers.size(); ++i)
        addItem(PaletteKind::Buffer, static_cast<int>(i), shownName(*plan_, BufferId::of(i)),
                groupOf(*plan_, plan_->buffers[i]));
    std::set<std::string> paths;
    for (std::size_t i = 0; i < plan_->ops.size(); ++i) {
        addItem(PaletteKind::Op, static_cast<int>(i), plan_->ops[i].name, plan_->ops[i].groupPath);
        if (!plan_->ops[i].groupPath.empty()) paths.insert(plan_->ops[i].groupPath);
    }
    std::int64_t cores = 0;
    for (const PlanOp& op : plan_->ops)
        cores = std::max(cores, op.cores);
    for (int c = 0; c < cores; ++c)
        addItem(PaletteKind::Core, c, QStringLiteral("core %1").arg(c));
    for (const std::string& path : paths) {
        groups_.push_back(fromStd(path));
        addItem(PaletteKind::Group, static_cast<int>(groups_.size()) - 1, groups_.back());
    }
    for (std::size_t i = 0; i < loops_.groups.size(); ++i)
        addItem(PaletteKind::Loop, static_cast<int>(i), fromStd(loops_.groups[i].name));
    for (std::size_t i = 0; i < plan_->passes.size(); ++i)
        addItem(PaletteKind::Pass, static_cast<int>(i), passTitle(plan_->passes[i]));
    for (std::size_t i = 0; i < plan_->problems.size(); ++i)
        addItem(PaletteKind::Problem, static_cast<int>(i), problemName(plan_->problems[i]));
    for (std::size_t i = 0; i < notes_.size(); ++i)
        addItem(PaletteKind::Note, static_cast<int>(i), notes_[i].text);
}

int PaletteItems::itemCount() const {
    return items_.size();
}

bool PaletteItems::hasKind(PaletteKind kind) const {
    if (kind == PaletteKind::Command) return !commands_.empty();
    return std::any_of(entries_.begin(), entries_.end(), [kind](const Entry& e) { return e.kind == kind; });
}

std::vector<PaletteRow> PaletteItems::find(const QString& text, int* total) const {
    const bool commands = text.startsWith(u'>');
    QString query = (commands ? text.mid(1) : text).trimmed();
    int group = -1;
    const qsizetype colon = commands ? -1 : query.indexOf(u':');
    if (const auto kind = colon > 0 ? paletteKindOf(query.left(colon).trimmed().toLower()) : std::nullopt) {
        group = static_cast<int>(*kind);
        query = query.mid(colon + 1).trimmed();
    }
    const std::string wanted = lowered(query);
    const FuzzyIndex& index = commands ? commandNames_ : items_;
    // Every command has a row; of the items only the best are shown.
    const std::size_t most = commands ? std::max(kMostRows, commands_.size()) : kMostRows;
    std::vector<PaletteRow> rows;
    for (const FuzzyIndex::Hit& hit : index.find(wanted, group, most, total)) {
        PaletteRow row =
            commands ? rowOf({PaletteKind::Command, hit.entry}) : rowOf(entries_[static_cast<std::size_t>(hit.entry)]);
        row.matched = lettersAt(row.name, fuzzyPositions(wanted, lowered(row.name)));
        rows.push_back(std::move(row));
    }
    return rows;
}

PaletteRow PaletteItems::rowOf(const Entry& entry) const {
    const auto at = static_cast<std::size_t>(entry.index);
    PaletteRow row;
    switch (entry.kind) {
    case PaletteKind::Op:
        return opRow(entry.index);
    case PaletteKind::Buffer:
        return bufferRow(entry.index);
    case PaletteKind::Group:
        return groupRow(entry.index);
    case PaletteKind::Loop:
        return loopRow(entry.index);
    case PaletteKind::Problem:
        return problemRow(entry.index);
    case PaletteKind::Core:
        row.name = QStringLiteral("core %1").arg(entry.index);
        row.items = {{ItemKind::Core, entry.index}};
        break;
    case PaletteKind::Pass: {
        const PassRun& run = plan_->passes[at];
        row.name = passTitle(run);
        row.context = QObject::tr("pass %1 of %2, %3").arg(at + 1).arg(plan_->passes.size()).arg(fromStd(run.name));
        row.value = !run.ran ? QObject::tr("off") : run.changed ? QObject::tr("changed") : QObject::tr("no change");
        row.items = {{ItemKind::Pass, entry.index}};
        break;
    }
    case PaletteKind::Note:
        row.name = notes_[at].text.section(u'\n', 0, 0);
        row.items = {notes_[at].subject};
        break;
    case PaletteKind::Command: {
        const PaletteCommand& command = commands_[at];
        row.name = command.text;
        row.context = command.context;
        row.value = command.shortcut;
        row.icon = command.icon;
        row.command = command.id;
        row.enabled = command.enabled;
        break;
    }
    }
    row.kind = entry.kind;
    if (row.icon.isEmpty()) row.icon = paletteIcon(entry.kind);
    return row;
}

PaletteRow PaletteItems::opRow(int index) const {
    const PlanOp& op = plan_->ops[static_cast<std::size_t>(index)];
    PaletteRow row;
    row.kind = PaletteKind::Op;
    row.icon = paletteIcon(row.kind);
    row.name = fromStd(op.name);
    QStringList context{fromStd(op.type)};
    if (!op.groupPath.empty()) context << fromStd(op.groupPath);
    context << QObject::tr("step %1").arg(index);
    row.context = context.join(QStringLiteral(", "));
    row.value = plural(op.cores, QObject::tr("core"), QObject::tr("cores"));
    row.items = {{ItemKind::Op, index}};
    return row;
}

PaletteRow PaletteItems::bufferRow(int index) const {
    const PlanBuffer& b = plan_->buffers[static_cast<std::size_t>(index)];
    PaletteRow row;
    row.kind = PaletteKind::Buffer;
    row.icon = paletteIcon(row.kind);
    row.name = fromStd(shownName(*plan_, BufferId{index}));
    row.context = QStringLiteral("%1 \u00b7 %2").arg(timesText(b.shape), dtypeLabel(b.dtype));
    row.badge = badgeOf(b);
    row.value = b.address ? QObject::tr("%1 at %2").arg(exactBytes(b.sizePerCore), groupedText(*b.address))
                          : exactBytes(b.sizePerCore);
    row.items = {{ItemKind::Buffer, index}};
    return row;
}

PaletteRow PaletteItems::groupRow(int index) const {
    PaletteRow row;
    row.kind = PaletteKind::Group;
    row.icon = paletteIcon(row.kind);
    row.name = groups_[static_cast<std::size_t>(index)];
    const std::string path = row.name.toStdString();
    for (std::size_t i = 0; i < plan_->ops.size(); ++i) {
        if (plan_->ops[i].groupPath == path) row.items.push_back({ItemKind::Op, static_cast<int>(i)});
    }
    row.context = plural(static_cast<qint64>(row.items.size()), QObject::tr("op"), QObject::tr("ops"));
    return row;
}

PaletteRow PaletteItems::loopRow(int index) const {
    const LoopGroup& loop = loops_.group(index);
    PaletteRow row;
    row.kind = PaletteKind::Loop;
    row.icon = paletteIcon(row.kind);
    row.name = fromStd(loop.name);
    row.context = QObject::tr("%1, steps %2")
                      .arg(plural(static_cast<qint64>(loop.ops.size()), QObject::tr("op"), QObject::tr("ops")),
                           rangeText(loop.steps()));
    row.value = QObject::tr("%1 runs").arg(groupedText(loop.runs()));
    row.items = {{ItemKind::Loop, index}};
    return row;
}

PaletteRow PaletteItems::problemRow(int index) const {
    const Diagnostic& d = plan_->problems[static_cast<std::size_t>(index)];
    PaletteRow row;
    row.kind = PaletteKind::Problem;
    row.icon = d.severity == Severity::Error ? QStringLiteral("error") : paletteIcon(row.kind);
    row.name = problemName(d);
    row.context = fromStd(d.hint);
    row.badge = badgeOf(d.severity);
    row.value = passTitle(plan_->passes, d.pass);
    row.items = {{ItemKind::Problem, index}};
    return row;
}

}  // namespace memplan::ui
