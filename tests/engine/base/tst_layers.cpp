// SPDX-License-Identifier: Apache-2.0
// The order of the folders (architecture 2, 3.5): includes run down one table, machines do not know each other, no
// files or folders include each other in a circle, and the engine and the graph layout know no Qt.
#include "tests/support/program.h"

#include <QDirIterator>
#include <QFile>
#include <QMap>
#include <QRegularExpression>
#include <QSet>
#include <QTest>
#include <QTextStream>

#include <algorithm>

namespace {

/// From the ground up: a file includes its own row and rows above it here. The longest row that a path begins with is
/// its own.
const QStringList kGround{
    "engine/base",
    "engine/json",
    "engine/graph",
    "engine/settings",
    "engine/machine",
    "engine/spyre/machine",  // figures of a machine: for its planner and for its validator, of neither
    "engine/ttnn/machine",
    "engine/torchwright/graph",  // the same: program and schedule as values
    "engine/torchwright/schedule",
    "engine/sim",
    "engine/plan",
    "engine/ttnn/plan_file",  // the form of plain values in a file: likewise
    "engine/hints",
    "engine/solve",
    "engine/pipeline",
    "engine/verify",
    "engine/target",
    "engine/io",
    "engine/spyre",
    "engine/ttnn",
    "engine/torchwright",
    "engine/targets",  // targets.h, targets.cpp
    "engine/compare",
    "engine/sweep",
    "engine/advice",
    "widgets/graphlayout",
};
/// Above them come the folders of widgets/CMakeLists.txt, which builds them in their order, and then these.
const QStringList kAppOrder{
    "app/cli",
    "app/gui/targets",
    "app/gui/preferences",
    "app/gui/tasks",
    "app/gui/document/parts",
    "app/gui/document",
    "app/gui/workspace",
    "app/gui/session",
    "app/gui/help",
    "app/gui/features/records",
    "app/gui/features/notes",
    "app/gui/features/export",
    "app/gui/features/fixes",
    "app/gui/features/hints",
    "app/gui/features/chains",
    "app/gui/features/solver",
    "app/gui/features/compare",
    "app/gui/features/proof",
    "app/gui/features/stream",
    "app/gui/pages",
    "app/gui/window/docks",
    "app/gui/window/bars",
    "app/gui/window/status",
    "app/gui/window/documents",
    "app/gui/window/commands",
    "app/gui/window",
    "app/batch",
    "app/gui",  // main.cpp
};

const QStringList kMachines{"engine/spyre", "engine/ttnn", "engine/torchwright"};

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

/// The files of our own that `source` includes, and where.
QVector<Include> ownIncludes(const QString& source) {
    QVector<Include> own;
    for (Include include : includesOf(QString(MEMPLAN_SOURCE_DIR) + '/' + source)) {
        if (!include.path.startsWith("engine/") && !include.path.startsWith("widgets/") &&
            !include.path.startsWith("app/"))
            continue;
        include.file = source;
        own.append(include);
    }
    return own;
}

/// "widgets/kit/vector", "widgets/kit/theme", ... as the list of folders to build has them.
QStringList widgetFolders() {
    QFile list(QStringLiteral(MEMPLAN_SOURCE_DIR "/widgets/CMakeLists.txt"));
    if (!list.open(QIODevice::ReadOnly | QIODevice::Text)) return {};
    static const QRegularExpression kList("foreach\\(folder\\s+([^)]*)\\)");
    QStringList folders = kList.match(QString::fromUtf8(list.readAll())).captured(1).simplified().split(u' ');
    for (QString& folder : folders)
        folder.prepend("widgets/");
    return folders;
}

const QStringList& order() {
    static const QStringList kOrder = kGround + widgetFolders() + kAppOrder;
    return kOrder;
}

/// Sources and headers below the folders, by their paths in the repository.
QStringList filesOf(const QStringList& folders) {
    QStringList files;
    const QDir root(QStringLiteral(MEMPLAN_SOURCE_DIR));
    for (const QString& folder : folders) {
        QDirIterator it(root.filePath(folder), {"*.h", "*.cpp"}, QDir::Files, QDirIterator::Subdirectories);
        while (it.hasNext())
            files << root.relativeFilePath(it.next());
    }
    files.sort();
    return files;
}

/// Place in the order, -1 for what stands in no row.
int rowOf(const QString& path) {
    int best = -1;
    for (int row = 0; row < order().size(); ++row) {
        const QString& name = order()[row];
        const bool isIn = path.startsWith(name + '/') || path.startsWith(name + '.');
        if (isIn && (best < 0 || name.size() > order()[best].size())) best = row;
    }
    return best;
}

QString text(const Include& include) {
    return QString("%1:%2 includes %3").arg(include.file).arg(include.line).arg(include.path);
}

/// A header and its source are one thing.
QString unitOf(const QString& path) {
    return path.left(path.lastIndexOf('.'));
}

using Uses = QMap<QString, QSet<QString>>;

bool reaches(const Uses& uses, const QString& from, const QString& to) {
    QSet<QString> seen;
    QStringList next(uses.value(from).cbegin(), uses.value(from).cend());
    while (!next.isEmpty()) {
        const QString at = next.takeLast();
        if (at == to) return true;
        if (seen.contains(at)) continue;
        seen.insert(at);
        for (const QString& other : uses.value(at))
            next << other;
    }
    return false;
}

QString folderOf(const QString& path) {
    return path.left(path.lastIndexOf('/'));
}

/// The includes that lead from one whole, a unit or a folder, to another that leads back to the first.
QStringList includesInCircles(const QStringList& files, QString (*wholeOf)(const QString& path)) {
    Uses uses;
    QVector<Include> between;
    for (const QString& file : files) {
        for (const Include& include : ownIncludes(file)) {
            if (wholeOf(include.path) == wholeOf(file)) continue;
            uses[wholeOf(file)].insert(wholeOf(include.path));
            between.append(include);
        }
    }
    QSet<QString> circling;
    for (const QString& whole : uses.keys())
        if (reaches(uses, whole, whole)) circling.insert(whole);
    QStringList found;
    for (const Include& include : between) {
        const QString from = wholeOf(include.file);
        const QString to = wholeOf(include.path);
        if (circling.contains(from) && circling.contains(to) && reaches(uses, to, from)) found << text(include);
    }
    return found;
}

/// "file:line includes path" for each include that the predicate refuses.
QStringList offences(const QStringList& folders, bool (*isRefused)(const QString& file, const QString& path)) {
    QStringList list;
    for (const QString& file : filesOf(folders)) {
        for (Include include : includesOf(QString(MEMPLAN_SOURCE_DIR) + '/' + file)) {
            include.file = file;
            if (isRefused(file, include.path)) list << text(include);
        }
    }
    return list;
}

bool startsWithOneOf(const QString& path, const QStringList& starts) {
    return std::ranges::any_of(starts, [&path](const QString& start) { return path.startsWith(start); });
}

}  // namespace

