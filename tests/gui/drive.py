"""Edit, step, break, mend: the window read through accessibility while it is used."""
import os
import re
import time

from desk import FOLDER, Desk, Failed, run, text_of, wait

desk = Desk()


state = desk.find("label", "up to date", 30)
caption = wait("the caption", lambda: next((item for item in desk.items() if item.get_role_name() == "label" and " PUs " in text_of(item)), None))


play = desk.find("push button", "Pause")


def cycle():
    match = re.match(r"cycle ([\d,]+) of ([\d,]+)", desk.label("cycle ") or "")
    return tuple(int(number.replace(",", "")) for number in match.groups()) if match else None


def settled():
    """Cycle and makespan of an up-to-date picture."""
    return wait("an up-to-date picture", lambda: text_of(state) == "up to date" and cycle())


def paused():
    if play.get_name() == "Pause":
        desk.press(play)
    wait("a still picture", lambda: play.get_name() == "Play")


def write(old, new):
    """Puts @new in the place of @old in the program, with the keyboard."""
    text = desk.program()
    at = text.index(old)
    desk.click(desk.find("text", "Program text"), 0.6, 0.9)
    desk.key("ctrl+Home", *["Right"] * at, *["shift+Right"] * len(old), pause=4)
    if new:
        desk.type(new)
    else:
        desk.key("Delete")
    wanted = text[:at] + new + text[at + len(old):]
    wait("the edit in the text", lambda: desk.program() == wanted)
    desk.key("Escape")


def undo_to(text):
    for _ in range(60):
        if desk.program() == text:
            return
        desk.key("ctrl+z")
        time.sleep(0.03)
    raise Failed("undo does not lead back to the text:\n" + desk.program())


