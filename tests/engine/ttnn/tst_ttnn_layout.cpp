// SPDX-License-Identifier: Apache-2.0
// Layouts of TTNN: the worked figures of ttnn-optimizer 1.1 and 1.3, placement (1.4), rules (1.2) and the text of the
// attribute (10.3).
#include "engine/ttnn/layout/layout_attribute.h"
#include "tests/support/program.h"
#include "tests/support/words.h"

#include <QTest>

using namespace memplan;
using namespace memplan::ttnn;
using test::q;

namespace {

constexpr auto kTiled = PageLayout::Tile;
constexpr auto kRows = PageLayout::RowMajor;

Layout built(const Shape& shape, const LayoutChoice& choice) {
    return makeLayout(shape, choice, Device{});
}

QString pair(std::array<std::int64_t, 2> sizes) {
    return QString("%1x%2").arg(sizes[0]).arg(sizes[1]);
}

QString rangesOf(const CoreRanges& cores) {
    QString out;
    for (std::size_t i = 0; i < cores.size(); ++i)
        out += QString("(%1,%2)-(%3,%4)")
                   .arg(cores[i].first.x)
                   .arg(cores[i].first.y)
                   .arg(cores[i].last.x)
                   .arg(cores[i].last.y);
    return out;
}

Result<ReadLayout> read(std::string_view text, const Shape& shape) {
    static const Device kDevice;
    return parseLayoutAttribute(text, shape, {kDevice, "3:14", {}});
}

QString codesOf(const ReadLayout& layout) {
    QStringList codes;
    for (const Diagnostic& d : layout.warnings)
        codes << q(d.code);
    return codes.join(' ');
}

const std::string kPlain = "#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, "
                           "memref<8x16x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>";
const std::string kSharded =
    "#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<1x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, "
    "<block_sharded>, core_ranges = <[#ttnn.core_range<(0, 0), (7, 7)>]>>";

}  // namespace

class TestTtnnLayout : public QObject {
    Q_OBJECT

private slots:
    void chapter_1_1_usableL1() {
        const Device* wormhole = builtInDevice("wormhole_b0");
        const Device* blackhole = builtInDevice("blackhole");
        QVERIFY(wormhole && blackhole);
        QCOMPARE(usableL1(wormhole->l1Size, wormhole->unreservedBase, 0.95, 0), Bytes{1423206});
        QCOMPARE(usableL1(blackhole->l1Size, blackhole->unreservedBase, 0.95, 0), Bytes{1400832});
        QCOMPARE(usableL1(wormhole->l1Size, wormhole->unreservedBase, 0.95, 1000), Bytes{1422206});
        QVERIFY(usableL1(wormhole->l1Size, wormhole->unreservedBase, 0.01, 1 << 20) < 0);
        QCOMPARE(wormhole->workers.volume(), 64);
        QCOMPARE(blackhole->workers.volume(), 130);
        QVERIFY(!builtInDevice("quasar"));
    }

    void chapter_1_2_tileBytes() {
        for (const auto& [word, bytes] : std::vector<std::pair<const char*, Bytes>>{{"f32", 4096},
                                                                                    {"si32", 4096},
                                                                                    {"bf16", 2048},
                                                                                    {"u16", 2048},
                                                                                    {"u8", 1024},
                                                                                    {"bfp_bf8", 1088},
                                                                                    {"bfp_f4", 576},
                                                                                    {"bfp_bf2", 320}}) {
            const auto type = dataTypeOf(word);
            QVERIFY(type);
            QCOMPARE(tileBytes(*type), bytes);
            QCOMPARE(q(wordOf(*type)), QString(word));
        }
        QVERIFY(isBlockFloat(DataType::BfpF8) && isBlockFloat(DataType::BfpBf2) && !isBlockFloat(DataType::U32));
    }

