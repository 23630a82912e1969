// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/import/bundle_import.h"

#include "engine/base/text.h"
#include "engine/io/files/inside.h"
#include "engine/io/input.h"
#include "engine/spyre/bundle/python/wrapper.h"
#include "engine/spyre/import/bundle_strides.h"
#include "engine/spyre/import/kernel_import.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

namespace memplan::io {

namespace {

namespace fs = std::filesystem;
using bundle::ImportedProgram;

constexpr std::int64_t kCores = 32;
constexpr const char* kWrapper = "output_code.py";

bool holdsBundle(const fs::path& folder) {
    std::error_code ignored;
    if (fs::exists(folder / "bundle.mlir", ignored)) return true;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with("sdsc") && name.ends_with(".json")) return true;
    }
    return false;
}

/// Every entry that would be read is inside, links followed: `folder` below `root`, its files below `root`.
Result<void> checkFolder(const fs::path& root, const fs::path& folder) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        const std::string name = entry.path().filename().string();
        const bool isRead = name == "bundle.mlir" || name.ends_with(".json");
        if (!isRead) continue;
        if (auto inside = checkInside(root, entry.path()); !inside) return inside;
    }
    return {};
}

/// The running number at the end of a kernel's name, sdsc_fused_add_mul_12; -1 for none.
std::int64_t runningNumber(const fs::path& folder) {
    const std::string name = folder.filename().string();
    const std::size_t mark = name.rfind('_');
    if (mark == std::string::npos || mark + 1 == name.size()) return -1;
    const std::string digits = name.substr(mark + 1);
    const bool isNumber = std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
    return isNumber ? text::parseInt(digits).value_or(-1) : -1;
}

/// In the order of their running numbers where all have one of their own, else by name.
std::vector<fs::path> kernelFolders(const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        if (entry.is_directory(ignored) && fs::exists(entry.path() / "bundle.mlir", ignored))
            found.push_back(entry.path());
    }
    std::sort(found.begin(), found.end(),
              [](const fs::path& a, const fs::path& b) { return a.filename().string() < b.filename().string(); });
    std::set<std::int64_t> numbers;
    for (const fs::path& path : found)
        numbers.insert(runningNumber(path));
    if (numbers.size() == found.size() && !numbers.contains(-1)) {
        std::stable_sort(found.begin(), found.end(),
                         [](const fs::path& a, const fs::path& b) { return runningNumber(a) < runningNumber(b); });
    }
    return found;
}

/// Checks that hold for both sources, and what is lost for good (17.6).
void finish(ImportedProgram& program, Diagnostics& notes) {
    std::size_t ops = 0;
    for (const bundle::Kernel& k : program.kernels) {
        bundle::checkKernel(k, kCores, notes);
        if (program.source == bundle::ImportSource::Bundle) reportUnrolled(k, notes);
        ops += bundle::opsOf(k.specs).size();
    }
    const bool isBundle = program.source == bundle::ImportSource::Bundle;
    notes.note("BND-109", "input",
               isBundle
                   ? "not in a bundle: hints, origins of groups, host strides, coordinate offsets beyond the start "
                     "address, how tiled buffers were propagated; device sizes, coordinates and names are "
                     "reconstructed"
                   : "not in a wrapper source: hints and their names, why a buffer is where it is; the extents "
                     "before tiling are the tile's times the loop counts");
    // A host part without kernels is whole: what it returns are its own arguments, or comes from operations of the
    // host.
    const bool isHostOnly = !isBundle && program.kernels.empty();
    if (ops == 0 && !isHostOnly) notes.warning("BND-104", "input", "no operation could be read");
    program.problems = notes.list();
}

std::string firstNames(const std::vector<std::string>& names) {
    constexpr std::size_t kShown = 4;
    const std::size_t shown = std::min(kShown, names.size());
    std::string list = text::join({names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown)}, ", ");
    if (names.size() > shown) list += " and " + std::to_string(names.size() - shown) + " more";
    return list;
}

/// Operations without a kernel that no comment names, and constants: only the tensors between them and the kernels show
/// that they are there.
void reportWhatHasNoKernel(const ImportedProgram& program, Diagnostics& notes) {
    if (program.inputs.empty()) return;  // nothing says what comes from the caller
    std::set<std::string> known(program.inputs.begin(), program.inputs.end());
    std::set<std::string> used;
    for (const bundle::Returned& tensor : program.outputs)
        used.insert(tensor.name);
    for (const bundle::HostCall& call : program.hostCalls) {
        used.insert(call.read.begin(), call.read.end());
        known.insert(call.written.begin(), call.written.end());
    }
    std::vector<std::string> made;
    std::vector<std::string> foreign;
    for (const bundle::Kernel& k : program.kernels) {
        for (const bundle::OpSpec* op : bundle::opsOf(k.specs)) {
            for (const bundle::TensorArg& arg : op->args) {
                const auto at = static_cast<std::size_t>(std::max<std::int64_t>(arg.argIndex, 0));
                if (arg.argIndex < 0 || at >= k.arguments.size()) continue;
                const std::string& name = k.arguments[at];
                if (arg.isInput) used.insert(name);
                if (!known.insert(name).second) continue;
                (arg.isInput ? foreign : made).push_back(name);
            }
        }
    }
    std::erase_if(made, [&](const std::string& name) { return used.contains(name); });
    if (foreign.empty() && made.empty()) return;
    std::string what;
    if (!foreign.empty()) what = "no kernel writes what kernels read: " + firstNames(foreign);
    if (!made.empty()) what += (what.empty() ? "" : "; ") + ("none reads what kernels write: " + firstNames(made));
    notes.note("BND-109", "call",
               what + ". Constants and operations without a kernel are not in a wrapper source, nor is what they move",
               "open the plan or the model itself for the traffic of the whole graph");
}

}  // namespace

