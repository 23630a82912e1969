// SPDX-License-Identifier: Apache-2.0
// Shape rules by operator and opset (inputs-and-interchange 3.4). Expected shapes are worked out
// by hand from the operators' definitions.
#include "engine/io/onnx/resolve/onnx_reader.h"
#include "tests/support/onnx_builder.h"
#include "tests/support/program.h"

#include <QTest>

using namespace memplan;
using namespace memplan::onnxtest;

namespace {

/// One node on inputs x0, x1 ... of the given shapes; operands not called x<i> are the constants.
struct Rule {
    std::string name;
    std::int64_t opset;
    std::string op;
    std::vector<Ints> inputs;
    std::vector<Ints> outputs;  ///< empty list of lists: ONNX-042 is expected
    std::vector<std::string> attributes = {};
    std::vector<Constant> constants = {};  ///< follow the inputs; an empty name is an omitted operand
    std::string domain = {};
};

std::string fileOf(const Rule& r) {
    GraphText g;
    Names operands, results;
    for (std::size_t i = 0; i < r.inputs.size(); ++i) {
        operands.push_back("x" + std::to_string(i));
        g.input(operands.back(), kFloat, Dims(r.inputs[i].begin(), r.inputs[i].end()));
    }
    for (const Constant& c : r.constants) {
        operands.push_back(c.name);
        if (c.name.empty()) continue;
        g.constant(c);
    }
    for (std::size_t i = 0; i < std::max<std::size_t>(r.outputs.size(), 1); ++i)
        results.push_back("y" + std::to_string(i));
    g.add(NodeText{r.op, operands, results, r.attributes, "n", r.domain});
    for (const std::string& y : results)
        g.output(y);
    return model(g, r.opset, r.domain.empty() ? std::string() : wire::bytes(8, opset(r.domain, 1)));
}

const Constant kNone{"", {}, {}};

std::vector<Rule> versionRules() {
    const std::string axes1 = attrInts("axes", {1});
    return {
        {"Squeeze-11 attribute", 11, "Squeeze", {{2, 1, 3}}, {{2, 3}}, {axes1}},
        {"Squeeze-13 input", 13, "Squeeze", {{2, 1, 3}}, {{2, 3}}, {}, {i64("a", {1})}},
        {"Squeeze all", 13, "Squeeze", {{1, 2, 1, 3}}, {{2, 3}}},
        {"Squeeze of an extent above 1", 13, "Squeeze", {{2, 1, 3}}, {}, {}, {i64("a", {0})}},
        {"Unsqueeze-11 attribute", 11, "Unsqueeze", {{2, 3}}, {{1, 2, 3, 1}}, {attrInts("axes", {0, -1})}},
        {"Unsqueeze-13 input", 13, "Unsqueeze", {{2, 3}}, {{2, 1, 3}}, {}, {i64("a", {1})}},
        {"ReduceSum-12 attribute", 12, "ReduceSum", {{2, 3, 4}}, {{2, 1, 4}}, {axes1}},
        {"ReduceSum-13 input", 13, "ReduceSum", {{2, 3, 4}}, {{2, 4}}, {attrInt("keepdims", 0)}, {i64("a", {1})}},
        {"ReduceMean-17 attribute", 17, "ReduceMean", {{2, 3, 4}}, {{2, 1, 4}}, {axes1}},
        {"ReduceMean-18 input", 18, "ReduceMean", {{2, 3, 4}}, {{2, 3}}, {attrInt("keepdims", 0)}, {i64("a", {-1})}},
        {"ReduceMax-18 all", 18, "ReduceMax", {{2, 3}}, {{1, 1}}},
        {"ReduceMax-18 none", 18, "ReduceMax", {{2, 3}}, {{2, 3}}, {attrInt("noop_with_empty_axes", 1)}},
        {"Split-11 equal", 11, "Split", {{6, 2}}, {{3, 2}, {3, 2}}},
        {"Split-11 sizes", 11, "Split", {{6, 2}}, {{2, 2}, {4, 2}}, {attrInts("split", {2, 4})}},
        {"Split-13 sizes", 13, "Split", {{2, 6}}, {{2, 1}, {2, 5}}, {attrInt("axis", 1)}, {i64("s", {1, 5})}},
        {"Split-13 wrong sum", 13, "Split", {{2, 6}}, {}, {attrInt("axis", 1)}, {i64("s", {1})}},
        {"Split-18 smaller last", 18, "Split", {{7}}, {{3}, {3}, {1}}, {attrInt("num_outputs", 3)}},
        {"Slice-9 attributes",
         9,
         "Slice",
         {{5, 6}},
         {{3, 2}},
         {attrInts("starts", {1, -2}), attrInts("ends", {4, 100})}},
        {"Slice-10 inputs",
         10,
         "Slice",
         {{5, 6}},
         {{5, 3}},
         {},
         {i64("s", {0}), i64("e", {6}), i64("a", {1}), i64("t", {2})}},
        {"Slice backwards",
         13,
         "Slice",
         {{5}},
         {{3}},
         {},
         {i64("s", {-1}), i64("e", {-6}), i64("a", {0}), i64("t", {-2})}},
        {"Slice to nothing", 13, "Slice", {{5}}, {{0}}, {}, {i64("s", {4}), i64("e", {2}), i64("a", {0})}},
        {"Slice whole range",
         13,
         "Slice",
         {{5}},
         {{5}},
         {},
         {i64("s", {INT64_MIN}), i64("e", {INT64_MAX}), i64("a", {0})}},
        {"Clip-6 attributes", 10, "Clip", {{2, 3}}, {{2, 3}}, {attrReal("min", 0), attrReal("max", 6)}},
        {"Clip-11 inputs", 11, "Clip", {{2, 3}}, {{2, 3}}, {}, {kNone, f32("m", {6})}},
        {"Pad-10 attribute", 10, "Pad", {{2, 3}}, {{2, 6}}, {attrInts("pads", {0, 1, 0, 2})}},
        {"Pad-11 input, crop", 11, "Pad", {{2, 5}}, {{4, 3}}, {}, {i64("p", {1, -1, 1, -1})}},
        {"Pad-18 axes", 18, "Pad", {{2, 3, 4}}, {{2, 3, 9}}, {}, {i64("p", {2, 3}), kNone, i64("a", {-1})}},
        {"Pad below nothing", 13, "Pad", {{2}}, {}, {}, {i64("p", {-2, -1})}},
        {"Reshape copies 0", 13, "Reshape", {{2, 3, 4}}, {{2, 12}}, {}, {i64("s", {0, -1})}},
        {"Reshape-14 allowzero", 14, "Reshape", {{0, 3}}, {{3, 0}}, {attrInt("allowzero", 1)}, {i64("s", {3, 0})}},
        {"Reshape-13 ignores allowzero",
         13,
         "Reshape",
         {{2, 3}},
         {{2, 3}},
         {attrInt("allowzero", 1)},
         {i64("s", {0, 0})}},
        {"Softmax-12 axis at the rank", 12, "Softmax", {{2, 3}}, {{2, 3}}, {attrInt("axis", 2)}},
        {"Softmax-13 axis at the rank", 13, "Softmax", {{2, 3}}, {}, {attrInt("axis", 2)}},
        {"Resize-10 scales", 10, "Resize", {{1, 2, 3, 5}}, {{1, 2, 6, 7}}, {}, {f32("s", {1, 1, 2, 1.5F})}},
        {"Resize-11 sizes",
         11,
         "Resize",
         {{1, 2, 3, 5}},
         {{1, 2, 9, 9}},
         {},
         {f32("r", {0}), kNone, i64("z", {1, 2, 9, 9})}},
        {"Resize-18 axes",
         18,
         "Resize",
         {{1, 2, 3, 5}},
         {{1, 2, 6, 10}},
         {attrInts("axes", {2, 3})},
         {kNone, f32("s", {2, 2})}},
        {"Resize-18 not larger",
         18,
         "Resize",
         {{1, 1, 10, 20}},
         {{1, 1, 10, 20}},
         {attrInts("axes", {2, 3}), attrText("keep_aspect_ratio_policy", "not_larger")},
         {kNone, kNone, i64("z", {20, 20})}},
        {"Resize-18 not smaller",
         18,
         "Resize",
         {{1, 1, 10, 20}},
         {{1, 1, 20, 40}},
         {attrInts("axes", {2, 3}), attrText("keep_aspect_ratio_policy", "not_smaller")},
         {kNone, kNone, i64("z", {20, 20})}},
        {"Resize without anything", 13, "Resize", {{1, 1, 4, 4}}, {}, {}, {kNone, kNone}},
        {"Upsample-7 attribute", 7, "Upsample", {{1, 1, 2, 2}}, {{1, 1, 4, 6}}, {attrReals("scales", {1, 1, 2, 3})}},
        {"Upsample-9 input", 9, "Upsample", {{1, 1, 2, 2}}, {{1, 1, 4, 6}}, {}, {f32("s", {1, 1, 2, 3})}},
        {"AveragePool-9 has no ceil mode",
         9,
         "AveragePool",
         {{1, 1, 6}},
         {{1, 1, 2}},
         {attrInts("kernel_shape", {3}), attrInts("strides", {2}), attrInt("ceil_mode", 1)}},
        {"AveragePool-10 ceil mode",
         10,
         "AveragePool",
         {{1, 1, 6}},
         {{1, 1, 3}},
         {attrInts("kernel_shape", {3}), attrInts("strides", {2}), attrInt("ceil_mode", 1)}},
        {"AveragePool-11 has no dilations",
         11,
         "AveragePool",
         {{1, 1, 10, 10}},
         {{1, 1, 8, 8}},
         {attrInts("kernel_shape", {3, 3}), attrInts("dilations", {2, 2})}},
        {"AveragePool-19 dilations",
         19,
         "AveragePool",
         {{1, 1, 10, 10}},
         {{1, 1, 6, 6}},
         {attrInts("kernel_shape", {3, 3}), attrInts("dilations", {2, 2})}},
        {"Dropout with mask", 13, "Dropout", {{2, 3}}, {{2, 3}, {2, 3}}},
        {"TopK-9 attribute", 9, "TopK", {{2, 7}}, {{2, 3}, {2, 3}}, {attrInt("k", 3)}},
        {"TopK-11 input", 11, "TopK", {{7, 2}}, {{4, 2}, {4, 2}}, {attrInt("axis", 0)}, {i64("k", {4})}},
        {"TopK of too many", 11, "TopK", {{7, 2}}, {}, {}, {i64("k", {4})}},
        {"LayerNormalization-17", 17, "LayerNormalization", {{2, 3, 4}, {4}}, {{2, 3, 4}, {2, 3, 1}, {2, 3, 1}}},
        {"GroupNormalization-18",
         18,
         "GroupNormalization",
         {{2, 6, 4}, {6}, {6}},
         {{2, 6, 4}},
         {attrInt("num_groups", 3)}},
        {"Gelu-20", 20, "Gelu", {{2, 3}}, {{2, 3}}},
        {"RMSNormalization-23", 23, "RMSNormalization", {{2, 3}, {3}}, {{2, 3}}},
        {"Attention-23 of rank 3",
         23,
         "Attention",
         {{1, 4, 12}, {1, 6, 6}, {1, 6, 6}},
         {{1, 4, 12}},
         {attrInt("q_num_heads", 4), attrInt("kv_num_heads", 2)}},
        {"Attention-23 of rank 4",
         23,
         "Attention",
         {{1, 4, 5, 3}, {1, 2, 6, 3}, {1, 2, 6, 7}},
         {{1, 4, 5, 7}, {1, 2, 6, 3}, {1, 2, 6, 7}}},
        {"Swish-24", 24, "Swish", {{2, 3}}, {{2, 3}}},
        {"CumProd-26", 26, "CumProd", {{2, 3}}, {{2, 3}}, {}, {i64("a", {1})}},
        {"SwiGLU-28", 28, "SwiGLU", {{2, 3}}, {{2, 3}}},
    };
}

std::vector<Rule> operatorRules() {
    const std::string k3 = attrInts("kernel_shape", {3});
    return {
        {"Add broadcasts", 14, "Add", {{2, 1, 4}, {3, 1}}, {{2, 3, 4}}},
        {"Where", 16, "Where", {{2, 1}, {3}, {1, 1}}, {{2, 3}}},
        {"Sum of three", 13, "Sum", {{2, 3}, {3}, {1}}, {{2, 3}}},
        {"PRelu one way", 16, "PRelu", {{2, 3, 4}, {3, 1}}, {{2, 3, 4}}},
        {"PRelu the other way", 16, "PRelu", {{3}, {2, 3}}, {}},
        {"Transpose default", 13, "Transpose", {{2, 3, 4}}, {{4, 3, 2}}},
        {"Transpose perm", 13, "Transpose", {{2, 3, 4}}, {{3, 2, 4}}, {attrInts("perm", {1, 0, 2})}},
        {"Transpose repeated axis", 13, "Transpose", {{2, 3}}, {}, {attrInts("perm", {1, 1})}},
        {"Flatten", 13, "Flatten", {{2, 3, 4}}, {{6, 4}}, {attrInt("axis", 2)}},
        {"Flatten at 0", 13, "Flatten", {{2, 3}}, {{1, 6}}, {attrInt("axis", 0)}},
        {"DepthToSpace", 13, "DepthToSpace", {{1, 8, 2, 3}}, {{1, 2, 4, 6}}, {attrInt("blocksize", 2)}},
        {"SpaceToDepth", 13, "SpaceToDepth", {{1, 2, 4, 6}}, {{1, 8, 2, 3}}, {attrInt("blocksize", 2)}},
        {"Concat", 13, "Concat", {{2, 3}, {2, 4}}, {{2, 7}}, {attrInt("axis", -1)}},
        {"Concat of unequal", 13, "Concat", {{2, 3}, {3, 4}}, {}, {attrInt("axis", 1)}},
        {"Expand", 13, "Expand", {{3, 1}}, {{2, 3, 4}}, {}, {i64("s", {2, 1, 4})}},
        {"Tile", 13, "Tile", {{2, 3}}, {{4, 9}}, {}, {i64("r", {2, 3})}},
        {"Gather", 13, "Gather", {{5, 6}}, {{5, 2}}, {attrInt("axis", 1)}, {i64("i", {0, 3})}},
        {"GatherElements", 13, "GatherElements", {{3}}, {{2}}, {}, {i64("i", {0, 2})}},
        {"OneHot", 11, "OneHot", {{2, 3}}, {{2, 3, 9}}, {}, {i64("d", {9}), f32("v", {0, 1})}},
        {"MatMul of matrices", 13, "MatMul", {{2, 1, 3, 4}, {5, 4, 6}}, {{2, 5, 3, 6}}},
        {"MatMul of vectors", 13, "MatMul", {{4}, {4}}, {{}}},
        {"MatMul vector by matrix", 13, "MatMul", {{4}, {2, 4, 3}}, {{2, 3}}},
        {"MatMul of unequal", 13, "MatMul", {{2, 3}, {4, 2}}, {}},
        {"Gemm transposed", 13, "Gemm", {{4, 2}, {3, 4}, {3}}, {{2, 3}}, {attrInt("transA", 1), attrInt("transB", 1)}},
        {"Einsum", 12, "Einsum", {{2, 3, 4}, {2, 4, 5}}, {{2, 3, 5}}, {attrText("equation", "bij,bjk->bik")}},
        {"Einsum implicit", 12, "Einsum", {{3, 4}, {4, 5}}, {{3, 5}}, {attrText("equation", "ij,jk")}},
        {"Einsum ellipsis",
         12,
         "Einsum",
         {{2, 6, 3, 4}, {6, 4, 5}},
         {{2, 6, 3, 5}},
         {attrText("equation", "...ij,...jk->...ik")}},
        {"Conv strided and padded",
         11,
         "Conv",
         {{1, 3, 224, 224}, {64, 3, 3, 3}},
         {{1, 64, 112, 112}},
         {attrInts("strides", {2, 2}), attrInts("pads", {1, 1, 1, 1})}},
        {"Conv dilated", 11, "Conv", {{1, 1, 10}, {1, 1, 3}}, {{1, 1, 6}}, {attrInts("dilations", {2})}},
        {"Conv groups", 11, "Conv", {{1, 8, 5}, {4, 2, 3}}, {{1, 4, 3}}, {attrInt("group", 4)}},
        {"Conv same upper",
         11,
         "Conv",
         {{1, 1, 7}, {1, 1, 3}},
         {{1, 1, 4}},
         {attrInts("strides", {2}), attrText("auto_pad", "SAME_UPPER")}},
        {"Conv valid",
         11,
         "Conv",
         {{1, 1, 8}, {1, 1, 3}},
         {{1, 1, 3}},
         {attrInts("strides", {2}), attrText("auto_pad", "VALID")}},
        {"Conv of the wrong channels", 11, "Conv", {{1, 3, 8}, {1, 2, 3}}, {}},
        {"ConvTranspose", 11, "ConvTranspose", {{1, 4, 5}, {4, 2, 3}}, {{1, 2, 11}}, {attrInts("strides", {2})}},
        {"ConvTranspose padded",
         11,
         "ConvTranspose",
         {{1, 4, 5}, {4, 2, 3}},
         {{1, 2, 10}},
         {attrInts("strides", {2}), attrInts("pads", {1, 1}), attrInts("output_padding", {1})}},
        {"ConvTranspose output shape",
         11,
         "ConvTranspose",
         {{1, 4, 5}, {4, 2, 3}},
         {{1, 2, 9}},
         {attrInts("output_shape", {9})}},
        {"ConvTranspose same",
         11,
         "ConvTranspose",
         {{1, 4, 5}, {4, 2, 3}},
         {{1, 2, 10}},
         {attrInts("strides", {2}), attrText("auto_pad", "SAME_UPPER")}},
        {"MaxPool with indices", 12, "MaxPool", {{1, 2, 7}}, {{1, 2, 5}, {1, 2, 5}}, {k3}},
        {"MaxPool ceil, last window in the padding",
         12,
         "MaxPool",
         {{1, 1, 3}},
         {{1, 1, 2}},
         {attrInts("kernel_shape", {1}), attrInts("strides", {2}), attrInts("pads", {0, 1}), attrInt("ceil_mode", 1)}},
        {"GlobalAveragePool", 11, "GlobalAveragePool", {{2, 3, 4, 5}}, {{2, 3, 1, 1}}},
        {"RoiAlign",
         16,
         "RoiAlign",
         {{1, 3, 9, 9}, {6, 4}},
         {{6, 3, 2, 5}},
         {attrInt("output_height", 2), attrInt("output_width", 5)},
         {i64("b", {0, 0, 0, 0, 0, 0})}},
        {"GridSample", 16, "GridSample", {{1, 3, 9, 9}, {1, 4, 5, 2}}, {{1, 3, 4, 5}}},
        {"LSTM",
         14,
         "LSTM",
         {{7, 2, 5}, {1, 12, 5}, {1, 12, 3}},
         {{7, 1, 2, 3}, {1, 2, 3}, {1, 2, 3}},
         {attrInt("hidden_size", 3)}},
        {"GRU both ways, batch first",
         14,
         "GRU",
         {{2, 7, 5}, {2, 9, 5}, {2, 9, 3}},
         {{2, 7, 2, 3}, {2, 2, 3}},
         {attrInt("hidden_size", 3), attrText("direction", "bidirectional"), attrInt("layout", 1)}},
        {"RNN with wrong weights", 14, "RNN", {{7, 2, 5}, {1, 4, 5}, {1, 3, 3}}, {}, {attrInt("hidden_size", 3)}},
        {"BatchNormalization", 15, "BatchNormalization", {{2, 3, 4}, {3}, {3}, {3}, {3}}, {{2, 3, 4}}},
        {"ArgMax", 13, "ArgMax", {{2, 3}}, {{2}}, {attrInt("axis", 1), attrInt("keepdims", 0)}},
        {"Det", 11, "Det", {{2, 3, 3}}, {{2}}},
        {"Trilu", 14, "Trilu", {{2, 3, 3}}, {{2, 3, 3}}},
        {"DynamicQuantizeLinear", 11, "DynamicQuantizeLinear", {{2, 3}}, {{2, 3}, {}, {}}},
        {"Compress", 11, "Compress", {{4}}, {{2}}, {attrInt("axis", 0)}, {i64("c", {1, 0, 1, 0})}},
        {"Contrib: SkipLayerNormalization",
         17,
         "SkipLayerNormalization",
         {{2, 3, 4}, {2, 3, 4}, {4}},
         {{2, 3, 4}, {2, 3, 1}, {2, 3, 1}, {2, 3, 4}},
         {},
         {},
         "com.microsoft"},
        {"Contrib: Attention with past",
         17,
         "Attention",
         {{1, 4, 8}, {8, 24}, {24}, {1, 10}, {2, 1, 2, 6, 4}},
         {{1, 4, 8}, {2, 1, 2, 10, 4}},
         {attrInt("num_heads", 2)},
         {},
         "com.microsoft"},
        {"Contrib: GroupQueryAttention packed",
         17,
         "GroupQueryAttention",
         {{1, 4, 24}},
         {{1, 4, 12}, {1, 2, 4, 3}, {1, 2, 4, 3}},
         {attrInt("num_heads", 4), attrInt("kv_num_heads", 2)},
         {},
         "com.microsoft"},
        {"Contrib: FusedMatMul",
         17,
         "FusedMatMul",
         {{4, 2}, {4, 3}},
         {{2, 3}},
         {attrInt("transA", 1)},
         {},
         "com.microsoft"},
        {"Contrib: EmbedLayerNormalization",
         17,
         "EmbedLayerNormalization",
         {{1, 7}, {1, 7}, {100, 8}},
         {{1, 7, 8}, {1}},
         {},
         {},
         "com.microsoft"},
    };
}

std::string shapeText(const std::vector<std::int64_t>& s) {
    std::string out;
    for (const std::int64_t d : s)
        out += std::to_string(d) + " ";
    return out;
}

}  // namespace

