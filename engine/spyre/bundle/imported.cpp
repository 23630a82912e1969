// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/bundle/imported.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/spyre/bundle/arg_lengths.h"
#include "engine/spyre/bundle/next_live.h"
#include "engine/spyre/bundle/sdsc/sdsc_op.h"
#include "engine/spyre/bundle/sdsc/work_division.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

namespace memplan::bundle {

namespace {

constexpr std::array<std::string_view, 12> kBinary = {"add",         "sub",          "mul",        "realdiv",
                                                      "maximum",     "minimum",      "equal",      "notequal",
                                                      "greaterthan", "greaterequal", "lesserthan", "lesserequal"};

class Checker {
public:
    Checker(std::int64_t cores, Diagnostics& notes) : cores_(cores), notes_(notes) {}

    void list(const SpecTree& tree, const std::string& path) {
        for (std::size_t i = 0; i < tree.size(); ++i)
            node(tree[i], path + "[" + std::to_string(i) + "]");
    }

private:
    void report(int check, const std::string& path, const std::string& what) {
        const bool isError = check == 1 || check == 3 || check == 5;
        Diagnostic d;
        d.severity = isError ? Severity::Error : Severity::Warning;
        d.code = "CT-025";
        d.where = path;
        d.message = "check " + std::to_string(check) + ": " + what;
        d.hint = "compile the source anew";
        notes_.add(std::move(d));
    }

    void node(const SpecNode& n, const std::string& path) {
        if (n.kind == SpecKind::Op) return op(n.op, path);
        if (n.kind != SpecKind::Loop) return;
        if (n.body.empty()) report(5, path, "the loop has no body");
        if (const auto count = n.count.integer(); count && *count <= 0)
            report(5, path, "the loop count is not above 0");
        list(n.body, path + ".body");
    }

    void op(const OpSpec& op, const std::string& path) {
        if (op.args.empty() || op.iterationSpace.empty()) return;
        for (const std::string& s : op.tiledSymbols) {
            if (op.find(s) == nullptr) report(3, path, "tiled symbol \"" + s + "\" is no loop of the op");
        }
        const bool positive = std::all_of(op.iterationSpace.begin(), op.iterationSpace.end(),
                                          [](const IterationEntry& e) { return e.split >= 1; });
        if (!positive || op.cores() > cores_) {
            report(4, path,
                   "the work divisions ask for " + text::grouped(op.cores()) + " cores, there are " +
                       text::grouped(cores_));
        }
        const auto outputs =
            std::count_if(op.args.begin(), op.args.end(), [](const TensorArg& a) { return !a.isInput; });
        if (outputs != 1 || op.args.back().isInput) report(6, path, "one output is expected, behind the inputs");
        const std::size_t inputs = op.args.size() - static_cast<std::size_t>(outputs);
        const bool binary = std::find(kBinary.begin(), kBinary.end(), op.op) != kBinary.end();
        const bool matmul = op.op == "batchmatmul";
        if ((binary || matmul) && inputs != 2) report(7, path, "op \"" + op.op + "\" has two inputs");
        if (matmul && !op.isReduction) report(7, path, "op \"batchmatmul\" is a reduction");
        for (std::size_t a = 0; a < op.args.size(); ++a)
            arg(op, op.args[a], path + ".args[" + std::to_string(a) + "]");
    }

    void arg(const OpSpec& op, const TensorArg& a, const std::string& path) {
        if (const auto problem = lengthProblem(a)) return report(1, path, *problem);
        for (const Expr& e : a.coordinates) {
            for (const std::string& s : e.symbols()) {
                if (op.find(s) == nullptr && !s.starts_with("indirect")) {
                    report(2, path, "symbol \"" + s + "\" of a coordinate is no loop of the op");
                }
            }
        }
        if (a.perTileFixed && a.allocation && a.allocation->space == Space::Hbm) {
            report(8, path, "a tile that stays in place is neither in LX nor in the pool");
        }
        const DeviceFormat* format = deviceFormatNamed(a.deviceDtype);
        if (format == nullptr || a.deviceSize.back() != format->elemsPerStick) {
            report(9, path,
                   "the last device dimension is " + std::to_string(a.deviceSize.back()) +
                       (format == nullptr
                            ? ", the format " + text::quoted(a.deviceDtype) + " is not known"
                            : ", a stick of " + a.deviceDtype + " has " + std::to_string(format->elemsPerStick)));
        }
    }