def chosen_tile(i, j, tiles):
    """Clicks tile (i, j) of the map and gives what the map then says."""
    item = desk.find("image", "Tile map")
    left, top, width, height = desk.extents(item)
    pitch = min(width - 28, height - 18) / tiles
    pitch = min(pitch // 1, 40) if pitch >= 9 else pitch
    desk.click_at(left + 24 + (j + 0.5) * pitch, top + 14 + (i + 0.5) * pitch)
    return wait("the tile in words", lambda: re.search(rf"tile \[{i},{j}\]: PU \d+", desk.describes("image", "Tile map"))).group(0)


def it_opens_moving():
    first = settled()[0]
    wait("another cycle", lambda: cycle() and cycle()[0] != first)
    if desk.program().count("\n") != 5:
        raise Failed("the program is not the one of four lines and its placement")


def an_edit_changes_owners_caption_and_time():
    paused()
    text, (_, makespan) = desk.program(), settled()
    before = chosen_tile(1, 0, 16)
    if before != "tile [1,0]: PU 16":
        raise Failed(before)
    said = text_of(caption)
    write("page = open", "page = open, owner = skewed")
    wait("another makespan", lambda: settled()[1] != makespan)
    wait("another owner", lambda: "tile [1,0]: PU 17" in desk.describes("image", "Tile map"))
    wait("another caption", lambda: text_of(caption) != said)
    undo_to(text)
    wait("the makespan of before", lambda: settled()[1] == makespan)
    wait("the owner of before", lambda: "tile [1,0]: PU 16" in desk.describes("image", "Tile map"))


def step_and_back_are_one():
    paused()
    settled()
    chosen_tile(1, 0, 16)  # the keys go to the pictures, one after the other; a button pressed for a reader waits a while
    desk.key("Right")  # another text of another length leaves the moment between two events
    time.sleep(2)
    at, _ = settled()
    words = wait("what the stack shows, in words", lambda: desk.describes("image", "Stack"))
    picture = desk.still(desk.find("image", "Stack"))
    desk.key(*["Right"] * 12)  # several events may share a cycle
    wait("a later cycle", lambda: cycle()[0] > at)
    desk.key(*["Left"] * 12)
    wait("the same cycle", lambda: cycle()[0] == at)
    wait("the same words", lambda: desk.describes("image", "Stack") == words)
    try:
        wait("the same picture", lambda: desk.picture(desk.find("image", "Stack")).bytes == picture.bytes)
    except Failed:
        for name, shown in (("before", picture), ("after", desk.picture(desk.find("image", "Stack")))):
            shown.save(os.path.join(os.environ.get("TL_GUI_PICTURES", FOLDER), f"stack-{name}.png"))
        raise


def a_knob_writes_the_text_and_undoes():
    text, (_, makespan) = desk.program(), settled()
    field = desk.find("text", "Tile B")
    desk.click(field)
    desk.key("ctrl+a")
    desk.type("128")
    desk.key("Return")
    wait("the knob in the text", lambda: "tile = 128" in desk.program())
    wait("another makespan", lambda: settled()[1] != makespan)
    desk.click(desk.find("text", "Program text"), 0.6, 0.9)
    undo_to(text)
    wait("the makespan of before", lambda: settled()[1] == makespan)


def a_dragged_knob_undoes():
    text = desk.program()
    left, top, width, height = desk.extents(desk.find("slider", "Tile B"))
    desk.drag(left + width * 0.9, top + height / 2, left + width * 0.5, top + height / 2)
    wait("the knob in the text", lambda: "tile = " in desk.program())
    settled()
    desk.click(desk.find("text", "Program text"), 0.6, 0.9)
    undo_to(text)


def a_broken_program_keeps_its_picture():
    text, (_, makespan) = desk.program(), settled()
    stack = desk.find("image", "Stack")
    before = len(desk.picture(stack).colors())
    write("min(", "min((")
    wait("word of the error", lambda: text_of(state).startswith("the text has errors"))
    problem = wait("the problem in the list",
                   lambda: next((item for item in desk.items() if item.get_role_name() == "list item" and item.get_name().startswith("Error")), None))
    if len(problem.get_name()) < 12:
        raise Failed("the problem says nothing: " + problem.get_name())
    dimmed = desk.picture(stack)
    if len(dimmed.colors()) < before / 3:
        raise Failed("the picture did not stay")
    undo_to(text)
    wait("the makespan of before", lambda: settled()[1] == makespan)


def any_text_leaves_it_usable():
    text = desk.program()
    desk.click(desk.find("text", "Program text"), 0.6, 0.9)
    for junk in ("\u00e4\u20ac\U0001d11e }{", "config target = nowhere", "data D: i32 = graph(\"none.txt\")"):
        desk.key("ctrl+a")
        desk.type(junk)
        desk.key("Escape")
        wait("word of the error", lambda: text_of(state).startswith("the text has errors"))
    undo_to(text)
    settled()


def a_figure_is_exported():
    path = os.path.join(FOLDER, "exported.svg")
    desk.key("ctrl+e")
    desk.press(desk.find("push button", "Save the figure Save…"))
    wait("the file chooser", lambda: len(desk.windows()) == 3)
    time.sleep(1)
    desk.focus_newest()
    desk.key("ctrl+a")
    desk.type(path)
    time.sleep(0.3)
    desk.key("Return")
    wait("the figure", lambda: os.path.exists(path) and os.path.getsize(path) > 1000)
    with open(path, encoding="utf-8") as figure:
        svg = figure.read()
    if "<svg" not in svg or "<text" not in svg or "algorithm apsp" not in svg:
        raise Failed("the figure is none, or holds no program")
    if len(svg) > 150 * 1024:
        raise Failed(f"the figure has {len(svg)} bytes")
    wait("the chooser gone", lambda: len(desk.windows()) < 3)


run(it_opens_moving, an_edit_changes_owners_caption_and_time, step_and_back_are_one, a_knob_writes_the_text_and_undoes,
    a_dragged_knob_undoes, a_broken_program_keeps_its_picture, any_text_leaves_it_usable, a_figure_is_exported, desk.close)
