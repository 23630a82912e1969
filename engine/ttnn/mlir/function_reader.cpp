// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/mlir/function_reader.h"

#include "engine/base/text.h"
#include "engine/ttnn/mlir/operand_counts.h"
#include "engine/ttnn/module/type_text.h"

#include <utility>

namespace memplan::ttnn {

namespace {

std::string locationSuffix(const Location& location) {
    return location.text.empty() ? std::string() : " loc(" + location.text + ")";
}

}  // namespace

/// One function.
class FunctionReader {
public:
    explicit FunctionReader(TreeReader& shared) : shared_(shared), ids_(shared.tree_.values.size()) {}

    Result<Function> run(const ir::Operation& from) {
        if (auto done = head(from); !done) return done.error();
        if (!out_.hasBody) return std::move(out_);
        const auto& blocks = from.regions.front().blocks;
        if (blocks.size() > 1)
            return fail("MLIR-006", blocks[1].operations.empty() ? from.at : blocks[1].operations.front().at,
                        "function @" + out_.name + " has several blocks", "export it without control flow");
        if (auto done = body(blocks.front()); !done) return done.error();
        return std::move(out_);
    }

private:
    Result<void> head(const ir::Operation& from) {
        const ir::FunctionPart& part = *from.function;
        out_.name = part.name;
        out_.visibility = part.visibility;
        out_.hasBody = part.hasBody && !from.regions.empty() && !from.regions.front().blocks.empty();
        out_.attributes = shared_.expanded(from.attributes);
        for (const Attribute& property : shared_.expanded(from.properties))
            out_.attributes.push_back(property);
        out_.location = place(from.location);
        for (const Attributes& one : part.resultAttributes)
            out_.resultAttributes.push_back(shared_.expanded(one));
        for (const int type : part.resultTypes) {
            auto read = shared_.type(type, from.at);
            if (!read) return read.error();
            out_.resultTypes.push_back(std::move(read).value());
        }
        return arguments(from, part);
    }

    Result<void> arguments(const ir::Operation& from, const ir::FunctionPart& part) {
        for (std::size_t i = 0; i < part.argumentTypes.size(); ++i) {
            auto read = shared_.type(part.argumentTypes[i], from.at);
            if (!read) return read.error();
            const ValueId id = out_.addValue(std::move(read).value());
            Value& value = out_.value(id);
            value.argument = static_cast<int>(i);
            if (i < part.argumentAttributes.size()) value.attributes = shared_.expanded(part.argumentAttributes[i]);
            out_.arguments.push_back(id);
        }
        return {};
    }

    Result<void> body(const ir::Block& block) {
        for (std::size_t i = 0; i < block.arguments.size() && i < out_.arguments.size(); ++i) {
            const auto at = static_cast<std::size_t>(block.arguments[i]);
            Value& value = out_.value(out_.arguments[i]);
            value.name = shared_.tree_.values[at].name;
            if (i < block.argumentPlaces.size()) value.location = place(block.argumentPlaces[i]);
            ids_[at] = out_.arguments[i];
        }
        for (const ir::Operation& from : block.operations) {
            if (from.name == "func.return") return returns(from);
            auto read = operation(from);
            if (!read) return read.error();
            out_.order.push_back(out_.addOperation(std::move(read).value()));
        }
        const std::size_t at = block.operations.empty() ? 0 : block.operations.back().at;
        return fail("MLIR-006", at, "function @" + out_.name + " does not end in a return", {});
    }

    Result<void> returns(const ir::Operation& from) {
        out_.returnLocation = place(from.location);
        auto values = operands(from);
        if (!values) return values.error();
        out_.returned = std::move(values).value();
        return {};
    }

    Result<Operation> operation(const ir::Operation& from) {
        Operation to;
        to.name = from.name;
        to.location = place(from.location);
        to.properties = shared_.expanded(from.properties);
        to.attributes = shared_.expanded(from.attributes);
        to.successors = from.successors;
        auto read = operands(from);
        if (!read) return read.error();
        to.operands = std::move(read).value();
        if (auto done = countsFit(from, to); !done) return done.error();
        for (const ir::Region& region : from.regions) {
            auto inner = regionOf(region, from.at);
            if (!inner) return inner.error();
            to.regions.push_back(std::move(inner).value());
        }
        for (const int result : from.results) {
            auto id = newValue(result, from.at);
            if (!id) return id.error();
            to.results.push_back(id.value());
        }
        return to;
    }

    Result<void> countsFit(const ir::Operation& from, const Operation& to) const {
        const std::string wrong =
            wrongCount(to.name, to.operands.size(), from.results.size(), !to.operands.empty() && isBuffer(to));
        return wrong.empty() ? Result<void>() : fail("MLIR-004", from.at, wrong, {});
    }

    [[nodiscard]] bool isBuffer(const Operation& to) const {
        const OperationId producer = out_.value(to.operands.back()).producer;
        return producer.isValid() && out_.operation(producer).is("empty");
    }

    Result<std::vector<ValueId>> operands(const ir::Operation& from) {
        std::vector<ValueId> out;
        for (const int operand : from.operands) {
            const ValueId id = ids_[static_cast<std::size_t>(operand)];
            if (!id.isValid())
                return fail("MLIR-003", from.at,
                            "value %" +
                                memplan::text::escaped(shared_.tree_.values[static_cast<std::size_t>(operand)].name) +
                                " is used before it is defined",
                            {});
            out.push_back(id);
        }
        return out;
    }

    Result<ValueId> newValue(int from, std::size_t at) {
        const auto index = static_cast<std::size_t>(from);
        auto read = shared_.type(shared_.tree_.values[index].type, at);
        if (!read) return read.error();
        ids_[index] = out_.addValue(std::move(read).value(), shared_.tree_.values[index].name);
        return ids_[index];
    }

