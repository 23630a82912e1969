// SPDX-License-Identifier: GPL-3.0-or-later
// Small values that a document is made of.
#pragma once

#include "app/gui/document/parts/hint_lists.h"
#include "app/gui/document/parts/side_files.h"
#include "engine/graph/cut.h"
#include "engine/plan/plan.h"

#include <QString>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace memplan::app {

/// What a note stands at (UX 2.16): kind "op", "buffer", "chain", "layer" or "steps", and the subject's name in the
/// plan ("exp"), or for steps "first-last".
struct NoteSubject {
    QString kind;
    QString name;
    friend bool operator==(const NoteSubject& a, const NoteSubject& b) { return a.kind == b.kind && a.name == b.name; }
    friend bool operator<(const NoteSubject& a, const NoteSubject& b) {
        return a.kind == b.kind ? a.name < b.name : a.kind < b.kind;
    }
};

/// What kind of input a document has; views and tools that make no sense for it are hidden (UX 2.1).
enum class DocumentKind {
    Graph,       ///< compiled into plans
    BufferList,  ///< buffers with lifetimes: solved into plans
    PlanFile     ///< one finished plan, read only
};

/// Choices for a list of buffers: which of its instances, bytes to place into.
struct InstanceChoice {
    int index = 0;
    Bytes capacity = 0;
    friend bool operator==(const InstanceChoice&, const InstanceChoice&) = default;
};

/// Where a document came from.
struct DocumentOrigin {
    QString sample;         ///< id of a sample ("S1"), empty for files
    QString workspacePath;  ///< file that Save writes, empty when there is none yet
    QString graphPath;      ///< plan files: the unchanged input that the plan was made from, if it is there
    std::vector<std::pair<std::string, std::string>> bindings;  ///< as --bind takes them
    TargetId target;             ///< machine that it is planned for, or that its plan is of; empty = the natural one
    MachineDescription machine;  ///< its figures, where they are not the built-in ones
    GraphCut cut;                ///< the part of the file's graph that this document is, empty = all of it
    QString fileSha256;          ///< of the whole file, for a part; the hash of the input is that of the part
};

using Notes = std::map<NoteSubject, QString>;  ///< text in the Markdown subset of UX 2.16; never empty

/// A plan of the history with the words that the plan switcher shows.
struct PlanEntry {
    PlanPtr plan;
    QString name;    ///< "Plan 4: greedy, 1 core"
    QString label;   ///< variant name of a sample ("stage 4: clone"), may be empty
    int number = 0;  ///< in the order of making, from 1
};

/// What stands in the views: a plan of the document, or something in its place that is none.
struct ShownPlan {
    enum class Kind {
        Current,   ///< the newest one
        History,   ///< an older one
        Preview,   ///< a trial, gone unless it is kept
        Compared,  ///< one of the history, as long as it is compared with another one
        Recorded   ///< the memory as it stood when a compile failed
    };
    PlanPtr plan;  ///< null: nothing yet
    QString name;
    Kind kind = Kind::Current;
};

struct Staleness {
    bool settings = false;
    bool hints = false;
};

enum class PlanState { None, Fresh, Stale, Compiling, Failed };

}  // namespace memplan::app
