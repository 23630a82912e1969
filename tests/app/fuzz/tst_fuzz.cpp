// SPDX-License-Identifier: Apache-2.0
// Damaged files of every kind through the commands of the program (inputs-and-interchange 7): an answer or an error,
// never a crash, a defect, a search without end. 3 000 cases; MEMPLAN_CAMPAIGN=nightly takes 20 000,
// MEMPLAN_CAMPAIGN=17 or =17-99 those cases.
#include "app/cli/program/commands.h"
#include "engine/io/input.h"
#include "engine/io/workspace/workspace_json.h"
#include "tests/app/fuzz/damage.h"
#include "tests/app/fuzz/sound_inputs.h"
#include "tests/support/program.h"
#include "tests/support/thinned.h"
#include "tests/support/time_guard.h"

#include <QDir>
#include <QFile>
#include <QIODevice>
#include <QTemporaryDir>
#include <QTest>

#include <sstream>

using namespace memplan;
using namespace memplan::test;

namespace {

constexpr std::uint64_t kSeed = 0x510e527fade682d1ULL;
constexpr int kRowCases = 50;
constexpr long kMostMegabytes = 500;
constexpr double kMostSeconds = 2 * kHostileSeconds;

struct Cases {
    int first = 0, end = 0;
};

Cases wantedCases() {
    const QStringList wanted = qEnvironmentVariable("MEMPLAN_CAMPAIGN").split('-', Qt::SkipEmptyParts);
    if (wanted.isEmpty()) return {0, thinned(3000)};
    if (wanted[0] == "nightly") return {0, 20'000};
    return {wanted.first().toInt(), wanted.last().toInt() + 1};
}

template <class T> const T& oneOf(const std::vector<T>& list, Random& random) {
    return list[random.below(list.size())];
}

/// What a run of the program came to.
struct Answer {
    int status = 0;
    std::string err;
};

Answer run(const cli::Args& args) {
    std::ostringstream out, err;
    const int status = cli::runProgram(args, {out, err, false, false, {}});
    return {status, err.str()};
}

/// Does damage to one file and opens it; files stand in a folder that a crash leaves behind.
class Fuzzer {
public:
    explicit Fuzzer(const SoundInputs& sound) : sound_(sound) {}

    [[nodiscard]] std::string folder() const { return dir_.path().toStdString(); }

    /// Empty when all is well.
    std::string runCase(int number) {
        Random random(kSeed + static_cast<std::uint64_t>(number));
        const double before = processorSeconds();
        const Answer answer = open(number, random);
        const double seconds = processorSeconds() - before;
        std::string fault;
        if (answer.status == cli::kInternalError || answer.status < 0) fault = answer.err;
        if (answer.status == cli::kBadInput && answer.err.empty()) fault = "refused without a word";
        if (seconds > kMostSeconds) fault = "took " + std::to_string(seconds) + " s";
        if (peakMegabytes() > firstPeak_ + kMostMegabytes) fault = "took " + std::to_string(peakMegabytes()) + " MB";
        return fault;
    }

private:
    const SoundInputs& sound_;
    QTemporaryDir dir_;
    long firstPeak_ = peakMegabytes();

    std::string write(const std::string& name, const std::string& text) const {
        const std::string path = folder() + "/" + name;
        QFile file(QString::fromStdString(path));
        if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), static_cast<qint64>(text.size())) < 0)
            qFatal("the test folder is not writable");
        return path;
    }

    Answer open(int number, Random& random) {
        const std::string name = "case-" + std::to_string(number);
        switch (number % 8) {
        case 0:
            return compile(write(name + ".json", damaged(oneOf(sound_.graphs, random), random)), random);
        case 1:
            return openHints(name, random);
        case 2:
            return openPlan(name, random);
        case 3:
        case 4:
            return openBundle(name, number, random);
        case 5:
        case 6:
            return compile(write(name + ".py", damaged(oneOf(sound_.wrappers, random), random)), random);
        default:
            return openOther(name, random);
        }
    }

    Answer compile(const std::string& path, Random& random, cli::Args more = {}) {
        cli::Args args{"compile", path, "--out", folder() + "/plan.json"};
        args.insert(args.end(), more.begin(), more.end());
        switch (random.below(5)) {
        case 0:
            args.insert(args.end(), {"--set", "spyre.unroll_loops=true"});
            break;
        case 1:
            args.insert(args.end(), {"--set", "preset=seed"});
            break;
        case 2:
            args.insert(args.end(), {"--export", folder() + "/export", "--force"});
            break;
        default:
            break;
        }
        return run(args);
    }

    Answer openHints(const std::string& name, Random& random) {
        const std::size_t at = random.below(sound_.graphs.size());
        const std::string graph = write("graph.json", sound_.graphs[at]);
        const std::string hints = write(name + ".json", damaged(sound_.hints[at], random));
        return compile(graph, random, {"--no-input-hints", "--hints", hints});
    }

    Answer openPlan(const std::string& name, Random& random) {
        const std::string path = write(name + ".json", damaged(oneOf(sound_.plans, random), random));
        Answer answer = run({"verify", path});
        if (answer.status == cli::kInternalError) return answer;
        // A plan that is still consistent is run as well.
        if (answer.status == cli::kDone) answer = run({"verify", path, "--simulate"});
        if (answer.status == cli::kInternalError) return answer;
        switch (random.below(4)) {
        case 0:
            return run({"explain", path, "--stats"});
        case 1:
            return run({"convert", path, folder() + "/out", "--to", "bundle"});
        case 2:
            return run({"convert", path, folder() + "/out.txt", "--to", oneOf(kTexts, random)});
        default:
            return answer;
        }
    }

    inline static const std::vector<std::string> kTexts{"trace", "model-explorer", "dot", "csv", "jsonl", "graph"};

    Answer openBundle(const std::string& name, int number, Random& random) {
        const std::size_t at = random.below(sound_.bundles.size());
        std::vector<io::FolderFile> files = sound_.bundles[at];
        for (std::size_t n = 1 + random.below(2); n > 0; --n) {
            io::FolderFile& file = files[random.below(files.size())];
            file.second = damaged(std::move(file.second), random);
        }
        if (random.below(20) == 0) files.erase(files.begin() + static_cast<std::ptrdiff_t>(random.below(files.size())));
        const std::string path = folder() + "/" + name;
        if (!io::writeFolder(path, files, false)) return {};  // the last file was left out
        Answer answer = random.below(3) == 0 ? run({"verify", path}) : compile(path, random);
        // What the device would do with it, against the graph that it was made of.
        if (number % 8 == 4 && answer.status != cli::kInternalError)
            answer = run({"verify", path, "--graph", write("graph.json", sound_.bundleGraphs[at])});
        QDir(QString::fromStdString(path)).removeRecursively();
        return answer;
    }

    Answer openOther(const std::string& name, Random& random) {
        const auto kind = random.below(3);
        if (kind == 0) {
            const std::string path = write(name + ".jsonl", damaged(oneOf(sound_.instances, random), random));
            return run({"solve", path, "--solver", "greedy,firstfit,bestfit,annealing"});
        }
        if (kind == 1) {
            const std::string path = write(name + ".csv", damaged(oneOf(sound_.lists, random), random));
            return run({"solve", path, "--capacity", "4194304", "--solver", "greedy,firstfit,bestfit"});
        }
        const std::string text = damaged(oneOf(sound_.workspaces, random), random);
        write(name + ".memplan", text);
        const auto read = io::readWorkspaceJson(text);
        if (!read) return {cli::kBadInput, read.error().primary().message};
        const std::string written = io::writeWorkspaceJson(read.value().workspace);
        const auto again = io::readWorkspaceJson(written);
        const bool isEqual = again && again.value().workspace == read.value().workspace;
        return isEqual ? Answer{} : Answer{cli::kInternalError, "a workspace that was read and written differs"};
    }
};

}  // namespace

class FuzzTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void soundFiles_areAccepted();
    void damagedFiles_areAnswered_data();
    void damagedFiles_areAnswered();

private:
    SoundInputs sound_;
};

void FuzzTest::initTestCase() {
    sound_ = soundInputs();
    QVERIFY(sound_.plans.size() >= 8);
    QVERIFY(sound_.bundles.size() >= 8 && sound_.wrappers.size() == sound_.bundles.size());
}

/// Damage to what is refused anyway would look at nothing.
void FuzzTest::soundFiles_areAccepted() {
    QTemporaryDir dir;
    const std::string path = dir.filePath("input").toStdString();
    for (const auto* list : {&sound_.graphs, &sound_.wrappers}) {
        for (const std::string& text : *list) {
            QVERIFY(io::writeFileAtomically(path, text).ok());
            const Answer answer = run({"compile", path, "--out", path + ".plan"});
            QVERIFY2(answer.status == cli::kDone, answer.err.c_str());
        }
    }
    for (const std::string& text : sound_.plans) {
        QVERIFY(io::writeFileAtomically(path, text).ok());
        const Answer answer = run({"verify", path});
        QVERIFY2(answer.status == cli::kDone, answer.err.c_str());
    }
}

void FuzzTest::damagedFiles_areAnswered_data() {
    QTest::addColumn<int>("first");
    QTest::addColumn<int>("end");
    const Cases cases = wantedCases();
    for (int first = cases.first; first < cases.end; first += kRowCases) {
        const int end = std::min(first + kRowCases, cases.end);
        QTest::addRow("%d-%d", first, end - 1) << first << end;
    }
}

void FuzzTest::damagedFiles_areAnswered() {
    QFETCH(int, first);
    QFETCH(int, end);
    Fuzzer fuzzer(sound_);
    for (int number = first; number < end; ++number) {
        const std::string fault = fuzzer.runCase(number);
        if (!fault.empty()) QTest::qFail(("case " + std::to_string(number) + ": " + fault).c_str(), __FILE__, __LINE__);
    }
}

MEMPLAN_TEST(FuzzTest)
#include "tst_fuzz.moc"
