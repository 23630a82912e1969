// SPDX-License-Identifier: Apache-2.0
// Stick layouts and coordinates (spyre-layouts-and-work-division 2, 3), chunks and padding (6).
#include "engine/spyre/layout/coordinates.h"
#include "engine/spyre/layout/stick_layout.h"
#include "engine/spyre/lower/strided_view.h"
#include "engine/spyre/prepare/chunking.h"
#include "engine/spyre/prepare/cleanup.h"
#include "tests/support/program.h"

#include <QTest>

#include <numeric>
#include <random>

using namespace memplan;
using namespace memplan::spyre;

using Sizes = std::vector<std::int64_t>;

namespace {

std::vector<LoopVar> loopsOf(const Sizes& extents) {
    std::vector<LoopVar> loops;
    for (const std::int64_t e : extents)
        loops.push_back({"d" + std::to_string(loops.size()), e, false});
    return loops;
}

Buffer bufferOf(Sizes size, HostType dtype = HostType::Float16) {
    Buffer b;
    b.name = "b";
    b.dtype = dtype;
    b.stride = rowMajorStrides(size);
    b.size = std::move(size);
    return b;
}

}  // namespace

Q_DECLARE_METATYPE(Sizes)

class TestStickLayout : public QObject {
    Q_OBJECT

private slots:
    void worked_data() {
        QTest::addColumn<Sizes>("size");
        QTest::addColumn<int>("type");
        QTest::addColumn<Sizes>("order");  // empty = natural
        QTest::addColumn<Sizes>("device");
        QTest::addColumn<Sizes>("map");
        const int f16 = static_cast<int>(HostType::Float16);
        const int f32 = static_cast<int>(HostType::Float32);
        const auto row = [](const char* name, const Sizes& s, int t, const Sizes& o, const Sizes& d, const Sizes& m) {
            QTest::newRow(name) << s << t << o << d << m;
        };
        row("2.3 scalar", {}, f16, {}, {1, 64}, {-1, -1});
        row("2.3 one stick", {64}, f16, {}, {1, 64}, {64, 1});
        row("2.3 [1024,4096]", {1024, 4096}, f16, {}, {64, 1024, 64}, {64, 4096, 1});
        row("2.3 [512,1024]", {512, 1024}, f16, {}, {16, 512, 64}, {64, 1024, 1});
        row("2.3 float32", {1024, 4096}, f32, {}, {128, 1024, 32}, {32, 4096, 1});
        row("2.3 order 1,0", {128, 256}, f16, {1, 0}, {2, 256, 64}, {16384, 1, 256});
        row("2.3 rank 3", {128, 256, 512}, f16, {}, {256, 8, 128, 64}, {512, 64, 131072, 1});
        row("2.3 padded", {5, 100, 150}, f16, {}, {100, 3, 5, 64}, {150, 64, 15000, 1});
        row("2.3 equal strides", {2, 8, 128, 64}, f16, {}, {8, 128, 1, 2, 64}, {8192, 64, 64, 65536, 1});
        row("2.3 sparse", {512}, f16, {0, -1}, {1, 512, 64}, {-1, 1, -1});
        row("2.3 sparse [512,1]", {512, 1}, f16, {0, 1, -1}, {1, 1, 512, 64}, {-1, -1, 1, -1});
        row("2.3 [512,1]", {512, 1}, f16, {}, {1, 512, 64}, {-1, 1, -1});
    }

    void worked() {
        QFETCH(Sizes, size);
        QFETCH(int, type);
        QFETCH(Sizes, order);
        DimOrder dims(order.begin(), order.end());
        if (dims.empty()) dims = naturalOrder(size.size());
        const auto layout = buildStickLayout(size, rowMajorStrides(size), static_cast<HostType>(type), dims);
        QVERIFY(layout.ok());
        QTEST(layout.value().deviceSize, "device");
        QTEST(layout.value().strideMap, "map");
    }

