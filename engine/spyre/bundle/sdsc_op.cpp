// SPDX-License-Identifier: Apache-2.0
#include "spyre/bundle/sdsc_op.h"

#include "base/numeric.h"
#include "spyre/bundle/work_division.h"

#include <algorithm>
#include <array>
#include <limits>

namespace memplan::bundle {

namespace {

using std::int64_t;
using std::string;

constexpr std::array<std::string_view, 7> kInputLabels = {"mb", "x", "y", "i", "j", "ki", "kj"};
constexpr std::array<std::string_view, 7> kMatmulLabels = {"ki", "kj", "y", "x", "mb", "out", "in"};
constexpr std::array<std::string_view, 4> kLayoutLabels = {"OUTPUT", "KERNEL", "INPUT", "KERNEL_IDX"};
constexpr std::array<std::string_view, 4> kMatmulLayoutLabels = {"INPUT", "KERNEL", "OUTPUT", "KERNEL_IDX"};
constexpr int64_t kMostCores = 4096;
constexpr int64_t kLargestExtent = int64_t{1} << 48;

bool isTopK(std::string_view op) {
    return op == "topkvalue" || op == "topkindex";
}

bool isDtypeConversion(std::string_view op) {
    return op == "dl16tofp32" || op == "fp32todl16" || op == "to_dtype" || op == "qfp8" || op == "qfp8ch";
}

bool contains(const std::vector<string>& list, std::string_view what) {
    return std::find(list.begin(), list.end(), what) != list.end();
}

/// Device dimensions of an arg from the one next to the stick outwards, and its stick dimension.
struct DimOrder {
    std::vector<string> dims;
    string stick;
};

class Deriver {
public:
    Deriver(const OpSpec& spec, const SdscOptions& options)
        : spec_(spec), options_(options), matmul_(isMatmulOp(spec.op)) {}

    Result<SdscOp> run() {
        if (auto ok = labelDims(); !ok) return ok.error();
        if (auto ok = checkArgs(); !ok) return ok.error();
        std::vector<DimOrder> orders;
        for (const TensorArg& a : spec_.args)
            orders.push_back(orderOf(a));
        const std::size_t reference = spec_.isReduction ? 0 : spec_.args.size() - 1;
        reference_ = orders[reference];
        if (reference_.stick.empty()) addStickDim();
        if (matmul_) padK(orders);
        for (std::size_t i = 0; i < spec_.args.size(); ++i) {
            if (auto ok = addArg(spec_.args[i], orders[i]); !ok) return ok.error();
        }
        padSticks();
        mask();
        finish();
        return std::move(op_);
    }

private:
    static Error bad(const string& what) {
        return makeError("BND-105", "OpSpec", what, "correct the source or compile it anew");
    }

    Result<void> labelDims() {
        const std::size_t n = spec_.iterationSpace.size();
        if (n > kInputLabels.size()) {
            return bad("op \"" + spec_.op + "\" has " + std::to_string(n) + " loops; a SuperDSC file names at most 7");
        }
        if (spec_.cores() > kMostCores) {
            return makeError("BND-107", "OpSpec", "op \"" + spec_.op + "\" is divided over more than 4096 cores",
                             "check the work divisions");
        }
        for (std::size_t i = 0; i < n; ++i) {
            const IterationEntry& e = spec_.iterationSpace[i];
            const auto extent = e.extent.integer();
            if (!extent || *extent < 1 || *extent > kLargestExtent || e.split < 1) {
                return bad("loop \"" + e.symbol + "\" of op \"" + spec_.op +
                           "\" has no extent from 1 to 2^48 or no split from 1");
            }
            const std::string_view label = matmul_      ? kMatmulLabels[kMatmulLabels.size() - n + i]
                                           : i + 1 == n ? std::string_view("out")
                                                        : kInputLabels[i];
            labels_[e.symbol] = string(label);
            op_.dims.push_back({string(label), *extent, e.split});
        }
        return {};
    }

    Result<void> checkArgs() const {
        if (spec_.args.empty()) return bad("op \"" + spec_.op + "\" has no tensors");
        for (const TensorArg& a : spec_.args) {
            if (deviceFormatNamed(a.deviceDtype) == nullptr) {
                return bad("the device format \"" + a.deviceDtype + "\" is not known");
            }
            if (a.deviceSize.empty() || a.deviceSize.size() != a.coordinates.size()) {
                return bad("a tensor of op \"" + spec_.op + "\" has " + std::to_string(a.deviceSize.size()) +
                           " device sizes and " + std::to_string(a.coordinates.size()) + " coordinates");
            }
        }
        return {};
    }

