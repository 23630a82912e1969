// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/artefact/files/descriptor.h"

#include "engine/base/numeric.h"
#include "engine/verify/spyre/artefact/files/text_cursor.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace memplan::sim::artefact {
namespace {

using std::int64_t;
using std::string;
using Json = nlohmann::ordered_json;

constexpr int64_t kMostCores = 4096;
constexpr int64_t kLargestExtent = int64_t{1} << 40;
constexpr int64_t kStickBytes = 128;

/// A value inside a JSON document with its place. Throws Broken for what is missing or has another type.
class Field {
public:
    Field(const Json& value, string where) : value_(&value), where_(std::move(where)) {}

    [[nodiscard]] bool has(const string& key) const { return value_->is_object() && value_->contains(key); }
    [[nodiscard]] Field operator[](const string& key) const {
        if (!has(key)) fail("it lacks " + text::quoted(key));
        return {(*value_)[key], where_ + "/" + key};
    }
    [[nodiscard]] Field operator[](std::size_t i) const {
        if (!value_->is_array() || i >= value_->size()) fail("it lacks element " + std::to_string(i));
        return {(*value_)[i], where_ + "/" + std::to_string(i)};
    }
    [[nodiscard]] std::size_t size() const {
        if (!value_->is_array()) fail("it is no list");
        return value_->size();
    }
    /// Calls visit(key, Field) in file order.
    template <class Visit> void members(Visit&& visit) const {
        if (!value_->is_object()) fail("it is no object");
        for (const auto& [key, value] : value_->items())
            visit(key, Field(value, where_ + "/" + key));
    }
    /// The only member of an object.
    [[nodiscard]] std::pair<std::string, Field> only() const {
        if (!value_->is_object() || value_->size() != 1) fail("it is no object of one member");
        return {value_->begin().key(), Field(value_->begin().value(), where_ + "/" + value_->begin().key())};
    }
    [[nodiscard]] string asText() const {
        if (!value_->is_string()) fail("it is no text");
        return value_->get<string>();
    }
    /// A number, a truth value, or a number as text.
    [[nodiscard]] int64_t integer() const {
        if (value_->is_boolean()) return value_->get<bool>() ? 1 : 0;
        if (value_->is_number_unsigned() && value_->get<std::uint64_t>() > INT64_MAX) fail("it leaves 64 bits");
        if (value_->is_number_integer()) return value_->get<int64_t>();
        if (value_->is_string()) {
            if (const auto v = text::parseInt(value_->get<string>())) return *v;
        }
        fail("it is no integer of 64 bits");
    }
    /// An integer in [low, high].
    [[nodiscard]] int64_t within(int64_t low, int64_t high) const {
        const int64_t v = integer();
        if (v < low || v > high) {
            fail("it is " + std::to_string(v) + ", not from " + std::to_string(low) + " to " + std::to_string(high));
        }
        return v;
    }
    [[nodiscard]] bool isText() const { return value_->is_string(); }
    [[nodiscard]] std::vector<string> strings() const {
        std::vector<string> out;
        for (std::size_t i = 0; i < size(); ++i)
            out.push_back((*this)[i].asText());
        return out;
    }
    [[noreturn]] void fail(const string& what) const { throw Broken{where_, what}; }

private:
    const Json* value_;
    string where_;
};

struct Layout {
    std::vector<string> order;
    string stick;
    int64_t stickSize = 64;
};

class DescriptorReader {
public:
    explicit DescriptorReader(const Json& root) : root_(root, "") {}

    Descriptor read() {
        const auto [title, body] = root_.only();
        out_.cores = body["numCoresUsed_"].within(1, kMostCores);
        const Field dscs = body["dscs_"];
        if (dscs.size() != 1) dscs.fail("it holds other than one operation");
        const auto [name, dsc] = dscs[0].only();
        labels(body, dsc);
        slices(body, dsc);
        masks(dsc);
        layouts(dsc["primaryDsInfo_"]);
        tensors(dsc);
        constants(dsc);
        function(title, name, dsc);
        return std::move(out_);
    }

private:
    Field root_;
    Descriptor out_;
    std::map<string, Layout> layouts_;

