// SPDX-License-Identifier: Apache-2.0
// Text, hashes, exact integers, findings.
#include "engine/base/diagnostic.h"
#include "engine/base/figures.h"
#include "engine/base/hash.h"
#include "engine/base/numeric.h"
#include "engine/base/parallel.h"
#include "engine/base/result.h"
#include "engine/base/small_vector.h"
#include "engine/base/suggestion.h"
#include "engine/base/text.h"
#include "tests/support/program.h"
#include "tests/support/time_guard.h"
#include "tests/support/words.h"

#include <QCryptographicHash>
#include <QTest>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <vector>

using namespace memplan;

using test::q;

class TestBase : public QObject {
    Q_OBJECT

private slots:
    void rangesCoverAll_data() {
        QTest::addColumn<int>("count");
        QTest::addColumn<int>("threads");
        QTest::addColumn<int>("parts");
        QTest::newRow("nothing") << 0 << 4 << 1;
        QTest::newRow("too few for a second thread") << 19 << 4 << 1;
        QTest::newRow("enough for two") << 25 << 4 << 2;
        QTest::newRow("more than threads") << 1001 << 4 << 4;
        QTest::newRow("one thread") << 1001 << 1 << 1;
        QTest::newRow("no thread") << 1001 << 0 << 1;
    }

    /// Every item is in exactly one range, in order of the parts.
    void rangesCoverAll() {
        QFETCH(int, count);
        QFETCH(int, threads);
        QFETCH(int, parts);
        const auto items = static_cast<std::size_t>(count);
        const auto workers = static_cast<unsigned>(threads);
        QCOMPARE(rangeCount(items, 10, workers), static_cast<std::size_t>(parts));
        std::vector<int> visits(items, 0);
        std::vector<std::size_t> ends(static_cast<std::size_t>(parts), 0);
        parallelRanges(items, 10, workers, [&](std::size_t part, std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                ++visits[i];
            ends[part] = end;
        });
        QCOMPARE(visits, std::vector<int>(items, 1));
        QCOMPARE(ends.back(), items);
        QVERIFY(std::is_sorted(ends.begin(), ends.end()));
    }

    void rangesHandOnTheFirstFailure() {
        const auto failing = [](std::size_t part, std::size_t, std::size_t) {
            if (part > 0) throw std::runtime_error("part " + std::to_string(part));
        };
        try {
            parallelRanges(30, 10, 3, failing);
            QFAIL("no exception");
        } catch (const std::runtime_error& e) {
            QCOMPARE(e.what(), "part 1");
        }
    }

    /// Short lists inside the object, long ones on the heap, copies and moves of both.
    void smallVector() {
        using List = SmallVector<int, 3>;
        for (const int count : {0, 1, 3, 4, 7, 100}) {
            List a;
            for (int i = 0; i < count; ++i)
                a.push_back(i * i);
            const List copy = a;
            QVERIFY(copy == a);
            List moved = std::move(a);
            QVERIFY(moved == copy);
            a = moved;
            QVERIFY(a == copy);
            a = List{5, 6, 7, 8, 9};
            QCOMPARE(a.size(), std::size_t{5});
            QCOMPARE(a.back(), 9);
            a = std::move(moved);
            QVERIFY(a == copy);
            a.push_back(a.empty() ? 1 : a.front());
            QCOMPARE(a.size(), copy.size() + 1);
            a.resize(copy.size() + 9);
            QCOMPARE(a.back(), 0);
            a.resize(copy.size());
            QVERIFY(a == copy);
        }
    }

    void figuresWithAPoint() {
        QCOMPARE(q(text::groupedFixed(13796.42, 1)), q("13\u202f796.4"));
        QCOMPARE(q(text::groupedFixed(-1234567.0, 0)), q("-1\u202f234\u202f567"));
        QCOMPARE(q(text::groupedFixed(999.95, 1)), q("1\u202f000.0"));
        QCOMPARE(q(text::groupedFixed(-0.01, 1)), q("0.0"));
        QCOMPARE(q(text::groupedFixed(-0.5, 1)), q("-0.5"));
        QCOMPARE(q(text::groupedFixed(1e300, 1)), q(text::fixed(1e300, 1)));
        QCOMPARE(q(text::significant(4.2486462103619883e-67, 3)), q("4.25e-67"));
        QCOMPARE(q(text::significant(0.5, 3)), q("0.5"));
        QCOMPARE(q(text::significant(0, 3)), q("0"));
        QCOMPARE(q(text::significant(std::numeric_limits<double>::infinity(), 3)), q("inf"));
    }

