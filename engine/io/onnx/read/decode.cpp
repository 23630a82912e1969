// SPDX-License-Identifier: Apache-2.0
#include "engine/base/text.h"
#include "engine/io/onnx/read/failure.h"
#include "engine/io/onnx/read/model_decoder.h"

namespace memplan::io::onnx {

std::string atByte(std::uint64_t offset) {
    return "byte " + std::to_string(offset);
}

std::string limitText(const char* what, std::int64_t limit, const char* setting) {
    return std::string("more than ") + text::grouped(limit) + " " + what + " (setting " + setting + ")";
}

void ModelDecoder::charge(std::size_t bytes, std::uint64_t offset) {
    charged_ += static_cast<std::int64_t>(bytes);
    if (charged_ <= limits_.importMemoryBytes) return;
    failImport("IN-905", atByte(offset),
               "reading the file needs more than " + text::grouped(limits_.importMemoryBytes) + " bytes of memory",
               "raise the setting limits.import_memory_bytes if the file is trusted");
}

void ModelDecoder::countNode(std::uint64_t offset) {
    clock_.tick(offset, bytes_.size());
    if (++document_.nodes <= limits_.nodes) return;
    failImport("ONNX-903", atByte(offset), limitText("nodes", limits_.nodes, "limits.nodes"),
               "raise the setting limits.nodes if the file is trusted");
}

// An empty graph holds no node, yet it must not be free.
void ModelDecoder::countGraph(std::uint64_t offset) {
    clock_.tick();
    if (static_cast<std::int64_t>(document_.graphs.size()) <= limits_.nodes) return;
    failImport("ONNX-903", atByte(offset), limitText("graphs", limits_.nodes, "limits.nodes"));
}

void ModelDecoder::countValue(std::uint64_t offset) {
    clock_.tick(offset, bytes_.size());
    if (++values_ <= limits_.values) return;
    failImport("ONNX-904", atByte(offset), limitText("values", limits_.values, "limits.values"),
               "raise the setting limits.values if the file is trusted");
}

WireMessage ModelDecoder::open(std::string_view message, int depth, std::uint64_t offset) {
    if (depth > limits_.nesting) {
        failImport("ONNX-902", atByte(offset),
                   limitText("messages inside one another", limits_.nesting, "limits.nesting"),
                   "graphs nested this deep cannot be read");
    }
    return WireMessage(message, bytes_.data());
}

void ModelDecoder::appendOperand(std::vector<std::string_view>& list, WireMessage& wire) {
    if (static_cast<std::int64_t>(list.size()) >= limits_.nodeOperands) {
        failImport("ONNX-905", atByte(wire.offset()),
                   limitText("inputs or outputs of one node", limits_.nodeOperands, "limits.node_operands"));
    }
    charge(sizeof(std::string_view), wire.offset());
    list.push_back(wire.bytes());
}

void ModelDecoder::appendValueInfo(std::vector<ValueInfoProto>& list, WireMessage& wire) {
    countValue(wire.offset());
    charge(sizeof(ValueInfoProto), wire.offset());
    list.emplace_back();
    list.back().offset = wire.offset();
    tensors_.mergeValueInfo(list.back(), wire.bytes());
}

void ModelDecoder::appendNode(std::int32_t graph, WireMessage& parent, int depth) {
    countNode(parent.offset());
    charge(sizeof(NodeProto), parent.offset());
    NodeProto node;
    node.offset = parent.offset();
    WireMessage wire = open(parent.bytes(), depth, node.offset);
    while (wire.next()) {
        switch (wire.key()) {
        case bytesKey(1):
            appendOperand(node.inputs, wire);
            break;
        case bytesKey(2):
            appendOperand(node.outputs, wire);
            break;
        case bytesKey(3):
            node.name = wire.bytes();
            break;
        case bytesKey(4):
            node.opType = wire.bytes();
            break;
        case bytesKey(5):
            appendAttribute(node, wire, depth + 1, graph);
            break;
        case bytesKey(7):
            node.domain = wire.bytes();
            break;
        case bytesKey(8):
            node.overload = wire.bytes();
            break;
        default:
            wire.skip();
        }
    }
    document_.graphs[static_cast<std::size_t>(graph)].nodes.push_back(std::move(node));
}

void ModelDecoder::mergeGraph(std::int32_t graph, std::string_view message, int depth, std::uint64_t offset) {
    WireMessage wire = open(message, depth, offset);
    GraphProto& into = document_.graphs[static_cast<std::size_t>(graph)];
    while (wire.next()) {
        switch (wire.key()) {
        case bytesKey(1):
            appendNode(graph, wire, depth + 1);
            break;
        case bytesKey(2):
            into.name = wire.bytes();
            break;
        case bytesKey(5):
        case bytesKey(15): {
            countValue(wire.offset());
            charge(sizeof(TensorProto), wire.offset());
            const bool sparse = wire.key() == bytesKey(15);
            const std::uint64_t at = wire.offset();
            TensorProto& tensor = into.initializers.emplace_back();
            if (sparse)
                tensors_.mergeSparse(tensor, wire.bytes(), at);
            else
                tensors_.mergeTensor(tensor, wire.bytes(), at);
            break;
        }
        case bytesKey(11):
            appendValueInfo(into.inputs, wire);
            break;
        case bytesKey(12):
            appendValueInfo(into.outputs, wire);
            break;
        case bytesKey(13):
            appendValueInfo(into.valueInfo, wire);
            break;
        default:
            wire.skip();
        }
    }
}

std::pair<std::string_view, std::int64_t> ModelDecoder::decodeOpset(std::string_view message) {
    std::pair<std::string_view, std::int64_t> result{{}, 0};
    WireMessage wire(message, bytes_.data());
    while (wire.next()) {
        if (wire.key() == bytesKey(1))
            result.first = wire.bytes();
        else if (wire.key() == varintKey(2))
            result.second = wire.integer();
        else
            wire.skip();
    }
    if (result.first == "ai.onnx") result.first = {};
    return result;
}

void ModelDecoder::appendFunction(WireMessage& parent) {
    countNode(parent.offset());
    charge(sizeof(FunctionProto) + sizeof(GraphProto), parent.offset());
    FunctionProto& function = document_.functions.emplace_back();
    function.body = static_cast<std::int32_t>(document_.graphs.size());
    GraphProto& body = document_.graphs.emplace_back();
    const std::uint64_t offset = parent.offset();
    WireMessage wire = open(parent.bytes(), 2, offset);
    const auto formal = [&](std::vector<ValueInfoProto>& list) {
        countValue(wire.offset());
        charge(sizeof(ValueInfoProto), wire.offset());
        list.emplace_back().offset = wire.offset();
        list.back().name = wire.bytes();
    };
    while (wire.next()) {
        switch (wire.key()) {
        case bytesKey(1):
            body.name = function.name = wire.bytes();
            break;
        case bytesKey(4):
            formal(body.inputs);
            break;
        case bytesKey(5):
            formal(body.outputs);
            break;
        case bytesKey(6):
            appendOperand(function.attributes, wire);
            break;
        case bytesKey(7):
            appendNode(function.body, wire, 3);
            break;
        case bytesKey(9):
            function.opsets.push_back(decodeOpset(wire.bytes()));
            break;
        case bytesKey(10):
            function.domain = wire.bytes();
            break;
        case bytesKey(11): {
            countValue(wire.offset());
            function.defaults.push_back(decodeAttribute(wire, 3, function.body, -1));
            break;
        }
        case bytesKey(12):
            appendValueInfo(body.valueInfo, wire);
            break;
        case bytesKey(13):
            function.overload = wire.bytes();
            break;
        default:
            wire.skip();
        }
    }
    if (function.domain == "ai.onnx") function.domain = {};
}

Document ModelDecoder::run() {
    WireMessage wire = open(bytes_, 1, 0);
    while (wire.next()) {
        switch (wire.key()) {
        case varintKey(1):
            document_.irVersion = wire.integer();
            document_.hasIrVersion = true;
            break;
        case bytesKey(2):
            document_.producer = wire.bytes();
            break;
        case bytesKey(3):
            document_.producerVersion = wire.bytes();
            break;
        case bytesKey(7): {
            if (document_.graph < 0) {
                document_.graph = static_cast<std::int32_t>(document_.graphs.size());
                document_.graphs.emplace_back();
            }
            const std::uint64_t offset = wire.offset();
            mergeGraph(document_.graph, wire.bytes(), 2, offset);
            break;
        }
        case bytesKey(8):
            countValue(wire.offset());
            document_.opsets.push_back(decodeOpset(wire.bytes()));
            break;
        case bytesKey(25):
            appendFunction(wire);
            break;
        default:
            wire.skip();
        }
    }
    return std::move(document_);
}

void ImportClock::check() const {
    if (control_.cancelled()) failImport(kCancelledCode, "", "cancelled");
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
    if (spent.count() <= seconds_ && !control_.timedOut()) return;
    failImport("IN-906", "",
               "the import took longer than " + text::number(seconds_) + " s (setting limits.import_seconds)",
               "raise the setting limits.import_seconds if the file is trusted");
}

Document decodeModel(std::string_view bytes, const Limits& limits, ImportClock& clock) {
    return ModelDecoder(bytes, limits, clock).run();
}

}  // namespace memplan::io::onnx
