# SPDX-License-Identifier: Apache-2.0
"""Stands in for a program that builds a graph with torchwright: objects with the attributes of its nodes, made from a
graph file, so that the exporter is tested where torchwright is not installed. MEMPLAN_GRAPH names the file."""
import json
import os


class Tensor:
    def __init__(self, shape, entries):
        self.shape = tuple(shape)
        self.entries = entries

    def detach(self):
        return self

    def tolist(self):
        if len(self.shape) == 1:
            return list(self.entries)
        width = self.shape[1]
        return [self.entries[row * width:(row + 1) * width] for row in range(self.shape[0])]


def _tensor(stored):
    size = 1
    for length in stored["shape"]:
        size *= length
    entries = list(stored["values"])
    if stored["encoding"] == "coo":
        entries = [0.0] * size
        for at, value in zip(stored["index"], stored["values"]):
            entries[at] = value
    return Tensor(stored["shape"], entries)


def _attributes(row, tensors):
    has = dict(row, node_id=row["id"], num_params=lambda: row["params"])
    given = {field: _tensor(tensors[key]) for field, key in row.get("weights", {}).items()}
    if row["type"] == "Linear":
        has["output_matrix"] = given["matrix"]
        has["output_bias"] = given.get("bias", Tensor([row["d_output"]], [0.0] * row["d_output"]))
    elif row["type"] == "Embedding":
        has["tokenizer"] = type("Tokenizer", (), {"vocab": tuple(row["vocab"])})()
        unused = row["max_vocab"] - given["table"].shape[0]
        has["table"] = Tensor([row["max_vocab"], row["d_embed"]],
                              given["table"].entries + [7.0] * (unused * row["d_embed"]))
    elif row["type"] == "LiteralValue":
        has["value"] = Tensor([row["d_output"]], row["value"])
    else:
        has.update(given)
    if "value_range" in row:
        has["_declared_value_range"] = tuple(row["value_range"])
    return has


def _nodes():
    with open(os.environ["MEMPLAN_GRAPH"], encoding="utf-8") as file:
        graph = json.load(file)
    nodes = {}
    for row in graph["nodes"]:
        node = nodes[row["id"]] = type(row["type"], (), {})()
        vars(node).update(_attributes(row, graph.get("tensors", {})))
    for row in graph["nodes"]:
        nodes[row["id"]].inputs = [nodes[at] for at in row["inputs"]]
        nodes[row["id"]].scheduling_predecessors = {nodes[at] for at in row.get("after", ())}
    position = graph.get("pos_encoding")
    if position is not None and position["id"] not in nodes:
        made = type("PosEncoding", (), {"node_id": position["id"], "d_pos": position["d_pos"]})()
        return nodes[graph["output"]], made
    return nodes[graph["output"]], nodes.get(position["id"]) if position else None


def create_network_parts():
    """Output and position encoding; the output is asserted, as programs do while they are written."""
    output, position = _nodes()
    wrapped = type("Assert", (), {"node_id": 10**6, "inputs": [output], "d_output": output.d_output})()
    return wrapped, position


def broken():
    output, position = _nodes()
    output.output_matrix = Tensor([1, 1], [float("nan")])
    return output, position


def of_width(width, *, depth=2, seed):
    return width * depth + seed


def raises():
    raise ValueError("two lines\n  of text")


def nothing():
    return ()


LIMIT = 3