    void grouped_data() {
        QTest::addColumn<qint64>("value");
        QTest::addColumn<QString>("text");
        const QString gap(QChar(0x202F));
        QTest::newRow("zero") << qint64{0} << "0";
        QTest::newRow("three digits") << qint64{999} << "999";
        QTest::newRow("four digits") << qint64{1000} << "1" + gap + "000";
        QTest::newRow("LX capacity") << qint64{1677721} << "1" + gap + "677" + gap + "721";
        QTest::newRow("negative") << qint64{-123456} << "-123" + gap + "456";
        QTest::newRow("smallest") << std::numeric_limits<qint64>::min()
                                  << QStringList{"-9", "223", "372", "036", "854", "775", "808"}.join(gap);
    }
    void grouped() {
        QFETCH(qint64, value);
        QTEST(q(text::grouped(value)), "text");
    }

    void number_data() {
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("text");
        QTest::newRow("integer") << 2.0 << "2";
        QTest::newRow("negative zero") << -0.0 << "0";
        QTest::newRow("share") << 0.2 << "0.2";
        QTest::newRow("large integer") << 4294967295.0 << "4294967295";
        QTest::newRow("third") << 1.0 / 3 << "0.3333333333333333";
        QTest::newRow("tiny") << 1e-300 << "1e-300";
        QTest::newRow("nan") << std::numeric_limits<double>::quiet_NaN() << "nan";
        QTest::newRow("minus infinity") << -std::numeric_limits<double>::infinity() << "-inf";
    }
    void number() {
        QFETCH(double, value);
        QTEST(q(text::number(value)), "text");
    }

    void number_readsBackExactly() {
        for (const double value : {0.1, 1e22, 123456.789, 5e-324, 1.7976931348623157e308}) {
            QCOMPARE(text::parseDouble(text::number(value)), std::optional<double>(value));
        }
    }

    void fixed_roundsAndDropsMinusZero() {
        QCOMPARE(q(text::fixed(71.24, 1)), "71.2");
        QCOMPARE(q(text::fixed(0.05, 0)), "0");
        QCOMPARE(q(text::fixed(-0.04, 1)), "0.0");
        QCOMPARE(q(text::fixed(2, 3)), "2.000");
        QCOMPARE(text::fixed(1e308, 2).size(), std::size_t{312});
    }

