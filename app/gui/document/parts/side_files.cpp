// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/document/parts/side_files.h"

#include "engine/io/input.h"

#include <QFileInfo>

#include <algorithm>
#include <fstream>

namespace memplan::app {

bool isSideFile(const QString& path) {
    constexpr std::streamsize kHead = std::streamsize{1} << 20;
    if (!QFileInfo(path).isFile()) return false;
    std::ifstream file(path.toStdString(), std::ios::binary);
    std::string head(static_cast<std::size_t>(kHead), '\0');
    file.read(head.data(), kHead);
    head.resize(static_cast<std::size_t>(file.gcount()));
    const io::FormatInfo& format = io::recognise(head);
    return format.own != nullptr && format.own->isRecords;
}

Result<SideFile> readSideFile(const QString& path, const io::Limits& limits, const RunControl& control) {
    io::OpenOptions options;
    options.limits = limits;
    const QString absolute = QFileInfo(path).absoluteFilePath();
    auto opened = io::openInput(absolute.toStdString(), options, control);
    if (!opened) return std::move(opened).error();
    if (opened.value().side.empty()) {
        return makeError("BND-108", opened.value().input.name,
                         "these are no compiler records but: " +
                             std::string(io::formatInfo(opened.value().input.format).title),
                         "a provenance sidecar, a pass log or a cost dump is expected");
    }
    return SideFile{absolute, opened.value().input.sha256, std::move(opened.value().side)};
}

std::vector<SideDocument> sideDocuments(const SideFiles& files) {
    std::vector<SideDocument> documents;
    for (const SideFile& file : files)
        documents.insert(documents.end(), file.documents.begin(), file.documents.end());
    return documents;
}

SideFiles withSideFile(SideFiles files, SideFile file) {
    const auto same = std::find_if(files.begin(), files.end(), [&](const SideFile& f) { return f.path == file.path; });
    if (same == files.end()) {
        files.push_back(std::move(file));
    } else {
        *same = std::move(file);
    }
    return files;
}

}  // namespace memplan::app
