// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/import/sdsc_reader.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/json/json_sax.h"
#include "engine/spyre/bundle/sdsc/encoded_constant.h"
#include "engine/spyre/bundle/sdsc/work_division.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace memplan::io {

namespace {

using bundle::Expr;
using std::string;

constexpr JsonCodes kCodes{"BND-104", "BND-104", "BND-104", "BND-104", "BND-104", "BND-104", "BND-104"};
constexpr std::size_t kMostTensors = 64;
constexpr std::size_t kMostCores = 4096;

class Reader {
public:
    explicit Reader(const Tape& tape) : t_(tape) {}

    Result<SdscRecord> run() {
        const TapeIndex root = onlyMember(0);
        dsc_ = dscOf(root);
        if (error_) return *error_;
        record_.op.op = functionOf();
        dims(root);
        compute();
        constants();
        tensors();
        if (error_) return *error_;
        return std::move(record_);
    }

private:
    void fail(TapeIndex at, const string& what) {
        if (!error_) error_ = makeError("BND-104", t_.pointer(at), what, "export or compile the kernel anew");
    }

    bool is(TapeIndex at, JsonType type, const char* expected) {
        if (error_) return false;
        if (t_.type(at) == type) return true;
        fail(at, string(expected) + " is expected");
        return false;
    }

    TapeIndex find(TapeIndex object, std::string_view key) const {
        return object != kNone && t_.type(object) == JsonType::Object ? t_.find(object, key) : 0;
    }

    TapeIndex required(TapeIndex object, std::string_view key) {
        if (!is(object, JsonType::Object, "an object")) return 0;
        const TapeIndex at = t_.find(object, key);
        if (at == 0) fail(object, "the key \"" + string(key) + "\" is missing");
        return at;
    }

    TapeIndex onlyMember(TapeIndex object) {
        if (!is(object, JsonType::Object, "an object") || t_.count(object) == 0) {
            fail(object, "an object with one operation is expected");
            return 0;
        }
        return object + 1;
    }

    TapeIndex dscOf(TapeIndex root) {
        const TapeIndex list = required(root, "dscs_");
        if (!is(list, JsonType::Array, "an array") || t_.count(list) == 0) {
            fail(list, "one operation is expected");
            return 0;
        }
        return onlyMember(list + 1);
    }

    /// An integer, or the decimal text of one.
    std::optional<std::int64_t> number(TapeIndex at) const {
        if (t_.type(at) == JsonType::Integer) return t_.at(at).integer;
        if (t_.type(at) == JsonType::String) return text::parseInt(t_.text(at));
        return std::nullopt;
    }

    std::int64_t requiredNumber(TapeIndex at) {
        const auto v = error_ ? std::optional<std::int64_t>(0) : number(at);
        if (!v) fail(at, "an integer is expected");
        return v.value_or(0);
    }

    std::vector<string> texts(TapeIndex at) {
        std::vector<string> out;
        if (!is(at, JsonType::Array, "an array of texts")) return out;
        for (const TapeIndex c : t_.children(at)) {
            if (is(c, JsonType::String, "a text")) out.emplace_back(t_.text(c));
        }
        return out;
    }

    string functionOf() const {
        string name(t_.key(dsc_));
        constexpr std::string_view kSuffix = "nonstick";
        const bool suffixed = name.size() > kSuffix.size() && name.ends_with(kSuffix);
        return suffixed ? name.substr(0, name.size() - kSuffix.size()) : name;
    }

    void dims(TapeIndex root) {
        const TapeIndex extents = required(dsc_, "N_");
        const TapeIndex splits = required(root, "numWkSlicesPerDim_");
        if (error_ || !is(extents, JsonType::Object, "an object")) return;
        const bool isMatmul = t_.find(extents, "in_") != 0;
        const TapeIndex masks = find(dsc_, "coordinateMasking_");
        // Without that label there are none: an op on one element.
        bool isLoop = isMatmul || t_.find(extents, "out_") != 0;
        for (const TapeIndex c : t_.children(extents)) {
            string label(t_.key(c));
            if (label == "name_") continue;
            if (label.ends_with('_')) label.pop_back();
            if (label.empty() || !isName(label)) return fail(c, "a dimension label is expected");
            const std::int64_t extent = requiredNumber(c);
            if (extent < 1) return fail(c, "an extent above 0 is expected");
            whole_[label] = extent;
            // Dimensions behind the last label of 13.2 step 1 are no loops: they were made for a layout.
            if (!isLoop) continue;
            isLoop = label != (isMatmul ? "in" : "out");
            bundle::IterationEntry e;
            e.symbol = label;
            e.extent = Expr(unmasked(masks, label, extent));
            if (const TapeIndex s = find(splits, label); s != 0) e.split = requiredNumber(s);
            if (e.split < 1) return fail(splits, "splits above 0 are expected");
            record_.op.iterationSpace.push_back(std::move(e));
        }
        if (record_.op.cores() > static_cast<std::int64_t>(kMostCores)) fail(splits, "more than 4096 cores");
    }

