// SPDX-License-Identifier: Apache-2.0
// An open regular file that is known not to change while it is read.
#pragma once

#include "base/result.h"

#include <sys/stat.h>

#include <cstdint>
#include <string>

namespace memplan::io {

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

private:
    InputFile(std::string path, int fd, const struct stat& state) : path_(std::move(path)), fd_(fd), state_(state) {}
    [[nodiscard]] Error changed() const;

    std::string path_;
    int fd_ = -1;
    struct stat state_;
};

}  // namespace memplan::io
