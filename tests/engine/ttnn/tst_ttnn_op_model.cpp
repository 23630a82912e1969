// SPDX-License-Identifier: Apache-2.0
// The operation model of TTNN: the measured points of ttnn-optimizer 9.6, the rules of 9.2 and 9.4, operations that
// make no sense.
#include "tests/engine/ttnn/op_model_questions.h"
#include "tests/support/program.h"

using namespace memplan;
using namespace memplan::ttnn;
using namespace test::op_model;
using test::q;

class TestTtnnOpModel : public QObject {
    Q_OBJECT

private slots:
    void measuredPoints_9_6_data() {
        QTest::addColumn<QString>("found");
        QTest::addColumn<QString>("expected");
        const Shape small{64, 1024}, tall{32768, 32}, square{2048, 2048}, blocks{1792, 1792};
        row("unary dram dram", ask("relu", {dram(small)}, dram(small)), "8192 / 0 / 0");
        row("unary dram l1", ask("relu", {dram(small)}, l1(small)), "8192 / 2048 / 2048");
        row("unary l1 l1", ask("relu", {l1(small)}, l1(small)), "8192 / 2048 / 2048");
        const Tensor cut = sharded({28672, 32}, kHeight, {64, 1});
        row("unary sharded", ask("relu", {cut}, cut), "0 / 28672 / 28672");
        row("binary dram", ask("add", {dram(small), l1(small)}, dram(small)), "12288 / 0 / 0");
        row("binary l1", ask("add", {l1(small), dram(small)}, l1(small)), "12288 / 2048 / 2048");
        const Tensor eight = sharded(tall, kHeight, {8, 1});
        row("binary sharded", ask("add", {eight, dram(tall)}, eight), "12288 / 262144 / 262144");
        row("logical", ask("logical_and", {dram(small), dram(small)}, dram(small)), "16384 / 0 / 0");
        row("where", ask("where", {dram(small), dram(small), dram(small)}, dram(small)), "16384 / 0 / 0");
        row("matmul dram", ask("matmul", {dram(square), dram(square)}, dram(square)), "655360 / 0 / 0");
        const Tensor block = sharded(blocks, kBlock, {7, 8});
        row("matmul block", ask("matmul", {block, dram(blocks)}, block), "430144 / 114688 / 114688");
        row("matmul block dram", ask("matmul", {block, dram(blocks)}, dram(blocks)), "544832 / 0 / 0");
        const Tensor wide = sharded({32, 1792}, kWidth, {1, 56});
        row("matmul width", ask("matmul", {wide, dram(blocks)}, wide), "8256 / 2048 / 2048");
        const Tensor narrow = sharded({1792, 32}, kHeight, {56, 1}), result = sharded(blocks, kHeight, {56, 1});
        row("matmul height", ask("matmul", {narrow, dram({32, 1792})}, result), "114688 / 114688 / 114688");
        row("softmax dram", ask("softmax", {dram(small)}, dram(small)), "137216 / 0 / 0");
        row("softmax l1", ask("softmax", {dram(small)}, l1(small)), "137216 / 2048 / 2048");
        const Tensor whole = sharded(tall, kHeight, {64, 1});
        row("softmax sharded", ask("softmax", {whole}, whole), "24576 / 32768 / 32768");
        row("reshape", ask("reshape", {dram(small)}, l1({256, 256})), "5120 / 2048 / 2048");
        row("transpose", ask("transpose", {dram(small)}, l1({1024, 64})), "8192 / 2048 / 2048");
        row("concat", ask("concat", {dram(small), dram(small)}, l1({128, 1024})), "4096 / 4096 / 4096");
        row("pad", ask("pad", {dram(small)}, l1(small)), "6144 / 2048 / 2048");
        row("reduction", ask("sum", {dram(small)}, l1(small)), "12288 / 2048 / 2048");
    }
    void measuredPoints_9_6() {
        QFETCH(QString, found);
        QFETCH(QString, expected);
        QCOMPARE(found, expected);
    }

