// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/mlir/library.h"

#include "engine/base/text.h"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <vector>

namespace memplan::ttnn::ir {

namespace {

constexpr const char* kFile = "memplan-mlir.so";

#ifdef MEMPLAN_HAS_MLIR
/// Where the shared object may be: beside the program, or where installing puts it.
std::vector<std::string> candidates() {
    namespace fs = std::filesystem;
    std::error_code ignored;
    const fs::path folder = fs::read_symlink("/proc/self/exe", ignored).parent_path();
    std::vector<std::string> paths;
    for (const fs::path& path : {folder / kFile, folder / ".." / "lib" / "memplan-studio" / kFile}) {
        if (!folder.empty() && fs::exists(path, ignored)) paths.push_back(path.string());
    }
    paths.emplace_back(kFile);
    return paths;
}

Error notLoaded(const std::string& why) {
    return makeError("IN-012", {}, "the MLIR library cannot be loaded: " + text::escaped(why),
                     std::string("install libmlir-") + MEMPLAN_MLIR_VERSION + ", and keep " + kFile +
                         " beside the program");
}

/// POSIX gives functions as `void*`.
template <class F> F functionAt(void* object, const char* name) {
    return reinterpret_cast<F>(dlsym(object, name));
}

Result<Library> load() {
    void* object = nullptr;
    std::string why;
    for (const std::string& path : candidates()) {
        object = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
        if (object != nullptr) break;
        if (why.empty()) why = dlerror();
    }
    if (object == nullptr) return notLoaded(why);
    const auto interface = functionAt<Interface>(object, kInterfaceName);
    if (interface == nullptr || interface() != kInterface)
        return notLoaded(std::string(kFile) + " is of another build");
    const Library library{functionAt<Parse>(object, kParseName), functionAt<Print>(object, kPrintName)};
    if (library.parse == nullptr || library.print == nullptr) return notLoaded(std::string(kFile) + " is damaged");
    return library;
}
#else
Result<Library> load() {
    return makeError("IN-012", {}, "MLIR text is not read: this program was built without LLVM's MLIR library",
                     "install libmlir-22-dev (or another version from 19 on) and build again");
}
#endif

}  // namespace

bool isBuiltWithMlir() {
#ifdef MEMPLAN_HAS_MLIR
    return true;
#else
    return false;
#endif
}

int mlirVersion() {
#ifdef MEMPLAN_HAS_MLIR
    return std::atoi(MEMPLAN_MLIR_VERSION);
#else
    return 0;
#endif
}

Result<Library> loadLibrary() {
    // It stays loaded: the library has static state that does not survive being unloaded.
    static const Result<Library> kLibrary = load();
    return kLibrary;
}

}  // namespace memplan::ttnn::ir
