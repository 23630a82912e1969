// SPDX-License-Identifier: Apache-2.0
// What an index may be (spyre-layouts-and-work-division, end of chapter 3): an index that is called plain has
// coordinates that name its element, in every iteration, by execution.
#include "engine/spyre/layout/coordinates.h"
#include "engine/spyre/layout/stick_layout.h"
#include "engine/spyre/lower/index_range.h"
#include "engine/spyre/lower/strided_view.h"
#include "tests/support/program.h"

#include <QTest>

#include <numeric>
#include <optional>
#include <random>

using namespace memplan;
using namespace memplan::spyre;
using Ints = std::vector<std::int64_t>;

class IndexRangeTest : public QObject {
    Q_OBJECT

private slots:
    void plain_data();
    void plain();
    void plainIndices_nameTheirElements();
};

namespace {

Buffer bufferOf(Ints size) {
    Buffer b;
    b.stride = rowMajorStrides(size);
    b.size = std::move(size);
    b.layout = fallbackLayout(b);
    return b;
}

/// Coordinates of the element `at` of storage along dimensions that follow each other evenly or not: each stride
/// divides what the larger ones leave.
Ints positionsOf(const StickLayout& layout, std::int64_t at) {
    Ints order(layout.deviceSize.size());
    std::iota(order.begin(), order.end(), 0);
    const auto stride = [&](std::int64_t d) { return layout.strideMap[static_cast<std::size_t>(d)]; };
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) { return stride(a) > stride(b); });
    Ints out(layout.deviceSize.size(), 0);
    for (const std::int64_t d : order) {
        if (stride(d) <= 0 || layout.deviceSize[static_cast<std::size_t>(d)] == 1) continue;
        out[static_cast<std::size_t>(d)] = at / stride(d);
        at %= stride(d);
    }
    return out;
}

/// The first iteration whose device coordinates are those of another element.
std::optional<Ints> firstMiss(const Buffer& b, const Ints& extents, const Index& index) {
    std::vector<LoopVar> loops;
    for (const std::int64_t e : extents)
        loops.push_back({"d" + std::to_string(loops.size()), e, false});
    const Coordinates device = coordinates(b.layout->deviceSize, b.layout->strideMap, loops, index);
    Ints at(extents.size(), 0);
    while (true) {
        std::int64_t element = index.offset;
        for (std::size_t v = 0; v < at.size(); ++v)
            element += index.coefficients[v] * at[v];
        const Ints wanted = positionsOf(*b.layout, element);
        for (std::size_t d = 0; d < device.size(); ++d) {
            if (device[d].at(at) != wanted[d]) return at;
        }
        std::size_t v = at.size();
        while (v > 0 && ++at[v - 1] == extents[v - 1])
            at[--v] = 0;
        if (v == 0) return std::nullopt;
    }
}

}  // namespace

void IndexRangeTest::plain_data() {
    QTest::addColumn<Ints>("size");
    QTest::addColumn<Ints>("extents");
    QTest::addColumn<Ints>("coefficients");
    QTest::addColumn<std::int64_t>("offset");
    QTest::addColumn<bool>("isPlain");
    const auto row = [](const char* name, Ints size, Ints extents, Ints coefficients, std::int64_t offset, bool plain) {
        QTest::newRow(name) << std::move(size) << std::move(extents) << std::move(coefficients) << offset << plain;
    };
    row("as it lies", {8, 64}, {8, 64}, {64, 1}, 0, true);
    row("ragged rows as they lie", {100, 65}, {100, 65}, {65, 1}, 0, true);
    row("a batch of ragged rows", {3, 100, 65}, {300, 65}, {65, 1}, 0, true);
    row("transposed", {8, 64}, {64, 8}, {1, 64}, 0, true);
    row("broadcast", {64}, {8, 64}, {0, 1}, 0, true);
    row("one loop over whole rows", {1024, 256}, {262144}, {1}, 0, true);
    row("rows in groups", {1024, 256}, {8, 128, 256}, {32768, 256, 1}, 0, true);
    row("slice of rows and sticks", {512, 1024}, {100, 512}, {1024, 1}, 2112, true);
    row("every third row", {30, 64}, {10, 64}, {192, 1}, 0, true);
    row("one loop over ragged rows", {5, 65}, {325}, {1}, 0, false);
    row("rows that do not divide each other", {6, 64}, {4, 96}, {96, 1}, 0, false);
    row("longer rows, read in shorter ones", {3, 256}, {4, 192}, {192, 1}, 0, false);
    row("backwards", {8, 64}, {8, 64}, {-64, 1}, 448, false);
    row("diagonal", {64, 64}, {63}, {65}, 0, false);
    row("an offset that carries", {8, 64}, {4, 64}, {64, 1}, 32, false);
    row("past the end", {4, 64}, {5, 64}, {64, 1}, 0, false);
}

void IndexRangeTest::plain() {
    QFETCH(const Ints, size);
    QFETCH(const Ints, extents);
    QFETCH(const Ints, coefficients);
    QFETCH(const std::int64_t, offset);
    QTEST(isPlainIndex(bufferOf(size), extents, {coefficients, offset}), "isPlain");
}

void IndexRangeTest::plainIndices_nameTheirElements() {
    std::mt19937 random(20261);
    const auto oneOf = [&random](const Ints& values) { return values[random() % values.size()]; };
    int plain = 0;
    int refused = 0;
    for (int round = 0; round < 20000; ++round) {
        Ints size(1 + random() % 3);
        for (std::int64_t& s : size)
            s = oneOf({1, 2, 3, 4, 5, 8, 12, 63, 64, 65, 96, 128, 192});
        const Buffer b = bufferOf(size);
        Ints extents(1 + random() % 3);
        Index index;
        for (std::int64_t& e : extents) {
            e = oneOf({1, 2, 3, 4, 5, 8, 12, 64, 65, 96, 128});
            index.coefficients.push_back(oneOf({0, 1, 1, b.stride.front(), b.stride.back(), b.stride[size.size() / 2],
                                                64, 96, 2 * b.stride.front(), 65}));
        }
        index.offset = oneOf({0, 0, 0, 64, b.stride.front(), 128});
        if (!isPlainIndex(b, extents, index)) {
            ++refused;
            continue;
        }
        // An offset inside a stick is the stick check's to refuse.
        if (b.layout->strideMap.back() > 0 && index.offset % size.back() % elemsPerStick(b.dtype) != 0) continue;
        if (index.offset % size.back() != index.offset % 64 && index.offset % 64 != 0) continue;
        ++plain;
        const auto miss = firstMiss(b, extents, index);
        QVERIFY2(!miss, qPrintable(QString("round %1").arg(round)));
    }
    QVERIFY(plain > 1000 && refused > 1000);
}

MEMPLAN_TEST(IndexRangeTest)
#include "tst_index_range.moc"
