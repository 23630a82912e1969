// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/bundle/sdsc/sdsc_op.h"

#include "engine/base/numeric.h"
#include "engine/spyre/bundle/sdsc/affine_access.h"
#include "engine/spyre/bundle/sdsc/loop_parts.h"
#include "engine/spyre/bundle/sdsc/work_division.h"

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

/// What an element counts as that must not change the result of a reduction (13.2 step 9).
double neutralOf(std::string_view op) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (op == "max" || op == "argmax") return -kInfinity;
    if (op == "min" || op == "argmin") return kInfinity;
    return op == "prod" || op == "all" ? 1 : 0;
}

using Labels = std::vector<SdscLabel>;

bool contains(const Labels& list, SdscLabel what) {
    return std::find(list.begin(), list.end(), what) != list.end();
}

/// How an arg is read or written, and its labels from the dimension next to the stick outwards.
struct ArgOrder {
    AffineAccess access;
    Labels dims;
    SdscLabel stick;
};

class Deriver {
public:
    Deriver(const OpSpec& spec, const SdscOptions& options)
        : spec_(spec), options_(options), matmul_(isMatmulOp(spec.op)) {}

    Result<SdscOp> run() {
        if (auto ok = derive(); !ok) return ok.error();
        mask();
        finish();
        return std::move(op_);
    }