    void chapter_1_3_shards_data() {
        QTest::addColumn<QList<int>>("shape");
        QTest::addColumn<int>("page");
        QTest::addColumn<int>("mem");
        QTest::addColumn<QList<int>>("grid");
        QTest::addColumn<QString>("scalars");
        QTest::addColumn<int>("bytes");
        const auto row = [](const char* name, QList<int> shape, PageLayout page, MemLayout mem, QList<int> grid,
                            const char* scalars, int bytes) {
            QTest::newRow(name) << shape << int(page) << int(mem) << grid << QString(scalars) << bytes;
        };
        const MemLayout interleaved = MemLayout::Interleaved, height = MemLayout::HeightSharded;
        row("one tile row", {1, 1024}, kTiled, interleaved, {8, 8}, "32x32", 2048);
        row("square", {512, 512}, kTiled, interleaved, {8, 8}, "32x128", 8192);
        row("65 tiles", {32, 2049}, kTiled, interleaved, {8, 8}, "32x64", 4096);
        row("one row, row-major", {1, 1024}, kRows, interleaved, {8, 8}, "1x16", 32);
        row("square, row-major", {512, 512}, kRows, interleaved, {8, 8}, "1x4096", 8192);
        row("odd, row-major", {32, 2049}, kRows, interleaved, {8, 8}, "1x1025", 2050);
        row("large, row-major", {5120, 1024}, kRows, interleaved, {8, 8}, "1x81920", 163840);
        row("blocks, row-major", {65, 65}, kRows, MemLayout::BlockSharded, {8, 8}, "9x9", 162);
        row("width sharded", {544, 16384}, kTiled, MemLayout::WidthSharded, {1, 64}, "544x256", 278528);
        row("interleaved view", {4096, 512}, kTiled, interleaved, {8, 8}, "32x1024", 65536);
        row("height sharded, row-major", {1, 224, 3, 224}, kRows, height, {62, 1}, "11x224", 4928);
        row("divided before it is tiled", {96, 32}, kTiled, height, {2, 1}, "64x32", 4096);
        row("rank 1", {768}, kTiled, interleaved, {8, 8}, "32x32", 2048);
    }
    void chapter_1_3_shards() {
        QFETCH(QList<int>, shape);
        QFETCH(int, page);
        QFETCH(int, mem);
        QFETCH(QList<int>, grid);
        QFETCH(QString, scalars);
        QFETCH(int, bytes);
        const Layout layout =
            built(Shape(shape.begin(), shape.end()),
                  {DataType::BF16, PageLayout(page), BufferType::L1, MemLayout(mem), {grid[0], grid[1]}});
        QCOMPARE(pair(scalarShard(layout)), scalars);
        QCOMPARE(layout.shardBytes(), Bytes{bytes});
        QCOMPARE(q(brokenRule(layout)), QString());
    }

    void chapter_1_3_physicalShapes() {
        QCOMPARE(pair(physicalShape(Shape{6, 15, 10}, kTiled)), QString("192x32"));
        QCOMPARE(pair(physicalShape(Shape{6, 15, 10}, kRows)), QString("90x10"));
        QCOMPARE(pair(physicalShape(Shape{768}, kTiled)), QString("1x768"));
        QCOMPARE(pair(physicalShape(Shape{}, kRows)), QString("1x1"));
        QCOMPARE(pair(tiledShape(Shape{64, 96})), QString("2x3"));
        QCOMPARE(pair(tiledShape(Shape{6, 15, 10})), QString("6x1"));
    }

    void chapter_1_3_linearMaps() {
        QCOMPARE(q(linearMap(Shape{1, 32, 32}, kTiled)), QString("(d0, d1, d2) -> (d0 * 32 + d1, d2)"));
        QCOMPARE(q(linearMap(Shape{1, 1, 1, 64}, kRows)), QString("(d0, d1, d2, d3) -> (d0 + d1 + d2, d3)"));
        QCOMPARE(q(linearMap(Shape{64, 3, 7, 7}, kRows)), QString("(d0, d1, d2, d3) -> (d0 * 21 + d1 * 7 + d2, d3)"));
        QCOMPARE(q(linearMap(Shape{64}, kTiled)), QString("(d0) -> (0, d0)"));
        QCOMPARE(q(linearMap(Shape{5, 7}, kTiled)), QString("(d0, d1) -> (d0, d1)"));
    }

    void buildersCoerceHostAndInterleavedDram() {
        const Layout dram = built({64, 96}, {DataType::BF16, kTiled, BufferType::Dram, MemLayout::Interleaved, {8, 8}});
        QVERIFY(dram.grid == Grid{});
        QCOMPARE(pair(dram.shard), QString("2x3"));
        const Layout host =
            built({64, 3, 7, 7}, {DataType::BF16, kRows, BufferType::SystemMemory, MemLayout::Interleaved, {2, 2}});
        QVERIFY(!host.mem && host.grid == Grid{});
        QCOMPARE(pair(host.shard), QString("1344x7"));
        const Layout banks =
            built({384, 32}, {DataType::BF16, kTiled, BufferType::Dram, MemLayout::HeightSharded, {12, 1}});
        QCOMPARE(rangesOf(*banks.cores), QString("(0,0)-(11,0)"));
    }

