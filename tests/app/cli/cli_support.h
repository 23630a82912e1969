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

/// Status and messages, for the message of a comparison.
[[nodiscard]] QByteArray describe(const Finished& f);

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

/// A buffer list and an instance of three buffers each.
inline constexpr const char* kCsv = "id,lower,upper,size\na,0,2,100\nb,1,3,100\nc,2,4,100\n";
inline constexpr const char* kInstance =
    "{\"name\":\"two\",\"capacity\":256,\"alignment\":128,\"buffers\":["
    "{\"name\":\"a\",\"size\":128,\"start\":0,\"end\":2,\"in_place_parents\":[],\"uses\":"
    "[0,1],\"first_use_is_read\":false},"
    "{\"name\":\"b\",\"size\":128,\"start\":0,\"end\":2,\"in_place_parents\":[],\"uses\":"
    "[0,1],\"first_use_is_read\":false},"
    "{\"name\":\"c\",\"size\":128,\"start\":0,\"end\":2,\"in_place_parents\":[],\"uses\":"
    "[0,1],\"first_use_is_read\":false}]}\n";

/// max, sub, exp, sum, div over rows x columns as memplan-graph text.
[[nodiscard]] QByteArray softmaxGraph(int rows = 512, int columns = 1024);
/// `count` pointwise ops in a chain, each also reading the op before the last.
[[nodiscard]] QByteArray chainGraph(int count);
[[nodiscard]] QJsonObject parsed(const QByteArray& json);

}  // namespace cli_test