class TestLayers : public QObject {
    Q_OBJECT

private slots:
    void scan_knowsQtHeaders() {
        for (const char* path : {"QString", "QtCore/QString", "qglobal.h"})
            QVERIFY2(isQt(path), path);
        for (const char* path : {"queue", "engine/base/text.h", "vector", "engine/spyre/program.h"})
            QVERIFY2(!isQt(path), path);
    }

    void scan_findsFilesAndIncludes() {
        QVERIFY(filesOf({"engine"}).contains("engine/base/text.h"));
        QVERIFY(!ownIncludes("engine/base/text.cpp").isEmpty());
        QVERIFY(rowOf("widgets/plan/models/x.h") > rowOf("widgets/plan/x.h"));
    }

    void everyFile_standsInARow() {
        QStringList lost;
        for (const QString& file : filesOf({"engine", "widgets", "app/gui", "app/batch"}))
            if (rowOf(file) < 0) lost << file;
        QVERIFY2(lost.isEmpty(), qPrintable(lost.join('\n')));
    }

    /// An include names its layer: nothing is found beside the file that includes it.
    void ownFiles_areIncludedFromTheRoot() {
        const QStringList found = offences({"engine", "widgets", "app"}, [](const QString& file, const QString& path) {
            const QString beside = QString(MEMPLAN_SOURCE_DIR) + '/' + file.left(file.lastIndexOf('/') + 1) + path;
            return path.startsWith("..") || (path.endsWith(".h") && QFile::exists(beside));
        });
        QVERIFY2(found.isEmpty(), qPrintable(found.join('\n')));
    }

