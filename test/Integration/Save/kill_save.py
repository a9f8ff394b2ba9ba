#!/usr/bin/env python3
"""Kills an atomic save at every system call and injects faults into it.

usage: kill_save.py SAVE_LOOP

SAVE_LOOP is any program that behaves like save_loop.cpp.
After each fault the file must be the old state or the new one, bit-exact; an
error must name the path, leave no temporary and let a retry succeed. Exits 0
if all holds; 77 (skipped) without strace or without the right to trace.
"""
import errno
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile

OLD, NEW = "1", "2"
SAVE_CALLS = ("openat", "newfstatat", "fchmod", "write", "fsync", "close",
              "rename")


class Failure(Exception):
    pass


def need(condition, text):
    if not condition:
        raise Failure(text)


class Saver:
    def __init__(self, program, directory):
        self.program = os.path.abspath(program)
        self.directory = directory
        self.path = os.path.join(directory, "model.safetensors")

    def reset(self, old=True):
        for name in os.listdir(self.directory):
            os.remove(os.path.join(self.directory, name))
        if old:
            run = subprocess.run([self.program, self.path, OLD])
            need(run.returncode == 0, "the first save failed")

    def save(self, inject=None, limits=None, log=None):
        command = [self.program, self.path, NEW]
        if inject or log:
            command = (["strace", "-f", "-qq", "-o", log or os.devnull]
                       + (["-e", "inject=" + inject] if inject else [])
                       + command)
        return subprocess.run(command, stderr=subprocess.PIPE, text=True,
                              preexec_fn=limits, timeout=60)

    def state(self):
        """The seed in the file; None if there is no file."""
        if not os.path.exists(self.path):
            return None
        run = subprocess.run([self.program, "--check", self.path],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             text=True)
        need(run.returncode == 0, "the file is damaged: " + run.stderr)
        return run.stdout.strip()

    def strays(self):
        return [n for n in os.listdir(self.directory)
                if n != "model.safetensors"]


def calls_of(saver):
    """The system calls of a whole run, in order, from the execve on."""
    log = os.path.join(saver.directory, "trace")
    run = saver.save(log=log)
    need(run.returncode == 0, "the traced save failed: " + run.stderr)
    with open(log) as lines:
        names = [m.group(1) for m in
                 (re.match(r"\d+\s+(\w+)\(", line) for line in lines) if m]
    return names


def kill_everywhere(saver, old):
    """SIGKILL at the N-th call of each kind, N = 1, 2, ..., all calls."""
    saver.reset(old)
    calls = calls_of(saver)
    passed = {OLD if old else None: 0, NEW: 0}
    failed = 0
    for index, name in enumerate(calls):
        if name in ("exit_group", "execve"): # after and before everything
            continue
        when = calls[:index + 1].count(name)
        saver.reset(old)
        run = saver.save(inject="%s:signal=KILL:when=%d" % (name, when))
        try:
            need(run.returncode != 0, "the kill did not happen")
            state = saver.state()
            need(state in passed, "found state %r" % state)
            need(all(n.endswith(".tt-tmp") for n in saver.strays()),
                 "stray files %r" % saver.strays())
            # A retry works beside whatever was left, and is complete.
            run = saver.save()
            need(run.returncode == 0 and saver.state() == NEW,
                 "the retry failed: " + run.stderr)
            passed[state] += 1
        except Failure as failure:
            failed += 1
            print("kill at %s number %d: %s" % (name, when, failure))
    return passed, failed, len(calls)


def number_of(calls, name):
    return sum(1 for call in calls if call == name)


def faults(saver):
    """(description, injection, must the save fail) for errors and luck."""
    saver.reset()
    calls = calls_of(saver)
    rename = next(c for c in calls if c.startswith("rename"))
    writes, syncs = number_of(calls, "write"), number_of(calls, "fsync")
    for code in ("ENOSPC", "EIO", "EDQUOT", "EFBIG"):
        for when in range(1, writes + 1):
            yield "write", code, when, "write:error=%s:when=%d" % (code, when)
    for code in ("EIO", "ENOSPC"):
        for when in range(1, syncs + 1):
            yield "fsync", code, when, "fsync:error=%s:when=%d" % (code, when)
    for code in ("EIO", "ENOSPC", "EACCES", "EROFS", "EXDEV"):
        yield rename, code, 1, "%s:error=%s" % (rename, code)
    yield "fchmod", "EPERM", 1, "fchmod:error=EPERM"


def opens_of_the_save(saver):
    """Numbers of the openat calls that open the directory and the file."""
    log = os.path.join(saver.directory, "trace")
    saver.save(log=log)
    numbers, count = [], 0
    with open(log) as lines:
        for line in lines:
            if re.match(r"\d+\s+openat\(", line):
                count += 1
                if saver.directory in line or "tt-tmp" in line:
                    numbers.append(count)
    return numbers


