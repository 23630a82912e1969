// SPDX-License-Identifier: Apache-2.0
// Wrapper source: the text form of OpSpec trees (spyre-coarse-tiling-and-bundle 9).
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/base/result.h"
#include "engine/plan/op_spec/op_spec.h"
#include "engine/spyre/bundle/host_call.h"
#include "engine/spyre/bundle/returned.h"

#include <string>
#include <string_view>
#include <vector>

namespace memplan::bundle {

struct ListingOptions {
    bool seedListing = false;  ///< setting spyre.seed_listing: without stride_map, per_tile_fixed, level symbols (15)
};

/// The list of one kernel, from "[" to "]" and a final newline (9.1).
[[nodiscard]] std::string specListText(const SpecTree& specs, const ListingOptions& options = {});
/// "sdsc_x = async_compile.sdsc('sdsc_x',\n    [ ... ]\n)\n".
[[nodiscard]] std::string kernelText(const Kernel& kernel, const ListingOptions& options = {});

/// What a wrapper file holds: kernels in the order of their assignments, calls in running order.
struct WrapperFile {
    struct Call {
        std::string kernel;
        std::vector<std::string> arguments;  ///< without a leading _pool
        bool hasPool = false;
        friend bool operator==(const Call&, const Call&) = default;
    };
    bool hasCall = true;          ///< there is a def call(args): what it does not unpack the caller does not pass
    std::vector<Kernel> kernels;  ///< arguments filled from the first call of each
    std::vector<Call> calls;
    std::vector<HostCall> hostCalls;  ///< in running order; `position` counts the calls
    std::vector<std::string> inputs;  ///< of call(args)
    std::vector<Returned> outputs;    ///< of its return, in order
    friend bool operator==(const WrapperFile&, const WrapperFile&) = default;
};

/// The whole output_code.py that an export writes (12.1).
[[nodiscard]] std::string wrapperText(const WrapperFile& file, const ListingOptions& options = {});

/// Reads every kernel of a wrapper source; nothing is executed. Findings that do not prevent reading are
/// added to `notes`. A source of the host part alone, `def call(args):`, has no kernels. Errors: BND-101, BND-102
/// syntax with line:column or neither kernels nor a host part, BND-105 a field of the wrong kind.
[[nodiscard]] Result<WrapperFile> readWrapper(std::string_view text, Diagnostics& notes);
/// One list alone, as specListText writes it.
[[nodiscard]] Result<SpecTree> readSpecList(std::string_view text, Diagnostics& notes);

}  // namespace memplan::bundle
