// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/ttnn/time_rules.h"

#include "engine/verify/ttnn/conv_rules.h"
#include "engine/verify/ttnn/matmul_rules.h"
#include "engine/verify/ttnn/op_facts.h"

#include <algorithm>
#include <array>
#include <variant>

namespace memplan::verify::ttnn {
namespace {

constexpr double kTileCycles = 64;
constexpr std::array<std::string_view, 39> kCurves{
    "gelu",  "silu",  "rsqrt",     "sqrt",       "sigmoid",    "exp",  "exp2",       "log",   "log1p",    "expm1",
    "tanh",  "sin",   "cos",       "tan",        "sinh",       "cosh", "asin",       "acos",  "atan",     "asinh",
    "acosh", "atanh", "erf",       "erfc",       "cbrt",       "elu",  "celu",       "selu",  "softplus", "softsign",
    "mish",  "swish", "hardswish", "reciprocal", "pow_scalar", "pow",  "pow_tensor", "atan2", "gelu_bw"};
constexpr std::array<std::string_view, 5> kConversions{"to_layout", "to_memory_config", "to_device", "from_device",
                                                       "to_dtype"};

/// Figures of a machine file.
struct Pace {
    double launchNs = 3000, dramShare = 0.7, nocBytesOfCycle = 32;

    explicit Pace(const MachineDescription& machine) {
        const auto take = [&](std::string_view key, double unit, double& figure) {
            const auto it = machine.values.find(key);
            if (it != machine.values.end()) figure = static_cast<double>(it->second) / unit;
        };
        take("launch_ns", 1, launchNs);
        take("dram_utilisation_percent", 100, dramShare);
        take("noc_bytes_per_cycle", 1, nocBytesOfCycle);
    }
};

struct Time {
    double ns = 0;
    std::string_view boundBy = "launch";
    std::int64_t cores = 1;
    Bytes read = 0, written = 0;
};

class Clock {
public:
    Clock(const OpFacts& op, const Pace& pace, bool isView) : op_(op), pace_(pace), isView_(isView) {}

    Time run() {
        time_.cores = coresUsed();
        if (isView_ || isNothing()) return time_;
        const bool isConversion = std::ranges::find(kConversions, op_.kind()) != kConversions.end();
        if (isConversion && op_.in[0].layout == op_.out[0].layout) return time_;
        Bytes moved = 0;
        for (const Tensor& t : op_.in) {
            if (t.layout.isInDram()) time_.read += deviceBytes(t.layout, t.shape);
            if (t.layout.isInL1() && !staysOnItsCores(t)) moved += deviceBytes(t.layout, t.shape);
        }
        for (const Tensor& t : op_.out)
            time_.written += t.layout.isInDram() ? deviceBytes(t.layout, t.shape) : 0;
        const double dram = static_cast<double>(time_.read + time_.written) / (pace_.dramShare * op_.device.dramGBps);
        const double noc = static_cast<double>(moved) / (cores() * pace_.nocBytesOfCycle * op_.device.clockGHz);
        const double compute = isConversion ? 0 : cycles() / cores() / op_.device.clockGHz;
        finish(compute, dram, noc, isConversion ? 0 : pace_.launchNs);
        return time_;
    }

private:
    const OpFacts& op_;
    const Pace& pace_;
    bool isView_;
    Time time_;

    [[nodiscard]] double cores() const { return static_cast<double>(time_.cores); }
    [[nodiscard]] bool isNothing() const { return op_.kind() == "get_device" || op_.kind() == "deallocate"; }
    [[nodiscard]] std::int64_t outTiles() const {
        const auto tiles = tilesOf(op_.out[0].shape);
        return tiles[0] * tiles[1];
    }
    [[nodiscard]] std::int64_t coresUsed() const {
        const Layout& out = op_.out[0].layout;
        if (out.isL1Sharded()) return out.grid.volume();
        return std::clamp<std::int64_t>(outTiles(), 1, op_.device.workers.volume());
    }
    [[nodiscard]] bool staysOnItsCores(const Tensor& t) const {
        const Layout& out = op_.out[0].layout;
        return t.layout.isSharded() && t.layout.mem == out.mem && t.layout.grid == out.grid &&
               t.layout.cores == out.cores && t.layout.buffer == out.buffer;
    }