    void chapter_1_4_placement() {
        const auto placed = [](MemLayout mem, Grid grid) {
            const auto cores = canonicalPlacement(mem, grid, Device{});
            return cores ? rangesOf(cores.value()) : q(cores.error().primary().code);
        };
        QCOMPARE(placed(MemLayout::HeightSharded, {62, 1}), QString("(0,0)-(7,6)(0,7)-(5,7)"));
        QCOMPARE(placed(MemLayout::HeightSharded, {64, 1}), QString("(0,0)-(7,7)"));
        QCOMPARE(placed(MemLayout::WidthSharded, {1, 5}), QString("(0,0)-(4,0)"));
        QCOMPARE(placed(MemLayout::BlockSharded, {7, 8}), QString("(0,0)-(7,6)"));
        QCOMPARE(placed(MemLayout::BlockSharded, {9, 8}), QString("TT-022"));
        QCOMPARE(placed(MemLayout::WidthSharded, {2, 4}), QString("TT-021"));
        QCOMPARE(placed(MemLayout::HeightSharded, {65, 1}), QString("TT-022"));
        QVERIFY(!bankPlacement({1, 13}, Device{}).ok());
        const auto ragged = canonicalPlacement(MemLayout::WidthSharded, {1, 13}, Device{});
        QVERIFY((boundingGrid(ragged.value()) == std::array<std::int32_t, 2>{8, 2}));
    }

    void chapter_1_2_rules_data() {
        QTest::addColumn<int>("buffer");
        QTest::addColumn<int>("mem");  // -1: none
        QTest::addColumn<int>("rows");
        QTest::addColumn<bool>("hasCores");
        QTest::addColumn<QString>("rule");
        const auto row = [](const char* rule, BufferType buffer, int mem, int rows, bool hasCores) {
            QTest::addRow("%s %d %d", rule, int(buffer), rows) << int(buffer) << mem << rows << hasCores << rule;
        };
        const int none = -1, interleaved = 0, height = 2, block = 4, nd = 5;
        row("", BufferType::SystemMemory, none, 1, false);
        row("mem_layout_forbidden", BufferType::SystemMemory, interleaved, 1, false);
        row("grid_must_be_1x1", BufferType::SystemMemory, none, 2, false);
        row("mem_layout_required", BufferType::L1, none, 1, false);
        row("grid_must_be_1x1", BufferType::Dram, interleaved, 2, false);
        row("dram_block_sharded", BufferType::Dram, block, 1, true);
        row("core_ranges_required", BufferType::L1, height, 1, false);
        row("core_ranges_forbidden", BufferType::L1, interleaved, 8, true);
        row("", BufferType::L1, nd, 1, false);
    }
    void chapter_1_2_rules() {
        QFETCH(int, buffer);
        QFETCH(int, mem);
        QFETCH(int, rows);
        QFETCH(bool, hasCores);
        Layout layout;
        layout.buffer = BufferType(buffer);
        layout.mem = mem < 0 ? std::nullopt : std::optional(MemLayout(mem));
        layout.grid.rows = rows;
        if (hasCores) layout.cores = CoreRanges{};
        QTEST(q(brokenRule(layout)), "rule");
        if (layout.isSharded() && !hasCores) {
            layout.ignorePhysicalLayout = true;
            QCOMPARE(q(brokenRule(layout)), QString());
        }
    }

    void chapter_10_3_attributesReadAndPrinted() {
        for (const std::string& text : {kPlain, kSharded}) {
            const auto layout = read(text, {256, 512});
            QVERIFY(layout.ok());
            QCOMPARE(codesOf(layout.value()), QString());
            QVERIFY(layout.value().layout.linear.empty());
            QCOMPARE(q(layoutAttribute(layout.value().layout, Shape{256, 512})), q(text));
        }
        const Layout sharded = read(kSharded, {256, 512}).value().layout;
        const LayoutChoice choice{DataType::BF16, kTiled, BufferType::L1, MemLayout::BlockSharded, {8, 8}};
        QVERIFY(sharded == built({256, 512}, choice));
        QVERIFY(q(layoutAttribute(sharded, Shape{256, 512}, BufferSpelling::Alias)).contains("bf16>, #l1>, <block"));
    }