    std::int64_t cores_;
    Diagnostics& notes_;
};

}  // namespace

void checkKernel(const Kernel& kernel, std::int64_t cores, Diagnostics& notes) {
    Checker(cores, notes).list(kernel.specs, kernel.name);
}

std::int64_t lxBytesPerCore(const OpSpec& op, std::size_t arg) {
    const auto sdsc = sdscOp(op, {});
    if (!sdsc) return 0;
    const SdscArg& a = sdsc.value().args[arg];
    std::int64_t bytes = a.bytes;
    bool hasStick = false;
    for (const SdscArgDim& own : a.dims) {
        const SdscDim* d = sdsc.value().find(own.label);
        const bool isMoved = d != nullptr && own.scale == 1;
        std::int64_t extent = isMoved ? ceilDiv(d->extent, slicesAlong(sdsc.value(), op, arg, *d)) : 1;
        if (own.label == a.stick) {
            extent = alignUp(extent, a.elemsPerStick);
            hasStick = true;
        }
        bytes = saturatedMul(bytes, extent);
    }
    return hasStick ? bytes : saturatedMul(bytes, a.elemsPerStick);
}

std::vector<std::int64_t> rowMajorStrideMap(const OpSpec& op, const TensorArg& arg) {
    const std::int64_t eps = arg.deviceSize.empty() ? 1 : arg.deviceSize.back();
    std::vector<std::int64_t> map(arg.deviceSize.size(), -1);
    if (!map.empty()) map.back() = 1;
    if (arg.coordinates.size() != arg.deviceSize.size()) return map;
    std::int64_t stride = 1;
    for (std::size_t s = op.iterationSpace.size(); s-- > 0;) {
        const std::string& symbol = op.iterationSpace[s].symbol;
        for (std::size_t d = 0; d + 1 < arg.coordinates.size(); ++d) {
            if (!arg.coordinates[d].mentions(symbol)) continue;
            const bool isStick = arg.coordinates.back().mentions(symbol);
            map[d] = isStick ? saturatedMul(stride, eps) : stride;
            stride = saturatedMul(stride, saturatedMul(arg.deviceSize[d], isStick ? eps : 1));
            break;
        }
    }
    return map;
}

namespace {

/// Bytes of the part of a device layout that the splits of the op give to one core. A loop that moves along several
/// dimensions cuts the first one.
std::int64_t layoutBytesPerCore(const OpSpec& op, const TensorArg& arg) {
    constexpr std::int64_t kStickBytes = 128;
    if (arg.deviceSize.size() < 2 || arg.coordinates.size() != arg.deviceSize.size()) return INT64_MAX;
    std::vector<std::int64_t> pieces(arg.deviceSize.size(), 1);
    for (const IterationEntry& e : op.iterationSpace) {
        const auto cut = std::find_if(arg.coordinates.begin(), arg.coordinates.end(),
                                      [&](const Expr& c) { return c.mentions(e.symbol); });
        if (cut == arg.coordinates.end()) continue;
        std::int64_t& of = pieces[static_cast<std::size_t>(cut - arg.coordinates.begin())];
        of = saturatedMul(of, std::max<std::int64_t>(e.split, 1));
    }
    std::int64_t bytes = kStickBytes;
    for (std::size_t d = 0; d + 1 < arg.deviceSize.size(); ++d)
        bytes = saturatedMul(bytes, ceilDiv(std::max<std::int64_t>(arg.deviceSize[d], 0), pieces[d]));
    return bytes;
}

/// What one core holds of an arg: its layout where the source records one. Without, extents and gaps are all there is:
/// a descriptor rounds extents for all its tensors, and none takes more than its own layout has.
std::int64_t bytesInLx(const OpSpec& op, std::size_t arg) {
    const std::int64_t ofLayout = layoutBytesPerCore(op, op.args[arg]);
    const bool isRecorded = op.args[arg].strideMap.has_value() && ofLayout != INT64_MAX;
    return isRecorded ? ofLayout : std::min(lxBytesPerCore(op, arg), ofLayout);
}

/// Nobody in the kernel wrote the tensor and no layout is recorded: extents of its readers, rounded for another of
/// their tensors, are all that bounds its size. It ends at the latest where the next live tensor begins.
void cutAt(LxTensor& t, std::int64_t next) {
    if (next >= saturatedAdd(t.address, t.bytes)) return;
    t.bytes = next - t.address;
    t.isCut = true;
}

}  // namespace

std::vector<LxTensor> lxTensors(const Kernel& kernel) {
    std::vector<LxTensor> tensors;
    const auto ops = opsOf(kernel.specs);
    std::map<std::int64_t, int> newest;
    const auto latest = [&](std::int64_t address) {
        const auto it = newest.find(address);
        return it == newest.end() ? -1 : it->second;
    };
    for (std::size_t s = 0; s < ops.size(); ++s) {
        const int step = static_cast<int>(s);
        std::vector<int> read;
        for (std::size_t a = 0; a < ops[s]->args.size(); ++a) {
            const TensorArg& arg = ops[s]->args[a];
            if (!arg.allocation || arg.allocation->space != Space::Lx) continue;
            const std::int64_t bytes = bytesInLx(*ops[s], a);
            int at = latest(arg.allocation->address);
            if (!arg.isInput || at < 0) {
                LxTensor t;
                t.address = arg.allocation->address;
                t.first = arg.isInput ? 0 : step;
                t.isFromBefore = arg.isInput;
                if (!arg.isInput && std::find(read.begin(), read.end(), at) != read.end()) t.inPlaceOf = at;
                at = static_cast<int>(tensors.size());
                newest[t.address] = at;
                tensors.push_back(std::move(t));
            }
            LxTensor& t = tensors[static_cast<std::size_t>(at)];
            // Its writer says how much of it a core holds; a reader may round another dimension up to whole sticks.
            if (t.isFromBefore || t.uses.empty()) t.bytes = std::max(t.bytes, bytes);
            t.last = step;
            t.uses.emplace_back(step, static_cast<int>(a));
            if (arg.isInput) read.push_back(at);
        }
    }
    std::vector<PlacedLife> lives;
    lives.reserve(tensors.size());
    for (const LxTensor& t : tensors)
        lives.push_back({t.address, {t.first, t.last + 1}});
    const std::vector<std::int64_t> next = nextLiveAddresses(lives);
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const auto [step, arg] = tensors[i].uses.front();
        const bool isRecorded =
            ops[static_cast<std::size_t>(step)]->args[static_cast<std::size_t>(arg)].strideMap.has_value();
        if (tensors[i].isFromBefore && !isRecorded) cutAt(tensors[i], next[i]);
    }
    return tensors;
}

