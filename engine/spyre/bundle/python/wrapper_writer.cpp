// SPDX-License-Identifier: Apache-2.0
#include "engine/base/text.h"
#include "engine/spyre/bundle/python/wrapper.h"

namespace memplan::bundle {

namespace {

std::string sympify(const std::string& expression) {
    return "sympify(" + pyString(expression) + ")";
}

template <class List, class Text> std::string listed(const List& list, Text&& text) {
    std::string out = "[";
    for (std::size_t i = 0; i < list.size(); ++i)
        out += (i > 0 ? ", " : "") + text(list[i]);
    return out + "]";
}

std::string integers(const std::vector<std::int64_t>& values) {
    return listed(values, [](std::int64_t v) { return std::to_string(v); });
}

std::string symbols(const std::vector<std::string>& names) {
    return listed(names, [](const std::string& s) { return sympify(s); });
}

class Writer {
public:
    explicit Writer(const ListingOptions& options) : options_(options) {}

    std::string list(const SpecTree& specs) {
        out_ = "[\n";
        entries(specs, 1);
        return out_ + "]\n";
    }

private:
    void line(int level, const std::string& text) {
        out_.append(static_cast<std::size_t>(level) * 4, ' ').append(text).push_back('\n');
    }

    void entries(const SpecTree& specs, int level) {
        for (std::size_t i = 0; i < specs.size(); ++i)
            entry(specs[i], level, i + 1 == specs.size());
    }

    void entry(const SpecNode& node, int level, bool isLast) {
        switch (node.kind) {
        case SpecKind::Op:
            return op(node.op, level);
        case SpecKind::Loop:
            return loop(node, level);
        case SpecKind::Unimplemented:  // without a comma, as the original has it, where that is legal
            return line(level, "UnimplementedOp(op=" + pyString(node.name) + ")" + (isLast ? "" : ","));
        case SpecKind::Opaque:
            return line(level, pyText(node.call) + ",");
        }
    }

    void extras(const Extra& extra, int level) {
        for (const auto& [key, value] : extra)
            line(level, key + "=" + pyText(value) + ",");
    }

    void loop(const SpecNode& node, int level) {
        line(level, "LoopSpec(");
        line(level + 1, "count=" + sympify(node.count.text()) + ",");
        line(level + 1, "body=[");
        entries(node.body, level + 2);
        line(level + 1, "],");
        const bool tiled = node.tiledSymbols && !node.tiledSymbols->empty();
        if (tiled && !options_.seedListing) line(level + 1, "tiled_symbols=" + symbols(*node.tiledSymbols) + ",");
        extras(node.extra, level + 1);
        line(level, "),");
    }

    void op(const OpSpec& op, int level) {
        line(level, "OpSpec(");
        line(level + 1, "op=" + pyString(op.op) + ",");
        line(level + 1, std::string("is_reduction=") + (op.isReduction ? "True" : "False") + ",");
        std::string space;
        for (const IterationEntry& e : op.iterationSpace) {
            space += (space.empty() ? "" : ", ") + sympify(e.symbol) + ": (" + sympify(e.extent.text()) + ", " +
                     std::to_string(e.split) + ")";
        }
        line(level + 1, "iteration_space={" + space + "},");
        line(level + 1, "op_info=" + pyText(op.opInfo) + ",");
        if (!op.tiledSymbols.empty()) line(level + 1, "tiled_symbols=" + symbols(op.tiledSymbols) + ",");
        extras(op.extra, level + 1);
        line(level + 1, "args=[");
        for (const TensorArg& a : op.args)
            arg(a, level + 2);
        line(level + 1, "]");
        line(level, "),");
    }

    void arg(const TensorArg& a, int level) {
        line(level, "TensorArg(");
        line(level + 1, std::string("is_input=") + (a.isInput ? "True" : "False") + ", arg_index=" +
                            std::to_string(a.argIndex) + ", device_dtype=DataFormats." + a.deviceDtype + ",");
        line(level + 1, "device_size=" + integers(a.deviceSize) + ",");
        line(level + 1,
             "device_coordinates=" + listed(a.coordinates, [](const Expr& e) { return sympify(e.text()); }) + ",");
        std::string allocation;
        if (a.allocation) {
            allocation = pyString(spaceKey(a.allocation->space)) + ": " + std::to_string(a.allocation->address);
        }
        line(level + 1, "allocation={" + allocation + "},");
        if (a.strideMap && !options_.seedListing) line(level + 1, "stride_map=" + integers(*a.strideMap) + ",");
        if (a.perTileFixed && !options_.seedListing) line(level + 1, "per_tile_fixed=True,");
        extras(a.extra, level + 1);
        line(level, "),");
    }

