"""Inputs for the programs: a large one that takes long enough to time, and one of about 20 KB to make symbolic.

Everything is generated from a seed, so two machines measure the same work.
"""

import gzip
import math
import random
import struct
from pathlib import Path

SMALL = 20_000
WORDS = (
    "the of path input byte branch label trace region solver check node event loop symbol value "
    "memory write read table index state error limit count length offset buffer string number"
).split()


def text(rng, size):
    """Prose-like text of about `size` bytes."""
    parts, total = [], 0
    while total < size:
        word = rng.choice(WORDS)
        if rng.random() < 0.05:
            word = str(rng.randrange(10**6))
        word += "\n" if rng.random() < 0.1 else " "
        parts.append(word)
        total += len(word)
    return "".join(parts).encode()


def gif(source, size):
    """The GIF `source` with its frames repeated until there are about `size` bytes of it."""
    data = Path(source).read_bytes()
    flags = data[10]
    head = 13 + (3 << ((flags & 7) + 1) if flags & 0x80 else 0)
    frames = data[head : data.rindex(b"\x3b")]
    return data[:head] + frames * max(1, size // len(frames)) + b"\x3b"


def compressed(rng, size):
    """A gzip file of about `size` bytes."""
    # What deflate makes of this prose is a little under a quarter.
    plain = text(rng, size * 42 // 10)
    return gzip.compress(plain, mtime=0)


def bc_script(rng, size, digits, loops):
    """Statements for bc: assignments, arithmetic on long numbers, conditions, a function; every loop `loops` times."""
    lines = ["scale=20", "define f(x){ if (x < 2) return (1); return (x * f(x-1)); }"]
    total = sum(map(len, lines))
    while total < size:
        left, right = rng.randrange(1, 10**digits), rng.randrange(1, 10**digits)
        name = rng.choice("abcdefg")
        line = rng.choice(
            (
                f"{name}={left}+{right}",
                f"{name}={left}*{right}",
                f"{left}.{right}/{right}",
                f"if ({name} > {left}) {name} = {name} - {right} else {name} = {name} + {right}",
                f"{name}={left}%{right}; {name}",
                f"f({rng.randrange(20)})",
                f"for (i=0; i<{loops}; i++) {name} = ({name} * i + {left}) % {right}",
            )
        )
        lines.append(line)
        total += len(line) + 1
    return ("\n".join(lines) + "\nquit\n").encode()


def xml(rng, size):
    """A well-formed document with attributes, entities, comments and character data."""
    parts, total = ["<?xml version='1.0'?>\n<!DOCTYPE d [<!ENTITY e 'entity'>]>\n<d>\n"], 60
    while total < size:
        name = rng.choice(WORDS)
        body = text(rng, rng.randrange(10, 60)).decode().strip()
        part = rng.choice(
            (
                f"<{name} id='{rng.randrange(10**6)}' k=\"{body[:9]}\">{body}</{name}>\n",
                f"<{name}>&e; &amp; &#x{rng.randrange(32, 0x3000):x}; {body}</{name}>\n",
                f"<{name}/><!-- {body} -->\n",
                f"<{name}><![CDATA[{body}]]></{name}>\n",
            )
        )
        parts.append(part)
        total += len(part)
    return ("".join(parts) + "</d>\n").encode()


def json(rng, size):
    """An array of objects with strings, numbers, escapes and nesting."""
    parts, total = [], 2
    while total < size:
        part = (
            f'{{"{rng.choice(WORDS)}": {rng.randrange(-(10**9), 10**9)}, "r": {rng.random() * 1000:.6f}, '
            f'"s": "{rng.choice(WORDS)} \\u00{rng.randrange(32, 127):02x}\\n", '
            f'"l": [true, false, null, {rng.randrange(100)}], "o": {{"k": "{rng.choice(WORDS)}"}}}}'
        )
        parts.append(part)
        total += len(part) + 2
    return ("[" + ",\n".join(parts) + "]\n").encode()


def der(tag, *content):
    """A DER element."""
    body = b"".join(content)
    if len(body) < 0x80:
        length = bytes([len(body)])
    else:
        digits = len(body).to_bytes((len(body).bit_length() + 7) // 8, "big")
        length = bytes([0x80 | len(digits)]) + digits
    return bytes([tag]) + length + body


def certificate(rng, size):
    """An X.509 v3 certificate (its signature means nothing) with extensions up to about `size` bytes."""
    rsa = der(0x30, der(0x06, bytes.fromhex("2a864886f70d01010b")), der(0x05))

    def name(text):
        attribute = der(0x30, der(0x06, b"\x55\x04\x03"), der(0x13, text.encode()))
        return der(0x30, der(0x31, attribute))

    validity = der(0x30, der(0x17, b"200101000000Z"), der(0x17, b"300101000000Z"))
    key = der(0x30, rsa, der(0x03, b"\0", rng.randbytes(256)))
    extensions, total = [], 900
    while total < size:
        extension = der(
            0x30,
            der(0x06, b"\x55\x1d" + bytes([rng.randrange(1, 100)])),
            der(0x01, b"\xff"),
            der(0x04, der(0x04, rng.randbytes(rng.randrange(10, 120)))),
        )
        extensions.append(extension)
        total += len(extension)
    body = der(
        0x30,
        der(0xA0, der(0x02, b"\x02")),
        der(0x02, rng.randbytes(8)),
        rsa,
        name("issuer"),
        validity,
        name("subject"),
        key,
        der(0xA3, der(0x30, *extensions)),
    )
    return der(0x30, body, rsa, der(0x03, b"\0", rng.randbytes(256)))


def exif_directory(start, entries):
    """A directory of TIFF at `start`: entries (tag, type, count, value), then the values that do not fit into theirs."""
    behind = start + 2 + 12 * len(entries) + 4
    table, values = struct.pack("<H", len(entries)), b""
    for tag, kind, count, value in entries:
        table += struct.pack("<HHI", tag, kind, count)
        if len(value) > 4:
            table += struct.pack("<I", behind + len(values))
            values += value + b"\0" * (len(value) % 2)
        else:
            table += value.ljust(4, b"\0")
    return table + struct.pack("<I", 0) + values


def photograph():
    """A JPEG picture as cameras write them: what was photographed when, where and how, and hardly any picture."""
    date = (2, 20, b"2003:01:02 03:04:05\0")

    def number(tag, value):
        return tag, 4, 1, struct.pack("<I", value)

    def short(tag, value):
        return tag, 3, 1, struct.pack("<H", value)

    def ratios(tag, *parts):
        return tag, 5, len(parts), b"".join(struct.pack("<II", *part) for part in parts)

    exposure = (
        ratios(0x829A, (1, 60)),
        ratios(0x829D, (28, 10)),
        short(0x8827, 100),
        (0x9003, *date),
        ratios(0x920A, (50, 1)),
        number(0xA002, 16),
        number(0xA003, 16),
        ratios(0xA20E, (3443, 1)),
        short(0xA210, 2),
    )
    place = (
        (1, 2, 2, b"N\0"),
        ratios(2, (52, 1), (30, 1), (15, 1)),
        (3, 2, 2, b"E\0"),
        ratios(4, (13, 1), (24, 1), (5, 1)),
        ratios(6, (34, 1)),
    )

    def camera(exposure_at, place_at):
        made_by = ((0x010F, 2, 6, b"Maker\0"), (0x0110, 2, 8, b"Model A\0"), short(0x0112, 1), ratios(0x011A, (180, 1)))
        return exif_directory(8, (*made_by, (0x0132, *date), number(0x8769, exposure_at), number(0x8825, place_at)))

    exposure_at = 8 + len(camera(0, 0))
    place_at = exposure_at + len(exif_directory(exposure_at, exposure))
    tiff = b"II*\0" + struct.pack("<I", 8) + camera(exposure_at, place_at)
    tiff += exif_directory(exposure_at, exposure) + exif_directory(place_at, place)
    segments = (
        (0xE1, b"Exif\0\0" + tiff),
        (0xDB, b"\0" + bytes([16] * 64)),
        (0xC0, struct.pack(">BHHB", 8, 16, 16, 1) + b"\x01\x11\x00"),
        (0xDA, b"\x01\x01\x00\x00\x3f\x00"),
    )
    packed = (b"\xff" + struct.pack(">BH", marker, len(body) + 2) + body for marker, body in segments)
    return b"\xff\xd8" + b"".join(packed) + b"\x12\x34\xff\xd9"


def cpio(rng):
    """An archive of a folder and two files, in cpio's portable format."""
    out = b""
    for inode, (name, mode, body) in enumerate(
        (("d", 0o40755, b""), ("d/a", 0o100644, text(rng, 40)), ("b", 0o100644, text(rng, 20)), ("TRAILER!!!", 0, b""))
    ):
        encoded = name.encode() + b"\0"
        fields = (inode, mode, 0, 0, 1, 946684800, len(body), 0, 0, 0, 0, len(encoded), 0)
        for part in (b"070701" + b"".join(b"%08X" % field for field in fields) + encoded, body):
            out += part
            out += b"\0" * (-len(out) % 4)
    return out + b"\0" * (-len(out) % 512)


def pdf(rng):
    """A document of one page."""
    words = b"BT /F1 12 Tf 72 720 Td (" + text(rng, 500).strip().replace(b"\n", b" ") + b") Tj ET"
    objects = (
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(words), words),
        b"<< /Title (A title) /Author (Somebody) /CreationDate (D:20000101000000) >>",
    )
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    table += b"".join(b"%010d 00000 n \n" % place for place in places)
    trailer = b"trailer\n<< /Size %d /Root 1 0 R /Info 5 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(out))
    return out + table + trailer


def wave(samples, bits):
    """A WAV file with one channel."""
    width = bits // 8
    head = struct.pack("<IHHIIHH", 16, 1, 1, 8000, 8000 * width, width, bits)
    body = b"WAVEfmt " + head + b"data" + struct.pack("<I", len(samples)) + samples
    return b"RIFF" + struct.pack("<I", len(body)) + body


def sound(rng, size):
    """A WAV file with a tone and some noise, one byte a sample."""
    samples = (128 + int(127 * (0.6 * math.sin(i * 0.2) + rng.uniform(-0.05, 0.05))) for i in range(size - 44))
    return wave(bytes(samples), 8)


def fine_sound(rng, count):
    """The same, of so many samples of two bytes."""
    samples = (int(12000 * math.sin(i * 0.2) + rng.uniform(-800, 800)) for i in range(count))
    return wave(struct.pack(f"<{count}h", *samples), 16)


def icon(rng):
    """A Windows icon of eight by eight pixels in sixteen colours."""
    palette = b"".join(rng.randbytes(3) + b"\0" for _ in range(16))
    header = struct.pack("<IiiHHIIiiII", 40, 8, 16, 1, 4, 0, 64, 0, 0, 16, 0)
    picture = header + palette + rng.randbytes(4 * 8) + bytes(4 * 8)
    return struct.pack("<HHHBBBBHHII", 0, 1, 1, 8, 8, 16, 0, 1, 4, len(picture), 22) + picture


def write_all(folder, trees, names):
    """Writes the large and the small input of every program; `trees` are the built sources by package."""
    pictures = trees["giflib"] / "pic"
    makers = {
        "giftext": lambda rng, large: gif(pictures / "fire.gif", 1_000_000 if large else SMALL),
        "gzip": lambda rng, large: compressed(rng, 15_000_000 if large else SMALL),
        "bc": lambda rng, large: bc_script(rng, SMALL, 20, 5000 if large else 5),
        "xmlwf": lambda rng, large: xml(rng, 60_000_000 if large else SMALL),
        "json_process": lambda rng, large: json(rng, 10_000_000 if large else SMALL),
        "asn1Decoding": lambda rng, large: certificate(rng, 4_000_000 if large else SMALL),
        "sort": lambda rng, large: rng.randbytes(6_000_000 if large else SMALL),
        "hash": lambda rng, large: rng.randbytes(60_000_000 if large else SMALL),
        "matrix": lambda rng, large: rng.randbytes(12_000_000 if large else SMALL),
    }
    for kind in ("large", "small"):
        (folder / kind).mkdir(parents=True, exist_ok=True)
        for program, file_name in names.items():
            path = folder / kind / file_name
            if not path.exists():
                path.write_bytes(makers[program](random.Random(f"{program} {kind}"), kind == "large"))
