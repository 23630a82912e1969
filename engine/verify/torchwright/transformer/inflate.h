// SPDX-License-Identifier: Apache-2.0
// Unpacks deflate streams (RFC 1951), all three kinds of blocks, piece by piece.
#pragma once

#include <functional>
#include <string_view>

namespace memplan::verify::transformer {

/// Gets pieces of the unpacked stream in order; false ends the work.
using PieceSink = std::function<bool(std::string_view piece)>;

/// What is wrong with the stream; empty when it ended well or the sink ended it.
[[nodiscard]] std::string_view inflateStream(std::string_view packed, const PieceSink& sink);

}  // namespace memplan::verify::transformer
