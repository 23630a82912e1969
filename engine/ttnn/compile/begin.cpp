// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/compile/begin.h"

#include "engine/base/text.h"
#include "engine/hints/resolve.h"
#include "engine/pipeline/run.h"
#include "engine/ttnn/lower/from_graph.h"
#include "engine/ttnn/lower/main_function.h"
#include "engine/ttnn/model/machine_kind.h"
#include "engine/ttnn/module/source.h"
#include "engine/ttnn/options/device_file.h"
#include "engine/ttnn/options/from_settings.h"

#include <fstream>
#include <iterator>
#include <utility>

namespace memplan::ttnn {
namespace {

constexpr std::string_view kSystemDescription = "ttnn.system_desc";

/// The module of the file, or one made of the neutral graph.
Result<Module> moduleOf(const CompileRequest& request) {
    if (const auto* source = dynamic_cast<const ModuleSource*>(request.program.get())) return *source->module;
    if (!request.graph) return makeError("MLIR-008", "", "there is no module and no graph to plan", "open a file");
    return moduleOfGraph(*request.graph);
}

/// Names of operations without one: what hints name them by. Without a tensor result there is nothing to decide, and
/// its location is written as it was read.
void nameOperations(Function& function, const std::vector<std::string>& names) {
    for (std::size_t i = 0; i < function.operations.size(); ++i) {
        Location& location = function.operations[i].location;
        const ValueId result = function.resultOf(OperationId::of(i));
        if (!location.name.empty() || !result.isValid() || !function.typeOf(result).isTensor) continue;
        location.name = names[i];
        location.text = "\"" + names[i] + "\"" + (location.text.empty() ? "" : "(" + location.text + ")");
    }
}

/// Which operations of the graph stand under which location, and the other way round.
void linkGraph(const CompileRequest& request, State& state) {
    const Function& function = state.input();
    const std::size_t count = request.graph ? request.graph->ops.size() : 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::string& id = request.graph->ops[i].id;
        // The graph of a module has its operations in their order; a module of a graph names them by their ids.
        const bool isParallel = request.program && i < function.operations.size();
        const std::string location = isParallel ? function.operations[i].location.name : id;
        state.graphOps[location].push_back(GraphOpId::of(i));
        state.locations.emplace(id, location);
    }
}

Result<void> chooseDevice(const CompileRequest& request, State& state) {
    Device& device = state.source.device;
    if (!state.source.hasDevice) {
        const Device* figures = builtInDevice(state.options.arch);
        if (figures == nullptr)
            return makeError("TT-040", "ttnn.arch", "the figures of \"" + state.options.arch + "\" are not known",
                             "use wormhole_b0 or blackhole, or give the figures with a machine file");
        device = *figures;
    }
    applyMachine(request.machine, device);
    state.cap = state.options.l1UsageCap;
    state.limit = usableL1(device.l1Size, device.unreservedBase, state.cap, state.options.l1Reserved);
    if (state.limit >= 0) return {};
    return makeError("TT-003", "ttnn.l1_reserved_bytes", "more L1 is reserved than the cap leaves",
                     "lower ttnn.l1_reserved_bytes or raise ttnn.l1_usage_cap");
}

/// The description file that a setting names; its content came with the request.
Result<void> takeSystemDescription(const CompileRequest& request, Module& module) {
    if (request.settings.text(kSystemDescription).empty()) return {};
    const auto file = request.files.find(kSystemDescription);
    if (file == request.files.end())
        return makeError("TT-014", std::string(kSystemDescription), "its content was not handed to the compile",
                         "please report this");
    return takeDeviceFile(file->second, module);
}

Result<void> readOptions(const CompileRequest& request, State& state) {
    auto options = optionsFrom(request.settings, state.source.l1UsageCap);
    if (!options) return std::move(options).error();
    state.options = std::move(options).value();
    const auto locationOf = [&](std::string_view id) {
        const auto it = state.locations.find(id);
        return it == state.locations.end() ? std::string() : it->second;
    };
    if (request.hints.empty()) return {};
    // What is wrong, contradicted or switched off has no effect, as for every machine (hints.md 3).
    const hints::InForce inForce = hints::resolve(request.hints, worldOf(request));
    for (auto& [position, problem] : applyHints(state.options, inForce.hints, locationOf))
        state.refusedHints.emplace(position, std::move(problem.message));
    return {};
}

}  // namespace

Result<SettingFiles> readSystemDescription(const Settings& settings) {
    const std::string& path = settings.text(kSystemDescription);
    SettingFiles files;
    if (path.empty()) return files;
    std::ifstream file(path, std::ios::binary);
    std::string content((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (!file)
        return makeError("TT-014", std::string(kSystemDescription), text::quoted(path) + " cannot be read",
                         "check the name and the folder");
    files.emplace(kSystemDescription, std::move(content));
    return files;
}

Result<State> stateOf(const CompileRequest& request) {
    auto module = moduleOf(request);
    if (!module) return std::move(module).error();
    State state;
    state.request = &request;
    state.source = std::move(module).value();
    auto main = mainFunction(state.source, request.settings.text("ttnn.function"));
    if (!main) return std::move(main).error();
    Function& function = state.source.functions[main.value()];
    nameOperations(function, operationNames(function));
    state.mainName = function.name;
    state.function = main.value();
    if (auto taken = takeSystemDescription(request, state.source); !taken) return taken.error();
    state.module = state.source;
    linkGraph(request, state);
    if (auto read = readOptions(request, state); !read) return read.error();
    if (auto chosen = chooseDevice(request, state); !chosen) return chosen.error();
    state.device = std::make_unique<Device>(state.source.device);
    state.layouts = std::make_unique<LayoutTable>(*state.device);
    state.model = std::make_unique<OpModel>(*state.device, OpModelOptions{state.limit, state.options.strictL1Accounting,
                                                                          state.options.conservativeMatmulCb,
                                                                          figuresOf(request.machine)});
    return state;
}

void linkSources(State& state) {
    state.sources.assign(state.input().operations.size(), {});
    for (std::size_t i = 0; i < state.sources.size(); ++i) {
        const auto it = state.graphOps.find(state.input().operations[i].location.name);
        if (it != state.graphOps.end()) state.sources[i] = it->second;
    }
}

}  // namespace memplan::ttnn