Q_DECLARE_METATYPE(Rule)

class TstOnnxShapes : public QObject {
    Q_OBJECT

private:
    static void addRows(const std::vector<Rule>& rules) {
        QTest::addColumn<Rule>("rule");
        for (const Rule& r : rules)
            QTest::newRow(r.name.c_str()) << r;
    }

    static void check(const Rule& rule) {
        const auto read = io::onnx::readOnnx(fileOf(rule), {}, {});
        if (rule.outputs.empty()) {
            QVERIFY(!read.ok());
            QCOMPARE(read.error().primary().code, std::string("ONNX-042"));
            return;
        }
        QVERIFY2(read.ok(), read.ok() ? "" : read.error().primary().message.c_str());
        const io::onnx::Model& m = read.value().model;
        for (std::size_t i = 0; i < rule.outputs.size(); ++i) {
            const auto& shape = m.values[static_cast<std::size_t>(m.outputs[i])].shape;
            QVERIFY2(shape == rule.outputs[i], (shapeText(shape) + "instead of " + shapeText(rule.outputs[i])).c_str());
        }
    }

private slots:
    void byVersion_data() { addRows(versionRules()); }
    void byVersion() {
        QFETCH(Rule, rule);
        check(rule);
    }
    void byOperator_data() { addRows(operatorRules()); }
    void byOperator() {
        QFETCH(Rule, rule);
        check(rule);
    }
};

MEMPLAN_TEST(TstOnnxShapes)
#include "tst_onnx_shapes.moc"
