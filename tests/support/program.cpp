// SPDX-License-Identifier: Apache-2.0
#include "tests/support/program.h"

#include <QCoreApplication>
#include <QProcess>

#include <cstdio>
#include <filesystem>
#include <map>
#include <string>

namespace {

using namespace memplan::test;

std::map<std::string, RunTest>& registry() {
    static std::map<std::string, RunTest> tests;
    return tests;
}

int listTests() {
    for (const auto& [name, run] : registry())
        std::printf("%s\n", name.c_str());
    return 0;
}

/// One after the other, each in a process of its own: settings and caches of one class are not those of the next.
/// Returns how many failed.
int runAll(int argc, char** argv) {
    QStringList options;
    for (int i = 1; i < argc; ++i)
        options << QString::fromLocal8Bit(argv[i]);
    int failed = 0;
    for (const auto& [name, run] : registry()) {
        const QString program = QString::fromLocal8Bit(argv[0]);
        if (QProcess::execute(program, QStringList(QString::fromStdString(name)) + options) != 0) ++failed;
    }
    return failed;
}

}  // namespace

memplan::test::RegisteredTest::RegisteredTest(const char* file, RunTest run) {
    registry().emplace(std::filesystem::path(file).stem().string(), run);
}

// PROGRAM [TEST_NAME] [OPTIONS OF QTTEST]: the named class, or all; the name may also be that of the program, through a
// link. PROGRAM --list prints the names.
int main(int argc, char** argv) {
    const std::string called = std::filesystem::path(argv[0]).filename().string();
    const std::string first = argc > 1 ? argv[1] : "";
    const bool linked = registry().count(called) > 0;
    const std::string name = linked ? called : first;
    if (name == "--list") return listTests();
    if (name.rfind("tst_", 0) != 0) return runAll(argc, argv);
    const auto test = registry().find(name);
    if (test == registry().end()) {
        std::fprintf(stderr, "%s: there is no test %s here; --list prints the names\n", argv[0], name.c_str());
        return 2;
    }
    QCoreApplication::setApplicationName(QString::fromStdString(name));
    if (linked) return test->second(argc, argv);
    argv[1] = argv[0];
    return test->second(argc - 1, argv + 1);
}
