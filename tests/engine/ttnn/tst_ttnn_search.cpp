// SPDX-License-Identifier: Apache-2.0
// The search space of TTNN (ttnn-optimizer 3): legal layouts of tensors and operations, configurations.
#include "engine/ttnn/search/conv2d_space.h"
#include "engine/ttnn/search/matmul_program.h"
#include "engine/ttnn/search/search_space.h"
#include "tests/support/program.h"
#include "tests/support/words.h"

#include <QTest>

using namespace memplan;
using namespace memplan::ttnn;
using test::q;

namespace {

struct Counts {
    int interleaved = 0, block = 0, height = 0, width = 0;
    friend bool operator==(const Counts&, const Counts&) = default;
};

QString text(const Counts& c) {
    return QString("%1 + %2 + %3 + %4").arg(c.interleaved).arg(c.block).arg(c.height).arg(c.width);
}

int count(const std::vector<Layout>& layouts, MemLayout mem) {
    int n = 0;
    for (const Layout& layout : layouts)
        n += layout.mem == mem;
    return n;
}

Counts countsOf(const LayoutList& list) {
    return {static_cast<int>(list.interleaved.size()), count(list.sharded, MemLayout::BlockSharded),
            count(list.sharded, MemLayout::HeightSharded), count(list.sharded, MemLayout::WidthSharded)};
}

QString nameOf(const Layout& layout) {
    return QString("%1 %2x%3").arg(q(wordOf(*layout.mem))).arg(layout.grid.rows).arg(layout.grid.cols);
}

Type tensor(Shape shape, DataType dtype = DataType::BF16) {
    Type type;
    type.isTensor = true;
    type.shape = std::move(shape);
    type.dtype = dtype;
    Layout like;
    like.dtype = dtype;
    type.layout = dramInterleaved(type.shape, like, Device{});
    return type;
}

/// A function of one operation on two arguments.
struct OneOp {
    Function function;
    explicit OneOp(const char* name, std::vector<Type> operands, Type result, Attributes properties = {}) {
        Operation op;
        op.name = name;
        for (Type& type : operands)
            op.operands.push_back(function.addValue(std::move(type)));
        op.results.push_back(function.addValue(std::move(result)));
        op.properties = std::move(properties);
        op.location.name = "it";
        function.order.push_back(function.addOperation(std::move(op)));
    }

    [[nodiscard]] Result<OpSpace> space(const Options& options = {}) const {
        const Device device;
        LayoutTable table(device);
        OpModel model(device, {usableL1(device.l1Size, device.unreservedBase, 0.95, 0)});
        auto all = searchSpace(function, options, table, model);
        if (!all) return std::move(all).error();
        return std::move(all).value().ops.front();
    }
};

OneOp relu() {
    return OneOp("ttnn.relu", {tensor({512, 512})}, tensor({512, 512}));
}

OneOp conv(Attributes properties = {}) {
    return OneOp("ttnn.conv2d", {tensor({1, 1, 16384, 64}), tensor({64, 64, 3, 3}, DataType::F32)},
                 tensor({1, 1, 16384, 64}), std::move(properties));
}

Options overridden(const char* layout) {
    Options options;
    options.outputLayouts = parseLayoutOverrides(layout).value();
    return options;
}

const Conv2dConfig& convOf(const OpConfig& config) {
    return *std::get<Conv2dAttrs>(config.attrs).config;
}

}  // namespace

class TestTtnnSearch : public QObject {
    Q_OBJECT

private slots:
    void chapter_3_2_counts_data() {
        QTest::addColumn<QList<int>>("shape");
        QTest::addColumn<QString>("counts");
        const auto row = [](const char* name, QList<int> shape, Counts counts) {
            QTest::newRow(name) << shape << text(counts);
        };
        row("64x128", {64, 128}, {2, 6, 2, 3});
        row("512x512", {512, 512}, {2, 36, 7, 7});
        row("544x16384", {544, 16384}, {2, 48, 8, 38});
        row("1x32x32", {1, 32, 32}, {2, 1, 1, 1});
        row("1x64x64", {1, 64, 64}, {2, 4, 2, 2});
        row("rank 1", {64}, {2, 2, 1, 2});
        row("rank 0", {}, {2, 1, 1, 1});
    }
    void chapter_3_2_counts() {
        QFETCH(QList<int>, shape);
        const LayoutList list =
            legalLayouts(Shape(shape.begin(), shape.end()), DataType::BF16, PageLayout::Tile, Device{});
        QTEST(text(countsOf(list)), "counts");
        for (const Layout& layout : list.sharded)
            QVERIFY(brokenRule(layout).empty() && layout.cores);
    }

