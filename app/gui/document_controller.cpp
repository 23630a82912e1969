// SPDX-License-Identifier: GPL-3.0-or-later
#include "document_controller.h"

#include "core/units.h"
#include "pipeline/imported_plan.h"

#include <memory>

namespace memplan::app {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;
using NamedPlans = std::vector<std::pair<PlanPtr, QString>>;

struct Loaded {
    std::optional<Error> error;
    io::OpenedInput input;
    Settings settings;
    NamedPlans plans;
    std::optional<CompileFailure> failure;
};

Pairs joined(Pairs first, const Pairs& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

CompileRequest requestFor(const io::OpenedInput& input, const Settings& settings) {
    CompileRequest request;
    request.graph = input.graph;
    request.imported = input.imported;
    request.input = input.input;
    request.settings = settings;
    request.hints = input.graph->hints;
    request.recordTimes = true;
    return request;
}

/// Reads the file and makes its first plan, or one plan for each variant of a sample.
Loaded load(const OpenRequest& request, const RunControl& control) {
    Loaded loaded;
    io::OpenOptions options;
    options.bindings.raw = request.bindings;
    if (request.sample) options.bindings.raw = joined(request.sample->bindings, request.bindings);
    options.bindWithSuggestions = true;
    if (auto given = Settings::fromPairs(request.settings)) options.limits = io::Limits::from(given.value());
    auto opened = io::openInput(request.path.toStdString(), options, control);
    if (!opened) {
        loaded.error = std::move(opened).error();
        return loaded;
    }
    loaded.input = std::move(opened).value();
    if (loaded.input.imported) loaded.input.graph = graphOfImported(*loaded.input.imported, loaded.input.input.name);
    if (!loaded.input.graph) {
        loaded.error = makeError("IN-013", request.path.toStdString(),
                                 "this input has no graph to plan: it is a " +
                                     std::string(io::formatInfo(loaded.input.format).title),
                                 "solve a buffer list with memplan solve, check a plan with memplan verify");
        return loaded;
    }
    std::vector<std::pair<QString, Pairs>> variants;
    Pairs base = request.settings;
    if (request.sample) {
        base = joined(request.sample->settings, request.settings);
        for (const auto& v : request.sample->variants)
            variants.emplace_back(ui::fromStd(v.name), joined(base, v.settings));
    }
    if (variants.empty()) variants.emplace_back(QString(), base);
    for (const auto& [label, pairs] : variants) {
        auto settings = Settings::fromPairs(pairs);
        if (!settings) {
            loaded.error = std::move(settings).error();
            return loaded;
        }
        loaded.settings = std::move(settings).value();
        CompileOutcome outcome = compile(requestFor(loaded.input, loaded.settings), control);
        if (outcome.failure) {
            loaded.failure = std::move(outcome.failure);
            break;
        }
        loaded.plans.emplace_back(std::move(outcome.plan), label);
    }
    return loaded;
}

}  // namespace

DocumentController::DocumentController(QObject* parent) : QObject(parent) {
    debounce_.setSingleShot(true);
    debounce_.setInterval(kDebounceMs);
    connect(&debounce_, &QTimer::timeout, this, &DocumentController::compileNow);
}

void DocumentController::open(const OpenRequest& request) {
    debounce_.stop();
    lastRequest_ = request;
    task_.start(tr("Opening %1").arg(request.path),
                [this, request](const RunControl& control) -> BackgroundTask::Finish {
                    auto loaded = std::make_shared<Loaded>(load(request, control));
                    return [this, request, loaded] {
                        if (loaded->error) {
                            emit openFailed(request.path, *loaded->error);
                            return;
                        }
                        install(std::move(loaded->input), std::move(loaded->settings), std::move(loaded->plans));
                        if (loaded->failure) {
                            document_->setFailed(std::move(*loaded->failure));
                            emit compileFailed();
                        }
                    };
                });
}

void DocumentController::install(io::OpenedInput input, Settings settings, NamedPlans plans) {
    auto next = std::make_unique<Document>(std::move(input), std::move(settings), hub_);
    hub_.clearSelection();
    document_ = std::move(next);
    automatic_ = document_->input().graph->ops.size() < kAutomaticOps;
    connect(document_.get(), &Document::settingsChanged, this, [this] { inputsChanged(kDebounceMs); });
    // Hints are committed whole: there is no more to wait for.
    connect(document_.get(), &Document::hintsChanged, this, [this] { inputsChanged(0); });
    emit documentOpened();
    for (auto& [plan, label] : plans)
        document_->addPlan(std::move(plan), label);
}

void DocumentController::reload() {
    if (!lastRequest_.path.isEmpty()) open(lastRequest_);
}

void DocumentController::close() {
    task_.cancel();
    document_.reset();
    hub_.clearSelection();
    hub_.setPlan(nullptr);
    emit documentClosed();
}

void DocumentController::inputsChanged(int waitMs) {
    if (document_->showStored(inputHash(document_->request()))) {
        debounce_.stop();
        return;
    }
    if (automatic_) debounce_.start(waitMs);
}

void DocumentController::compileNow() {
    debounce_.stop();
    if (!document_ || !document_->input().graph) return;
    if (document_->showStored(inputHash(document_->request()))) return;
    document_->setCompiling();
    task_.start(tr("Compiling"),
                [this, request = document_->request()](const RunControl& control) -> BackgroundTask::Finish {
                    auto outcome = std::make_shared<CompileOutcome>(compile(request, control));
                    return [this, outcome] {
                        if (!document_) return;
                        if (outcome->plan) {
                            document_->addPlan(outcome->plan);
                            return;
                        }
                        document_->setFailed(std::move(*outcome->failure));
                        emit compileFailed();
                    };
                });
}

void DocumentController::cancel() {
    debounce_.stop();
    task_.cancel();
    if (document_) document_->setCancelled();
}

void DocumentController::setAutomatic(bool on) {
    automatic_ = on;
    if (on && document_ && document_->isStale()) debounce_.start(kDebounceMs);
}

}  // namespace memplan::app
