// SPDX-License-Identifier: Apache-2.0
// An exported transformer as its files have it (torchwright.md 16), read by code of its own: it shares nothing with
// what wrote them.
#pragma once

#include "engine/verify/torchwright/transformer/model.h"

#include <functional>

namespace memplan::verify::transformer {

/// Bytes of a file of the bundle by its name; nullopt where there is none.
using FileSource = std::function<std::optional<std::string>(const std::string& name)>;

/// Errors, each with its file: TW-030 a file is missing, TW-031 the manifest contradicts itself or is not readable,
/// TW-032 an archive is damaged, TW-033 an array is missing or does not fit.
[[nodiscard]] Result<Bundle> readBundle(const FileSource& files);

}  // namespace memplan::verify::transformer
