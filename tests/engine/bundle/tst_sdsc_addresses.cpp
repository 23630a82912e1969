// SPDX-License-Identifier: Apache-2.0
// Addresses of a SuperDSC file against those of the OpSpec it was made from, element by element: a reader rebuilds them
// from layoutDimOrder_, extents and gaps (spyre-coarse-tiling-and-bundle 13.2, 13.4; proof-and-search A5).
#include "engine/spyre/bundle/sdsc/affine_access.h"
#include "engine/spyre/bundle/sdsc/sdsc_op.h"
#include "engine/spyre/bundle/sdsc/work_division.h"
#include "tests/engine/bundle/bundle_fixture.h"
#include "tests/engine/bundle/bundle_support.h"
#include "tests/support/program.h"

#include <QFloat16>
#include <QTest>

#include <nlohmann/json.hpp>

#include <map>

using namespace memplan;
using namespace memplan::bundle;
using nlohmann::json;

namespace {

TensorArg arg(bool isInput, std::vector<std::int64_t> size, std::vector<const char*> coordinates, Allocation at) {
    TensorArg a;
    a.isInput = isInput;
    a.deviceSize = std::move(size);
    for (const char* c : coordinates)
        a.coordinates.push_back(expr(c));
    a.allocation = at;
    return a;
}

OpSpec op(std::string name, std::vector<IterationEntry> space, std::vector<TensorArg> args, bool isReduction = false) {
    OpSpec spec;
    spec.op = std::move(name);
    spec.isReduction = isReduction;
    spec.iterationSpace = std::move(space);
    spec.args = std::move(args);
    return spec;
}

json descriptor(const OpSpec& spec) {
    const BundleFiles files = filesOf({SpecNode::ofOp(spec)}, options(StrideModel::DeviceRowMajor, AddressMode::Baked));
    return json::parse(files.operations.front().second).front();
}

/// What one file says of one arg, by rule A5 alone.
struct Rebuilt {
    std::vector<std::int64_t> start;             ///< [core]
    std::map<std::string, std::int64_t> stride;  ///< bytes per element, of the stick per stick
    std::string stick;
    std::int64_t eps = 64, word = 2;
    std::map<std::string, std::int64_t> perCore;
};

Rebuilt rebuilt(const json& root, std::size_t a) {
    const json& dsc = root["dscs_"][0].front();
    const json& node = dsc["scheduleTree_"][a];
    const json& data = dsc["labeledDs_"][a];
    const json& layout = dsc["primaryDsInfo_"][data["dsType_"].get<std::string>()];
    std::map<std::string, int> scale;
    for (std::size_t i = 0; i < layout["layoutDimOrder_"].size(); ++i)
        scale[layout["layoutDimOrder_"][i]] = data["scale_"][i];
    Rebuilt out;
    out.eps = layout["stickSize_"][0];
    out.word = data["wordLength"];
    if (!layout["stickDimOrder_"].empty()) out.stick = layout["stickDimOrder_"][0];
    const bool isLx = node["component_"] == "lx";
    std::int64_t inner = out.eps;
    for (const std::string label : node["layoutDimOrder_"]) {
        const std::int64_t perCore = dsc["dataStageParam_"]["0"]["ss_"][label + "_"];
        const std::int64_t whole = isLx ? perCore : dsc["N_"][label + "_"].get<std::int64_t>();
        std::int64_t gap = 0;
        if (node.contains("backGapCore_") && node["backGapCore_"].contains(label))
            gap = std::stoll(node["backGapCore_"][label].front().get<std::string>());
        const bool isStick = label == out.stick;
        if (scale.at(label) == 1) {
            out.stride[label] = inner * out.word;
            out.perCore[label] = perCore;
        }
        const std::int64_t extent = scale.at(label) == 1 ? whole : 1;
        inner *= isStick ? (extent + out.eps - 1) / out.eps + gap / out.eps : extent + gap;
    }
    for (std::size_t core = 0; core < root["numCoresUsed_"].get<std::size_t>(); ++core) {
        const std::string key = "[" + std::to_string(core) + ", 0, 0]";
        out.start.push_back(std::stoll(node["startAddressCoreCorelet_"]["data_"][key].get<std::string>()));
    }
    return out;
}

/// Entries of each dimension that a core holds where one loop cuts the dimensions it moves along from the outermost on.
std::vector<std::int64_t> piecesOf(const TensorArg& t, const IterationEntry& e) {
    std::vector<std::int64_t> sizes = t.deviceSize;
    std::int64_t cuts = e.split;
    for (std::size_t d = 0; d < sizes.size() && cuts > 1; ++d) {
        if (!t.coordinates[d].mentions(e.symbol)) continue;
        const std::int64_t here = std::min(cuts, sizes[d]);
        sizes[d] /= here;
        cuts /= here;
    }
    return sizes;
}

/// Bytes from the start of an arg's memory at one point; in LX of the piece that the core there holds.
std::int64_t addressOf(const OpSpec& spec, std::size_t a, const std::map<std::string, std::int64_t>& point) {
    const TensorArg& t = spec.args[a];
    std::int64_t unit = 1;
    std::int64_t at = 0;
    for (std::size_t d = t.coordinates.size(); d-- > 0;) {
        std::int64_t size = t.deviceSize[d];
        std::int64_t coordinate =
            *t.coordinates[d].evaluate([&](std::string_view s) { return point.at(std::string(s)); });
        for (const IterationEntry& e : spec.iterationSpace) {
            const bool isCut = t.allocation->space == Space::Lx && d + 1 < t.coordinates.size() && e.split > 1 &&
                               t.coordinates[d].mentions(e.symbol);
            if (!isCut) continue;
            size = piecesOf(t, e)[d];
            coordinate %= size;
        }
        at += coordinate * unit;
        unit *= size;
    }
    return t.allocation->address + at * deviceFormatNamed(t.deviceDtype)->bytes;
}

/// The first element whose address in the file is another one; empty for none.
std::string difference(const OpSpec& spec) {
    const json root = descriptor(spec);
    std::vector<std::string> labels;
    for (const auto& [key, value] : root["dscs_"][0].front()["dataStageParam_"]["0"]["ss_"].items())
        labels.push_back(key);
    std::map<std::string, std::string> labelOf;
    // nlohmann sorts keys: labels are recognised by the rule of names.
    const std::vector<std::string> names = {"mb", "x", "y", "i", "j", "ki", "kj"};
    const std::vector<std::string> ofMatmul = {"ki", "kj", "y", "x", "mb", "out", "in"};
    const std::size_t n = spec.iterationSpace.size();
    for (std::size_t v = 0; v < n; ++v) {
        labelOf[spec.iterationSpace[v].symbol] = isMatmulOp(spec.op) ? ofMatmul[ofMatmul.size() - n + v]
                                                 : v + 1 == n        ? "out"
                                                                     : names[v];
    }
    for (std::size_t a = 0; a < spec.args.size(); ++a) {
        const Rebuilt file = rebuilt(root, a);
        for (std::size_t core = 0; core < file.start.size(); ++core) {
            const json& slice = root["coreIdToWkSlice_"][std::to_string(core)];
            std::map<std::string, std::int64_t> slices;
            for (const auto& [symbol, label] : labelOf)
                slices[symbol] = slice[label];
            std::map<std::string, std::int64_t> point;
            const auto walk = [&](const auto& self, std::size_t v) -> std::string {
                if (v == n) {
                    std::int64_t at = file.start[core];
                    for (const auto& [symbol, label] : labelOf) {
                        if (!file.stride.contains(label)) continue;
                        const std::int64_t local = point[symbol] - slices[symbol] * file.perCore.at(label);
                        const std::int64_t step = file.stride.at(label);
                        at +=
                            label == file.stick ? local / file.eps * step + local % file.eps * file.word : local * step;
                    }
                    const std::int64_t wanted = addressOf(spec, a, point);
                    if (at == wanted) return {};
                    return "argument " + std::to_string(a) + ", core " + std::to_string(core) + ": " +
                           std::to_string(at) + " for " + std::to_string(wanted);
                }
                const IterationEntry& e = spec.iterationSpace[v];
                const std::int64_t perCore =
                    root["dscs_"][0].front()["dataStageParam_"]["0"]["ss_"][labelOf[e.symbol] + "_"];
                const std::int64_t begin = slices[e.symbol] * perCore;
                const std::int64_t end = std::min(begin + perCore, *e.extent.integer());
                for (std::int64_t i = begin; i < end; i += i + 1 < end && end - begin > 200 ? 7 : 1) {
                    point[e.symbol] = i;
                    if (std::string found = self(self, v + 1); !found.empty()) return found;
                }
                return {};
            };
            if (std::string found = walk(walk, 0); !found.empty()) return found;
        }
    }
    return {};
}

constexpr Allocation kFirst{Space::Hbm, 0x400000000};
constexpr Allocation kSecond{Space::Hbm, 0x800000000};
constexpr Allocation kPool{Space::Pool, 256};
constexpr Allocation kLx{Space::Lx, 128};

}  // namespace

