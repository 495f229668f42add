"""Random keys and pointer, then kill -9 while typing: no critical, no crash, at most three seconds of typing lost.
TL_GUI_SECONDS: how long the random part goes on; TL_GUI_KILLS: how often it is killed; TL_TEST_SEED: what is random."""
import os
import shutil
import signal
import string
import time

from desk import Desk, Failed, Random, run, text_of, wait, xdo

SECONDS = float(os.environ.get("TL_GUI_SECONDS", "60"))
KILLS = int(os.environ.get("TL_GUI_KILLS", "2"))
SEED = int(os.environ.get("TL_TEST_SEED", "20241129"))

# Nothing here ends the program or writes outside the private folder on purpose.
KEYS = ["Tab", "shift+Tab", "Return", "Escape", "BackSpace", "Delete", "Up", "Down", "Left", "Right", "Home", "End", "Page_Up", "Page_Down", "space",
        "ctrl+z", "ctrl+shift+z", "ctrl+a", "ctrl+c", "ctrl+v", "ctrl+x", "ctrl+f", "ctrl+space", "ctrl+e", "ctrl+comma", "F1", "F8", "F9", "F10", "F11",
        "ctrl+Home", "ctrl+End", "shift+Down", "period", "comma", "w", "s", "a", "d", "alt+1", "alt+2", "ctrl+question", "question", "plus", "minus"]
WORDS = ["tile = 64", "owner = skewed", "place D = tier 3\n", "min(", ")", "config ", "D[i,j]", " for k", "data D: i32 = road(64, 1)\n", "mode = none", "99999999999",
         "barriers = strict", ",", "\n", "#", "\"", "page = closed", "target = gendram", "\t", "{}"]


def one(random, desk):
    """A few random deeds as one call of xdotool."""
    words = []
    for _ in range(random.below(6) + 1):
        kind = random.below(10)
        x, y = random.below(1225), 60 + random.below(735)
        if kind < 3:
            words += ["key", "--clearmodifiers", KEYS[random.below(len(KEYS))]]
        elif kind == 3:
            words += ["type", "--delay", "3", "--", "".join(string.printable[random.below(95)] for _ in range(random.below(6) + 1)), ]
            break  # type takes all that follows
        elif kind == 4:
            words += ["type", "--delay", "3", "--", WORDS[random.below(len(WORDS))]]
            break
        elif kind < 8:
            words += ["mousemove", x, y, "click", 1 if random.below(8) else 3]
        elif kind == 8:
            words += ["mousemove", x, y, "click", "--repeat", random.below(8) + 1, "--delay", "8", 4 + random.below(2)]
        else:
            words += ["mousemove", x, y, "mousedown", 1, "mousemove", random.below(1225), 60 + random.below(735), "mouseup", 1]
    xdo(*words)


def random_input_does_no_harm():
    random, deeds, starts = Random(SEED), 0, 0
    print(f"seed {SEED}, {SECONDS:.0f} s")
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        desk = Desk(G_DEBUG="")  # what is critical and not GTK's own is found when it is closed
        starts += 1
        try:
            while time.monotonic() < end:
                one(random, desk)
                deeds += 1
                if desk.process.poll() == 0:  # a menu holds Quit
                    if any("CRITICAL" in line for line in desk.complaints()):
                        raise Failed("\n".join(desk.complaints()))
                    break
                desk.alive()
                if deeds % 16 == 0:  # a window that went took the keys with it
                    try:
                        desk.focus_newest()
                    except Failed:
                        if desk.process.poll() != 0:
                            raise
                        break
            else:
                time.sleep(1)
                desk.alive()
                desk.close(warned=True)
                for line in desk.complaints():
                    print("it said:", line)
        finally:
            desk.kill()
    print(f"{deeds} bursts in {starts} starts")


def killed_while_typing():
    """What was typed more than three seconds before the kill is there again."""
    random = Random(SEED + 1)
    for _ in range(KILLS):
        shutil.rmtree(os.environ["XDG_STATE_HOME"])
        os.mkdir(os.environ["XDG_STATE_HOME"])
        desk = Desk()
        try:
            desk.find("text", "Program text", 30)
            desk.click(desk.find("text", "Program text"), 0.6, 0.9)
            desk.key("ctrl+End")
            desk.type("\n# ")
            log, end = [], time.monotonic() + 4 + random.below(4000) / 1000
            while time.monotonic() < end:
                word = f"w{len(log)}x "
                desk.type(word)
                log.append((time.monotonic(), word))
            desk.process.send_signal(signal.SIGKILL)
            killed = time.monotonic()
            desk.process.wait(10)
        finally:
            desk.kill()
        desk = Desk()
        try:
            wait("the text again", lambda: "# w0x" in desk.program(), 20)
            text = desk.program()
            for at, word in log:
                if at < killed - 3 and word not in text + " ":
                    raise Failed(f"{word} was typed {killed - at:.1f} s before the end and is lost:\n{text}")
        finally:
            desk.kill()


def the_window_still_opens():
    """After all of that, whatever it left behind."""
    desk = Desk()
    try:
        desk.find("text", "Program text", 20)
        text_of(desk.find("text", "Program text"))
        desk.close()
    finally:
        desk.kill()


run(random_input_does_no_harm, killed_while_typing, the_window_still_opens)
