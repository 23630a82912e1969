// SPDX-License-Identifier: Apache-2.0
// Values, names and attributes of the walk.
#include "engine/base/text.h"
#include "engine/io/onnx/read/failure.h"
#include "engine/io/onnx/read/gate.h"
#include "engine/io/onnx/resolve/walker.h"

namespace memplan::io::onnx {

namespace {

/// Reals up to this many elements are decoded at once: scales, epsilons, clip limits.
constexpr std::int64_t kEagerReals = 64;

enum AttributeType {
    kAttrFloat = 1,
    kAttrInt,
    kAttrString,
    kAttrTensor,
    kAttrGraph,
    kAttrFloats,
    kAttrInts,
    kAttrStrings,
    kAttrSparse = 11
};

/// Files before IR version 4 may leave the type out: it follows from the field that is present.
int typeOf(const AttributeProto& a) {
    if (a.type != 0) return a.type;
    if (a.tensor >= 0) return kAttrTensor;
    if (a.graph >= 0) return kAttrGraph;
    if (a.lists && !a.lists->ints.empty()) return kAttrInts;
    if (a.lists && !a.lists->floats.empty()) return kAttrFloats;
    if (a.lists && !a.lists->strings.empty()) return kAttrStrings;
    if (!a.text.empty()) return kAttrString;
    return a.real != 0.0F ? kAttrFloat : kAttrInt;
}

}  // namespace

std::string_view ModelWalker::uniqueName(std::string_view name, const Frame& frame) {
    if (frame.prefix.empty() && usedNames_.insert(name).second) return name;
    std::string candidate = (frame.prefix.empty() ? frame.collisionPrefix : frame.prefix) + std::string(name);
    const std::string base = candidate;
    for (int i = 2; usedNames_.count(candidate) > 0; ++i)
        candidate = base + "_" + std::to_string(i);
    madeNames_.push_back(std::move(candidate));
    usedNames_.insert(madeNames_.back());
    return madeNames_.back();
}

int ModelWalker::addValue(std::string_view name, Frame& frame) {
    if (static_cast<std::int64_t>(model_.values.size()) >= limits_.values) {
        failImport("ONNX-904", frame.path,
                   "more than " + text::grouped(limits_.values) + " values (setting limits.values)",
                   "raise the setting limits.values if the file is trusted");
    }
    const int index = static_cast<int>(model_.values.size());
    model_.values.emplace_back().name = std::string(uniqueName(name, frame));
    producer_.push_back(-1);
    scopes_[static_cast<std::size_t>(frame.scope)].names[name] = index;
    return index;
}

int ModelWalker::lookUp(std::string_view name, int scope) const {
    for (int at = scope; at >= 0; at = scopes_[static_cast<std::size_t>(at)].parent) {
        const auto& names = scopes_[static_cast<std::size_t>(at)].names;
        const auto found = names.find(name);
        if (found != names.end()) return found->second;
    }
    return -1;
}

void ModelWalker::setFolded(Value& value, FoldedValue folded) {
    foldedBytes_ += static_cast<std::int64_t>(8 * valueSize(folded));
    if (foldedBytes_ > limits_.foldedBytes) {
        failImport("ONNX-907", "graph",
                   "the known values take more than " + text::grouped(limits_.foldedBytes) +
                       " bytes (setting limits.folded_bytes)",
                   "raise the setting limits.folded_bytes if the file is trusted");
    }
    value.folded = std::move(folded);
}

void ModelWalker::setTensor(Value& value, int index, const TensorProto& tensor) {
    value.elemType = tensor.dataType;
    value.dtype = dtypeOf(tensor.dataType).value_or(DType::F32);
    value.shape = tensor.dims;
    value.hasShape = true;
    value.isConstant = true;
    const std::int64_t elements = elementCount(tensor.dims).value_or(limits_.foldedElements + 1);
    if (elements > limits_.foldedElements) return;
    if (isFloating(tensor.dataType) && elements > kEagerReals) {
        pending_.emplace(index, &tensor);
    } else if (auto known = tensorValue(tensor, elements)) {
        setFolded(value, *std::move(known));
    }
}

void ModelWalker::makeKnown(int index) {
    const auto at = pending_.find(index);
    if (at == pending_.end()) return;
    Value& value = model_.values[static_cast<std::size_t>(index)];
    if (auto known = tensorValue(*at->second, elementCount(value.shape).value_or(0)))
        setFolded(value, *std::move(known));
    pending_.erase(at);
}

void ModelWalker::addInputs(Frame& frame) {
    for (const ValueInfoProto& input : frame.graph->inputs) {
        const auto shape = bound_.inputShapes.find(input.name);
        if (shape == bound_.inputShapes.end()) continue;  // the default value of an initializer: a parameter
        const int index = addValue(input.name, frame);
        Value& value = model_.values[static_cast<std::size_t>(index)];
        value.elemType = input.type.elemType;
        value.dtype = dtypeOf(value.elemType).value_or(DType::F32);
        value.shape = shape->second;
        value.hasShape = true;
        value.isInput = true;
        const std::string where = "graph/input:" + shown(input.name);
        const auto elements = elementCount(value.shape);
        if (!elements || *elements > limits_.tensorElements) {
            failImport("ONNX-026", where,
                       "an input of " + text::shapeText(value.shape) + " has more than 2^48 elements",
                       "bind smaller extents");
        }
        const auto given = bound_.values.find(input.name);
        if (given != bound_.values.end()) {
            value.isConstant = true;
            setFolded(value, convertTo(FoldedValue(std::vector<std::int64_t>{given->second}), value.elemType));
        }
        BoundInput bound;
        bound.value = index;
        for (const DimProto& d : input.type.dims) {
            if (d.kind == DimProto::Kind::Symbol)
                bound.declared.emplace_back(std::string(d.symbol));
            else if (d.kind == DimProto::Kind::Fixed && d.value >= 0)
                bound.declared.emplace_back(d.value);
            else
                bound.declared.emplace_back(std::monostate());
        }
        model_.inputs.push_back(std::move(bound));
    }
}

void ModelWalker::addInitializers(Frame& frame) {
    for (const TensorProto& tensor : frame.graph->initializers) {
        if (tensor.name.empty()) continue;
        clock_.tick();
        const int index = addValue(tensor.name, frame);
        Value& value = model_.values[static_cast<std::size_t>(index)];
        value.isInitializer = true;
        setTensor(value, index, tensor);
    }
}

const AttributeProto* ModelWalker::attributeOf(const NodeProto& node, std::string_view name) const {
    const AttributeProto* found = nullptr;
    for (const AttributeProto& a : node.attributes)
        if (a.name == name) found = &a;
    return found == nullptr ? nullptr : resolved(*found);
}

// Inside a function an attribute may stand for one of the call.
const AttributeProto* ModelWalker::resolved(const AttributeProto& attribute) const {
    if (!attribute.lists || attribute.lists->refName.empty()) return &attribute;
    const Environment& environment = stack_.back().attributes;
    const auto at = environment.find(attribute.lists->refName);
    return at == environment.end() ? nullptr : at->second;
}

Attribute ModelWalker::convert(const AttributeProto& a, bool keepTensor) const {
    Attribute out;
    static const AttributeLists kNone;
    const AttributeLists& lists = a.lists ? *a.lists : kNone;
    switch (typeOf(a)) {
    case kAttrFloat:
        out.value = static_cast<double>(a.real);
        break;
    case kAttrInt:
        out.value = a.integer;
        break;
    case kAttrString:
        out.value = std::string(a.text);
        break;
    case kAttrFloats:
        out.value = lists.floats;
        break;
    case kAttrInts:
        out.value = lists.ints;
        break;
    case kAttrStrings:
        out.value = std::vector<std::string>(lists.strings.begin(), lists.strings.end());
        break;
    case kAttrTensor:
    case kAttrSparse: {
        if (a.tensor < 0) break;
        const TensorProto& tensor = document_.tensors[static_cast<std::size_t>(a.tensor)];
        out.tensorType = tensor.dataType;
        out.tensorShape = tensor.dims;
        const auto elements = elementCount(tensor.dims);
        if (!keepTensor || !elements || *elements > limits_.foldedElements) break;
        if (auto known = tensorValue(tensor, *elements)) out.value = *std::move(known);
        break;
    }
    default:
        break;
    }
    return out;
}

std::string ModelWalker::reachableName(const NodeProto& node) const {
    if (!node.name.empty()) return stack_.back().prefix + std::string(node.name);
    for (const std::string_view output : node.outputs)
        if (!output.empty()) return stack_.back().prefix + std::string(output);
    return "If";
}

}  // namespace memplan::io::onnx
