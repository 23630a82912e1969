// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/mlir/library/context.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <mlir/AsmParser/AsmParser.h>
#include <mlir/AsmParser/AsmParserState.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/Diagnostics.h>
#include <mlir/IR/Verifier.h>

#include <algorithm>
#include <utility>

namespace memplan::ttnn::ir {

namespace {

std::string str(llvm::StringRef s) {
    return s.str();
}

std::string fullMessage(mlir::Diagnostic& diagnostic) {
    std::string text = diagnostic.str();
    for (mlir::Diagnostic& note : diagnostic.getNotes()) {
        // That one prints the whole operation.
        if (const std::string more = note.str(); !more.starts_with("see current operation")) text += "; " + more;
    }
    return text;
}

/// Byte position of a location in the buffer that is read; nothing for one that the text names.
class Places {
public:
    explicit Places(std::string_view text) : size_(text.size()) {
        lines_.push_back(0);
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] == '\n') lines_.push_back(i + 1);
        }
    }

    [[nodiscard]] std::optional<std::size_t> of(mlir::Location location) const {
        const auto place = mlir::dyn_cast<mlir::FileLineColLoc>(location);
        if (!place || place.getFilename() != kBufferName || place.getLine() == 0) return std::nullopt;
        const std::size_t line = std::min<std::size_t>(place.getLine(), lines_.size()) - 1;
        const std::size_t column = place.getColumn() == 0 ? 0 : place.getColumn() - 1;
        return std::min(lines_[line] + column, size_);
    }

private:
    std::size_t size_;
    std::vector<std::size_t> lines_;
};

/// Walks what was parsed and copies it.
class TreeMaker {
public:
    TreeMaker(mlir::MLIRContext& context, const mlir::AsmParserState& state, std::string_view text, Tree& tree)
        : state_(state), text_(text), tree_(tree), printer_(&context) {}

    void block(mlir::Block& from, Block& to) {
        const auto* definition = state_.getBlockDef(&from);
        for (const auto& [i, argument] : llvm::enumerate(from.getArguments())) {
            const bool isNamed = definition != nullptr && i < definition->arguments.size();
            to.arguments.push_back(value(argument, isNamed ? nameAt(definition->arguments[i].loc) : std::string()));
            to.argumentPlaces.push_back(location(argument.getLoc()));
        }
        for (mlir::Operation& op : from)
            operation(op, to.operations.emplace_back());
    }

    [[nodiscard]] std::size_t placeOf(mlir::Operation& op) const {
        const auto* definition = state_.getOpDef(&op);
        return definition == nullptr ? 0 : offset(definition->loc.Start);
    }

private:
    void operation(mlir::Operation& from, Operation& to) {
        to.name = str(from.getName().getStringRef());
        to.at = placeOf(from);
        to.location = location(from.getLoc());
        for (const mlir::Value operand : from.getOperands())
            to.operands.push_back(value(operand, {}));
        results(from, to);
        for (mlir::Block* next : from.getSuccessors())
            to.successors.push_back(static_cast<int>(std::distance(next->getParent()->begin(), next->getIterator())));
        if (auto function = mlir::dyn_cast<mlir::func::FuncOp>(from))
            functionPart(function, to);
        else
            dictionary(from.getPropertiesAsAttribute(), to.properties);
        dictionary(from.getDiscardableAttrDictionary(), to.attributes);
        // Blocks refer to values of later ones.
        for (mlir::Region& region : from.getRegions()) {
            for (mlir::Block& inner : region)
                nameValues(inner);
        }
        for (mlir::Region& region : from.getRegions()) {
            Region& copy = to.regions.emplace_back();
            for (mlir::Block& inner : region)
                block(inner, copy.blocks.emplace_back());
        }
    }

