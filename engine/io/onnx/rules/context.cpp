// SPDX-License-Identifier: Apache-2.0
#include "engine/io/onnx/rules/context.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/io/onnx/read/failure.h"
#include "engine/io/onnx/read/gate.h"

#include <algorithm>

namespace memplan::io::onnx {

void NodeContext::fail(const char* code, const std::string& message, std::string hint) const {
    failImport(code, node_.where, (node_.domain.empty() ? node_.op : node_.domain + "::" + node_.op) + ": " + message,
               std::move(hint));
}

void NodeContext::failDataDependent() {
    dataDependent_ = true;
    fail("ONNX-041", "the size of its output depends on data that exists only at run time",
         "add value_info with a fixed shape, or type the shape as --bind OUTPUT:AXIS=N");
}

void NodeContext::failShape(const std::string& message) const {
    fail("ONNX-042", message + shapesText(), bindingsHint());
}

// An impossible shape often comes from bindings that do not fit together or are too small.
std::string NodeContext::bindingsHint() const {
    constexpr std::size_t kShown = 8;
    std::vector<std::string> bound;
    for (const DimSymbol& d : model_.dims)
        bound.push_back(shown(d.name) + "=" + std::to_string(d.value));
    for (const BoundInput& in : model_.inputs) {
        const Value& value = model_.values[static_cast<std::size_t>(in.value)];
        for (std::size_t axis = 0; axis < in.declared.size(); ++axis) {
            if (!std::holds_alternative<std::monostate>(in.declared[axis])) continue;
            bound.push_back(shown(value.name) + ":" + std::to_string(axis) + "=" + std::to_string(value.shape[axis]));
        }
    }
    if (bound.empty()) return {};
    if (bound.size() > kShown) {
        bound.resize(kShown);
        bound.emplace_back("...");
    }
    return "bound dimensions: " + text::join(bound, ", ") + "; try others if the model itself is sound";
}

std::string NodeContext::shapesText() const {
    std::string out;
    for (std::size_t i = 0; i < node_.inputs.size() && i < 8; ++i) {
        if (!has(i)) continue;
        out += out.empty() ? " (inputs: " : ", ";
        out += text::shapeText(shape(i));
    }
    return out.empty() ? out : out + ")";
}

const Value& NodeContext::input(std::size_t i) const {
    if (!has(i)) fail("ONNX-042", "input " + std::to_string(i) + " is missing");
    return model_.values[static_cast<std::size_t>(node_.inputs[i])];
}

const Shape& NodeContext::shapeOfRank(std::size_t i, std::size_t wanted) const {
    if (rank(i) != wanted) {
        failShape("input " + std::to_string(i) + " must have " + std::to_string(wanted) + " dimensions");
    }
    return shape(i);
}

const Shape& NodeContext::shapeOfRankFrom(std::size_t i, std::size_t least) const {
    if (rank(i) < least) {
        failShape("input " + std::to_string(i) + " must have at least " + std::to_string(least) + " dimensions");
    }
    return shape(i);
}

std::optional<std::vector<std::int64_t>> NodeContext::integers(std::size_t i) const {
    if (!has(i) || !input(i).folded) return std::nullopt;
    const FoldedValue& value = *input(i).folded;
    if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value)) return *list;
    return std::get<std::vector<std::int64_t>>(convertTo(value, kInt64));
}

std::optional<std::vector<double>> NodeContext::reals(std::size_t i) const {
    if (!has(i) || !input(i).folded) return std::nullopt;
    return std::get<std::vector<double>>(convertTo(*input(i).folded, kDouble));
}

std::string NodeContext::unknownText(std::size_t i, const char* what) const {
    const Value& value = input(i);
    const std::string name = "\"" + shown(value.name) + "\"";
    if (value.isConstant)
        return std::string(what) + " are the value of " + name +
               ", which the file does not hold (its data is elsewhere, too large or damaged)";
    return std::string(what) + " depend on the value of " + name + ", which is known only at run time";
}

std::vector<std::int64_t> NodeContext::needIntegers(std::size_t i, const char* what) const {
    if (auto known = integers(i)) return *std::move(known);
    fail("ONNX-041", unknownText(i, what),
         "bind the scalar input it comes from as --bind INPUT=VALUE, or simplify the model");
}

std::vector<double> NodeContext::needReals(std::size_t i, const char* what) const {
    if (auto known = reals(i)) return *std::move(known);
    fail("ONNX-041", unknownText(i, what), "simplify the model so that this value is a constant");
}

std::int64_t NodeContext::needInteger(std::size_t i, const char* what) const {
    const auto list = needIntegers(i, what);
    if (list.size() != 1)
        failShape(std::string(what) + " must be one number, " + std::to_string(list.size()) + " given");
    return list[0];
}

const Attribute* NodeContext::find(std::string_view name) const {
    const auto at = node_.attributes.find(name);
    return at == node_.attributes.end() ? nullptr : &at->second;
}

template <class T> const T* NodeContext::typed(std::string_view name, AttributeType type) const {
    const Attribute* a = find(name);
    if (a == nullptr) return nullptr;
    const auto* value = std::get_if<T>(&a->value);
    if (value == nullptr) failAttributeType(node_, name, *a, type);
    return value;
}

std::int64_t NodeContext::attr(std::string_view name, std::int64_t otherwise) const {
    const auto* value = typed<std::int64_t>(name, AttributeType::Integer);
    return value == nullptr ? otherwise : *value;
}

double NodeContext::attrReal(std::string_view name, double otherwise) const {
    const auto* value = typed<double>(name, AttributeType::Real);
    return value == nullptr ? otherwise : *value;
}