    /// The extent before it was raised to whole sticks, where the file masks what was added: [[first, count]].
    std::int64_t unmasked(TapeIndex masks, const string& label, std::int64_t extent) {
        const TapeIndex mask = masks == 0 ? 0 : find(masks, label);
        if (mask == 0 || t_.type(mask) != JsonType::Array || t_.count(mask) == 0) return extent;
        const TapeIndex range = mask + 1;
        if (t_.type(range) != JsonType::Array || t_.count(range) != 2) return extent;
        const std::int64_t first = requiredNumber(range + 1);
        return first >= 1 && first < extent ? first : extent;
    }

    static bool isName(const string& s) {
        return std::all_of(s.begin(), s.end(), [](char c) {
            return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        });
    }

    /// Inputs and output of the compute op: indices into labeledDs_.
    void compute() {
        const TapeIndex list = required(dsc_, "computeOp_");
        if (error_ || !is(list, JsonType::Array, "an array") || t_.count(list) == 0)
            return fail(list, "a compute op is expected");
        const auto indices = [&](std::string_view key) {
            std::vector<std::int64_t> out;
            for (const string& link : texts(required(list + 1, key))) {
                const std::size_t at = link.rfind("-idx");
                const auto v = at == string::npos ? std::nullopt : text::parseInt(link.substr(at + 4));
                if (!v)
                    fail(list + 1, "links such as Tensor0-idx0 are expected");
                else
                    out.push_back(*v);
            }
            return out;
        };
        inputs_ = indices("inputLabeledDs");
        outputs_ = indices("outputLabeledDs");
        // A reduction other than a matrix multiply lists its output among its inputs.
        const bool outputListed = std::any_of(outputs_.begin(), outputs_.end(), [&](std::int64_t o) {
            return std::find(inputs_.begin(), inputs_.end(), o) != inputs_.end();
        });
        const string& op = record_.op.op;
        record_.op.isReduction = outputListed || op == "matmul" || op == "batchmatmul" || op == "batchmatmulfp8";
    }

    /// Numbers of the function; what masks raised extents follows from them. An entry of another shape says nothing.
    void constants() {
        const TapeIndex info = find(dsc_, "constantInfo_");
        if (error_ || info == 0 || t_.type(info) != JsonType::Object) return;
        bundle::PyValue values = bundle::PyValue::dict();
        for (const TapeIndex c : t_.children(info)) {
            const TapeIndex name = find(c, "name_");
            const TapeIndex format = find(c, "dataFormat_");
            const TapeIndex table = find(c, "data_");
            const TapeIndex data = table == 0 ? 0 : find(table, "data_");
            const bool named = name != 0 && format != 0 && t_.type(name) == JsonType::String &&
                               t_.type(format) == JsonType::String && t_.text(name) != "samv-maskvalue";
            if (!named || data == 0 || t_.type(data) != JsonType::Object || t_.count(data) == 0) continue;
            const TapeIndex list = data + 1;
            if (t_.type(list) != JsonType::Array || t_.count(list) == 0) continue;
            const auto bits = number(list + 1);
            if (!bits) continue;
            const double value = bundle::decodedConstant(*bits, t_.text(format));
            if (std::isfinite(value)) values.put(string(t_.text(name)), bundle::PyValue::ofReal(value));
        }
        if (!values.isEmptyDict()) record_.op.opInfo.put("constants", std::move(values));
    }

    void tensors() {
        const TapeIndex labeled = required(dsc_, "labeledDs_");
        const TapeIndex nodes = required(dsc_, "scheduleTree_");
        if (error_ || !is(labeled, JsonType::Array, "an array") || !is(nodes, JsonType::Array, "an array")) return;
        if (t_.count(labeled) > kMostTensors) return fail(labeled, "more than 64 tensors");
        std::map<std::int64_t, TapeIndex> nodeOf;
        for (const TapeIndex c : t_.children(nodes)) {
            const TapeIndex lds = find(c, "ldsIdx_");
            if (lds != 0) nodeOf.emplace(requiredNumber(lds), c);
        }
        for (const TapeIndex c : t_.children(labeled)) {
            if (error_) return;
            const std::int64_t index = requiredNumber(required(c, "ldsIdx_"));
            const auto node = nodeOf.find(index);
            if (node == nodeOf.end()) return fail(c, "no allocate node has this ldsIdx_");
            tensor(c, node->second, index);
        }
        // Inputs first, the output last.
        if (record_.op.args.empty()) fail(labeled, "an operation has at least one tensor");
    }

