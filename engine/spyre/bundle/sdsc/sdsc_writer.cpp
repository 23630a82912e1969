// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/bundle/sdsc/sdsc_writer.h"

#include "engine/base/numeric.h"
#include "engine/json/json_text.h"
#include "engine/spyre/bundle/sdsc/encoded_constant.h"
#include "engine/spyre/bundle/sdsc/work_division.h"

#include <algorithm>
#include <cmath>

namespace memplan::bundle {

namespace {

using io::JsonWriter;
using std::int64_t;
using std::string;

string tensorName(std::size_t i) {
    return "Tensor" + std::to_string(i);
}

string linkName(std::size_t i) {
    return tensorName(i) + "-idx" + std::to_string(i);
}

class Writer {
public:
    Writer(std::size_t index, const OpSpec& spec, const SdscOp& op, const std::optional<SymbolIds>& ids)
        : index_(index), spec_(spec), op_(op), ids_(ids) {}

    Result<string> run() {
        w_.beginObject();
        w_.key(std::to_string(index_) + "_" + op_.function);
        w_.beginObject();
        root();
        w_.endObject();
        w_.endObject();
        if (error_) return *error_;
        return w_.finish();
    }

private:
    // ---- small shapes --------------------------------------------------------------------------------

    template <class Text> void strings(std::string_view key, const std::vector<Text>& values) {
        w_.key(key);
        w_.beginArray();
        for (const Text& s : values)
            w_.string(s);
        w_.endArray();
    }

    void fold(int64_t factor, std::string_view label) {
        w_.beginObject();
        w_.member("factor_", factor);
        w_.member("label_", label);
        w_.endObject();
    }

    void affine(int64_t alpha) {
        w_.beginObject();
        w_.key("Affine");
        w_.beginObject();
        w_.member("alpha_", alpha);
        w_.member("beta_", std::int64_t{0});
        w_.endObject();
        w_.endObject();
    }

    void kind(std::string_view name) {
        w_.beginObject();
        w_.key(name);
        w_.beginObject();
        w_.endObject();
        w_.endObject();
    }

    void folds(std::initializer_list<std::pair<int64_t, std::string_view>> attributes) {
        w_.key("dim_prop_attr");
        w_.beginArray();
        for (const auto& [factor, label] : attributes)
            fold(factor, label);
        w_.endArray();
    }

    /// {"0": value(0), "1": ...} over all cores.
    template <class Value> void perCore(std::string_view key, Value&& value) {
        w_.key(key);
        w_.beginObject();
        for (int64_t c = 0; c < op_.coreCount(); ++c) {
            w_.key(std::to_string(c));
            value(c);
        }
        w_.endObject();
    }

    // ---- the document --------------------------------------------------------------------------------

    void root() {
        w_.key("sdscFoldProps_");
        w_.beginArray();
        fold(1, "time");
        w_.endArray();
        w_.key("sdscFolds_");
        w_.beginObject();
        w_.key("dim_prop_func");
        w_.beginArray();
        affine(1);
        w_.endArray();
        folds({{1, "time"}});
        w_.key("data_");
        w_.beginObject();
        w_.member("[0]", "0");
        w_.endObject();
        w_.endObject();
        w_.key("coreFoldProp_");
        fold(op_.coreCount(), "core");
        w_.key("coreletFoldProp_");
        fold(1, "corelet");
        w_.member("numCoresUsed_", op_.coreCount());
        perCore("coreIdToDsc_", [this](int64_t) { w_.integer(0); });
        dimObject("numWkSlicesPerDim_", [](const SdscDim& d) { return d.split; });
        perCore("coreIdToWkSlice_", [this](int64_t c) {
            w_.beginObject();
            for (std::size_t d = 0; d < op_.dims.size(); ++d)
                w_.member(op_.dims[d].label, op_.cores[static_cast<std::size_t>(c)][d]);
            w_.endObject();
        });
        perCore("coreIdToDscSchedule", [this](int64_t) {
            w_.beginArray();
            w_.beginArray();
            for (const int64_t v : {-1, 0, 0, 0})
                w_.integer(v);
            w_.endArray();
            w_.endArray();
        });
        w_.key("dscs_");
        w_.beginArray();
        w_.beginObject();
        w_.key(op_.function);
        w_.beginObject();
        dsc();
        w_.endObject();
        w_.endObject();
        w_.endArray();
    }