std::vector<LxOverlap> lxOverlaps(const std::vector<LxTensor>& tensors) {
    if (tensors.size() > kMostComparedLxTensors) return {};
    const auto end = [](const LxTensor& t) { return saturatedAdd(t.address, t.bytes); };
    std::vector<std::size_t> order(tensors.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t x, std::size_t y) { return tensors[x].first < tensors[y].first; });
    std::vector<LxOverlap> overlaps;
    std::vector<std::size_t> live;
    for (const std::size_t j : order) {
        const LxTensor& b = tensors[j];
        std::erase_if(live, [&](std::size_t i) { return tensors[i].last < b.first; });
        for (const std::size_t i : live) {
            const LxTensor& a = tensors[i];
            const bool apart = end(a) <= b.address || end(b) <= a.address;
            const bool isReused = b.inPlaceOf == static_cast<int>(i) && a.last == b.first;
            if (apart || isReused) continue;
            if (overlaps.size() == kMostLxOverlaps) return overlaps;
            overlaps.push_back({i, j, std::max(a.first, b.first), std::min(a.last, b.last)});
        }
        live.push_back(j);
    }
    return overlaps;
}

std::size_t ImportedProgram::opCount() const {
    std::size_t count = 0;
    for (const Kernel& kernel : kernels)
        count += opsOf(kernel.specs).size();
    return count;
}

}  // namespace memplan::bundle