    string labelOf(const string& symbol) const {
        const auto it = labels_.find(symbol);
        return it == labels_.end() ? string() : it->second;
    }

    /// Labels of the symbols of a coordinate, in the order of their names.
    std::vector<string> labelsIn(const Expr& e) const {
        std::vector<string> out;
        for (const string& s : e.symbols()) {
            if (string label = labelOf(s); !label.empty()) out.push_back(std::move(label));
        }
        return out;
    }

    DimOrder orderOf(const TensorArg& arg) const {
        DimOrder order;
        std::vector<string> last = labelsIn(arg.coordinates.back());
        std::sort(last.begin(), last.end());
        if (!last.empty()) order.stick = last.front();
        for (std::size_t i = arg.coordinates.size() - 1; i-- > 0;) {
            const Expr& e = arg.coordinates[i];
            const bool isZero = e.integer() == 0;
            if (isZero && !order.stick.empty() && !contains(order.dims, order.stick)) order.dims.push_back(order.stick);
            for (string& label : labelsIn(e)) {
                if (!contains(order.dims, label)) order.dims.push_back(std::move(label));
            }
        }
        return order;
    }

    void addStickDim() {
        const std::size_t n = spec_.iterationSpace.size();
        const std::string_view label = n < kInputLabels.size() ? kInputLabels[n] : std::string_view("stick");
        extraStick_ = label;
        op_.dims.push_back({extraStick_, deviceFormatNamed(spec_.args.front().deviceDtype)->elemsPerStick, 1});
    }

    SdscDim* dim(std::string_view label) {
        const auto it =
            std::find_if(op_.dims.begin(), op_.dims.end(), [&](const SdscDim& d) { return d.label == label; });
        return it == op_.dims.end() ? nullptr : &*it;
    }

    /// K is in the second operand outside its stick and absent from the result.
    void padK(const std::vector<DimOrder>& orders) {
        if (orders.size() < 3) return;
        const std::vector<string>& output = orders.back().dims;
        for (const string& label : orders[1].dims) {
            if (label == orders[1].stick || contains(output, label)) continue;
            const int64_t eps = deviceFormatNamed(spec_.args[1].deviceDtype)->elemsPerStick;
            if (SdscDim* k = dim(label)) k->extent = alignUp(k->extent, eps);
            return;
        }
    }

    Result<void> addArg(const TensorArg& source, const DimOrder& own) {
        SdscArg arg;
        const DeviceFormat& format = *deviceFormatNamed(source.deviceDtype);
        arg.elemsPerStick = format.elemsPerStick;
        arg.bytes = format.bytes;
        arg.dataFormat = source.deviceDtype;
        arg.order = own.dims;
        string stick = own.stick;
        std::vector<string> reduced;
        if (!matmul_ && !isTopK(spec_.op) && !sameAsOp(own.dims)) {
            for (const string& label : reference_.dims) {
                if (!contains(arg.order, label)) reduced.push_back(label);
            }
        }
        std::vector<string> strideOrder = arg.order;
        arg.order.insert(arg.order.end(), reduced.begin(), reduced.end());
        if (!extraStick_.empty()) {
            stick = extraStick_;
            arg.order.push_back(stick);
            strideOrder.push_back(stick);
        }
        strideOrder.insert(strideOrder.end(), reduced.begin(), reduced.end());
        for (const string& label : arg.order) {
            const auto idx = static_cast<std::size_t>(std::find(strideOrder.begin(), strideOrder.end(), label) -
                                                      strideOrder.begin());
            arg.scale[label] = !contains(reduced, label) ? 1 : stick.empty() && label == reference_.stick ? -2 : -1;
            if (auto ok = addDim(source, label, idx, label == stick, arg); !ok) return ok;
        }
        arg.stick = stick.empty() ? reference_.stick : stick;
        if (auto ok = addLayout(arg); !ok) return ok;
        op_.args.push_back(std::move(arg));
        return {};
    }