    template <class Value> void dimObject(std::string_view key, Value&& value) {
        w_.key(key);
        w_.beginObject();
        for (const SdscDim& d : op_.dims)
            w_.member(d.label, value(d));
        w_.endObject();
    }

    void dsc() {
        w_.member("numCoresUsed_", op_.coreCount());
        w_.member("numCoreletsUsed_", int64_t{1});
        w_.key("coreIdsUsed_");
        w_.beginArray();
        for (int64_t c = 0; c < op_.coreCount(); ++c)
            w_.integer(c);
        w_.endArray();
        w_.key("N_");
        extents("n", [](const SdscDim& d) { return d.extent; });
        masking();
        stage();
        layouts();
        w_.key("scheduleTree_");
        w_.beginArray();
        for (std::size_t i = 0; i < op_.args.size(); ++i)
            allocateNode(i);
        w_.endArray();
        w_.key("labeledDs_");
        w_.beginArray();
        for (std::size_t i = 0; i < op_.args.size(); ++i)
            labeledDs(i);
        w_.endArray();
        constants();
        computeOp();
    }

    template <class Value> void extents(std::string_view name, Value&& value) {
        w_.beginObject();
        w_.member("name_", name);
        for (const SdscDim& d : op_.dims)
            w_.member(string(d.label) + "_", value(d));
        w_.endObject();
    }

    void masking() {
        w_.key("coordinateMasking_");
        w_.beginObject();
        for (const auto& [label, padding] : op_.mask) {
            w_.key(label);
            w_.beginArray();
            w_.beginArray();
            w_.integer(op_.find(label)->extent - padding);
            w_.integer(padding);
            w_.endArray();
            w_.endArray();
        }
        w_.endObject();
        w_.member("maskingConstId_", std::int64_t{op_.mask.empty() ? -1 : 0});
    }

    void stage() {
        w_.key("dataStageParam_");
        w_.beginObject();
        w_.key("0");
        w_.beginObject();
        for (const std::string_view part : {"ss_", "el_"}) {
            w_.key(part);
            extents("core", [](const SdscDim& d) { return d.extent / d.split; });
        }
        w_.endObject();
        w_.endObject();
    }

    void layouts() {
        w_.key("primaryDsInfo_");
        w_.beginObject();
        for (const SdscLayout& l : op_.layouts) {
            w_.key(l.label);
            w_.beginObject();
            strings("layoutDimOrder_", l.order);
            strings("stickDimOrder_", l.stick.empty() ? std::vector<SdscLabel>{} : std::vector<SdscLabel>{l.stick});
            w_.key("stickSize_");
            w_.beginArray();
            w_.integer(l.stickSize);
            w_.endArray();
            w_.endObject();
        }
        w_.endObject();
    }

    bool isLx(std::size_t i) const { return spec_.args[i].allocation && spec_.args[i].allocation->space == Space::Lx; }

    void allocateNode(std::size_t i) {
        const SdscArg& arg = op_.args[i];
        const string component = isLx(i) ? "lx" : "hbm";
        w_.beginObject();
        w_.member("nodeType_", "allocate");
        w_.member("name_", "allocate-" + tensorName(i) + "_" + component);
        w_.member("prev_", "");
        w_.member("ldsIdx_", static_cast<int64_t>(i));
        w_.member("component_", component);
        if (ids_ && !isLx(i)) w_.member("isStartAddrSymbolic_", std::int64_t{1});
        w_.key("layoutDimOrder_");
        w_.beginArray();
        for (const SdscArgDim& d : arg.dims)
            w_.string(d.label);
        w_.endArray();
        w_.key("maxDimSizes_");
        w_.beginArray();
        for (std::size_t d = 0; d < arg.dims.size(); ++d)
            w_.integer(-1);
        w_.endArray();
        startAddresses(i);
        backGap(arg);
        w_.key("coordinates_");
        w_.beginObject();
        w_.key("coordInfo");
        w_.beginObject();
        for (const SdscArgDim& d : arg.dims)
            coordinate(i, d);
        w_.endObject();
        ownSlices(i);
        w_.endObject();
        w_.endObject();
    }

