// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/cli_support.h"

#include "engine/graph/builder.h"
#include "engine/io/graph/graph_json.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QProcess>

namespace cli_test {

using namespace memplan;

QList<QByteArray> Finished::errLines() const {
    QList<QByteArray> lines = err.split('\n');
    if (!lines.isEmpty() && lines.last().isEmpty()) lines.removeLast();
    return lines;
}

QByteArray describe(const Finished& f) {
    return "status " + QByteArray::number(f.status) + "\n" + f.err;
}

Finished runMemplan(const QStringList& args) {
    QProcess process;
    process.start(MEMPLAN_PROGRAM, args);
    if (!process.waitForFinished(120'000)) return {};
    const int status = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    return {status, process.readAllStandardOutput(), process.readAllStandardError()};
}

QByteArray fileText(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QString Folder::write(const QString& name, const QByteArray& bytes) const {
    QFile file(path(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("the test folder is not writable");
    return path(name);
}

QByteArray Folder::read(const QString& name) const {
    return fileText(path(name));
}

bool Folder::has(const QString& name) const {
    return QFile::exists(path(name));
}

QStringList Folder::entries() const {
    return QDir(dir_.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot, QDir::Name);
}

QByteArray softmaxGraph(int rows, int columns) {
    GraphBuilder b("softmax");
    const TensorId x = b.input("x", {rows, columns});
    const TensorId max = b.reduction("max", "max", x, {1});
    const TensorId sub = b.pointwise("sub", "sub", {x, max});
    const TensorId exp = b.pointwise("exp", "exp", {sub});
    const TensorId sum = b.reduction("sum", "sum", exp, {1});
    b.output(b.pointwise("y", "div", {exp, sum}));
    return QByteArray::fromStdString(io::writeGraphJson(b.build()));
}

QByteArray chainGraph(int count) {
    GraphBuilder b("chain");
    TensorId before = b.input("x", {512, 1024});
    TensorId last = b.pointwise("op0", "exp", {before});
    for (int i = 1; i < count; ++i) {
        const TensorId next = b.pointwise("op" + std::to_string(i), "add", {before, last});
        before = last;
        last = next;
    }
    b.output(last);
    return QByteArray::fromStdString(io::writeGraphJson(b.build()));
}

QJsonObject parsed(const QByteArray& json) {
    return QJsonDocument::fromJson(json).object();
}

}  // namespace cli_test