    void tensor(TapeIndex labeled, TapeIndex node, std::int64_t index) {
        bundle::TensorArg arg;
        arg.isInput = std::find(outputs_.begin(), outputs_.end(), index) == outputs_.end();
        const TapeIndex format = required(labeled, "dataFormat_");
        if (!is(format, JsonType::String, "a text")) return;
        arg.deviceDtype = string(t_.text(format));
        const bundle::DeviceFormat* known = bundle::deviceFormatNamed(arg.deviceDtype);
        if (known == nullptr) return fail(format, "the device format is not known");
        shape(labeled, node, known->elemsPerStick, arg);
        ownSlices(node, arg);
        addresses(node, arg);
    }

    /// Slices that the tensor does not share with its op: the source of a shuffle. A table that is no regular division
    /// says nothing.
    void ownSlices(TapeIndex node, bundle::TensorArg& arg) {
        const TapeIndex coordinates = find(node, "coordinates_");
        const TapeIndex table = coordinates == 0 ? 0 : find(coordinates, "coreIdToWkSlice_");
        if (error_ || table == 0 || t_.type(table) != JsonType::Object || t_.count(table) == 0) return;
        std::map<string, std::map<std::int64_t, std::int64_t>> slices;
        for (const TapeIndex c : t_.children(table)) {
            const auto core = text::parseInt(t_.key(c));
            if (!core || *core < 0 || *core >= static_cast<std::int64_t>(kMostCores)) return;
            if (t_.type(c) != JsonType::Object) return;
            for (const TapeIndex label : t_.children(c))
                slices[string(t_.key(label))][*core] = requiredNumber(label);
        }
        bundle::WorkDivision division;
        for (const bundle::IterationEntry& e : record_.op.iterationSpace) {
            const auto it = slices.find(e.symbol);
            if (it == slices.end()) continue;
            std::int64_t most = 0;
            std::int64_t every = 0;
            for (const auto& [core, slice] : it->second) {
                most = std::max(most, slice);
                if (every == 0 && slice != 0) every = core;
            }
            if (most == 0) continue;
            for (const auto& [core, slice] : it->second) {
                if (every < 1 || core / every % (most + 1) != slice) return;
            }
            division.push_back({e.symbol, most + 1, every});
        }
        bundle::setWorkDivision(arg, division);
    }

    /// The layout in primaryDsInfo_ that a tensor refers to, 0 for none.
    TapeIndex layoutOf(TapeIndex labeled) {
        const TapeIndex type = required(labeled, "dsType_");
        const TapeIndex layouts = required(dsc_, "primaryDsInfo_");
        if (error_ || !is(type, JsonType::String, "a text")) return 0;
        const TapeIndex layout = find(layouts, t_.text(type));
        if (layout == 0) fail(type, "no layout has this label");
        return layout;
    }

    string stickOf(TapeIndex layout) {
        const auto sticks = texts(required(layout, "stickDimOrder_"));
        return sticks.empty() ? string() : sticks.front();
    }

    /// Scales by dimension: the file lists them in the order of the layout, not of the tensor (13.2 step 6).
    std::map<string, std::int64_t> scalesOf(TapeIndex labeled, TapeIndex layout) {
        std::map<string, std::int64_t> out;
        const TapeIndex scales = required(labeled, "scale_");
        const std::vector<string> order = texts(required(layout, "layoutDimOrder_"));
        if (error_ || !is(scales, JsonType::Array, "an array")) return out;
        if (t_.count(scales) != order.size()) fail(scales, "as many scales as dimensions are expected");
        std::size_t i = 0;
        for (const TapeIndex c : t_.children(scales)) {
            const std::int64_t scale = requiredNumber(c);
            if (i < order.size()) out[order[i++]] = scale;
        }
        return out;
    }