    const ListingOptions& options_;
    std::string out_;
};

/// Four blanks before every line; `block` ends with a line end.
std::string indented(const std::string& block) {
    std::string out;
    for (const std::string& line : text::split(block.substr(0, block.size() - 1), '\n'))
        out += "    " + line + "\n";
    return out;
}

std::string pythonTuple(const std::vector<std::string>& items) {
    return "(" + text::join(items, ", ") + (items.size() == 1 ? "," : "") + ")";
}

std::string pythonTuple(const std::vector<std::int64_t>& values) {
    std::vector<std::string> items;
    for (const std::int64_t v : values)
        items.push_back(std::to_string(v));
    return pythonTuple(items);
}

/// reinterpret_tensor(NAME, (SHAPE), (STRIDES), OFFSET)
std::string viewText(const std::string& name, const HostView& view) {
    return "reinterpret_tensor(" + name + ", " + pythonTuple(view.shape) + ", " + pythonTuple(view.strides) + ", " +
           std::to_string(view.offset) + ")";
}

/// # fallback kernel 'NAME': READ, .. -> WRITTEN, ..[; fills VIEW with NUMBER]
std::string hostCallText(const HostCall& call) {
    const std::string read = call.read.empty() ? "" : " " + text::join(call.read, ", ");
    std::string out =
        "    # fallback kernel " + pyString(call.name) + ":" + read + " -> " + text::join(call.written, ", ");
    if (call.fill)
        out += "; fills " + viewText(call.fill->tensor, call.fill->at) + " with " + text::number(call.fill->number);
    return out + "\n";
}

std::string callText(const WrapperFile::Call& call) {
    std::vector<std::string> names = call.arguments;
    if (call.hasPool) names.insert(names.begin(), "_pool");
    return "    " + call.kernel + ".run(" + text::join(names, ", ") + ")\n";
}

/// The lines of the kernels, each behind the fallback kernels that run before it.
std::string callLines(const WrapperFile& file) {
    std::string out;
    auto host = file.hostCalls.begin();
    for (std::size_t i = 0; i <= file.calls.size(); ++i) {
        const bool isLast = i == file.calls.size();
        for (; host != file.hostCalls.end() && (isLast || host->position <= i); ++host)
            out += hostCallText(*host);
        if (!isLast) out += callText(file.calls[i]);
    }
    return out;
}

std::string returnedText(const Returned& tensor) {
    return tensor.view ? viewText(tensor.name, *tensor.view) : tensor.name;
}

}  // namespace

std::string specListText(const SpecTree& specs, const ListingOptions& options) {
    return Writer(options).list(specs);
}

std::string kernelText(const Kernel& kernel, const ListingOptions& options) {
    std::string list = indented(specListText(kernel.specs, options));
    if (kernel.poolSize > 0) {
        list.pop_back();
        list += ",\n    pool_size=" + std::to_string(kernel.poolSize) + "\n";
    }
    return kernel.name + " = async_compile.sdsc(" + pyString(kernel.name) + ",\n" + list + ")\n";
}

std::string wrapperText(const WrapperFile& file, const ListingOptions& options) {
    std::string out = "from sympy import sympify\n"
                      "from torch_spyre._inductor.op_spec import LoopSpec, OpSpec, TensorArg, UnimplementedOp\n";
    for (const Kernel& kernel : file.kernels)
        out += "\n" + kernelText(kernel, options);
    out += "\ndef call(args):\n";
    if (!file.inputs.empty())
        out += "    " + text::join(file.inputs, ", ") + (file.inputs.size() == 1 ? "," : "") + " = args\n";
    out += callLines(file);
    std::vector<std::string> returned;
    for (const Returned& tensor : file.outputs)
        returned.push_back(returnedText(tensor));
    return out + "    return " + pythonTuple(returned) + "\n";
}

}  // namespace memplan::bundle