    void chapter_3_2_mostCoresFirst() {
        const LayoutList list = legalLayouts(Shape{512, 512}, DataType::BF16, PageLayout::Tile, Device{});
        QCOMPARE(nameOf(list.sharded[0]), QString("block_sharded 8x8"));
        QCOMPARE(nameOf(list.sharded[1]), QString("block_sharded 6x8"));
        QCOMPARE(nameOf(list.sharded[2]), QString("block_sharded 8x6"));
        QCOMPARE(nameOf(list.sharded[3]), QString("block_sharded 6x6"));
        QVERIFY(list.interleaved[0].isInDram() && list.interleaved[1].isInL1());
    }

    void rowMajorRules() {
        const auto rows = [](DataType dtype, std::int64_t width) {
            return countsOf(legalLayouts(Shape{2, width}, dtype, PageLayout::RowMajor, Device{}));
        };
        // Shards of 8, 4, 2, 1 columns and 2 or 1 rows: of bf16 those of 8 columns are whole 16 bytes.
        QCOMPARE(text(rows(DataType::BF16, 8)), text({1, 2, 2, 1}));
        QCOMPARE(text(rows(DataType::F32, 8)), text({1, 4, 2, 2}));
        QCOMPARE(text(rows(DataType::BF16, 7)), text({1, 0, 0, 0}));
        QCOMPARE(text(rows(DataType::BfpBf8, 1024)), text({0, 0, 0, 0}));
    }

    void largerDevices() {
        const Device* blackhole = builtInDevice("blackhole");
        const LayoutList list = legalLayouts(Shape{10 * 32, 13 * 32}, DataType::BF16, PageLayout::Tile, *blackhole);
        QCOMPARE(nameOf(list.sharded[0]), QString("block_sharded 10x13"));
        QVERIFY(list.interleaved[1].grid == blackhole->workers);
    }

    void chapter_3_3_limit() {
        const Device device;
        LayoutTable table(device);
        const auto kept = [&](int limit, bool isRowMajor) {
            const OpLayouts found = opLayouts({512, 512}, DataType::BF16, {limit, isRowMajor, {}}, table);
            return QString("%1 of %2, %3")
                .arg(found.sharded.size())
                .arg(found.allSharded)
                .arg(found.interleaved.size());
        };
        const std::size_t rowMajor = table.of({512, 512}, DataType::BF16, PageLayout::RowMajor).sharded.size();
        QCOMPARE(kept(64, false), QString("50 of 50, 2"));
        QCOMPARE(kept(8, false), QString("8 of 50, 2"));
        QCOMPARE(kept(0, false), QString("0 of 50, 2"));
        QCOMPARE(kept(9, true), QString("8 of %1, 3").arg(50 + rowMajor));
        QCOMPARE(kept(1, true), QString("0 of %1, 3").arg(50 + rowMajor));
        const OpLayouts both = opLayouts({512, 512}, DataType::BF16, {8, true, {}}, table);
        QVERIFY(!both.interleaved[0].isTiled() && both.interleaved[1].isTiled());
        for (std::size_t i = 1; i < both.sharded.size(); ++i)
            QVERIFY(both.sharded[i - 1].grid.volume() >= both.sharded[i].grid.volume());
        QVERIFY(!both.sharded[0].isTiled());
    }

