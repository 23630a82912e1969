// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/mlir/library/context.h"

#include <llvm/Config/llvm-config.h>
#include <llvm/Support/raw_ostream.h>
#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/DialectInterface.h>
#include <mlir/IR/OpImplementation.h>

namespace memplan::ttnn::ir {

namespace {

/// Tensor layouts are long and stand in every type: they are printed once, under a name.
class LayoutNames : public mlir::OpAsmDialectInterface {
public:
    using mlir::OpAsmDialectInterface::OpAsmDialectInterface;

    AliasResult getAlias(mlir::Attribute attribute, llvm::raw_ostream& out) const override {
        const auto opaque = mlir::dyn_cast<mlir::OpaqueAttr>(attribute);
        if (!opaque || opaque.getDialectNamespace() != "ttnn") return AliasResult::NoAlias;
        if (!opaque.getAttrData().starts_with("ttnn_layout<")) return AliasResult::NoAlias;
        out << "ttnn_layout";
        return AliasResult::FinalAlias;
    }
};

/// Holds the interface; has nothing of its own.
class NamesDialect : public mlir::Dialect {
public:
    explicit NamesDialect(mlir::MLIRContext* owner)
        : mlir::Dialect(getDialectNamespace(), owner, mlir::TypeID::get<NamesDialect>()) {
        addInterfaces<LayoutNames>();
    }
    static constexpr llvm::StringLiteral getDialectNamespace() { return llvm::StringLiteral("memplan_names"); }
};

}  // namespace

}  // namespace memplan::ttnn::ir

extern "C" __attribute__((visibility("default"))) void memplan_mlir_print(const memplan::ttnn::ir::PrintWish& wish,
                                                                          memplan::ttnn::ir::Printed& out) {
    using namespace memplan::ttnn::ir;
    const auto context = makeContext();
    context->getOrLoadDialect<NamesDialect>();
    mlir::Block block;
    parseInto(*context, wish.text, block, nullptr, out.problems);
    if (!out.problems.empty()) return;
    llvm::raw_string_ostream text(out.text);
    mlir::OpPrintingFlags flags;
    flags.enableDebugInfo(wish.locations).assumeVerified();
#if LLVM_VERSION_MAJOR >= 20
    flags.printNameLocAsPrefix(wish.namesInPlaces);
#endif
    while (!block.empty()) {
        mlir::Operation& op = block.front();
        // Names are given to what stands in no block.
        op.remove();
        op.print(text, flags);
        op.destroy();
    }
}
