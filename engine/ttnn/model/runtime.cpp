// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/model/runtime.h"

#include <algorithm>

namespace memplan::ttnn::model {
namespace {

double real(std::int64_t value) {
    return static_cast<double>(value);
}

/// Bytes of the whole tensor, padding included.
Bytes wholeBytes(const TensorFacts& tensor, const Layout& layout) {
    if (tensor.isEmpty) return 0;
    if (layout.isTiled()) return tensor.tileCount() * tileBytes(layout.dtype);
    Bytes bytes = elementBytes(layout.dtype);
    for (const std::int64_t extent : tensor.shape)
        bytes *= extent;
    return bytes;
}

std::int64_t coresOf(const TensorFacts& tensor, const Layout& layout, const Device& device) {
    if (layout.isL1Sharded()) return std::max<std::int64_t>(1, layout.grid.volume());
    return std::clamp<std::int64_t>(tensor.tileCount(), 1, device.workers.volume());
}

/// Where the bytes of a tensor are when it is read.
struct Traffic {
    Bytes dramRead = 0, dramWritten = 0, moved = 0;
};

void read(Traffic& traffic, const TensorFacts& tensor, const Layout& layout, const Layout& output) {
    const Bytes bytes = wholeBytes(tensor, layout);
    if (layout.isInDram()) traffic.dramRead += bytes;
    if (layout.isInL1() && !sharesSharding(layout, output)) traffic.moved += bytes;
}

void setTraffic(Runtime& runtime, const Traffic& traffic, const Environment& environment) {
    const ModelFigures& f = environment.figures;
    const Device& device = environment.device;
    runtime.dramRead = traffic.dramRead;
    runtime.dramWritten = traffic.dramWritten;
    runtime.dramNs = real(traffic.dramRead + traffic.dramWritten) / (f.dramUtilisation * device.dramGBps);
    runtime.nocNs = real(traffic.moved) / (real(runtime.cores) * f.nocBytesPerCycle * device.clockGHz);
}

void finish(Runtime& runtime) {
    const double longest = std::max({runtime.computeNs, runtime.dramNs, runtime.nocNs});
    runtime.ns = runtime.launchNs + longest;
    if (runtime.launchNs >= longest)
        runtime.boundBy = BoundBy::Launch;
    else if (longest == runtime.computeNs)
        runtime.boundBy = BoundBy::Compute;
    else
        runtime.boundBy = longest == runtime.dramNs ? BoundBy::Dram : BoundBy::Noc;
}

const ComputeConfig& computeOf(const Case& c) {
    const auto* conv = std::get_if<Conv2dAttrs>(&c.config.attrs);
    if (conv && conv->compute) return *conv->compute;
    const auto* matmul = std::get_if<MatmulAttrs>(&c.config.attrs);
    return matmul && matmul->compute ? *matmul->compute : c.facts.compute;
}

double productCycles(const Case& c, const Layout& output) {
    const ModelFigures& f = c.figures();
    const std::string fidelity = computeOf(c).mathFidelity.value_or("");
    if (fidelity == "lofi") return f.productLofi;
    if (fidelity == "hifi2") return f.productHifi2;
    if (fidelity == "hifi3") return f.productHifi3;
    if (fidelity == "hifi4") return f.productHifi4;
    return output.dtype == DataType::F32 ? f.productHifi4 : f.productHifi2;
}

std::int64_t tileProducts(const OpFacts& facts) {
    const ProductFacts& size = facts.product;
    if (facts.kind->family != Family::Conv) return size.batch * size.rows * size.columns * size.inner;
    const ConvFacts& conv = facts.conv;
    return size.rows * size.columns * ceilDiv(conv.kernel[0] * conv.kernel[1] * conv.channels, kTile);
}

double cyclesPerTile(const OpFacts& facts, const ModelFigures& f) {
    if (!facts.kind) return f.cyclesTile;
    const Family family = facts.kind->family;
    if (family == Family::Softmax || family == Family::Norm) return f.passesNormalisation * f.cyclesTile;
    return facts.kind->isTranscendental ? f.cyclesTileTranscendental : f.cyclesTile;
}

double computeCycles(const Case& c, const Layout& output) {
    const bool isProduct =
        c.facts.kind && (c.facts.kind->family == Family::Matmul || c.facts.kind->family == Family::Conv);
    if (isProduct && c.facts.status == ValidationStatus::Success)
        return real(tileProducts(c.facts)) * productCycles(c, output);
    if (c.facts.results.empty()) return cyclesPerTile(c.facts, c.figures());
    const std::int64_t tiles = c.result().isEmpty ? 0 : c.result().tileCount();
    return real(tiles) * cyclesPerTile(c.facts, c.figures());
}

bool isFamily(const OpFacts& facts, Family family) {
    return facts.kind && facts.kind->family == family;
}

}  // namespace

Runtime runtimeOf(const Case& c, const Layout& output, bool isView) {
    Runtime runtime;
    runtime.cores = c.facts.results.empty() ? 1 : coresOf(c.result(), output, c.device());
    if (isView || isFamily(c.facts, Family::Nothing)) return runtime;
    if (isFamily(c.facts, Family::Conversion) && !c.inputs.empty() && !c.facts.results.empty())
        return conversionOf({c.facts.operands[0], c.inputs[0]}, {c.result(), output}, c.environment);
    Traffic traffic;
    for (std::size_t k = 0; k < c.inputs.size(); ++k)
        read(traffic, c.facts.operands[k], c.inputs[k], output);
    for (std::size_t i = 0; i < c.facts.results.size(); ++i) {
        const Layout layout = i == 0 ? output : furtherOutput(c.facts.results[i], output.page, c.device());
        if (layout.isInDram()) traffic.dramWritten += wholeBytes(c.facts.results[i], layout);
    }
    setTraffic(runtime, traffic, c.environment);
    runtime.launchNs = c.figures().launchNs;
    runtime.computeNs = computeCycles(c, output) / real(runtime.cores) / c.device().clockGHz;
    finish(runtime);
    return runtime;
}

Runtime conversionOf(Placed from, Placed to, const Environment& environment) {
    Runtime runtime;
    runtime.cores = coresOf(to.tensor, to.layout, environment.device);
    if (from.layout == to.layout) return runtime;
    Traffic traffic;
    read(traffic, from.tensor, from.layout, to.layout);
    if (to.layout.isInDram()) traffic.dramWritten = wholeBytes(to.tensor, to.layout);
    setTraffic(runtime, traffic, environment);
    finish(runtime);
    return runtime;
}

}  // namespace memplan::ttnn::model
