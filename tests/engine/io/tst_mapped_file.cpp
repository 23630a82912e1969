// SPDX-License-Identifier: Apache-2.0
// Large files are mapped and survive being cut off; imports end at their limits (inputs-and-interchange 7).
#include "engine/base/hash.h"
#include "engine/io/files/files.h"
#include "engine/io/import_watch.h"
#include "engine/io/input.h"
#include "tests/support/program.h"

#include <QTemporaryDir>
#include <QTest>

#include <chrono>
#include <numeric>
#include <thread>

using namespace memplan;
using namespace memplan::io;

namespace {

constexpr qint64 kMiB = 1 << 20;

QString writeFile(const QTemporaryDir& dir, const char* name, qint64 size, char fill) {
    QFile f(dir.filePath(name));
    if (!f.open(QIODevice::WriteOnly)) qFatal("cannot write");
    const QByteArray block(kMiB, fill);
    for (qint64 at = 0; at < size; at += kMiB)
        f.write(block.constData(), std::min(kMiB, size - at));
    return f.fileName();
}

/// Runs until the control says stop, or 5 s.
template <class Step> void workUntilStopped(const RunControl& control, Step step) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    while (!control.shouldStop() && std::chrono::steady_clock::now() < end) {
        step();
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
}

std::string codeOf(const ImportWatch& watch) {
    const auto error = watch.exceeded();
    return error ? error->primary().code : std::string();
}

}  // namespace

class TestMappedFile : public QObject {
    Q_OBJECT

private slots:
    void largeFile_isMapped_smallIsRead() {
        const QTemporaryDir dir;
        auto large = InputFile::open(writeFile(dir, "large", 12 * kMiB + 5, 'a').toStdString());
        const auto bytes = large.value().all();
        QVERIFY(bytes.ok());
        QVERIFY(bytes.value().isMapped());
        QCOMPARE(bytes.value().view().size(), std::size_t{12 * kMiB + 5});
        QVERIFY(bytes.value().view().back() == 'a');
        bytes.value().release(8 * kMiB);  // pages come back when touched
        QVERIFY(bytes.value().view()[kMiB] == 'a');
        QVERIFY(large.value().checkUnchanged(bytes.value()).ok());
        auto small = InputFile::open(writeFile(dir, "small", kMiB, 'b').toStdString());
        const auto read = small.value().all();
        QVERIFY(!read.value().isMapped());
        QVERIFY(read.value().view().front() == 'b');
    }

    void fileCutOffWhileMapped_isAnError_andNoCrash() {
        const QTemporaryDir dir;
        const QString path = writeFile(dir, "cut", 16 * kMiB, 'c');
        auto file = InputFile::open(path.toStdString());
        const auto bytes = file.value().all();
        QVERIFY(bytes.value().isMapped());
        QVERIFY(QFile::resize(path, 3 * kMiB + 100));
        const std::string_view view = bytes.value().view();
        const auto sum = std::accumulate(view.begin(), view.end(), std::uint64_t{0},
                                         [](std::uint64_t s, char c) { return s + static_cast<unsigned char>(c); });
        QCOMPARE(sum, std::uint64_t{'c'} * (3 * kMiB + 100));  // zeros behind the new end
        QVERIFY(bytes.value().isBroken());
        const auto same = file.value().checkUnchanged(bytes.value());
        QVERIFY(!same);
        QCOMPARE(same.error().primary().code, std::string("IN-907"));
    }

    void fileThatGrew_isAnError() {
        const QTemporaryDir dir;
        const QString path = writeFile(dir, "grown", 9 * kMiB, 'd');
        auto file = InputFile::open(path.toStdString());
        const auto bytes = file.value().all();
        QVERIFY(QFile::resize(path, 10 * kMiB));
        QVERIFY(!file.value().checkUnchanged(bytes.value()));
    }

    void manyMappings_fallBackToReading() {
        const QTemporaryDir dir;
        const QString path = writeFile(dir, "many", 8 * kMiB, 'e');
        std::vector<FileBytes> open;
        for (int i = 0; i < 66; ++i) {
            auto file = InputFile::open(path.toStdString());
            auto bytes = file.value().all();
            QVERIFY(bytes.ok());
            open.push_back(std::move(bytes).value());
            QVERIFY(open.back().view().back() == 'e');
        }
        QVERIFY(!open.back().isMapped());
    }

    void hashInPieces_isTheHashOfTheWhole() {
        std::string text;
        for (int i = 0; i < 1000; ++i)
            text += static_cast<char>(i * 7);
        for (const std::size_t piece :
             {std::size_t{1}, std::size_t{63}, std::size_t{64}, std::size_t{65}, std::size_t{999}}) {
            Sha256 hash;
            for (std::size_t at = 0; at < text.size(); at += piece)
                hash.update(std::string_view(text).substr(at, piece));
            QCOMPARE(hash.hex(), sha256Hex(text));
        }
        QCOMPARE(sha256Hex("abc"), std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
    }

    void watch_endsWhatTakesTooLong() {
        Limits limits;
        limits.importSeconds = 0.05;
        const RunControl outer;
        const ImportWatch watch(limits, outer);
        workUntilStopped(watch.control(), [&] { watch.control().progress("x", 1, 2); });
        QCOMPARE(codeOf(watch), std::string("IN-906"));
        QVERIFY(watch.exceeded()->primary().hint.find("import_seconds") != std::string::npos);
    }

    void watch_endsWhatMakesNoProgress() {
        Limits limits;
        limits.idleSeconds = 0.05;
        const RunControl outer;
        const ImportWatch watch(limits, outer);
        workUntilStopped(watch.control(), [] {});
        QCOMPARE(codeOf(watch), std::string("IN-906"));
        QVERIFY(watch.exceeded()->primary().hint.find("idle_seconds") != std::string::npos);
    }

    void watch_endsWhatNeedsTooMuchMemory() {
        Limits limits;
        limits.importMemoryBytes = 16 * kMiB;
        const RunControl outer;
        const ImportWatch watch(limits, outer);
        std::vector<std::vector<char>> held;
        workUntilStopped(watch.control(), [&] {
            if (held.size() < 64) held.emplace_back(std::size_t{2 * kMiB}, 'x');
        });
        QCOMPARE(codeOf(watch), std::string("IN-905"));
    }

    void watch_passesOnTheCallersStop_andFindsNothing() {
        std::stop_source source;
        RunControl outer;
        outer.stop = source.get_token();
        int reported = 0;
        outer.onProgress = [&](std::string_view, double, double) { ++reported; };
        const ImportWatch watch({}, outer);
        watch.control().progress("x", 1, 2);
        QCOMPARE(reported, 1);
        QVERIFY(!watch.control().cancelled());
        source.request_stop();
        QVERIFY(watch.control().cancelled());
        QVERIFY(!watch.exceeded());
    }
};

MEMPLAN_TEST(TestMappedFile)
#include "tst_mapped_file.moc"