    Result<void> derive() {
        if (auto ok = labelDims(); !ok) return ok;
        if (auto ok = checkArgs(); !ok) return ok;
        for (std::size_t i = 0; i < spec_.args.size(); ++i) {
            if (auto ok = readAccess(i); !ok) return ok;
        }
        reference_ = orders_[spec_.isReduction ? 0 : spec_.args.size() - 1];
        if (reference_.stick.empty()) addStickDim();
        if (matmul_) padK();
        for (std::size_t i = 0; i < spec_.args.size(); ++i)
            nameDims(i);
        padSticks();
        if (auto ok = checkSlices(); !ok) return ok;
        for (std::size_t i = 0; i < spec_.args.size(); ++i) {
            if (auto ok = placeDims(i); !ok) return ok;
            if (auto ok = addLayout(op_.args[i]); !ok) return ok;
        }
        return {};
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
            op_.dims.push_back({label, *extent, e.split});
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

    /// The loop of the last coordinate whose label comes first, -1 for a constant.
    int stickLoopOf(const TensorArg& arg) const {
        int stick = -1;
        for (std::size_t v = 0; v < spec_.iterationSpace.size(); ++v) {
            if (!arg.coordinates.back().mentions(spec_.iterationSpace[v].symbol)) continue;
            if (stick < 0 || op_.dims[v].label < op_.dims[static_cast<std::size_t>(stick)].label)
                stick = static_cast<int>(v);
        }
        return stick;
    }

    Result<void> readAccess(std::size_t i) {
        ArgOrder order;
        const int stick = stickLoopOf(spec_.args[i]);
        auto access = affineAccess(spec_, i, stick);
        if (!access) return std::move(access).error();
        order.access = std::move(access).value();
        for (const LoopStep& step : order.access.steps)
            order.dims.push_back(op_.dims[step.loop].label);
        if (stick >= 0) order.stick = op_.dims[static_cast<std::size_t>(stick)].label;
        orders_.push_back(std::move(order));
        return {};
    }

    void addStickDim() {
        const std::size_t n = spec_.iterationSpace.size();
        const std::string_view label = n < kInputLabels.size() ? kInputLabels[n] : std::string_view("stick");
        extraStick_ = label;
        // One element in the sticks of every arg: as many lanes as the shortest of them has.
        int64_t lanes = std::numeric_limits<int64_t>::max();
        for (std::size_t i = 0; i < spec_.args.size(); ++i) {
            if (orders_[i].stick.empty())
                lanes = std::min(lanes, deviceFormatNamed(spec_.args[i].deviceDtype)->elemsPerStick);
        }
        op_.dims.push_back({extraStick_, lanes, 1});
    }

    SdscDim* dim(SdscLabel label) {
        const auto it =
            std::find_if(op_.dims.begin(), op_.dims.end(), [&](const SdscDim& d) { return d.label == label; });
        return it == op_.dims.end() ? nullptr : &*it;
    }

    /// K is in the second operand outside its stick and absent from the result.
    void padK() {
        if (orders_.size() < 3) return;
        const Labels& output = orders_.back().dims;
        for (const SdscLabel label : orders_[1].dims) {
            if (label == orders_[1].stick || contains(output, label)) continue;
            const int64_t eps = deviceFormatNamed(spec_.args[1].deviceDtype)->elemsPerStick;
            if (SdscDim* k = dim(label)) k->extent = alignUp(k->extent, eps);
            return;
        }
    }

    /// Labels of an arg with their scales; reduced ones stand behind its own.
    void nameDims(std::size_t i) {
        const TensorArg& source = spec_.args[i];
        const ArgOrder& own = orders_[i];
        SdscArg arg;
        const DeviceFormat& format = *deviceFormatNamed(source.deviceDtype);
        arg.elemsPerStick = format.elemsPerStick;
        arg.bytes = format.bytes;
        arg.dataFormat = format.name;
        arg.dims.reserve(op_.dims.size() + 1);
        for (const SdscLabel label : own.dims)
            arg.dims.push_back({label});
        arg.stick = own.stick;
        if (!matmul_ && !isTopK(spec_.op) && !sameAsOp(own.dims)) {
            for (const SdscLabel label : reference_.dims) {
                if (contains(own.dims, label)) continue;
                const bool isAlongStick = arg.stick.empty() && extraStick_.empty() && label == reference_.stick;
                arg.dims.push_back({label, isAlongStick ? -2 : -1});
            }
        }
        if (!extraStick_.empty() && arg.stick.empty()) {
            arg.stick = extraStick_;
            arg.dims.push_back({extraStick_});
        }
        // A dimension that the arg has in whole elements is not its stick.
        if (arg.stick.empty() && !contains(own.dims, reference_.stick)) arg.stick = reference_.stick;
        op_.args.push_back(std::move(arg));
    }

    bool sameAsOp(const Labels& order) const {
        return std::equal(order.begin(), order.end(), op_.dims.begin(), op_.dims.end(),
                          [](SdscLabel label, const SdscDim& d) { return label == d.label; });
    }

    /// Slices that are no equal pieces, or no whole sticks, have no extent per core.
    Result<void> checkSlices() const {
        for (const SdscDim& d : op_.dims) {
            int64_t whole = 1;
            for (const SdscArg& arg : op_.args)
                whole =
                    arg.stick == d.label && arg.find(d.label) != nullptr ? std::max(whole, arg.elemsPerStick) : whole;
            if (d.split > 1 && d.extent % saturatedMul(whole, d.split) != 0) {
                return bad("the extent " + std::to_string(d.extent) + " of a dimension of op \"" + spec_.op +
                           "\" is not made of " + std::to_string(d.split) + " equal slices");
            }
        }
        return {};
    }

    /// Steps that one memory holds of a dimension: sticks of the stick dimension, else elements.
    int64_t countOf(std::size_t i, SdscLabel label) {
        const SdscDim* d = dim(label);
        const bool isLx = spec_.args[i].allocation && spec_.args[i].allocation->space == Space::Lx;
        const int64_t extent = isLx ? d->extent / slicesAlong(op_, spec_, i, *d) : d->extent;
        return label == op_.args[i].stick ? ceilDiv(extent, op_.args[i].elemsPerStick) : extent;
    }

    /// Finds the gaps behind each dimension that make the steps of those outside of it come out: a reader rebuilds a
    /// step as the product of all sizes inside it (13.2 step 6).
    Result<void> placeDims(std::size_t i) {
        const std::vector<LoopStep>& steps = orders_[i].access.steps;
        op_.args[i].offset = orders_[i].access.offset;
        int64_t inner = op_.args[i].elemsPerStick;
        for (std::size_t k = 0; k < steps.size(); ++k) {
            const SdscLabel label = orders_[i].dims[k];
            const int64_t count = countOf(i, label);
            if (count > 1 && steps[k].stride != inner) {
                if (k > 0 || steps[k].stride < inner || steps[k].stride % inner != 0) return unreachable(i, label);
                addFiller(i, steps[k].stride / inner);
                inner = steps[k].stride;
            }
            const auto size = sizeOf(i, k, inner, count);
            if (!size) return unreachable(i, label);
            const int64_t unit = label == op_.args[i].stick ? op_.args[i].elemsPerStick : 1;
            if (*size != count) op_.args[i].backGap.emplace_back(label, saturatedMul(*size - count, unit));
            ownDim(i, label).extentStride =
                saturatedMul(saturatedMul(steps[k].stride, steps[k].pieces), wholeCount(i, label));
            inner = saturatedMul(inner, *size);
        }
        spanReduced(i, inner);
        return {};
    }

    SdscArgDim& ownDim(std::size_t i, SdscLabel label) {
        return *std::find_if(op_.args[i].dims.begin(), op_.args[i].dims.end(),
                             [label](const SdscArgDim& d) { return d.label == label; });
    }

    int64_t wholeCount(std::size_t i, SdscLabel label) {
        const int64_t extent = dim(label)->extent;
        return label == op_.args[i].stick ? ceilDiv(extent, op_.args[i].elemsPerStick) : extent;
    }

    /// Steps of dimension k of an arg up to the next dimension outside; nullopt where that one begins inside.
    std::optional<int64_t> sizeOf(std::size_t i, std::size_t k, int64_t inner, int64_t count) {
        const std::vector<LoopStep>& steps = orders_[i].access.steps;
        const bool isOutermost = k + 1 == steps.size();
        const int64_t end = isOutermost ? steps[k].reach : steps[k + 1].stride;
        const int64_t size = inner > 0 && end % inner == 0 ? end / inner : 0;
        if (size >= count) return size;
        // Elements that a raised extent adds have no place in this tensor: the gap is below zero.
        if (size > 0 && size >= dataCount(i, k)) return size;
        // What never moves may stand anywhere, and behind the outermost dimension nothing has a step.
        const bool isFree = isOutermost || countOf(i, orders_[i].dims[k + 1]) == 1;
        return isFree ? std::optional<int64_t>(count) : std::nullopt;
    }

    /// Steps of dimension k of an arg that hold data, before its extent was raised. A piece of a divided dimension in
    /// LX is never shorter than the others.
    int64_t dataCount(std::size_t i, std::size_t k) {
        const std::size_t loop = orders_[i].access.steps[k].loop;
        const SdscLabel label = orders_[i].dims[k];
        const bool isLx = spec_.args[i].allocation && spec_.args[i].allocation->space == Space::Lx;
        if (isLx && slicesAlong(op_, spec_, i, op_.dims[loop]) > 1) return countOf(i, label);
        const int64_t extent = spec_.iterationSpace[loop].extent.integer().value_or(1);
        return label == op_.args[i].stick ? ceilDiv(extent, op_.args[i].elemsPerStick) : extent;
    }

    Error unreachable(std::size_t i, SdscLabel label) const {
        return bad("argument " + std::to_string(i) + " of op \"" + spec_.op + "\" has steps around its dimension \"" +
                   string(label) +
                   "\" that are no product of extents, which the labels of a SuperDSC file cannot express");
    }

    /// Dimensions between the stick and the first loop: a dimension of one element with a gap of the rest, which is a
    /// reduced one where the arg has any.
    void addFiller(std::size_t i, int64_t size) {
        SdscArg& arg = op_.args[i];
        auto filler = std::find_if(arg.dims.begin(), arg.dims.end(),
                                   [&](const SdscArgDim& d) { return d.scale != 1 && d.label != arg.stick; });
        if (filler == arg.dims.end()) filler = arg.dims.insert(filler, {unitDim()});
        std::rotate(arg.dims.begin(), filler, filler + 1);
        arg.backGap.emplace_back(arg.dims.front().label, size - 1);
        arg.dims.front().extentStride = saturatedMul(arg.elemsPerStick, size);
    }

    /// A dimension of extent 1 of the op, made when first needed.
    SdscLabel unitDim() {
        if (!unitDim_.empty()) return unitDim_;
        const auto isFree = [this](SdscLabel label) { return dim(label) == nullptr; };
        const auto& names = matmul_ ? kMatmulLabels : kInputLabels;
        const auto it = std::find_if(names.begin(), names.end(), isFree);
        unitDim_ = it == names.end() ? "unit" : *it;
        op_.dims.push_back({unitDim_, 1, 1});
        return unitDim_;
    }

    /// Reduced dimensions span the whole arg.
    void spanReduced(std::size_t i, int64_t whole) {
        for (SdscArgDim& d : op_.args[i].dims) {
            if (d.extentStride == 0) d.extentStride = whole;
        }
    }

    Result<void> addLayout(SdscArg& arg) {
        for (const SdscLayout& l : op_.layouts) {
            const bool isSame = l.stick == arg.stick && l.stickSize == arg.elemsPerStick;
            if (!isSame || !haveSameDims(l, arg)) continue;
            arg.layout = l.label;
            return {};
        }
        const auto& names = matmul_ ? kMatmulLayoutLabels : kLayoutLabels;
        if (op_.layouts.size() == names.size()) {
            return bad("op \"" + spec_.op + "\" has more than four different tensor layouts");
        }
        arg.layout = names[op_.layouts.size()];
        SdscLayout layout{arg.layout, {}, arg.stick, arg.elemsPerStick};
        for (const SdscArgDim& d : arg.dims)
            layout.order.push_back(d.label);
        op_.layouts.push_back(std::move(layout));
        return {};
    }

    /// In any order.
    static bool haveSameDims(const SdscLayout& layout, const SdscArg& arg) {
        return layout.order.size() == arg.dims.size() &&
               std::all_of(layout.order.begin(), layout.order.end(),
                           [&](SdscLabel label) { return arg.find(label) != nullptr; });
    }

    /// Raises stick extents to whole sticks and remembers by how much.
    void padSticks() {
        const auto pad = [this](const SdscArg& arg, bool cutOnly) {
            if (arg.find(arg.stick) == nullptr || arg.stick == extraStick_) return;
            SdscDim* d = dim(arg.stick);
            if (d == nullptr || d->extent % arg.elemsPerStick == 0 || (cutOnly && d->split == 1)) return;
            const int64_t padding = arg.elemsPerStick - d->extent % arg.elemsPerStick;
            d->extent += padding;
            padding_.emplace_back(d->label, padding);
        };
        const bool all = matmul_ || isDtypeConversion(spec_.op);
        const std::size_t reference = spec_.isReduction ? 0 : op_.args.size() - 1;
        for (std::size_t i = 0; i < op_.args.size(); ++i)
            pad(op_.args[i], !all && i != reference);  // cores hold whole sticks of every arg
    }

    void mask() {
        const SdscArg& output = op_.args.back();
        for (const auto& [label, padding] : padding_) {
            const SdscArgDim* d = output.find(label);
            if (d != nullptr && d->scale == -2) op_.mask.emplace_back(label, padding);
        }
        op_.maskValue = neutralOf(spec_.op);
    }

    void finish() {
        const auto& dims = op_.args.back().dims;
        const bool alongStick =
            std::any_of(dims.begin(), dims.end(), [](const SdscArgDim& d) { return d.scale == -2; });
        const bool nonStick = spec_.isReduction && !matmul_ && !isTopK(spec_.op) && !alongStick;
        op_.function = spec_.op + (nonStick ? "nonstick" : "");
        op_.unit = matmul_ ? "pt" : "sfp";
        op_.inputs = isTopK(spec_.op) ? 1 : matmul_ || !spec_.isReduction ? op_.args.size() - 1 : op_.args.size();
        std::vector<int64_t> splits;
        for (std::size_t v = 0; v < spec_.iterationSpace.size(); ++v)
            splits.push_back(op_.dims[v].split);
        const bool kFast = matmul_ && options_.kFastEmission && splits.size() >= 3 && splits.back() > 1;
        op_.cores = coreMap(splits, kFast);
        // Dimensions that were made for a layout are not divided.
        for (std::vector<int64_t>& slices : op_.cores)
            slices.resize(op_.dims.size(), 0);
    }

    const OpSpec& spec_;
    const SdscOptions& options_;
    bool matmul_;
    std::vector<ArgOrder> orders_;  ///< of every arg
    ArgOrder reference_;
    SdscLabel extraStick_;
    SdscLabel unitDim_;
    std::vector<std::pair<SdscLabel, int64_t>> padding_;
    SdscOp op_;
};

}  // namespace