    /// Device sizes and coordinates out of order, extents, scales and gaps (17.1 step 4).
    void shape(TapeIndex labeled, TapeIndex node, std::int64_t eps, bundle::TensorArg& arg) {
        const std::vector<string> order = texts(required(node, "layoutDimOrder_"));
        const TapeIndex layout = layoutOf(labeled);
        if (error_) return;
        const auto scales = scalesOf(labeled, layout);
        const string stick = stickOf(layout);
        if (error_) return;
        const TapeIndex gaps = find(node, "backGapCore_");
        std::vector<std::int64_t> sizes;
        std::vector<Expr> coordinates;
        bool stickIsReduced = stick.empty();
        for (const string& label : order) {
            const auto scale = scales.find(label);
            if (scale == scales.end()) return fail(node, "its layout has no dimension " + text::quoted(label));
            const std::int64_t factor = scale->second;
            const auto named = whole_.find(label);
            if (error_ || named == whole_.end())
                return fail(node, "dimension " + text::quoted(label) + " is not in N_");
            const bool isLoop = record_.op.find(label) != nullptr;
            const std::int64_t extent = factor == 1 ? named->second : 1;
            const auto whole = checkedAdd(extent, gapOf(gaps, label));
            if (!whole || *whole < 1) return fail(node, "a gap is out of range");
            if (*whole < extent) lowerExtent(label, *whole);
            const bool isStick = label == stick;
            if (isStick && (factor != 1 || !isLoop)) stickIsReduced = true;
            sizes.push_back(isStick ? ceilDiv(*whole, eps) : *whole);
            const Expr symbol = Expr::symbol(label);
            coordinates.push_back(factor != 1 || !isLoop ? Expr(0) : isStick ? Expr::floorDiv(symbol, eps) : symbol);
        }
        // The list runs from the dimension next to the stick outwards.
        arg.deviceSize.assign(sizes.rbegin(), sizes.rend());
        arg.deviceSize.push_back(eps);
        arg.coordinates.assign(coordinates.rbegin(), coordinates.rend());
        arg.coordinates.push_back(stickIsReduced ? Expr(0) : Expr::modulo(Expr::symbol(stick), eps));
    }

    std::int64_t gapOf(TapeIndex gaps, const string& label) {
        const TapeIndex gap = gaps == 0 ? 0 : find(gaps, label);
        if (gap == 0 || t_.type(gap) != JsonType::Object) return 0;
        std::optional<std::int64_t> largest;
        for (const TapeIndex c : t_.children(gap)) {
            const std::int64_t own = requiredNumber(c);
            largest = std::max(largest.value_or(own), own);
        }
        return largest.value_or(0);
    }

    /// Extent of the data: that of a tensor that ends before the raised extent.
    void lowerExtent(const string& label, std::int64_t whole) {
        for (bundle::IterationEntry& e : record_.op.iterationSpace) {
            if (e.symbol == label && e.extent.integer().value_or(0) > whole) e.extent = Expr(whole);
        }
    }

    void addresses(TapeIndex node, bundle::TensorArg& arg) {
        const TapeIndex component = required(node, "component_");
        const TapeIndex table = required(node, "startAddressCoreCorelet_");
        const TapeIndex data = required(table, "data_");
        if (error_ || !is(component, JsonType::String, "a text") || !is(data, JsonType::Object, "an object")) return;
        SdscRecord::Tensor t;
        t.inLx = t_.text(component) == "lx";
        std::map<std::int64_t, std::int64_t> byCore;
        for (const TapeIndex c : t_.children(data)) {
            // "[core, corelet, time]" or "[core, time]"
            std::string_view key = t_.key(c);
            const std::size_t begin = key.find_first_of("0123456789");
            const std::size_t end = key.find_first_not_of("0123456789", begin == string::npos ? 0 : begin);
            const auto core = begin == string::npos ? std::nullopt : text::parseInt(key.substr(begin, end - begin));
            if (!core || *core >= static_cast<std::int64_t>(kMostCores))
                return fail(c, "a key [core, 0, 0] is expected");
            byCore.emplace(*core, requiredNumber(c));
        }
        if (byCore.empty()) return fail(data, "at least one address is expected");
        for (const auto& [core, value] : byCore)
            t.starts.push_back(value);
        const TapeIndex flag = find(node, "isStartAddrSymbolic_");
        const bool flagged = flag != 0 && ((t_.type(flag) == JsonType::Bool && t_.at(flag).boolean) ||
                                           (t_.type(flag) == JsonType::Integer && t_.at(flag).integer != 0));
        t.symbolic = flagged || t.starts.front() < 0;
        if (t.inLx && t.symbolic) return fail(node, "a tensor in LX has no symbolic address");
        if (!t.symbolic) {
            arg.allocation = bundle::Allocation{t.inLx ? bundle::Space::Lx : bundle::Space::Hbm, t.starts.front()};
        }
        record_.op.args.push_back(std::move(arg));
        record_.tensors.push_back(std::move(t));
    }

    static constexpr TapeIndex kNone = UINT32_MAX;
    const Tape& t_;
    TapeIndex dsc_ = 0;
    SdscRecord record_;
    std::map<string, std::int64_t> whole_;  ///< extents of N_ by dimension
    std::vector<std::int64_t> inputs_, outputs_;
    std::optional<Error> error_;
};

}  // namespace

Result<SdscRecord> readSdsc(std::string_view bytes, const Limits& limits, const RunControl& control) {
    const auto tape = readTape(bytes, kCodes, limits, control);
    if (!tape) return tape.error();
    return Reader(tape.value()).run();
}

}  // namespace memplan::io
