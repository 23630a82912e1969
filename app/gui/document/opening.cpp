// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/document/opening.h"

#include "app/gui/document/workspace_document.h"
#include "engine/base/hash.h"
#include "engine/io/plan/plan_json.h"
#include "engine/io/plan/plan_side_json.h"
#include "engine/target/compile.h"
#include "engine/target/verify.h"
#include "widgets/plan/units.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <fstream>

namespace memplan::app {

using ui::fromStd;

namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

Pairs joined(Pairs first, const Pairs& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

Diagnostic finding(Severity severity, const char* code, std::string message, std::string fix) {
    Diagnostic d;
    d.severity = severity;
    d.code = code;
    d.message = std::move(message);
    d.hint = std::move(fix);
    return d;
}

bool looksLikeWorkspace(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string head(4096, '\0');
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(file.gcount()));
    return io::isWorkspace(head);
}

class Opening {
public:
    Opening(const OpenRequest& request, const RunControl& control) : request_(request), control_(control) {}

    Opened run() {
        inputPath_ = request_.path;
        out_.sample = request_.sample;
        out_.hints.own = request_.hints;
        out_.origin.target = request_.target;
        const bool ok = readWorkspace() && readInput() && readSettings() && makePlans();
        if (ok) readSide();
        const bool isUnsaved = request_.isUnsaved || request_.from == OpenFrom::AutosavedCopy;
        if (ok && isUnsaved) readOnDisk();
        return std::move(out_);
    }

private:
    const OpenRequest& request_;
    const RunControl& control_;
    Opened out_;
    QString inputPath_;
    std::optional<io::Workspace> workspace_;
    QString sideBase_;  ///< folder that the workspace's compiler records are named from
    std::vector<Diagnostic> notices_;
    HintLists ofLastVariant_;

    bool fail(Error error) {
        out_.error = std::move(error);
        return false;
    }

    // ---- workspace -----------------------------------------------------------------------------------

    bool readWorkspace() {
        const std::string path = request_.path.toStdString();
        if (request_.kept) {
            workspace_ = *request_.kept;
        } else if (looksLikeWorkspace(path)) {
            auto read = readWorkspaceFile(path);
            if (!read) return fail(std::move(read).error());
            workspace_ = std::move(read.value().workspace);
            notices_ = std::move(read.value().diagnostics);
            auto input = inputPathOf(*workspace_, request_.path);
            if (!input) return fail(std::move(input).error());
            inputPath_ = input.value();
        }
        sideBase_ = QFileInfo(request_.path).absolutePath();
        if (workspace_ && request_.from == OpenFrom::SessionCopy) takeDocumentFile();
        if (workspace_) takeWorkspace();
        if (out_.sample) out_.origin.sample = fromStd(out_.sample->id);
        return true;
    }

    /// The copy of a session says which plan and views were on screen; what the user made is in the document's file.
    void takeDocumentFile() {
        if (workspace_->document.empty()) return;
        auto saved = readWorkspaceFile(workspace_->document);
        if (!saved) return;
        io::Workspace& file = saved.value().workspace;
        workspace_->settings = std::move(file.settings);
        workspace_->hints = std::move(file.hints);
        workspace_->takenOver = std::move(file.takenOver);
        workspace_->notes = std::move(file.notes);
        workspace_->instance = file.instance;
        workspace_->side = std::move(file.side);
        sideBase_ = QFileInfo(fromStd(workspace_->document)).absolutePath();
    }

    void takeWorkspace() {
        const bool isCopy = request_.kept || request_.from != OpenFrom::File;
        out_.origin.workspacePath =
            isCopy ? fromStd(workspace_->document) : QFileInfo(request_.path).absoluteFilePath();
        const std::vector<io::SampleInfo> samples = io::listSamples();
        const io::SampleInfo* sample = io::findSample(samples, workspace_->input.sample);
        if (sample != nullptr && !workspace_->input.sample.empty()) out_.sample = *sample;
        out_.hints = {workspace_->hints, workspace_->takenOver};
        out_.notes = notesOf(*workspace_);
        out_.viewJson = QByteArray::fromStdString(workspace_->viewJson);
        if (workspace_->plan) out_.shownHash = workspace_->plan->inputHash;
    }

    static Result<io::ReadWorkspace> readWorkspaceFile(const std::string& path) {
        auto bytes = io::readFile(path, io::Limits().jsonBytes, "WSP-001");
        if (!bytes) return std::move(bytes).error();
        return io::readWorkspaceJson(bytes.value());
    }