bool isBundleFolder(const std::string& folder) {
    const fs::path path(folder);
    std::error_code ignored;
    return holdsBundle(path) || !kernelFolders(path).empty() || fs::exists(path / kWrapper, ignored);
}

Result<ImportedProgram> importWrapper(std::string_view text) {
    Diagnostics notes;
    auto file = bundle::readWrapper(text, notes);
    if (!file) return std::move(file).error();
    ImportedProgram program;
    program.source = bundle::ImportSource::Wrapper;
    program.hasHostPart = file.value().hasCall;
    program.inputs = std::move(file.value().inputs);
    program.outputs = std::move(file.value().outputs);
    program.kernels = std::move(file.value().kernels);
    program.hostCalls = std::move(file.value().hostCalls);
    // Running order is that of the calls; what is never run stands behind.
    std::map<std::string, std::size_t> position;
    for (std::size_t i = 0; i < file.value().calls.size(); ++i)
        position.emplace(file.value().calls[i].kernel, i);
    std::stable_sort(program.kernels.begin(), program.kernels.end(), [&](const auto& a, const auto& b) {
        const auto at = [&](const std::string& name) {
            const auto it = position.find(name);
            return it == position.end() ? position.size() : it->second;
        };
        return at(a.name) < at(b.name);
    });
    for (bundle::HostCall& call : program.hostCalls)
        call.position = static_cast<std::size_t>(
            std::count_if(program.kernels.begin(), program.kernels.end(), [&](const bundle::Kernel& k) {
                const auto it = position.find(k.name);
                return it != position.end() && it->second < call.position;
            }));
    for (bundle::Kernel& k : program.kernels) {
        Diagnostics levels;
        (void)bundle::forEachOp(k.specs, [&](const bundle::OpSpec& op, const auto& loops) -> Result<void> {
            (void)bundle::levelSymbols(op, loops, levels);
            return {};
        });
        for (const Diagnostic& d : levels.kept())
            notes.add(d);
    }
    reportWhatHasNoKernel(program, notes);
    finish(program, notes);
    return program;
}

Result<ImportedProgram> importBundleFolder(const std::string& folder, const Limits& limits, const RunControl& control) {
    Diagnostics notes;
    ImportedProgram program;
    program.source = bundle::ImportSource::Bundle;
    const fs::path root(folder);
    std::vector<fs::path> folders = holdsBundle(root) ? std::vector<fs::path>{root} : kernelFolders(root);
    for (const fs::path& path : folders) {
        if (auto inside = checkFolder(root, path); !inside) return inside.error();
    }
    for (const fs::path& path : folders) {
        if (control.cancelled()) return makeError(kCancelledCode, "", "cancelled");
        ImportedKernel kernel = importKernelFolder(root.string(), path.string(), limits, control, notes);
        program.kernels.push_back(std::move(kernel.kernel));
        if (!program.strideModel) program.strideModel = kernel.strideModel;
    }
    std::error_code ignored;
    if (fs::exists(root / kWrapper, ignored)) {
        auto bytes = readInside(root, kWrapper, limits.textBytes, "BND-107");
        if (!bytes && bytes.error().primary().code == "BND-003") return bytes.error();
        auto trees = bytes ? importWrapper(bytes.value()) : Result<ImportedProgram>(bytes.error());
        if (!trees) {
            addProblem(notes, trees.error(), "output_code.py");
        } else {
            // The source has the trees before address lowering; the folders reported what is damaged.
            for (const bundle::Kernel& k : trees.value().kernels) {
                const bool there = std::any_of(folders.begin(), folders.end(),
                                               [&](const fs::path& p) { return p.filename() == k.name; });
                if (!there) notes.warning("BND-104", k.name, "output_code.py names this kernel, its folder is missing");
            }
            for (const Diagnostic& d : trees.value().problems)
                notes.add(d);
            trees.value().strideModel = program.strideModel;
            program = std::move(trees).value();
            program.problems = notes.list();
            return program;
        }
    }
    const bool nothing = std::all_of(program.kernels.begin(), program.kernels.end(),
                                     [](const bundle::Kernel& k) { return k.specs.empty(); });
    if (nothing) {
        return makeError("BND-104", text::escaped(folder), "the folder holds no bundle",
                         "choose a folder with bundle.mlir and sdsc_<n>.json");
    }
    finish(program, notes);
    return program;
}

Result<ImportedProgram> importSdsc(std::string_view bytes, const std::string& name, const Limits& limits,
                                   const RunControl& control) {
    auto record = readSdsc(bytes, limits, control);
    if (!record) return std::move(record).error();
    Diagnostics notes;
    ImportedProgram program;
    program.source = bundle::ImportSource::Bundle;
    program.kernels.push_back(kernelOfSdsc(name, std::move(record).value(), limits, control, notes));
    finish(program, notes);
    return program;
}

}  // namespace memplan::io
