#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a computation graph of torchwright as graph JSON for memplan-studio.

Run it where torchwright and the module that builds the graph can be imported:

    python export_torchwright_graph.py examples.adder -o adder.graph.json
    python export_torchwright_graph.py mypackage.net:build -o net.graph.json --weights none

MODULE[:FUNCTION] names a function without arguments that returns the output node, a tuple that begins with the
output node and holds the position encoding, or an object whose `inp` is the output node. Without FUNCTION it is
create_network_parts, else create_network.

From a program that has the nodes at hand:

    from export_torchwright_graph import export_graph
    export_graph(output, "net.graph.json", pos_encoding=pos, extra_outputs=[state])

The graph is read and never changed. Asserts and debug watches are left out: their readers read what they wrap.
"""
from __future__ import annotations

import argparse
import importlib
import inspect
import json
import os
import sys
import tempfile
import traceback

FORMAT = "memplan.torchwright-graph"
WRAPPERS = {"Assert", "DebugWatch"}
BUILDERS = ("create_network_parts", "create_network")
WEIGHTS = ("auto", "coo", "dense", "none")
MATRICES = {
    "Linear": {"matrix": "output_matrix", "bias": "output_bias"},
    "Attn": {name: name for name in ("query_matrix", "key_matrix", "value_matrix", "output_matrix")},
    "Embedding": {"table": "table"},
}
SIZES = {
    "Attn": ("d_qk", "d_v", "d_query_in", "d_key_in", "d_value_in"),
    "Embedding": ("d_embed", "max_vocab"),
    "PosEncoding": ("d_pos",),
}


class ExportError(Exception):
    """What the user can put right; its text is the message."""


def _kind(node):
    return type(node).__name__


def _plain(value):
    """A number as JSON holds it best: whole ones without a point, others with the nine digits of a float32."""
    number = float(value)
    if number != number or number in (float("inf"), float("-inf")):
        raise ExportError("a weight or value is not a finite number")
    return int(number) if number.is_integer() and abs(number) < 1e15 else float(f"{number:.9g}")


def _flat(values):
    if not isinstance(values, (list, tuple)):
        return [values]
    return [entry for part in values for entry in _flat(part)]


class Values:
    """Shape and entries of a tensor, row by row."""

    def __init__(self, tensor):
        if hasattr(tensor, "detach"):
            tensor = tensor.detach()
        self.shape = [int(size) for size in tensor.shape]
        self.entries = [_plain(entry) for entry in _flat(tensor.tolist())]

    def first_rows(self, count):
        width = len(self.entries) // self.shape[0] if self.shape[0] else 0
        self.shape[0] = min(count, self.shape[0])
        self.entries = self.entries[: self.shape[0] * width]
        return self

    def nonzero(self):
        return [at for at, entry in enumerate(self.entries) if entry != 0]

    def as_json(self, weights):
        filled = self.nonzero()
        if weights == "dense" or (weights == "auto" and 2 * len(filled) >= len(self.entries)):
            return {"shape": self.shape, "encoding": "dense", "values": self.entries}
        return {
            "shape": self.shape,
            "encoding": "coo",
            "index": filled,
            "values": [self.entries[at] for at in filled],
        }


class Exporter:
    def __init__(self, weights="auto", keep_asserts=False):
        if weights not in WEIGHTS:
            raise ExportError(f'weights "{weights}" is none of {", ".join(WEIGHTS)}')
        self.weights = weights
        self.keep_asserts = keep_asserts
        self.tensors = {}

    def document(self, output, pos_encoding=None, extra_outputs=(), name=""):
        output = self.under(output)
        extras = [self.under(node) for node in extra_outputs]
        nodes = self.reachable([output, *extras])
        if pos_encoding is None:
            found = [node for node in nodes if _kind(node) == "PosEncoding"]
            pos_encoding = found[0] if len(found) == 1 else None
        document = {"format": FORMAT, "version": 1, "name": name, "output": output.node_id, "pos_encoding": None}
        if pos_encoding is not None:
            document["pos_encoding"] = {"id": pos_encoding.node_id, "d_pos": int(pos_encoding.d_pos)}
        if extras:
            document["extra_outputs"] = [node.node_id for node in extras]
        document["nodes"] = [self.row(node) for node in nodes]
        if self.tensors:
            document["tensors"] = self.tensors
        return document

    def under(self, node):
        """The node itself, or what is wrapped by it."""
        while not self.keep_asserts and _kind(node) in WRAPPERS:
            node = node.inputs[0]
        if not hasattr(node, "node_id"):
            raise ExportError(f"a {_kind(node)} is no node of a graph: it has no node_id")
        return node

    def reachable(self, outputs):
        """Everything that the outputs need, by ascending id."""
        found = {}
        waiting = list(outputs)
        while waiting:
            node = self.under(waiting.pop())
            if node.node_id not in found:
                found[node.node_id] = node
                waiting.extend(node.inputs)
        return [found[at] for at in sorted(found)]

    def row(self, node):
        kind = _kind(node)
        row = {
            "id": node.node_id,
            "type": kind,
            "d_output": int(node.d_output),
            "inputs": [self.under(source).node_id for source in node.inputs],
        }
        if getattr(node, "name", None):
            row["name"] = str(node.name)
        if getattr(node, "annotation", None):
            row["annotation"] = node.annotation
        waits_for = {self.under(before).node_id for before in getattr(node, "scheduling_predecessors", None) or ()}
        if waits_for:
            row["after"] = sorted(waits_for)
        for size in SIZES.get(kind, ()):
            row[size] = int(getattr(node, size))
        self.add_own(node, kind, row)
        row["params"] = int(node.num_params())
        return row

    def add_own(self, node, kind, row):
        """What only nodes of this type have."""
        tensors = {field: Values(getattr(node, source)) for field, source in MATRICES.get(kind, {}).items()}
        if kind == "Linear":
            row["d_input"] = tensors["matrix"].shape[0]
            row["has_bias"] = bool(tensors["bias"].nonzero())
            row["nnz"] = len(tensors["matrix"].nonzero())
            if not row["has_bias"]:
                del tensors["bias"]
        elif kind == "LiteralValue":
            row["value"] = Values(node.value).entries
        elif kind == "InputNode" and getattr(node, "_declared_value_range", None) is not None:
            row["value_range"] = [float(end) for end in node._declared_value_range]
        elif kind == "Embedding":
            row["input_name"] = getattr(node, "input_name", "embedding_input")
            row["vocab"] = list(node.tokenizer.vocab)
            tensors["table"].first_rows(len(row["vocab"]))
        if tensors and self.weights != "none":
            row["weights"] = {field: self.store(node, field, values) for field, values in tensors.items()}

    def store(self, node, field, values):
        key = f"{node.node_id}.{field}"
        self.tensors[key] = values.as_json(self.weights)
        return key


def _lines(document):
    """One node and one tensor a line: such files can be read and compared."""
    rest = {key: value for key, value in document.items() if key not in ("nodes", "tensors")}
    yield json.dumps(rest, ensure_ascii=False)[:-1] + ', "nodes": [\n'
    yield ",\n".join(json.dumps(row, ensure_ascii=False) for row in document["nodes"])
    yield "\n]"
    if "tensors" in document:
        yield ', "tensors": {\n'
        yield ",\n".join(
            f"{json.dumps(key)}: {json.dumps(value, separators=(',', ':'))}"
            for key, value in document["tensors"].items()
        )
        yield "\n}"
    yield "}\n"


def write_document(document, path):
    """Writes all of the file or none of it."""
    folder = os.path.dirname(os.path.abspath(path))
    try:
        handle, half = tempfile.mkstemp(dir=folder, prefix=".export-", suffix=".json")
    except OSError as error:
        raise ExportError(f'cannot write "{path}": {error.strerror}') from error
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.writelines(_lines(document))
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(half, 0o666 & ~mask)
        os.replace(half, path)
    except BaseException:
        os.unlink(half)
        raise


def export_graph(output, path, pos_encoding=None, extra_outputs=(), name="", weights="auto", keep_asserts=False):
    """Writes the graph of `output` to `path` and returns what was written."""
    document = Exporter(weights, keep_asserts).document(output, pos_encoding, extra_outputs, name)
    write_document(document, path)
    return document


def _raised(error):
    """What was raised and where, on one line."""
    ours = (__file__, importlib.__file__)
    places = [at for at in traceback.extract_tb(error.__traceback__)
              if at.filename not in ours and not at.filename.startswith("<frozen")]
    # The text of a syntax error has its place.
    has_place = places and not isinstance(error, SyntaxError)
    at = f" ({os.path.basename(places[-1].filename)}, line {places[-1].lineno})" if has_place else ""
    text = " ".join(str(error).split())
    return f"{_kind(error)}{': ' if text else ''}{text}{at}"


def _load(module_name):
    try:
        return importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        raise ExportError(f'cannot import "{module_name}": there is no module "{error.name}"') from error
    except (Exception, SystemExit) as error:
        raise ExportError(f'cannot import "{module_name}": {_raised(error)}') from error


def _call(function, name):
    if not callable(function):
        raise ExportError(f'"{name}" is no function but a value of type {_kind(function)}')
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # not every function that is built in says what it takes
        parameters = ()
    needed = [at.name for at in parameters
              if at.default is at.empty and at.kind not in (at.VAR_POSITIONAL, at.VAR_KEYWORD)]
    if needed:
        raise ExportError(f'"{name}" needs arguments ({", ".join(needed)}): name a function that gives them')
    try:
        return function()
    except (Exception, SystemExit) as error:
        raise ExportError(f'"{name}" raised {_raised(error)}') from error


def build(target):
    """Output node and position encoding, or None for it, that MODULE[:FUNCTION] makes."""
    module_name, _, function = target.partition(":")
    sys.path.insert(0, os.getcwd())
    module = _load(module_name)
    names = [function] if function else list(BUILDERS)
    name = next((at for at in names if hasattr(module, at)), None)
    if name is None:
        raise ExportError(f'"{module_name}" has no function {" or ".join(names)}')
    made = _call(getattr(module, name), f"{module_name}:{name}")
    parts = made if isinstance(made, tuple) and made else (made,)
    output = parts[0] if hasattr(parts[0], "node_id") else getattr(parts[0], "inp", parts[0])
    return output, next((part for part in parts[1:] if _kind(part) == "PosEncoding"), None)


def main(arguments=None):
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n\n")[0], epilog="\n\n".join(__doc__.split("\n\n")[1:4]),
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", metavar="MODULE[:FUNCTION]", help="what builds the graph")
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="graph JSON to write")
    parser.add_argument("--weights", choices=WEIGHTS, default="auto",
                        help="how tensors are written: sparse, dense, whichever is smaller, or not at all")
    parser.add_argument("--keep-asserts", action="store_true", help="keep Assert and DebugWatch nodes")
    given = parser.parse_args(arguments)
    try:
        output, pos_encoding = build(given.target)
        document = export_graph(output, given.output, pos_encoding, name=given.target, weights=given.weights,
                                keep_asserts=given.keep_asserts)
    except (ExportError, OSError) as error:
        print(f"export_torchwright_graph: error: {error}", file=sys.stderr)
        return 1
    print(f"{given.output}: {len(document['nodes'])} nodes, output {document['output']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
