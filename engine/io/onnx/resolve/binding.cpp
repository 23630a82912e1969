// SPDX-License-Identifier: Apache-2.0
#include "engine/io/onnx/resolve/binding.h"

#include "engine/base/text.h"
#include "engine/io/onnx/read/gate.h"
#include "engine/io/onnx/read/tensor_value.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

namespace memplan::io::onnx {

namespace {

constexpr std::int64_t kLargestBinding = 2'147'483'647;

/// One dimension that needs a number: a symbol, or an unnamed dimension "input:axis".
struct OpenDim {
    std::string selector;
    std::vector<std::string> users;  ///< inputs that use the symbol
    std::int64_t axis = 0;
    std::size_t rank = 0;
    bool restSymbolic = false;  ///< no fixed dimension beside it
    bool symbol = false;
};

std::string lowered(std::string_view s) {
    std::string out(s);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return out;
}

bool contains(const std::string& s, const char* word) {
    return s.find(word) != std::string::npos;
}

class Binder {
public:
    Binder(const Document& document, const OpenOptions& options, Diagnostics& findings);
    BoundModel run();

private:
    void sortRaw();
    void sortOne(const std::string& key, const std::string& text);
    void takeDim(const std::string& selector, std::int64_t extent);
    void takeValue(const std::string& input, std::int64_t value);
    std::optional<std::pair<std::string, std::int64_t>> splitAxis(const std::string& selector) const;
    [[nodiscard]] const ValueInfoProto* input(std::string_view name) const;
    void bindAll();
    std::vector<std::int64_t> bindInput(const ValueInfoProto& input);
    std::int64_t bindDim(const ValueInfoProto& input, std::size_t axis);
    void note(const ValueInfoProto& input, std::size_t axis, const std::string& selector, bool symbol);
    void bindSuggested();
    [[nodiscard]] std::int64_t suggestion(const OpenDim& dim) const;
    [[nodiscard]] std::int64_t totalSuggestion() const;
    void reportOpen();
    void collectSymbols();
    void reportUnknown();