    /// Gives the results of a block their names before anybody uses them.
    void nameValues(mlir::Block& from) {
        for (mlir::Operation& op : from) {
            const auto* definition = state_.getOpDef(&op);
            if (definition == nullptr) continue;
            for (const auto& group : definition->resultGroups) {
                const std::string name = nameAt(group.definition.loc);
                const auto next = static_cast<unsigned>(&group - definition->resultGroups.begin()) + 1;
                const unsigned end = next < definition->resultGroups.size() ? definition->resultGroups[next].startIndex
                                                                            : op.getNumResults();
                for (unsigned i = group.startIndex; i < end; ++i) {
                    const bool isOne = end - group.startIndex == 1;
                    value(op.getResult(i), isOne ? name : name + "_" + std::to_string(i - group.startIndex));
                }
            }
        }
    }

    void results(mlir::Operation& from, Operation& to) {
        for (const mlir::Value result : from.getResults())
            to.results.push_back(value(result, {}));
    }

    void functionPart(mlir::func::FuncOp from, Operation& to) {
        FunctionPart& part = to.function.emplace();
        part.name = str(from.getSymName());
        part.visibility = str(from.getSymVisibility().value_or(""));
        part.hasBody = !from.getBody().empty();
        for (const mlir::Type t : from.getArgumentTypes())
            part.argumentTypes.push_back(type(t));
        for (const mlir::Type t : from.getResultTypes())
            part.resultTypes.push_back(type(t));
        dictionaries(from.getArgAttrs(), part.argumentAttributes);
        dictionaries(from.getResAttrs(), part.resultAttributes);
        // Earlier versions of the library know no such property and keep it with the attributes.
        const auto noInline = from->getInherentAttr("no_inline");
        if (noInline && *noInline) to.properties.push_back({"no_inline", {}});
    }

    void dictionaries(std::optional<mlir::ArrayAttr> from, std::vector<Attributes>& to) {
        if (!from) return;
        for (const mlir::Attribute one : *from)
            dictionary(one, to.emplace_back());
    }

    void dictionary(mlir::Attribute from, Attributes& to) {
        const auto entries = mlir::dyn_cast_if_present<mlir::DictionaryAttr>(from);
        if (!entries) return;
        for (const mlir::NamedAttribute& entry : entries)
            to.push_back({str(entry.getName().getValue()), text(entry.getValue())});
    }

    const std::string& text(mlir::Attribute attribute) {
        const auto [at, isNew] = attributeTexts_.try_emplace(attribute);
        if (isNew && !mlir::isa<mlir::UnitAttr>(attribute)) {
            llvm::raw_string_ostream out(at->second);
            attribute.print(out, printer_);
        }
        return at->second;
    }

    int type(mlir::Type type) {
        const auto [at, isNew] = types_.try_emplace(type, static_cast<int>(tree_.types.size()));
        if (isNew) {
            llvm::raw_string_ostream out(tree_.types.emplace_back());
            type.print(out, printer_);
        }
        return at->second;
    }

    int value(mlir::Value from, std::string name) {
        const auto [at, isNew] = values_.try_emplace(from, static_cast<int>(tree_.values.size()));
        if (isNew) tree_.values.push_back({type(from.getType()), std::move(name)});
        return at->second;
    }

    Location location(mlir::Location from) {
        const auto [at, isNew] = locations_.try_emplace(from);
        if (isNew) at->second = newLocation(from);
        return at->second;
    }

    Location newLocation(mlir::Location from) {
        if (mlir::isa<mlir::UnknownLoc>(from)) return {};
        if (const auto file = mlir::dyn_cast<mlir::FileLineColLoc>(from); file && file.getFilename() == kBufferName)
            return {};
        Location out;
        llvm::raw_string_ostream stream(out.text);
        mlir::LocationAttr(from).print(stream, printer_);
        constexpr std::string_view kWord = "loc(";
        if (out.text.starts_with(kWord)) out.text = out.text.substr(kWord.size(), out.text.size() - kWord.size() - 1);
        from->walk([&](mlir::Location part) {
            const auto named = mlir::dyn_cast<mlir::NameLoc>(part);
            if (!named) return mlir::WalkResult::advance();
            out.name = str(named.getName().getValue());
            return mlir::WalkResult::interrupt();
        });
        return out;
    }

    [[nodiscard]] std::size_t offset(llvm::SMLoc at) const {
        const auto place = at.getPointer() - text_.data();
        return place < 0 ? 0 : std::min(static_cast<std::size_t>(place), text_.size());
    }