    void chapter_3_1_scalarTypes() {
        Module module;
        module.functions.push_back(
            OneOp("ttnn.add", {tensor({4}, DataType::U32), tensor({4}, DataType::F32)}, tensor({4})).function);
        Options options = overridden("it=u8,other=si32");
        QVERIFY((scalarDataTypes(module, options) ==
                 std::vector{DataType::U32, DataType::F32, DataType::BF16, DataType::U8}));
    }

    void operationsWithoutChoice() {
        QVERIFY(OneOp("ttnn.empty", {}, tensor({64, 64})).space().value().configs.empty());
        Type device;
        device.text = "!ttnn.device";
        QVERIFY(OneOp("ttnn.get_device", {}, device).space().value().configs.empty());
        for (const char* name : {"ttnn.to_layout", "ttir.relu", "func.call"}) {
            const OpSpace space = OneOp(name, {tensor({64, 64})}, tensor({64, 64})).space().value();
            QCOMPARE(space.configs.size(), std::size_t{1});
            QVERIFY(space.configs[0].output == tensor({64, 64}).layout);
        }
    }

    void chapter_3_3_layoutsOfAnOperation() {
        Options options;
        options.maxLegalLayouts = 8;
        const OpSpace space = relu().space(options).value();
        QCOMPARE(space.configs.size(), std::size_t{10});
        QCOMPARE(space.sharded.size(), std::size_t{8});
        QCOMPARE(space.shardedLayouts, 50);
        QCOMPARE(space.keptLayouts, 8);
        QVERIFY(space.configs[0].output->isInDram() && !space.isFullOverride);
    }

    void chapter_3_3_overrides_data() {
        QTest::addColumn<QString>("override");
        QTest::addColumn<int>("configs");
        QTest::addColumn<QString>("first");
        const auto row = [](const char* text, int configs, const char* first) {
            QTest::newRow(text) << text << configs << first;
        };
        row("it=4x4:l1:block_sharded:tile", 1, "block_sharded 4x4");
        row("it=4x4:l1:block_sharded:tile:f32", 1, "block_sharded 4x4");
        row("it=4x4:dram:interleaved:tile", 1, "interleaved 1x1");
        row("it=l1", 51, "interleaved 8x8");
        row("it=dram", 1, "interleaved 1x1");
        row("it=width_sharded", 7, "width_sharded 1x16");
        row("it=8x8", 2, "interleaved 8x8");
        row("it=row_major:interleaved", 1, "interleaved 1x1");
        row("it=f32", 52, "interleaved 1x1");
        row("other=dram", 52, "interleaved 1x1");
    }
    void chapter_3_3_overrides() {
        QFETCH(QString, override);
        const OpSpace space = relu().space(overridden(override.toLatin1())).value();
        QTEST(int(space.configs.size()), "configs");
        QTEST(nameOf(*space.configs[0].output), "first");
        const bool isFloat = override.endsWith("f32");
        QVERIFY(space.configs[0].output->dtype == (isFloat ? DataType::F32 : DataType::BF16));
    }

    void overridesThatLeaveNothing_data() {
        QTest::addColumn<QString>("override");
        QTest::addColumn<QString>("code");
        QTest::newRow("no such layout") << "it=system_memory"
                                        << "TT-002";
        QTest::newRow("cut off") << "it=1x2:block_sharded"
                                 << "TT-002";
        QTest::newRow("grid too large") << "it=9x8:l1:block_sharded:tile"
                                        << "TT-022";
        QTest::newRow("grid of another form") << "it=2x8:l1:width_sharded:tile"
                                              << "TT-021";
        QTest::newRow("blocks in DRAM") << "it=1x1:dram:block_sharded:tile"
                                        << "TT-020";
        QTest::newRow("block floats in rows") << "it=1x1:dram:interleaved:row_major:bfp_bf8"
                                              << "TT-020";
    }
    void overridesThatLeaveNothing() {
        QFETCH(QString, override);
        Options options = overridden(override.toLatin1());
        options.maxLegalLayouts = 8;
        const auto space = relu().space(options);
        QVERIFY(!space.ok());
        QTEST(q(space.error().primary().code), "code");
        QVERIFY(q(space.error().primary().where).contains("it"));
    }

