// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/torchwright/transformer/manifest.h"

#include "engine/base/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <utility>

namespace memplan::verify::transformer {
namespace {

using nlohmann::json;

constexpr std::int64_t kMostColumns = 65536, kMostSlots = 1 << 20, kMostLayers = 100'000, kMostHeads = 1 << 20;

/// Reads members and notes the first thing that is wrong; after it everything reads as empty.
class Fields {
public:
    [[nodiscard]] bool isGood() const { return message_.empty(); }
    [[nodiscard]] Error error() const {
        return makeError("TW-031", "manifest.json" + (place_.empty() ? "" : ", " + place_), message_,
                         "export the transformer again");
    }
    void refuse(const std::string& place, std::string message) {
        if (!isGood()) return;
        place_ = place;
        message_ = std::move(message);
    }

    const json& member(const json& object, const char* key, const std::string& place) {
        static const json kNone;
        if (!object.is_object() || !object.contains(key)) {
            refuse(place, "the member \"" + std::string(key) + "\" is missing");
            return kNone;
        }
        return object.at(key);
    }

    std::int64_t integer(const json& object, const char* key, std::pair<std::int64_t, std::int64_t> range,
                         const std::string& place) {
        const json& value = member(object, key, place);
        if (!isGood()) return range.first;
        const bool isInRange = value.is_number_integer() && !isTooLarge(value) &&
                               value.get<std::int64_t>() >= range.first && value.get<std::int64_t>() <= range.second;
        if (isInRange) return value.get<std::int64_t>();
        refuse(place, "\"" + std::string(key) + "\" is no integer from " + std::to_string(range.first) + " to " +
                          std::to_string(range.second));
        return range.first;
    }

    std::string string(const json& object, const char* key, const std::string& place) {
        const json& value = member(object, key, place);
        if (value.is_string()) return value.get<std::string>();
        refuse(place, "\"" + std::string(key) + "\" is no string");
        return {};
    }

    bool boolean(const json& object, const char* key, const std::string& place) {
        const json& value = member(object, key, place);
        if (value.is_boolean()) return value.get<bool>();
        refuse(place, "\"" + std::string(key) + "\" is neither true nor false");
        return false;
    }

    const json& array(const json& object, const char* key, const std::string& place) {
        static const json kEmpty = json::array();
        const json& value = member(object, key, place);
        if (value.is_array()) return value;
        refuse(place, "\"" + std::string(key) + "\" is no array");
        return kEmpty;
    }

private:
    static bool isTooLarge(const json& value) {
        return value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t{INT64_MAX};
    }

    std::string place_, message_;
};

class ManifestReader {
public:
    explicit ManifestReader(const json& document) : document_(document) {}

    Result<Manifest> read() {
        readHead();
        if (in_.isGood()) readNodes();
        if (in_.isGood()) readStart();
        if (in_.isGood()) readOutputs();
        if (in_.isGood()) readHeld();
        if (in_.isGood()) readLayers();
        if (!in_.isGood()) return in_.error();
        return std::move(out_);
    }

private:
    void readHead() {
        Bundle& bundle = out_.bundle;
        if (in_.string(document_, "format", "") != "memplan.torchwright-bundle")
            in_.refuse("format", "the format is not \"memplan.torchwright-bundle\"");
        if (in_.integer(document_, "version", {INT64_MIN, INT64_MAX}, "") != 1)
            in_.refuse("version", "the version is not 1, the one that this program reads");
        bundle.graph = in_.string(document_, "graph", "");
        bundle.d = in_.integer(document_, "d", {1, kMostColumns}, "");
        bundle.dHead = in_.integer(document_, "d_head", {1, kMostColumns}, "");
        out_.bundle.slotsMost = in_.integer(document_, "d_hidden", {1, kMostSlots}, "");
        if (in_.isGood() && bundle.d % bundle.dHead != 0)
            in_.refuse("d", "d = " + std::to_string(bundle.d) +
                                " is no multiple of d_head = " + std::to_string(bundle.dHead));
        if (!in_.boolean(document_, "weights", "")) bundle.whyNoWeights = in_.string(document_, "no_weights", "");
        bundle.result = in_.string(document_, "result", "");
        bundle.routing = in_.string(in_.member(document_, "config", ""), "local_in_attention", "config");
        if (in_.isGood() && bundle.routing != "always" && bundle.routing != "never")
            in_.refuse("config",
                       "\"local_in_attention\" is " + text::quoted(bundle.routing) + ", neither always nor never");
        for (const auto& [key, value] : in_.member(document_, "config", "").items())
            if (value.is_string()) bundle.settings[key] = value.get<std::string>();
        bundle.assumesZeros = in_.boolean(in_.member(document_, "config", ""), "assume_zero_init", "config");
    }