std::string NodeContext::attrText(std::string_view name, std::string_view otherwise) const {
    const auto* value = typed<std::string>(name, AttributeType::Text);
    return value == nullptr ? std::string(otherwise) : *value;
}

std::optional<std::vector<std::int64_t>> NodeContext::attrInts(std::string_view name) const {
    const auto* value = typed<std::vector<std::int64_t>>(name, AttributeType::Integers);
    return value == nullptr ? std::nullopt : std::optional(*value);
}

std::optional<std::vector<double>> NodeContext::attrReals(std::string_view name) const {
    const auto* value = typed<std::vector<double>>(name, AttributeType::Reals);
    return value == nullptr ? std::nullopt : std::optional(*value);
}

std::vector<std::int64_t> NodeContext::attrIntsOf(std::string_view name, std::size_t count,
                                                  std::int64_t otherwise) const {
    auto list = attrInts(name);
    if (!list || (list->empty() && count > 0)) return std::vector<std::int64_t>(count, otherwise);
    if (list->size() != count) {
        failImport("ONNX-042", node_.where + "/attribute[" + std::string(name) + "]",
                   node_.op + ": \"" + std::string(name) + "\" has " + std::to_string(list->size()) + " numbers, " +
                       std::to_string(count) + " are needed" + shapesText());
    }
    return *std::move(list);
}

void NodeContext::out(std::size_t i, Shape shape, int elemType) {
    if (!wants(i)) return;
    Value& value = model_.values[static_cast<std::size_t>(node_.outputs[i])];
    if (shape.size() > static_cast<std::size_t>(limits_.rank)) {
        fail("ONNX-906",
             "output " + std::to_string(i) + " has " + std::to_string(shape.size()) + " dimensions, more than 8");
    }
    if (std::any_of(shape.begin(), shape.end(), [](std::int64_t d) { return d < 0; })) {
        failShape("output " + std::to_string(i) + " would be " + text::shapeText(shape));
    }
    const std::optional<DType> dtype = dtypeOf(elemType);
    if (!dtype) {
        fail("ONNX-044", "output " + std::to_string(i) + " has element type " + std::to_string(elemType) + " (" +
                             elemTypeName(elemType) + "), which is not supported");
    }
    (void)product(shape);
    const std::optional<Bytes> bytes = tensorBytes(*dtype, shape);
    if (!bytes || *bytes > limits_.tensorBytes)
        fail("ONNX-026", "output " + std::to_string(i) + " of " + text::shapeText(shape) + " has more than 2^50 bytes");
    value.shape = std::move(shape);
    value.hasShape = true;
    value.elemType = elemType;
    value.dtype = *dtype;
    written_[i] = true;
}

std::size_t NodeContext::axis(std::int64_t a, std::size_t rank) const {
    const auto r = static_cast<std::int64_t>(rank);
    if (a < -r || a >= r)
        failShape("axis " + std::to_string(a) + " is outside a tensor of " + std::to_string(rank) + " dimensions");
    return static_cast<std::size_t>(a < 0 ? a + r : a);
}

std::vector<std::size_t> NodeContext::axes(const std::vector<std::int64_t>& list, std::size_t rank) const {
    std::vector<std::size_t> out;
    for (const std::int64_t a : list) {
        const std::size_t position = axis(a, rank);
        if (std::find(out.begin(), out.end(), position) != out.end())
            failShape("axis " + std::to_string(a) + " is given twice");
        out.push_back(position);
    }
    return out;
}

Shape NodeContext::broadcast(const Shape& a, const Shape& b) const {
    Shape out(std::max(a.size(), b.size()), 1);
    for (std::size_t back = 1; back <= out.size(); ++back) {
        const std::int64_t x = back <= a.size() ? a[a.size() - back] : 1;
        const std::int64_t y = back <= b.size() ? b[b.size() - back] : 1;
        if (x != y && x != 1 && y != 1) {
            const auto symbolOf = [&](std::int64_t extent) -> const DimSymbol* {
                const auto same = [&](const DimSymbol& d) { return d.value == extent; };
                const auto found = std::find_if(model_.dims.begin(), model_.dims.end(), same);
                return found == model_.dims.end() ? nullptr : &*found;
            };
            const DimSymbol* const first = symbolOf(x);
            const DimSymbol* const second = symbolOf(y);
            if (first != nullptr && second != nullptr) {
                fail("ONNX-052",
                     "\"" + shown(first->name) + "\" = " + std::to_string(x) + " meets \"" + shown(second->name) +
                         "\" = " + std::to_string(y) + shapesText(),
                     "bind both symbols to the same extent");
            }
            failShape(text::shapeText(a) + " and " + text::shapeText(b) + " do not broadcast");
        }
        out[out.size() - back] = x == 1 ? y : x;
    }
    return out;
}

std::int64_t NodeContext::product(const Shape& shape) const {
    const std::optional<std::int64_t> elements = elementCount(shape);
    if (!elements || *elements > limits_.tensorElements)
        fail("ONNX-026", "a tensor of " + text::shapeText(shape) + " has more than 2^48 elements");
    return *elements;
}

std::int64_t NodeContext::times(std::int64_t a, std::int64_t b) const {
    const std::optional<std::int64_t> r = checkedMul(a, b);
    if (!r || *r > limits_.tensorElements)
        fail("ONNX-026", std::to_string(a) + " x " + std::to_string(b) + " elements are more than 2^48");
    return *r;
}

}  // namespace memplan::io::onnx
