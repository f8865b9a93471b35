"""Small changes that must break a signature."""

from typing import Iterator, Tuple


def flip_bit(data: bytes, index: int, bit: int) -> bytes:
    changed = bytearray(data)
    changed[index] ^= 1 << bit
    return bytes(changed)


def flipped_bodies(body: bytes) -> Iterator[Tuple[str, bytes]]:
    yield "lowest bit of the first byte flipped", flip_bit(body, 0, 0)
    yield "highest bit of the first byte flipped", flip_bit(body, 0, 7)
    yield "one bit in the middle flipped", flip_bit(body, len(body) // 2, 0)
    yield "lowest bit of the last byte flipped", flip_bit(body, -1, 0)
    yield "highest bit of the last byte flipped", flip_bit(body, -1, 7)


def flipped_digests(digest: str) -> Iterator[Tuple[str, str]]:
    raw = bytes.fromhex(digest)
    yield "highest bit of the first byte flipped", flip_bit(raw, 0, 7).hex()
    yield "lowest bit of the first byte flipped", flip_bit(raw, 0, 0).hex()
    yield "one bit in the middle flipped", flip_bit(raw, 16, 3).hex()
    yield "lowest bit of the last byte flipped", flip_bit(raw, -1, 0).hex()
    yield "the first half right, the rest zeros", digest[:32] + "0" * 32
    yield "all zeros", "0" * 64
    yield "the bytes the other way round", raw[::-1].hex()


def pattern(length: int) -> bytes:
    """Many bytes without a short period, the same on every machine."""
    return bytes((i * 131 + i // 251) & 0xFF for i in range(length))
