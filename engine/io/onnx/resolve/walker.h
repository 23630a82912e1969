// SPDX-License-Identifier: Apache-2.0
// The one forward walk over the nodes (inputs-and-interchange 3.4): splices taken branches and model-local
// functions, sets shapes, folds. Graphs inside graphs are frames on an explicit stack; nothing recurses.
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/io/onnx/read/decode.h"
#include "engine/io/onnx/resolve/binding.h"
#include "engine/io/onnx/rules/context.h"
#include "engine/io/onnx/rules/rules.h"

#include <deque>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace memplan::io::onnx {

class ModelWalker {
public:
    ModelWalker(const Document& document, BoundModel bound, const Limits& limits, ImportClock& clock,
                Diagnostics& findings);
    /// Throws ImportFailure.
    Model run();

private:
    struct Scope {
        std::unordered_map<std::string_view, int> names;
        int parent = -1;  ///< enclosing scope of an If branch, -1 for the main graph and functions
    };
    using Declared = std::unordered_map<std::string_view, const ValueInfoProto*>;
    using Environment = std::unordered_map<std::string_view, const AttributeProto*>;
    enum class FrameKind { Main, Branch, Function };
    struct Frame {
        FrameKind kind = FrameKind::Main;
        const GraphProto* graph = nullptr;
        std::size_t position = 0;
        int scope = 0;
        int callerScope = 0;
        const NodeProto* caller = nullptr;  ///< the If or the call
        const OpsetMap* opsets = nullptr;
        std::string path, prefix, collisionPrefix;
        Environment attributes;  ///< what ref_attr_name refers to inside a function
        const Declared* declared = nullptr;
        int function = -1, functionDepth = 0;
        int firstValue = 0;
    };

    // walker.cpp: frames
    void pushMain();
    void pushBranch(const NodeProto& node, const std::string& where);
    void pushFunction(const NodeProto& node, int function, const std::string& where);
    [[nodiscard]] Environment callAttributes(const FunctionProto& function, const NodeProto& call) const;
    [[nodiscard]] const OpsetMap& opsetsOf(int function);
    void step();
    void finishFrame();
    void enterNode(const NodeProto& node, std::int32_t position);
    [[nodiscard]] bool branchTaken(const NodeProto& node, const std::string& where) const;
    [[nodiscard]] std::string undecidedHint(int condition, const std::string& name) const;
    [[nodiscard]] int functionOf(const NodeProto& node) const;
    [[nodiscard]] const Declared& declaredIn(const GraphProto& graph);
    void chargeWork(std::size_t units);
    void finishModel();
    void markDead();
    void warnUnusedShapes();

    // walker_values.cpp: values and attributes
    int addValue(std::string_view name, Frame& frame);
    std::string_view uniqueName(std::string_view name, const Frame& frame);
    [[nodiscard]] int lookUp(std::string_view name, int scope) const;
    void addInputs(Frame& frame);
    void addInitializers(Frame& frame);
    void setTensor(Value& value, int index, const TensorProto& tensor);
    void setFolded(Value& value, FoldedValue folded);
    void makeKnown(int value);
    [[nodiscard]] Attribute convert(const AttributeProto& attribute, bool keepTensor) const;
    [[nodiscard]] const AttributeProto* resolved(const AttributeProto& attribute) const;
    [[nodiscard]] const AttributeProto* attributeOf(const NodeProto& node, std::string_view name) const;
    [[nodiscard]] std::string reachableName(const NodeProto& node) const;

    // walker_node.cpp: one node
    void computeNode(const NodeProto& proto, std::string where);
    Node buildNode(const NodeProto& proto, std::string where);
    void inferShapes(NodeContext& c, Node& node, const NodeProto& proto);
    void inferLoop(NodeContext& c, const NodeProto& proto);
    bool useDeclared(NodeContext& c, const NodeProto& proto, std::size_t output, bool outputsToo);
    bool useTyped(NodeContext& c, std::size_t output);
    bool useKnownShapes(NodeContext& c, const NodeProto& proto, bool declared);
    void compareDeclared(const NodeContext& c, const NodeProto& proto);
    void foldNodeAway(NodeContext& c, Node& node, const NodeProto& proto);
    void setConstant(const NodeContext& c, const NodeProto& proto);
    void captureOuter(Node& node, const NodeProto& proto);
    void checkAttributes(const ShapeRule& rule, const Node& node, std::int64_t opset);

    const Document& document_;
    BoundModel bound_;
    const Limits& limits_;
    ImportClock& clock_;
    Diagnostics& findings_;
    Model model_;
    std::vector<Scope> scopes_;
    std::vector<Frame> stack_;
    std::unordered_map<std::string, int> functions_;
    OpsetMap opsets_;
    std::unordered_map<int, OpsetMap> functionOpsets_;
    std::unordered_map<const GraphProto*, Declared> declared_;
    std::unordered_set<std::string_view> usedNames_;
    std::deque<std::string> madeNames_;
    std::unordered_map<int, const TensorProto*> pending_;  ///< reals that are decoded only when folding needs them
    std::unordered_set<std::string> usedShapes_;
    std::vector<int> producer_;  ///< node of each value, -1 for none
    std::int64_t foldedBytes_ = 0;
    std::int64_t steps_ = 0, work_ = 0;
};

}  // namespace memplan::io::onnx