    Result<Region> regionOf(const ir::Region& from, std::size_t at) {
        Region to;
        for (const ir::Block& block : from.blocks) {
            auto& copy = to.blocks.emplace_back();
            for (const int argument : block.arguments) {
                auto id = newValue(argument, at);
                if (!id) return id.error();
                copy.arguments.push_back(id.value());
            }
        }
        for (std::size_t i = 0; i < from.blocks.size(); ++i) {
            for (const ir::Operation& inner : from.blocks[i].operations) {
                auto read = operation(inner);
                if (!read) return read.error();
                to.blocks[i].operations.push_back(std::move(read).value());
            }
        }
        return to;
    }

    [[nodiscard]] Location place(const Location& from) {
        return {from.text.empty() ? std::string() : shared_.expanded(from.text), from.name};
    }

    [[nodiscard]] Error fail(std::string code, std::size_t at, std::string message, std::string hint) const {
        return makeError(std::move(code), shared_.place(at), std::move(message), std::move(hint));
    }

    TreeReader& shared_;
    std::vector<ValueId> ids_;  ///< by position in the tree
    Function out_;
};

Result<Function> TreeReader::function(const ir::Operation& from) {
    return FunctionReader(*this).run(from);
}

Attributes TreeReader::expanded(const Attributes& from) {
    Attributes to;
    to.reserve(from.size());
    for (const Attribute& attribute : from)
        to.push_back({attribute.name, expanded(attribute.text)});
    return to;
}

std::string TreeReader::expanded(std::string_view text) {
    const bool mayHave = text.find_first_of("#!") != std::string_view::npos;
    return mayHave ? aliases_.expand(text) : std::string(text);
}

Result<Type> TreeReader::type(int index, std::size_t at) {
    auto& known = types_[static_cast<std::size_t>(index)];
    if (known) return *known;
    const LayoutReading reading{device_, place(at), nullptr};
    auto read = typeOfText(typeText(index), reading);
    if (!read) return read.error();
    for (Diagnostic& warning : read.value().warnings)
        warnings_.push_back(std::move(warning));
    known = std::move(read.value().type);
    return *known;
}

std::string TreeReader::valueTypes(const std::vector<int>& values) {
    std::string out;
    for (const int value : values)
        out += (out.empty() ? "" : ", ") + typeText(tree_.values[static_cast<std::size_t>(value)].type);
    return "(" + out + ")";
}

std::string TreeReader::blockText(const ir::Block& block, std::size_t number) {
    std::string arguments;
    for (const int argument : block.arguments)
        arguments += (arguments.empty() ? "%v" : ", %v") + std::to_string(argument) + ": " +
                     typeText(tree_.values[static_cast<std::size_t>(argument)].type);
    std::string out = "^bb" + std::to_string(number) + (arguments.empty() ? ":\n" : "(" + arguments + "):\n");
    for (const ir::Operation& inner : block.operations)
        out += genericText(inner) + "\n";
    return out;
}

Attributes TreeReader::functionProperties(const ir::Operation& from) {
    const ir::FunctionPart& part = *from.function;
    const auto types = [&](const std::vector<int>& list) {
        std::string out;
        for (const int type : list)
            out += (out.empty() ? "" : ", ") + typeText(type);
        return "(" + out + ")";
    };
    const auto dictionaries = [&](const std::vector<Attributes>& list) {
        std::string out;
        for (const Attributes& one : list)
            out += (out.empty() ? "" : ", ") + dictionaryText(expanded(one));
        return "[" + out + "]";
    };
    Attributes out = expanded(from.properties);
    setAttribute(out, "sym_name", "\"" + part.name + "\"");
    setAttribute(out, "function_type", types(part.argumentTypes) + " -> " + types(part.resultTypes));
    if (!part.visibility.empty()) setAttribute(out, "sym_visibility", "\"" + part.visibility + "\"");
    if (!part.argumentAttributes.empty()) setAttribute(out, "arg_attrs", dictionaries(part.argumentAttributes));
    if (!part.resultAttributes.empty()) setAttribute(out, "res_attrs", dictionaries(part.resultAttributes));
    return out;
}

std::string TreeReader::genericText(const ir::Operation& from) {
    std::string out;
    for (const int result : from.results)
        out += (out.empty() ? "%v" : ", %v") + std::to_string(result);
    if (!out.empty()) out += " = ";
    out += "\"" + from.name + "\"(";
    for (std::size_t i = 0; i < from.operands.size(); ++i)
        out += (i > 0 ? ", %v" : "%v") + std::to_string(from.operands[i]);
    out += ")";
    for (std::size_t i = 0; i < from.successors.size(); ++i)
        out += (i > 0 ? ", ^bb" : "[^bb") + std::to_string(from.successors[i]);
    if (!from.successors.empty()) out += "]";
    const Attributes properties = from.function ? functionProperties(from) : expanded(from.properties);
    if (!properties.empty()) out += " <" + dictionaryText(properties) + ">";
    std::string regions;
    for (const ir::Region& region : from.regions) {
        regions += (regions.empty() ? "{\n" : ", {\n");
        for (std::size_t i = 0; i < region.blocks.size(); ++i)
            regions += blockText(region.blocks[i], i);
        regions += "}";
    }
    if (!regions.empty()) out += " (" + regions + ")";
    if (!from.attributes.empty()) out += " " + dictionaryText(expanded(from.attributes));
    return out + " : " + valueTypes(from.operands) + " -> " + valueTypes(from.results) + locationSuffix(from.location);
}

}  // namespace memplan::ttnn
