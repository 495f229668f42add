"""The real window's figures beside their budgets: start, memory, rest, from key to picture. Prints, never judges.

Run by bench.sh through tests/gui/run.sh, which gives it a display of its own."""
import glob
import os
import select
import statistics
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.environ["TL_SOURCE_ROOT"], "tests", "gui"))
from desk import APP, SOURCE, xdo  # noqa: E402

TICK = os.sysconf("SC_CLK_TCK")
DRAWN = b"drawn: stack"


class Window:
    """Tierloom with its words read as they come: it says when the stack of a new run is drawn."""

    def __init__(self, *arguments):
        env = {**os.environ, "TIERLOOM_TARGETS": os.path.join(SOURCE, "targets"), "G_MESSAGES_DEBUG": "tierloom", "NO_AT_BRIDGE": "1", "GTK_A11Y": "none"}
        self.begun = time.monotonic()
        self.process = subprocess.Popen([APP, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=env)
        os.set_blocking(self.process.stdout.fileno(), False)

    def drawn(self, patience=10):
        """Waits until a stack of a new run is drawn; the time of it, None when it never is."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            select.select([self.process.stdout], [], [], 0.5)
            if DRAWN in (self.process.stdout.read() or b""):
                return time.monotonic()
        return None

    def rest(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            select.select([self.process.stdout], [], [], 0.1)
            self.process.stdout.read()

    def cpu(self):
        """User and system seconds so far."""
        with open(f"/proc/{self.process.pid}/stat") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICK

    def memory(self):
        """MiB: resident, and its share of what others hold too."""
        with open(f"/proc/{self.process.pid}/smaps_rollup") as rollup:
            words = dict(line.split(":") for line in rollup.read().splitlines()[1:])
        return tuple(int(words[key].split()[0]) / 1024 for key in ("Rss", "Pss"))

    def take_focus(self):
        window = xdo("search", "--sync", "--onlyvisible", "--pid", self.process.pid, "--name", ".").split()[-1]
        xdo("windowfocus", "--sync", window)

    def close(self):
        self.process.terminate()
        self.process.wait(10)


def report(what, budget, times):
    print(f"{what:<58} {budget:>12} {statistics.median(times):>9.1f} ms {max(times):>9.1f} ms", flush=True)


def start():
    times, cpu = [], []
    for _ in range(7):
        window = Window()
        times.append(1000 * (window.drawn() - window.begun))
        cpu.append(1000 * window.cpu())
        window.close()
    report("start to first picture, wall", "500", times[1:])
    report("start to first picture, CPU", "", cpu[1:])


def report_cpu(window, what, budget):
    before = window.cpu()
    window.rest(5)
    print(f"{what:<58} {budget:>12} {1000 * (window.cpu() - before):>9.1f} ms", flush=True)


def memory_and_rest():
    window = Window()
    window.drawn()
    window.rest(4)
    rss, pss = window.memory()
    print(f"{'default example, playing: resident, proportional':<58} {'120 MB':>12} {rss:>8.1f} MiB {pss:>8.1f} MiB")
    window.take_focus()
    report_cpu(window, "CPU in five seconds of playing", "")
    xdo("mousemove", 650, 300, "click", 1, "key", "space")
    window.rest(1)
    report_cpu(window, "CPU in five seconds at rest", "0")
    window.close()


def key_to_picture(path):
    """From a digit typed into a knob to the stack of the new run. The file stays as it is."""
    with open(path) as program:
        text = program.read()
    window = Window(path)
    if window.drawn() is None:
        window.close()
        return
    window.rest(1)
    window.take_focus()
    times = []
    # The editor has the focus; a new last line holds a knob whose digits are typed.
    xdo("key", "--clearmodifiers", "ctrl+End")
    if not text.endswith("\n"):
        xdo("key", "Return")
    xdo("type", "--delay", "1", "config seed = 1")
    window.rest(1.5)
    for digit in "234567":
        begun = time.monotonic()
        xdo("key", digit)
        drawn = window.drawn(4)
        if drawn is not None:
            times.append(1000 * (drawn - begun))
        window.rest(0.7)
    window.close()
    if times:
        report("key to picture: " + os.path.basename(path), "100", times)


print(f"{'the window':<58} {'budget':>12} {'median':>12} {'worst':>12}")
start()
memory_and_rest()
for example in sorted(glob.glob(os.path.join(SOURCE, "examples", "*.gdsl"))):
    key_to_picture(example)
