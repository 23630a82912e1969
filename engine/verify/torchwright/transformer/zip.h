// SPDX-License-Identifier: Apache-2.0
// The members of a zip archive: stored or deflated, below 4 GiB, not encrypted.
#pragma once

#include "engine/base/result.h"
#include "engine/verify/torchwright/transformer/inflate.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::verify::transformer {

struct ZipMember {
    std::string name;
    bool isDeflated = false;
    std::uint32_t crc = 0, size = 0;  ///< of what it unpacks to
    std::string_view packed;          ///< within the archive
};

/// TW-032 with `where` as its place for an archive that is cut off, overlaps itself or uses something else.
[[nodiscard]] Result<std::vector<ZipMember>> readZip(std::string_view archive, const std::string& where);
/// Unpacks; TW-032 for data that are damaged or have another size or checksum than the archive says.
[[nodiscard]] Result<void> unpack(const ZipMember& member, const std::string& where, const PieceSink& sink);

}  // namespace memplan::verify::transformer
