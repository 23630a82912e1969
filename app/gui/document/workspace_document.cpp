// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/document/workspace_document.h"

#include "engine/io/samples.h"
#include "widgets/plan/units.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace memplan::app {

using ui::fromStd;

namespace {

/// The values that somebody set, in the order of the table.
SettingPairs explicitPairs(const Settings& settings) {
    SettingPairs pairs;
    for (const SettingInfo& info : allSettings()) {
        if (settings.isExplicit(info.key)) pairs.emplace_back(std::string(info.key), settings.textOf(info.key));
    }
    return pairs;
}

io::Workspace::Input inputOf(const Document& document, const QString& path) {
    const PlanInput& from = document.input().input;
    io::Workspace::Input input;
    const QFileInfo file(fromStd(from.path));
    input.absolutePath = file.absoluteFilePath().toStdString();
    input.path = path.isEmpty() ? input.absolutePath
                                : QFileInfo(path).absoluteDir().relativeFilePath(file.absoluteFilePath()).toStdString();
    input.sha256 = from.sha256;
    input.format = from.format;
    input.name = from.name;
    input.sample = document.origin().sample.toStdString();
    input.bindings = document.origin().bindings;
    input.cut = document.origin().cut;
    return input;
}

struct Made {
    const Settings& settings;
    const HintLists& hints;
    const Notes& notes;
    const InstanceChoice& instance;
    const SideFiles& side;
};

io::Workspace::SideFile sideOf(const SideFile& file, const QString& path) {
    io::Workspace::SideFile out;
    out.absolutePath = file.path.toStdString();
    out.path =
        path.isEmpty() ? out.absolutePath : QFileInfo(path).absoluteDir().relativeFilePath(file.path).toStdString();
    out.sha256 = file.sha256;
    return out;
}

io::Workspace inputs(const Document& document, const QString& path, const Made& made) {
    io::Workspace workspace;
    workspace.input = inputOf(document, path);
    workspace.target = document.origin().target;
    workspace.machine = document.origin().machine;
    workspace.settings = explicitPairs(made.settings);
    workspace.hints = made.hints.own;
    workspace.takenOver = made.hints.takenOver;
    for (const auto& [subject, text] : made.notes)
        workspace.notes.push_back({subject.kind.toStdString(), subject.name.toStdString(), text.toStdString()});
    if (document.kind() == DocumentKind::BufferList)
        workspace.instance = io::Workspace::Instance{made.instance.index, made.instance.capacity, 0};
    for (const SideFile& file : made.side)
        workspace.side.push_back(sideOf(file, path));
    return workspace;
}

/// The user's part of a plan's hints: what stands behind those of the graph file. Nothing for a plan made while other
/// hints of the file were taken over: what is written could not make it again.
std::optional<std::vector<Hint>> userHints(const Document& document, const Plan& plan) {
    const std::vector<Hint>& fixed = document.graphHints();
    const bool begins = plan.hints.size() >= fixed.size() && std::equal(fixed.begin(), fixed.end(), plan.hints.begin());
    if (!begins) return std::nullopt;
    return std::vector<Hint>(plan.hints.begin() + static_cast<std::ptrdiff_t>(fixed.size()), plan.hints.end());
}

}  // namespace

io::Workspace workspaceOf(const Document& document, const QString& path, const QByteArray& viewJson) {
    io::Workspace workspace = inputs(
        document, path,
        {document.settings(), document.hintLists(), document.notes(), document.instance(), document.sideFiles()});
    if (const PlanEntry* entry = document.current(); entry != nullptr && document.kind() != DocumentKind::PlanFile) {
        const Plan& plan = *entry->plan;
        if (auto hints = userHints(document, plan))
            workspace.plan = io::Workspace::ShownPlan{plan.inputHash, plan.planHash, entry->label.toStdString(),
                                                      explicitPairs(plan.settings), std::move(*hints)};
    }
    if (!viewJson.isEmpty()) workspace.viewJson = viewJson.toStdString();
    return workspace;
}

io::Workspace savedWorkspaceOf(const Document& document, const QByteArray& viewJson) {
    const Document::Saved& saved = document.saved();
    static const SideFiles kNone;
    io::Workspace workspace = inputs(
        document, {}, {saved.settings, *saved.hints, saved.notes, saved.instance, saved.side ? *saved.side : kNone});
    if (!viewJson.isEmpty()) workspace.viewJson = viewJson.toStdString();
    return workspace;
}

Result<Settings> settingsOf(const SettingPairs& pairs, std::vector<std::string>* unknown) {
    SettingPairs known;
    for (const auto& [key, value] : pairs) {
        if (findSetting(key) != nullptr) {
            known.emplace_back(key, value);
        } else if (unknown != nullptr) {
            unknown->push_back(key);
        }
    }
    return Settings::fromPairs(known);
}

Notes notesOf(const io::Workspace& workspace) {
    Notes notes;
    for (const io::Workspace::Note& note : workspace.notes)
        notes[{fromStd(note.kind), fromStd(note.name)}] = QString::fromStdString(note.text);
    return notes;
}

std::vector<QStringList> sidePathsOf(const io::Workspace& workspace, const QString& base) {
    std::vector<QStringList> files;
    for (const io::Workspace::SideFile& file : workspace.side) {
        QStringList places{QDir::cleanPath(QDir(base).absoluteFilePath(QString::fromStdString(file.path)))};
        if (!file.absolutePath.empty()) places << QDir::cleanPath(QString::fromStdString(file.absolutePath));
        files.push_back(places);
    }
    return files;
}

Result<QString> inputPathOf(const io::Workspace& workspace, const QString& path) {
    const io::Workspace::Input& input = workspace.input;
    QStringList places{QFileInfo(path).absoluteDir().absoluteFilePath(QString::fromStdString(input.path))};
    if (!input.absolutePath.empty()) places << QString::fromStdString(input.absolutePath);
    if (!input.sample.empty()) {
        const std::vector<io::SampleInfo> samples = io::listSamples();
        if (const io::SampleInfo* sample = io::findSample(samples, input.sample))
            places << QString::fromStdString(sample->path);
    }
    for (const QString& place : places) {
        if (QFileInfo(place).isFile()) return QDir::cleanPath(place);
    }
    return makeError("WSP-003", "/input/path",
                     "the file \"" + input.path + "\" that this workspace is about was not found",
                     "put it beside the workspace file, or change \"path\" there");
}

}  // namespace memplan::app