    void conversion_9_6_holdsInputAndOutput() {
        const Shape shape{1, 8, 64, 128};
        const Validation v = answerTo(ask("to_memory_config", {l1(shape)}, sharded(shape, kHeight, {8, 1})));
        QCOMPARE(figures(v), QString("8192 / 16384 / 16384"));
        QCOMPARE(v.constraints.peak, Bytes{8192 + 16384 + 2048});
        QCOMPARE(v.need, v.constraints.peak);
    }

    void convolution_9_4_isWithinATolerance() {
        const Validation v = answerTo(
            ask("conv2d", {rows({1, 1, 50176, 3}), rows({64, 3, 7, 7})}, dram({1, 1, 12544, 64}), window7x7()));
        QVERIFY2(v.ok(), v.message.c_str());
        const auto within = [](Bytes found, double measured) {
            return std::abs(static_cast<double>(found) / measured - 1) <= 0.35;
        };
        QVERIFY2(within(v.constraints.cbPeak, 229440), std::to_string(v.constraints.cbPeak).c_str());
        QVERIFY2(within(v.constraints.tensorPeak, 190568), std::to_string(v.constraints.tensorPeak).c_str());
    }

    void geglu_6_5_needsMoreWithTwoInL1() {
        const Tensor up = sharded({544, 16384}, kWidth, {1, 64});
        Question down = ask("matmul", {up, dram({16384, 2048})}, sharded({544, 2048}, kWidth, {1, 64}));
        down.additional = 557056;
        Validation v = answerTo(down, kWormhole);
        QCOMPARE(v.constraints.cbPeak, Bytes{589888});
        QCOMPARE(v.constraints.residentInputs, Bytes{278528});
        QCOMPARE(v.need, Bytes{1460288});
        QCOMPARE(wordOf(v.status), wordOf(ValidationStatus::OutOfMemoryError));
        down.additional = 278528;
        v = answerTo(down, kWormhole);
        QCOMPARE(v.need, Bytes{1181760});
        QVERIFY(v.ok());
    }

    void budget_9_2_equalityPasses_oneByteMoreDoesNot() {
        const Question question = ask("relu", {l1({64, 1024})}, l1({64, 1024}));
        constexpr Bytes kNeed = 8192 + 2048 + 2048;
        QVERIFY(answerTo(question, kNeed).ok());
        const Validation v = answerTo(question, kNeed - 1);
        QCOMPARE(wordOf(v.status), wordOf(ValidationStatus::OutOfMemoryError));
        QCOMPARE(q(v.message), q("needs 12\u202f288 bytes on a core, and 12\u202f287 are there (circular buffers "
                                 "8\u202f192, result and scratch 2\u202f048, operands 2\u202f048)"));
        QVERIFY(model(kNeed - 2048, false).validate(question.query()).ok());
    }

    void budget_9_2_countsAValueOnce() {
        Question twice = ask("add", {l1({64, 1024}), l1({64, 1024})}, dram({64, 1024}));
        QCOMPARE(answerTo(twice).constraints.residentInputs, Bytes{4096});
        Operation& operation = twice.function.operations.front();
        operation.operands[1] = operation.operands[0];
        QCOMPARE(answerTo(twice).constraints.residentInputs, Bytes{2048});
        twice.additional = 10000;
        twice.additionalOperands = 2048;
        QCOMPARE(answerTo(twice).need, Bytes{12288 + 10000});
    }

    void budget_9_2_freedInputOfAConvolutionCountsForTheHalo() {
        const Tensor in = sharded({1, 1, 3136, 64}, kHeight, {49, 1});
        Question question =
            ask("conv2d", {in, rows({64, 64, 3, 3})}, sharded({1, 1, 3136, 64}, kHeight, {49, 1}), window3x3(56));
        const Validation kept = answerTo(question);
        QVERIFY2(kept.ok(), kept.message.c_str());
        QCOMPARE(kept.constraints.residentInputs, Bytes{0});
        Conv2dConfig config;
        config.deallocateActivation = true;
        question.config.attrs = Conv2dAttrs{config, std::nullopt};
        const Validation freed = answerTo(question);
        QCOMPARE(kept.constraints.tensorPeak - freed.constraints.tensorPeak, in.layout.shardBytes());
        const Bytes halo = freed.constraints.tensorPeak - freed.constraints.outputL1;
        QCOMPARE(freed.need, std::max(in.layout.shardBytes() + halo, freed.constraints.peak));
    }