    /// Cycles of one product of tiles.
    [[nodiscard]] double fidelityCycles() const {
        const memplan::ttnn::ComputeConfig* compute = nullptr;
        if (const auto* conv = std::get_if<memplan::ttnn::Conv2dAttrs>(&op_.op.config);
            conv != nullptr && conv->compute)
            compute = &*conv->compute;
        if (const auto* product = std::get_if<memplan::ttnn::MatmulAttrs>(&op_.op.config);
            product != nullptr && product->compute)
            compute = &*product->compute;
        std::string fidelity = compute != nullptr ? compute->mathFidelity.value_or("") : std::string();
        const std::string* text = op_.attribute("compute_config");
        for (const char* word : {"lofi", "hifi2", "hifi3", "hifi4"}) {
            if (fidelity.empty() && text != nullptr && text->find(word) != std::string::npos) fidelity = word;
        }
        if (fidelity == "lofi") return 16;
        if (fidelity == "hifi2") return 32;
        if (fidelity == "hifi3") return 48;
        if (fidelity == "hifi4") return 64;
        return op_.out[0].layout.dtype == memplan::ttnn::DataType::F32 ? 64 : 32;
    }

    [[nodiscard]] double cycles() const {
        const std::string_view kind = op_.kind();
        const auto tiles = static_cast<double>(outTiles());
        if (isModelled(op_.op) && isConvolution(op_.op))
            return static_cast<double>(convTileProducts(op_)) * fidelityCycles();
        if (isModelled(op_.op) && (kind == "matmul" || kind == "linear") && op_.in.size() > 1)
            return products() * fidelityCycles();
        if (kind == "softmax" || kind == "layer_norm" || kind == "rms_norm") return tiles * 5 * kTileCycles;
        const bool isCurve = std::ranges::find(kCurves, kind) != kCurves.end();
        return tiles * (isCurve ? 256 : kTileCycles);
    }

    [[nodiscard]] double products() const {
        const auto tiles = [](std::int64_t n) { return (n + 31) / 32; };
        const Factors f = factorsOf(op_);
        const std::int64_t batch = f.batchOfB == 1 ? f.batchOfA : std::max(f.batchOfA, f.batchOfB);
        return static_cast<double>(batch * tiles(f.rows) * tiles(f.cols) * tiles(f.inner));
    }

    void finish(double compute, double dram, double noc, double launch) {
        const double longest = std::max({compute, dram, noc});
        time_.ns = launch + longest;
        if (launch >= longest) return;
        time_.boundBy = longest == compute ? "compute" : longest == dram ? "dram" : "noc";
    }
};

}  // namespace

void checkTime(const Plan& plan, OpId id, Report& report) {
    const TtnnData& data = ttnnData(plan);
    const TtnnOp& op = data.ops[id.at()];
    const OpFacts facts(plan, op, data.device);
    if (facts.in.empty() && facts.out.empty()) return;
    const bool isView = isModelled(op) && op.cb == 0 && op.tensorL1 == 0 && facts.kind() == "reshape";
    const Time time = Clock(facts, Pace(plan.machine), isView).run();
    const std::string where = "op " + plan.op(id).name + " ";
    report.expect(where + "ns", op.ns, time.ns);
    report.expect(where + "dram_read", op.dramRead, time.read);
    report.expect(where + "dram_written", op.dramWritten, time.written);
    report.expect(where + "cores", plan.op(id).cores, time.cores);
    if (op.boundBy != time.boundBy)
        report.add("VER-013", where + "bound_by", "says " + op.boundBy + ", its times say " + std::string(time.boundBy),
                   {id});
}

}  // namespace memplan::verify::ttnn