    std::size_t labelAt(const Field& where, const string& name) const {
        const int at = out_.labelNamed(name);
        if (at < 0) where.fail("the dimension " + text::quoted(name) + " is not among those of N_");
        return static_cast<std::size_t>(at);
    }

    void labels(const Field& body, const Field& dsc) {
        const Field extents = dsc["N_"];
        extents.members([this](const string& key, const Field& value) {
            if (key == "name_") return;
            if (!key.ends_with('_')) value.fail("the name of a dimension ends with no _");
            Label l;
            l.name = key.substr(0, key.size() - 1);
            l.extent = value.within(1, kLargestExtent);
            if (out_.labelNamed(l.name) >= 0) value.fail("a dimension is given twice");
            out_.labels.push_back(std::move(l));
        });
        if (out_.labels.empty() || out_.labels.size() > 16) extents.fail("it holds other than 1 to 16 dimensions");
        std::size_t seen = 0;
        body["numWkSlicesPerDim_"].members([&](const string& key, const Field& value) {
            out_.labels[labelAt(value, key)].slices = value.within(1, kMostCores);
            ++seen;
        });
        if (seen != out_.labels.size()) extents.fail("its dimensions are not those of numWkSlicesPerDim_");
        for (const char* key : {"ss_", "el_"})
            perCore(dsc["dataStageParam_"]["0"][key]);
    }

    void perCore(const Field& stage) {
        std::size_t seen = 0;
        stage.members([&](const string& key, const Field& value) {
            if (key == "name_") return;
            Label& l = out_.labels[labelAt(value, key.substr(0, key.size() - 1))];
            l.perCore = value.within(1, kLargestExtent);
            if (l.perCore * l.slices != l.extent) {
                value.fail(std::to_string(l.slices) + " slices of " + std::to_string(l.perCore) +
                           " elements are not the extent of " + std::to_string(l.extent));
            }
            ++seen;
        });
        if (seen != out_.labels.size()) stage.fail("its dimensions are not those of N_");
    }

    void slices(const Field& body, const Field& dsc) {
        if (body["coreFoldProp_"]["factor_"].integer() != out_.cores || dsc["numCoresUsed_"].integer() != out_.cores ||
            dsc["coreIdsUsed_"].size() != static_cast<std::size_t>(out_.cores))
            dsc.fail("the numbers of cores contradict each other");
        for (int64_t c = 0; c < out_.cores; ++c) {
            if (dsc["coreIdsUsed_"][static_cast<std::size_t>(c)].integer() != c)
                dsc["coreIdsUsed_"].fail("cores are not numbered from 0 on");
        }
        const Field map = body["coreIdToWkSlice_"];
        std::set<std::vector<int64_t>> taken;
        int64_t pieces = 1;
        for (const Label& l : out_.labels)
            pieces = saturatedMul(pieces, l.slices);
        for (int64_t c = 0; c < out_.cores; ++c) {
            const Field own = map[std::to_string(c)];
            std::vector<int64_t> slice;
            for (const Label& l : out_.labels)
                slice.push_back(own[l.name].within(0, l.slices - 1));
            if (!taken.insert(slice).second) own.fail("another core has the same slices");
            out_.slice.push_back(std::move(slice));
        }
        if (pieces != out_.cores) map.fail("the slices are " + std::to_string(pieces) + " pieces of work");
        std::size_t entries = 0;
        map.members([&](const string&, const Field&) { ++entries; });
        if (entries != out_.slice.size()) map.fail("it holds other cores than those used");
    }

    void masks(const Field& dsc) {
        const Field masking = dsc["coordinateMasking_"];
        masking.members([this](const string& key, const Field& value) {
            Label& l = out_.labels[labelAt(value, key)];
            if (value.size() != 1 || value[0].size() != 2) value.fail("it is no pair of first element and count");
            const int64_t first = value[0][0].within(0, l.extent);
            const int64_t count = value[0][1].within(0, l.extent);
            if (first + count > l.extent) value.fail("the mask reaches beyond the extent");
            l.masked = {first, first + count};
            out_.isMasked = true;
        });
        const bool hasConstant = dsc["maskingConstId_"].integer() >= 0;
        if (hasConstant != out_.isMasked) dsc["maskingConstId_"].fail("it contradicts coordinateMasking_");
    }