    const GraphProto& graph_;
    const OpenOptions& options_;
    Diagnostics& findings_;
    std::unordered_set<std::string_view> defaults_;  // initializers
    std::vector<const ValueInfoProto*> inputs_;      // without defaults
    std::vector<std::string> symbols_;               // in order of first use
    std::vector<std::string> unknown_;               // selectors given that name nothing
    std::map<std::string, std::int64_t, std::less<>> symbolValues_;
    std::map<std::string, TypedShape, std::less<>> axisValues_;
    std::vector<OpenDim> open_;
    BoundModel bound_;
};

Binder::Binder(const Document& document, const OpenOptions& options, Diagnostics& findings)
    : graph_(document.graphs[static_cast<std::size_t>(document.graph)]), options_(options), findings_(findings) {
    for (const TensorProto& t : graph_.initializers)
        defaults_.insert(t.name);
    for (const ValueInfoProto& v : graph_.inputs)
        if (defaults_.count(v.name) == 0) inputs_.push_back(&v);
    collectSymbols();
}

void Binder::collectSymbols() {
    for (const ValueInfoProto* v : inputs_) {
        for (const DimProto& d : v->type.dims) {
            const std::string name(d.symbol);
            if (d.kind != DimProto::Kind::Symbol) continue;
            if (std::find(symbols_.begin(), symbols_.end(), name) == symbols_.end()) symbols_.push_back(name);
        }
    }
}

const ValueInfoProto* Binder::input(std::string_view name) const {
    for (const ValueInfoProto* v : inputs_)
        if (v->name == name) return v;
    return nullptr;
}

// The last colon parts input and axis: names such as "bytes:0" have colons of their own.
std::optional<std::pair<std::string, std::int64_t>> Binder::splitAxis(const std::string& selector) const {
    const std::size_t colon = selector.rfind(':');
    if (colon == std::string::npos) return std::nullopt;
    const std::optional<std::int64_t> axis = text::parseInt(std::string_view(selector).substr(colon + 1));
    if (!axis || *axis < 0 || *axis > 7) return std::nullopt;
    return std::pair{selector.substr(0, colon), *axis};
}

void Binder::reportUnknown() {
    std::vector<std::string> candidates = symbols_;
    for (const ValueInfoProto* v : inputs_)
        candidates.emplace_back(v->name);
    for (const std::string& selector : unknown_) {
        const std::string nearest = text::nearest(selector, candidates);
        findings_.error("ONNX-053", "bind", "the binding \"" + shown(selector) + "\" names nothing in this model",
                        !nearest.empty()   ? "the nearest name is \"" + shown(nearest) + "\""
                        : symbols_.empty() ? "the model has no symbol: leave the binding out"
                                           : "its symbols: " + shown(text::join(symbols_, ", ")));
    }
}

void Binder::takeDim(const std::string& selector, std::int64_t extent) {
    if (extent < 0 || extent > kLargestBinding) {
        findings_.error("ONNX-051", "bind", "\"" + shown(selector) + "\" is bound to " + std::to_string(extent),
                        "an extent is between 0 and 2 147 483 647");
        return;
    }
    if (std::find(symbols_.begin(), symbols_.end(), selector) != symbols_.end()) {
        symbolValues_[selector] = extent;
        return;
    }
    const auto parts = splitAxis(selector);
    if (!parts) {
        unknown_.push_back(selector);
        return;
    }
    if (input(parts->first) != nullptr)
        axisValues_[parts->first][parts->second] = extent;
    else
        bound_.typed[parts->first][parts->second] = extent;
}

void Binder::takeValue(const std::string& name, std::int64_t value) {
    const ValueInfoProto* const found = input(name);
    if (found == nullptr) {
        unknown_.push_back(name);
        return;
    }
    const TypeProto& type = found->type;
    const bool integral = !isFloating(type.elemType) && type.elemType != kString;
    const bool single = type.hasShape && std::all_of(type.dims.begin(), type.dims.end(), [](const DimProto& d) {
                            return d.kind == DimProto::Kind::Fixed && d.value == 1;
                        });
    if (!integral || !single) {
        findings_.error("ONNX-051", "graph/input:" + shown(name),
                        "\"" + shown(name) + "\" is not an integer scalar input",
                        "a value can be given to an integer scalar; bind its dimensions as INPUT:AXIS=N");
        return;
    }
    bound_.values[name] = value;
}

void Binder::sortOne(const std::string& key, const std::string& textValue) {
    if (textValue == "then" || textValue == "else") {
        bound_.branches[key] = textValue == "then";
        return;
    }
    const std::optional<std::int64_t> number = text::parseInt(textValue);
    if (!number) {
        findings_.error("ONNX-051", "bind", "\"" + shown(key) + "=" + shown(textValue) + "\" is no binding",
                        "write SYM=N, INPUT:AXIS=N, INPUT=VALUE or NODE=then|else");
        return;
    }
    const bool symbol = std::find(symbols_.begin(), symbols_.end(), key) != symbols_.end();
    if (!symbol && input(key) != nullptr)
        takeValue(key, *number);
    else
        takeDim(key, *number);
}

void Binder::sortRaw() {
    const Bindings& given = options_.bindings;
    for (const auto& [selector, extent] : given.dims)
        takeDim(selector, extent);
    for (const auto& [name, value] : given.values)
        takeValue(name, value);
    for (const auto& [node, take] : given.branches)
        bound_.branches[node] = take;
    for (const auto& [key, value] : given.raw)
        sortOne(key, value);
}

void Binder::note(const ValueInfoProto& v, std::size_t axis, const std::string& selector, bool symbol) {
    const auto same = [&](const OpenDim& d) { return d.symbol == symbol && d.selector == selector; };
    const auto found = std::find_if(open_.begin(), open_.end(), same);
    if (found != open_.end()) {
        if (found->users.back() != v.name) found->users.emplace_back(v.name);
        return;
    }
    OpenDim dim;
    dim.selector = selector;
    dim.users.emplace_back(v.name);
    dim.axis = static_cast<std::int64_t>(axis);
    dim.rank = v.type.dims.size();
    dim.restSymbolic = dim.rank > 1 && std::all_of(v.type.dims.begin(), v.type.dims.end(),
                                                   [](const DimProto& d) { return d.kind != DimProto::Kind::Fixed; });
    dim.symbol = symbol;
    open_.push_back(std::move(dim));
}

std::int64_t Binder::bindDim(const ValueInfoProto& v, std::size_t axis) {
    const DimProto& dim = v.type.dims[axis];
    const std::string name(v.name);
    const std::string byAxis = name + ":" + std::to_string(axis);
    std::optional<std::int64_t> given;
    if (const auto found = axisValues_.find(name); found != axisValues_.end()) {
        const auto at = found->second.find(static_cast<std::int64_t>(axis));
        if (at != found->second.end()) given = at->second;
    }
    if (dim.kind == DimProto::Kind::Fixed && dim.value >= 0) {
        if (given && *given != dim.value) {
            findings_.error("ONNX-051", "graph/input:" + shown(name),
                            "\"" + shown(byAxis) + "\" is bound to " + std::to_string(*given) + " but fixed at " +
                                std::to_string(dim.value),
                            "leave this binding out");
        }
        return dim.value;
    }
    if (given) return *given;
    if (dim.kind == DimProto::Kind::Symbol) {
        const std::string symbol(dim.symbol);
        if (const auto at = symbolValues_.find(symbol); at != symbolValues_.end()) return at->second;
        note(v, axis, symbol, true);
    } else {
        note(v, axis, byAxis, false);
    }
    return -1;
}

std::vector<std::int64_t> Binder::bindInput(const ValueInfoProto& v) {
    const auto typed = axisValues_.find(std::string(v.name));
    std::vector<std::int64_t> shape;
    if (!v.type.hasShape) {
        // No rank in the file: the user types every axis from 0 on.
        if (typed == axisValues_.end()) {
            OpenDim dim;
            dim.selector = std::string(v.name) + ":0";
            dim.users.emplace_back(v.name);
            open_.push_back(std::move(dim));
            return shape;
        }
        for (const auto& [axis, extent] : typed->second)
            if (axis == static_cast<std::int64_t>(shape.size())) shape.push_back(extent);
        return shape;
    }
    if (typed != axisValues_.end() && typed->second.rbegin()->first >= static_cast<std::int64_t>(v.type.dims.size())) {
        findings_.error("ONNX-051", "graph/input:" + shown(v.name),
                        "axis " + std::to_string(typed->second.rbegin()->first) + " is bound, the input has " +
                            std::to_string(v.type.dims.size()) + " dimensions");
    }
    for (std::size_t axis = 0; axis < v.type.dims.size(); ++axis)
        shape.push_back(bindDim(v, axis));
    return shape;
}

std::int64_t Binder::totalSuggestion() const {
    std::int64_t past = -1, current = -1;
    for (const std::string& symbol : symbols_) {
        const std::string name = lowered(symbol);
        const auto bound = symbolValues_.find(symbol);
        const std::int64_t value = bound == symbolValues_.end() ? 128 : bound->second;
        if (contains(name, "total")) continue;
        if (contains(name, "past")) {
            if (past < 0) past = value;
        } else if (contains(name, "seq") && current < 0) {
            current = value;
        }
    }
    return (past < 0 ? 128 : past) + (current < 0 ? 128 : current);
}

std::int64_t Binder::suggestion(const OpenDim& dim) const {
    const std::string name = dim.symbol ? lowered(dim.selector) : std::string();
    if (contains(name, "batch") || (dim.axis == 0 && dim.restSymbolic)) return 1;
    if (contains(name, "total")) return totalSuggestion();
    if (contains(name, "past")) return 128;
    if (contains(name, "seq")) return 128;
    if (contains(name, "height") || contains(name, "width") || (dim.rank == 4 && dim.axis >= 2)) return 224;
    return 1;
}

std::string quotedOption(const std::string& option) {
    const bool plain = std::all_of(option.begin(), option.end(), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               std::string_view("_-.:=/,+@%").find(c) != std::string_view::npos;
    });
    if (plain) return option;
    std::string out = "'";
    for (const char c : option)
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

void Binder::bindSuggested() {
    std::vector<std::string> sizes, options;
    // Totals last: they add up the symbols bound before them.
    for (const bool totals : {false, true}) {
        for (const OpenDim& dim : open_) {
            if (contains(lowered(dim.selector), "total") != totals) continue;
            const std::int64_t value = suggestion(dim);
            sizes.push_back(shown(dim.selector) + " = " + std::to_string(value));
            options.push_back("--bind " + quotedOption(dim.selector + "=" + std::to_string(value)));
            if (dim.symbol)
                symbolValues_[dim.selector] = value;
            else if (const auto parts = splitAxis(dim.selector))
                axisValues_[parts->first][parts->second] = value;
        }
    }
    open_.clear();
    for (const ValueInfoProto* v : inputs_)
        bound_.inputShapes[std::string(v->name)] = bindInput(*v);
    findings_.note("ONNX-054", "graph/input",
                   "the model leaves " + std::string(sizes.size() == 1 ? "a size" : "sizes") +
                       " open; chosen here: " + text::join(sizes, ", "),
                   text::join(options, " "));
}

void Binder::reportOpen() {
    std::vector<std::string> lines, options;
    for (const OpenDim& dim : open_) {
        std::vector<std::string> users;
        for (const std::string& user : dim.users)
            users.push_back(shown(user));
        lines.push_back(dim.symbol ? "\"" + shown(dim.selector) + "\" (used by " + text::join(users, ", ") + ")"
                                   : "\"" + shown(dim.selector) + "\" (no name)");
        options.push_back("--bind " + quotedOption(dim.selector + "=" + std::to_string(suggestion(dim))));
    }
    // A misspelt name is the likely cause.
    std::string given;
    for (const std::string& selector : unknown_)
        given += "; \"" + shown(selector) + "\" names nothing in this model";
    findings_.error(
        "ONNX-050", "graph/input",
        (open_.size() == 1 ? std::string("1 dimension is") : std::to_string(open_.size()) + " dimensions are") +
            " not bound: " + text::join(lines, ", ") + given,
        text::join(options, " "));
}

void Binder::bindAll() {
    for (const ValueInfoProto* v : inputs_) {
        if (v->type.kind != TypeProto::Kind::Tensor) {
            findings_.error("ONNX-044", "graph/input:" + shown(v->name), "\"" + shown(v->name) + "\" is not a tensor",
                            "inputs that are sequences, maps, sparse or optional are not supported");
            continue;
        }
        if (!dtypeOf(v->type.elemType)) {
            findings_.error("ONNX-044", "graph/input:" + shown(v->name),
                            "element type " + std::to_string(v->type.elemType) + " (" + elemTypeName(v->type.elemType) +
                                ") is not supported");
        }
        bound_.inputShapes[std::string(v->name)] = bindInput(*v);
    }
}

BoundModel Binder::run() {
    sortRaw();
    bindAll();
    if (!open_.empty() && !findings_.hasErrors() && options_.bindWithSuggestions) bindSuggested();
    if (!open_.empty())
        reportOpen();
    else
        reportUnknown();
    for (const std::string& symbol : symbols_) {
        DimSymbol dim;
        dim.name = symbol;
        const auto at = symbolValues_.find(symbol);
        if (at != symbolValues_.end()) dim.value = at->second;
        // A symbol bound only through INPUT:AXIS has the extent of its first use.
        for (const ValueInfoProto* v : inputs_) {
            if (at != symbolValues_.end()) break;
            const auto use = std::find_if(v->type.dims.begin(), v->type.dims.end(),
                                          [&](const DimProto& d) { return d.symbol == symbol; });
            if (use == v->type.dims.end()) continue;
            const auto shape = bound_.inputShapes.find(std::string(v->name));
            if (shape != bound_.inputShapes.end())
                dim.value = shape->second[static_cast<std::size_t>(use - v->type.dims.begin())];
            break;
        }
        bound_.dims.push_back(std::move(dim));
    }
    return std::move(bound_);
}

}  // namespace

BoundModel bindInputs(const Document& document, const OpenOptions& options, Diagnostics& findings) {
    return Binder(document, options, findings).run();
}

}  // namespace memplan::io::onnx
