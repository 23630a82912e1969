// SPDX-License-Identifier: Apache-2.0
// Runs the built `memplan` and makes small inputs for it.
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

namespace cli_test {

struct Finished {
    int status = -1;  ///< -1: crashed or did not end in time
    QByteArray out, err;

    [[nodiscard]] QList<QByteArray> errLines() const;
};

[[nodiscard]] Finished runMemplan(const QStringList& args);

/// Empty where the file cannot be read.
[[nodiscard]] QByteArray fileText(const QString& path);

/// A folder for one test with writers of small files; paths are absolute.
class Folder {
public:
    [[nodiscard]] QString path(const QString& name) const { return dir_.filePath(name); }
    QString write(const QString& name, const QByteArray& bytes) const;
    [[nodiscard]] QByteArray read(const QString& name) const;
    [[nodiscard]] bool has(const QString& name) const;
    [[nodiscard]] QStringList entries() const;

private:
    QTemporaryDir dir_;
};

/// max, sub, exp, sum, div over rows x columns as memplan-graph text.
[[nodiscard]] QByteArray softmaxGraph(int rows = 512, int columns = 1024);
/// `count` pointwise ops in a chain, each also reading the op before the last.
[[nodiscard]] QByteArray chainGraph(int count);
[[nodiscard]] QJsonObject parsed(const QByteArray& json);

}  // namespace cli_test
