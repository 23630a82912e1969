// SPDX-License-Identifier: Apache-2.0
// Reading regular files and writing them whole or not at all (inputs-and-interchange 7).
#include "engine/io/files/files.h"

#include "engine/base/text.h"

#include <sys/stat.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <system_error>
#include <unistd.h>

namespace memplan::io {

namespace {

std::string systemReason(int error) {
    return std::generic_category().message(error);
}

Error cannotRead(const std::string& path, std::string why, std::string fix) {
    return makeError("IN-904", {}, text::quoted(path) + " " + std::move(why), std::move(fix));
}

std::string fixFor(int error) {
    switch (error) {
    case ENOENT:
    case ENOTDIR:
        return "check the name and the folder";
    case EACCES:
    case EPERM:
        return "allow reading it";
    default:
        return "choose another file";
    }
}

constexpr off_t kMapFrom = off_t{8} << 20;  // smaller files are quicker to read than to map

/// False for file systems whose files can vanish under a mapping: network and user-space ones.
bool isReliable(int fd) {
    struct statfs s {};
    if (::fstatfs(fd, &s) != 0) return false;
    constexpr std::array<std::uint32_t, 7> kUnreliable{0x6969U,       // NFS
                                                       0x517BU,       // SMB
                                                       0xFE534D42U,   // SMB2
                                                       0xFF534D42U,   // CIFS
                                                       0x65735546U,   // FUSE
                                                       0x01021997U,   // 9P
                                                       0x5346414FU};  // AFS
    const auto type = static_cast<std::uint32_t>(s.f_type);
    return std::find(kUnreliable.begin(), kUnreliable.end(), type) == kUnreliable.end();
}

bool sameState(const struct stat& a, const struct stat& b) {
    return a.st_size == b.st_size && a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

Error cannotWrite(const std::string& path, int error) {
    std::string fix = "choose another folder";
    if (error == ENOSPC || error == EDQUOT) fix = "free some space";
    if (error == EACCES || error == EPERM || error == EROFS) fix = "choose a folder that may be written to";
    if (error == ENOENT) fix = "create the folder first";
    if (error == EISDIR) fix = "name a file in it";
    return makeError("EXP-002", {}, "cannot write " + text::quoted(path) + ": " + systemReason(error), fix);
}

/// 0, or the system's error.
int writeAll(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t n = ::write(fd, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return errno;
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return 0;
}

/// Devices and pipes are written in place: there is nothing to replace.
Result<void> writeInPlace(const std::string& path, std::string_view bytes) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) return cannotWrite(path, errno);
    const int failed = writeAll(fd, bytes);
    ::close(fd);
    if (failed != 0) return cannotWrite(path, failed);
    return {};
}

Result<void> replaceFile(const std::string& path, std::string_view bytes, mode_t mode) {
    std::string temporary = path + ".XXXXXX";
    const int fd = ::mkstemp(temporary.data());
    if (fd < 0) return cannotWrite(path, errno);
    int failed = writeAll(fd, bytes);
    if (failed == 0 && ::fchmod(fd, mode) != 0) failed = errno;
    if (::close(fd) != 0 && failed == 0) failed = errno;
    if (failed == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) failed = errno;
    if (failed == 0) return {};
    ::unlink(temporary.c_str());
    return cannotWrite(path, failed);
}

Result<void> writeStandardOutput(std::string_view bytes) {
    const bool well = std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size() && std::fflush(stdout) == 0;
    if (well) return {};
    return cannotWrite("standard output", errno);
}

}  // namespace

Result<InputFile> InputFile::open(const std::string& path) {
    struct stat s {};
    if (::stat(path.c_str(), &s) != 0) {
        const int error = errno;
        return cannotRead(path, "cannot be opened: " + systemReason(error), fixFor(error));
    }
    if (S_ISDIR(s.st_mode)) return cannotRead(path, "is a folder", "choose a file in it");
    if (!S_ISREG(s.st_mode))
        return cannotRead(path, "is no regular file but a device or pipe", "copy it to a file first");
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        const int error = errno;
        return cannotRead(path, "cannot be opened: " + systemReason(error), fixFor(error));
    }
    if (::fstat(fd, &s) != 0 || !S_ISREG(s.st_mode)) {
        ::close(fd);
        return cannotRead(path, "is no regular file", "choose another file");
    }
    return InputFile(path, fd, s);
}

InputFile::InputFile(InputFile&& o) noexcept : path_(std::move(o.path_)), fd_(o.fd_), state_(o.state_) {
    o.fd_ = -1;
}

InputFile::~InputFile() {
    if (fd_ >= 0) ::close(fd_);
}

Result<std::string> InputFile::read(std::int64_t count) {
    std::string bytes(static_cast<std::size_t>(std::min<std::int64_t>(count, state_.st_size)), '\0');
    std::size_t have = 0;
    while (have < bytes.size()) {
        const ssize_t n = ::pread(fd_, bytes.data() + have, bytes.size() - have, static_cast<off_t>(have));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return cannotRead(path_, "cannot be read: " + systemReason(errno), "choose another file");
        if (n == 0) return changed();
        have += static_cast<std::size_t>(n);
    }
    struct stat now {};
    if (::fstat(fd_, &now) != 0 || !sameState(now, state_)) return changed();
    return bytes;
}

Result<FileBytes> InputFile::all() {
    if (state_.st_size >= kMapFrom && isReliable(fd_)) {
        if (auto mapped = FileBytes::map(fd_, static_cast<std::size_t>(state_.st_size))) return std::move(*mapped);
    }
    auto bytes = read(state_.st_size);
    if (!bytes) return std::move(bytes).error();
    return FileBytes(std::move(bytes).value());
}

Result<void> InputFile::checkUnchanged(const FileBytes& bytes) const {
    struct stat now {};
    if (bytes.isBroken() || ::fstat(fd_, &now) != 0 || !sameState(now, state_)) return changed();
    return {};
}

Error InputFile::changed() const {
    return makeError("IN-907", {}, text::quoted(path_) + " changed while it was read",
                     "wait until the other program has written it, then open it again");
}

Result<std::string> readFile(const std::string& path, std::int64_t limit, std::string_view limitCode) {
    auto file = InputFile::open(path);
    if (!file) return std::move(file).error();
    const std::int64_t size = file.value().size();
    if (size > limit) {
        return makeError(std::string(limitCode), {},
                         text::quoted(path) + " has " + text::grouped(size) + " bytes, the limit is " +
                             text::grouped(limit),
                         "raise the limits.* setting of this format");
    }
    return file.value().read(size);
}

Result<void> writeFileAtomically(const std::string& path, std::string_view bytes) {
    if (path == "-") return writeStandardOutput(bytes);
    constexpr mode_t kUsualMode = 0644;
    struct stat s {};
    if (::stat(path.c_str(), &s) != 0) {
        if (errno != ENOENT) return cannotWrite(path, errno);
        return replaceFile(path, bytes, kUsualMode);
    }
    if (S_ISDIR(s.st_mode)) return cannotWrite(path, EISDIR);
    if (!S_ISREG(s.st_mode)) return writeInPlace(path, bytes);
    // A link stays a link: its target is replaced.
    std::error_code failed;
    const auto target = std::filesystem::canonical(path, failed);
    return replaceFile(failed ? path : target.string(), bytes, s.st_mode & 07777);
}

}  // namespace memplan::io
