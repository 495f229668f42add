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


run(rows_and_banks_is_guessed, the_other_map_is_one_key_away, answers_can_be_clicked, escape_closes_it, desk.close)
