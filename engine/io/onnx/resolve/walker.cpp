// SPDX-License-Identifier: Apache-2.0
#include "engine/io/onnx/resolve/walker.h"

#include "engine/base/text.h"
#include "engine/io/onnx/read/failure.h"
#include "engine/io/onnx/read/gate.h"

#include <algorithm>

namespace memplan::io::onnx {

namespace {

std::string functionKey(std::string_view domain, std::string_view name, std::string_view overload) {
    std::string key(domain == "ai.onnx" ? std::string_view() : domain);
    key += '\0';
    key += name;
    key += '\0';
    key += overload;
    return key;
}

std::string opText(const NodeProto& node) {
    return node.domain.empty() ? shown(node.opType) : shown(node.domain) + "::" + shown(node.opType);
}

}  // namespace

ModelWalker::ModelWalker(const Document& document, BoundModel bound, const Limits& limits, ImportClock& clock,
                         Diagnostics& findings)
    : document_(document), bound_(std::move(bound)), limits_(limits), clock_(clock), findings_(findings) {
    for (const auto& [domain, version] : document_.opsets)
        opsets_.emplace(domain, version);
    for (std::size_t i = 0; i < document_.functions.size(); ++i) {
        const FunctionProto& f = document_.functions[i];
        functions_.emplace(functionKey(f.domain, f.name, f.overload), static_cast<int>(i));
    }
}

int ModelWalker::functionOf(const NodeProto& node) const {
    if (functions_.empty()) return -1;
    const auto at = functions_.find(functionKey(node.domain, node.opType, node.overload));
    return at == functions_.end() ? -1 : at->second;
}

const ModelWalker::Declared& ModelWalker::declaredIn(const GraphProto& graph) {
    const auto [at, fresh] = declared_.try_emplace(&graph);
    if (!fresh) return at->second;
    for (const ValueInfoProto& v : graph.outputs)
        at->second[v.name] = &v;
    for (const ValueInfoProto& v : graph.valueInfo)
        at->second[v.name] = &v;
    return at->second;
}

// Calls cost what their formal names and attributes cost; a file must not multiply them without end.
void ModelWalker::chargeWork(std::size_t units) {
    constexpr std::int64_t kWorkPerNode = 256;
    work_ += static_cast<std::int64_t>(units);
    if (work_ <= limits_.nodes * kWorkPerNode) return;
    failImport("ONNX-903", stack_.back().path, "splicing the functions takes too much work (setting limits.nodes)",
               "raise the setting limits.nodes if the file is trusted");
}

void ModelWalker::pushMain() {
    scopes_.emplace_back();
    Frame frame;
    frame.graph = &document_.graphs[static_cast<std::size_t>(document_.graph)];
    frame.opsets = &opsets_;
    frame.path = "graph";
    frame.declared = &declaredIn(*frame.graph);
    addInputs(frame);
    addInitializers(frame);
    stack_.push_back(std::move(frame));
}

bool ModelWalker::branchTaken(const NodeProto& node, const std::string& where) const {
    const int scope = stack_.back().scope;
    const int condition = node.inputs.empty() ? -1 : lookUp(node.inputs[0], scope);
    if (condition >= 0) {
        const auto& folded = model_.values[static_cast<std::size_t>(condition)].folded;
        if (folded && valueSize(*folded) == 1)
            return std::get<std::vector<std::int64_t>>(convertTo(*folded, kBool))[0] != 0;
    }
    const std::string name = reachableName(node);
    const auto chosen = bound_.branches.find(name);
    if (chosen != bound_.branches.end()) return chosen->second;
    failImport("ONNX-043", where, "If: the condition of \"" + shown(name) + "\" is known only at run time",
               undecidedHint(condition, name));
}

// Scalar integer inputs that the condition depends on, found backwards through the nodes.
std::string ModelWalker::undecidedHint(int condition, const std::string& name) const {
    std::vector<int> open{condition};
    std::unordered_set<int> seen;
    std::vector<std::string> options;
    while (!open.empty() && options.size() < 4) {
        const int at = open.back();
        open.pop_back();
        if (at < 0 || !seen.insert(at).second) continue;
        const Value& value = model_.values[static_cast<std::size_t>(at)];
        if (value.isInput && value.shape.empty() && !isFloating(value.elemType))
            options.push_back("--bind " + shown(value.name) + "=VALUE");
        const int node = producer_[static_cast<std::size_t>(at)];
        if (node < 0) continue;
        const std::vector<int>& inputs = model_.nodes[static_cast<std::size_t>(node)].inputs;
        open.insert(open.end(), inputs.begin(), inputs.end());
    }
    std::sort(options.begin(), options.end());
    options.push_back("--bind " + shown(name) + "=then");
    options.push_back("--bind " + shown(name) + "=else");
    return "decide it with one of: " + text::join(options, ", ");
}

void ModelWalker::pushBranch(const NodeProto& node, const std::string& where) {
    const std::string_view attribute = branchTaken(node, where) ? "then_branch" : "else_branch";
    const AttributeProto* branch = attributeOf(node, attribute);
    if (branch == nullptr || branch->graph < 0) {
        failImport("ONNX-042", where, "If: the attribute \"" + std::string(attribute) + "\" is missing");
    }
    const Frame& caller = stack_.back();
    Frame frame;
    frame.kind = FrameKind::Branch;
    frame.graph = &document_.graphs[static_cast<std::size_t>(branch->graph)];
    frame.caller = &node;
    frame.callerScope = caller.scope;
    frame.scope = static_cast<int>(scopes_.size());
    frame.opsets = caller.opsets;
    frame.path = where + "/attribute[" + std::string(attribute) + "]";
    frame.prefix = caller.prefix;
    frame.collisionPrefix = caller.prefix + (node.name.empty() ? std::string("If") : std::string(node.name)) + "/";
    chargeWork(caller.attributes.size());
    frame.attributes = caller.attributes;
    frame.function = caller.function;
    frame.functionDepth = caller.functionDepth;
    frame.firstValue = static_cast<int>(model_.values.size());
    Scope scope;
    scope.parent = caller.scope;
    scopes_.push_back(std::move(scope));
    frame.declared = &declaredIn(*frame.graph);
    addInitializers(frame);
    stack_.push_back(std::move(frame));
}

// The declared defaults, overwritten by what the call gives.
ModelWalker::Environment ModelWalker::callAttributes(const FunctionProto& function, const NodeProto& call) const {
    Environment environment;
    for (const AttributeProto& a : function.defaults) {
        const AttributeProto* given = attributeOf(call, a.name);
        environment[a.name] = given == nullptr ? &a : given;
    }
    for (const std::string_view name : function.attributes) {
        if (const AttributeProto* given = attributeOf(call, name)) environment[name] = given;
    }
    return environment;
}

// A function imports versions of its own; domains that it leaves out take the model's.
const OpsetMap& ModelWalker::opsetsOf(int function) {
    const auto [opsets, fresh] = functionOpsets_.try_emplace(function);
    if (!fresh) return opsets->second;
    for (const auto& [domain, version] : document_.functions[static_cast<std::size_t>(function)].opsets) {
        opsets->second.emplace(domain, version);
    }
    for (const auto& [domain, version] : document_.opsets)
        opsets->second.emplace(domain, version);
    return opsets->second;
}

void ModelWalker::pushFunction(const NodeProto& node, int index, const std::string& where) {
    const Frame& caller = stack_.back();
    const FunctionProto& function = document_.functions[static_cast<std::size_t>(index)];
    const bool active = std::any_of(stack_.begin(), stack_.end(), [&](const Frame& f) { return f.function == index; });
    if (active || caller.functionDepth >= limits_.spliceDepth) {
        failImport("ONNX-045", where,
                   active ? "function \"" + opText(node) + "\" reaches itself"
                          : "functions call one another deeper than " + std::to_string(limits_.spliceDepth) +
                                " levels (setting limits.splice_depth)");
    }
    Frame frame;
    frame.kind = FrameKind::Function;
    frame.graph = &document_.graphs[static_cast<std::size_t>(function.body)];
    frame.caller = &node;
    frame.callerScope = caller.scope;
    frame.scope = static_cast<int>(scopes_.size());
    frame.path = where + "/function[" + shown(function.name) + "]";
    const std::string call =
        node.name.empty() ? std::string(node.opType) + "_" + std::to_string(steps_) : std::string(node.name);
    frame.prefix = frame.collisionPrefix = caller.prefix + call + "/";
    frame.function = index;
    frame.functionDepth = caller.functionDepth + 1;
    chargeWork((function.defaults.size() + function.attributes.size()) * (node.attributes.size() + 1) +
               frame.graph->inputs.size());
    frame.firstValue = static_cast<int>(model_.values.size());
    frame.attributes = callAttributes(function, node);
    frame.opsets = &opsetsOf(index);
    Scope scope;
    for (std::size_t i = 0; i < frame.graph->inputs.size(); ++i) {
        const int actual =
            i < node.inputs.size() && !node.inputs[i].empty() ? lookUp(node.inputs[i], caller.scope) : -1;
        scope.names[frame.graph->inputs[i].name] = actual;
    }
    scopes_.push_back(std::move(scope));
    frame.declared = &declaredIn(*frame.graph);
    stack_.push_back(std::move(frame));
}

void ModelWalker::enterNode(const NodeProto& node, std::int32_t position) {
    clock_.tick();
    if (++steps_ > limits_.nodes || static_cast<std::int64_t>(model_.nodes.size()) >= limits_.nodes) {
        failImport("ONNX-903", stack_.back().path,
                   "more than " + text::grouped(limits_.nodes) + " nodes after splicing (setting limits.nodes)",
                   "raise the setting limits.nodes if the file is trusted");
    }
    std::string where = stack_.back().path + "/" + nodeStep(node, position);
    const int function = functionOf(node);
    const bool standard = node.domain.empty() || node.domain == "ai.onnx";
    if (function >= 0)
        pushFunction(node, function, where);
    else if (standard && node.opType == "If")
        pushBranch(node, where);
    else
        computeNode(node, std::move(where));
}

void ModelWalker::step() {
    Frame& frame = stack_.back();
    if (frame.position == frame.graph->nodes.size()) {
        finishFrame();
        return;
    }
    const std::size_t next = frame.position++;
    const std::size_t at = frame.graph->order.empty() ? next : static_cast<std::size_t>(frame.graph->order[next]);
    enterNode(frame.graph->nodes[at], static_cast<std::int32_t>(at));
}

// The caller's output names now stand for the values that the branch or function made.
void ModelWalker::finishFrame() {
    Frame frame = std::move(stack_.back());
    stack_.pop_back();
    if (frame.kind == FrameKind::Main) return finishModel();
    const auto& inner = frame.graph->outputs;
    for (std::size_t i = 0; i < frame.caller->outputs.size(); ++i) {
        const std::string_view outer = frame.caller->outputs[i];
        if (outer.empty()) continue;
        const int value = i < inner.size() ? lookUp(inner[i].name, frame.scope) : -1;
        if (value < 0) {
            failImport("ONNX-024", frame.path,
                       "output " + std::to_string(i) + " of the spliced graph is never defined");
        }
        scopes_[static_cast<std::size_t>(frame.callerScope)].names[outer] = value;
        if (frame.kind != FrameKind::Function || value < frame.firstValue) continue;
        model_.values[static_cast<std::size_t>(value)].name = uniqueName(outer, stack_.back());
    }
    scopes_[static_cast<std::size_t>(frame.scope)].names = {};
}

void ModelWalker::finishModel() {
    const GraphProto& graph = document_.graphs[static_cast<std::size_t>(document_.graph)];
    for (const ValueInfoProto& output : graph.outputs) {
        const int index = lookUp(output.name, 0);
        if (index < 0)
            failImport("ONNX-024", "graph/output:" + shown(output.name),
                       "\"" + shown(output.name) + "\" is never defined");
        Value& value = model_.values[static_cast<std::size_t>(index)];
        // A value made inside a branch takes the name that the file gives the output.
        if (!value.isOutput && producer_[static_cast<std::size_t>(index)] >= 0) value.name = std::string(output.name);
        value.isOutput = true;
        model_.outputs.push_back(index);
        model_.outputNames.emplace_back(output.name);
    }
    markDead();
    warnUnusedShapes();
}

void ModelWalker::markDead() {
    std::vector<bool> needed(model_.values.size(), false);
    for (const int output : model_.outputs)
        needed[static_cast<std::size_t>(output)] = true;
    std::int64_t dead = 0;
    for (std::size_t i = model_.nodes.size(); i-- > 0;) {
        Node& node = model_.nodes[i];
        const bool used = std::any_of(node.outputs.begin(), node.outputs.end(),
                                      [&](int v) { return v >= 0 && needed[static_cast<std::size_t>(v)]; });
        node.dead = !node.folded && !used;
        dead += node.dead ? 1 : 0;
        if (!used) continue;
        for (const int input : node.inputs)
            if (input >= 0) needed[static_cast<std::size_t>(input)] = true;
    }
    if (dead > 0)
        findings_.note("ONNX-047", "graph",
                       (dead == 1 ? std::string("1 node has") : text::grouped(dead) + " nodes have") +
                           " no path to a graph output and will not be planned");
}

void ModelWalker::warnUnusedShapes() {
    for (const auto& [name, shape] : bound_.typed) {
        if (usedShapes_.count(name) > 0) continue;
        findings_.warning("ONNX-053", "bind",
                          "the binding \"" + shown(name) + ":" + std::to_string(shape.begin()->first) +
                              "\" was not needed",
                          "it names neither a dynamic dimension nor a value without a shape");
    }
}

Model ModelWalker::run() {
    const GraphProto& graph = document_.graphs[static_cast<std::size_t>(document_.graph)];
    model_.graphName = std::string(graph.name);
    model_.producer = text::escaped(document_.producer.substr(0, 256));
    model_.producerVersion = text::escaped(document_.producerVersion.substr(0, 256));
    model_.irVersion = document_.irVersion;
    for (const auto& [domain, version] : document_.opsets)
        model_.opsets.emplace(domain, version);
    model_.nodesTopLevel = static_cast<std::int64_t>(graph.nodes.size());
    std::vector<bool> mainTree(document_.graphs.size(), false);
    for (std::size_t i = 0; i < document_.graphs.size(); ++i) {
        const GraphProto& g = document_.graphs[i];
        mainTree[i] = static_cast<std::int32_t>(i) == document_.graph ||
                      (g.parent >= 0 && mainTree[static_cast<std::size_t>(g.parent)]);
        if (mainTree[i]) model_.nodesAllSubgraphs += static_cast<std::int64_t>(g.nodes.size());
    }
    model_.dims = bound_.dims;
    pushMain();
    while (!stack_.empty())
        step();
    return std::move(model_);
}

}  // namespace memplan::io::onnx
