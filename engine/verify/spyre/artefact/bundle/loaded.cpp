// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/artefact/bundle/loaded.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace memplan::sim::artefact {
namespace {

using std::int64_t;
using std::string;

constexpr int64_t kMostElements = int64_t{1} << 28;  ///< of a tensor on one core
constexpr std::string_view kMaskConstant = "samv-maskvalue";

Error broken(const string& where, const string& what) {
    return makeError("VER-020", where, what, "export the bundle anew");
}

string pathOf(const string& kernel, const string& file) {
    return kernel.empty() ? file : kernel + "/" + file;
}

/// A number in the device's own 16-bit format: sign, 6 exponent bits with bias 31, 9 fraction bits.
double fromDlFloat(int64_t bits) {
    const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
    const int64_t rest = bits & 0x7FFF;
    if (rest == 0) return 0.0 * sign;
    if (rest == 0x7FFF) return sign * std::numeric_limits<double>::infinity();
    return sign * std::ldexp(1.0 + static_cast<double>(rest % 512) / 512.0, static_cast<int>(rest / 512) - 31);
}

double numberOf(const NamedConstant& c) {
    if (c.format == "SEN169_FP16") return fromDlFloat(c.bits);
    if (c.format == "IEEE_FP32") return std::bit_cast<float>(static_cast<std::uint32_t>(c.bits));
    return static_cast<double>(c.bits);
}

/// What masked elements count as must not change the result: integers have their last number for infinity.
bool isIdentityOf(const string& function, const NamedConstant& c) {
    const double value = numberOf(c);
    const bool isInteger = c.format == "IEEE_INT32";
    if (function == "max" || function == "argmax")
        return value < 0 && (isInteger ? c.bits == INT32_MIN : std::isinf(value));
    if (function == "min" || function == "argmin")
        return value > 0 && (isInteger ? c.bits == INT32_MAX : std::isinf(value));
    return value == (function == "prod" || function == "all" ? 1 : 0);
}

Result<void> checkMask(const Descriptor& d, const string& function, const string& where) {
    const auto it = std::find_if(d.constants.begin(), d.constants.end(),
                                 [](const NamedConstant& c) { return c.name == kMaskConstant; });
    if ((it != d.constants.end()) != d.isMasked)
        return broken(where, "the mask and its constant contradict each other");
    if (!d.isMasked) return {};
    if (!isIdentityOf(function, *it)) return broken(where, "masked elements change the result of " + function);
    for (const ArgDim& dim : d.tensors[d.output].dims) {
        const Label& l = d.labels[static_cast<std::size_t>(dim.label)];
        if (dim.scale == 1 && l.masked.first < l.masked.second)
            return broken(where, "a dimension of the result is masked");
    }
    return {};
}

int64_t elementsOn(const Descriptor& d, const Access& a) {
    int64_t n = 1;
    for (std::size_t l = 0; l < d.labels.size(); ++l)
        n = a.moves(l) ? saturatedMul(n, d.labels[l].perCore) : n;
    return n;
}

/// The second operand of a product has its summed dimension outside of the stick: exchanged operands are no product
/// that the device has.
bool isExchanged(const Descriptor& d, const std::vector<Access>& access) {
    if (d.inputs.size() != 2) return false;
    const int stick = access[d.inputs[1]].stick;
    if (stick < 0 || d.labels[static_cast<std::size_t>(stick)].extent == 1) return false;
    return !access[d.output].moves(static_cast<std::size_t>(stick));
}

Result<std::shared_ptr<const LoadedFile>> loadFile(const string& json, const string& where) {
    auto read = readDescriptor(json, where);
    if (!read) return read.error();
    auto file = std::make_shared<LoadedFile>();
    file->descriptor = std::move(read).value();
    const Descriptor& d = file->descriptor;
    ReadyOp& op = file->ready;
    op.name = where + " " + d.function;
    op.file = &file->descriptor;
    op.function = canonicalFunction(d.function);
    // One number everywhere: a scalar is moved.
    op.isFill = op.function == "fill";
    if (op.isFill) op.function = canonicalFunction("clone");
    op.attributes = constantsText(d);
    for (const Tensor& t : d.tensors) {
        Access a;
        if (const auto problem = makeAccess(d, t, a)) return broken(where, t.name + ": " + *problem);
        op.access.push_back(std::move(a));
    }
    markRaised(d, op.access);
    for (std::size_t t = 0; t < d.tensors.size(); ++t) {
        if (elementsOn(d, op.access[t]) > kMostElements) return broken(where, d.tensors[t].name + " is too large");
        const bool isInput = std::find(d.inputs.begin(), d.inputs.end(), t) != d.inputs.end();
        if (!d.tensors[t].ownSlices.empty() && (!isInput || !d.tensors[t].isLx))
            return broken(where, d.tensors[t].name + " has slices of its own but is no operand in LX");
    }
    if (op.function == "matmul") {
        op.form = ReadyOp::Form::Product;
        if (isExchanged(d, op.access))
            return broken(where, "the second operand of the product is summed along its stick");
    } else {
        // What the first operand walks and the result does not is added up; a reduction may also add up one element.
        if (d.isReduction) op.form = ReadyOp::Form::Reduction;
        for (std::size_t l = 0; l < d.labels.size() && !d.inputs.empty(); ++l) {
            const bool isSummed =
                op.access[d.inputs[0]].moves(l) && !op.access[d.output].moves(l) && d.labels[l].extent > 1;
            if (isSummed) op.form = ReadyOp::Form::Reduction;
        }
    }
    if (d.inputs.empty()) return broken(where, "an operation without operands");
    if (auto ok = checkMask(d, op.function, where); !ok) return ok.error();
    return std::shared_ptr<const LoadedFile>(std::move(file));
}

class Loader {
public:
    Loader(const BundleText& text, const LoadedBundle* base, const string& changed)
        : text_(text), base_(base), changed_(changed) {}