    void viewReshape_isFree_andAliases() {
        const Question view = ask("reshape", {l1({4096, 512})}, l1({1, 4096, 512}));
        const Validation v = answerTo(view);
        QCOMPARE(figures(v), QString("0 / 0 / 65536"));
        QVERIFY(v.constraints.aliasesInput);
        QCOMPARE(v.constraints.residentInputs, Bytes{0});
        QCOMPARE(model().runtime(view.query()).ns, 0.0);
        QVERIFY(!answerTo(ask("reshape", {l1({4096, 512})}, dram({1, 4096, 512}))).constraints.aliasesInput);
        QVERIFY(!answerTo(ask("reshape", {l1({48, 512})}, l1({2, 24, 512}))).constraints.aliasesInput);
    }

    void missingOutput_isDecided_data() {
        QTest::addColumn<QString>("found");
        QTest::addColumn<QString>("expected");
        const Shape s{512, 512};
        const auto decided = [](const char* name, const Question& question, const char* expected) {
            QTest::newRow(name) << outputOf(question) << QString(expected);
        };
        decided("unary dram", ask("gelu", {dram(s)}, s), "dram interleaved 1x1");
        decided("unary l1", ask("gelu", {l1(s)}, s), "l1 interleaved 8x8");
        decided("unary block", ask("gelu", {sharded(s, kBlock, {4, 8})}, s), "l1 block_sharded 4x8");
        decided("binary first", ask("add", {sharded(s, kBlock, {4, 8}), dram(s)}, s), "l1 block_sharded 4x8");
        decided("binary second", ask("subtract", {dram(s), sharded(s, kHeight, {16, 1})}, s), "l1 height_sharded 16x1");
        decided("matmul height", ask("matmul", {sharded(s, kHeight, {16, 1}), dram(s)}, s), "l1 height_sharded 16x1");
        decided("matmul dram", ask("matmul", {dram(s), dram(s)}, s), "dram interleaved 1x1");
        Question partial = ask("matmul", {dram(s), dram(s)}, s);
        partial.config.output = anyGrid(sharded(s, kBlock, {1, 1}).layout);
        decided("matmul some block", partial, "l1 block_sharded 8x8");
        partial.config.output = anyGrid(sharded(s, kWidth, {1, 1}).layout);
        decided("matmul some width", partial, "l1 width_sharded 1x16");
        Question conv =
            ask("conv2d", {rows({1, 1, 50176, 3}), rows({64, 3, 7, 7})}, Shape{1, 1, 12544, 64}, window7x7());
        decided("conv", conv, "l1 height_sharded 56x1");
        decided("conv block",
                ask("conv2d", {dram({1, 1, 784, 512}), rows({512, 512, 3, 3})}, Shape{1, 1, 784, 512}, window3x3(28)),
                "l1 block_sharded 8x8");
        decided("softmax", ask("softmax", {sharded(s, kHeight, {16, 1})}, s), "l1 height_sharded 16x1");
        decided("concat", ask("concat", {sharded(s, kHeight, {16, 1}), sharded(s, kHeight, {16, 1})}, Shape{512, 1024}),
                "l1 height_sharded 16x1");
    }
    void missingOutput_isDecided() {
        QFETCH(QString, found);
        QFETCH(QString, expected);
        QCOMPARE(found, expected);
    }

