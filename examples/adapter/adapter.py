#!/usr/bin/env python3
"""A minimal adapter: keeps the protocol of docs/protocol.md, derives nothing, and says so.

Put your implementation behind `derive`. Everything else is the conversation: the handshake, one answer for each line,
and the refusal of a line that is no vector, at the path of its first fault in the order of the document.
"""

import json
import re
import sys

IMPLEMENTATION = {"name": "minimal", "version": "1.0.0"}
FORMAT = 1


def derive(vector):
    """What your implementation makes of a vector; an exception becomes the outcome `crash`.

    Give a dictionary with `outcome`, `safeHead` and the lists that are not empty.
    """
    raise NotImplementedError("this example derives nothing")


# The conversation


def main():
    say({"holodiff": "handshake", "implementation": IMPLEMENTATION, "formats": [FORMAT], "decompressors": {}})
    # In bytes: Python's text streams also cut lines at characters that may stand in a vector's name.
    for line in sys.stdin.buffer:
        if line.strip() != b"":
            say(answer(line))


def say(value):
    # One write for each line, flushed: holodiff may wait for this answer before it sends the next vector.
    sys.stdout.buffer.write(json.dumps(value, separators=(",", ":")).encode() + b"\n")
    sys.stdout.buffer.flush()


def answer(line):
    try:
        vector = read(line)
    except Refused as refused:
        return {"error": {"path": refused.path, "message": refused.message}}
    trace = {"format": FORMAT, "implementation": IMPLEMENTATION}
    trace |= {"frames": [], "channels": [], "batches": [], "flushes": [], "singles": []}
    head = vector["l2"][-1]
    trace["safeHead"] = {"number": head["number"], "hash": head["hash"]}
    try:
        return trace | derive(vector)
    except Exception as error:
        return trace | {"outcome": {"kind": "crash", "message": f"{type(error).__name__}: {error}"}}


# Vectors: each check walks along the document, so that the first fault is the one that is told


class Refused(Exception):
    def __init__(self, path, message):
        self.path, self.message = path, message


class Fields(list):
    """An object as the pairs that stand in the document, since a field may stand there twice."""


NOT_AN_INTEGER = object()


def read(line):
    try:
        document = json.loads(
            line.decode("utf-8"),
            object_pairs_hook=Fields,
            parse_int=lambda text: int(text) if len(text) < 17 and text != "-0" else NOT_AN_INTEGER,
            parse_float=lambda text: NOT_AN_INTEGER,
            parse_constant=lambda text: refuse("", f"not JSON: {text}"),
        )
    except (ValueError, RecursionError) as error:
        refuse("", f"not JSON: {error}")
    return VECTOR(document, "", None)


def refuse(path, message):
    raise Refused(path, message)


# A check takes a value, its path and the item before it in its list, and gives the value for `derive`.


def integer(value, path, _):
    if type(value) is not int or not 0 <= value <= 2**53 - 1:
        refuse(path, "expected an integer from 0 to 2^53 - 1")
    return value


def number_of_format(value, path, _):
    if value != FORMAT or type(value) is not int:
        refuse(path, f"expected format {FORMAT}")
    return value


def string(value, path, _):
    if not isinstance(value, str):
        refuse(path, "expected a string")
    return value


def nullable(value, path, before):
    return None if value is None else integer(value, path, before)


def hexadecimal(size=None):
    digits = re.compile("0x(?:[0-9a-f]{2})*" if size is None else "0x[0-9a-f]{%d}" % (2 * size))

    def check(value, path, _):
        if not isinstance(value, str) or digits.fullmatch(value) is None:
            refuse(path, "expected 0x and lower-case hex digits")
        return value

    return check


def items(item, some=False):
    def check(value, path, _):
        if not isinstance(value, list) or isinstance(value, Fields):
            refuse(path, "expected a list")
        if some and value == []:
            refuse(path, "expected at least one block")
        checked = []
        for index, one in enumerate(value):
            checked.append(item(one, f"{path}[{index}]", checked[-1] if checked else None))
        return checked

    return check


def fields(**checks):
    """An object with exactly these fields."""

    def check(value, path, before):
        if not isinstance(value, Fields):
            refuse(path, "expected an object")
        at = lambda name: f"{path}.{name}" if path else name
        checked = {}
        for name, one in value:
            if name not in checks:
                refuse(at(name), "unknown field")
            if name in checked:
                refuse(at(name), "repeated field")
            # What a field of a block has to follow is the same field, or the hash, of the block before.
            checked[name] = checks[name](one, at(name), before)
        for name in checks:
            if name not in checked:
                refuse(at(name), "missing")
        return checked

    return check


def following(check, holds, message):
    """A field that stands in a relation to the block before."""

    def checked(value, path, before):
        value = check(value, path, None)
        if before is not None and not holds(value, before):
            refuse(path, message)
        return value

    return checked


HASH = hexadecimal(32)
BYTES = items(hexadecimal())
ID = fields(number=integer, hash=HASH)
NUMBER = following(integer, lambda value, before: value == before["number"] + 1, "expected the number after the one before")
FORKS = "regolith canyon delta ecotone fjord granite holocene isthmus jovian karst".split()
VECTOR = fields(
    format=number_of_format,
    name=string,
    config=fields(
        genesis=fields(l1=ID, l2=ID, l2Time=integer),
        l2ChainId=integer,
        blockTime=integer,
        maxSequencerDrift=integer,
        seqWindowSize=integer,
        channelTimeout=integer,
        forks=fields(**{fork: nullable for fork in FORKS}),
    ),
    l1=items(
        fields(
            number=NUMBER,
            hash=HASH,
            parentHash=HASH,
            timestamp=following(integer, lambda value, before: value > before["timestamp"], "expected a later one"),
            data=BYTES,
        ),
        some=True,
    ),
    l2=items(
        fields(
            number=NUMBER,
            hash=HASH,
            parentHash=following(HASH, lambda value, before: value == before["hash"], "expected the hash before"),
            timestamp=integer,
            l1Origin=ID,
            sequenceNumber=integer,
            transactions=BYTES,
        ),
        some=True,
    ),
    invalidBlocks=items(integer),
)

if __name__ == "__main__":
    main()
