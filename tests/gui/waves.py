"""Pipelines and single problems in the window, by keys alone and by pointer: what is said equals what tierc says."""
import json
import os
import re
import subprocess
import time

from desk import FOLDER, SOURCE, TIERC, Desk, Failed, run, text_of, wait

EXAMPLES = os.path.join(SOURCE, "examples")


def told(name):
    """What the command line says of the same program."""
    ran = subprocess.run([TIERC, "run", "--json", os.path.join(EXAMPLES, name)], capture_output=True, text=True, check=True,
                         env={**os.environ, "TIERLOOM_TARGETS": os.path.join(SOURCE, "targets")})
    return json.loads(ran.stdout)


def says(desk, name, words):
    return wait(f"{name} to say {words}", lambda: words in desk.describes("image", name) and desk.describes("image", name), 60)


def moment(desk):
    match = re.match(r"cycle ([\d,]+) of ([\d,]+)", desk.label("cycle ") or "")
    return tuple(int(number.replace(",", "")) for number in match.groups()) if match else None


def ready(desk, picture):
    """Run, and the values there."""
    says(desk, picture, "At ")
    if desk.has("push button", "Pause"):
        desk.press(desk.find("push button", "Pause"))
    return wait("a moment", lambda: moment(desk))


def unit(desk, name):
    """The step unit, by its drop-down and the keyboard."""
    at = ["cycle", "tile", "diagonal", "read"].index(name)
    desk.click(desk.find("combo box", "Step unit"))
    time.sleep(0.4)
    desk.key("Home", *["Down"] * at, "Return", pause=80)