    void refusals_sayWhy_data() {
        QTest::addColumn<QString>("found");
        QTest::addColumn<QString>("expected");
        const Shape s{512, 512};
        const auto says = [](const char* name, const Question& question, const char* expected) {
            QTest::newRow(name) << refusal(question) << QString(expected);
        };
        const Tensor block = sharded(s, kBlock, {8, 8}), height = sharded(s, kHeight, {16, 1}),
                     half = sharded(s, kHeight, {8, 1}), width = sharded(s, kWidth, {1, 16});
        says("shapes", ask("add", {dram({64, 1024}), dram({2048, 2048})}, dram({2048, 2048})),
             "shapes 64 x 1024 and 2048 x 2048 do not broadcast: 1024 against 2048 in dimension 1");
        says("unary cores", ask("relu", {height}, half),
             "operand 0 is l1 height_sharded 16x1, so the result must lie on the same cores, not be l1 height_sharded "
             "8x1");
        says("core shrink", ask("add", {height, dram(s)}, half), "the result would use 8 cores, its operands use 16");
        says("no core shrink", ask("subtract", {height, dram(s)}, half), "accepted");
        says("two shardings", ask("add", {height, width}, height),
             "operand 0 is l1 height_sharded 16x1 and operand 1 is l1 width_sharded 1x16: both must be sharded alike");
        says("broadcast rows", ask("multiply", {dram(s), sharded({1, 512}, kHeight, {1, 1})}, dram(s)),
             "operand 1 is l1 height_sharded 1x1, and the dimension that it broadcasts is cut into shards");
        says("broadcast of whole rows", ask("multiply", {dram(s), sharded({1, 512}, kWidth, {1, 16})}, width),
             "accepted");
        says("row major", ask("gelu", {rows(s)}, s),
             "gelu takes tiles only, and operand 0 is dram interleaved row_major");
        says("matmul b", ask("matmul", {block, block}, block),
             "only operand 0 of matmul may be sharded, and operand 1 is l1 block_sharded 8x8");
        says("matmul mem", ask("matmul", {block, dram(s)}, width),
             "operand 0 is l1 block_sharded 8x8, so the result cannot be width_sharded");
        says("matmul grid", ask("matmul", {dram(s), dram(s)}, sharded(s, kWidth, {1, 15})),
             "the result lies on 1x8 cores with 16x2 tiles each, and l1 width_sharded 1x15 is asked for");
        says("matmul transposed", ask("matmul", {block, dram(s)}, block, {{"transpose_a", "true"}}),
             "operand 0 is transposed, so it must be interleaved, and operand 0 is l1 block_sharded 8x8");
        says("matmul batch",
             ask("matmul", {dram({2, 512, 512}), dram({2, 512, 512})}, sharded({2, 512, 512}, kHeight, {32, 1})),
             "operand 1 has batches, so operands and result are interleaved, and the result is height_sharded");
        says("matmul sizes", ask("matmul", {dram({64, 96}), dram({64, 96})}, dram({64, 96})),
             "shapes 64 x 96 and 64 x 96 do not multiply: operand 0 has 96 columns, operand 1 64 rows");
        says("matmul sizes transposed",
             ask("matmul", {dram({64, 96}), dram({64, 96})}, dram({64, 64}), {{"transpose_b", "true"}}), "accepted");
        says("softmax", ask("softmax", {block}, s),
             "softmax needs whole rows on a core, and operand 0 is l1 block_sharded 8x8");
        says("softmax dim", ask("softmax", {dram(s)}, s, {{"dimension", "2 : si32"}}),
             "dimension 2 is outside the 2 dimensions of operand 0");
        says("sum", ask("sum", {height}, Shape{512, 1}),
             "sum takes interleaved operands only, and operand 0 is l1 height_sharded 16x1");
        says("sum result", ask("sum", {dram(s)}, height),
             "sum gives interleaved results only, not l1 height_sharded 16x1");
        says("sum dim", ask("sum", {dram(s)}, Shape{512, 1}, {{"dim_arg", "[-3 : i32]"}}),
             "dimension -3 is outside the 2 dimensions of operand 0");
        says("concat block", ask("concat", {block, block}, Shape{512, 1024}, {{"dim", "1 : si32"}}),
             "a concat along dimension 1 needs every operand height_sharded, and operand 0 is l1 block_sharded 8x8");
        says("concat outer", ask("concat", {height, height}, Shape{512, 1024}, {{"dim", "-2 : si32"}}),
             "a concat along dimension 0 needs every operand width_sharded, and operand 0 is l1 height_sharded 16x1");
        says("concat mixed", ask("concat", {height, dram(s)}, Shape{512, 1024}),
             "a concat along dimension 1 needs every operand height_sharded, and operand 1 is dram interleaved");
        says("conv l1", ask("conv2d", {l1({1, 1, 784, 64}), rows({64, 64, 3, 3})}, Shape{1, 1, 784, 64}, window3x3(28)),
             "the input must be sharded in L1 or interleaved in DRAM, and operand 0 is l1 interleaved");
        says("conv channels",
             ask("conv2d", {sharded({1, 1, 784, 2048}, kHeight, {25, 1}), rows({64, 2048, 3, 3})}, Shape{1, 1, 784, 64},
                 window3x3(28)),
             "height_sharded takes at most 1024 channels, and there are 2048");
        says("outside", ask("relu", {dram(s)}, sharded(s, kBlock, {16, 4})),
             "the result is l1 block_sharded 16x4, which does not fit on 8x8 cores");
    }
    void refusals_sayWhy() {
        QFETCH(QString, found);
        QFETCH(QString, expected);
        QCOMPARE(found, expected);
    }

