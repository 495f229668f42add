"""The lenses that have windows of their own: the eight units by one drag, a map written into the text, layouts by keys."""
import os

from desk import SOURCE, Desk, Failed, run, text_of, wait

desk = Desk(os.path.join(SOURCE, "examples", "products", "expert-up.gdsl"))


def says(name, words):
    wait(f"{name} to say {words}", lambda: words in desk.describes("image", name))


def closed():
    wait("one window", lambda: len(desk.windows()) == 1)
    desk.focus_newest()


def one_of(roles, name):
    """Versions of GTK call the same thing by other roles."""
    return wait(f"a {roles[0]} called {name}", lambda: next(filter(None, (desk.look(role, name) for role in roles)), None))


def program_holds(words):
    return any(words in text_of(item) for item in desk.items() if item.get_role_name() == "text")


def a_map_goes_into_the_text():
    wait("the program", lambda: program_holds("data W"))
    desk.key("ctrl+l")
    says("Layout", "a tile of W")
    desk.focus_newest()
    # What the run takes, of the maps that tie: 1 16 32 and 2 4 8.
    says("Layout", "gf2 [domain: 1 16 32")
    says("Layout", "0 conflicts")
    desk.key("Down", "Down", "Right")
    says("Layout", "At domain 1, c4: one")
    desk.key("space")
    says("Layout", "Rank 5 of 6")
    if program_holds("layout gf2"):
        raise Failed("a map that is not one to one was written")
    desk.key("space", "shift+Right")
    says("Layout", "gf2 [domain: 1 8 32")
    desk.press(desk.find("push button", "Apply to the Program"))
    wait("the place line", lambda: program_holds("place W = layout gf2 [domain: 1 8 32 | row: | column: 2 4 16]"))


def eight_units_by_one_drag():
    desk.click(desk.find("combo box", "What is shown"))
    desk.key("Up", "Up", "Return", pause=120)
    says("Layout", "0 hits, 7 conflicts")
    area = desk.find("image", "Layout")
    x, y, _, _ = desk.extents(area)
    desk.drag(x + 137, y + 99, x + 179, y + 99)
    says("Layout", "6 hits, 1 conflicts")
    says("Layout", "row: 2 |")
    desk.press(desk.find("push button", "Take the last edit back"))
    says("Layout", "0 hits, 7 conflicts")
    desk.click_at(x + 179, y + 99)
    says("Layout", "row: 6 |")
    desk.key("Escape")
    says("Layout", "row: 4 |")
    desk.key("Escape", "ctrl+w")
    closed()


def registers_follow_the_text():
    desk.key("ctrl+r")
    says("Register layout", "128 threads with 128 values")
    desk.focus_newest()
    says("Register layout", "W[0,0]")
    desk.key("Right", "Down")
    says("Register layout", "W[1,1]")
    says("Register layout", "tier ")
    table = one_of(("toggle button", "push button"), "Table")
    desk.press(table)
    one_of(("table", "tree table"), "The layout as a table")
    desk.press(table)
    entry = desk.find("text", "Layout")
    desk.click(entry)
    desk.key("ctrl+a")
    desk.type("local(2,1).spatial(8,4)")
    says("Register layout", "32 threads with 2 values")
    if "W[" in desk.describes("image", "Register layout"):
        raise Failed("another layout is shown as the program's")
    desk.type("(")
    says("Register layout", "cannot be read")
    desk.key("ctrl+w")
    closed()


run(a_map_goes_into_the_text, eight_units_by_one_drag, registers_follow_the_text, desk.close)
