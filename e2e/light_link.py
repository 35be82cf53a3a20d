"""A second implementation of the light link's sender, written from the specification alone, and a page that flashes with
the product's script."""

import zlib
from pathlib import Path

RESOURCES = Path(__file__).resolve().parent.parent / "Sources/InlayDevicesView/Resources"
SYNC = "111110011010"


def payload(ssid: str, password: str, token: bytes, host: str) -> bytes:
    content = bytes([1])
    for kind, value in enumerate([ssid.encode(), password.encode(), token, host.encode()], start=1):
        if value:
            content += bytes([kind, len(value)]) + value
    blocks = -(-(len(content) + 4) // 12)
    content = content.ljust(blocks * 12 - 4, b"\0")
    return content + zlib.crc32(content).to_bytes(4, "big")


def product(left: int, right: int) -> int:
    total = 0
    while right:
        total ^= left if right & 1 else 0
        left = left << 1 ^ (0x11D if left & 0x80 else 0)
        right >>= 1
    return total


def crc24(data: bytes) -> int:
    check = 0xB704CE
    for byte in data:
        check ^= byte << 16
        for _ in range(8):
            check = check << 1 ^ (0x1864CFB if check & 0x800000 else 0)
    return check


def pn9(count: int) -> bytes:
    state, made = 0x1FF, []
    for _ in range(count):
        made.append(state & 0xFF)
        for _ in range(8):
            state = state >> 1 | ((state ^ state >> 5) & 1) << 8
    return bytes(made)


def body(whole: bytes, number: int) -> bytes:
    blocks = len(whole) // 12
    data = bytearray(12)
    for column in range(blocks):
        if number < blocks:
            factor = int(number == column)
        else:
            factor = next(one for one in range(256) if product(one, number ^ column) == 1)
        for place in range(12):
            data[place] ^= product(factor, whole[column * 12 + place])
    block = bytes([whole[-4] & 0xF0 | blocks - 1, number]) + bytes(data)
    block += crc24(block).to_bytes(3, "big")
    return bytes(one ^ other for one, other in zip(block, pn9(17)))


def levels(whole: bytes, blocks: int) -> str:
    bits = "1" * 12
    for number in range(blocks):
        bits += SYNC + "".join(f"{byte:08b}" for byte in body(whole, number))
    level, shown = 0, ""
    for bit in bits:
        level = (level + (1 if bit == "1" else 2)) % 3
        shown += str(level)
    return shown


def page(shown: str) -> str:
    """A page with the set-up's template, style and script; the square is shown after a tap, as in the set-up."""
    template = (RESOURCES / "templates/setup/light.mustache").read_text()
    for name, value in {
        "levels": shown, "rates": "60:15,30:35,20:40", "size": "71", "title": "Hold the device here",
        "lead": "Wait", "text": "A flashing square", "> setup/actions": "",
    }.items():
        template = template.replace("{{" + name + "}}", value)
    return f"""<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<style>{(RESOURCES / 'setup.css').read_text()}</style>
<main data-slot="list"><button data-light-start>Start</button></main>
<template>{template}</template>
<script type="module">{(RESOURCES / 'setup.js').read_text()}</script>
<script>document.querySelector('button').addEventListener('click', () => {{
  document.querySelector('main').replaceChildren(document.querySelector('template').content);
}});</script>"""
