#!/usr/bin/env python3
"""The samples here that are no text: python3 make.py writes them beside itself, the same bytes each time."""
import os
import struct

HERE = os.path.dirname(os.path.abspath(__file__))


def write(name, data):
    with open(os.path.join(HERE, name), "wb") as out:
        out.write(data)


def netrace(name, nodes, packets):
    """packets: (cycle, id, type, source, destination, ids that wait for it), ascending by cycle."""
    head = struct.pack("<If30sBBQQII8x", 0x484A5455, 1.0, b"a sample of foamsim", nodes, 0, 200, len(packets), 0, 0)
    body = b""
    for cycle, number, kind, source, goal, waits in packets:
        body += struct.pack("<QIIBBBBB", cycle, number, 64 * number, kind, source, goal, 2, len(waits))
        body += struct.pack(f"<{len(waits)}I", *waits)
    write(name, head + body)


def varint(value):
    out = b""
    while value > 0x7F:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value if isinstance(value, bytes) else value.encode()
    return varint(number << 3 | 2) + varint(len(value)) + value


def node(number, name, kind, after=(), micros=0, **attributes):
    message = field(1, number) + field(2, name) + field(3, kind)
    message += b"".join(field(5, n) for n in after)
    message += field(7, micros) if micros else b""
    for key, value in attributes.items():
        message += field(10, field(1, key) + field(9, value))
    return message


def chakra(name, nodes):
    write(name, b"".join(varint(len(m)) + m for m in [field(1, "0.0.4")] + nodes))


READ, ANSWER, WRITE_BACK = 1, 2, 6
COMPUTE, SEND, RECEIVE, COLLECTIVE = 4, 5, 6, 7
ALL_REDUCE = 0

# Two nodes read from a third, which answers; one writes back what it got.
netrace("reads.tra", 4, [
    (10, 0, READ, 0, 3, [2]), (12, 1, READ, 1, 3, [3]), (30, 2, ANSWER, 3, 0, [4]), (34, 3, ANSWER, 3, 1, []),
    (60, 4, WRITE_BACK, 0, 3, []),
])

# Two ranks: each computes, both add up 64 KiB, the first sends 8 KiB to the second, which works on them.
for rank in range(2):
    steps = [
        node(0, "forward", COMPUTE, micros=20 + 5 * rank),
        node(1, "sum", COLLECTIVE, [0], comm_type=ALL_REDUCE, comm_size=65536),
    ]
    if rank == 0:
        steps.append(node(2, "give", SEND, [1], comm_dst=1, comm_size=8192, comm_tag=7))
    else:
        steps += [node(2, "take", RECEIVE, comm_src=0, comm_size=8192, comm_tag=7),
                  node(3, "last", COMPUTE, [1, 2], micros=10)]
    chakra(f"step.{rank}.et", steps)
