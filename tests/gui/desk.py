"""Driving the real window: keys and pointer by xdotool, reading by AT-SPI, pictures by ImageMagick."""
import collections
import os
import signal
import subprocess
import sys
import time
import traceback
import warnings

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

APP = os.environ["TL_APP"]
TIERC = os.environ["TL_TIERC"]
SOURCE = os.environ["TL_SOURCE_ROOT"]
FOLDER = os.environ["TL_GUI_FOLDER"]
PATIENCE = 25 * float(os.environ.get("TL_GUI_PATIENCE", "1"))  # seconds that anything may take

Atspi.init()
warnings.simplefilter("ignore")
Atspi.set_timeout(4000, 4000)


class Failed(Exception):
    pass


def xdo(*words):
    return subprocess.run(["xdotool", *map(str, words)], check=True, capture_output=True, text=True).stdout


def wait(what, condition, patience=PATIENCE):
    """What condition() gives as soon as it is true; Failed with @what when it never is."""
    end = time.monotonic() + patience
    while True:
        try:
            value = condition()
        except GLib.Error:  # a thing that went away while it was looked at
            value = None
        if value:
            return value
        if time.monotonic() > end:
            raise Failed("waited in vain: " + what)
        time.sleep(0.05)


def showing(item):
    """GTK 4.8 calls only windows "showing"; the rest is told by its state and size."""
    if not item.get_state_set().contains(Atspi.StateType.VISIBLE):
        return False
    try:
        box = Atspi.Component.get_extents(item, Atspi.CoordType.WINDOW)
    except GLib.Error:
        return False
    return box.width > 1 and box.height > 1


def window_of(item):
    while item.get_role_name() not in ("frame", "dialog", "window") and item.get_parent() is not None:
        item = item.get_parent()
    return item


def active(item):
    """Whether the window it is in takes the keys."""
    window = window_of(item)
    window.clear_cache()
    return window.get_role_name() != "application" and window.get_state_set().contains(Atspi.StateType.ACTIVE)


def shown(item):
    """Whether what it lies in is shown too: a closed popover keeps its rows."""
    while item is not None and item.get_role_name() not in ("frame", "dialog", "window", "application"):
        if not item.get_state_set().contains(Atspi.StateType.VISIBLE):
            return False
        item = item.get_parent()
    return True


def children(item):
    for i in range(item.get_child_count()):
        child = item.get_child_at_index(i)
        if child is not None:
            yield child


# What lies inside these says nothing more; each item costs a round trip.
CLOSED = ("push button", "label", "page tab", "scroll bar", "image", "text", "slider")


def walk(item, whole=False):
    """@item and all below it; without @whole not the insides of buttons and the like."""
    try:
        yield item
        if whole or item.get_role_name() not in CLOSED and item.get_state_set().contains(Atspi.StateType.VISIBLE):
            for child in children(item):
                yield from walk(child, whole)
    except GLib.Error:  # it went away
        return


def text_of(item):
    """The text inside a text widget or of a label."""
    try:
        return Atspi.Text.get_text(item, 0, Atspi.Text.get_character_count(item))
    except GLib.Error:
        return item.get_name() or ""


class Random:
    """splitmix64, as the other tests have it: the same on every machine."""

    def __init__(self, seed):
        self.state = seed

    def below(self, bound):
        self.state = (self.state + 0x9E3779B97F4A7C15) & (1 << 64) - 1
        z = self.state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & (1 << 64) - 1
        z = (z ^ z >> 27) * 0x94D049BB133111EB & (1 << 64) - 1
        return (z ^ z >> 31) % bound


class Picture:
    """RGB bytes of a stretch of the screen."""

    def __init__(self, x, y, width, height):
        self.width, self.height, self.count = width, height, None
        shot = subprocess.run(["import", "-silent", "-window", "root", "-crop", f"{width}x{height}+{x}+{y}", "+repage", "-depth", "8", "rgb:-"],
                              check=True, capture_output=True)
        self.bytes = shot.stdout
        if len(self.bytes) != 3 * width * height:
            raise Failed(f"a picture of {width}x{height} has {len(self.bytes)} bytes")

    def pixel(self, x, y):
        at = 3 * (y * self.width + x)
        return tuple(self.bytes[at:at + 3])

    def colors(self):
        """Each colour with its number of pixels."""
        if self.count is None:
            self.count = collections.Counter(zip(self.bytes[0::3], self.bytes[1::3], self.bytes[2::3]))
        return self.count

    def near(self, color, within=24):
        """Pixels whose channels all lie near @color."""
        return sum(n for at, n in self.colors().items() if max(abs(a - b) for a, b in zip(at, color)) <= within)

    def save(self, path):
        subprocess.run(["convert", "-size", f"{self.width}x{self.height}", "-depth", "8", "rgb:-", path], input=self.bytes, check=True)


