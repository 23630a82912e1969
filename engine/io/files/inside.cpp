// SPDX-License-Identifier: Apache-2.0
#include "engine/io/files/inside.h"

#include "engine/base/text.h"
#include "engine/io/files/files.h"

#include <algorithm>
#include <system_error>

namespace memplan::io {

namespace fs = std::filesystem;

Result<void> checkInside(const fs::path& root, const fs::path& path) {
    std::error_code missing;
    const fs::path real = fs::canonical(path, missing);
    if (missing) return {};  // reading it says so
    const fs::path folder = fs::canonical(root.empty() ? fs::path(".") : root, missing);
    const auto [differs, behind] = std::mismatch(folder.begin(), folder.end(), real.begin(), real.end());
    if (!missing && differs == folder.end()) return {};
    const fs::path below = path.lexically_relative(root);
    const std::string name = (below.empty() ? path.filename() : below).generic_string();
    return makeError("BND-003", text::escaped(name),
                     "the symbolic link " + text::quoted(name) + " leads out of the folder, to " +
                         text::quoted(real.string()),
                     "put the file itself into the folder");
}

Result<std::string> readInside(const fs::path& root, const std::string& name, std::int64_t limit,
                               std::string_view limitCode) {
    const fs::path path = root / name;
    if (auto inside = checkInside(root, path); !inside) return inside.error();
    return readFile(path.string(), limit, limitCode);
}

}  // namespace memplan::io