    void readNodes() {
        for (const json& node : in_.array(document_, "nodes", "")) {
            const std::string place = "nodes/" + std::to_string(out_.bundle.nodes.size());
            const std::int64_t id = in_.integer(node, "id", {0, INT64_MAX}, place);
            BundleNode entry;
            entry.type = in_.string(node, "type", place);
            entry.width = in_.integer(node, "d_output", {0, kMostSlots}, place);
            if (node.is_object() && node.contains("name")) entry.name = in_.string(node, "name", place);
            if (node.is_object() && node.contains("layer"))
                entry.layer = static_cast<int>(in_.integer(node, "layer", {0, kMostLayers}, place));
            if (!out_.bundle.nodes.emplace(id, std::move(entry)).second)
                in_.refuse(place, "the node " + std::to_string(id) + " is given twice");
            if (!in_.isGood()) return;
        }
    }

    /// Runs [start, count] of the member, as single columns; those of one list are different unless they may repeat.
    ColumnList columns(const json& object, const char* key, const std::string& place, bool mayRepeat = false) {
        ColumnList list;
        std::set<std::int64_t> seen;
        for (const json& run : in_.array(object, key, place)) {
            const bool isRun =
                run.is_array() && run.size() == 2 && run[0].is_number_integer() && run[1].is_number_integer();
            const std::int64_t first = isRun ? run[0].get<std::int64_t>() : -1;
            const std::int64_t count = isRun ? run[1].get<std::int64_t>() : -1;
            if (first < 0 || count < 1 || first >= out_.bundle.d || count > out_.bundle.d - first) {
                in_.refuse(place, "\"" + std::string(key) + "\" holds " + text::escaped(run.dump()) +
                                      ", no run of columns within " + std::to_string(out_.bundle.d));
                return {};
            }
            for (std::int64_t c = first; c < first + count; ++c) {
                list.push_back(static_cast<std::int32_t>(c));
                if (seen.insert(c).second || mayRepeat) continue;
                in_.refuse(place, "column " + std::to_string(c) + " is named twice");
                return {};
            }
            if (list.size() > std::size_t{kMostSlots}) {
                in_.refuse(place, "more columns than a node may have");
                return {};
            }
        }
        return list;
    }

    std::int64_t knownNode(const json& object, const std::string& place) {
        const std::int64_t id = in_.integer(object, "node", {0, INT64_MAX}, place);
        if (!out_.bundle.nodes.contains(id))
            in_.refuse(place, "the node " + std::to_string(id) + " is not in \"nodes\"");
        return id;
    }

    void checkWidth(std::int64_t node, const ColumnList& list, const std::string& place) {
        const auto known = out_.bundle.nodes.find(node);
        if (known == out_.bundle.nodes.end()) return;
        if (static_cast<std::int64_t>(list.size()) == known->second.width) return;
        in_.refuse(place, std::to_string(list.size()) + " columns for node " + std::to_string(node) + ", which has " +
                              std::to_string(known->second.width));
    }