class Desk:
    """One running Tierloom."""

    def __init__(self, *arguments, **environment):
        self.log = open(os.path.join(FOLDER, "log"), "w+b")
        env = dict({**os.environ, "G_DEBUG": "fatal-criticals", "TIERLOOM_TARGETS": os.path.join(SOURCE, "targets")}, **environment)
        self.process = subprocess.Popen([APP, *arguments], stdout=self.log, stderr=self.log, env=env, cwd=os.environ.get("TL_GUI_PICTURES", FOLDER))
        self.known = {}
        self.seen = {}  # role to the items of that role that were walked over last
        self.focused = None  # the last item that said it has the focus
        self.listener = Atspi.EventListener.new(self._on_focus)
        self.listener.register("object:state-changed:focused")
        self.app = wait("the program on the accessibility bus", self._find_app)
        self.window_id = wait("a window", self._find_window)
        xdo("windowmove", self.window_id, 0, 0)
        xdo("windowfocus", self.window_id)

    def _on_focus(self, event, *_):
        if event.detail1:
            self.focused = event.source

    def _find_app(self):
        self.alive()
        for item in children(Atspi.get_desktop(0)):
            if item.get_process_id() == self.process.pid and item.get_child_count() > 0:
                return item
        return None

    def _find_window(self):
        self.alive()
        found = subprocess.run(["xdotool", "search", "--onlyvisible", "--pid", str(self.process.pid), "--name", "."], capture_output=True, text=True)
        return found.stdout.split()[0] if found.stdout else None

    def alive(self):
        if self.process.poll() is not None:
            raise Failed(f"Tierloom ended with {self.process.returncode}: {self.said()}")

    def said(self, limit=3000):
        self.log.flush()
        with open(self.log.name, "rb") as log:
            return "\n".join(line for line in log.read().decode("utf-8", "replace").splitlines() if "dbus" not in line)[-limit:]

    def complaints(self):
        """What it said, without what GTK 4.8 says of itself: a button let go over another window, a row that scrolls in
        while it is drawn, a menu of a window that was moved off the screen."""
        own = ("Broken accounting of active state", "without a current allocation", "gdk_monitor_get_geometry: assertion")
        return [line for line in self.said(1 << 20).splitlines() if line and not any(words in line for words in own)]

    def close(self, warned=False):
        """Ends it; Failed when it had ended by itself or complained. @warned: warnings are let pass."""
        self.alive()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(10)
        said = self.complaints()
        if any("CRITICAL" in line or "WARNING" in line and not warned for line in said):
            raise Failed("it complained: " + "\n".join(said))

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(10)

    # What is there

    def windows(self):
        """The newest first: the one that was opened last is the one that is looked at."""
        self.alive()
        Atspi.Accessible.clear_cache(self.app)
        return list(children(self.app))[::-1]

    def items(self, whole=False):
        """Of all windows, those of the active one first."""
        windows = self.windows()
        windows.sort(key=lambda window: not window.get_state_set().contains(Atspi.StateType.ACTIVE))
        self.seen = {}
        for window in windows:
            for item in walk(window, whole):
                self.seen.setdefault(item.get_role_name(), []).append(item)
                yield item

    def find(self, role, name, patience=PATIENCE):
        """The item on screen of that role whose name starts with @name; a button's is @name, or "@name: more"."""
        return wait(f"a {role} called {name}", lambda: self.look(role, name), patience)

    def look(self, role, name):
        """The same, None when it is not there now. What was found once is asked first."""
        def fits(item):
            try:
                said = text_of(item) if role == "label" else item.get_name() or ""
                if role == "push button" and said != name and not said.startswith(name + ":"):
                    return False
                return item.get_role_name() == role and said.startswith(name) and showing(item) and shown(item)
            except GLib.Error:
                return False
        self.alive()
        known = self.known.get((role, name))
        if known is not None:
            known.clear_cache()
            if fits(known):
                return known
        for item in self.seen.get(role, []):
            if fits(item):
                self.known[role, name] = item
                return item
        for item in self.items(whole=role == "list item"):  # they may lie in a button's popover
            if item.get_role_name() == role and fits(item):
                self.known[role, name] = item
                return item
        return None

    def has(self, role, name):
        return self.look(role, name) is not None

    def label(self, start):
        """Text of the label on screen that starts with @start."""
        item = self.look("label", start)
        return text_of(item) if item is not None else None

    def describes(self, role, name):
        return self.find(role, name).get_description() or ""

    def program(self):
        return text_of(self.find("text", "Program text"))

    def focus(self):
        """What has the focus in the active window."""
        def search(item):
            try:
                states = item.get_state_set()
                if states.contains(Atspi.StateType.FOCUSED) and item.get_role_name() != "frame":
                    return item
                if not states.contains(Atspi.StateType.VISIBLE):
                    return None
                return next(filter(None, map(search, children(item))), None)
            except GLib.Error:  # it went away
                return None
        self.alive()
        context = GLib.MainContext.default()
        while context.pending():
            context.iteration(False)
        try:  # what it said last; each step through the window costs a round trip
            if self.focused is not None and self.focused.get_process_id() == self.process.pid:
                self.focused.clear_cache()
                if self.focused.get_state_set().contains(Atspi.StateType.FOCUSED) and active(self.focused):
                    return self.focused
        except GLib.Error:
            pass
        self.focused = next(filter(None, (search(window) for window in self.windows() if window.get_state_set().contains(Atspi.StateType.ACTIVE))), None)
        return self.focused

    def extents(self, item):
        """Place on the screen. GTK 4 knows places in its window only, without the frame
        that it draws where there is no compositor."""
        box = Atspi.Component.get_extents(item, Atspi.CoordType.WINDOW)
        window = window_of(item)
        inner = Atspi.Component.get_extents(window, Atspi.CoordType.WINDOW)
        left, top, width, height = self.outer(window)
        return box.x + left + (width - inner.width) // 2, box.y + top + (height - inner.height) // 2, box.width, box.height

    def outer(self, window):
        """Place of the X window that shows @window, told by its title, else the newest one."""
        ids = xdo("search", "--onlyvisible", "--pid", self.process.pid, "--name", ".").split()
        for at in reversed(ids):
            if xdo("getwindowname", at).strip() == (window.get_name() or ""):
                break
        words = dict(line.split("=") for line in xdo("getwindowgeometry", "--shell", at).splitlines())
        return int(words["X"]), int(words["Y"]), int(words["WIDTH"]), int(words["HEIGHT"])

    def picture(self, item):
        return Picture(*self.extents(item))

    def still(self, item):
        """The same once nothing in it moves any longer."""
        last = self.picture(item)
        for _ in range(20):
            time.sleep(0.25)
            now = self.picture(item)
            if now.bytes == last.bytes:
                return now
            last = now
        raise Failed(f"{item.get_name()} does not come to rest")

    # What can be done

    def key(self, *keys, pause=25):
        xdo("key", "--clearmodifiers", "--delay", pause, *keys)

    def type(self, text):
        xdo("type", "--clearmodifiers", "--delay", "6", "--", text)

    def click(self, item, x=0.5, y=0.5, button=1):
        left, top, width, height = self.extents(item)
        self.click_at(left + width * x, top + height * y, button)

    def click_at(self, x, y, button=1):
        """As a hand does: the pointer comes from beside, rests, presses."""
        xdo("mousemove", int(x) + 40, int(y) + 60)
        time.sleep(0.05)
        xdo("mousemove", int(x), int(y))
        time.sleep(0.1)
        xdo("click", button)

    def focus_newest(self):
        """There is no window manager to do it."""
        for _ in range(20):
            ids = subprocess.run(["xdotool", "search", "--onlyvisible", "--pid", str(self.process.pid), "--name", ".*"], capture_output=True, text=True)
            ids = ids.stdout.split()
            # One may go between being found and being focused.
            if ids and subprocess.run(["timeout", "5", "xdotool", "windowfocus", "--sync", ids[-1]], capture_output=True).returncode == 0:
                return
            self.alive()
            time.sleep(0.1)
        raise Failed("no window takes the focus")

    def drag(self, x1, y1, x2, y2):
        xdo("mousemove", int(x1), int(y1), "mousedown", 1)
        for step in range(1, 9):
            xdo("mousemove", int(x1 + (x2 - x1) * step / 8), int(y1 + (y2 - y1) * step / 8))
            time.sleep(0.03)
        xdo("mouseup", 1)

    def press(self, item):
        """Its first action, as a screen reader would."""
        Atspi.Action.do_action(item, 0)


def run(*tests):
    """Runs @tests one after the other, each by itself; prints the line that the build sums up."""
    passed = failed = skipped = 0
    for test in tests:
        start = time.monotonic()
        try:
            outcome = test()
        except Exception as error:  # noqa: BLE001
            failed += 1
            print(f"failed: {test.__name__}: {error}")
            if not isinstance(error, (Failed, GLib.Error)):
                traceback.print_exc(file=sys.stdout)
            try:
                path = os.path.join(os.environ.get("TL_GUI_PICTURES", FOLDER), test.__name__ + ".png")
                subprocess.run(["import", "-silent", "-window", "root", path], check=False)
            except OSError:
                pass
        else:
            if isinstance(outcome, str):
                skipped += 1
                print(f"skipped: {test.__name__}: {outcome}")
            else:
                passed += 1
                print(f"{test.__name__}: {time.monotonic() - start:.1f} s")
        sys.stdout.flush()
    print(f"tests: {passed} passed, {failed} failed, {skipped} skipped")
    sys.exit(failed > 0)