    void chapter_3_4_convolutions() {
        Options options;
        const OpSpace space = conv().space(options).value();
        QCOMPARE(space.sharded.size(), 3 * std::min<std::size_t>(64, std::size_t(space.shardedLayouts)));
        const std::size_t layouts = space.configs.size() / 3;
        QVERIFY(space.configs[0].output == space.configs[layouts].output);
        QCOMPARE(convOf(space.configs[0]).actBlockHOverride, std::optional<std::int64_t>(0));
        QCOMPARE(convOf(space.configs[layouts]).actBlockHOverride, std::optional<std::int64_t>(64));
        QVERIFY(convOf(space.configs[0]).weightsDtype == DataType::F32);
        QVERIFY(convOf(space.configs[0]).deallocateActivation == true);
    }

    void chapter_3_4_ownAndOverriddenFields() {
        const Attributes own{{"conv2d_config", "#ttnn.conv2d_config<weights_dtype = bf16, deallocate_activation = "
                                               "false, in_place = true>"},
                             {"compute_config", "#ttnn.device_compute_kernel_config<math_fidelity = lofi>"}};
        Options options;
        options.conv2dConfigs = parseConv2dOverrides("it=act_block_h_override#96:deallocate_activation#true").value();
        const OpSpace space = conv(own).space(options).value();
        QCOMPARE(int(space.configs.size()), 2 + space.keptLayouts);
        const Conv2dConfig& config = convOf(space.configs[0]);
        QVERIFY(config.weightsDtype == DataType::BF16 && config.actBlockHOverride == 96);
        QVERIFY(config.deallocateActivation == true && config.more == "in_place = true");
        QVERIFY(std::get<Conv2dAttrs>(space.configs[0].attrs).compute->mathFidelity == "lofi");
        const auto broken = conv({{"conv2d_config", "#ttnn.conv2d_config<weights_dtype = x>"}}).space();
        QCOMPARE(q(broken.error().primary().code), QString("TT-014"));
    }

    void chapter_3_4_generator() {
        Conv2dSpace space = standardConv2dSpace();
        Conv2dConfig reshard;
        for (const bool value : {true, false}) {
            reshard.reshardIfNotOptimal = value;
            space.push_back(reshard);
        }
        QCOMPARE(conv2dConfigs({}, space, Conv2dFilter::None).configs.size(), std::size_t{6});
        QCOMPARE(conv2dConfigs({}, space, Conv2dFilter::Standard).configs.size(), std::size_t{3});
        Conv2dConfig base;
        base.shardLayout = MemLayout::HeightSharded;
        QCOMPARE(conv2dConfigs(base, space, Conv2dFilter::Standard).configs.size(), std::size_t{6});
        base.deallocateActivation = false;
        base.actBlockHOverride = 32;
        base.reshardIfNotOptimal = false;
        QVERIFY(conv2dConfigs(base, space, Conv2dFilter::Standard).isEmpty);
        QVERIFY(conv2dConfigs({}, {}, Conv2dFilter::None).isEmpty);
    }

    void chapter_3_4_matmulPrograms() {
        const Attributes properties{{"activation", "\"relu\""}, {"transpose_b", "true"}};
        const OneOp linear("ttnn.linear", {tensor({544, 2048}), tensor({16384, 2048})}, tensor({544, 16384}),
                           properties);
        const OpSpace space = linear.space().value();
        QVERIFY(!std::get<MatmulAttrs>(space.configs[0].attrs).program);
        for (const OpConfig& config : space.sharded) {
            const auto& program = std::get<MatmulAttrs>(config.attrs).program;
            QVERIFY(program && program->fusedActivation == "relu");
            if (nameOf(*config.output) != "width_sharded 1x64") continue;
            QVERIFY(program->mcastIn0 && program->perCoreM == 17 && program->perCoreN == 8 && program->in0BlockW == 2);
        }
        const OneOp batched("ttnn.matmul", {tensor({2, 64, 64}), tensor({2, 64, 64})}, tensor({2, 64, 64}));
        const OpSpace unfused = batched.space().value();
        for (const OpConfig& config : unfused.sharded)
            QVERIFY(!std::get<MatmulAttrs>(config.attrs).program);
    }

