// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/mlir/reader.h"

#include "engine/ttnn/mlir/device_reader.h"
#include "engine/ttnn/mlir/function_reader.h"
#include "engine/ttnn/mlir/library.h"
#include "engine/ttnn/mlir/prepass.h"
#include "engine/ttnn/mlir/problems.h"
#include "engine/ttnn/mlir/scanner.h"

#include <algorithm>
#include <utility>

namespace memplan::ttnn {

namespace {

std::size_t countOf(const ir::Block& block) {
    std::size_t count = block.operations.size();
    for (const ir::Operation& op : block.operations) {
        for (const ir::Region& region : op.regions) {
            for (const ir::Block& inner : region.blocks)
                count += countOf(inner);
        }
    }
    return count;
}

const ir::Block* bodyOf(const ir::Operation& op) {
    return op.regions.empty() || op.regions.front().blocks.empty() ? nullptr : &op.regions.front().blocks.front();
}

bool isDevice(const ir::Operation& op) {
    return op.name == "ttcore.device" || op.name == "tt.device";
}

bool isModule(const ir::Operation& op) {
    return op.name == "builtin.module";
}

class ModuleReader {
public:
    ModuleReader(const ir::Tree& tree, const PreparedText& prepared)
        : tree_(tree), shared_(tree, prepared, out_.module.device) {
        out_.module.resources = prepared.resources;
    }

    Result<ReadModule> run() {
        const ir::Block* block = &tree_.top;
        if (block->operations.size() == 1 && isModule(block->operations.front()))
            block = header(block->operations.front());
        if (block != nullptr) block = unwrapped(*block);
        takeDevice(block);
        if (block != nullptr) {
            for (const ir::Operation& op : block->operations) {
                if (auto done = item(op); !done) return done.error();
            }
        }
        const bool hasBody = std::ranges::any_of(out_.module.functions, &Function::hasBody);
        if (!hasBody)
            return makeError("MLIR-001", "1:1", "the module has no function with a body",
                             "export the model with its body");
        out_.warnings = shared_.takeWarnings();
        return std::move(out_);
    }

private:
    /// Name and attributes of a module; its body.
    const ir::Block* header(const ir::Operation& op) {
        Module& module = out_.module;
        module.location = {shared_.expanded(op.location.text), op.location.name};
        module.attributes = shared_.expanded(op.attributes);
        for (Attribute& property : shared_.expanded(op.properties)) {
            if (property.name == "sym_name")
                module.name = stringOf(property.text).value_or(property.text);
            else
                module.attributes.push_back(std::move(property));
        }
        return bodyOf(op);
    }

    /// The body of the module inside `ttcore.device_module`, if there is one.
    const ir::Block* unwrapped(const ir::Block& block) {
        const auto wrapper = std::ranges::find_if(block.operations, [](const ir::Operation& op) {
            return op.name == "ttcore.device_module" || op.name == "tt.device_module";
        });
        if (wrapper == block.operations.end()) return &block;
        for (const ir::Operation& op : block.operations) {
            if (&op != &*wrapper) out_.module.outerOthers.push_back(shared_.genericText(op));
        }
        out_.module.inDeviceModule = true;
        out_.module.outerName = std::exchange(out_.module.name, {});
        out_.module.outerAttributes = std::exchange(out_.module.attributes, {});
        const ir::Block* inside = bodyOf(*wrapper);
        if (inside == nullptr || inside->operations.empty() || !isModule(inside->operations.front())) return inside;
        return header(inside->operations.front());
    }

    /// Before any type is read: missing placements of layouts follow the device.
    void takeDevice(const ir::Block* block) {
        Module& module = out_.module;
        for (const Attributes* attributes : {&module.outerAttributes, &module.attributes}) {
            // The dialect was called tt before May 2025.
            for (const char* name : {"tt.system_desc", "ttcore.system_desc"})
                if (const std::string* text = findAttribute(*attributes, name)) takeSystemDescription(*text, module);
            if (const std::string* text = findAttribute(*attributes, "tt.device")) takeDeviceAttribute(*text, module);
            if (const std::string* cap = findAttribute(*attributes, "ttnn.tensor_l1_usage_cap"))
                module.l1UsageCap = numberOf(*cap);
        }
        if (block == nullptr) return;
        for (const ir::Operation& op : block->operations) {
            const std::string* text = isDevice(op) ? findAttribute(op.properties, "device_attr") : nullptr;
            if (text != nullptr) takeDeviceAttribute(shared_.expanded(*text), module);
        }
    }

    Result<void> item(const ir::Operation& op) {
        if (op.function) {
            const auto isSame = [&](const Function& f) { return f.name == op.function->name; };
            if (std::ranges::any_of(out_.module.functions, isSame))
                return makeError("MLIR-003", shared_.place(op.at), "a second function @" + op.function->name,
                                 "a file of several modules, divided by // ----- lines, is opened module by module");
            auto read = shared_.function(op);
            if (!read) return read.error();
            out_.module.functions.push_back(std::move(read).value());
            return {};
        }
        auto& list = isDevice(op) ? out_.module.devices : out_.module.others;
        list.push_back(shared_.genericText(op));
        return {};
    }

    const ir::Tree& tree_;
    ReadModule out_;
    TreeReader shared_;
};

Result<void> withinLimits(const ir::Tree& tree, const io::Limits& limits) {
    const auto count = static_cast<std::int64_t>(countOf(tree.top));
    if (count <= limits.graphOps) return {};
    return makeError("MPG-110", "1:1",
                     "the module has " + std::to_string(count) + " operations, the limit is " +
                         std::to_string(limits.graphOps),
                     "raise limits.graph_ops");
}

}  // namespace

Result<ReadModule> readModule(std::string_view bytes, const io::Limits& limits, const RunControl& control) {
    const auto library = ir::loadLibrary();
    if (!library) return library.error();
    auto prepared = prepareText(bytes, limits.nesting);
    if (!prepared) return prepared.error();
    if (control.shouldStop()) return makeError(kCancelledCode, {}, "reading was cancelled");
    ir::Parsed parsed;
    library.value().parse(prepared.value().text, parsed);
    if (!parsed.problems.empty()) return errorOf(parsed.problems, prepared.value().map);
    if (control.shouldStop()) return makeError(kCancelledCode, {}, "reading was cancelled");
    if (auto done = withinLimits(parsed.tree, limits); !done) return done.error();
    return ModuleReader(parsed.tree, prepared.value()).run();
}

}  // namespace memplan::ttnn
