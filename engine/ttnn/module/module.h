// SPDX-License-Identifier: Apache-2.0
// A module of TTIR or TTNN operations as plain values (ttnn-optimizer 10, 11): what the MLIR reader gives, what
// lowering and graph transformation change in a copy, what the MLIR writer prints. Nothing of the MLIR library is in
// it. Whatever is not interpreted stays as the text that the library printed, aliases expanded, and is written back.
#pragma once

#include "engine/base/ids.h"
#include "engine/ttnn/machine/chains.h"
#include "engine/ttnn/machine/device.h"
#include "engine/ttnn/machine/layout.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memplan::ttnn {

using ValueId = Id<struct ValueTag>;  ///< position in Function::values

/// Name and MLIR text of an attribute: {"stride", "array<i32: 2, 2>"}, {"keep_dim", "true"}; unit attributes have no
/// text.
struct Attribute {
    std::string name, text;
    friend bool operator==(const Attribute&, const Attribute&) = default;
};
using Attributes = std::vector<Attribute>;

/// The text of an attribute; null where there is none of that name.
[[nodiscard]] const std::string* findAttribute(const Attributes& attributes, std::string_view name);
void setAttribute(Attributes& attributes, std::string_view name, std::string text);
bool removeAttribute(Attributes& attributes, std::string_view name);

// Values of attribute texts; nothing where the text is of another form. `1 : i32`, `true`, `"word"`,
// `array<i64: 1, 2>`, `[1 : i32, 2 : i32]`, `5.0e-1 : f32`.
[[nodiscard]] std::optional<std::int64_t> integerOf(std::string_view text);
[[nodiscard]] std::optional<double> numberOf(std::string_view text);
[[nodiscard]] std::optional<bool> boolOf(std::string_view text);
[[nodiscard]] std::optional<std::string> stringOf(std::string_view text);
[[nodiscard]] std::optional<std::vector<std::int64_t>> integersOf(std::string_view text);

struct Type {
    bool isTensor = false;
    std::vector<std::int64_t> shape;  ///< of a ranked tensor
    DataType dtype = DataType::BF16;  ///< scalar type it is computed in: of the layout, else of the element type
    std::string element;              ///< element type as written: "bf16", "i64", "!quant.uniform<...>"
    std::optional<Layout> layout;     ///< of the encoding, where that is a layout
    std::string encoding;             ///< text of another encoding; else empty
    std::string text;                 ///< of a type that is no ranked tensor: "!ttnn.device", "tuple<...>"
    friend bool operator==(const Type&, const Type&) = default;
};

/// Location as MLIR text (`loc("add_1"("m.py":3:4))` without the word loc and its brackets; empty: unknown) and the
/// name that overrides address it by: the first name in it (8.1), empty without one.
struct Location {
    std::string text, name;
    friend bool operator==(const Location&, const Location&) = default;
};

struct Operation;

struct Region {
    struct Block {
        std::vector<ValueId> arguments;
        std::vector<Operation> operations;
    };
    std::vector<Block> blocks;
};

struct Operation {
    std::string name;  ///< with its dialect: "ttnn.add", "ttir.conv2d", "func.call"
    std::vector<ValueId> operands;
    std::vector<ValueId> results;
    Attributes properties;        ///< in `<{ }>`
    Attributes attributes;        ///< the dictionary behind
    std::vector<Region> regions;  ///< uninterpreted; values of theirs are values of the function
    std::vector<int> successors;  ///< inside regions: blocks of the region that it is in
    Location location;

    /// Name without its dialect: "add".
    [[nodiscard]] std::string_view kind() const {
        const auto dot = name.find('.');
        return dot == std::string::npos ? std::string_view(name) : std::string_view(name).substr(dot + 1);
    }
    [[nodiscard]] bool is(std::string_view word) const { return kind() == word; }
    /// Property or attribute of that name; null where there is none.
    [[nodiscard]] const std::string* find(std::string_view attribute) const;
};

struct Value {
    Type type;
    OperationId producer;   ///< none for arguments and for values inside regions
    int result = 0;         ///< which result of it
    int argument = -1;      ///< which argument of the function
    std::string name;       ///< as in the file, without %; may be empty
    Attributes attributes;  ///< of an argument: ttcore.argument_type, ttir.name
    Location location;      ///< of an argument
};

/// A function. `operations` of its body but for the return, each under a fixed id; `order` is the order in which they
/// run, first that of the file. Everything inside regions is part of its operation.
struct Function {
    std::string name;
    std::string visibility;  ///< "private", "public" or empty
    Attributes attributes;
    Location location, returnLocation;
    std::vector<ValueId> arguments;
    std::vector<Attributes> resultAttributes;
    std::vector<ValueId> returned;  ///< operands of the return
    std::vector<Type> resultTypes;
    bool hasBody = true;
    std::vector<Value> values;
    std::vector<Operation> operations;
    std::vector<OperationId> order;

    [[nodiscard]] const Operation& operation(OperationId id) const { return operations[id.at()]; }
    [[nodiscard]] Operation& operation(OperationId id) { return operations[id.at()]; }
    [[nodiscard]] const Value& value(ValueId id) const { return values[id.at()]; }
    [[nodiscard]] Value& value(ValueId id) { return values[id.at()]; }
    [[nodiscard]] const Type& typeOf(ValueId id) const { return values[id.at()].type; }
    /// First result of an operation; none for one without results.
    [[nodiscard]] ValueId resultOf(OperationId id) const {
        const auto& results = operation(id).results;
        return results.empty() ? ValueId{} : results.front();
    }
    /// Adds a value of that type.
    ValueId addValue(Type type, std::string name = {});
    /// Adds an operation behind all others in `operations`; its place in `order` is the caller's. Its results become
    /// values whose producer it is.
    OperationId addOperation(Operation operation);
};

/// One use of a value: operand `operand` of `user`, or, without a user, position `operand` of the return.
struct Use {
    OperationId user;
    int operand = 0;
    friend bool operator==(const Use&, const Use&) = default;
};
/// Uses by value, in the order of the function, returns last; an operand slot each (`add(%x, %x)` uses %x twice). Uses
/// inside regions count as uses of the operation that holds them, with operand -1.
using Uses = std::vector<std::vector<Use>>;
[[nodiscard]] Uses usesOf(const Function& function);

struct Module {
    std::string name;  ///< symbol, may be empty
    Attributes attributes;
    Location location;
    bool inDeviceModule = false;       ///< was wrapped in ttcore.device_module { builtin.module }
    std::string outerName;             ///< of the module around that wrapper
    Attributes outerAttributes;        ///< of the same
    std::vector<std::string> devices;  ///< `ttcore.device @name = <...>` as written: kept and written back
    std::vector<std::string> others;   ///< further top level operations in generic form, printed behind the functions
    std::vector<std::string> outerOthers;  ///< the same of the module around that wrapper
    std::string resources;                 ///< `{-# ... #-}` section, with its brackets; else empty
    std::vector<Function> functions;
    Device device;                     ///< of its system description, else the built-in one
    bool hasDevice = false;            ///< `device` comes from the file
    std::optional<double> l1UsageCap;  ///< ttnn.tensor_l1_usage_cap

    /// It has operations of TTNN and none of TTIR or StableHLO.
    [[nodiscard]] bool isTtnn() const;
};

/// Layouts of the tensor operands of an operation, in operand order; operands that are no tensors are left out.
[[nodiscard]] std::vector<ValueId> tensorOperands(const Function& function, const Operation& operation);

}  // namespace memplan::ttnn
