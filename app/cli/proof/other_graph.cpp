// SPDX-License-Identifier: Apache-2.0
#include "app/cli/proof/other_graph.h"

#include "engine/base/text.h"
#include "engine/verify/spyre/artefact/binding.h"

#include <algorithm>
#include <map>
#include <set>

namespace memplan::cli {
namespace {

using sim::artefact::DeviceLayout;
using sim::artefact::LoadedBundle;
using sim::artefact::plainName;
using TensorList = std::vector<TensorId> Graph::*;

Error anotherGraph(const std::string& unlike, const std::string& subject) {
    return makeError("CLI-001", "--graph", "this is another graph: " + unlike,
                     "name the graph that the " + subject + " was made of");
}

/// What the inputs or outputs of `other` have not in common with those of the subject's own graph; empty where they
/// agree.
std::string unlikeTensors(const Graph& own, const Graph& other, TensorList list, const std::string& kind,
                          const std::string& subject) {
    for (const TensorId id : own.*list) {
        const Tensor& wanted = own.tensor(id);
        const auto found =
            std::ranges::find_if((other.*list), [&](TensorId o) { return other.tensor(o).id == wanted.id; });
        if (found == (other.*list).end()) return "it has no " + kind + " " + text::quoted(wanted.id);
        const Tensor& given = other.tensor(*found);
        if (given.shape != wanted.shape)
            return "its " + kind + " " + text::quoted(wanted.id) + " is " + text::shapeText(given.shape) +
                   ", that of the " + subject + " " + text::shapeText(wanted.shape);
    }
    if ((own.*list).size() == (other.*list).size()) return {};
    return "it has another number of " + kind + "s, " + std::to_string((other.*list).size()) + " in place of " +
           std::to_string((own.*list).size());
}

/// Inputs and parameters that some operation reads, by their names in a wrapper source.
std::map<std::string, TensorId> givenTensors(const Graph& graph) {
    std::map<std::string, TensorId> given;
    for (const Op& op : graph.ops)
        for (const TensorId t : op.inputs) {
            if (!t.isValid()) continue;
            const TensorRole role = graph.tensor(t).role;
            if (role == TensorRole::Input || role == TensorRole::Parameter)
                given.emplace(plainName(graph.tensor(t).id), t);
        }
    return given;
}

/// The layout in which a kernel takes the tensor with this name; null where none does.
const DeviceLayout* layoutOf(const LoadedBundle& bundle, const std::string& name) {
    for (const auto& call : bundle.wrapper.calls) {
        const auto at = std::ranges::find(call.arguments, name);
        const auto code = bundle.wrapper.kernels.find(call.kernel);
        if (at == call.arguments.end() || code == bundle.wrapper.kernels.end()) continue;
        const auto layout = code->second.arguments.find(at - call.arguments.begin());
        if (layout != code->second.arguments.end()) return &layout->second;
    }
    return nullptr;
}

/// Sticks are filled up along one of the dimensions; the largest stick has 128 elements.
bool canHold(std::int64_t elements, const Tensor& tensor) {
    constexpr std::int64_t kLargestStick = 128;
    std::int64_t least = 1, most = kLargestStick;
    for (const std::int64_t extent : tensor.shape)
        least *= extent;
    for (const std::int64_t extent : tensor.shape)
        most = std::max(most, least / std::max<std::int64_t>(1, extent) *
                                  ((extent + kLargestStick - 1) / kLargestStick * kLargestStick));
    return elements >= least && elements <= most;
}

std::string unlikeFiles(const LoadedBundle& bundle, const Graph& graph) {
    const std::set<std::string> taken(bundle.wrapper.inputs.begin(), bundle.wrapper.inputs.end());
    const std::map<std::string, TensorId> given = givenTensors(graph);
    for (const auto& [name, id] : given)
        if (!taken.contains(name)) return "the bundle takes no " + text::quoted(graph.tensor(id).id);
    for (const std::string& name : bundle.wrapper.inputs) {
        const auto found = given.find(name);
        const DeviceLayout* layout = layoutOf(bundle, name);
        if (found == given.end() || layout == nullptr || layout->size.empty()) continue;
        const Tensor& tensor = graph.tensor(found->second);
        if (canHold(layout->elements(), tensor)) continue;
        return "its " + text::quoted(tensor.id) + " is " + text::shapeText(tensor.shape) + ", that of the bundle has " +
               text::grouped(layout->elements()) + " elements";
    }
    return {};
}

}  // namespace

Result<void> checkGraph(const Graph& own, const Graph& other, const std::string& subject) {
    std::string unlike = unlikeTensors(own, other, &Graph::inputs, "input", subject);
    if (unlike.empty()) unlike = unlikeTensors(own, other, &Graph::outputs, "output", subject);
    if (unlike.empty()) return {};
    return anotherGraph(unlike, subject);
}

Result<void> checkFiles(const sim::artefact::BundleText& files, const Graph& other) {
    const auto bundle = sim::artefact::loadBundle(files);
    if (!bundle || !bundle.value().hasWrapper) return {};  // nothing says the names
    const std::string unlike = unlikeFiles(bundle.value(), other);
    if (unlike.empty()) return {};
    return anotherGraph(unlike, "bundle");
}

}  // namespace memplan::cli
