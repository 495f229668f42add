"""Every control by Tab: each is reached, and none is without a name."""
import time

from desk import Atspi, Desk, Failed, GLib, run, wait

desk = Desk()
PARTS = ("combo box", "push button", "spin button", "toggle button", "list", "table row", "tree table")  # what a nameless inside borrows its name from


def name_of(item):
    """An item's name; that of the control it is the inside of; None when a reader would hear nothing."""
    for _ in range(4):
        name = item.get_name() or ""
        if name and not name.startswith(("Gtk", "Adw", "Tl")):
            return name
        item = item.get_parent()
        if item is None or item.get_role_name() not in PARTS:
            return None
    return None


def tab_reaches_all():
    """Ctrl+Tab leaves the editor, where Tab indents."""
    wait("a picture", lambda: desk.label("cycle "), 30)
    desk.press(desk.find("push button", "Pause"))  # a window that plays is slow to ask
    seen, nameless, last = [], [], None
    for _ in range(120):
        item = wait("something with the focus", desk.focus)
        try:
            name, role = name_of(item), item.get_role_name()
            box = Atspi.Component.get_extents(item, Atspi.CoordType.WINDOW)
        except GLib.Error:
            continue
        at = (role, name, box.x, box.y)
        if at == last:
            raise Failed(f"the focus stays on {role} {name}")
        last = at
        if at in seen[:3]:
            break
        seen.append(at)
        if name is None:
            nameless.append(f"{role} {item.get_name()} at {box.x},{box.y}")
        desk.key("ctrl+Tab" if role == "text" else "Tab")
        time.sleep(0.05)
    names = [name for _, name, _, _ in seen]
    for wanted in ("Program text", "Stack", "Tile map", "Timeline", "Play", "Step", "Step back", "Step unit", "Examples", "Main menu",
                   "Lesson: rows and banks", "Flat stack", "Milliseconds a step is shown"):
        if wanted not in names and not (wanted == "Play" and "Pause" in names):
            raise Failed(f"Tab does not reach {wanted}: {names}")
    if nameless:
        raise Failed("without a name: " + "; ".join(nameless))
    print(f"{len(seen)} controls")


def nothing_focusable_is_nameless():
    nameless = []
    for item in desk.items(whole=True):
        try:
            states = item.get_state_set()
            if states.contains(Atspi.StateType.FOCUSABLE) and states.contains(Atspi.StateType.VISIBLE) and name_of(item) is None:
                if item.get_role_name() not in ("filler", "scroll pane", "list item"):
                    box = Atspi.Component.get_extents(item, Atspi.CoordType.WINDOW)
                    nameless.append(f"{item.get_role_name()} {item.get_name()} at {box.x},{box.y}")
        except GLib.Error:
            pass
    if nameless:
        raise Failed("; ".join(nameless))


run(tab_reaches_all, nothing_focusable_is_nameless, desk.close)