    /// Empty where the tensor is divided like the op, else the slices of its own (cost 17.6).
    void ownSlices(std::size_t i) {
        w_.key("coreIdToWkSlice_");
        w_.beginObject();
        if (const auto own = workDivisionOf(spec_.args[i])) {
            for (int64_t c = 0; c < std::min(coresOf(*own), op_.coreCount()); ++c) {
                w_.key(std::to_string(c));
                w_.beginObject();
                for (const DividedSymbol& part : *own)
                    w_.member(labelOf(part.symbol), c / part.every % part.slices);
                w_.endObject();
            }
        }
        w_.endObject();
    }

    /// Labels stand for the symbols of the op in their order (13.2).
    std::string_view labelOf(std::string_view symbol) const {
        for (std::size_t d = 0; d < spec_.iterationSpace.size() && d < op_.dims.size(); ++d) {
            if (spec_.iterationSpace[d].symbol == symbol) return op_.dims[d].label;
        }
        return symbol;
    }

    void startAddresses(std::size_t i) {
        w_.key("startAddressCoreCorelet_");
        w_.beginObject();
        w_.key("dim_prop_func");
        w_.beginArray();
        kind("Map");
        kind("Const");
        kind("Const");
        w_.endArray();
        folds({{op_.coreCount(), "core"}, {1, "corelet"}, {1, "time"}});
        w_.key("data_");
        w_.beginObject();
        for (int64_t c = 0; c < op_.coreCount(); ++c) {
            int64_t value = 0;
            if (ids_ && !isLx(i)) {
                value = (*ids_)[i][static_cast<std::size_t>(c)];
            } else {
                auto address = startAddress(op_, spec_, i, c);
                if (!address && !error_) error_ = address.error();
                if (address) value = address.value();
            }
            w_.member("[" + std::to_string(c) + ", 0, 0]", std::to_string(value));
        }
        w_.endObject();
        w_.endObject();
    }

    void backGap(const SdscArg& arg) {
        if (arg.backGap.empty()) return;
        w_.key("backGapCore_");
        w_.beginObject();
        for (const auto& [label, gap] : arg.backGap) {
            w_.key(label);
            w_.beginObject();
            w_.member("-1", std::to_string(gap));
            w_.endObject();
        }
        w_.endObject();
    }

    void coordinate(std::size_t i, const SdscArgDim& own) {
        const SdscArg& arg = op_.args[i];
        const SdscDim* d = op_.find(own.label);
        const int64_t scale = own.scale;
        const int64_t split = scale == 1 && d != nullptr ? slicesAlong(op_, spec_, i, *d) : 1;
        const int64_t perCore = scale == 1 && d != nullptr ? d->extent / split : 1;
        const bool isStick = own.label == arg.stick;
        const int64_t eps = arg.elemsPerStick;
        w_.key(own.label);
        w_.beginObject();
        w_.member("spatial", std::int64_t{3});
        w_.member("temporal", std::int64_t{0});
        w_.member("elemArr", std::int64_t{isStick ? 2 : 1});
        w_.member("padding", "nopad");
        w_.key("folds");
        w_.beginObject();
        w_.key("dim_prop_func");
        w_.beginArray();
        // A dimension reduced along the stick still occupies one stick.
        const bool reducedStick = isStick && scale == -2;
        affine(reducedStick ? eps : perCore);
        affine(0);
        affine(0);
        if (isStick) affine(eps);
        affine(reducedStick ? 0 : 1);
        w_.endArray();
        if (isStick) {
            const int64_t sticks = scale == 1 ? ceilDiv(perCore, eps) : 1;
            folds({{split, "core_fold"},
                   {1, "corelet_fold"},
                   {1, "row_fold"},
                   {sticks, "elem_arr_1"},
                   {eps, "elem_arr_0"}});
        } else {
            folds({{split, "core_fold"}, {1, "corelet_fold"}, {1, "row_fold"}, {perCore, "elem_arr_0"}});
        }
        w_.endObject();
        w_.endObject();
    }