    void readStart() {
        std::set<std::int32_t> taken;
        for (const json& entry : in_.array(document_, "start", "")) {
            const std::string place = "start/" + std::to_string(out_.bundle.start.size());
            Start start;
            start.node = knownNode(entry, place);
            start.type = in_.string(entry, "type", place);
            start.columns = columns(entry, "columns", place);
            checkWidth(start.node, start.columns, place);
            for (const std::int32_t c : start.columns)
                if (!taken.insert(c).second)
                    in_.refuse(place, "column " + std::to_string(c) + " belongs to two nodes at the start");
            readSource(entry, start, place);
            if (!in_.isGood()) return;
            out_.bundle.start.push_back(std::move(start));
        }
    }

    void readSource(const json& entry, Start& start, const std::string& place) {
        if (start.type == "PosEncoding" || start.type == "LiteralValue") return;
        if (start.type != "InputNode" && start.type != "Embedding")
            return in_.refuse(place, "nothing of the type " + text::quoted(start.type) + " stands in the stream");
        start.input = in_.string(entry, "input", place);
        if (start.type == "Embedding" && out_.bundle.hasWeights())
            out_.tables[start.node] = in_.string(entry, "table", place);
    }

    void readOutputs() {
        for (const json& entry : in_.array(document_, "outputs", "")) {
            const std::string place = "outputs/" + std::to_string(out_.bundle.outputs.size());
            BundleOutput output;
            output.node = knownNode(entry, place);
            if (out_.bundle.hasWeights()) {
                output.columns = columns(entry, "columns", place, true);
                checkWidth(output.node, output.columns, place);
            }
            if (!in_.isGood()) return;
            out_.bundle.outputs.push_back(std::move(output));
        }
        if (out_.bundle.outputs.empty()) in_.refuse("outputs", "there is no output");
    }

    void readHeld() {
        const std::int64_t layers = in_.integer(document_, "n_layers", {0, kMostLayers}, "");
        for (const json& entry : in_.array(document_, "columns", "")) {
            const std::string place = "columns/" + std::to_string(out_.bundle.held.size());
            Held held;
            held.node = knownNode(entry, place);
            held.columns = columns(entry, "columns", place);
            checkWidth(held.node, held.columns, place);
            held.firstLayer = static_cast<int>(in_.integer(entry, "first_layer", {-1, layers - 1}, place));
            held.lastLayer = static_cast<int>(in_.integer(entry, "last_layer", {-1, layers - 1}, place));
            if (!in_.isGood()) return;
            out_.bundle.held.push_back(std::move(held));
        }
    }

    void readLayers() {
        const json& list = in_.array(document_, "layers", "");
        const std::int64_t count = in_.integer(document_, "n_layers", {0, kMostLayers}, "");
        if (static_cast<std::int64_t>(list.size()) != count)
            in_.refuse("layers",
                       std::to_string(list.size()) + " layers are listed, n_layers is " + std::to_string(count));
        for (std::size_t i = 0; i < list.size() && in_.isGood(); ++i)
            readLayer(list[i], "layers/" + std::to_string(i));
    }

    /// Nothing outside of the folder is read, on whatever system: no path, no drive.
    std::string fileOfFolder(const json& entry, const std::string& place) {
        const std::string name = in_.string(entry, "file", place);
        constexpr std::string_view kOfPaths("/\\:\0", 4);
        const bool isPlain =
            !name.empty() && name != "." && name != ".." && name.find_first_of(kOfPaths) == std::string::npos;
        if (!isPlain) in_.refuse(place, "\"file\" is " + text::quoted(name) + ", no name of a file in this folder");
        return name;
    }

