// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/codegen/codegen_passes.h"

#include "engine/base/parallel.h"
#include "engine/spyre/bundle/unroll.h"
#include "engine/spyre/codegen/op_spec_builder.h"
#include "engine/spyre/state.h"

namespace memplan::spyre {

namespace {

void reportAll(const Diagnostics& notes, PassContext& context) {
    for (const Diagnostic& d : notes.list())
        context.report(d);
}

std::int64_t opCount(const std::vector<bundle::Kernel>& kernels) {
    std::int64_t count = 0;
    for (const bundle::Kernel& k : kernels)
        count += static_cast<std::int64_t>(bundle::opsOf(k.specs).size());
    return count;
}

/// The badge of chapter 10: the address step of a loop depends on the model chosen.
void warnOfModels(const State& state, PassContext& context) {
    for (const bundle::Kernel& k : *state.opSpecs) {
        const auto found = bundle::modelDisagreement(k.specs);
        if (!found || found.value().empty()) continue;
        Diagnostic d;
        d.severity = Severity::Warning;
        d.code = "CT-023";
        d.where = "kernel " + k.name;
        d.message = "the stride models disagree: " + found.value();
        d.hint = "spyre.stride_model=" + context.settings.textOf("spyre.stride_model") +
                 " is in force; host_stride_map reproduces the original's first listing, device_row_major fits "
                 "the device layout";
        context.report(std::move(d));
    }
}

}  // namespace

Result<PassOutcome> makeOpSpecs(State& state, PassContext& context) {
    Diagnostics notes;
    const unsigned threads = threadCount(context.settings.integer("engine.threads"));
    const bundle::StrideModel model = bundleOptions(context.settings).strideModel;
    state.opSpecs = std::make_shared<const std::vector<bundle::Kernel>>(buildOpSpecs(state, model, threads, notes));
    state.codeSpecs = state.opSpecs;
    warnOfModels(state, context);
    reportAll(notes, context);
    const auto kernels = static_cast<std::int64_t>(state.opSpecs->size());
    return PassOutcome{kernels > 0, {{"kernels", kernels}, {"op_specs", opCount(*state.opSpecs)}}};
}

Result<PassOutcome> unrollLoops(State& state, PassContext& context) {
    const auto model = bundleOptions(context.settings).strideModel;
    std::int64_t loops = 0;
    Diagnostics notes;
    std::vector<bundle::Kernel> kernels = *state.codeSpecs;
    for (bundle::Kernel& k : kernels) {
        if (context.cancelled()) return makeError(kCancelledCode, "", "cancelled");
        if (bundle::depthOf(k.specs) == 0) continue;
        auto flat = bundle::unrolled(k.specs, model, notes);
        if (!flat) return std::move(flat).error();
        k.specs = std::move(flat).value();
        ++loops;
    }
    reportAll(notes, context);
    if (loops > 0) state.codeSpecs = std::make_shared<const std::vector<bundle::Kernel>>(std::move(kernels));
    return PassOutcome{loops > 0, {{"loop_nests", loops}, {"op_specs", opCount(*state.codeSpecs)}}};
}

Result<PassOutcome> writeBundle(State& state, PassContext& context) {
    const bundle::BundleOptions options = bundleOptions(context.settings);
    std::int64_t files = 0;
    Diagnostics notes;
    for (const bundle::Kernel& k : *state.codeSpecs) {
        if (context.cancelled()) return makeError(kCancelledCode, "", "cancelled");
        auto specs = writtenTree(k, false, options, notes);
        if (!specs) return std::move(specs).error();
        auto made = bundle::bundleFiles(specs.value(), options, notes);
        if (!made) return std::move(made).error();
        files += 1 + static_cast<std::int64_t>(made.value().operations.size());
    }
    reportAll(notes, context);
    return PassOutcome{false, {{"files", files}}};
}

bundle::BundleOptions bundleOptions(const Settings& settings) {
    bundle::BundleOptions options;
    using bundle::AddressMode;
    using bundle::StrideModel;
    options.strideModel =
        bundle::strideModelNamed(settings.textOf("spyre.stride_model")).value_or(StrideModel::DeviceRowMajor);
    options.addressMode =
        bundle::addressModeNamed(settings.textOf("spyre.address_mode")).value_or(AddressMode::PerTensorConstants);
    options.sdsc.kFastEmission = settings.boolean("spyre.k_fast");
    return options;
}

}  // namespace memplan::spyre