    bool sameAsOp(const std::vector<string>& order) const {
        return std::equal(order.begin(), order.end(), op_.dims.begin(), op_.dims.end(),
                          [](const string& label, const SdscDim& d) { return label == d.label; });
    }

    /// Sizes count from the stick outwards; a layout has an extent of 1 beyond its outermost dimension.
    static int64_t sizeAt(const TensorArg& a, std::size_t fromEnd) {
        return fromEnd < a.deviceSize.size() ? a.deviceSize[a.deviceSize.size() - 1 - fromEnd] : 1;
    }

    Result<void> addDim(const TensorArg& source, const string& label, std::size_t idx, bool isStick, SdscArg& arg) {
        int64_t inner = 1;
        for (std::size_t i = 0; i <= idx; ++i)
            inner = saturatedMul(inner, std::max<int64_t>(sizeAt(source, i), 0));
        const int64_t own = sizeAt(source, idx + 1);
        int64_t stride = saturatedMul(inner, std::max<int64_t>(own, 0));
        if (stride == std::numeric_limits<int64_t>::max()) return bad("the sizes of a tensor leave 64 bits");
        int64_t device = own;
        const SdscDim* d = dim(label);
        int64_t iteration = d == nullptr ? 1 : d->extent;
        if (isStick) {
            device = saturatedMul(device, arg.elemsPerStick);
            iteration = alignUp(iteration, arg.elemsPerStick);
        }
        arg.offset[label] = 0;
        if (device > iteration) {
            const std::size_t fromEnd = idx + 1;
            if (fromEnd < source.coordinates.size()) {
                const int64_t constant = source.coordinates[source.coordinates.size() - 1 - fromEnd].constantTerm();
                const auto offset = checkedMul(constant, inner);
                if (!offset) return bad("an offset leaves 64 bits");
                arg.offset[label] = *offset;
            }
            arg.backGap.emplace_back(label, device - iteration);
            stride = stride / device * iteration;
        }
        arg.extentStride[label] = stride;
        return {};
    }

    Result<void> addLayout(SdscArg& arg) {
        std::vector<string> sorted = arg.order;
        std::sort(sorted.begin(), sorted.end());
        for (const SdscLayout& l : op_.layouts) {
            std::vector<string> other = l.order;
            std::sort(other.begin(), other.end());
            if (l.stick != arg.stick || other != sorted || l.stickSize != arg.elemsPerStick) continue;
            arg.layout = l.label;
            return {};
        }
        const auto& names = matmul_ ? kMatmulLayoutLabels : kLayoutLabels;
        if (op_.layouts.size() == names.size()) {
            return bad("op \"" + spec_.op + "\" has more than four different tensor layouts");
        }
        arg.layout = string(names[op_.layouts.size()]);
        op_.layouts.push_back({arg.layout, arg.order, arg.stick, arg.elemsPerStick});
        return {};
    }

    /// Raises stick extents to whole sticks and remembers by how much.
    void padSticks() {
        const auto consider = [this](std::size_t i) {
            const SdscArg& arg = op_.args[i];
            const std::size_t outer = spec_.args[i].deviceSize.size() - 1;
            for (std::size_t at = 0; at < arg.order.size() && at < outer; ++at) {
                SdscDim* d = arg.order[at] == arg.stick ? dim(arg.stick) : nullptr;
                if (d == nullptr || d->extent % arg.elemsPerStick == 0) continue;
                const int64_t padding = arg.elemsPerStick - d->extent % arg.elemsPerStick;
                d->extent += padding;
                padding_.emplace_back(d->label, padding);
            }
        };
        if (matmul_ || isDtypeConversion(spec_.op)) {
            for (std::size_t i = 0; i < op_.args.size(); ++i)
                consider(i);
        } else {
            consider(spec_.isReduction ? 0 : op_.args.size() - 1);
        }
    }

    void mask() {
        const SdscArg& output = op_.args.back();
        for (const auto& [label, padding] : padding_) {
            const auto it = output.scale.find(label);
            if (it != output.scale.end() && it->second == -2) op_.mask.emplace_back(label, padding);
        }
        constexpr double kInfinity = std::numeric_limits<double>::infinity();
        op_.maskValue = spec_.op == "max" ? -kInfinity : spec_.op == "min" ? kInfinity : 0;
    }

