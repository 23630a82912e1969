// SPDX-License-Identifier: Apache-2.0
// Attributes of nodes: scalars, lists, tensors and the graphs inside them.
#include "engine/io/onnx/read/failure.h"
#include "engine/io/onnx/read/model_decoder.h"

#include <cstring>

namespace memplan::io::onnx {

std::int32_t ModelDecoder::attributeTensor(std::int32_t existing, WireMessage& parent, bool sparse) {
    if (existing < 0) {
        countValue(parent.offset());
        charge(sizeof(TensorProto), parent.offset());
        existing = static_cast<std::int32_t>(document_.tensors.size());
        document_.tensors.emplace_back();
    }
    TensorProto& tensor = document_.tensors[static_cast<std::size_t>(existing)];
    const std::uint64_t offset = parent.offset();
    if (sparse)
        tensors_.mergeSparse(tensor, parent.bytes(), offset);
    else
        tensors_.mergeTensor(tensor, parent.bytes(), offset);
    return existing;
}

std::int32_t ModelDecoder::subgraph(std::int32_t existing, WireMessage& parent, int depth, std::int32_t graph,
                                    std::int32_t node) {
    if (existing < 0) {
        countGraph(parent.offset());
        charge(sizeof(GraphProto), parent.offset());
        existing = static_cast<std::int32_t>(document_.graphs.size());
        GraphProto& created = document_.graphs.emplace_back();
        created.parent = graph;
        created.parentNode = node;
        created.depth = document_.graphs[static_cast<std::size_t>(graph)].depth + 1;
        if (created.depth > limits_.spliceDepth) {
            failImport("ONNX-902", atByte(parent.offset()),
                       limitText("graphs inside one another", limits_.spliceDepth, "limits.splice_depth"),
                       "graphs nested this deep cannot be read");
        }
    }
    const std::uint64_t offset = parent.offset();
    mergeGraph(existing, parent.bytes(), depth, offset);
    return existing;
}

void ModelDecoder::appendList(AttributeProto& attribute, WireMessage& wire) {
    if (!attribute.lists) attribute.lists = std::make_unique<AttributeLists>();
    AttributeLists& lists = *attribute.lists;
    const auto push = [&](auto& list, auto value) {
        ++lists.count;
        if (list.size() >= kListKept) return;
        charge(sizeof(value), wire.offset());
        list.push_back(value);
    };
    const auto packed = [&](auto&& each) {
        const std::uint64_t offset = wire.offset();
        const std::string_view run = wire.bytes();
        const char* at = run.data();
        try {
            while (at != run.data() + run.size())
                each(at, run.data() + run.size());
        } catch (const protozero::exception&) {
            failImport("ONNX-012", atByte(offset), "a broken number in the list at byte " + std::to_string(offset));
        }
    };
    switch (wire.key()) {
    case wireKey(7, WireType::Fixed32):
        push(lists.floats, static_cast<double>(wire.real32()));
        break;
    case bytesKey(7):
        packed([&](const char*& at, const char* end) {
            if (end - at < 4) throw protozero::invalid_length_exception{};
            float value = 0;
            std::memcpy(&value, at, 4);
            at += 4;
            push(lists.floats, static_cast<double>(value));
        });
        break;
    case varintKey(8):
        push(lists.ints, wire.integer());
        break;
    case bytesKey(8):
        packed([&](const char*& at, const char* end) {
            push(lists.ints, static_cast<std::int64_t>(protozero::decode_varint(&at, end)));
        });
        break;
    default:
        push(lists.strings, wire.bytes());
    }
}

AttributeProto ModelDecoder::decodeAttribute(WireMessage& parent, int depth, std::int32_t graph, std::int32_t node) {
    AttributeProto attribute;
    const std::uint64_t offset = parent.offset();
    WireMessage wire = open(parent.bytes(), depth, offset);
    while (wire.next()) {
        switch (wire.key()) {
        case bytesKey(1):
            attribute.name = wire.bytes();
            break;
        case varintKey(20):
            attribute.type = static_cast<std::uint8_t>(wire.integer());
            break;
        case wireKey(2, WireType::Fixed32):
            attribute.real = wire.real32();
            break;
        case varintKey(3):
            attribute.integer = wire.integer();
            break;
        case bytesKey(4):
            attribute.text = wire.bytes();
            break;
        case bytesKey(5):
            attribute.tensor = attributeTensor(attribute.tensor, wire, false);
            break;
        case bytesKey(22):
            attribute.tensor = attributeTensor(attribute.tensor, wire, true);
            break;
        case bytesKey(6):
            attribute.graph = subgraph(attribute.graph, wire, depth + 1, graph, node);
            break;
        case bytesKey(11):
            if (!attribute.lists) attribute.lists = std::make_unique<AttributeLists>();
            attribute.lists->graphs.push_back(subgraph(-1, wire, depth + 1, graph, node));
            break;
        case bytesKey(21):
            if (!attribute.lists) attribute.lists = std::make_unique<AttributeLists>();
            attribute.lists->refName = wire.bytes();
            break;
        case wireKey(7, WireType::Fixed32):
        case bytesKey(7):
        case varintKey(8):
        case bytesKey(8):
        case bytesKey(9):
            appendList(attribute, wire);
            break;
        default:
            wire.skip();
        }
    }
    return attribute;
}

void ModelDecoder::appendAttribute(NodeProto& node, WireMessage& parent, int depth, std::int32_t graph) {
    const auto position = static_cast<std::int32_t>(document_.graphs[static_cast<std::size_t>(graph)].nodes.size());
    if (static_cast<std::int64_t>(node.attributes.size()) >= limits_.nodeAttributes) {
        failImport("ONNX-905", atByte(parent.offset()),
                   limitText("attributes of one node", limits_.nodeAttributes, "limits.node_attributes"));
    }
    AttributeProto attribute = decodeAttribute(parent, depth, graph, position);
    if (attribute.name.empty()) return;
    charge(sizeof(AttributeProto), parent.offset());
    node.attributes.push_back(std::move(attribute));
}

}  // namespace memplan::io::onnx