class TestSdscAddresses : public QObject {
    Q_OBJECT

private slots:
    void addresses_data() {
        QTest::addColumn<OpSpec>("spec");
        // One row of results beside the stick: 16 cores wrote 8 bytes apart.
        QTest::newRow("extent 1 beside the stick")
            << op("max", {{"c0", Expr(256), 4}, {"c1", Expr(8), 2}},
                  {arg(true, {4, 8, 64}, {"floor(c0/64)", "c1", "Mod(c0, 64)"}, kFirst),
                   arg(false, {4, 1, 64}, {"floor(c0/64)", "0", "Mod(c0, 64)"}, kPool)},
                  true);
        QTest::newRow("a batch of 1") << op(
            "exp", {{"c0", Expr(12), 4}, {"c1", Expr(128), 1}},
            {arg(true, {12, 2, 1, 64}, {"c0", "floor(c1/64)", "0", "Mod(c1, 64)"}, kFirst),
             arg(false, {12, 1, 2, 64}, {"c0", "0", "floor(c1/64)", "Mod(c1, 64)"}, kPool)});
        QTest::newRow("one stick wide") << op("exp", {{"c0", Expr(6), 3}, {"c1", Expr(50), 1}},
                                              {arg(true, {6, 1, 1, 64}, {"c0", "0", "0", "c1"}, kFirst),
                                               arg(false, {1, 6, 64}, {"0", "c0", "c1"}, kPool)});
        QTest::newRow("second half of a concatenation, equal extents")
            << op("identity", {{"c0", Expr(8), 2}, {"c1", Expr(64), 1}},
                  {arg(true, {1, 8, 64}, {"0", "c0", "c1"}, kFirst), arg(false, {8, 2, 64}, {"c0", "1", "c1"}, kPool)});
        QTest::newRow("a constant in the stick column")
            << op("identity", {{"c0", Expr(8), 4}, {"c1", Expr(128), 1}},
                  {arg(true, {5, 8, 64}, {"floor(c1/64) + 3", "c0", "Mod(c1, 64)"}, kFirst),
                   arg(false, {2, 8, 64}, {"floor(c1/64)", "c0", "Mod(c1, 64)"}, kPool)});
        QTest::newRow("a constant where nothing moves")
            << op("add", {{"c0", Expr(8), 4}, {"c1", Expr(128), 1}},
                  {arg(true, {3, 2, 8, 64}, {"2", "floor(c1/64)", "c0", "Mod(c1, 64)"}, kFirst),
                   arg(true, {2, 9, 64}, {"floor(c1/64)", "7", "Mod(c1, 64)"}, kSecond),
                   arg(false, {2, 8, 64}, {"floor(c1/64)", "c0", "Mod(c1, 64)"}, kPool)});
        QTest::newRow("a row of a matrix, nothing to broadcast")
            << op("exp", {{"c0", Expr(256), 2}},
                  {arg(true, {4, 9, 64}, {"floor(c0/64)", "5", "Mod(c0, 64)"}, kFirst),
                   arg(false, {4, 64}, {"floor(c0/64)", "Mod(c0, 64)"}, kPool)});
        QTest::newRow("two loops in one coordinate, the larger first")
            << op("identity", {{"c0", Expr(4), 4}, {"c1", Expr(100), 1}, {"c2", Expr(64), 1}},
                  {arg(true, {1, 512, 64}, {"0", "128*c0 + c1", "c2"}, kFirst),
                   arg(false, {4, 100, 1, 64}, {"c0", "c1", "0", "c2"}, kPool)});
        QTest::newRow("two loops in one coordinate, the smaller first")
            << op("identity", {{"c0", Expr(100), 2}, {"c1", Expr(4), 2}, {"c2", Expr(64), 1}},
                  {arg(true, {1, 512, 64}, {"0", "c0 + 128*c1 + 5", "c2"}, kFirst),
                   arg(false, {4, 100, 1, 64}, {"c1", "c0", "0", "c2"}, kPool)});
        QTest::newRow("every second row") << op("identity", {{"c0", Expr(8), 2}, {"c1", Expr(64), 1}},
                                                {arg(true, {1, 16, 64}, {"0", "2*c0 + 1", "c1"}, kFirst),
                                                 arg(false, {8, 1, 64}, {"c0", "0", "c1"}, kPool)});
        QTest::newRow("pieces in LX") << op(
            "add", {{"c0", Expr(8), 4}, {"c1", Expr(128), 1}},
            {arg(true, {3, 2, 8, 64}, {"1", "floor(c1/64)", "c0", "Mod(c1, 64)"}, kLx),
             arg(true, {8, 3, 2, 64}, {"c0", "2", "floor(c1/64)", "Mod(c1, 64)"}, kLx),
             arg(false, {8, 2, 1, 64}, {"c0", "floor(c1/64)", "0", "Mod(c1, 64)"}, kLx)});
        QTest::newRow("a view over two dimensions")
            << op("exp", {{"c0", Expr(32), 2}, {"c1", Expr(64), 1}},
                  {arg(true, {4, 8, 1, 64}, {"floor(c0/8)", "Mod(c0, 8)", "0", "c1"}, kFirst),
                   arg(false, {32, 1, 64}, {"c0", "0", "c1"}, kPool)});
        for (const int split : {2, 4, 8, 16}) {
            QTest::addRow("a view over two dimensions in LX, %d pieces", split)
                << op("exp", {{"c0", Expr(32), split}, {"c1", Expr(64), 1}},
                      {arg(true, {4, 8, 3, 64}, {"floor(c0/8)", "Mod(c0, 8)", "1", "c1"}, kLx),
                       arg(false, {32, 1, 64}, {"c0", "0", "c1"}, kLx)});
        }
        QTest::newRow("a matrix multiply with a batch of 1")
            << op("batchmatmul", {{"c0", Expr(16), 4}, {"c1", Expr(128), 2}, {"c2", Expr(64), 1}},
                  {arg(true, {16, 1, 1, 64}, {"c0", "0", "0", "c2"}, kFirst),
                   arg(true, {2, 64, 1, 64}, {"floor(c1/64)", "c2", "0", "Mod(c1, 64)"}, kSecond),
                   arg(false, {2, 16, 1, 64}, {"floor(c1/64)", "c0", "0", "Mod(c1, 64)"}, kPool)},
                  true);
    }

