"""Runs a program in a terminal of 40 lines and 120 columns: terminal.py STEPS PROGRAM ARGUMENTS...

STEPS is JSON: a list of [words to wait for on the screen, keys to press then]. Prints as JSON the
screen at each step, the steps that were not reached, and the controls that the program sent; exits
as the program did.
"""

import fcntl
import json
import os
import pty
import re
import select
import struct
import sys
import termios
import time

LINES, COLUMNS = 40, 120
CONTROL = re.compile(r"\x1b\[[?>]?([\d;]*)([A-Za-z])")

steps = json.loads(sys.argv[1])
pid, terminal = pty.fork()
if pid == 0:
    time.sleep(0.2)  # until the size is set
    os.environ["TERM"] = "xterm-256color"
    os.execv(sys.argv[2], sys.argv[2:])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))

screen = [[" "] * COLUMNS for _ in range(LINES)]
line = column = 0
pending = ""
controls, screens = set(), []


def draw(text):
    """Draws what has come as far as it is complete, and returns the rest."""
    global line, column
    while text:
        if text[0] == "\x1b":
            control = CONTROL.match(text)
            if not control:
                return text
            controls.add(control[0][1:])
            if control[2] == "H":
                place = [int(number or 1) - 1 for number in (control[1] or "1").split(";")]
                line, column = place[0], place[1] if len(place) > 1 else 0
            elif control[2] == "J":
                for cells in screen:
                    cells[:] = " " * COLUMNS
            text = text[control.end():]
            continue
        if line < LINES and column < COLUMNS:
            screen[line][column] = text[0]
        column += 1
        text = text[1:]
    return ""


until = time.monotonic() + 30
while time.monotonic() < until:
    if select.select([terminal], [], [], 0.1)[0]:
        try:
            read = os.read(terminal, 65536)
        except OSError:
            break
        if not read:
            break
        pending = draw(pending + read.decode(errors="replace"))
    shown = "\n".join("".join(cells).rstrip() for cells in screen)
    if steps and steps[0][0] in shown:
        screens.append(shown)
        os.write(terminal, steps.pop(0)[1].encode())
else:
    screens.append(shown)
    os.kill(pid, 9)
_, status = os.waitpid(pid, 0)
print(json.dumps({"screens": screens, "left": steps, "controls": sorted(controls)}))
sys.exit(os.waitstatus_to_exitcode(status) & 255)
