// SPDX-License-Identifier: Apache-2.0
// Workspace files, format memplan-workspace version 1: what a person added to an input - settings, hints, notes - with
// the plan that was shown and the state of the views (user-experience 2.16, 3.11, 3.12, 21). The input itself stays
// where it is and is named by path and hash; nothing of it is copied.
//
// Keys in this order: format, version, input {path, absolute_path, sha256, format, name, sample, bindings, cut {first,
// last, prefix}}, document (autosaved copies only: the workspace file that they belong to), target (unless it is the
// natural one of the input), machine (a machine file, unless it is the built-in one), settings {key: text}, hints
// [hints.md 1], taken_over [hints.md 1] (hints of the graph file that are out of force there because `hints` has them
// or what became of them; only when there are some), notes
// [{kind, name, text}], instance {index, capacity, alignment} (buffer lists only), side
// [{path, absolute_path, sha256}] (only when there is some), plan {input_hash, plan_hash, label, settings, hints}, view
// (any object). Unknown keys of the top level are kept.
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/base/result.h"
#include "engine/graph/cut.h"
#include "engine/graph/graph.h"
#include "engine/machine/machine.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memplan::io {

struct Workspace {
    using Pairs = std::vector<std::pair<std::string, std::string>>;

    struct Input {
        std::string path;          ///< relative to the workspace file where possible
        std::string absolutePath;  ///< where it was when this was written
        std::string sha256, format, name;
        std::string sample;  ///< id of a sample ("S1"), empty for files
        Pairs bindings;      ///< as --bind takes them
        GraphCut cut{};      ///< the part of the graph that was opened, empty = all of it
        friend bool operator==(const Input&, const Input&) = default;
    };
    struct Note {
        std::string kind, name, text;
        friend bool operator==(const Note&, const Note&) = default;
    };
    /// Choices for a list of buffers: which instance, bytes to place into, bytes that addresses are multiples of.
    struct Instance {
        int index = 0;
        Bytes capacity = 0;
        Bytes alignment = 0;  ///< 0 = as the file says
        friend bool operator==(const Instance&, const Instance&) = default;
    };
    /// Side information that was attached: a provenance sidecar, a pass log or a cost dump, named like the input.
    struct SideFile {
        std::string path, absolutePath, sha256;
        friend bool operator==(const SideFile&, const SideFile&) = default;
    };
    /// The plan that was shown and what it was made from; the plan itself is made again.
    struct ShownPlan {
        std::string inputHash, planHash, label;
        Pairs settings;
        std::vector<Hint> hints;  ///< the user's, without those of the graph file
        friend bool operator==(const ShownPlan&, const ShownPlan&) = default;
    };

    Input input;
    std::string document;
    std::string target;  ///< that it is planned for; empty: the natural one of the input
    MachineDescription machine;
    Pairs settings;
    std::vector<Hint> hints;
    std::vector<Hint> takenOver;  ///< as the graph file says them
    std::vector<Note> notes;
    std::optional<Instance> instance;
    std::vector<SideFile> side;
    std::optional<ShownPlan> plan;
    std::string viewJson = "{}";  ///< JSON object
    UnknownMembers unknown;
    friend bool operator==(const Workspace&, const Workspace&) = default;
};

struct ReadWorkspace {
    Workspace workspace;
    std::vector<Diagnostic> diagnostics;  ///< WSP-005: notes
};

/// True when the text begins like a workspace file; a glance, no check.
[[nodiscard]] bool isWorkspace(std::string_view bytes);
/// Errors: WSP-001 at line:column or a JSON pointer, WSP-002 for another version.
[[nodiscard]] Result<ReadWorkspace> readWorkspaceJson(std::string_view bytes);
/// Canonical text; reading it back gives an equal workspace.
[[nodiscard]] std::string writeWorkspaceJson(const Workspace& workspace);

}  // namespace memplan::io
