"""The five programs of the comparison, each with one small valid seed."""

import gzip
from dataclasses import dataclass


@dataclass(frozen=True)
class Program:
    """A program, its command line (`@@` stands for the input file) and what it starts from."""

    name: str
    package: str
    arguments: tuple
    seed: bytes
    # Whether the input is standard input.
    stdin: bool = True
    environment: tuple = ()


# A picture of one pixel: header, two colours, one image with an LZW block.
GIF = (
    b"GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\xff\xff\x00\x00\x00"
    b",\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"
)

PROGRAMS = (
    Program("gzip", "gzip", ("-d",), gzip.compress(b"hello hello hello\n", mtime=0)),
    Program("xmlwf", "expat", ("@@",), b'<a b="c">text<d/></a>\n', stdin=False),
    # Without a fixed seed the table of every object would be laid out anew in every run.
    Program("json_process", "jansson", ("--env",), b'{"a": [1, 2.5, true], "b": null}\n', environment=(("HASHSEED", "1"),)),
    Program("giftext", "giflib", ("-p", "@@"), GIF, stdin=False),
    Program("bc", "bc", ("-q",), b"x=3\nif (x>2) x*4\n"),
)