    void explicitProgram_mustDivideTheShard() {
        const Tensor up = sharded({544, 16384}, kWidth, {1, 64});
        Question question = ask("matmul", {up, dram({16384, 2048})}, sharded({544, 2048}, kWidth, {1, 64}));
        MatmulProgram program;
        program.kind = MatmulProgram::Kind::Multicast1d;
        program.mcastIn0 = true;
        program.perCoreM = 17;
        program.in0BlockW = 3;
        question.config.attrs = MatmulAttrs{program, std::nullopt};
        QCOMPARE(refusal(question), QString("operand 0 is l1 width_sharded 1x64 with 8 tiles of a row on a core, no "
                                            "multiple of the program's in0_block_w of 3"));
        program.in0BlockW = 0;
        question.config.attrs = MatmulAttrs{program, std::nullopt};
        QCOMPARE(refusal(question),
                 QString("a block of the program has no tiles: per_core_m 17, per_core_n 1, in0_block_w 0"));
        program.in0BlockW = 2;
        question.config.attrs = MatmulAttrs{program, std::nullopt};
        QCOMPARE(figures(answerTo(question)), QString("147520 / 34816 / 34816"));
    }

    void fusedBatches_areRowsOfTheProduct() {
        // 3 x 2 tiles of rows: the layout of the result has six of them.
        const Tensor result = sharded({3, 40, 512}, kHeight, {6, 1});
        QCOMPARE(figures(answerTo(ask("matmul", {dram({3, 40, 64}), dram({64, 512})}, result))),
                 QString("69632 / 32768 / 32768"));
    }

    void decidedOutput_hasTheScalarTypeAskedFor_andThePageOfTheData() {
        Question partial = ask("matmul", {dram({512, 512}), dram({512, 512})}, Shape{512, 512});
        partial.config.output = anyGrid(sharded({512, 512}, kBlock, {1, 1}).layout);
        partial.config.output->dtype = DataType::BfpBf8;
        QCOMPARE(wordOf(answerTo(partial).constraints.outputs.front().dtype), wordOf(DataType::BfpBf8));
        const Question lookup = ask("embedding", {rows({1, 384}), dram({1024, 64})}, Shape{1, 384, 64});
        QCOMPARE(wordOf(answerTo(lookup).constraints.outputs.front().page), wordOf(kTile32));
    }

    void conservativeMatmul_addsABlockForL1Interleaved() {
        const Shape s{2048, 2048};
        OpModelOptions options;
        options.limit = kEverything;
        options.conservativeMatmulCb = true;
        OpModel conservative(Device{}, options);
        const Question inL1 = ask("matmul", {l1(s), dram(s)}, dram(s)),
                       inDram = ask("matmul", {dram(s), dram(s)}, dram(s));
        QCOMPARE(conservative.validate(inL1.query()).constraints.cbPeak, Bytes{786432});
        QCOMPARE(conservative.validate(inDram.query()).constraints.cbPeak, Bytes{655360});
    }

    void unmodelledOperations_areNamed() {
        for (const char* op : {"all_gather", "generic", "no_such_operation"}) {
            const Validation v = answerTo(ask(op, {dram({64, 64})}, Shape{64, 64}));
            QCOMPARE(wordOf(v.status), wordOf(ValidationStatus::NotImplemented));
            QVERIFY(q(v.message).startsWith(op));
        }
        Question foreign = ask("relu", {dram({64, 64})}, Shape{64, 64});
        foreign.function.operations.front().name = "ttir.relu";
        QCOMPARE(wordOf(answerTo(foreign).status), wordOf(ValidationStatus::NotImplemented));
    }

