// SPDX-License-Identifier: Apache-2.0
// MLIR text as a tree of plain operations, before anybody knows what they mean: what passes between this program and
// the shared object that holds LLVM's MLIR library. Header only, because that object links nothing of the engine.
#pragma once

#include "engine/ttnn/module/module.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::ttnn::ir {

struct Block;
struct Region {
    std::vector<Block> blocks;
};

/// What only a `func.func` has. Types are positions in Tree::types.
struct FunctionPart {
    std::string name, visibility;
    std::vector<int> argumentTypes, resultTypes;
    std::vector<Attributes> argumentAttributes, resultAttributes;  ///< empty, or one for each
    bool hasBody = false;
};

struct Operation {
    std::string name;
    std::size_t at = 0;                  ///< place of its name in the text, bytes
    std::vector<int> operands, results;  ///< positions in Tree::values
    std::vector<int> successors;         ///< blocks of the region that it is in
    Attributes properties, attributes;   ///< those of a function without what FunctionPart holds
    Location location;                   ///< text is empty where the file names none
    std::vector<Region> regions;
    std::optional<FunctionPart> function;
};

struct Block {
    std::vector<int> arguments;            ///< positions in Tree::values
    std::vector<Location> argumentPlaces;  ///< one for each
    std::vector<Operation> operations;
};

struct Value {
    int type = 0;      ///< position in Tree::types
    std::string name;  ///< as written, without %
};

struct Tree {
    std::vector<std::string> types;  ///< distinct, as the library prints them
    std::vector<Value> values;
    Block top;
};

/// A message of the library and its place, bytes from the start of the text.
struct Problem {
    std::size_t at = 0;
    std::string message;
};

struct Parsed {
    Tree tree;
    std::vector<Problem> problems;  ///< empty: the tree is whole
};

struct PrintWish {
    std::string_view text;       ///< a module
    bool locations = false;      ///< print them
    bool namesInPlaces = false;  ///< name values after the locations of what makes them
};

struct Printed {
    std::string text;
    std::vector<Problem> problems;  ///< empty: the text is whole
};

/// The functions of the shared object and their names in it. `Interface` counts changes of this header, so that an
/// object of another build is refused.
inline constexpr int kInterface = 2;
using Interface = int (*)();
using Parse = void (*)(std::string_view text, Parsed& out);
using Print = void (*)(const PrintWish& wish, Printed& out);
inline constexpr const char* kInterfaceName = "memplan_mlir_interface";
inline constexpr const char* kParseName = "memplan_mlir_parse";
inline constexpr const char* kPrintName = "memplan_mlir_print";

}  // namespace memplan::ttnn::ir
