"""A compiled tt library from Python, through its C ABI alone (ctypes, numpy).

For benchmarks and acceptance tests; not part of the product.
"""
import ctypes as C
import os
import re

import numpy as np

_DTYPES = [np.float64, np.float32, np.uint16, np.uint16, np.int64, np.int32, np.int8, np.uint8]


class Sizes(C.Structure):
    _fields_ = [("struct_size", C.c_size_t), ("abi", C.c_uint32), ("threads", C.c_uint32)] + [
        (n, C.c_uint64) for n in ("alignment", "instance_bytes", "parameter_bytes",
                                  "state_bytes", "arena_bytes", "io_bytes", "worker_bytes",
                                  "gradient_bytes", "activation_bytes", "workspace_bytes")]


class BindOptions(C.Structure):
    _fields_ = [("struct_size", C.c_size_t), ("threads", C.c_uint32), ("isa_level", C.c_uint32),
                ("parallel_for", C.c_void_p), ("ctx", C.c_void_p)]


class Memory(C.Structure):
    _fields_ = [("struct_size", C.c_size_t)] + [
        f for n in ("instance", "parameters", "state", "arena")
        for f in ((n, C.c_void_p), (n + "_bytes", C.c_uint64))]


class Info(C.Structure):
    _fields_ = [("struct_size", C.c_size_t), ("name", C.c_char_p), ("dtype", C.c_int),
                ("rank", C.c_uint32), ("shape", C.c_int64 * 8), ("bytes", C.c_uint64),
                ("index_limit", C.c_int64), ("index_ignore", C.c_int64)]

    def array(self):
        return np.zeros(tuple(self.shape[: self.rank]), _DTYPES[self.dtype])


class Library:
    """One instance of NAME.so with its own memory."""

    def __init__(self, path, threads=1, isa_level=0, seed=None):
        path = os.path.abspath(path)
        name = re.sub(r"[^0-9A-Za-z_]", "_", os.path.basename(path)[:-3])
        name = "_" + name if name[0].isdigit() else name
        self.lib = C.CDLL(path, mode=os.RTLD_LOCAL | os.RTLD_NOW)
        getter = getattr(self.lib, name + "_model")
        getter.restype = C.c_void_p
        self.lib.tt_last_error.restype = C.c_char_p
        self.lib.tt_entry_name.restype = C.c_char_p
        self.model = C.c_void_p(getter())
        self.sizes = Sizes(struct_size=C.sizeof(Sizes))
        self._check(self.lib.tt_model_query(self.model, threads, C.byref(self.sizes)))
        self.regions = {}
        memory = Memory(struct_size=C.sizeof(Memory))
        for region, key in (("instance", "instance_bytes"), ("parameters", "parameter_bytes"),
                            ("state", "state_bytes"), ("arena", "arena_bytes")):
            size = getattr(self.sizes, key)
            raw = np.zeros(size + 64, np.uint8)
            start = -raw.ctypes.data % 64
            self.regions[region] = raw[start: start + size]
            setattr(memory, region, raw.ctypes.data + start)
            setattr(memory, region + "_bytes", size)
            self.regions[region + "_raw"] = raw
        options = BindOptions(struct_size=C.sizeof(BindOptions), threads=threads,
                              isa_level=isa_level)
        self.instance = C.c_void_p()
        self._check(self.lib.tt_model_bind(self.model, C.byref(memory), C.byref(options),
                                           C.byref(self.instance)))
        if seed is not None:
            self._check(self.lib.tt_init(self.instance, C.c_uint64(seed)))
        self.parameters = self._tensors(0)
        self.states = self._tensors(1)
        self.entries = {}
        for e in range(self.lib.tt_entry_count(self.model)):
            ins, outs = [], []
            for count, get, into in (
                    (self.lib.tt_entry_input_count, self.lib.tt_entry_input, ins),
                    (self.lib.tt_entry_output_count, self.lib.tt_entry_output, outs)):
                for i in range(count(self.model, e)):
                    info = Info(struct_size=C.sizeof(Info))
                    self._check(get(self.model, e, i, C.byref(info)))
                    into.append(info)
            self.entries[self.lib.tt_entry_name(self.model, e).decode()] = (e, ins, outs)

    def _tensors(self, kind):
        out = {}
        for i in range(self.lib.tt_tensor_count(self.model, kind)):
            info = Info(struct_size=C.sizeof(Info))
            self._check(self.lib.tt_tensor_at(self.model, kind, i, C.byref(info)))
            out[info.name.decode()] = (i, info)
        return out

    def _check(self, status):
        if status:
            raise RuntimeError(f"status {status}: {self.lib.tt_last_error().decode()}")

    def get(self, name):
        i, info = self.parameters[name]
        array = info.array()
        self._check(self.lib.tt_param_get(self.instance, i, array.ctypes.data_as(C.c_void_p),
                                          C.c_uint64(info.bytes)))
        return array

    def set(self, name, array):
        i, info = self.parameters[name]
        array = np.array(array, _DTYPES[info.dtype], order="C")
        assert array.shape == info.array().shape, (name, array.shape)
        self._check(self.lib.tt_param_set(self.instance, i, array.ctypes.data_as(C.c_void_p),
                                          C.c_uint64(info.bytes)))

    def prepare(self, entry, want=None, **inputs):
        """A function that runs the entry, and the output arrays it fills."""
        e, ins, outs = self.entries[entry]
        arrays = []
        for info in ins:
            name = info.name.decode()
            array = np.asarray(inputs.get(name, 0), _DTYPES[info.dtype])
            arrays.append(np.broadcast_to(array, info.array().shape).copy())
        results = {i.name.decode(): i.array() for i in outs
                   if want is None or i.name.decode() in want}
        ip = (C.c_void_p * max(len(arrays), 1))(*[a.ctypes.data for a in arrays])
        op = (C.c_void_p * max(len(outs), 1))(
            *[results[i.name.decode()].ctypes.data if i.name.decode() in results else None
              for i in outs])
        by_name = {i.name.decode(): a for i, a in zip(ins, arrays)}

        def run(keep=arrays):  # ip holds their addresses
            self._check(self.lib.tt_call(self.instance, e, ip, op))
            return results
        return run, by_name, results

    def call(self, entry, **inputs):
        return self.prepare(entry, **inputs)[0]()

    def close(self):
        """Stops the threads; the memory must not go before them."""
        if self.instance:
            self.lib.tt_release(self.instance)
            self.instance = None

    def __del__(self):
        if getattr(self, "instance", None):
            self.close()

    def worker_tasks(self):
        n = self.sizes.threads
        counts = (C.c_uint64 * n)()
        self._check(self.lib.tt_worker_tasks(self.instance, counts, n))
        return list(counts)