def reads_by_keys():
    facts = told("align-reads.gdsl")
    desk = Desk(os.path.join(EXAMPLES, "align-reads.gdsl"))
    try:
        _, end = ready(desk, "Pipeline")
        if end != facts["makespan_ps"] // 1000:
            raise Failed(f"the window's run takes {end} cycles, tierc's {facts['makespan_ps']} ps")
        desk.click(desk.find("image", "Timeline"), 0.5, 0.03)  # the strip of the whole run: half of it
        middle = wait("the middle", lambda: moment(desk) and abs(moment(desk)[0] - end // 2) < end // 8 and moment(desk)[0])
        caption = says(desk, "Pipeline", "candidate")
        desk.key("Right", "Right", "Right")
        wait("a later tile", lambda: moment(desk)[0] > middle)
        desk.key("Left", "Left", "Left", "Left")
        wait("an earlier one", lambda: moment(desk)[0] <= middle)
        for name in ("diagonal", "read"):
            unit(desk, name)
            desk.click(desk.find("image", "Timeline"), 0.5, 0.03)
            before = wait("the middle again", lambda: moment(desk))[0]
            desk.key("Right")
            wait("a " + name + " on", lambda: moment(desk)[0] > before)
            desk.key("Left", "Left")
            wait("a " + name + " back", lambda: moment(desk)[0] < before)
        desk.key("F3")
        wait("the start", lambda: moment(desk)[0] == 0)
        says(desk, "Pipeline", "nothing is aligned yet")
        desk.key("space")
        wait("it plays", lambda: desk.has("push button", "Pause") and moment(desk)[0] > 0, 60)
        desk.key("space")
        if not caption:
            raise Failed("no caption")
        desk.close()
    finally:
        desk.kill()


def reads_by_pointer():
    facts = told("align-reads.gdsl")
    desk = Desk(os.path.join(EXAMPLES, "align-reads.gdsl"))
    try:
        ready(desk, "Pipeline")
        counters = says(desk, "Counters", "Reads placed")
        for words in ("Reads placed 10 of 10", f"Tiles {facts['ops']['total']}", f"Waves {facts['ops']['waves']}",
                      f"Queue at most {facts['queue']['high_water']} of {facts['queue']['depth']}"):
            if words not in counters:
                raise Failed(f"the counters lack {words}: {counters}")
        queue = says(desk, "Inspector", "align on gendram")
        if f"{facts['queue']['depth']} places" not in queue:
            raise Failed(queue)
        left, top, width, height = desk.extents(desk.find("image", "Pipeline"))
        desk.click_at(left + width * 0.5, top + height * 0.62)  # nothing is there; the keys go to the picture
        seen = {}
        for _ in range(60):
            desk.key("period")
            time.sleep(0.1)
            match = re.search(r"Selected: read (\d+), (\S+), ([\d,]+) letters", desk.describes("image", "Pipeline"))
            if match:
                seen[int(match.group(1))] = match.group(3)
            if len(seen) >= 2:
                break
        if len(seen) < 2:
            raise Failed("the keyboard does not reach the reads")
        last, letters = list(seen.items())[-1]
        card = says(desk, "Inspector", f"Read {last}:")
        if f"letters {letters}," not in card or "score" not in card or "look-up" not in card:
            raise Failed(card)
        # The matrix in the middle, and back.
        def button(name):
            return wait(name, lambda: next((item for item in desk.items() if (item.get_name() or "").startswith(name)), None))
        desk.press(button("Matrix and alignment"))
        time.sleep(0.5)
        desk.click(desk.find("image", "Pipeline"), 0.1, 0.1)
        desk.key("comma")
        wait("a tile or the alignment", lambda: re.search(r"Selected: (tile \[|both sequences)", desk.describes("image", "Pipeline")))
        desk.press(button("Search, queue and Compute"))
        desk.press(desk.find("page tab", "Table"))
        wait("its rows", lambda: any(re.match(r"(Search|Compute) PU \d+: ", text_of(item)) for item in desk.items(whole=True)
                                     if item.get_role_name() == "label"))
        desk.press(desk.find("page tab", "Passes"))
        wait("what was recognised", lambda: any(
            item.get_role_name() == "label" and text_of(item).startswith("H over (max, +); a cell waits for [i-1,j-1], [i-1,j], [i,j-1].")
            for item in desk.items(whole=True)))
        desk.close()
    finally:
        desk.kill()


def one_pair():
    facts = told("affine-gaps.gdsl")
    desk = Desk(os.path.join(EXAMPLES, "affine-gaps.gdsl"))
    try:
        _, end = ready(desk, "Matrix")
        if end != facts["makespan_ps"] // 1000:
            raise Failed(f"{end} cycles, tierc says {facts['makespan_ps']} ps")
        said = says(desk, "Inspector", "score")
        unit(desk, "cycle")
        desk.click(desk.find("image", "Matrix"), 0.3, 0.4)
        before = moment(desk)[0]
        desk.key("Right", "Right")
        wait("two cycles on", lambda: moment(desk)[0] == before + 2)
        # From the cell that was clicked down and right; the card says the same.
        wait("a cell", lambda: re.search(r"Selected: cell \(\d+,\d+\)", desk.describes("image", "Matrix")))
        desk.key("Down", "Down", "period", pause=200)
        found = wait("another cell", lambda: re.search(r"Selected: cell \((\d+),(\d+)\): (\S+?),? ", desk.describes("image", "Matrix")))
        card = says(desk, "Inspector", "Cell (")
        if f"Cell ({found.group(1)},{found.group(2)}) value {found.group(3)}" not in card:
            raise Failed(f"{found.group(0)} against {card}")
        score = re.search(r'"score": (-?\d+)', json.dumps(facts)).group(1)
        if f"score {score} " not in said:
            raise Failed(f"tierc says {score}, the card {said}")
        desk.close()
    finally:
        desk.kill()


def a_trellis():
    facts = told("viterbi.gdsl")
    desk = Desk(os.path.join(EXAMPLES, "viterbi.gdsl"))
    try:
        _, end = ready(desk, "Matrix")
        if end != facts["makespan_ps"] // 1000:
            raise Failed(f"{end} cycles, tierc says {facts['makespan_ps']} ps")
        says(desk, "Matrix", "wave 5 of 9")
        unit(desk, "diagonal")
        desk.click(desk.find("image", "Timeline"), 0.5, 0.6)
        desk.key("F3", "Right", "Right")
        wait("the third wave", lambda: "wave 3 of 9" in desk.describes("image", "Matrix"))
        desk.close()
    finally:
        desk.kill()


def a_figure_of_waves():
    desk = Desk(os.path.join(EXAMPLES, "edit-distance.gdsl"))
    path = os.path.join(FOLDER, "waves.svg")
    try:
        ready(desk, "Matrix")
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
        for words in ('id="cell-15-13"', "Alignment", "algorithm edit"):
            if words not in svg:
                raise Failed(f"the figure lacks {words}")
    finally:
        desk.kill()


def wrong_from_the_beginning():
    """No picture yet, and why; then the picture, once the text is right. Leaves unsaved text, so it comes last."""
    path = os.path.join(FOLDER, "wrong.gdsl")
    with open(os.path.join(EXAMPLES, "products", "expert-up.gdsl"), encoding="utf-8") as example:
        text = example.read()
    wrong = "layout gf2 [domain: 8 16 | row: | column: 1 2 4]"
    with open(path, "w", encoding="utf-8") as program:
        program.write(text.replace("place W = plan", "place W = " + wrong))
    desk = Desk(path)
    try:
        wait("no picture yet", lambda: desk.label("the text has errors; there is no picture yet"), 60)
        wait("the reason", lambda: "this is no layout of a tile of W" in (desk.label("No picture yet. Line 7") or ""))
        problem = wait("the problem in the list",
                       lambda: next((item.get_name() for item in desk.items()
                                     if item.get_role_name() == "list item" and item.get_name().startswith("Error")), None))
        if "7" not in problem or "no layout of a tile of W" not in problem:
            raise Failed("the problem says " + problem)
        desk.click(desk.find("text", "Program text"), 0.6, 0.9)
        desk.key("ctrl+End", *["BackSpace"] * (len(wrong) + 1), pause=20)
        desk.type("plan")
        desk.key("Escape")
        wait("up to date", lambda: desk.label("up to date"), 60)
        if moment(desk) is None:
            raise Failed("there is still no moment")
    finally:
        desk.kill()


run(reads_by_keys, reads_by_pointer, one_pair, a_trellis, a_figure_of_waves, wrong_from_the_beginning)
