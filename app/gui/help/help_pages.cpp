// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/help/help_pages.h"

#include "app/gui/targets/targets.h"
#include "app/gui/workspace/dock_info.h"
#include "app/gui/workspace/view_info.h"
#include "engine/plan/reasons.h"
#include "widgets/plan/units.h"

#include <QCoreApplication>
#include <QFile>
#include <QObject>

/// The pages lie in a static library: nothing takes them in unless it is said.
static void takeHelpResource() {
    Q_INIT_RESOURCE(memplan_help);
}

namespace memplan::app {
namespace {

using ui::fromStd;

QString view(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString readPage(const QString& name) {
    static const bool kTaken = (takeHelpResource(), true);
    Q_UNUSED(kTaken)
    QFile file(QStringLiteral(":/memplan/help/") + name);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// "## CODE" sections of codes.md: what it means, and what to do.
const QHash<QString, QStringList>& explanations() {
    static const QHash<QString, QStringList> table = [] {
        QHash<QString, QStringList> out;
        QString code;
        for (const QString& line : readPage(QStringLiteral("codes.md")).split(u'\n')) {
            if (line.startsWith(u"## "))
                code = line.mid(3).trimmed();
            else if (!line.isEmpty())
                out[code] << line;
        }
        return out;
    }();
    return table;
}

/// What a family of codes is about, by prefix.
QString familyOf(const QString& code) {
    static const std::pair<const char*, const char*> kFamilies[] = {
        {"IN", "Opening a file."},
        {"MPG", "Reading a neutral graph file (memplan-graph JSON). The place is a line and column or a JSON path."},
        {"ONNX", "Reading an ONNX model."},
        {"CSV", "Reading a buffer list. The place is a line of the file."},
        {"PT2", "Reading an exported PyTorch program."},
        {"IND", "Reading a compiler's intermediate graph."},
        {"MLIR", "Reading MLIR text. The place is a line and column."},
        {"XLA", "Reading a memory problem of another compiler."},
        {"TXT", "Reading text: MLIR, dumps, logs, wrapper sources."},
        {"EXP", "Writing a file."},
        {"WSP", "Opening and saving a workspace."},
        {"CAL", "Reading the calibration file of the cost model."},
        {"CLI", "Using the command line."},
        {"SET", "Settings."},
        {"HNT", "Hints. A malformed hint file is an error; a hint that cannot be followed is a warning, never silent."},
        {"LXI", "Rules for the input of an address problem."},
        {"VER", "The independent check of a plan. Any of these means that the plan must not be used."},
        {"INT", "A fault of the program itself. Please report it with the log."},
    };
    const QString prefix = code.section(u'-', 0, 0);
    for (const auto& [name, text] : kFamilies) {
        if (prefix == QLatin1String(name)) return QString::fromLatin1(text);
    }
    for (const TargetUi& target : allTargetUis())
        for (const CodeFamily& family : target.codes)
            if (prefix == QLatin1String(family.prefix)) return QCoreApplication::translate("Target", family.text);
    return {};
}

QString exitText(int status) {
    switch (status) {
    case 0:
        return QObject::tr("never ends a command");
    case 1:
        return QObject::tr("ends a command with status 1 (a finding)");
    case 2:
        return QObject::tr("ends a command with status 2 (wrong use)");
    case 3:
        return QObject::tr("ends a command with status 3 (bad input)");
    case 4:
        return QObject::tr("ends a command with status 4 (cannot write)");
    case 70:
        return QObject::tr("ends a command with status 70 (internal fault)");
    default:
        return QObject::tr("ends a command with status %1").arg(status);
    }
}

QString inThisPlan(const QString& code, const Plan& plan) {
    constexpr int kMost = 12;
    QStringList lines;
    int count = 0;
    for (const Diagnostic& d : plan.problems) {
        if (fromStd(d.code) != code) continue;
        if (++count <= kMost)
            lines << QStringLiteral("- %1 %2").arg(fromStd(d.message), d.hint.empty() ? QString() : fromStd(d.hint));
    }
    if (count == 0) return QObject::tr("\n\n**In the current plan:** does not occur.\n");
    if (count > kMost) lines << QObject::tr("- and %1 more").arg(count - kMost);
    return QObject::tr("\n\n**In the current plan** (%1):\n\n%2\n").arg(count).arg(lines.join(u'\n'));
}

QString codePage(const QString& code, const Plan* plan) {
    const DiagnosticInfo* info = nullptr;
    for (const DiagnosticInfo& d : allDiagnostics()) {
        if (view(d.code) == code) info = &d;
    }
    if (info == nullptr) return {};
    QString page = QStringLiteral("# %1\n\n**%2**\n\n").arg(code, view(info->title));
    const QStringList texts = explanations().value(code);
    if (!texts.isEmpty()) page += texts.join(QStringLiteral("\n\n")) + QStringLiteral("\n\n");
    for (const ReasonInfo& reason : allReasons()) {
        if (view(reason.diagnostic) != code) continue;
        page += QObject::tr("It is the reason `%1` of a buffer (family: %2; target: %3). It holds when: %4.\n\n")
                    .arg(view(reason.name), view(reason.family), view(reason.target), view(reason.condition));
    }
    page += QStringLiteral("%1 It %2.").arg(familyOf(code), exitText(info->exitStatus));
    if (plan != nullptr) page += inThisPlan(code, *plan);
    if (code.startsWith(u"LX-")) page += QObject::tr("\n\nSee also: [what limits the planner](limits.md)\n");
    return page;
}

QString codeList() {
    QString page = QObject::tr("# Reasons and codes\n\nA code has one meaning for ever.\n\n");
    QString family;
    for (const DiagnosticInfo& d : allDiagnostics()) {
        const QString code = view(d.code);
        const QString prefix = code.section(u'-', 0, 0);
        if (prefix != family) {
            family = prefix;
            page += QStringLiteral("\n## %1\n\n%2\n\n").arg(prefix, familyOf(code));
        }
        page += QStringLiteral("- [%1](codes.md#%2) %3\n").arg(code, code.toLower(), view(d.title));
    }
    return page;
}

/// A written page, called by its first line.
HelpTopic topicOf(const char* page) {
    const QString id = QString::fromLatin1(page);
    return {id, readPage(id).section(u'\n', 0, 0).mid(2)};
}

}  // namespace

std::vector<HelpTopic> helpTopics() {
    std::vector<HelpTopic> topics{{QStringLiteral("index.md"), QObject::tr("Contents")}};
    for (const char* name :
         {"window.md",    "find.md",     "targets.md", "graph.md",  "cores.md",   "gantt.md",       "chains.md",
          "residual.md",  "layers.md",   "hints.md",   "solver.md", "compare.md", "passes.md",      "records.md",
          "inspector.md", "problems.md", "notes.md",   "limits.md", "export.md",  "command-line.md"}) {
        topics.push_back(topicOf(name));
    }
    for (const TargetUi& target : allTargetUis())
        for (const char* name : target.helpPages)
            topics.push_back(topicOf(name));
    topics.push_back({QStringLiteral("codes"), QObject::tr("Reasons and codes")});
    for (const DiagnosticInfo& d : allDiagnostics())
        topics.push_back(
            {QStringLiteral("code:") + view(d.code), QStringLiteral("%1  %2").arg(view(d.code), view(d.title))});
    return topics;
}

QString helpTopicOf(const QString& link) {
    if (link == u"window.md#keys") return QStringLiteral("keys");
    const QString code = link.section(u'#', 1).toUpper();
    if (link.section(u'#', 0, 0) != u"codes.md") return link;
    return code.isEmpty() ? QStringLiteral("codes") : QStringLiteral("code:") + code;
}

QString helpPage(const QString& link, const Plan* plan) {
    const QString id = helpTopicOf(link);
    if (id == u"codes") return codeList();
    return id.startsWith(u"code:") ? codePage(id.mid(5), plan) : readPage(id);
}

QString helpIdOf(const QString& viewOrDock) {
    for (const DockInfo& dock : allDocks())
        if (viewOrDock == QLatin1String(dock.name)) return QString::fromLatin1(dock.help);
    const ViewInfo* view = viewInfo(viewOrDock);
    return view == nullptr ? QStringLiteral("index.md") : QString::fromLatin1(view->help);
}

}  // namespace memplan::app