    void parseInt_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("accepted");
        QTest::addColumn<qint64>("value");
        QTest::newRow("plain") << "42" << true << qint64{42};
        QTest::newRow("plus") << "+7" << true << qint64{7};
        QTest::newRow("minus") << "-7" << true << qint64{-7};
        QTest::newRow("blank before") << " 7" << false << qint64{0};
        QTest::newRow("blank behind") << "7 " << false << qint64{0};
        QTest::newRow("empty") << "" << false << qint64{0};
        QTest::newRow("sign alone") << "+" << false << qint64{0};
        QTest::newRow("two signs") << "+-7" << false << qint64{0};
        QTest::newRow("float") << "3.0" << false << qint64{0};
        QTest::newRow("largest") << "9223372036854775807" << true << std::numeric_limits<qint64>::max();
        QTest::newRow("beyond 64 bits") << "9223372036854775808" << false << qint64{0};
        QTest::newRow("hexadecimal") << "0x10" << false << qint64{0};
    }
    void parseInt() {
        QFETCH(QString, text);
        QFETCH(bool, accepted);
        QFETCH(qint64, value);
        const auto parsed = text::parseInt(text.toStdString());
        QCOMPARE(parsed.has_value(), accepted);
        if (accepted) QCOMPARE(qint64{*parsed}, value);
    }

    void escaped_data() {
        QTest::addColumn<QByteArray>("raw");
        QTest::addColumn<QByteArray>("shown");
        QTest::newRow("plain") << QByteArray("conv_1") << QByteArray("conv_1");
        QTest::newRow("umlaut kept") << QByteArray("gr\xC3\xB6\xC3\x9F") << QByteArray("gr\xC3\xB6\xC3\x9F");
        QTest::newRow("newline") << QByteArray("a\nb") << QByteArray("a\\x0Ab");
        QTest::newRow("embedded null") << QByteArray("a\0b", 3) << QByteArray("a\\x00b");
        QTest::newRow("terminal sequence") << QByteArray("\x1b[31m") << QByteArray("\\x1B[31m");
        QTest::newRow("bidirectional override") << QByteArray("a\xE2\x80\xAE"
                                                              "b")
                                                << QByteArray("a\\xE2\\x80\\xAE"
                                                              "b");
        QTest::newRow("lone continuation") << QByteArray("\x80") << QByteArray("\\x80");
        QTest::newRow("overlong slash") << QByteArray("\xC0\xAF") << QByteArray("\\xC0\\xAF");
        QTest::newRow("surrogate") << QByteArray("\xED\xA0\x80") << QByteArray("\\xED\\xA0\\x80");
        QTest::newRow("cut off") << QByteArray("a\xE2\x82") << QByteArray("a\\xE2\\x82");
    }
    void escaped() {
        QFETCH(QByteArray, raw);
        QFETCH(QByteArray, shown);
        QCOMPARE(QByteArray::fromStdString(text::escaped(raw.toStdString())), shown);
        const bool isValid = raw.isValidUtf8();
        QCOMPARE(text::isValidUtf8(raw.toStdString()), isValid);
    }

    void splitAndJoin_areInverse() {
        QCOMPARE(text::split("a,,b", ',').size(), std::size_t{3});
        QCOMPARE(text::split("", ',').size(), std::size_t{1});
        QCOMPARE(q(text::join(text::split("x,y,z", ','), ",")), "x,y,z");
    }

    void shapeText_scalarAndMatrix() {
        QCOMPARE(q(text::shapeText({})), "scalar");
        QCOMPARE(q(text::shapeText({512, 1024})), "512 x 1024");
    }

    void nearest_picksSmallestDistanceThenFirst() {
        QCOMPARE(q(text::nearest("spyre.core", {"spyre.cores", "spyre.k_fast"})), "spyre.cores");
        QCOMPARE(q(text::nearest("ab", {"ac", "ad"})), "ac");
        QCOMPARE(q(text::nearest("GREEDY", {"exact", "greedy"})), "greedy");
        QCOMPARE(q(text::nearest("x", {})), "");
    }

    void nearest_nothingAlike_isEmpty_data() {
        QTest::addColumn<QString>("wanted");
        QTest::addColumn<QString>("candidate");
        QTest::addColumn<bool>("isNear");
        QTest::newRow("other word") << "zebra"
                                    << "settings" << false;
        QTest::newRow("one folder only") << "spyre.zebra"
                                         << "spyre.cores" << false;
        QTest::newRow("dashes only") << "--frob"
                                     << "--out" << false;
        QTest::newRow("swapped") << "epx"
                                 << "exp" << true;
        QTest::newRow("option") << "--bnid"
                                << "--bind" << true;
        QTest::newRow("without its head") << "cores"
                                          << "spyre.cores" << true;
        QTest::newRow("a part") << "softmax"
                                << "layers.0.attention.softmax_1" << true;
    }
    void nearest_nothingAlike_isEmpty() {
        QFETCH(QString, wanted);
        QFETCH(QString, candidate);
        QFETCH(bool, isNear);
        const std::string found = text::nearest(wanted.toStdString(), {candidate.toStdString()});
        QCOMPARE(q(found), isNear ? candidate : QString());
        QCOMPARE(q(didYouMean(wanted.toStdString(), {candidate.toStdString()}, "see the list")),
                 isNear ? QStringLiteral("did you mean \"%1\"? See the list").arg(candidate)
                        : QStringLiteral("see the list"));
    }

    void sha256_data() {
        QTest::addColumn<QByteArray>("message");
        QTest::addColumn<QString>("digest");
        // FIPS 180-4 examples and the lengths around one block.
        QTest::newRow("empty") << QByteArray() << "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        QTest::newRow("abc") << QByteArray("abc") << "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        QTest::newRow("two blocks") << QByteArray("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
                                    << "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1";
        QTest::newRow("million a") << QByteArray(1000000, 'a')
                                   << "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
    }
    void sha256() {
        QFETCH(QByteArray, message);
        QTEST(q(sha256Hex(message.toStdString())), "digest");
    }

    void sha256_everyLengthAroundBlocks_matchesQt() {
        for (int length = 0; length <= 200; ++length) {
            const QByteArray message(length, static_cast<char>(length));
            const QByteArray expected = QCryptographicHash::hash(message, QCryptographicHash::Sha256).toHex();
            QCOMPARE(QByteArray::fromStdString(sha256Hex(message.toStdString())), expected);
        }
    }

    void fnv1a_knownValues() {
        // Reference values of the published 64-bit FNV-1a.
        QCOMPARE(fnv1a(""), 0xcbf29ce484222325ULL);
        QCOMPARE(fnv1a("a"), 0xaf63dc4c8601ec8cULL);
        QCOMPARE(fnv1a("foobar"), 0x85944171f73967e8ULL);
        QCOMPARE(q(hex16(0xabcULL)), "0000000000000abc");
    }

    void checkedProduct_stopsAtOverflow() {
        const std::vector<std::int64_t> fits{1 << 20, 1 << 20, 1 << 20};
        QCOMPARE(checkedProduct(fits), std::optional<std::int64_t>(std::int64_t{1} << 60));
        const std::vector<std::int64_t> overflows{std::int64_t{1} << 40, std::int64_t{1} << 40};
        QVERIFY(!checkedProduct(overflows));
        const std::vector<std::int64_t> zero{std::int64_t{1} << 40, std::int64_t{1} << 40, 0};
        QCOMPARE(checkedProduct(zero), std::optional<std::int64_t>(0));
        QCOMPARE(checkedProduct({}), std::optional<std::int64_t>(1));
    }

    void divisors_ascendingAndComplete() {
        QCOMPARE(divisors(12), (std::vector<std::int64_t>{1, 2, 3, 4, 6, 12}));
        QCOMPARE(divisors(49), (std::vector<std::int64_t>{1, 7, 49}));
        QCOMPARE(divisors(1), (std::vector<std::int64_t>{1}));
        for (const std::int64_t n : {2, 3, 4, 36, 97, 210, 1024, 4097, 65'536, 1'000'003, 16'785'409}) {
            std::vector<std::int64_t> wanted;
            for (std::int64_t d = 1; d <= n; ++d) {
                if (n % d == 0) wanted.push_back(d);
            }
            QCOMPARE(divisors(n), wanted);
        }
        QCOMPARE(largestDivisorUpTo(48, 32), 24);
        QCOMPARE(largestDivisorUpTo(31, 30), 1);
    }

    /// Numbers of hints reach 2^63 - 1; trial division of a large prime has no end there.
    void divisors_areQuickForEveryNumber() {
        const double before = test::processorSeconds();
        QCOMPARE(divisors(INT64_MAX).size(), std::size_t{96});  // 7^2 * 73 * 127 * 337 * 92737 * 649657
        QCOMPARE(divisors(9'223'372'036'854'775'783), (std::vector<std::int64_t>{1, 9'223'372'036'854'775'783}));
        QCOMPARE(divisors(std::int64_t{3'037'000'493} * 3'037'000'493),
                 (std::vector<std::int64_t>{1, 3'037'000'493, std::int64_t{3'037'000'493} * 3'037'000'493}));
        QCOMPARE(
            divisors(std::int64_t{2'147'483'647} * 4'294'967'291),
            (std::vector<std::int64_t>{1, 2'147'483'647, 4'294'967'291, std::int64_t{2'147'483'647} * 4'294'967'291}));
        QCOMPARE(divisors(897'612'484'786'617'600).size(), std::size_t{103'680});
        QVERIFY(test::processorSeconds() - before < test::kHostileSeconds);
    }

    void align_upAndDown() {
        QCOMPARE(alignUp(1, 128), 128);
        QCOMPARE(alignUp(128, 128), 128);
        QCOMPARE(alignDown(255, 128), 128);
        QCOMPARE(ceilDiv(7, 3), 3);
    }

    void diagnostics_over200_keepErrorsAndCountTheRest() {
        Diagnostics findings;
        for (int i = 0; i < 250; ++i)
            findings.warning("MPG-108", "", "w");
        findings.error("MPG-203", "/ops/1", "late error");
        const auto list = findings.list();
        QCOMPARE(list.size(), std::size_t{201});
        QCOMPARE(q(list.back().code), "IN-003");
        QCOMPARE(q(list.back().message), "and 51 more");
        QVERIFY(findings.hasErrors());
        QVERIFY(std::any_of(list.begin(), list.end(), [](const Diagnostic& d) { return d.code == "MPG-203"; }));
    }

    void error_primary_isTheFirstError() {
        Error error = makeError("A-1", "", "a");
        error.diagnostics.insert(error.diagnostics.begin(),
                                 Diagnostic{Severity::Warning, "B-1", "", "", "", "", {}, {}});
        QCOMPARE(q(error.primary().code), "A-1");
    }
};

MEMPLAN_TEST(TestBase)
#include "tst_base.moc"