    void layouts(const Field& info) {
        info.members([this](const string& key, const Field& value) {
            Layout l;
            l.order = value["layoutDimOrder_"].strings();
            const std::vector<string> sticks = value["stickDimOrder_"].strings();
            if (sticks.size() > 1) value.fail("it has several stick dimensions");
            if (!sticks.empty()) l.stick = sticks.front();
            l.stickSize = value["stickSize_"][0].within(1, kStickBytes);
            for (const string& name : l.order)
                labelAt(value, name);
            if (!layouts_.emplace(key, std::move(l)).second) value.fail("a layout is given twice");
        });
    }

    // ---- tensors -----------------------------------------------------------------------------------

    void tensors(const Field& dsc) {
        const Field list = dsc["labeledDs_"];
        const Field nodes = dsc["scheduleTree_"];
        if (nodes.size() != list.size()) nodes.fail("it has another number of tensors than labeledDs_");
        for (std::size_t i = 0; i < list.size(); ++i) {
            const Field data = list[i];
            if (data["ldsIdx_"].integer() != static_cast<int64_t>(i)) data.fail("its number is not its position");
            out_.tensors.push_back(tensor(data, nodeOf(nodes, i)));
        }
    }

    static Field nodeOf(const Field& nodes, std::size_t index) {
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const Field node = nodes[i];
            if (node["nodeType_"].asText() == "allocate" && node["ldsIdx_"].integer() == static_cast<int64_t>(index))
                return node;
        }
        nodes.fail("no allocate node for tensor " + std::to_string(index));
    }

    Tensor tensor(const Field& data, const Field& node) {
        Tensor t;
        t.name = data["dsName_"].asText();
        if (data.has("dataFormat_")) t.format = data["dataFormat_"].asText();
        t.wordLength = data["wordLength"].within(1, 8);
        const string component = node["component_"].asText();
        t.isLx = component == "lx";
        if (!t.isLx && component != "hbm") node["component_"].fail("neither hbm nor lx");
        if (data["memOrg_"].has("hbm") == t.isLx) data["memOrg_"].fail("it contradicts component_");
        if (node["name_"].asText() != "allocate-" + t.name + "_" + component)
            node["name_"].fail("it names another tensor or memory");
        const auto layout = layouts_.find(data["dsType_"].asText());
        if (layout == layouts_.end()) data["dsType_"].fail("primaryDsInfo_ has no such layout");
        t.stickSize = layout->second.stickSize;
        if (t.stickSize * t.wordLength != kStickBytes) data["wordLength"].fail("a stick has other than 128 bytes");
        t.stick = out_.labelNamed(layout->second.stick);
        dims(t, data, node, layout->second);
        starts(t, node);
        return t;
    }

    void dims(Tensor& t, const Field& data, const Field& node, const Layout& layout) {
        const std::vector<string> order = node["layoutDimOrder_"].strings();
        const Field scales = data["scale_"];
        if (scales.size() != layout.order.size()) scales.fail("it has another length than its layout");
        if (!std::is_permutation(order.begin(), order.end(), layout.order.begin(), layout.order.end()))
            node["layoutDimOrder_"].fail("its dimensions are not those of the layout");
        if (node["maxDimSizes_"].size() != order.size())
            node["maxDimSizes_"].fail("it has another length than the order");
        for (std::size_t d = 0; d < order.size(); ++d) {
            // -1 is the one bound that the format knows (coarse-tiling 13.5); what a device does with another is
            // unknown.
            if (node["maxDimSizes_"][d].integer() != -1) node["maxDimSizes_"].fail("it bounds a dimension");
        }
        const Field coordinates = node["coordinates_"];
        ownSlices(t, coordinates);
        for (const string& name : order) {
            ArgDim d;
            d.label = static_cast<int>(labelAt(node["layoutDimOrder_"], name));
            const auto at = std::find(layout.order.begin(), layout.order.end(), name) - layout.order.begin();
            d.scale = scales[static_cast<std::size_t>(at)].within(-2, 1);
            if (d.scale == 0) scales.fail("a scale of 0");
            const Label& l = out_.labels[static_cast<std::size_t>(d.label)];
            d.slices = d.scale == 1 ? slicesOf(t, static_cast<std::size_t>(d.label)) : 1;
            if (l.extent % d.slices != 0) node.fail("a slice of " + text::quoted(name) + " is no whole number");
            d.perCore = d.scale == 1 ? l.extent / d.slices : 1;
            folds(coordinates["coordInfo"][name]["folds"], d, l, d.label == t.stick, t.stickSize);
            t.dims.push_back(d);
        }
        if (node.has("backGapCore_")) gaps(t, node["backGapCore_"]);
    }

