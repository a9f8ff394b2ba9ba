"""Checkpoints with other metadata: their checksum is computed anew.

It is XXH64 over the metadata (key, NUL, value, NUL) and the tensors' bytes.
"""
import json
import struct

from train_case import header_of, read

MASK = 2**64 - 1
P1, P2, P3, P4, P5 = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9,
                      0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)


def rotate(value, bits):
    return (value << bits | value >> (64 - bits)) & MASK


def turn(lane, word):
    return rotate((lane + word * P2) & MASK, 31) * P1 & MASK


def xxh64(data):
    """Of 32 bytes or more."""
    lanes = [(P1 + P2) & MASK, P2, 0, -P1 & MASK]
    end = len(data) // 32 * 32
    for words in struct.iter_unpack("<4Q", data[:end]):
        lanes = [turn(lane, word) for lane, word in zip(lanes, words)]
    hash = sum(rotate(lane, bits) for lane, bits in zip(lanes, (1, 7, 12, 18)))
    for lane in lanes:
        hash = ((hash ^ turn(0, lane)) * P1 + P4) & MASK
    hash = (hash + len(data)) & MASK
    rest = data[end:]
    while len(rest) >= 8:
        hash = (rotate(hash ^ turn(0, struct.unpack_from("<Q", rest)[0]), 27) * P1 + P4) & MASK
        rest = rest[8:]
    if len(rest) >= 4:
        word = struct.unpack_from("<I", rest)[0] * P1 & MASK
        hash = (rotate(hash ^ word, 23) * P2 + P3) & MASK
        rest = rest[4:]
    for byte in rest:
        hash = rotate(hash ^ byte * P5 & MASK, 11) * P1 & MASK
    hash = (hash ^ hash >> 33) * P2 & MASK
    hash = (hash ^ hash >> 29) * P3 & MASK
    return hash ^ hash >> 32


def checksum(metadata, data):
    text = b"".join(f"{key}\0{value}\0".encode() for key, value in metadata.items()
                    if key != "tt.checksum")
    return f"{xxh64(text + data):016x}"


def set_metadata(path, key, value):
    """None takes the key out."""
    header, start = header_of(path)
    data, metadata = read(path)[start:], header["__metadata__"]
    assert metadata["tt.checksum"] == checksum(metadata, data)
    metadata.pop(key)
    if value is not None:
        metadata[key] = value
    metadata["tt.checksum"] = checksum(metadata, data)
    head = json.dumps(header).encode()
    head += b" " * (-len(head) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(head)) + head + data)
