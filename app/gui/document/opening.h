// SPDX-License-Identifier: GPL-3.0-or-later
// From a file to everything that a new document starts with: the input, settings, hints, notes and the first plans.
// Runs off the window thread and touches no widget.
#pragma once

#include "app/gui/document/document.h"
#include "engine/base/run_control.h"
#include "engine/io/samples.h"
#include "engine/io/workspace/workspace_json.h"

#include <optional>
#include <utility>
#include <vector>

namespace memplan::app {

/// What `OpenRequest::path` is.
enum class OpenFrom {
    File,           ///< an input or a workspace
    SessionCopy,    ///< workspace that the last run left: the document itself is in the file it names, if any
    AutosavedCopy,  ///< workspace of a run that died: the document counts as unsaved
};

/// What to open: a file, a workspace, a sample with its settings, bindings and variants, or a copy of a workspace.
struct OpenRequest {
    QString path;
    std::optional<io::SampleInfo> sample;
    std::vector<std::pair<std::string, std::string>> settings;
    std::vector<std::pair<std::string, std::string>> bindings;
    TargetId target;             ///< machine to plan for, empty = the natural one of the input
    MachineDescription machine;  ///< its figures, where they are not the built-in ones
    std::vector<Hint> hints;
    /// `hints` are all of a plan: what the graph file says beyond them is out of force.
    bool hintsAreAll = false;
    GraphCut cut;      ///< part of the graph to open, empty = all of it
    QStringList side;  ///< files of compiler records to attach
    OpenFrom from = OpenFrom::File;
    /// Reload: settings, hints and notes to keep while the input is read anew; `isUnsaved` as the document was.
    std::shared_ptr<const io::Workspace> kept;
    bool isUnsaved = false;
};

struct Opened {
    std::optional<Error> error;
    io::OpenedInput input;
    DocumentOrigin origin;
    std::optional<io::SampleInfo> sample;
    Settings settings;
    HintLists hints;
    Notes notes;
    InstanceChoice instance;
    SideFiles side;
    std::shared_ptr<const SideInformation> givenSide;  ///< of a plan file
    struct MadePlan {
        PlanPtr plan;
        QString label;
    };
    std::vector<MadePlan> plans;
    std::string shownHash;  ///< input hash of the plan to show, empty = the last one
    QByteArray viewJson;    ///< state of the views, empty = as shipped
    std::optional<CompileFailure> failure;
    /// For a document with unsaved changes: what is on disk.
    struct OnDisk {
        Settings settings;
        HintLists hints;
        Notes notes;
        InstanceChoice instance;
        SideFiles side;  ///< without their contents
    };
    std::optional<OnDisk> onDisk;
};

/// What a list of buffers is opened with: its first instance, in the bytes that it names or else needs.
[[nodiscard]] InstanceChoice openingInstance(const std::vector<solve::Problem>& problems);
[[nodiscard]] Opened openDocument(const OpenRequest& request, const RunControl& control);

}  // namespace memplan::app
