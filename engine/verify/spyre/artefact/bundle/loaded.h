// SPDX-License-Identifier: Apache-2.0
// The files of an exported bundle, read and made ready to run.
#pragma once

#include "engine/base/result.h"
#include "engine/verify/spyre/artefact/access/instance.h"
#include "engine/verify/spyre/artefact/files/program.h"
#include "engine/verify/spyre/artefact/files/wrapper_code.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace memplan::sim::artefact {

/// Path below the folder -> content: `output_code.py`, `KERNEL/bundle.mlir`, `KERNEL/sdsc_<n>.json`; or the files of
/// one kernel alone.
using BundleText = std::map<std::string, std::string>;

/// The wrapper source among them.
inline constexpr const char* kWrapperFile = "output_code.py";

struct LoadedFile {
    Descriptor descriptor;
    ReadyOp ready;
};

struct LoadedKernel {
    std::string name;
    Program program;
    std::map<std::string, std::shared_ptr<const LoadedFile>> files;  ///< by the name of the execute lines
    bool hasSymbols = false;                                         ///< some execute line passes addresses
};

struct LoadedBundle {
    WrapperCode wrapper;  ///< one call without names where there is no wrapper source
    bool hasWrapper = false;
    std::map<std::string, std::shared_ptr<const LoadedKernel>> kernels;
    /// Every main-memory tensor has one symbol for all cores: the cores' offsets follow from their slices.
    bool isPerTensor = false;
};

/// Errors: VER-020 for files that are missing, unreadable or contradict themselves.
[[nodiscard]] Result<LoadedBundle> loadBundle(const BundleText& text);
/// The same, taking over what `base` has of all files but `changed`, whose content differs.
[[nodiscard]] Result<LoadedBundle> reloadBundle(const LoadedBundle& base, const BundleText& text,
                                                const std::string& changed);

/// Constants of a file but that of its mask, as numbers.
[[nodiscard]] std::vector<std::pair<std::string, double>> constantsOf(const Descriptor& d);
/// Constants of a file as attributes of its function: "name=value;..", sorted; empty = none.
[[nodiscard]] std::string constantsText(const Descriptor& d);

}  // namespace memplan::sim::artefact
