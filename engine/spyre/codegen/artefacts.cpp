// SPDX-License-Identifier: Apache-2.0
// The files of an export (spyre-coarse-tiling-and-bundle 12.1).
#include "engine/spyre/bundle/python/wrapper.h"
#include "engine/spyre/bundle/unroll.h"
#include "engine/spyre/codegen/codegen_passes.h"

#include <cctype>
#include <map>
#include <set>

namespace memplan::spyre {

namespace {

/// Tensor names as Python names, different ones for different tensors.
class PythonNames {
public:
    std::string of(const std::string& name) {
        const auto it = names_.find(name);
        if (it != names_.end()) return it->second;
        std::string plain;
        for (const char c : name) {
            const bool isWordChar = c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
            plain += isWordChar ? c : '_';
        }
        if (plain.empty() || std::isdigit(static_cast<unsigned char>(plain.front())) != 0) plain.insert(0, "t_");
        std::string unique = plain;
        for (int n = 2; !taken_.insert(unique).second; ++n)
            unique = plain + "_" + std::to_string(n);
        return names_[name] = unique;
    }

    std::vector<std::string> of(const std::vector<std::string>& list) {
        std::vector<std::string> out;
        for (const std::string& name : list)
            out.push_back(of(name));
        return out;
    }

private:
    std::map<std::string, std::string> names_;
    std::set<std::string> taken_{"_pool", "args", "call"};
};

}  // namespace

Result<bundle::SpecTree> writtenTree(const bundle::Kernel& kernel, bool isFlat, const bundle::BundleOptions& options,
                                     Diagnostics& notes) {
    bundle::SpecTree specs = kernel.specs;
    if (!isFlat && options.addressMode == bundle::AddressMode::Baked) {
        const auto moves = bundle::hasMovingAddress(specs, options.strideModel);
        if (!moves) return moves.error();
        isFlat = moves.value();
    }
    if (isFlat) {
        auto flat = bundle::unrolled(specs, options.strideModel, notes);
        if (!flat) return flat;
        specs = std::move(flat).value();
    }
    bundle::replaceInexpressible(specs, "kernel " + kernel.name, notes);
    return specs;
}

Result<std::vector<Artefact>> bundleArtefacts(const std::vector<bundle::Kernel>& kernels,
                                              const std::vector<bundle::HostCall>& hostCalls,
                                              const std::vector<std::string>& inputs,
                                              const std::vector<bundle::Returned>& outputs, const Settings& settings,
                                              Diagnostics& notes) {
    const bundle::BundleOptions options = bundleOptions(settings);
    PythonNames names;
    bundle::WrapperFile wrapper;
    wrapper.inputs = names.of(inputs);
    wrapper.kernels = kernels;
    for (bundle::Kernel& k : wrapper.kernels)
        bundle::replaceInexpressible(k.specs, "kernel " + k.name, notes);
    for (const bundle::Kernel& k : kernels)
        wrapper.calls.push_back({k.name, names.of(k.arguments), k.poolSize > 0});
    for (const bundle::Returned& tensor : outputs)
        wrapper.outputs.emplace_back(names.of(tensor.name), tensor.view);
    for (const bundle::HostCall& call : hostCalls) {
        wrapper.hostCalls.push_back({call.name, names.of(call.read), names.of(call.written), call.position, call.fill});
        if (call.fill) wrapper.hostCalls.back().fill->tensor = names.of(call.fill->tensor);
    }
    bundle::ListingOptions listing;
    listing.seedListing = settings.boolean("spyre.seed_listing");
    std::vector<Artefact> files;
    files.emplace_back("output_code.py", bundle::wrapperText(wrapper, listing));
    for (const bundle::Kernel& k : wrapper.kernels) {
        auto specs = writtenTree(k, settings.boolean("spyre.unroll_loops"), options, notes);
        if (!specs) return std::move(specs).error();
        auto made = bundle::bundleFiles(specs.value(), options, notes);
        if (!made) {
            Error error = std::move(made).error();
            error.diagnostics.front().where = "kernel " + k.name + ", " + error.diagnostics.front().where;
            return error;
        }
        files.emplace_back(k.name + "/bundle.mlir", std::move(made.value().mlir));
        for (auto& [name, text] : made.value().operations)
            files.emplace_back(k.name + "/" + name, std::move(text));
    }
    return files;
}

}  // namespace memplan::spyre
