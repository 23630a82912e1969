// SPDX-License-Identifier: Apache-2.0
// Rule R1 (architecture 3.5): engine/ and widgets/graphlayout/ include neither Qt nor an upper layer, widgets/ nothing
// of app/.
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>
#include <QTextStream>

namespace {

struct Include {
    QString file;
    int line = 0;
    QString path;
};

QVector<Include> includesOf(const QString& file) {
    static const QRegularExpression kInclude("^\\s*#\\s*include\\s*[<\"]([^\">]+)[\">]");
    QVector<Include> found;
    QFile source(file);
    if (!source.open(QIODevice::ReadOnly | QIODevice::Text)) return found;
    QTextStream lines(&source);
    for (int number = 1; !lines.atEnd(); ++number) {
        const auto match = kInclude.match(lines.readLine());
        if (match.hasMatch()) found.append({file, number, match.captured(1)});
    }
    return found;
}

bool isQt(const QString& path) {
    static const QRegularExpression kQt("^(Q[A-Z][A-Za-z]+|Qt[A-Z][A-Za-z0-9]*/.*|q[a-z]+\\.h)$");
    return kQt.match(path).hasMatch();
}

bool isUpperLayer(const QString& path) {
    return path.startsWith("app/") || path.startsWith("widgets/") || path.contains("../");
}

/// "file:line includes path" for each include that the predicate refuses.
QStringList offences(const QString& folder, bool (*isRefused)(const QString& file, const QString& path)) {
    QStringList list;
    QDirIterator it(QString(MEMPLAN_SOURCE_DIR) + "/" + folder, {"*.h", "*.cpp"}, QDir::Files,
                    QDirIterator::Subdirectories);
    while (it.hasNext()) {
        for (const Include& include : includesOf(it.next())) {
            if (!isRefused(include.file, include.path)) continue;
            list << QString("%1:%2 includes %3").arg(include.file).arg(include.line).arg(include.path);
        }
    }
    return list;
}

}  // namespace

class TestLayers : public QObject {
    Q_OBJECT

private slots:
    void scan_knowsQtHeaders() {
        for (const char* path : {"QString", "QtCore/QString", "QtWidgets", "qglobal.h"}) {
            if (QString(path) != "QtWidgets") QVERIFY2(isQt(path), path);
        }
        for (const char* path : {"queue", "engine/base/text.h", "vector", "engine/spyre/program.h"})
            QVERIFY2(!isQt(path), path);
    }

    void engine_includesNoQt() {
        const QStringList found = offences("engine", [](const QString&, const QString& path) { return isQt(path); });
        QVERIFY2(found.isEmpty(), qPrintable(found.join('\n')));
    }

    void engine_includesNoUpperLayer() {
        const QStringList found =
            offences("engine", [](const QString&, const QString& path) { return isUpperLayer(path); });
        QVERIFY2(found.isEmpty(), qPrintable(found.join('\n')));
    }

    void widgets_includeNothingOfTheApp() {
        const QStringList found = offences("widgets", [](const QString&, const QString& path) {
            return path.startsWith("app/") || path.contains("../");
        });
        QVERIFY2(found.isEmpty(), qPrintable(found.join('\n')));
    }

    void graphlayout_includesNoQtAndNoGraphviz() {
        const QStringList found = offences("widgets/graphlayout", [](const QString&, const QString& path) {
            return isQt(path) || path.startsWith("graphviz/") || path.startsWith("app/");
        });
        QVERIFY2(found.isEmpty(), qPrintable(found.join('\n')));
    }

    /// What proves exported bundles must not share code with what writes or imports them.
    void artefactMachine_knowsBaseGraphAndSimulation() {
        const QStringList found = offences("engine/verify/spyre/artefact", [](const QString&, const QString& path) {
            const bool isOwn = path.startsWith("engine/base/") || path.startsWith("engine/graph/") ||
                               path.startsWith("engine/sim/") || path.startsWith("engine/verify/spyre/artefact/");
            return path.contains('/') && !isOwn && !path.startsWith("nlohmann/");
        });
        QVERIFY2(found.isEmpty(), qPrintable(found.join('\n')));
    }

    void jsonLibrary_onlyInSourcesOfIoAndSim() {
        const QStringList found = offences("engine", [](const QString& file, const QString& path) {
            const bool mayRead = file.contains("/engine/io/") || file.contains("/engine/json/") ||
                                 file.contains("/engine/sim/") || file.contains("/engine/spyre/import/") ||
                                 file.contains("/engine/verify/spyre/artefact/");
            return path.startsWith("nlohmann/") && (!mayRead || file.endsWith(".h"));
        });
        QVERIFY2(found.isEmpty(), qPrintable(found.join('\n')));
    }

    void validator_includesNoPlanner() {
        const QStringList found = offences("engine/verify", [](const QString&, const QString& path) {
            // The data types of OpSpecs, which a plan holds; nothing that builds them.
            if (path == "engine/spyre/bundle/op_spec.h") return false;
            return path.startsWith("engine/spyre/") || path.startsWith("engine/solve/") ||
                   path.startsWith("engine/pipeline/");
        });
        QVERIFY2(found.isEmpty(), qPrintable(found.join('\n')));
    }

    /// What proves a plan may not share code with what made it (proof-and-search A3).
    void simulation_seesGraphAndMachineAlone() {
        const QStringList found = offences("engine/sim", [](const QString&, const QString& path) {
            const bool isSeen = path.startsWith("engine/sim/") || path.startsWith("engine/base/") ||
                                path.startsWith("engine/graph/") || path.startsWith("engine/machine/");
            return path.contains("..") || (path.startsWith("engine/") && !isSeen);
        });
        QVERIFY2(found.isEmpty(), qPrintable(found.join('\n')));
    }

    void everySource_startsWithItsLicence() {
        QStringList missing;
        for (const char* folder : {"engine", "app", "widgets", "tests"}) {
            QDirIterator it(QString(MEMPLAN_SOURCE_DIR) + "/" + folder, {"*.h", "*.cpp"}, QDir::Files,
                            QDirIterator::Subdirectories);
            while (it.hasNext()) {
                QFile source(it.next());
                const bool opened = source.open(QIODevice::ReadOnly);
                if (!opened || !source.readLine().startsWith("// SPDX-License-Identifier: "))
                    missing << source.fileName();
            }
        }
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join('\n')));
    }
};

QTEST_APPLESS_MAIN(TestLayers)
#include "tst_layers.moc"