    /// How often a tensor with slices of its own is divided along a label: the largest slice plus one.
    int64_t slicesOf(const Tensor& t, std::size_t label) const {
        if (t.ownSlices.empty()) return out_.labels[label].slices;
        int64_t most = 0;
        for (const auto& core : t.ownSlices)
            most = std::max(most, core[label]);
        return most + 1;
    }

    void ownSlices(Tensor& t, const Field& coordinates) {
        std::size_t entries = 0;
        const Field map = coordinates["coreIdToWkSlice_"];
        map.members([&](const string&, const Field&) { ++entries; });
        if (entries > out_.slice.size()) map.fail("it names more cores than the operation has");
        for (std::size_t c = 0; c < entries; ++c) {
            std::vector<int64_t> own(out_.labels.size(), 0);
            map[std::to_string(c)].members(
                [&](const string& key, const Field& value) { own[labelAt(value, key)] = value.within(0, kMostCores); });
            t.ownSlices.push_back(std::move(own));
        }
    }

    void gaps(Tensor& t, const Field& list) {
        list.members([&](const string& key, const Field& value) {
            const int label = static_cast<int>(labelAt(value, key));
            const auto it =
                std::find_if(t.dims.begin(), t.dims.end(), [&](const ArgDim& d) { return d.label == label; });
            if (it == t.dims.end()) value.fail("a gap of a dimension that the tensor does not have");
            bool first = true;
            value.members([&](const string&, const Field& elements) {
                const int64_t gap = elements.within(-kLargestExtent, kLargestExtent);
                if (!first && gap != it->gap) value.fail("gaps differ between cores");
                it->gap = gap;
                first = false;
            });
        });
    }

    /// The folds must count the coordinates 0, 1, .. of every slice, in that order, over all cores.
    static void folds(const Field& f, const ArgDim& d, const Label& l, bool isStick, int64_t stickSize) {
        const Field functions = f["dim_prop_func"];
        const Field attributes = f["dim_prop_attr"];
        const std::size_t n = isStick ? 5 : 4;
        if (functions.size() != n || attributes.size() != n)
            f.fail("it has other than " + std::to_string(n) + " folds");
        std::vector<int64_t> alpha;
        std::vector<int64_t> factor;
        for (std::size_t i = 0; i < n; ++i) {
            alpha.push_back(functions[i]["Affine"]["alpha_"].integer());
            factor.push_back(attributes[i]["factor_"].integer());
            if (functions[i]["Affine"]["beta_"].integer() != 0) functions[i].fail("a fold starts at other than 0");
        }
        const bool oneLane = isStick && d.scale == -2;
        const int64_t lanes = isStick ? stickSize : d.perCore;
        const int64_t slice = oneLane ? stickSize : d.perCore;
        if (factor[0] != d.slices || factor[1] != 1 || factor[2] != 1)
            attributes.fail("the coordinates are divided otherwise than the slices");
        if (alpha[0] != slice) functions[0].fail("the coordinates of a core start elsewhere than its slice");
        if (alpha[n - 1] != (oneLane ? 0 : 1)) functions[n - 1].fail("elements do not follow each other");
        if (factor[n - 1] != lanes) attributes[n - 1].fail("another number of elements");
        if (!isStick) return;
        if (alpha[3] != stickSize) functions[3].fail("sticks do not follow each other");
        const int64_t whole = d.scale == 1 ? d.perCore / stickSize : 1;
        const bool isRagged = d.scale == 1 && d.perCore % stickSize != 0;
        if (factor[3] != whole && !(isRagged && factor[3] == whole + 1)) attributes[3].fail("another number of sticks");
        if (isRagged && d.slices > 1) {
            f.fail("a slice of " + std::to_string(d.perCore) + " elements of " + std::to_string(l.extent) +
                   " is no whole number of sticks");
        }
    }