    void addresses() {
        QFETCH(OpSpec, spec);
        QCOMPARE(difference(spec), std::string());
    }

    /// 13.2 step 6: a row vector broadcast over rows, against the layout [mb, out] of the result.
    void scaleInTheOrderOfTheLayout() {
        const OpSpec spec = op("add", {{"c0", Expr(8), 1}, {"c1", Expr(128), 1}},
                               {arg(true, {2, 8, 64}, {"floor(c1/64)", "c0", "Mod(c1, 64)"}, kFirst),
                                arg(true, {2, 1, 64}, {"floor(c1/64)", "0", "Mod(c1, 64)"}, kSecond),
                                arg(false, {2, 8, 64}, {"floor(c1/64)", "c0", "Mod(c1, 64)"}, kPool)});
        const json root = descriptor(spec);
        const json& dsc = root["dscs_"][0].front();
        QCOMPARE(dsc["primaryDsInfo_"]["OUTPUT"]["layoutDimOrder_"], json({"mb", "out"}));
        QCOMPARE(dsc["scheduleTree_"][1]["layoutDimOrder_"], json({"out", "mb"}));
        QCOMPARE(dsc["labeledDs_"][1]["scale_"], json({-1, 1}));
    }

    /// What labels cannot express is no file with other addresses.
    void accessesWithoutForm() {
        const auto reading = [](std::vector<std::int64_t> size, std::vector<const char*> coordinates) {
            return op("identity", {{"c0", Expr(8), 1}, {"c1", Expr(64), 1}},
                      {arg(true, std::move(size), std::move(coordinates), kFirst),
                       arg(false, {1, 8, 64}, {"0", "c0", "c1"}, kPool)});
        };
        QVERIFY(!checkSdscForm(reading({1, 8, 64}, {"0", "7 - c0", "c1"})));
        QVERIFY(!checkSdscForm(reading({4, 3, 64}, {"Mod(c0, 3)", "floor(c0/3)", "c1"})));
        QVERIFY(!checkSdscForm(reading({1, 8, 64}, {"0", "floor(c1/8)", "c0"})));
        const OpSpec window = op("identity", {{"c0", Expr(8), 1}, {"c1", Expr(3), 1}, {"c2", Expr(64), 1}},
                                 {arg(true, {1, 10, 64}, {"0", "c0 + c1", "c2"}, kFirst),
                                  arg(false, {1, 8, 3, 64}, {"0", "c0", "c1", "c2"}, kPool)});
        QVERIFY(!checkSdscForm(window));
        SpecTree tree{SpecNode::loop(Expr(2), {SpecNode::ofOp(window)}),
                      SpecNode::ofOp(reading({1, 8, 64}, {"0", "c0", "c1"}))};
        Diagnostics notes;
        replaceInexpressible(tree, "kernel k", notes);
        QVERIFY(tree[0].body[0].kind == SpecKind::Unimplemented);
        QCOMPARE(tree[0].body[0].name, std::string("identity"));
        QVERIFY(tree[1].kind == SpecKind::Op);
        QCOMPARE(notes.list().size(), std::size_t{1});
        QCOMPARE(notes.list().front().code, std::string("BND-105"));
    }