    void finish() {
        const auto& scales = op_.args.back().scale;
        const bool alongStick =
            std::any_of(scales.begin(), scales.end(), [](const auto& entry) { return entry.second == -2; });
        const bool nonStick = spec_.isReduction && !matmul_ && !isTopK(spec_.op) && !alongStick;
        op_.function = spec_.op + (nonStick ? "nonstick" : "");
        op_.unit = matmul_ ? "pt" : "sfp";
        op_.inputs = isTopK(spec_.op) ? 1 : matmul_ || !spec_.isReduction ? op_.args.size() - 1 : op_.args.size();
        std::vector<int64_t> splits;
        for (const SdscDim& d : op_.dims)
            splits.push_back(d.split);
        const bool kFast = matmul_ && options_.kFastEmission && splits.size() >= 3 && splits.back() > 1;
        op_.cores = coreMap(splits, kFast);
    }

    const OpSpec& spec_;
    const SdscOptions& options_;
    bool matmul_;
    std::map<string, string> labels_;
    DimOrder reference_;
    string extraStick_;
    std::vector<std::pair<string, int64_t>> padding_;
    SdscOp op_;
};

}  // namespace

CoreMap coreMap(const std::vector<int64_t>& splits, bool kFast) {
    std::vector<std::size_t> order;
    if (kFast && !splits.empty()) order.push_back(splits.size() - 1);
    for (std::size_t d = 0; d + (kFast ? 1 : 0) < splits.size(); ++d)
        order.push_back(d);
    int64_t cores = 1;
    for (const int64_t s : splits)
        cores *= s;
    CoreMap map(static_cast<std::size_t>(cores), std::vector<int64_t>(splits.size(), 0));
    for (int64_t core = 0; core < cores; ++core) {
        int64_t rest = core;
        for (const std::size_t d : order) {
            map[static_cast<std::size_t>(core)][d] = rest % splits[d];
            rest /= splits[d];
        }
    }
    return map;
}

bool isMatmulOp(std::string_view op) {
    return op == "matmul" || op == "batchmatmul" || op == "batchmatmulfp8";
}

const SdscDim* SdscOp::find(std::string_view label) const {
    const auto it = std::find_if(dims.begin(), dims.end(), [&](const SdscDim& d) { return d.label == label; });
    return it == dims.end() ? nullptr : &*it;
}

std::int64_t slicesAlong(const SdscOp& op, const OpSpec& spec, std::size_t arg, const SdscDim& dim) {
    const auto position = static_cast<std::size_t>(&dim - op.dims.data());
    // Dimensions behind those of the iteration space are made for the layout: no arg divides them by itself.
    return position < spec.iterationSpace.size() ? slicesOf(spec, arg, position) : dim.split;
}

Result<SdscOp> sdscOp(const OpSpec& spec, const SdscOptions& options) {
    return Deriver(spec, options).run();
}

Result<int64_t> startAddress(const SdscOp& op, const OpSpec& spec, std::size_t arg, int64_t core) {
    const auto& allocation = spec.args[arg].allocation;
    if (!allocation) {
        return makeError("BND-105", "allocation", "a tensor of op \"" + spec.op + "\" has no address",
                         "bind the arguments first");
    }
    if (allocation->space == Space::Lx) return allocation->address;
    const SdscArg& a = op.args[arg];
    int64_t elements = 0;
    for (const auto& [label, offset] : a.offset)
        elements = saturatedAdd(elements, offset);
    for (std::size_t d = 0; d < op.dims.size(); ++d) {
        const SdscDim& dim = op.dims[d];
        const auto scale = a.scale.find(dim.label);
        if (scale == a.scale.end() || scale->second <= 0) continue;
        const int64_t slice = op.cores[static_cast<std::size_t>(core)][d];
        const auto span = checkedMul(slice, a.extentStride.at(dim.label));
        elements = checkedAdd(elements, span ? *span / dim.split : std::numeric_limits<int64_t>::max())
                       .value_or(std::numeric_limits<int64_t>::max());
    }
    const auto bytes = checkedMul(elements, a.bytes);
    const auto address = bytes ? checkedAdd(*bytes, allocation->address) : std::nullopt;
    if (address) return *address;
    return makeError("BND-105", "allocation", "an address of op \"" + spec.op + "\" leaves 64 bits",
                     "check sizes and addresses");
}

}  // namespace memplan::bundle