    void attributesInOtherForms() {
        const auto host = read("ttnn_layout<(d0,d1,d2,d3)->(d0 * 21 + d1 * 7 + d2, d3), <1x1>, "
                               "memref<1344x7xui32, #system_memory>>",
                               {64, 3, 7, 7});
        QVERIFY(host.ok());
        QVERIFY(!host.value().layout.mem && host.value().layout.dtype == DataType::U32);
        QVERIFY(host.value().layout.linear.empty());
        const auto marked = read("#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, mesh = #ttnn.mesh<\"a\", 1>, "
                                 "memref<3x3x!ttcore.tile<32x32, u32>, #l1_>, <width_sharded>, "
                                 "ignorePhysicalLayout = true>",
                                 {64, 64});
        QVERIFY(marked.ok());
        QCOMPARE(q(marked.value().layout.mesh), QString("#ttnn.mesh<\"a\", 1>"));
        QVERIFY(marked.value().layout.ignorePhysicalLayout && marked.value().layout.isInL1());
        const auto again = read(layoutAttribute(marked.value().layout, Shape{64, 64}), {64, 64});
        QVERIFY(again.ok() && again.value().layout == marked.value().layout);
    }

    void attributesWithAliases() {
        const Device device;
        const auto meaning = [](std::string_view alias) -> std::optional<std::string> {
            if (alias == "fast") return "#ttnn.buffer_type<l1>";
            return std::nullopt;
        };
        const std::string text = "#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, "
                                 "memref<1x1x!ttcore.tile<32x32, bf16>, #fast>, <interleaved>>";
        const auto known = parseLayoutAttribute(text, Shape{256, 256}, {device, "1:1", meaning});
        QVERIFY(known.ok() && known.value().layout.isInL1());
        QVERIFY(!read(text, {256, 256}).ok());
    }

    void warnings_TT023_TT024() {
        const auto other = read("#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, "
                                "memref<9x16x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>",
                                {256, 512});
        QVERIFY(other.ok());
        QCOMPARE(codesOf(other.value()), QString("TT-023"));
        QCOMPARE(pair(other.value().layout.shard), QString("9x16"));
        const auto bare = read("#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <62x1>, "
                               "memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>>",
                               {1984, 32});
        QVERIFY(bare.ok());
        QCOMPARE(codesOf(bare.value()), QString("TT-024"));
        QCOMPARE(rangesOf(*bare.value().layout.cores), QString("(0,0)-(7,6)(0,7)-(5,7)"));
    }

    void brokenAttributes_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("code");
        const QString head = "#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), ";
        const QString tile = "memref<8x16x!ttcore.tile<32x32, bf16>, ";
        QTest::newRow("empty") << ""
                               << "MLIR-002";
        QTest::newRow("cut off") << head + "<1x1>, " + tile << "MLIR-002";
        QTest::newRow("no map") << "#ttnn.ttnn_layout<<1x1>, <1x1>, " + tile + "#dram>>"
                                << "MLIR-002";
        QTest::newRow("no grid") << head + "<0x1>, " + tile + "#dram>, <interleaved>>"
                                 << "MLIR-002";
        QTest::newRow("other tile") << head + "<1x1>, memref<8x16x!ttcore.tile<16x16, bf16>, #dram>, <interleaved>>"
                                    << "MLIR-002";
        QTest::newRow("unknown element") << head + "<1x1>, memref<8x16xcomplex<f32>, #dram>, <interleaved>>"
                                         << "MLIR-002";
        QTest::newRow("unknown word") << head + "<1x1>, " + tile + "#dram>, <scattered>>"
                                      << "MLIR-002";
        QTest::newRow("unknown key") << head + "<1x1>, " + tile + "#dram>, <interleaved>, colour = 3>"
                                     << "MLIR-002";
        QTest::newRow("size too large") << head + "<99999999999x1>, " + tile + "#dram>, <interleaved>>"
                                        << "MLIR-002";
        QTest::newRow("no memory layout") << head + "<1x1>, " + tile + "#l1>>"
                                          << "TT-020";
        QTest::newRow("DRAM grid") << head + "<8x8>, " + tile + "#dram>, <interleaved>>"
                                   << "TT-020";
        QTest::newRow("no placement") << head + "<9x9>, " + tile + "#l1>, <block_sharded>>"
                                      << "TT-022";
        QTest::newRow("wrong grid") << head + "<2x4>, " + tile + "#l1>, <width_sharded>>"
                                    << "TT-021";
    }
    void brokenAttributes() {
        QFETCH(QString, text);
        const auto layout = read(text.toStdString(), {256, 512});
        QVERIFY(!layout.ok());
        QTEST(q(layout.error().primary().code), "code");
        QCOMPARE(q(layout.error().primary().where), QString("3:14"));
    }
};

MEMPLAN_TEST(TestTtnnLayout)
#include "tst_ttnn_layout.moc"
