"""The tools on files in a folder of its own; for the cases of tools_test.py."""
import argparse
import os
import struct
import subprocess
import tempfile
import unittest

OPTIONS = argparse.Namespace()  # tools: their folder, tour: a graph; by tools_test.py


def npy(shape, values, code):
    """A .npy file's bytes; code is f or i, of 4 bytes."""
    header = "{'descr': '<%s4', 'fortran_order': False, 'shape': (%s), }" % (
        code, "".join("%d, " % size for size in shape))
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return (b"\x93NUMPY\x01\0" + struct.pack("<H", len(header))
            + header.encode() + struct.pack("<%d%s" % (len(values), code), *values))


class ToolsCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.library = cls.path("tour.so")
        cls.tool("tt-compile", OPTIONS.tour, "-o", cls.library[:-3])
        cls.write("x.npy", npy((8, 16), [0.01 * i - 0.5 for i in range(128)], "f"))
        cls.write("targets.npy", npy((8,), [0, 1, 2, 3, 4, 0, 1, 2], "i"))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder.name, name)

    @classmethod
    def write(cls, name, data):
        with open(cls.path(name), "wb") as file:
            file.write(data)

    @classmethod
    def tool(cls, name, *arguments, status=0):
        done = subprocess.run([os.path.join(OPTIONS.tools, name), *arguments],
                              stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=240, cwd=cls.folder.name)
        if done.returncode != status:
            raise AssertionError("%s: status %d, wanted %d\n%s%s" % (
                [name, *arguments], done.returncode, status, done.stdout, done.stderr))
        return done.stdout if status == 0 else done.stderr + done.stdout

    def eval(self, *arguments, status=0):
        return self.tool("tt-run", self.library, "--entry=eval", *arguments,
                         status=status)