def check_error(saver, run, code, state=OLD):
    need(run.returncode == 1, "status %d: %s" % (run.returncode, run.stderr))
    need(saver.path in run.stderr, "no path in: " + run.stderr)
    number = "errno %d" % getattr(errno, code)
    need(number in run.stderr, "no %s in: %s" % (number, run.stderr))
    need(not saver.strays(), "stray files %r" % saver.strays())
    need(saver.state() == state, "found state %r" % saver.state())
    run = saver.save()
    need(run.returncode == 0 and saver.state() == NEW,
         "the retry failed: " + run.stderr)


def check_success(saver, run):
    need(run.returncode == 0, run.stderr)
    need(saver.state() == NEW, "found state %r" % saver.state())
    need(not saver.strays(), "stray files %r" % saver.strays())


def error_cases(saver):
    cases = list(faults(saver))
    saver.reset()
    for when in opens_of_the_save(saver):
        for code in ("EACCES", "EROFS", "ENOSPC", "EMFILE"):
            cases.append(("openat", code, when,
                          "openat:error=%s:when=%d" % (code, when)))
    for name, code, when, inject in cases:
        # The directory's fsync comes last: the new file is in place by then.
        state = NEW if name == "fsync" and when == 2 else OLD
        yield inject, inject, None, lambda run, c=code, s=state: check_error(
            saver, run, c, s)


def lucky_cases(saver):
    """Interrupted calls and short writes: the save must still succeed."""
    saver.reset()
    calls = calls_of(saver)
    rename = next(c for c in calls if c.startswith("rename"))
    for name in ("write", "fsync", rename, "fchmod"):
        for when in range(1, number_of(calls, name) + 1):
            inject = "%s:error=EINTR:when=%d" % (name, when)
            yield inject, inject, None, lambda run: check_success(saver, run)
    # A directory that cannot be fsynced.
    inject = "fsync:error=EINVAL:when=2"
    yield inject, inject, None, lambda run: check_success(saver, run)


def special_cases(saver):
    # EINTR for ever, and a write that never moves: an error, not a hang.
    # (Not all writes: the message needs one.)
    for inject, code in (("write:error=EINTR:when=1..1001", "EINTR"),
                         ("fsync:error=EINTR", "EINTR"),
                         ("write:retval=0:when=1", "ENOSPC")):
        yield inject, inject, None, lambda run, c=code: check_error(
            saver, run, c)

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))
    # The kernel writes what fits (a short write) and refuses the rest.
    yield "RLIMIT_FSIZE", None, limit, lambda run: check_error(
        saver, run, "EFBIG")


def run_cases(saver, cases):
    total = failed = 0
    for name, inject, limits, check in cases:
        saver.reset()
        total += 1
        try:
            check(saver.save(inject, limits))
        except (Failure, subprocess.TimeoutExpired) as failure:
            failed += 1
            print("%s: %s" % (name, failure))
    return total, failed


def full_disk(program):
    """A file system of 64 KB: short writes, then a real ENOSPC."""
    mount = tempfile.mkdtemp()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs",
                       mount], stderr=subprocess.DEVNULL).returncode != 0:
        os.rmdir(mount)
        return None
    try:
        saver = Saver(program, mount)
        saver.reset()
        ballast = os.path.join(mount, "ballast")
        fd = os.open(ballast, os.O_WRONLY | os.O_CREAT)
        try:
            while os.write(fd, b"x" * 4096) > 0:
                pass
        except OSError:
            pass
        os.ftruncate(fd, os.fstat(fd).st_size - 8192)
        os.close(fd)
        run = saver.save()
        need(run.returncode == 1 and "errno 28" in run.stderr, run.stderr)
        need(saver.state() == OLD, "found state %r" % saver.state())
        need(sorted(saver.strays()) == ["ballast"], str(saver.strays()))
        os.remove(ballast)
        check_success(saver, saver.save())
        return True
    finally:
        subprocess.run(["umount", mount])
        os.rmdir(mount)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    probe = shutil.which("strace") and subprocess.run(
        ["strace", "-qq", "-o", os.devnull, "true"],
        stderr=subprocess.DEVNULL).returncode == 0
    if not probe:
        print("skipped: strace is not here or may not trace")
        sys.exit(77)
    directory = tempfile.mkdtemp()
    saver = Saver(sys.argv[1], directory)
    failures = 0
    try:
        points = passed = 0
        for old in (True, False):
            states, failed, _ = kill_everywhere(saver, old)
            passed += sum(states.values())
            points += sum(states.values()) + failed
            failures += failed
            print("%s: %d kills left %s, %d the new file" % (
                "replacing" if old else "creating",
                states[OLD if old else None],
                "the old file" if old else "no file", states[NEW]))
        print("%d kill points, %d ok" % (points, passed))
        for title, cases in (("errors", error_cases), ("luck", lucky_cases),
                             ("special", special_cases)):
            total, failed = run_cases(saver, cases(saver))
            failures += failed
            print("%d injected faults (%s), %d ok" % (total, title,
                                                      total - failed))
        try:
            full = full_disk(sys.argv[1])
            print("full disk: %s" % ("ok" if full else
                                     "skipped, mounting is not allowed"))
        except Failure as failure:
            failures += 1
            print("full disk: %s" % failure)
    finally:
        shutil.rmtree(directory)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
