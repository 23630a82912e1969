// SPDX-License-Identifier: Apache-2.0
// What `output_code.py` says about the run of a bundle: the order of the kernels, the names of their arguments and how
// tensors lie in memory (spyre-coarse-tiling-and-bundle 9). What the kernels do is read from their own files.
#pragma once

#include "engine/base/result.h"
#include "engine/verify/spyre/artefact/files/op_entry.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::sim::artefact {

/// A layout of a tensor argument (spyre-layouts-and-work-division 2.2); empty sizes = not known.
struct DeviceLayout {
    std::vector<std::int64_t> size, strideMap;

    [[nodiscard]] std::int64_t elements() const;
    /// Of one element; 0 = not known.
    [[nodiscard]] std::int64_t wordLength() const;
    friend bool operator==(const DeviceLayout&, const DeviceLayout&) = default;
};

struct KernelCode {
    std::string name;
    std::int64_t poolBytes = 0;
    std::map<std::int64_t, DeviceLayout> arguments;  ///< by arg_index: the largest layout that is named
    std::vector<std::string> unimplemented;          ///< entries without a descriptor
    std::vector<OpEntry> entries;                    ///< the others, in running order
    friend bool operator==(const KernelCode&, const KernelCode&) = default;
};

struct KernelCall {
    std::string kernel;
    std::vector<std::string> arguments;
    bool hasPool = false;
    friend bool operator==(const KernelCall&, const KernelCall&) = default;
};

/// Elements of a tensor, reinterpret_tensor(NAME, SHAPE, STRIDES, OFFSET), in host elements.
struct ReturnedView {
    std::vector<std::int64_t> shape, strides;
    std::int64_t offset = 0;
    friend bool operator==(const ReturnedView&, const ReturnedView&) = default;
};

/// One number at all elements of a view.
struct HostFill {
    std::string tensor;
    ReturnedView at;
    double number = 0;
    friend bool operator==(const HostFill&, const HostFill&) = default;
};

/// An operation that the host runs between the kernels:
/// # fallback kernel 'NAME': READ, .. -> WRITTEN, ..[; fills VIEW with NUMBER]
struct HostCall {
    std::string op;
    std::vector<std::string> read, written;
    std::size_t position = 0;  ///< calls of kernels before it
    std::optional<HostFill> fill;
    friend bool operator==(const HostCall&, const HostCall&) = default;
};

struct WrapperCode {
    std::map<std::string, KernelCode> kernels;
    std::vector<KernelCall> calls;
    std::vector<HostCall> hostCalls;  ///< in running order
    std::vector<std::string> inputs, outputs;
    std::vector<std::optional<ReturnedView>> outputViews;  ///< parallel to outputs; none = the whole tensor
    /// What they say, on whatever lines.
    friend bool operator==(const WrapperCode&, const WrapperCode&) = default;
};

/// Errors: VER-020 with line and column.
[[nodiscard]] Result<WrapperCode> readWrapper(std::string_view text, const std::string& where);

}  // namespace memplan::sim::artefact
