"""A memory trace in its window: it runs on a target, steps both ways, and tells why rows were closed; all by keys."""
import os

from desk import FOLDER, Desk, Failed, run, wait

TRACE = os.path.join(FOLDER, "tiles.trace")
with open(TRACE, "w") as trace:
    for tile in range(24):
        for row in range(48):
            at = tile * 128 + row * 8192
            trace.write(f"LD 0x{at:x}\nLD 0x{at + 64:x}\n")


def caption(desk):
    return desk.describes("image", "Stack")


def card(desk):
    """It lies in a popover of the picture that it was asked on."""
    return any((item.get_name() or "").startswith("Why the row") for item in desk.items(whole=True))


def opened(desk):
    wait("the trace's picture", lambda: "domains have a row open" in caption(desk), 60)
    desk.click(desk.find("image", "Stack"), 0.3, 0.05)
    desk.key("Escape")


def it_runs_and_steps():
    desk = Desk(TRACE)
    try:
        opened(desk)
        desk.find("combo box", "Target")
        first = caption(desk)
        if "Conflict" not in first:
            raise Failed(f"the first moment is no conflict's: {first}")
        for _ in range(3):
            desk.key("Right")
            now = wait("a step on", lambda: caption(desk) != first and caption(desk))
        for _ in range(3):
            desk.key("Left")
        wait(f"three steps back to where it was; it says {now}", lambda: caption(desk) == first)
        desk.key("F3")
        wait("the start", lambda: desk.label("cycle 0 of") or desk.find("image", "Timeline"))
        wait("few open rows at the start", lambda: "0 of 128 domains" in caption(desk) or "1 of 128 domains" in caption(desk))
        desk.key("n")
        wait("the first conflict", lambda: "Conflict" in caption(desk))
        wait("the card", lambda: card(desk))
        desk.key("n", "n")
        desk.key("Escape")
        desk.close()
    finally:
        desk.kill()


def hot_spots_lead_to_conflicts():
    desk = Desk(TRACE)
    try:
        opened(desk)
        spots = desk.find("image", "Hot spots")
        picture = desk.picture(spots)
        if len(picture.colors()) < 8:
            raise Failed("the hot spots are blank")
        before = desk.describes("image", "Stack")
        # The second section's first row: the address bits that differ most.
        desk.click(spots, 0.2, 0.45)
        wait("the card", lambda: card(desk))
        desk.key("Escape")
        wait("another moment", lambda: "Conflict" in caption(desk) and before)
        desk.close()
    finally:
        desk.kill()


def an_event_is_found_by_words():
    desk = Desk(TRACE)
    try:
        opened(desk)
        desk.key("F3")
        desk.key("ctrl+f")
        wait("the entry", lambda: desk.focus() is not None and desk.focus().get_role_name() in ("text", "entry"))
        desk.type("ACT tier:1 bank:2")
        desk.key("Return")
        wait("an ACT of tier 1 bank 2", lambda: caption(desk).find("ACT: row 0 of tier 1 bank 2") >= 0)
        desk.key("Return")
        wait("the next one", lambda: caption(desk).find("of tier 1 bank 2") >= 0 and "row 0" not in caption(desk).split(".")[0])
        desk.key("shift+Return")
        wait("the first again", lambda: caption(desk).find("ACT: row 0 of tier 1 bank 2") >= 0)
        desk.close()
    finally:
        desk.kill()


run(it_runs_and_steps, hot_spots_lead_to_conflicts, an_event_is_found_by_words)