    void missingAttributes_areNamed() {
        const Question bare = ask("conv2d", {dram({1, 1, 784, 64}), rows({64, 64, 3, 3})}, Shape{1, 1, 784, 64});
        QCOMPARE(refusal(bare),
                 QString("conv2d has no batch_size that can be used, so its buffers cannot be estimated"));
        const Question whole = ask("conv2d", {dram({1, 28, 28, 64}), rows({64, 64, 3, 3})}, Shape{1, 28, 28, 64},
                                   {{"padding", "array<i32: 1, 1>"}});
        QVERIFY2(answerTo(whole).ok(), "sizes follow from the shapes");
    }

    void productsBeyondCounting_areRefused() {
        const Shape row{1, std::int64_t{1} << 40}, column{std::int64_t{1} << 40, 1};
        QCOMPARE(refusal(ask("matmul", {{column, dram({32, 32}).layout}, {row, dram({32, 32}).layout}}, Shape{1, 1})),
                 QString("matmul multiplies more tiles than can be counted"));
        const Attributes window{{"kernel_size", "array<i32: 1048576, 1048576>"}};
        QCOMPARE(
            refusal(ask("conv2d", {dram({1, 28, 28, 512}), rows({512, 512, 3, 3})}, Shape{1, 28, 28, 512}, window)),
            QString("conv2d multiplies more tiles than can be counted"));
    }

    void oddOperations_areAnswered() {
        // Every family with operands of every odd shape, of the wrong number, with and without a result.
        const std::vector<Shape> shapes{{}, {7}, {0, 32}, {-1, 32}, {1, 1, 1, 1, 1, 1, 5}, {1 << 30, 1 << 30, 1 << 30}};
        for (const char* op : {"relu",
                               "add",
                               "where",
                               "matmul",
                               "linear",
                               "conv2d",
                               "conv_transpose2d",
                               "softmax",
                               "layer_norm",
                               "sum",
                               "reshape",
                               "permute",
                               "concat",
                               "to_layout",
                               "rotary_embedding",
                               "constant",
                               "slice_static",
                               "pad",
                               "embedding",
                               "repeat",
                               "upsample",
                               "max_pool2d",
                               "topk",
                               "deallocate",
                               "all_gather"}) {
            for (const Shape& shape : shapes) {
                for (std::size_t operands = 0; operands < 4; ++operands) {
                    const Tensor tensor{shape, dram({32, 32}).layout};
                    Question question = ask(op, std::vector<Tensor>(operands, tensor), shape);
                    OpModel asked = model();
                    checkAnswer(asked, question);
                    question.config.output = sharded({32, 32}, kHeight, {1, 1}).layout;
                    checkAnswer(asked, question);
                    question.config.output = anyGrid(*question.config.output);
                    checkAnswer(asked, question);
                    question.inputs.clear();
                    checkAnswer(asked, question);
                    question.function.operations.front().results.clear();
                    checkAnswer(asked, question);
                }
            }
        }
    }

    void scalars_andSeveralResults() {
        QCOMPARE(figures(answerTo(ask("add", {dram({}), dram({})}, dram({})))), QString("12288 / 0 / 0"));
        Question top = ask("topk", {dram({64, 64})}, Shape{64, 8});
        top.function.operations.front().results.push_back(top.function.addValue(typeOf({64, 8}, DataType::U16)));
        const Validation v = answerTo(top);
        QVERIFY2(v.ok(), v.message.c_str());
        QCOMPARE(v.constraints.outputs.size(), std::size_t{2});
        QCOMPARE(wordOf(v.constraints.outputs[1].dtype), wordOf(DataType::U16));
    }

private:
    static void checkAnswer(OpModel& asked, const Question& question) {
        const Validation v = asked.validate(question.query());
        QVERIFY(v.ok() == v.message.empty());
        QVERIFY(v.constraints.cbPeak >= 0 && v.constraints.tensorPeak >= 0 && v.constraints.residentInputs >= 0);
        QVERIFY(asked.runtime(question.query()).ns >= 0);
    }
};

MEMPLAN_TEST(TestTtnnOpModel)
#include "tst_ttnn_op_model.moc"
