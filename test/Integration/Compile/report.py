"""A line per check, PASS or FAIL, and a count at the end."""
import sys


class Report:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, ok, name, detail=""):
        """Prints and counts one check; `detail` is shown when it failed."""
        if ok:
            self.passed += 1
            print("PASS", name, flush=True)
        else:
            self.failed += 1
            print("FAIL %s%s" % (name, ": " + detail if detail else ""),
                  flush=True)
        return bool(ok)

    def finish(self):
        print("%d passed, %d failed" % (self.passed, self.failed))
        sys.exit(1 if self.failed or not self.passed else 0)