    /// What an autosaved copy differs from: its workspace file, or the input alone when there is none.
    void readOnDisk() {
        Opened::OnDisk disk;
        const bool isOfVariant = out_.sample && !out_.sample->variants.empty();
        const Pairs base = isOfVariant ? joined(baseSettings(), out_.sample->variants.back().settings) : baseSettings();
        if (auto plain = settingsOf(base)) disk.settings = std::move(plain).value();
        if (!out_.origin.workspacePath.isEmpty()) {
            auto saved = readWorkspaceFile(out_.origin.workspacePath.toStdString());
            if (saved) {
                disk.hints = {saved.value().workspace.hints, saved.value().workspace.takenOver};
                disk.notes = notesOf(saved.value().workspace);
                if (auto settings = settingsOf(saved.value().workspace.settings))
                    disk.settings = std::move(settings).value();
                if (const auto& i = saved.value().workspace.instance) disk.instance = {i->index, i->capacity};
                disk.side = namedSide(saved.value().workspace, QFileInfo(out_.origin.workspacePath).absolutePath());
            }
        } else if (!out_.input.problems.empty()) {
            disk.instance = openingInstance(out_.input.problems);
        } else {
            disk.hints = ofLastVariant_;
        }
        out_.onDisk = std::move(disk);
    }

    // ---- compiler records ----------------------------------------------------------------------------

    /// The files that a workspace names, where they are; unread.
    static SideFiles namedSide(const io::Workspace& workspace, const QString& base) {
        SideFiles files;
        const std::vector<QStringList> places = sidePathsOf(workspace, base);
        for (std::size_t i = 0; i < places.size(); ++i) {
            const auto there = std::find_if(places[i].begin(), places[i].end(),
                                            [](const QString& p) { return QFileInfo(p).isFile(); });
            files.push_back({there == places[i].end() ? places[i].front() : *there, workspace.side[i].sha256, {}});
        }
        return files;
    }

    /// A file that is gone or damaged is a warning: the document opens without it.
    void readSide() {
        SideFiles wanted = workspace_ ? namedSide(*workspace_, sideBase_) : SideFiles();
        for (const QString& path : request_.side)
            wanted.push_back({QFileInfo(path).absoluteFilePath(), {}, {}});
        for (const SideFile& named : wanted) {
            auto read = readSideFile(named.path, io::Limits::from(out_.settings), control_);
            const std::string name = QFileInfo(named.path).fileName().toStdString();
            if (!read) {
                const Diagnostic& d = read.error().primary();
                out_.input.diagnostics.push_back(finding(Severity::Warning, "WSP-006",
                                                         "\"" + name + "\" could not be attached: " + d.message,
                                                         "attach it again from where it is"));
                continue;
            }
            if (!named.sha256.empty() && read.value().sha256 != named.sha256) {
                out_.input.diagnostics.push_back(finding(Severity::Warning, "WSP-004",
                                                         "\"" + name + "\" changed since the workspace was saved",
                                                         "what it says now stands beside the plan"));
            }
            out_.side = withSideFile(std::move(out_.side), std::move(read).value());
        }
    }

    // ---- input ---------------------------------------------------------------------------------------

    bool readInput() {
        out_.origin.bindings = workspace_    ? workspace_->input.bindings
                               : out_.sample ? joined(out_.sample->bindings, request_.bindings)
                                             : request_.bindings;
        io::OpenOptions options;
        options.bindings.raw = out_.origin.bindings;
        options.bindWithSuggestions = true;
        // A workspace keeps the limits that its input was opened with.
        const Pairs pairs = workspace_ ? joined(workspace_->settings, request_.settings) : request_.settings;
        if (auto given = settingsOf(pairs)) options.limits = io::Limits::from(given.value());
        auto opened = io::openInput(inputPath_.toStdString(), options, control_);
        if (!opened) return fail(std::move(opened).error());
        out_.input = std::move(opened).value();
        if (!applyCut()) return false;
        if (workspace_ && !request_.kept && workspace_->input.sha256 != out_.input.input.sha256) {
            notices_.push_back(finding(Severity::Warning, "WSP-004",
                                       "\"" + out_.input.input.name + "\" changed since the workspace was saved",
                                       "hints on parts that are gone have no effect"));
        }
        out_.input.diagnostics.insert(out_.input.diagnostics.begin(), notices_.begin(), notices_.end());
        if (out_.input.program) out_.input.graph = graphOf(*out_.input.program, out_.input.input.name);
        if (out_.input.graph && !workspace_) dropGraphHints();
        if (out_.input.graph || !out_.input.problems.empty() || out_.input.format == io::Format::Plan) return true;
        return fail(makeError("IN-013", request_.path.toStdString(),
                              "this input has no graph to plan: it is a " +
                                  std::string(io::formatInfo(out_.input.input.format).title),
                              out_.input.side.empty() ? "open the graph that it belongs to"
                                                      : "open the graph or plan that it belongs to, then this file"));
    }

