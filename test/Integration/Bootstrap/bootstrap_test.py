#!/usr/bin/env python3
"""The named reasons of .ci/bootstrap, each on a machine that is made to look so.

usage: bootstrap_test.py .ci/bootstrap

Nothing is installed: apt-get and dpkg-query are scripts of this test.
"""
import os
import subprocess
import sys
import tempfile

CPU = "flags : fpu avx2 fma bmi1 bmi2 f16c movbe abm\n"
DEBIAN = 'ID=debian\nVERSION_ID="12"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n'
FEDORA = 'ID=fedora\nVERSION_ID=43\nPRETTY_NAME="Fedora Linux 43"\n'
NOTHING = "#!/bin/sh\nexit 1\n"
INSTALLED = "#!/bin/sh\necho installed\n"
# Installs by leaving a mark that dpkg-query looks for.
APT = """#!/bin/sh
echo "apt-get $*" >> "$FAKE/calls"
case "$*" in
  *update*) exit %d ;;
  *-s*) [ %d -eq 0 ] || { echo "E: Unable to locate package x"; exit 100; }
        echo "Inst x (1.0 Debian)" ;;
  *install*) touch "$FAKE/done"; exit %d ;;
esac
"""
DPKG = "#!/bin/sh\n[ -e \"$FAKE/done\" ] && echo installed\n"

# name: cpu, os-release, uid, dpkg-query, apt-get (update, plan, install), status, text
CASES = {
    "all there": (CPU, DEBIAN, 1000, INSTALLED, (1, 1, 1), 0, "all 16 packages are there"),
    "installs": (CPU, DEBIAN, 0, DPKG, (0, 0, 0), 0, "done in"),
    "old processor": ("flags : fpu sse2\n", DEBIAN, 0, INSTALLED, (0, 0, 0), 1,
                      "error: no-avx2: this processor lacks avx2 fma"),
    "other distribution": (CPU, FEDORA, 0, NOTHING, (0, 0, 0), 1,
                           "error: other-distribution: found Fedora Linux 43, wanted Debian 12"),
    "no root": (CPU, DEBIAN, 1000, NOTHING, (0, 0, 0), 1,
                "error: no-root: packages are installed by root"),
    "no network": (CPU, DEBIAN, 0, NOTHING, (100, 1, 0), 1,
                   "error: no-network: the package lists could not be read"),
    "no network later": (CPU, DEBIAN, 0, NOTHING, (0, 0, 100), 1,
                         "error: no-network: apt-get could not fetch"),
    "no package": (CPU, DEBIAN, 0, NOTHING, (0, 1, 0), 1,
                   "error: no-package: Debian's lists lack a package"),
    "not installed": (CPU, DEBIAN, 0, NOTHING, (0, 0, 0), 1, "error: incomplete: still missing"),
}


def write(path, text, mode=0o644):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, mode)


def run(script, case, folder):
    cpu, release, uid, dpkg, apt, _, _ = case
    write(os.path.join(folder, "cpuinfo"), cpu)
    write(os.path.join(folder, "os-release"), release)
    write(os.path.join(folder, "dpkg-query"), dpkg, 0o755)
    write(os.path.join(folder, "apt-get"), APT % apt, 0o755)
    environment = dict(os.environ, PATH=folder + os.pathsep + os.environ["PATH"],
                       FAKE=folder, TT_BOOTSTRAP_UID=str(uid),
                       TT_BOOTSTRAP_CPUINFO=os.path.join(folder, "cpuinfo"),
                       TT_BOOTSTRAP_OS_RELEASE=os.path.join(folder, "os-release"))
    return subprocess.run([script], env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)


def main():
    script = sys.argv[1]
    failures = 0
    for name, case in CASES.items():
        with tempfile.TemporaryDirectory(prefix="tt-bootstrap-") as folder:
            result = run(script, case, folder)
            called = os.path.exists(os.path.join(folder, "calls"))
        status, text = case[-2:]
        problems = []
        if result.returncode != status or text not in result.stdout:
            problems.append(f"expected status {status} and '{text}', found status "
                            f"{result.returncode} and:\n{result.stdout}")
        if called and name in ("all there", "old processor", "other distribution", "no root"):
            problems.append("apt-get was called")
        failures += bool(problems)
        for problem in problems:
            print(f"{name}: {problem}")
    print(f"{len(CASES)} machines, {failures} failures")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
