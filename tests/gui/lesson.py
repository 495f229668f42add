"""The lessons by keyboard and pointer: what is covered stays covered until it is guessed or revealed."""
from desk import Desk, Failed, run, text_of, wait

desk = Desk()


def expect(start):
    return wait(f"the history {start}", lambda: desk.label(start) == start)


def opened(title):
    wait("the lesson " + title, lambda: any((window.get_name() or "") == title for window in desk.windows()))


def rows_and_banks_is_guessed():
    desk.press(desk.find("push button", "Lesson: rows and banks"))
    opened("Rows and banks")
    desk.find("image", "Rows and banks")
    expect("?")
    desk.key("c")  # wrong: the bank is closed
    wait("a word about the wrong guess", lambda: desk.label("Not conflict"))
    expect("?")
    desk.key("m")
    expect("M ?")
    for letters, key in (("M C ?", "c"), ("M C C ?", "C"), ("M C C C ?", "space")):
        if key == "space":
            desk.press(desk.find("push button", "Reveal the answer"))
        else:
            desk.key(key)
        expect(letters)
    desk.key("Left")
    expect("M C C ?")
    if "So far: M C C ?" not in desk.describes("image", "Rows and banks"):
        raise Failed("the picture does not say what it shows")
    for _ in range(5):
        desk.key("Right")
    expect("M C C C C C C C")


def the_other_map_is_one_key_away():
    desk.key("Page_Down")
    expect("?")
    for key in "MHHHCHHH":
        desk.key(key.lower())
    expect("M H H H C H H H")
    wait("the moral", lambda: desk.label("Bit 1 changes once") or any(
        "Bit 1 changes once" in text_of(item) for item in desk.items() if item.get_role_name() == "label"))
    desk.key("Page_Up")
    expect("?")


def answers_can_be_clicked():
    desk.click(desk.find("push button", "Answer opening miss"))
    expect("M ?")
    desk.click(desk.find("push button", "One step back"))
    expect("?")


def escape_closes_it():
    desk.key("Escape")
    wait("the main window alone", lambda: not desk.has("push button", "Reveal the answer"))


def from_examples(title):
    """By the pointer to the list, by the keyboard to the row: a popover's place on the screen is not told."""
    desk.focus_newest()
    desk.click(desk.find("push button", "Examples"))
    wait("the focus in the list of examples", lambda: (item := desk.focus()) is not None and item.get_role_name() == "list item")
    for _ in range(30):
        if (desk.focus().get_name() or "").startswith("Lesson: " + title):
            break
        desk.key("Down")
    desk.key("Return")
    opened(title)
    desk.find("image", title)


def owners_come_from_the_examples():
    from_examples("Owners and M")
    for letters in ("F A", "A F", "O A", "A O"):
        expect("?")
        desk.key(letters[0].lower())
        expect(letters[0] + " ?")
        desk.key(letters[2].lower())
        expect(letters)
        desk.key("Page_Down")
    desk.key("Escape")
    wait("the lesson closed", lambda: len(desk.windows()) == 1)


def tiers_open_their_program():
    from_examples("Tiers")
    wait("the case that the others are held against", lambda: desk.label("Half of the requests"))
    for letters in ("S R", "S F"):
        desk.press(desk.find("push button", "Next case"))
        expect("?")
        desk.key(letters[0].lower(), letters[2].lower())
        expect(letters)
    desk.press(desk.find("push button", "Open this case's program"))
    wait("the program in a window of its own", lambda: any(
        "place D = stripe 0..7" in text_of(item) and "road(168, 7)" in text_of(item) for item in desk.items() if item.get_role_name() == "text"))


run(rows_and_banks_is_guessed, the_other_map_is_one_key_away, answers_can_be_clicked, escape_closes_it, owners_come_from_the_examples, tiers_open_their_program, desk.close)