    /// Operations of the MLP take the layer's slots [first, count] one after the other.
    void checkSlots(const json& entry, const std::string& place) {
        const std::int64_t stated = in_.integer(entry, "slots", {0, out_.bundle.slotsMost}, place);
        std::int64_t taken = 0;
        for (const json& op : in_.array(entry, "mlp", place)) {
            if (!op.is_object() || !op.contains("slots")) continue;
            const json& slots = op.at("slots");
            const bool isRange =
                slots.is_array() && slots.size() == 2 && slots[0].is_number_integer() && slots[1].is_number_integer();
            const std::int64_t count = isRange ? slots[1].get<std::int64_t>() : -1;
            if (count < 0 || count > out_.bundle.slotsMost || slots[0].get<std::int64_t>() != taken)
                return in_.refuse(place, "an operation has the slots " + text::escaped(slots.dump()) +
                                             ", the next free one is " + std::to_string(taken));
            taken += count;
        }
        if (taken != stated)
            in_.refuse(place,
                       "\"slots\" is " + std::to_string(stated) + ", its operations take " + std::to_string(taken));
    }

    BundleOp anyOp(const json& op, const std::string& place) {
        BundleOp read;
        read.op = in_.string(op, "op", place);
        if (op.is_object() && op.contains("node")) read.node = knownNode(op, place);
        read.target = columns(op, "target", place);
        return read;
    }

    BundleOp attentionOp(const json& op, const std::string& place) {
        BundleOp read = anyOp(op, place);
        read.isAttention = true;
        read.heads = in_.integer(op, "heads", {0, kMostHeads}, place);
        if (read.op == "compute_attn") {
            read.query = columns(op, "q", place, true);
            read.key = columns(op, "k", place, true);
            read.value = columns(op, "v", place, true);
        } else if (read.op != "cancel") {
            read.source = columns(op, "source", place, true);
        }
        if (read.op == "compute_add") read.sourceB = columns(op, "source_b", place, true);
        return read;
    }

    BundleOp mlpOp(const json& op, const std::string& place) {
        BundleOp read = anyOp(op, place);
        if (read.op == "compute_bias" || read.op == "compute_literal_value") return read;
        read.source = columns(op, "source", place, true);
        const json& slots = in_.array(op, "slots", place);
        if (slots.size() != 2 || !in_.isGood()) return read;  // as checkSlots() found them
        read.firstSlot = slots[0].get<std::int64_t>();
        read.slotCount = slots[1].get<std::int64_t>();
        return read;
    }

    void readLayer(const json& entry, const std::string& place) {
        BundleLayer layer;
        layer.heads = std::max<std::int64_t>(1, in_.integer(entry, "heads", {0, kMostHeads}, place));
        if (layer.heads > out_.bundle.d / out_.bundle.dHead)
            in_.refuse(place, std::to_string(layer.heads) + " heads, a layer has " +
                                  std::to_string(out_.bundle.d / out_.bundle.dHead));
        layer.headsUsed = in_.integer(entry, "heads", {0, kMostHeads}, place);
        layer.occupiedBefore = in_.integer(entry, "occupied_before", {0, out_.bundle.d}, place);
        layer.occupiedAfter = in_.integer(entry, "occupied_after", {0, out_.bundle.d}, place);
        for (const json& op : in_.array(entry, "attn", place))
            layer.ops.push_back(attentionOp(op, place));
        checkSlots(entry, place);
        layer.slotsUsed = in_.integer(entry, "slots", {0, out_.bundle.slotsMost}, place);
        for (const json& op : in_.array(entry, "mlp", place))
            layer.ops.push_back(mlpOp(op, place));
        for (const json& node : in_.array(entry, "released", place))
            if (node.is_number_integer())
                layer.released.push_back(node.get<std::int64_t>());
            else
                in_.refuse(place, "\"released\" holds something that is no number of a node");
        if (out_.bundle.hasWeights()) out_.layerFiles.push_back(fileOfFolder(entry, place));
        out_.bundle.layers.push_back(std::move(layer));
    }

    const json& document_;
    Fields in_;
    Manifest out_;
};

}  // namespace

Result<Manifest> readManifest(std::string_view text) {
    const json document = json::parse(text, nullptr, false);
    if (!document.is_object())
        return makeError("TW-031", "manifest.json", "the manifest is no JSON object, or is cut off",
                         "export the transformer again");
    return ManifestReader(document).read();
}

}  // namespace memplan::verify::transformer