    void labeledDs(std::size_t i) {
        const SdscArg& arg = op_.args[i];
        w_.beginObject();
        w_.member("ldsIdx_", static_cast<int64_t>(i));
        w_.member("dsName_", tensorName(i));
        w_.member("dsType_", arg.layout);
        w_.key("scale_");
        w_.beginArray();
        // In the order of the layout that the arg refers to, not in its own (13.2 step 6).
        const auto layout = std::find_if(op_.layouts.begin(), op_.layouts.end(),
                                         [&](const SdscLayout& l) { return l.label == arg.layout; });
        for (const SdscLabel label : layout->order)
            w_.integer(arg.find(label)->scale);
        w_.endArray();
        w_.member("wordLength", arg.bytes);
        w_.member("dataFormat_", arg.dataFormat);
        w_.key("memOrg_");
        w_.beginObject();
        for (const std::string_view memory : {"hbm", "lx"}) {
            if (memory == "hbm" && isLx(i)) continue;
            w_.key(memory);
            w_.beginObject();
            w_.member("isPresent", std::int64_t{1});
            w_.endObject();
        }
        w_.endObject();
        w_.endObject();
    }

    void constants() {
        std::vector<std::pair<string, double>> values;
        if (const PyValue* given = spec_.opInfo.find("constants"); given != nullptr && given->kind == PyKind::Dict) {
            for (std::size_t i = 0; i + 1 < given->items.size(); i += 2) {
                const PyValue& v = given->items[i + 1];
                if (v.kind == PyKind::Int) values.emplace_back(given->items[i].text, static_cast<double>(v.integer));
                if (v.kind == PyKind::Real) values.emplace_back(given->items[i].text, v.real);
            }
        }
        if (!op_.mask.empty()) values.emplace_back("samv-maskvalue", op_.maskValue);
        if (values.empty()) return w_.member("constantInfo_", "{}");
        w_.key("constantInfo_");
        w_.beginObject();
        for (std::size_t i = 0; i < values.size(); ++i) {
            w_.key(std::to_string(i));
            constant(values[i].first, values[i].second);
        }
        w_.endObject();
    }

    void constant(const string& name, double value) {
        // Between two integers no integer format holds a number.
        const bool isBetween = std::isfinite(value) && std::floor(value) != value;
        const std::string_view own = op_.args.front().dataFormat;
        const std::string_view format = isBetween && own == "IEEE_INT32" ? "IEEE_FP32" : own;
        w_.beginObject();
        w_.member("dataFormat_", format);
        w_.member("name_", name);
        w_.key("data_");
        w_.beginObject();
        w_.key("dim_prop_func");
        w_.beginArray();
        kind("Const");
        kind("Const");
        kind("Map");
        w_.endArray();
        folds({{op_.coreCount(), "core"}, {1, "corelet"}, {1, "time"}});
        w_.key("data_");
        w_.beginObject();
        w_.key("[0, 0, 0]");
        w_.beginArray();
        w_.integer(encodedConstant(value, format));
        w_.endArray();
        w_.endObject();
        w_.endObject();
        w_.endObject();
    }

    void computeOp() {
        w_.key("computeOp_");
        w_.beginArray();
        w_.beginObject();
        w_.member("exUnit", op_.unit);
        w_.member("opFuncName", op_.function);
        w_.key("attributes_");
        w_.beginObject();
        w_.member("dataFormat_", op_.args.front().dataFormat);
        w_.member("fidelity_", "regular");
        w_.endObject();
        w_.member("location", "Inner");
        std::vector<string> inputs;
        for (std::size_t i = 0; i < op_.inputs && i < op_.args.size(); ++i)
            inputs.push_back(linkName(i));
        strings("inputLabeledDs", inputs);
        strings("outputLabeledDs", std::vector<string>{linkName(op_.args.size() - 1)});
        w_.endObject();
        w_.endArray();
    }

    std::size_t index_;
    const OpSpec& spec_;
    const SdscOp& op_;
    const std::optional<SymbolIds>& ids_;
    JsonWriter w_;
    std::optional<Error> error_;
};

}  // namespace

Result<string> sdscJson(std::size_t index, const OpSpec& spec, const SdscOp& op, const std::optional<SymbolIds>& ids) {
    return Writer(index, spec, op, ids).run();
}

}  // namespace memplan::bundle