    void elementsPerStick_data() {
        QTest::addColumn<int>("type");
        QTest::addColumn<int>("bytes");
        QTest::addColumn<int>("eps");
        const auto row = [](const char* name, HostType t, int b, int e) {
            QTest::newRow(name) << static_cast<int>(t) << b << e;
        };
        row("2.1 float16", HostType::Float16, 2, 64);
        row("2.1 bool", HostType::Bool, 1, 64);
        row("2.1 float32", HostType::Float32, 4, 32);
        row("2.1 int64", HostType::Int64, 8, 32);
        row("2.1 int8", HostType::Int8, 1, 128);
        row("2.1 float8", HostType::Float8E4M3, 1, 128);
    }

    void elementsPerStick() {
        QFETCH(int, type);
        QTEST(hostItemBytes(static_cast<HostType>(type)), "bytes");
        QTEST(elemsPerStick(static_cast<HostType>(type)), "eps");
    }

    void refusals() {
        const Sizes size{4, 4};
        const auto wrong = buildStickLayout(size, rowMajorStrides(size), HostType::Float16, {0});
        QVERIFY(!wrong.ok());
        QCOMPARE(wrong.error().primary().code, std::string("LAY-001"));
        QVERIFY(wrong.error().primary().message.find("Incompatible host_size and dim_order") != std::string::npos);
        const Sizes seven{1, 2, 3, 4, 5, 6, 7};
        const auto deep = buildStickLayout(seven, rowMajorStrides(seven), HostType::Float16, naturalOrder(7));
        QVERIFY(!deep.ok());
        QCOMPARE(deep.error().primary().code, std::string("LAY-002"));
        QVERIFY(deep.error().primary().message.find("Unsupported tensor rank: 7") != std::string::npos);
    }

    /// Dimensions of extent 1 go first, then neighbours are merged; every element keeps its place.
    void folding() {
        const auto sparse = buildFoldedLayout(bufferOf({2, 1, 3, 4, 5, 6}), {0, 1, 2, 3, 4, 5, -1});
        QVERIFY(sparse.ok());
        QCOMPARE(sparse.value().deviceSize.size(), std::size_t{7});
        const auto merged = buildFoldedLayout(bufferOf({2, 2, 2, 2, 2, 128}), {0, 1, 2, 3, 4, 5, -1});
        QVERIFY(merged.ok());
        QCOMPARE(merged.value().deviceBytes(), Bytes{2 * 2 * 2 * 2 * 2 * 128 * 128});
        const StickLayout flat = fallbackLayout(bufferOf({2, 3, 4}));
        QCOMPARE(flat.deviceBytes(),
                 buildStickLayout(Sizes{2, 3, 4}, Sizes{12, 4, 1}, HostType::Float16, {0, 1, 2}).value().deviceBytes());
    }

    /// 2.2: host offset = sum of device coordinate * stride_map over the entries that move.
    void hostOffsetIdentity() {
        std::mt19937 random(7);
        for (int round = 0; round < 300; ++round) {
            const std::size_t rank = 1 + random() % 5;
            Sizes size;
            for (std::size_t d = 0; d < rank; ++d)
                size.push_back(1 + static_cast<std::int64_t>(random() % 150));
            DimOrder order = naturalOrder(rank);
            for (std::size_t d = rank; d-- > 1;)
                std::swap(order[d], order[random() % (d + 1)]);
            const Sizes stride = rowMajorStrides(size);
            const StickLayout layout = buildStickLayout(size, stride, HostType::Float16, order).value();
            const auto loops = loopsOf(size);
            const auto device = deviceCoordinates(layout, loops, {stride, 0});
            QVERIFY(device.ok());
            for (int sample = 0; sample < 20; ++sample) {
                Sizes at;
                std::int64_t offset = 0;
                for (std::size_t d = 0; d < rank; ++d) {
                    at.push_back(static_cast<std::int64_t>(random()) % size[d]);
                    offset += at[d] * stride[d];
                }
                std::int64_t found = 0;
                for (std::size_t j = 0; j < device.value().size(); ++j) {
                    const std::int64_t c = device.value()[j].at(at);
                    QVERIFY(c >= 0 && c < layout.deviceSize[j]);
                    if (layout.strideMap[j] > 0) found += c * layout.strideMap[j];
                }
                QCOMPARE(found, offset);
            }
        }
    }

