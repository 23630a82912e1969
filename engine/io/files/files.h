// SPDX-License-Identifier: Apache-2.0
// An open regular file that is known not to change while it is read.
#pragma once

#include "engine/base/result.h"

#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace memplan::io {

/// Bytes of a file for as long as this lives: in memory, or a read-only view of the file itself, whose pages the
/// system can take back at any time. A file that is cut off while it is mapped reads as zeros beyond its new end, and
/// `isBroken` says so; nothing crashes.
class FileBytes {
public:
    explicit FileBytes(std::string bytes) : own_(std::move(bytes)) {}
    /// nullopt when the file cannot be mapped.
    [[nodiscard]] static std::optional<FileBytes> map(int fd, std::size_t size);
    FileBytes(FileBytes&& o) noexcept;
    FileBytes(const FileBytes&) = delete;
    FileBytes& operator=(const FileBytes&) = delete;
    FileBytes& operator=(FileBytes&&) = delete;
    ~FileBytes();

    [[nodiscard]] std::string_view view() const { return data_ != nullptr ? std::string_view(data_, size_) : own_; }
    [[nodiscard]] bool isMapped() const { return data_ != nullptr; }
    [[nodiscard]] bool isBroken() const;
    /// Gives the pages of the first `count` bytes back; they are read again when accessed. Nothing for bytes in memory.
    void release(std::size_t count) const;

private:
    FileBytes() = default;
    std::string own_;
    const char* data_ = nullptr;
    std::size_t size_ = 0;
    int guard_ = -1;  ///< entry of the table that the signal handler looks at
};

class InputFile {
public:
    /// IN-904 for anything but a regular file that can be read.
    [[nodiscard]] static Result<InputFile> open(const std::string& path);
    InputFile(InputFile&& o) noexcept;
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;
    InputFile& operator=(InputFile&&) = delete;
    ~InputFile();

    [[nodiscard]] std::int64_t size() const { return state_.st_size; }
    /// The first `count` bytes, or all when there are fewer; IN-907 when the file is no longer as it
    /// was when opened.
    [[nodiscard]] Result<std::string> read(std::int64_t count);
    /// The whole file, mapped when it is large and its file system can be relied on, else read.
    [[nodiscard]] Result<FileBytes> all();
    /// IN-907 when the file is no longer as it was when opened.
    [[nodiscard]] Result<void> checkUnchanged(const FileBytes& bytes) const;

private:
    InputFile(std::string path, int fd, const struct stat& state) : path_(std::move(path)), fd_(fd), state_(state) {}
    [[nodiscard]] Error changed() const;

    std::string path_;
    int fd_ = -1;
    struct stat state_;
};

/// Writes whole or not at all: temporary name in the same folder, then rename. Error EXP-002 names
/// the path and the system's reason. "-" is standard output.
[[nodiscard]] Result<void> writeFileAtomically(const std::string& path, std::string_view bytes);
/// Bytes of a regular file up to `limit`; IN-904 for anything else, IN-907 when it changes meanwhile.
[[nodiscard]] Result<std::string> readFile(const std::string& path, std::int64_t limit, std::string_view limitCode);

}  // namespace memplan::io