    /// The part of a large graph that was chosen. It is an input of its own: the hash distinguishes it from the whole
    /// file.
    bool applyCut() {
        const GraphCut& cut = workspace_ ? workspace_->input.cut : request_.cut;
        out_.origin.cut = cut;
        if (cut.isEmpty()) return true;
        if (!out_.input.graph) {
            return fail(makeError("IN-014", request_.path.toStdString(), "this input has no operations to choose from",
                                  "open all of it"));
        }
        auto part = cutGraph(*out_.input.graph, cut);
        if (!part) return fail(std::move(part).error());
        out_.input.graph = std::make_shared<const Graph>(std::move(part).value());
        std::string& hash = out_.input.input.sha256;
        out_.origin.fileSha256 = fromStd(hash);
        hash = sha256Hex(hash + "\n" + cut.first + "\n" + cut.last + "\n" + cut.prefix);
        return true;
    }

    /// Hints of a plan begin with those of its graph, which come with the graph again, or with those that are left when
    /// some were taken over.
    void dropGraphHints() {
        const HintLists lists = listsOf(out_.input.graph->hints, out_.hints.own);
        if (request_.hintsAreAll || lists.takenOver.empty()) out_.hints = lists;
    }

    // ---- settings and plans --------------------------------------------------------------------------

    [[nodiscard]] Pairs baseSettings() const {
        return out_.sample ? joined(out_.sample->settings, request_.settings) : request_.settings;
    }

    [[nodiscard]] const Target& target() const {
        const Target* wanted = findTarget(out_.origin.target);
        return wanted != nullptr ? *wanted : naturalTarget(out_.input.program.get());
    }

    bool readSettings() {
        std::vector<std::string> unknown;
        auto settings = workspace_ ? settingsOf(workspace_->settings, &unknown) : Settings::fromPairs(baseSettings());
        if (!settings) return fail(std::move(settings).error());
        out_.settings = std::move(settings).value();
        if (workspace_) out_.origin.target = workspace_->target;
        out_.origin.machine = workspace_ ? workspace_->machine : request_.machine;
        // What nobody set follows the machine; more than it has is what a compile ends with.
        (void)target().fitToMachine(out_.settings, out_.origin.machine);
        for (const std::string& key : unknown) {
            out_.input.diagnostics.push_back(finding(Severity::Note, "WSP-005",
                                                     "the setting \"" + key + "\" is not known to this version",
                                                     "it is left out"));
        }
        return true;
    }

    bool solveList() {
        const auto last = static_cast<int>(out_.input.problems.size()) - 1;
        if (workspace_ && workspace_->instance) {
            out_.instance = {std::clamp(workspace_->instance->index, 0, last), workspace_->instance->capacity};
        } else {
            out_.instance = openingInstance(out_.input.problems);
        }
        SolveRequest request;
        request.target = naturalTarget(nullptr).info().id;
        request.keys = naturalTarget(nullptr).info().settings.solver;
        request.problem =
            std::make_shared<const solve::Problem>(out_.input.problems[static_cast<std::size_t>(out_.instance.index)]);
        request.input = out_.input.input;
        request.settings = out_.settings;
        request.capacity = out_.instance.capacity;
        if (PlanPtr given = givenPlan(request)) out_.plans.push_back({std::move(given), {}});
        CompileOutcome outcome = solveToPlan(request, control_);
        if (outcome.failure) {
            out_.failure = std::move(outcome.failure);
        } else {
            out_.plans.push_back({std::move(outcome.plan), {}});
        }
        return true;
    }