    void starts(Tensor& t, const Field& node) {
        t.isSymbolic = node.has("isStartAddrSymbolic_") && node["isStartAddrSymbolic_"].integer() != 0;
        const Field data = node["startAddressCoreCorelet_"]["data_"];
        t.start.assign(static_cast<std::size_t>(out_.cores), 0);
        std::set<int64_t> seen;
        data.members([&](const string& key, const Field& value) {
            TextCursor cursor(key, "#");
            int64_t core = -1;
            try {
                cursor.expect("[");
                core = cursor.integer();
                while (cursor.take(","))
                    if (cursor.integer() != 0) core = -1;
                cursor.expect("]");
            } catch (const Broken&) {
                core = -1;
            }
            if (core < 0 || core >= out_.cores || !seen.insert(core).second) value.fail("no core of this operation");
            const int64_t v = value.integer();
            if (v < 0 && !t.isSymbolic) value.fail("an address below 0");
            if (v >= 0 && t.isSymbolic) value.fail("no symbol id in a tensor with symbolic addresses");
            t.start[static_cast<std::size_t>(core)] = v;
        });
        if (seen.size() != t.start.size()) data.fail("not every core has an address");
    }

    // ---- function ----------------------------------------------------------------------------------

    void constants(const Field& dsc) {
        const Field info = dsc["constantInfo_"];
        if (info.isText()) {
            if (info.asText() != "{}") info.fail("it is neither an object nor the text {}");
            return;
        }
        info.members([this](const string&, const Field& value) {
            NamedConstant c;
            c.name = value["name_"].asText();
            c.format = value["dataFormat_"].asText();
            c.bits = value["data_"]["data_"]["[0, 0, 0]"][0].integer();
            out_.constants.push_back(std::move(c));
        });
    }

    std::size_t linked(const Field& link) const {
        const string name = link.asText();
        for (std::size_t i = 0; i < out_.tensors.size(); ++i) {
            if (name == out_.tensors[i].name + "-idx" + std::to_string(i)) return i;
        }
        link.fail("no tensor of this file");
    }

    void function(const string& title, const string& name, const Field& dsc) {
        const Field ops = dsc["computeOp_"];
        if (ops.size() != 1) ops.fail("it holds other than one operation");
        out_.function = ops[0]["opFuncName"].asText();
        const std::size_t mark = title.find('_');
        if (out_.function != name || mark == string::npos || title.substr(mark + 1) != name)
            ops[0]["opFuncName"].fail("the file names its function differently in different places");
        const Field outputs = ops[0]["outputLabeledDs"];
        if (outputs.size() != 1) outputs.fail("other than one result");
        out_.output = linked(outputs[0]);
        const Field inputs = ops[0]["inputLabeledDs"];
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const std::size_t t = linked(inputs[i]);
            // Reductions list their result among the inputs.
            if (t == out_.output) {
                out_.isReduction = true;
            } else {
                out_.inputs.push_back(t);
            }
        }
    }
};

}  // namespace

int Descriptor::labelNamed(std::string_view name) const {
    const auto it = std::find_if(labels.begin(), labels.end(), [&](const Label& l) { return l.name == name; });
    return it == labels.end() ? -1 : static_cast<int>(it - labels.begin());
}

Result<Descriptor> readDescriptor(std::string_view json, const string& where) {
    const Json root = Json::parse(json, nullptr, false);
    if (root.is_discarded()) return makeError("VER-020", where, "it is no JSON", "export the bundle anew");
    try {
        return DescriptorReader(root).read();
    } catch (const Broken& e) {
        return makeError("VER-020", where + ":" + e.where, e.what, "export the bundle anew");
    }
}

}  // namespace memplan::sim::artefact