    [[nodiscard]] std::string nameAt(llvm::SMRange range) const {
        if (!range.isValid()) return {};
        const std::string_view word = text_.substr(offset(range.Start), offset(range.End) - offset(range.Start));
        return word.starts_with('%') ? std::string(word.substr(1)) : std::string();
    }

    const mlir::AsmParserState& state_;
    std::string_view text_;
    Tree& tree_;
    mlir::AsmState printer_;
    llvm::DenseMap<mlir::Value, int> values_;
    llvm::DenseMap<mlir::Type, int> types_;
    llvm::DenseMap<mlir::Attribute, std::string> attributeTexts_;
    llvm::DenseMap<mlir::Attribute, Location> locations_;
};

/// Checks operations one by one, so that a message has the place of its operation whatever location that names.
void verifyAll(mlir::MLIRContext& context, mlir::Block& block, const TreeMaker& maker, std::vector<Problem>& problems) {
    std::size_t at = 0;
    mlir::Operation* current = nullptr;
    const mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic& d) {
        std::string message = fullMessage(d);
        // Whoever reads the tree sees that too, and where: here the place is that of the function.
        const bool isOrder = message.find("does not dominate this use") != std::string::npos;
        // In regions of operations that are not registered the library looks for no symbols.
        const bool isHidden = message.find("does not reference a valid function") != std::string::npos &&
                              !mlir::isa_and_nonnull<mlir::func::FuncOp>(current->getParentOp());
        if (d.getSeverity() == mlir::DiagnosticSeverity::Error && !isOrder && !isHidden)
            problems.push_back({at, std::move(message)});
        return mlir::success();
    });
    for (mlir::Operation& top : block) {
        top.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation* op) {
            at = maker.placeOf(*op);
            current = op;
            const bool isGood = mlir::succeeded(mlir::verify(op, false));
            return isGood ? mlir::WalkResult::advance() : mlir::WalkResult::interrupt();
        });
    }
}

}  // namespace

std::unique_ptr<mlir::MLIRContext> makeContext() {
    mlir::DialectRegistry registry;
    registry.insert<mlir::func::FuncDialect>();
    auto context = std::make_unique<mlir::MLIRContext>(registry, mlir::MLIRContext::Threading::DISABLED);
    context->allowUnregisteredDialects();
    context->loadAllAvailableDialects();
    return context;
}

void parseInto(mlir::MLIRContext& context, std::string_view text, mlir::Block& block, mlir::AsmParserState* state,
               std::vector<Problem>& problems) {
    const Places places(text);
    const mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic& d) {
        if (d.getSeverity() == mlir::DiagnosticSeverity::Error)
            problems.push_back({places.of(d.getLocation()).value_or(0), fullMessage(d)});
        return mlir::success();
    });
    llvm::SourceMgr sources;
    // The library wants a zero behind the text: `text` is that of a std::string.
    sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(llvm::StringRef(text.data(), text.size()), kBufferName),
                               llvm::SMLoc());
    const mlir::ParserConfig config(&context, false);
    const bool isRead = mlir::succeeded(mlir::parseAsmSourceFile(sources, &block, config, state));
    if (!isRead && problems.empty()) problems.push_back({0, "the text is no MLIR module"});
}

}  // namespace memplan::ttnn::ir

extern "C" __attribute__((visibility("default"))) int memplan_mlir_interface() {
    return memplan::ttnn::ir::kInterface;
}

extern "C" __attribute__((visibility("default"))) void memplan_mlir_parse(std::string_view text,
                                                                          memplan::ttnn::ir::Parsed& out) {
    using namespace memplan::ttnn::ir;
    const auto context = makeContext();
    mlir::Block block;
    mlir::AsmParserState state;
    parseInto(*context, text, block, &state, out.problems);
    if (!out.problems.empty()) return;
    TreeMaker maker(*context, state, text, out.tree);
    verifyAll(*context, block, maker, out.problems);
    if (out.problems.empty()) maker.block(block, out.tree.top);
}
