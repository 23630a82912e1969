// SPDX-License-Identifier: Apache-2.0
// Short words for tests of bundles and wrapper sources.
#pragma once

#include "engine/io/files/folder.h"
#include "engine/spyre/bundle/bundle.h"
#include "engine/spyre/import/bundle_import.h"
#include "tests/engine/bundle/bundle_fixture.h"

#include <QTemporaryDir>

#include <algorithm>
#include <string>
#include <vector>

namespace memplan::bundle {

inline BundleOptions options(StrideModel model, AddressMode mode = AddressMode::PerTensorConstants) {
    BundleOptions o;
    o.strideModel = model;
    o.addressMode = mode;
    return o;
}

inline BundleFiles filesOf(const SpecTree& tree, const BundleOptions& o) {
    Diagnostics notes;
    return bundleFiles(tree, o, notes).value();
}

inline std::vector<io::FolderFile> withNames(const BundleFiles& files) {
    std::vector<io::FolderFile> out = files.operations;
    out.emplace_back("bundle.mlir", files.mlir);
    return out;
}

inline std::string pathIn(const QTemporaryDir& dir, const char* name) {
    return dir.filePath(QString::fromLatin1(name)).toStdString();
}

inline ImportedProgram imported(const std::string& folder) {
    return io::importBundleFolder(folder, {}, {}).value();
}

inline bool hasCode(const std::vector<Diagnostic>& list, const std::string& code) {
    return std::any_of(list.begin(), list.end(), [&](const Diagnostic& d) { return d.code == code; });
}

inline std::string nested(const std::string& open, const std::string& middle, const std::string& close, int times) {
    std::string out;
    for (int i = 0; i < times; ++i)
        out += open;
    out += middle;
    for (int i = 0; i < times; ++i)
        out += close;
    return out;
}

/// Whatever it says, it says it with a code and a sentence.
template <class T> bool isCalm(const Result<T>& r) {
    return r.ok() || (!r.error().primary().code.empty() && !r.error().primary().message.empty());
}

}  // namespace memplan::bundle