    void coordinateTexts_data() {
        QTest::addColumn<Sizes>("device");
        QTest::addColumn<Sizes>("map");
        QTest::addColumn<Sizes>("extents");
        QTest::addColumn<Sizes>("coefficients");
        QTest::addColumn<qint64>("offset");
        QTest::addColumn<QString>("text");
        const Sizes device{64, 1024, 64};
        const Sizes map{64, 4096, 1};
        QTest::newRow("3 rows and columns")
            << device << map << Sizes{1024, 4096} << Sizes{4096, 1} << qint64{0} << "[floor(d1/64), d0, d1 mod 64]";
        QTest::newRow("3 transposed") << device << map << Sizes{4096, 1024} << Sizes{1, 4096} << qint64{0}
                                      << "[floor(d0/64), d1, d0 mod 64]";
        QTest::newRow("3 flattened") << device << map << Sizes{4194304} << Sizes{1} << qint64{0}
                                     << "[floor((d0 mod 4096)/64), floor(d0/4096), d0 mod 64]";
        QTest::newRow("3 offset of one stick") << Sizes{16, 512, 64} << Sizes{64, 1024, 1} << Sizes{512, 512}
                                               << Sizes{1024, 1} << qint64{64} << "[floor(d1/64) + 1, d0, d1 mod 64]";
        QTest::newRow("3 one tile") << Sizes{1, 512, 64} << Sizes{64, 64, 1} << Sizes{512, 64} << Sizes{64, 1}
                                    << qint64{0} << "[0, d0, d1]";
        QTest::newRow("3 two loops in one dimension")
            << Sizes{4, 1024, 64} << Sizes{64, 256, 1} << Sizes{8, 128, 256} << Sizes{32768, 256, 1} << qint64{0}
            << "[floor(d2/64), 128*d0 + d1, d2 mod 64]";
    }

    void coordinateTexts() {
        QFETCH(Sizes, device);
        QFETCH(Sizes, map);
        QFETCH(Sizes, extents);
        QFETCH(Sizes, coefficients);
        QFETCH(qint64, offset);
        const StickLayout layout{device, map, HostType::Float16, Arrangement::Standard};
        const auto loops = loopsOf(extents);
        const auto coords = deviceCoordinates(layout, loops, {coefficients, offset});
        QVERIFY(coords.ok());
        QTEST(QString::fromStdString(coords.value().text(loops)), "text");
    }

    void stickErrors_data() {
        QTest::addColumn<Sizes>("coefficients");
        QTest::addColumn<qint64>("offset");
        QTest::newRow("17 L3 step of two") << Sizes{1024, 2} << qint64{0};
        QTest::newRow("17 L3 offset inside a stick") << Sizes{1024, 1} << qint64{10};
        QTest::newRow("17 L3 two loops in the stick") << Sizes{1, 2} << qint64{0};
    }

    void stickErrors() {
        QFETCH(Sizes, coefficients);
        QFETCH(qint64, offset);
        const StickLayout layout{{16, 512, 64}, {64, 1024, 1}, HostType::Float16, Arrangement::Standard};
        const auto coords = deviceCoordinates(layout, loopsOf({512, 256}), {coefficients, offset});
        QVERIFY(!coords.ok());
        QCOMPARE(coords.error().primary().code, std::string("LAY-003"));
        QVERIFY(coords.error().primary().message.starts_with(
            "Spyre backend does not support: Unexpected stick expression"));
    }

