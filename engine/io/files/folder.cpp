// SPDX-License-Identifier: Apache-2.0
#include "engine/io/files/folder.h"

#include "engine/base/text.h"
#include "engine/io/files/files.h"

#include <filesystem>
#include <set>
#include <unistd.h>

namespace memplan::io {

namespace {

namespace fs = std::filesystem;

Error cannotWrite(const fs::path& path, const std::string& why) {
    return makeError("EXP-002", text::escaped(path.string()), "cannot write: " + why,
                     "choose another folder or make room");
}

bool isSafe(const std::string& path) {
    if (path.empty() || path.front() == '/' || path.find('\\') != std::string::npos) return false;
    for (const std::string& part : text::split(path, '/')) {
        if (part.empty() || part == "." || part == "..") return false;
    }
    return true;
}

/// Removes what was made unless it is kept.
class Staging {
public:
    explicit Staging(fs::path path) : path_(std::move(path)) {}
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;
    ~Staging() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    [[nodiscard]] const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

Result<void> makeFiles(const fs::path& root, const std::vector<FolderFile>& files) {
    std::error_code error;
    for (const auto& [name, bytes] : files) {
        const fs::path path = root / name;
        fs::create_directories(path.parent_path(), error);
        if (error) return cannotWrite(path, error.message());
        if (auto written = writeFileAtomically(path.string(), bytes); !written) return written;
    }
    return {};
}

/// Moves the entries of `from` into `to`; what they replace waits in `aside` and comes back on failure.
Result<void> moveIn(const fs::path& from, const fs::path& to, const fs::path& aside) {
    std::error_code error;
    fs::create_directories(to, error);
    fs::create_directories(aside, error);
    if (error) return cannotWrite(to, error.message());
    std::set<fs::path> entries;
    for (const auto& entry : fs::directory_iterator(from, error))
        entries.insert(entry.path().filename());
    std::vector<fs::path> moved;
    std::vector<fs::path> saved;
    const auto restore = [&] {
        std::error_code ignored;
        for (const fs::path& name : moved)
            fs::remove_all(to / name, ignored);
        for (const fs::path& name : saved)
            fs::rename(aside / name, to / name, ignored);
    };
    for (const fs::path& name : entries) {
        if (fs::exists(fs::symlink_status(to / name, error))) {
            fs::rename(to / name, aside / name, error);
            if (error) return restore(), cannotWrite(to / name, error.message());
            saved.push_back(name);
        }
        fs::rename(from / name, to / name, error);
        if (error) return restore(), cannotWrite(to / name, error.message());
        moved.push_back(name);
    }
    return {};
}

}  // namespace

Result<void> checkExportFolder(const std::string& folder, bool force) {
    std::error_code error;
    const fs::file_status status = fs::status(folder, error);
    if (!fs::exists(status)) return {};
    if (!fs::is_directory(status)) return cannotWrite(folder, "it is no folder");
    const bool empty = fs::is_empty(folder, error);
    if (error) return cannotWrite(folder, error.message());
    if (empty || force) return {};
    return makeError("EXP-005", text::escaped(folder), "the folder is not empty",
                     "choose another folder, or --force to replace entries of the same name");
}

Result<void> writeFolder(const std::string& folder, const std::vector<FolderFile>& files, bool force) {
    for (const auto& [name, bytes] : files) {
        if (!isSafe(name)) {
            return makeError("BND-003", text::escaped(name), "the path leaves the folder", "rename the kernel");
        }
    }
    if (auto ok = checkExportFolder(folder, force); !ok) return ok;
    fs::path target = fs::path(folder).lexically_normal();
    if (!target.has_filename()) target = target.parent_path();
    if (target.empty() || target == ".") target = fs::current_path() / ".";
    const std::string suffix = std::to_string(::getpid());
    const fs::path beside = target.filename() == "." ? target.parent_path() : fs::path(target);
    const Staging staging(beside.string() + ".new-" + suffix);
    const Staging aside(beside.string() + ".old-" + suffix);
    std::error_code error;
    fs::create_directories(staging.path(), error);
    if (error) return cannotWrite(target, error.message());
    if (auto made = makeFiles(staging.path(), files); !made) return made;
    return moveIn(staging.path(), target, aside.path());
}

}  // namespace memplan::io