    bool readPlan() {
        auto read = io::readPlanJson(out_.input.bytes);
        if (!read) return fail(std::move(read).error());
        auto plan = std::make_shared<Plan>(std::move(read).value());
        std::vector<Diagnostic> broken = verifyPlan(*plan);
        plan->problems.insert(plan->problems.begin(), broken.begin(), broken.end());
        out_.settings = plan->settings;
        out_.origin.target = plan->target;
        out_.origin.graphPath = unchangedInput(plan->input);
        out_.plans.push_back({std::move(plan), {}});
        auto side = io::readPlanSide(out_.input.bytes);
        if (!side) return fail(std::move(side).error());
        out_.givenSide = std::move(side).value();
        out_.input.bytes.clear();
        return true;
    }

    /// Where the plan's input is, if it is there and still what the plan was made from.
    [[nodiscard]] QString unchangedInput(const PlanInput& input) const {
        const QFileInfo named(QFileInfo(inputPath_).absoluteDir(), fromStd(input.path));
        if (input.path.empty() || !named.isFile()) return {};
        const auto bytes = io::readFile(named.absoluteFilePath().toStdString(), io::Limits().onnxBytes, "IN-904");
        const bool isSame = bytes && sha256Hex(bytes.value()) == input.sha256;
        return isSame ? named.absoluteFilePath() : QString();
    }

    bool makePlans() {
        if (out_.input.format == io::Format::Plan) return readPlan();
        if (!out_.input.problems.empty()) return solveList();
        if (!variantPlans()) return out_.error == std::nullopt;
        if (workspace_ && workspace_->plan && !shownPlan(*workspace_->plan)) return true;
        if (!out_.plans.empty() && !workspace_) {
            // The document starts as its last variant.
            out_.settings = out_.plans.back().plan->settings;
            out_.hints = ofLastVariant_;
            return true;
        }
        addPlan(out_.settings, hintsInForce(out_.input.graph->hints, out_.hints), {});
        return true;
    }

    /// One plan for each variant of a sample. False: stop here.
    bool variantPlans() {
        if (!out_.sample) return true;
        for (const io::SampleVariant& variant : out_.sample->variants) {
            const Pairs base = baseSettings();
            auto settings = Settings::fromPairs(joined(base, variant.settings));
            if (!settings) return fail(std::move(settings).error());
            // Those of a workspace are the sample's as it comes. What the user gave replaces the hints of a variant.
            HintLists lists = workspace_ ? HintLists() : out_.hints;
            if (lists.own.empty()) {
                auto read = io::hintsOf(variant, *out_.input.graph);
                if (!read) return fail(std::move(read).error());
                lists.own = std::move(read).value();
            }
            ofLastVariant_ = lists;
            if (!addPlan(settings.value(), hintsInForce(out_.input.graph->hints, lists), fromStd(variant.name)))
                return false;
        }
        return true;
    }

    /// The plan that was shown may be one of other settings than the document's: it is made again.
    bool shownPlan(const io::Workspace::ShownPlan& shown) {
        auto settings = settingsOf(shown.settings);
        if (!settings) return true;
        const HintLists lists{shown.hints, out_.hints.takenOver};
        return addPlan(settings.value(), hintsInForce(out_.input.graph->hints, lists), fromStd(shown.label));
    }

    /// With exactly these hints, those of the graph file among them.
    bool addPlan(const Settings& settings, std::vector<Hint> hints, const QString& label) {
        CompileRequest request =
            requestFor(out_.input.graph, out_.input.program, out_.input.input, settings, std::move(hints));
        planFor(out_.origin.target, request);
        setMachine(request, out_.origin.machine);
        request.recordTimes = true;
        const std::string hash = inputHash(request);
        const bool known = std::any_of(out_.plans.begin(), out_.plans.end(),
                                       [&](const Opened::MadePlan& made) { return made.plan->inputHash == hash; });
        if (known) return true;
        CompileOutcome outcome = compile(request, control_);
        if (outcome.failure) {
            out_.failure = std::move(outcome.failure);
            return false;
        }
        out_.plans.push_back({std::move(outcome.plan), label});
        return true;
    }
};

}  // namespace

/// A list may name no capacity: the least that holds everything that is live at once, or what its offsets need.
InstanceChoice openingInstance(const std::vector<solve::Problem>& problems) {
    const solve::Problem& first = problems.front();
    if (first.capacity > 0) return {0, first.capacity};
    Bytes capacity = leastCapacity(first);
    for (const solve::Item& item : first.items)
        capacity = std::max(capacity, item.givenAddress.value_or(0) + item.size);
    return {0, capacity};
}

Opened openDocument(const OpenRequest& request, const RunControl& control) {
    return Opening(request, control).run();
}

}  // namespace memplan::app