    Result<LoadedBundle> run() {
        if (text_.contains(kWrapperFile)) {
            if (auto ok = wrapper(); !ok) return ok.error();
            for (const KernelCall& call : out_.wrapper.calls) {
                if (out_.kernels.contains(call.kernel)) continue;
                if (!out_.wrapper.kernels.contains(call.kernel))
                    return broken(kWrapperFile, "the kernel " + text::quoted(call.kernel) + " is not given");
                if (auto ok = kernel(call.kernel, call.kernel); !ok) return ok.error();
            }
        } else {
            out_.wrapper.calls.push_back({"", {}, false});
            if (auto ok = kernel("", ""); !ok) return ok.error();
        }
        out_.isPerTensor = isPerTensor();
        return std::move(out_);
    }

private:
    const BundleText& text_;
    const LoadedBundle* base_;
    const string& changed_;
    LoadedBundle out_;

    Result<void> wrapper() {
        out_.hasWrapper = true;
        if (base_ != nullptr && changed_ != kWrapperFile) {
            out_.wrapper = base_->wrapper;
            return {};
        }
        auto read = readWrapper(text_.at(kWrapperFile), kWrapperFile);
        if (!read) return read.error();
        out_.wrapper = std::move(read).value();
        return {};
    }

    Result<void> kernel(const string& name, const string& folder) {
        const LoadedKernel* known = nullptr;
        if (base_ != nullptr) {
            const auto it = base_->kernels.find(name);
            if (it != base_->kernels.end()) known = it->second.get();
            if (known != nullptr && !changed_.starts_with(folder.empty() ? "" : folder + "/")) {
                out_.kernels[name] = it->second;
                return {};
            }
        }
        auto k = std::make_shared<LoadedKernel>();
        k->name = name;
        const string path = pathOf(folder, "bundle.mlir");
        if (known != nullptr && path != changed_) {
            k->program = known->program;
        } else {
            const auto it = text_.find(path);
            if (it == text_.end()) return broken(path, "the file is missing");
            auto program = readProgram(it->second, path);
            if (!program) return program.error();
            k->program = std::move(program).value();
        }
        for (const Step* step : k->program.executes()) {
            k->hasSymbols = k->hasSymbols || !step->ids.empty();
            if (auto ok = file(*k, folder, step->file, known); !ok) return ok;
            if (auto ok = checkIds(*k, *step, path); !ok) return ok;
        }
        out_.kernels[name] = std::move(k);
        return {};
    }

    Result<void> file(LoadedKernel& k, const string& folder, const string& name, const LoadedKernel* known) const {
        if (k.files.contains(name)) return {};
        const string path = pathOf(folder, name);
        if (known != nullptr && path != changed_) {
            const auto it = known->files.find(name);
            if (it != known->files.end()) {
                k.files[name] = it->second;
                return {};
            }
        }
        const auto it = text_.find(path);
        if (it == text_.end()) return broken(path, "the file is missing");
        auto made = loadFile(it->second, path);
        if (!made) return made.error();
        k.files[name] = std::move(made).value();
        return {};
    }

    /// The symbols of an execute line are exactly those of its file.
    static Result<void> checkIds(const LoadedKernel& k, const Step& step, const string& path) {
        std::vector<int64_t> wanted;
        for (const Tensor& t : k.files.at(step.file)->descriptor.tensors) {
            if (t.isLx && t.isSymbolic) return broken(path, step.file + " has a symbolic address in LX");
            for (const int64_t s : t.start) {
                if (t.isSymbolic && std::find(wanted.begin(), wanted.end(), s) == wanted.end()) wanted.push_back(s);
            }
        }
        std::vector<int64_t> given = step.ids;
        std::sort(wanted.begin(), wanted.end());
        std::sort(given.begin(), given.end());
        if (wanted == given) return {};
        return broken(path, "the symbols of " + step.file + " are not those of its execute line");
    }

    bool isPerTensor() const {
        bool any = false;
        for (const auto& [name, kernel] : out_.kernels) {
            for (const auto& [path, file] : kernel->files) {
                for (const Tensor& t : file->descriptor.tensors) {
                    if (t.isLx || !t.isSymbolic) continue;
                    any = true;
                    if (std::adjacent_find(t.start.begin(), t.start.end(), std::not_equal_to<>()) != t.start.end())
                        return false;
                }
            }
        }
        return any;
    }
};

}  // namespace

std::vector<std::pair<string, double>> constantsOf(const Descriptor& d) {
    std::vector<std::pair<string, double>> out;
    for (const NamedConstant& c : d.constants) {
        if (c.name != kMaskConstant) out.emplace_back(c.name, numberOf(c));
    }
    return out;
}

string constantsText(const Descriptor& d) {
    std::vector<string> parts;
    for (const auto& [name, value] : constantsOf(d))
        parts.push_back(name + "=" + text::number(value));
    std::sort(parts.begin(), parts.end());
    return text::join(parts, ";");
}

Result<LoadedBundle> loadBundle(const BundleText& text) {
    return Loader(text, nullptr, "").run();
}

Result<LoadedBundle> reloadBundle(const LoadedBundle& base, const BundleText& text, const string& changed) {
    return Loader(text, &base, changed).run();
}

}  // namespace memplan::sim::artefact
