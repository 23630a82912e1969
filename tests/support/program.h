// SPDX-License-Identifier: Apache-2.0
// One program holds the test classes of a folder. Each class registers itself under the name of its file:
//   MEMPLAN_TEST(TestBounds)          with a QCoreApplication
//   MEMPLAN_WINDOW_TEST(TestGraph)    with a QApplication
#pragma once

#include <QCoreApplication>
#include <QTest>

namespace memplan::test {

using RunTest = int (*)(int argc, char** argv);

/// Adds a test class to its program before main starts. The name is that of the file without folder and extension.
class RegisteredTest {
public:
    RegisteredTest(const char* file, RunTest run);
};

/// What QTEST_MAIN does, for one of several classes. The class is made after the application, as there.
template <class Application, class Test> int runTest(int argc, char** argv) {
    Application application(argc, argv);
    QCoreApplication::setAttribute(Qt::AA_Use96Dpi, true);
    Test test;
    return QTest::qExec(&test, argc, argv);
}

}  // namespace memplan::test

#define MEMPLAN_TEST_IN(Application, Test)                                                                             \
    namespace {                                                                                                        \
    const ::memplan::test::RegisteredTest registered##Test(__FILE__, &::memplan::test::runTest<Application, Test>);    \
    }
#define MEMPLAN_TEST(Test) MEMPLAN_TEST_IN(QCoreApplication, Test)
#define MEMPLAN_WINDOW_TEST(Test) MEMPLAN_TEST_IN(QApplication, Test)