    void matmulPrograms_data() {
        QTest::addColumn<int>("mem");
        QTest::addColumn<QList<int>>("grid");
        QTest::addColumn<QList<int>>("sizes");  // m, n, k in tiles
        QTest::addColumn<QString>("program");
        const auto row = [](const char* name, MemLayout mem, QList<int> grid, QList<int> sizes, const char* program) {
            QTest::newRow(name) << int(mem) << grid << sizes << program;
        };
        // kind, grid x y, in0_block_w, sub-block width, per core m n
        row("blocks", MemLayout::BlockSharded, {4, 8}, {10, 33, 7}, "2d 8x4 1 5 3x5");
        row("one row of blocks", MemLayout::BlockSharded, {1, 8}, {4, 16, 12}, "1d 8x1 4 2 4x2 in0");
        row("one column of blocks", MemLayout::BlockSharded, {8, 1}, {16, 12, 6}, "1d 1x8 6 6 2x12");
        row("one block", MemLayout::BlockSharded, {1, 1}, {1, 1, 5}, "1d 1x1 1 1 1x1 in0");
        row("wide", MemLayout::WidthSharded, {1, 64}, {1, 129, 16}, "1d 8x8 2 3 1x3 in0");
        row("wide, odd", MemLayout::WidthSharded, {1, 64}, {1, 129, 9}, "1d 8x8 1 3 1x3 in0");
        row("narrower", MemLayout::WidthSharded, {1, 64}, {1, 128, 16}, "1d 8x8 8 2 1x2 in0");
        row("ragged", MemLayout::HeightSharded, {13, 1}, {26, 11, 4}, "1d 8x2 4 1 2x11");
    }
    void matmulPrograms() {
        QFETCH(int, mem);
        QFETCH(QList<int>, grid);
        QFETCH(QList<int>, sizes);
        const Shape shape{sizes[0] * 32, sizes[1] * 32};
        const LayoutChoice choice{DataType::BF16, PageLayout::Tile, BufferType::L1, MemLayout(mem), {grid[0], grid[1]}};
        const auto p =
            matmulProgram({shape[0], shape[1], sizes[2] * 32, true}, makeLayout(shape, choice, Device{}), {});
        QVERIFY(p);
        const bool is2d = p->kind == MatmulProgram::Kind::Multicast2d;
        QTEST(QString("%1 %2x%3 %4 %5 %6x%7%8")
                  .arg(is2d ? "2d" : "1d")
                  .arg(p->gridX)
                  .arg(p->gridY)
                  .arg(p->in0BlockW)
                  .arg(p->outSubblockW)
                  .arg(p->perCoreM)
                  .arg(p->perCoreN)
                  .arg(p->mcastIn0 ? " in0" : ""),
              "program");
        QVERIFY(p->outBlockH == p->perCoreM && p->outBlockW == p->perCoreN && p->outSubblockH == 1);
    }

    void registersBoundTheSubBlock() {
        const Shape shape{512, 2048};
        const LayoutChoice choice{DataType::BF16, PageLayout::Tile, BufferType::L1, MemLayout::BlockSharded, {8, 4}};
        const Layout output = makeLayout(shape, choice, Device{});
        const auto width = [&](std::optional<bool> isWide, std::optional<bool> isFull) {
            ComputeConfig compute;
            compute.fp32DestAccEn = isWide;
            compute.dstFullSyncEn = isFull;
            return matmulProgram({512, 2048, 64, true}, output, compute)->outSubblockW;
        };
        QCOMPARE(width({}, {}), 8);
        QCOMPARE(width(true, false), 4);
        QCOMPARE(width(false, true), 16);
        QCOMPARE(width(true, true), 8);
        QCOMPARE(largestDivisor(7, 4), 1);
        QCOMPARE(largestDivisor(12, 8), 6);
    }
};

MEMPLAN_TEST(TestTtnnSearch)
#include "tst_ttnn_search.moc"