    void includes_runDownTheTable() {
        QMap<QPair<QString, QString>, QStringList> up;
        for (const QString& file : filesOf({"engine", "widgets", "app"})) {
            const int row = rowOf(file);
            for (const Include& include : ownIncludes(file)) {
                const int wanted = rowOf(include.path);
                if (row >= 0 && wanted > row) up[{order()[row], order()[wanted]}] << text(include);
            }
        }
        QStringList found;
        for (const QStringList& of : std::as_const(up))
            found << of;
        QVERIFY2(found.isEmpty(), qPrintable(found.join('\n')));
    }

    void machines_doNotKnowEachOther() {
        QStringList found;
        for (const QString& machine : kMachines) {
            for (const QString& file : filesOf({machine})) {
                for (const Include& include : ownIncludes(file)) {
                    const bool isOther = startsWithOneOf(include.path, kMachines) && !include.path.startsWith(machine);
                    if (isOther) found << text(include);
                }
            }
        }
        QVERIFY2(found.isEmpty(), qPrintable(found.join('\n')));
    }

    void files_doNotIncludeEachOtherInACircle() {
        const QStringList circles = includesInCircles(filesOf({"engine", "widgets", "app"}), unitOf);
        QVERIFY2(circles.isEmpty(), qPrintable(circles.join('\n')));
    }

    /// A folder within a folder is one of its own: a parent has what its sub-folders share, or what uses them.
    void folders_doNotIncludeEachOtherInACircle() {
        const QStringList circles = includesInCircles(filesOf({"engine", "widgets", "app"}), folderOf);
        QVERIFY2(circles.isEmpty(), qPrintable(circles.join('\n')));
    }

    void engineAndGraphLayout_includeNoQt() {
        const QStringList found =
            offences({"engine", "widgets/graphlayout"}, [](const QString&, const QString& path) { return isQt(path); });
        QVERIFY2(found.isEmpty(), qPrintable(found.join('\n')));
    }

    /// Graphviz is linked by the helper alone (architecture 3.1).
    void graphviz_isIncludedByTheHelperAlone() {
        const QStringList found = offences({"engine", "widgets", "app"}, [](const QString& file, const QString& path) {
            return path.startsWith("graphviz/") && !file.startsWith("app/layout/");
        });
        QVERIFY2(found.isEmpty(), qPrintable(found.join('\n')));
    }

    /// What proves exported bundles must not share code with what writes or imports them.
    void artefactMachine_knowsBaseGraphAndSimulation() {
        const QStringList found = offences({"engine/verify/spyre/artefact"}, [](const QString&, const QString& path) {
            return path.startsWith("engine/") && !startsWithOneOf(path, {"engine/base/", "engine/graph/", "engine/sim/",
                                                                         "engine/verify/spyre/artefact/"});
        });
        QVERIFY2(found.isEmpty(), qPrintable(found.join('\n')));
    }

    /// The same for what runs exported transformers.
    void transformerMachine_knowsBaseAlone() {
        const QStringList found =
            offences({"engine/verify/torchwright/transformer"}, [](const QString&, const QString& path) {
                return path.startsWith("engine/") &&
                       !startsWithOneOf(path, {"engine/base/", "engine/verify/torchwright/transformer/"});
            });
        QVERIFY2(found.isEmpty(), qPrintable(found.join('\n')));
    }

    /// What proves a plan may not share code with what made it (proof-and-search A3).
    void simulation_seesGraphAndMachineAlone() {
        const QStringList found = offences({"engine/sim"}, [](const QString&, const QString& path) {
            return path.startsWith("engine/") &&
                   !startsWithOneOf(path, {"engine/sim/", "engine/base/", "engine/graph/", "engine/machine/"});
        });
        QVERIFY2(found.isEmpty(), qPrintable(found.join('\n')));
    }

    void validator_includesNoPlanner() {
        const QStringList found = offences({"engine/verify"}, [](const QString&, const QString& path) {
            if (path.startsWith("engine/spyre/machine/")) return false;  // the figures of a machine
            return startsWithOneOf(path, {"engine/spyre/", "engine/solve/", "engine/pipeline/"});
        });
        QVERIFY2(found.isEmpty(), qPrintable(found.join('\n')));
    }

    void jsonLibrary_onlyInSources() {
        const QStringList found = offences({"engine"}, [](const QString& file, const QString& path) {
            return path.startsWith("nlohmann/") && file.endsWith(".h");
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

MEMPLAN_TEST(TestLayers)
#include "tst_layers.moc"