    /// A loop that walks rows in pieces is several labels (loop_parts.h).
    void loopsInParts() {
        const OpSpec spec = op("identity", {{"c0", Expr(8), 2}, {"c1", Expr(64), 1}},
                               {arg(true, {4, 2, 64}, {"Mod(c0, 4)", "floor(c0/4)", "c1"}, kFirst),
                                arg(false, {1, 8, 64}, {"0", "c0", "c1"}, kPool)});
        QVERIFY(checkSdscForm(spec));
        const OpSpec form = sdscForm(spec);
        QCOMPARE(form.iterationSpace.size(), 3U);
        QCOMPARE(form.iterationSpace[0].extent.integer(), std::optional<std::int64_t>(2));
        QCOMPARE(form.iterationSpace[0].split, 2);
        QCOMPARE(form.iterationSpace[1].extent.integer(), std::optional<std::int64_t>(4));
        QCOMPARE(difference(form), std::string());
        // More slices than pieces divide the pieces. The inner label comes first: the next slice is on the next core.
        OpSpec divided = spec;
        divided.iterationSpace[0].split = 8;
        const OpSpec inner = sdscForm(divided);
        QCOMPARE(inner.iterationSpace[0].extent.integer(), std::optional<std::int64_t>(4));
        QCOMPARE(inner.iterationSpace[0].split, 4);
        QCOMPARE(inner.iterationSpace[1].split, 2);
        QCOMPARE(difference(inner), std::string());
        // Slices that end inside of a piece have no form.
        OpSpec across = spec;
        across.iterationSpace[0] = {"c0", Expr(12), 4};
        across.args[0].deviceSize = {4, 3, 64};
        across.args[1].deviceSize = {1, 12, 64};
        QVERIFY(!checkSdscForm(across));
        across.iterationSpace[0].split = 3;
        QVERIFY(checkSdscForm(across));
    }

