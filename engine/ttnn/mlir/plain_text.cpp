// SPDX-License-Identifier: Apache-2.0
// A module as text in the forms that the MLIR library reads without knowing the dialects.
#include "engine/ttnn/mlir/writer.h"
#include "engine/ttnn/module/type_text.h"

#include <algorithm>

namespace memplan::ttnn {

namespace {

std::string symbol(const std::string& name) {
    const auto isPart = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
               c == '.';
    };
    const bool isBare = !name.empty() && !(name[0] >= '0' && name[0] <= '9') && name[0] != '.' && name[0] != '$' &&
                        std::ranges::all_of(name, isPart);
    if (isBare) return "@" + name;
    std::string out = "@\"";
    for (const char c : name) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + "\"";
}

/// A name that is more than a number.
bool isWordName(const std::string& name) {
    const bool isPlain = std::ranges::all_of(name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    });
    return isPlain && !name.empty() && !(name[0] >= '0' && name[0] <= '9');
}

class PlainText {
public:
    PlainText(const Module& module, bool withNames) : module_(module), withNames_(withNames) {}

    std::string run() {
        if (module_.inDeviceModule) {
            openModule(module_.outerName, module_.outerAttributes);
            out_ += isOldDialect() ? "\"tt.device_module\"() ({\n" : "\"ttcore.device_module\"() ({\n";
        }
        openModule(module_.name, module_.attributes);
        for (const std::string& device : module_.devices)
            out_ += device + "\n";
        for (const Function& function : module_.functions)
            add(function);
        for (const std::string& other : module_.others)
            out_ += other + "\n";
        out_ += "}" + suffix(module_.location) + "\n";
        if (!module_.inDeviceModule) return std::move(out_);
        out_ += "}) : () -> ()\n";
        for (const std::string& other : module_.outerOthers)
            out_ += other + "\n";
        out_ += "}\n";
        return std::move(out_);
    }

private:
    /// The dialect of devices was called tt before May 2025; a module does not mix the two.
    [[nodiscard]] bool isOldDialect() const {
        const auto isOld = [](const Attribute& attribute) { return attribute.name.starts_with("tt."); };
        return std::ranges::any_of(module_.devices,
                                   [](const std::string& d) { return d.starts_with("\"tt.device\""); }) ||
               std::ranges::any_of(module_.attributes, isOld);
    }

    void openModule(const std::string& name, const Attributes& attributes) {
        out_ += "builtin.module";
        if (!name.empty()) out_ += " " + symbol(name);
        if (!attributes.empty()) out_ += " attributes " + dictionaryText(attributes);
        out_ += " {\n";
    }

    void add(const Function& function) {
        f_ = &function;
        out_ += "func.func ";
        if (!function.visibility.empty()) out_ += function.visibility + " ";
        out_ += symbol(function.name) + "(";
        for (std::size_t i = 0; i < function.arguments.size(); ++i)
            addArgument(function.arguments[i], i > 0);
        out_ += ")";
        addResults(function);
        if (!function.attributes.empty()) out_ += " attributes " + dictionaryText(function.attributes);
        if (function.hasBody) addBody(function);
        out_ += suffix(function.location) + "\n";
    }

    void addArgument(ValueId id, bool isLater) {
        const Value& value = f_->value(id);
        if (isLater) out_ += ", ";
        if (f_->hasBody) out_ += name(id) + ": ";
        out_ += typeText(value.type);
        if (!value.attributes.empty()) out_ += " " + dictionaryText(value.attributes);
        if (f_->hasBody) out_ += suffix(value.location, value.name);
    }

    void addResults(const Function& function) {
        if (function.resultTypes.empty()) return;
        out_ += " -> (";
        for (std::size_t i = 0; i < function.resultTypes.size(); ++i) {
            if (i > 0) out_ += ", ";
            out_ += typeText(function.resultTypes[i]);
            if (i < function.resultAttributes.size() && !function.resultAttributes[i].empty())
                out_ += " " + dictionaryText(function.resultAttributes[i]);
        }
        out_ += ")";
    }

    void addBody(const Function& function) {
        out_ += " {\n";
        for (const OperationId id : function.order)
            add(function.operation(id));
        out_ += "func.return";
        if (!function.returned.empty()) out_ += " " + names(function.returned) + " : " + types(function.returned);
        out_ += suffix(function.returnLocation) + "\n}";
    }

    void add(const Operation& op) {
        if (!op.results.empty()) out_ += names(op.results) + " = ";
        out_ += "\"" + op.name + "\"(" + names(op.operands) + ")";
        for (std::size_t i = 0; i < op.successors.size(); ++i)
            out_ += (i > 0 ? ", ^bb" : "[^bb") + std::to_string(op.successors[i]);
        if (!op.successors.empty()) out_ += "]";
        if (!op.properties.empty()) out_ += " <" + dictionaryText(op.properties) + ">";
        addRegions(op);
        if (!op.attributes.empty()) out_ += " " + dictionaryText(op.attributes);
        out_ += " : (" + types(op.operands) + ") -> (" + types(op.results) + ")";
        out_ += suffix(op.location, ownName(op)) + "\n";
    }

    /// Several results are printed under one name: `%x:2`, whose results are called x_0 and x_1.
    [[nodiscard]] std::string ownName(const Operation& op) const {
        if (op.results.empty()) return {};
        const std::string& first = f_->value(op.results.front()).name;
        const bool isGroup = op.results.size() > 1 && first.ends_with("_0");
        return isGroup ? first.substr(0, first.size() - 2) : first;
    }

    void addRegions(const Operation& op) {
        for (std::size_t i = 0; i < op.regions.size(); ++i) {
            out_ += i > 0 ? ", {\n" : " ({\n";
            const auto& blocks = op.regions[i].blocks;
            for (std::size_t b = 0; b < blocks.size(); ++b)
                addBlock(blocks[b], b);
            out_ += "}";
        }
        if (!op.regions.empty()) out_ += ")";
    }

    void addBlock(const Region::Block& block, std::size_t number) {
        out_ += "^bb" + std::to_string(number);
        for (std::size_t i = 0; i < block.arguments.size(); ++i)
            out_ += (i > 0 ? ", " : "(") + name(block.arguments[i]) + ": " + typeText(f_->typeOf(block.arguments[i]));
        out_ += block.arguments.empty() ? ":\n" : "):\n";
        for (const Operation& inner : block.operations)
            add(inner);
    }

    static std::string name(ValueId id) { return "%v" + std::to_string(id.index); }

    static std::string names(const std::vector<ValueId>& values) {
        std::string out;
        for (const ValueId value : values)
            out += (out.empty() ? "" : ", ") + name(value);
        return out;
    }

    std::string types(const std::vector<ValueId>& values) {
        std::string out;
        for (const ValueId value : values)
            out += (out.empty() ? "" : ", ") + typeText(f_->typeOf(value));
        return out;
    }

    std::string suffix(const Location& location, const std::string& valueName = {}) const {
        if (withNames_) return isWordName(valueName) ? " loc(\"" + valueName + "\")" : " loc(unknown)";
        return " loc(" + (location.text.empty() ? std::string("unknown") : location.text) + ")";
    }

    const Module& module_;
    bool withNames_;
    const Function* f_ = nullptr;
    std::string out_;
};

}  // namespace

std::string plainText(const Module& module, bool withNames) {
    return PlainText(module, withNames).run();
}

}  // namespace memplan::ttnn