    void matchingDims() {
        const auto loops = loopsOf({512, 1024});
        const Coordinates host = coordinates(Sizes{512, 1024}, Sizes{1024, 1}, loops, {{1024, 1}, 0});
        const Coordinates device = coordinates(Sizes{16, 512, 64}, Sizes{64, 1024, 1}, loops, {{1024, 1}, 0});
        QCOMPARE(matchingDim(host, device.back()), std::optional<std::size_t>(1));
        QCOMPARE(matchingDim(host, device[0]), std::optional<std::size_t>(1));
        const Coordinates none = coordinates(Sizes{512, 1}, Sizes{1, 1}, loops, {{1, 0}, 0});
        QCOMPARE(matchingDim(none, device.back()), std::optional<std::size_t>());
        QCOMPARE(matchingDim(host, none[1]), std::optional<std::size_t>());
    }

    void chunks_data() {
        QTest::addColumn<Sizes>("size");
        QTest::addColumn<int>("cores");
        QTest::addColumn<Sizes>("extents");
        QTest::newRow("6.4 [32,8193,1740]") << Sizes{32, 8193, 1740} << 32 << Sizes{4160, 4096};
        QTest::newRow("6.4 [32,8192,17408]") << Sizes{32, 8192, 17408} << 32 << Sizes{4096, 4096};
        QTest::newRow("6.4 one core") << Sizes{2, 8195, 256, 64} << 1 << Sizes{2752, 2752, 2752};
        QTest::newRow("6.4 small") << Sizes{512, 1024} << 32 << Sizes{};
    }

    void chunks() {
        QFETCH(Sizes, size);
        QFETCH(int, cores);
        Buffer b = bufferOf(size);
        b.layout = genericLayout(b).value();
        QTEST(planChunks(b, {cores, 268'435'456}).extents, "extents");
    }

    void padding() {
        QCOMPARE(reductionPadding(1740, HostType::Float16), std::int64_t{52});
        QCOMPARE(reductionPadding(100, HostType::Float32), std::int64_t{28});
        QCOMPARE(reductionPadding(4096, HostType::Float16), std::int64_t{0});
    }

    void deadCode() {
        // p feeds q, q writes in place, r is read by nobody, f is impure.
        const std::vector<LivenessOp> ops = {
            {false, {0}, {1}}, {true, {1}, {0}}, {false, {0}, {2}}, {true, {}, {3}}, {false, {3}, {4}}};
        QCOMPARE(liveOps(ops, {}, 5), (std::vector<bool>{true, true, false, true, false}));
        QCOMPARE(liveOps(ops, {4}, 5), (std::vector<bool>{true, true, false, true, true}));
    }

    /// 19.4: a duplicate that is a graph output stays, and its readers take the kept one.
    void constants() {
        using K = ConstantOp::Kind;
        const std::vector<ConstantOp> ops = {{K::Compute, "", {9}, 0},
                                             {K::Constant, "1|f16", {}, 1},
                                             {K::Constant, "1|f16", {}, 2},
                                             {K::Compute, "", {2, 0}, 3}};
        const auto plan = dedupConstants(ops, {});
        QVERIFY(plan.ok());
        QCOMPARE(plan.value().order, (std::vector<int>{1, 0, 3}));
        QCOMPARE(plan.value().removed, (std::vector<int>{2}));
        QCOMPARE(plan.value().redirects.size(), std::size_t{1});
        const auto kept = dedupConstants(ops, {2});
        QCOMPARE(kept.value().order, (std::vector<int>{1, 2, 0, 3}));
        QVERIFY(kept.value().removed.empty());
        std::vector<ConstantOp> other = ops;
        other[3].kind = K::Other;
        QVERIFY(!dedupConstants(other, {}).ok());
    }
};

MEMPLAN_TEST(TestStickLayout)
#include "tst_stick_layout.moc"
