// SPDX-License-Identifier: Apache-2.0
// Options of TTNN as text (ttnn-optimizer 8), as settings and as hints (hints.md 4.2); texts of kernel configurations.
#include "engine/ttnn/options/config_text.h"
#include "engine/ttnn/options/device_file.h"
#include "engine/ttnn/options/from_settings.h"
#include "engine/ttnn/options/hint_text.h"
#include "tests/support/program.h"
#include "tests/support/words.h"

#include <QTest>

using namespace memplan;
using namespace memplan::ttnn;
using test::q;

namespace {

template <class T> QString codeOf(const Result<T>& result) {
    return result ? QString("ok") : q(result.error().primary().code);
}

/// What an override string becomes when it is read and written again, or the code of its error.
template <class T> QString again(const Result<Overrides<T>>& overrides) {
    return overrides ? q(overrideText(overrides.value())) : codeOf(overrides);
}

Hint hint(const char* key, const char* scope, const char* json) {
    Hint h;
    h.target = "ttnn";
    h.key = key;
    h.scopes = {scope};
    h.value = *HintValue::parse(json);
    return h;
}

Settings settingsOf(const std::vector<std::pair<std::string, std::string>>& pairs) {
    return Settings::fromPairs(pairs).value();
}

}  // namespace

class TestTtnnOptions : public QObject {
    Q_OBJECT

private slots:
    void chapter_8_2_outputLayout_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("outcome");
        const auto same = [](const char* text) { QTest::newRow(text) << text << text; };
        const auto gives = [](const char* text, const char* outcome) { QTest::newRow(text) << text << outcome; };
        same("add_7=4x4:l1:interleaved:tile:f32,add_5=width_sharded:tile");
        gives("m=bf16:tile:width_sharded:l1:1x8", "m=1x8:l1:width_sharded:tile:bf16");
        gives("a=l1,b=dram,a=tile", "a=tile,b=dram");
        same("a.b::c=trace");
        gives("op1", "TT-010");
        gives("", "TT-010");
        gives("op1=2x2=l1", "TT-010");
        gives("a=l1,", "TT-010");
        gives("=l1", "TT-010");
        gives("op1=", "TT-011");
        gives("op1=l1:", "TT-011");
        gives("op1=invalid_value", "TT-011");
        gives("op1=0x2", "TT-011");
        gives("op1=-1x2", "TT-011");
        gives("op1=2x", "TT-011");
        gives("op1=2x2x2", "TT-011");
        gives("op1=99999999999999999999x2", "TT-011");
        gives("op1=nd_sharded", "TT-011");
        gives("op1=i1", "TT-011");
        gives("op1= l1", "TT-011");
        gives("op1=2x2:2x2", "TT-012");
        gives("op1=l1:dram", "TT-012");
        gives("op1=tile:row_major", "TT-012");
        gives("op1=bf16:bf16", "TT-012");
        gives("op1=l1:what:l1", "TT-011");
    }
    void chapter_8_2_outputLayout() {
        QFETCH(QString, text);
        QTEST(again(parseLayoutOverrides(text.toStdString())), "outcome");
    }

    void fullOverridesNeedAllButTheDataType() {
        QVERIFY(parseLayoutParameters("1x8:l1:width_sharded:tile").value().isFull());
        QVERIFY(!parseLayoutParameters("1x8:l1:width_sharded:bf16").value().isFull());
    }

    void chapter_8_3_insertMemreconfig() {
        QCOMPARE(again(parseInsertMemreconfig("input0=0:1,input1=0,input2=0:1:2")),
                 QString("input0=0:1,input1=0,input2=0:1:2"));
        for (const char* text : {"op1=x", "op1=", "op1=0:", "op1=-1", "op1=1.5", "op1=99999999999"})
            QCOMPARE(again(parseInsertMemreconfig(text)), QString("TT-013"));
        QCOMPARE(again(parseInsertMemreconfig("op1")), QString("TT-010"));
    }

    void chapter_8_4_conv2dConfig_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("outcome");
        const auto same = [](const char* text) { QTest::newRow(text) << text << text; };
        const auto gives = [](const char* text, const char* outcome) { QTest::newRow(text) << text << outcome; };
        same("op0=");
        same("op0=weights_dtype#bf16:activation#relu:deallocate_activation#false:reallocate_halo_output#true:"
             "act_block_h_override#32:act_block_w_div#1:reshard_if_not_optimal#false:override_sharding_config#false:"
             "shard_layout#block_sharded:transpose_shards#true:output_layout#row_major:enable_act_double_buffer#false:"
             "enable_weights_double_buffer#false,op1=act_block_w_div#2");
        gives("op0=transpose_shards#TRUE:activation#relu", "op0=activation#relu:transpose_shards#true");
        gives("op0=activation#none", "TT-014");
        gives("op0=activation#gelu", "TT-014");
        gives("op0=activation", "TT-014");
        gives("op0=act_block_w_div#-1", "TT-014");
        gives("op0=act_block_w_div#4294967296", "TT-014");
        gives("op0=deallocate_activation#1", "TT-014");
        gives("op0=shard_layout#nd_sharded", "TT-014");
        gives("op0=core_grid#0", "TT-015");
        gives("op0=nothing#1", "TT-011");
        gives("op0=nothing", "TT-011");
        gives("op0=:", "TT-011");
        gives("op0=act_block_w_div#1:act_block_w_div#1", "TT-012");
        gives("op0=act_block_w_div#1:act_block_w_div#x", "TT-014");
        gives("op0", "TT-010");
    }
    void chapter_8_4_conv2dConfig() {
        QFETCH(QString, text);
        QTEST(again(parseConv2dOverrides(text.toStdString())), "outcome");
    }

    void chapter_8_5_conv3dConfig() {
        QCOMPARE(again(parseConv3dOverrides("c=c_in_block#8:weights_dtype#f32")),
                 QString("c=weights_dtype#f32:c_in_block#8"));
        QCOMPARE(again(parseConv3dOverrides("c=core_grid#8")), QString("TT-011"));
        QCOMPARE(again(parseConv3dOverrides("c=c_in_block#many")), QString("TT-014"));
    }

    void errorsNameTheOperation() {
        const auto wrong = parseLayoutOverrides("add_1=l1,add_2=l2");
        QVERIFY(!wrong.ok());
        const QString message = q(wrong.error().primary().message);
        QVERIFY2(message.startsWith("invalid_parameter: 'l2'") && message.contains("add_2"), qPrintable(message));
    }

    void chapter_8_1_pipelineOptions() {
        const auto read =
            parsePipelineOptions("optimization-level=2  memory-layout-analysis-enabled=false "
                                 "override-output-layout=a=l1,b=dram max-legal-layouts=32 mesh-shape=1,2");
        QVERIFY(read.ok());
        const Options& o = read.value().options;
        QVERIFY(o.enableOptimizer && !o.memoryLayoutAnalysis && o.memreconfig && !o.rowMajor);
        QCOMPARE(o.maxLegalLayouts, 32);
        QCOMPARE(o.outputLayouts.size(), std::size_t{2});
        QCOMPARE(read.value().level, 2);
        QVERIFY(read.value().hasExplicit("mesh-shape") && !read.value().hasExplicit("enable-optimizer"));
        const Options empty = parsePipelineOptions("").value().options;
        QVERIFY(!empty.enableOptimizer && !empty.memoryLayoutAnalysis);
        QCOMPARE(empty.maxLegalLayouts, 64);
        QVERIFY(parsePipelineOptions("enable-optimizer").value().options.enableOptimizer);
    }

    void wrongPipelineOptions_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("code");
        const auto row = [](const char* text, const char* code) { QTest::newRow(text) << text << code; };
        row("optimization-level=3", "TT-014");
        row("optimization-level=-1", "TT-014");
        row("max-legal-layouts=many", "TT-014");
        row("tensor-l1-usage-cap=1.5", "TT-014");
        row("tensor-l1-usage-cap=nan", "TT-014");
        row("memory-layout-analysis-policy=Best", "TT-014");
        row("row-major-enabled=maybe", "TT-014");
        row("mesh-shape=1,", "TT-014");
        row("max-legal-layout=3", "TT-011");
        row("override-output-layout=a", "TT-010");
    }
    void wrongPipelineOptions() {
        QFETCH(QString, text);
        QTEST(codeOf(parsePipelineOptions(text.toStdString())), "code");
    }

    void chapter_8_1_writersOrder() {
        const auto read = parsePipelineOptions("tensor-l1-usage-cap=0.8 mesh-shape=1,2 system-desc-path=d.ttsys "
                                               "override-conv2d-config=c=activation#relu insert-memreconfig=a=0 "
                                               "enable-optimizer=true l1-interleaved-fallback-analysis-enabled=true "
                                               "override-output-layout=a=l1 memory-layout-analysis-policy=Global");
        const QString text = "enable-optimizer=true memreconfig-enabled=true "
                             "l1-interleaved-fallback-analysis-enabled=true memory-layout-analysis-policy=Global "
                             "insert-memreconfig=a=0 override-output-layout=a=l1 "
                             "override-conv2d-config=c=activation#relu system-desc-path=d.ttsys max-legal-layouts=64 "
                             "mesh-shape=1,2 tensor-l1-usage-cap=0.8";
        QCOMPARE(q(optionsText(read.value().options)), text);
        QCOMPARE(q(optionsText(parsePipelineOptions(text.toStdString()).value().options)), text);
    }

    void settingsBecomeOptions() {
        const Options plain = optionsFrom(Settings()).value();
        QVERIFY(plain.enableOptimizer && plain.memoryLayoutAnalysis && plain.concatChains && plain.strictL1Accounting);
        QCOMPARE(plain.l1UsageCap, 0.95);
        const Options o = optionsFrom(settingsOf({{"ttnn.optimization_level", "1"},
                                                  {"ttnn.policy", "GreedyBeam"},
                                                  {"ttnn.max_legal_layouts", "8"},
                                                  {"ttnn.override_output_layout", "a=l1"},
                                                  {"ttnn.conversion_op", "auto"},
                                                  {"ttnn.chain_merging", "false"}}))
                              .value();
        QVERIFY(o.enableOptimizer && !o.memoryLayoutAnalysis && o.conversionOpAuto && !o.chainMerging);
        QVERIFY(o.policy == Policy::GreedyBeam && o.maxLegalLayouts == 8 && findOverride(o.outputLayouts, "a"));
    }

    void capOfTheModuleCountsWhereNoneIsSet() {
        QCOMPARE(optionsFrom(Settings(), 0.5).value().l1UsageCap, 0.5);
        QCOMPARE(optionsFrom(settingsOf({{"ttnn.l1_usage_cap", "0.95"}}), 0.5).value().l1UsageCap, 0.95);
    }

    void wrongSettingsNameTheKey() {
        const auto wrong = optionsFrom(settingsOf({{"ttnn.override_conv2d_config", "c=core_grid#1"}}));
        QCOMPARE(codeOf(wrong), QString("TT-015"));
        QCOMPARE(q(wrong.error().primary().where), QString("ttnn.override_conv2d_config"));
        QCOMPARE(codeOf(optionsFrom(settingsOf({{"ttnn.mesh_shape", "a"}}))), QString("TT-014"));
    }

    void hintsBecomeOptions() {
        Options o = optionsFrom(settingsOf({{"ttnn.override_output_layout", "add_1=dram,add_2=dram"}})).value();
        std::vector<Hint> hints{hint("output_layout", "op:1", R"({"grid": [4, 4], "mem": "block_sharded"})"),
                                hint("input_reshard", "op:1", "[0, 1]"),
                                hint("conv2d_config", "op:3", R"({"act_block_h_override": 64, "activation": "relu"})"),
                                hint("break_chain", "op:1", R"("before")"),
                                hint("forbid_merge", "op:2", "true"),
                                hint("spill", "op:2", R"("l1_interleaved")"),
                                hint("output_layout", "op:2", R"({"buffer": "l2"})"),
                                hint("break_chain", "op:none", R"("after")")};
        hints.push_back(hints[0]);
        hints.back().enabled = false;
        const auto problems =
            applyHints(o, hints, [](std::string_view id) { return id == "none" ? "" : "add_" + std::string(id); });
        QCOMPARE(q(overrideText(o.outputLayouts)), QString("add_1=4x4:block_sharded,add_2=dram"));
        QCOMPARE(q(overrideText(o.insertMemreconfig)), QString("add_1=0:1"));
        QCOMPARE(q(overrideText(o.conv2dConfigs)), QString("add_3=activation#relu:act_block_h_override#64"));
        QVERIFY(o.chainHints.breakBefore == std::vector<std::string>{"add_1"} && o.chainHints.breakAfter.empty());
        QVERIFY(o.chainHints.forbidMerge == std::vector<std::string>{"add_2"});
        QVERIFY(o.chainHints.spill.at(0).second == SpillWish::L1Interleaved);
        QCOMPARE(problems.size(), std::size_t{1});
        QCOMPARE(problems[0].first, std::size_t{6});
        QCOMPARE(q(problems[0].second.code), QString("TT-011"));
    }

    void overrideStringsAndHintsAreOneThing_data() {
        QTest::addColumn<QString>("option");
        QTest::addColumn<QString>("text");
        QTest::newRow("layout") << "override-output-layout"
                                << "add_7=4x4:l1:interleaved:tile:f32,add_5=tile";
        QTest::newRow("reshard") << "insert-memreconfig"
                                 << "a=0:1,b=2";
        QTest::newRow("conv2d") << "override-conv2d-config"
                                << "c=weights_dtype#bf16:deallocate_activation#true:act_block_w_div#2,d=";
        QTest::newRow("conv3d") << "override-conv3d-config"
                                << "c=c_in_block#8";
    }
    void overrideStringsAndHintsAreOneThing() {
        QFETCH(QString, option);
        QFETCH(QString, text);
        const auto hints = hintsOfText(option.toStdString(), text.toStdString());
        QVERIFY(hints.ok());
        QCOMPARE(static_cast<int>(hints.value().size()), text.count(',') + 1);
        QCOMPARE(q(textOfHints(option.toStdString(), hints.value()).value()), text);
    }

    void wrongHintsGiveNoString() {
        const std::vector<Hint> hints{hint("output_layout", "op:a", R"({"grid": [4]})")};
        QCOMPARE(codeOf(textOfHints("override-output-layout", hints)), QString("TT-011"));
        QCOMPARE(codeOf(hintsOfText("max-legal-layouts", "8")), QString("TT-011"));
    }

    void configTexts_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("conv2d") << "#ttnn.conv2d_config<weights_dtype = bf16, activation = <op_type = relu>, "
                                   "deallocate_activation = true, act_block_h_override = 0, shard_layout = "
                                   "height_sharded, output_layout = tile, in_place = false>";
        QTest::newRow("conv2d, empty") << "#ttnn.conv2d_config<>";
        QTest::newRow("conv3d") << "#ttnn.conv3d_config<t_out_block = 1, c_in_block = 32>";
        QTest::newRow("compute")
            << "#ttnn.device_compute_kernel_config<math_fidelity = hifi4, fp32_dest_acc_en = true>";
        QTest::newRow("matmul 2-D")
            << "#ttnn.matmul_multi_core_reuse_multi_cast_program_config<compute_with_storage_grid_size = "
               "#ttnn.core_coord<8, 7>, in0_block_w = 2, out_subblock_h = 1, out_subblock_w = 4, out_block_h = 4, "
               "out_block_w = 11, per_core_m = 4, per_core_n = 11, transpose_mcast = false, fuse_batch = true>";
        QTest::newRow("matmul 1-D")
            << "#ttnn.matmul_multi_core_reuse_multi_cast_1d_program_config<compute_with_storage_grid_size = "
               "#ttnn.core_coord<8, 2>, in0_block_w = 32, out_subblock_h = 1, out_subblock_w = 2, out_block_h = 8, "
               "out_block_w = 6, per_core_m = 8, per_core_n = 6, fuse_batch = true, fused_activation = <op_type = "
               "gelu>, mcast_in0 = true, gather_in0 = false, hop_cores = #ttnn.core_range_set<>, "
               "num_global_cb_receivers = 0, untilize_out = false>";
    }
    void configTexts() {
        QFETCH(QString, text);
        const std::string given = text.toStdString();
        std::string printed;
        if (const auto conv = conv2dConfigOf(given)) printed = attributeText(*conv);
        if (const auto conv = conv3dConfigOf(given)) printed = attributeText(*conv);
        if (const auto compute = computeConfigOf(given)) printed = attributeText(*compute);
        if (const auto program = matmulProgramOf(given)) printed = attributeText(*program);
        QCOMPARE(q(printed), text);
    }

    void systemDescriptionsOfUsers() {
        const std::string chip = R"("chip_descs": [{"arch": "Blackhole", "grid_size": {"y": 10, "x": 11},
            "l1_size": 1500000, "l1_unreserved_base": 2000, "num_dram_channels": 7}])";
        for (const std::string& text : {"{" + chip + "}", R"({"system_desc": {)" + chip + "}}",
                                        std::string("module attributes {d = #ttcore.system_desc<[{role = host}], "
                                                    "[{arch = <blackhole>, grid = 10x11, l1_size = 1500000, "
                                                    "l1_unreserved_base = 2000, num_dram_channels = 7}]>} {}")}) {
            Module module;
            QVERIFY2(takeDeviceFile(text, module).ok(), text.c_str());
            const Device& d = module.device;
            QVERIFY(module.hasDevice && d.arch == "blackhole" && d.workers == (Grid{10, 11}));
            QVERIFY(d.l1Size == 1500000 && d.unreservedBase == 2000 && d.dramChannels == 7 && d.dramGBps == 512);
        }
    }

    void wrongSystemDescriptions_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("named");
        const auto row = [](const char* text, const char* named) { QTest::newRow(named) << text << named; };
        row("", "holds no");
        row("{", "no JSON");
        row("{}", "chip_descs");
        row(R"({"chip_descs": [{"l1_size": 5}]})", "no arch");
        row(R"({"chip_descs": [{"arch": "wormhole_b0", "l1_size": -5}]})", "for l1_size");
        row(R"({"chip_descs": [{"arch": "wormhole_b0", "grid_size": {"y": 8}}]})", "for grid_size");
        row(R"({"chip_descs": [{"arch": "wormhole_b0", "l1_size": 900}]})", "no L1");
    }
    void wrongSystemDescriptions() {
        QFETCH(QString, text);
        QFETCH(QString, named);
        Module module;
        const auto taken = takeDeviceFile(text.toStdString(), module);
        QVERIFY(!taken.ok() && !module.hasDevice);
        QCOMPARE(q(taken.error().primary().code), QString("TT-014"));
        QVERIFY2(q(taken.error().primary().message).contains(named), taken.error().primary().message.c_str());
        QVERIFY(!takeDeviceFile(std::string("TTSY\0\1", 6), module).ok());
    }

    void brokenConfigTexts() {
        QVERIFY(!conv2dConfigOf("#ttnn.conv2d_config<weights_dtype = what>"));
        QVERIFY(!conv2dConfigOf("#ttnn.conv2d_config<weights_dtype = bf16"));
        QVERIFY(!conv2dConfigOf("#ttnn.conv2d_config<act_block_w_div = <1>"));
        QVERIFY(!matmulProgramOf("#ttnn.matmul_multi_core_reuse_multi_cast_program_config<in0_block_w = x>"));
        QVERIFY(!computeConfigOf(""));
    }
};

MEMPLAN_TEST(TestTtnnOptions)
#include "tst_ttnn_options.moc"