const SdscArgDim* SdscArg::find(SdscLabel label) const {
    const auto it = std::find_if(dims.begin(), dims.end(), [&](const SdscArgDim& d) { return d.label == label; });
    return it == dims.end() ? nullptr : &*it;
}

const SdscDim* SdscOp::find(SdscLabel label) const {
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

OpSpec sdscForm(const OpSpec& spec) {
    if (Deriver(spec, {}).derive()) return spec;
    OpSpec parts = withLoopParts(spec);
    return Deriver(parts, {}).derive() ? parts : spec;
}

Result<void> checkSdscForm(const OpSpec& spec) {
    auto form = Deriver(spec, {}).derive();
    if (form || Deriver(withLoopParts(spec), {}).derive()) return {};
    return form;
}

Result<int64_t> startAddress(const SdscOp& op, const OpSpec& spec, std::size_t arg, int64_t core) {
    const auto& allocation = spec.args[arg].allocation;
    if (!allocation) {
        return makeError("BND-105", "allocation", "a tensor of op \"" + spec.op + "\" has no address",
                         "bind the arguments first");
    }
    const SdscArg& a = op.args[arg];
    int64_t elements = a.offset;
    // Every core has its own piece at the same place of its LX.
    for (std::size_t d = 0; d < op.dims.size() && allocation->space != Space::Lx; ++d) {
        const SdscDim& dim = op.dims[d];
        const SdscArgDim* own = a.find(dim.label);
        if (own == nullptr || own->scale <= 0) continue;
        const int64_t slice = op.cores[static_cast<std::size_t>(core)][d];
        const auto span = checkedMul(slice, own->extentStride);
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