    void sumsOfFloors() {
        const auto terms = [](const char* text) {
            std::string out;
            const Expr e = expr(text);
            const auto list = e.floorTerms([](std::string_view s) { return s == "c0" ? 4 : 100; });
            if (!list) return std::string("none");
            for (const FloorTerm& t : *list)
                out += (out.empty() ? "" : " ") + std::to_string(t.factor) + "*" +
                       std::string(t.symbol.empty() ? "1" : t.symbol) + "/" + std::to_string(t.divisor);
            return out;
        };
        QCOMPARE(terms("128*c0 + c1 + 3"), std::string("3*1/1 128*c0/1 1*c1/1"));
        QCOMPARE(terms("Mod(c1, 64)"), std::string("1*c1/1 -64*c1/64"));
        QCOMPARE(terms("floor((128*c0 + c1)/128)"), std::string("1*c0/1"));
        QCOMPARE(terms("floor((64*c0 + c1)/64)"), std::string("1*c0/1 1*c1/64"));
        QCOMPARE(terms("floor(Mod(2*c1, 64)/8)"), std::string("1*c1/4 -8*c1/32"));
        QCOMPARE(terms("floor((c1 + 3)/64)"), std::string("none"));
        QCOMPARE(terms("floor(c0/4)"), std::string());
        QCOMPARE(terms("c0*c1"), std::string("none"));
        QCOMPARE(terms("7 - c0"), std::string("7*1/1 -1*c0/1"));
    }
};

MEMPLAN_TEST(TestSdscAddresses)
#include "tst_sdsc_addresses.moc"
