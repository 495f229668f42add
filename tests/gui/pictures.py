"""Each panel as a picture, light and dark: not blank, and its own colours where they belong."""
from desk import Desk, Failed, run, wait

# Tokens of the theme: background, hit, miss, conflict, compute, broadcast, ink.
THEMES = {
    "light": {"view": (255, 255, 255), "header": (235, 235, 235), "hit": (0, 114, 178), "conflict": (213, 94, 0), "compute": (0, 158, 115),
              "broadcast": (204, 121, 167), "ink": (34, 34, 34)},
    "dark": {"view": (30, 30, 30), "header": (48, 48, 48), "hit": (59, 154, 219), "conflict": (240, 116, 58), "compute": (33, 185, 140),
             "broadcast": (222, 148, 188), "ink": (242, 242, 242)},
}
# What must be seen in a panel, with the least number of pixels.
PANELS = {
    "Stack": {"broadcast": 30},
    "Tile map": {},
    "Inspector": {"ink": 20},
    "Timeline": {"compute": 200, "broadcast": 100},
    "Counters": {"header": 2000, "hit": 20, "conflict": 8},
}


def look(theme):
    colors = THEMES[theme]
    desk = Desk(**({"ADW_DEBUG_COLOR_SCHEME": "prefer-dark"} if theme == "dark" else {"ADW_DEBUG_COLOR_SCHEME": "prefer-light"}))
    try:
        wait("an up-to-date picture", lambda: desk.label("up to date") and desk.label("cycle "), 30)
        if desk.has("push button", "Pause"):
            desk.press(desk.find("push button", "Pause"))
        desk.find("push button", "Play")
        for name, wanted in PANELS.items():
            picture = desk.picture(desk.find("image", name))
            there = picture.colors()
            if len(there) < 8:
                raise Failed(f"{name} ({theme}) is blank: {len(there)} colours")
            common = max(there, key=there.get)
            if there[common] > 0.985 * picture.width * picture.height:
                raise Failed(f"{name} ({theme}) is nearly all of one colour")
            for role, least in wanted.items():
                if picture.near(colors[role]) < least:
                    raise Failed(f"{name} ({theme}) has {picture.near(colors[role])} pixels of {role}, not {least}")
        if theme == "dark" and sum(max(desk.picture(desk.find('image', 'Stack')).colors().items(), key=lambda at: at[1])[0]) > 300:
            raise Failed("the dark window is light")
        map_picture = desk.picture(desk.find("image", "Tile map"))
        # Tile (0, 1) is PU 1's, whose hue is orange; (0, 0) is PU 0's, blue.
        pitch = min(map_picture.width - 28, map_picture.height - 18) // 16
        blue, orange = map_picture.pixel(24 + 2, 14 + 2), map_picture.pixel(24 + pitch + 2, 14 + 2)
        if not (blue[2] > blue[0] and orange[0] > orange[2]):
            raise Failed(f"owners have other hues: PU 0 {blue}, PU 1 {orange}")
        desk.close()
    finally:
        desk.kill()


def panels_in_light():
    look("light")


def panels_in_dark():
    look("dark")


run(panels_in_light, panels_in_dark)
