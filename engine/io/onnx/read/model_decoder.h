// SPDX-License-Identifier: Apache-2.0
// The decoder's inside: one object per file, limits counted over all messages (inputs-and-interchange 7).
#pragma once

#include "engine/io/onnx/read/import_clock.h"
#include "engine/io/onnx/read/tensor_decoder.h"

#include <string>
#include <utility>
#include <vector>

namespace memplan::io::onnx {

[[nodiscard]] std::string atByte(std::uint64_t offset);  ///< "byte 17", for Diagnostic::where
/// "more than 4 096 inputs (setting limits.node_operands)".
[[nodiscard]] std::string limitText(const char* what, std::int64_t limit, const char* setting);

class ModelDecoder {
public:
    ModelDecoder(std::string_view bytes, const Limits& limits, ImportClock& clock)
        : bytes_(bytes), limits_(limits), clock_(clock), tensors_(bytes.data()) {}
    Document run();

private:
    WireMessage open(std::string_view message, int depth, std::uint64_t offset);
    void mergeGraph(std::int32_t graph, std::string_view message, int depth, std::uint64_t offset);
    void appendNode(std::int32_t graph, WireMessage& parent, int depth);
    void appendAttribute(NodeProto& node, WireMessage& parent, int depth, std::int32_t graph);
    AttributeProto decodeAttribute(WireMessage& parent, int depth, std::int32_t graph, std::int32_t node);
    void appendList(AttributeProto& attribute, WireMessage& wire);
    std::int32_t subgraph(std::int32_t existing, WireMessage& parent, int depth, std::int32_t graph, std::int32_t node);
    std::int32_t attributeTensor(std::int32_t existing, WireMessage& parent, bool sparse);
    void appendFunction(WireMessage& parent);
    std::pair<std::string_view, std::int64_t> decodeOpset(std::string_view message);
    void appendOperand(std::vector<std::string_view>& list, WireMessage& wire);
    void appendValueInfo(std::vector<ValueInfoProto>& list, WireMessage& wire);
    void countNode(std::uint64_t offset);
    void countValue(std::uint64_t offset);
    void countGraph(std::uint64_t offset);
    void charge(std::size_t bytes, std::uint64_t offset);

    std::string_view bytes_;
    const Limits& limits_;
    ImportClock& clock_;
    TensorDecoder tensors_;
    Document document_;
    std::int64_t values_ = 0;
    std::int64_t charged_ = 0;
};

}  // namespace memplan::io::onnx
