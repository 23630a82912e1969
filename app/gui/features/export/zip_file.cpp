// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/features/export/zip_file.h"

#ifdef MEMPLAN_HAS_ZIP
#include <memory>
#include <zip.h>
#endif

namespace memplan::app {

#ifndef MEMPLAN_HAS_ZIP

bool canWriteZip() {
    return false;
}

Result<QByteArray> zipOf(const std::vector<io::FolderFile>&) {
    return makeError("EXP-002", "", "this program was built without libzip", "export the folder instead");
}

#else

namespace {

/// The first day that the format knows, at midnight: dates of the run have no place in an export (UX 17.4).
constexpr zip_uint16_t kDosDate = (0 << 9) | (1 << 5) | 1;
constexpr zip_uint16_t kDosTime = 0;

struct SourceFree {
    void operator()(zip_source_t* source) const { zip_source_free(source); }
};
using SourcePtr = std::unique_ptr<zip_source_t, SourceFree>;

Error zipError(const std::string& what) {
    return makeError("EXP-002", "", "the archive could not be made: " + what, "export the folder instead");
}

Result<void> addFile(zip_t* archive, const io::FolderFile& file) {
    zip_source_t* content = zip_source_buffer(archive, file.second.data(), file.second.size(), 0);
    if (content == nullptr) return zipError(zip_strerror(archive));
    const zip_int64_t at = zip_file_add(archive, file.first.c_str(), content, ZIP_FL_ENC_UTF_8);
    if (at < 0) {
        zip_source_free(content);
        return zipError(zip_strerror(archive));
    }
    const auto index = static_cast<zip_uint64_t>(at);
    if (zip_file_set_dostime(archive, index, kDosTime, kDosDate, 0) != 0 ||
        zip_set_file_compression(archive, index, ZIP_CM_DEFLATE, 6) != 0)
        return zipError(zip_strerror(archive));
    return {};
}

/// What the closed archive left in its memory.
Result<QByteArray> contentOf(zip_source_t* memory) {
    zip_stat_t stat;
    if (zip_source_stat(memory, &stat) != 0 || (stat.valid & ZIP_STAT_SIZE) == 0) return zipError("no size");
    QByteArray bytes(static_cast<qsizetype>(stat.size), Qt::Uninitialized);
    if (zip_source_open(memory) != 0) return zipError("it cannot be read back");
    const zip_int64_t read = zip_source_read(memory, bytes.data(), stat.size);
    zip_source_close(memory);
    if (read != static_cast<zip_int64_t>(stat.size)) return zipError("it cannot be read back");
    return bytes;
}

}  // namespace

bool canWriteZip() {
    return true;
}

Result<QByteArray> zipOf(const std::vector<io::FolderFile>& files) {
    zip_error_t error;
    zip_error_init(&error);
    const SourcePtr memory(zip_source_buffer_create(nullptr, 0, 0, &error));
    if (!memory) return zipError(zip_error_strerror(&error));
    zip_t* archive = zip_open_from_source(memory.get(), ZIP_TRUNCATE, &error);
    if (archive == nullptr) return zipError(zip_error_strerror(&error));
    zip_source_keep(memory.get());  // the archive frees its own share
    for (const io::FolderFile& file : files) {
        if (auto added = addFile(archive, file); !added) {
            zip_discard(archive);
            return added.error();
        }
    }
    if (zip_close(archive) != 0) {
        const std::string what = zip_strerror(archive);
        zip_discard(archive);
        return zipError(what);
    }
    return contentOf(memory.get());
}

#endif

}  // namespace memplan::app
