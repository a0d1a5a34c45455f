"""User interfaces of a match in the terminal. `Screen` prints sentences for screen readers; `DrawnScreen` draws cards,
in a full-screen window if possible.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from facedown.core.table import LogLine, Table, TouchStep
from facedown.terminal.i18n import _, n_
from facedown.terminal.screen_reader import own_card_sentences, table_sentences
from facedown.terminal.text_blocks import help_without_touch_sentences, remove_bold_marks, wrap_text

if TYPE_CHECKING:
    from facedown.terminal.terminal_window import Window

#: Columns and rows of a drawn table if the output is not a terminal.
PRINTED_SIZE = (80, 24)


class TableSource(Protocol):
    """Protocol of an object that a screen can show: a match or a lesson. The object returns the table to be shown."""

    def table(self) -> Table:
        """Return the table as the player sees it."""
        ...


class Screen:
    """User interface that prints sentences, so that a screen reader can read them aloud.

    `ask` shows a prompt and returns the line that is typed; `out` prints a text.
    """

    def __init__(self, ask: Callable[[str], str], out: Callable[[str], None]) -> None:
        self._ask = ask
        self._out = out
        self.last_sentences: list[str] = []
        """The sentences about the player's own cards when they were last shown."""
        self.phase = ""

    def ask(self, prompt: str) -> str:
        """Show a prompt and return the line that the player types."""
        return self._ask(prompt)

    def out(self, text: str) -> None:
        """Print a text of one or more lines, with the function `out` that was given to `__init__`."""
        self._out(text)

    def show(self, sitting: TableSource, news: list[LogLine]) -> None:
        """Show the log lines `news`, then sentences about the player's own cards.

        Sentences that were already shown last time are left out. There is one exception: if a new phase of the turn has
        begun, the sentences about the hand are always shown.

        If `news` is empty, show the whole table instead. `sitting` is the match or lesson that supplies the table.
        """
        if not news:
            self.show_table(sitting)
            return
        for line in news:
            self.out(remove_bold_marks(line.text))
        # Also show what has changed in the player's own cards, because the player needs that to choose the next move.
        table, before = sitting.table(), set(self.last_sentences)
        if table.phase != self.phase:
            # In a new phase of the turn the hand is shown again even if the sentence about it is the same, because a
            # swap may have replaced a card by an equal one.
            before -= set(own_card_sentences(table, ("hand",)))
        self.last_sentences, self.phase = own_card_sentences(table), table.phase
        for sentence in self.last_sentences:
            if sentence not in before:
                self.out(sentence)

    def show_table(self, sitting: TableSource) -> None:
        """Show the whole table as sentences. `sitting` is the match or lesson that supplies the table.

        The sentences about the player's own cards are stored, so that the next call of `show` repeats only those that
        have changed.
        """
        table = sitting.table()
        self.last_sentences, self.phase = own_card_sentences(table), table.phase
        for sentence in table_sentences(table):
            self.out(sentence)

    def show_thinking(self, sitting: TableSource) -> None:
        """Show the table after the player's move while the other players think. This base class shows nothing.

        `sitting` is the match or lesson that supplies the table.
        """

    def show_busy(self, says: str) -> None:
        """Show a message about an operation that the player has to wait for."""
        self.out(says)

    def show_end(self, sitting: TableSource) -> None:
        """Show the final table until the player presses Enter. This base class shows nothing.

        `sitting` is the match or lesson that supplies the table.
        """

    def close(self) -> None:
        """Close the full-screen window, if the user interface has one. This base class has none and does nothing."""

    def prompt(self, sitting: TableSource, step: TouchStep, typed: list[str]) -> None:
        """Print a request for a move: the text of the prompt `step`, and the list `typed` of inputs that are possible.

        This method does not wait for the answer. `ask` reads it.
        """
        self.out(
            remove_bold_marks(" ".join(part for part in (step.prompt, help_without_touch_sentences(step.help)) if part))
        )
        self.out(_("You can type: {moves}. Type ? for help.", moves=", ".join(typed)))


class DrawnScreen(Screen):
    """User interface that draws the table in colour: in a full-screen window, or printed one screen after another if
    `window` is None.
    """

    def __init__(self, ask: Callable[[str], str], console: Any, window: Window | None = None) -> None:
        from facedown.terminal.card_drawing import Pen

        super().__init__(ask, console.print)
        self.console = console
        self.pen = Pen.for_console(console)
        self.window = window
        self.sitting: TableSource | None = None
        self.step: TouchStep | None = None
        self.typed: list[str] = []
        self.messages: list[str] = []
        self.pages: list[list[str]] = []
        """Pages of a long text that is shown instead of the table. Enter shows the next page."""

    # --- input and output --------------------------------------------------------------------------------------------

    def out(self, text: str) -> None:
        """Show a text in the window, below the table, when the window is next drawn.

        If no window is open, print the text now, wrapped at spaces.
        """
        if self.window is not None and self.window.is_open:
            self.messages.append(text)
        else:
            self.console.print(wrap_text(text, self.console.width), markup=False, highlight=False, soft_wrap=True)

    def show(self, sitting: TableSource, news: list[LogLine]) -> None:
        """Remember the match or lesson `sitting`, whose table is drawn with the next prompt.

        The log lines `news` are ignored, because the drawing shows the latest log lines anyway.
        """
        self.sitting, self.step = sitting, None

    def show_table(self, sitting: TableSource) -> None:
        """Remember the match or lesson `sitting`, whose table is drawn with the next prompt."""
        self.show(sitting, [])

    def prompt(self, sitting: TableSource, step: TouchStep, typed: list[str]) -> None:
        """Set what the window shows while the player chooses a move. The next call of `ask` draws it.

        * `sitting`: the match or lesson whose table is drawn.
        * `step`: the prompt, which is drawn below the table.
        * `typed`: the inputs that are possible now. They are listed as hints below the prompt.

        If there is no full-screen window, print the table, the prompt and the hints now.
        """
        self.sitting, self.step, self.typed = sitting, step, typed
        for line in self.lines_above_input(*PRINTED_SIZE) if self.window is None else ():
            self.console.print(line, overflow="ignore", no_wrap=True, crop=False)

    def ask(self, prompt: str) -> str:
        """Draw the window and return the line that the player types. While a long text is shown, Enter shows its next
        page.
        """
        if self.window is None:
            return self._ask(prompt)
        while True:
            self.draw()
            line = self.window.ask(prompt)
            if line is not None and (line.strip() or not self.pages):
                self.messages, self.pages = [], []
                return line
            if line is not None:
                self.pages.pop(0)

    def show_thinking(self, sitting: TableSource) -> None:
        """Draw the table directly after the player's move, with a message that the other players are thinking.

        `sitting` is the match or lesson whose table is drawn. Without a full-screen window, nothing is drawn.
        """
        if self.window is not None:
            self.prompt(sitting, sitting.table().step, [])
            self.show_busy(_("The others are thinking…"))

    def show_busy(self, says: str) -> None:
        """Show a message about an operation that the player has to wait for.

        The message disappears when the window is next drawn. Without a window, it is printed.
        """
        if self.window is None:
            self.out(says)
            return
        self.messages = [says]
        self.draw()
        self.messages = []

    def show_end(self, sitting: TableSource) -> None:
        """Show the final table until the player presses Enter. Without a full-screen window, print it and do not wait.

        `sitting` is the match or lesson whose table is drawn.
        """
        self.prompt(sitting, sitting.table().step, [])
        if self.window is not None:
            self.messages = [*self.messages, _("The match is over. Press Enter to leave the table.")]
            self.ask("› ")

    def close(self) -> None:
        """Close the full-screen window. The terminal then shows again what it showed before the window was opened.

        Messages that have not been drawn yet are not shown. Without a window, nothing is done.
        """
        if self.window is not None:
            self.window.close()

    # --- drawing -----------------------------------------------------------------------------------------------------

    def draw(self) -> None:
        """Draw the window again, for its current size."""
        assert self.window is not None
        width, height = self.window.size()
        self.window.draw([self.render(line, width) for line in self.lines_above_input(width, height)])

    def render(self, line: Any, width: int) -> str:
        """Return a line of Rich text as a string, in which escape codes of the terminal set the colours."""
        with self.console.capture() as capture:
            self.console.print(line, end="", overflow="ignore", no_wrap=True, crop=False, soft_wrap=True)
        return str(capture.get())

    def lines_above_input(self, width: int, height: int) -> list[Any]:
        """Return all lines of the screen except the last one, in which the player types."""
        from rich.text import Text

        from facedown.terminal.screen_layout import (
            MIN_SIZE,
            TOO_SMALL,
            table_screen_above_input,
            text_rows_per_page,
            text_screen,
        )

        if width < MIN_SIZE[0] or height < MIN_SIZE[1]:
            return [Text(line) for line in wrap_text(_(TOO_SMALL), max(1, width)).split("\n")[: max(0, height - 1)]]
        assert self.sitting is not None
        table = self.sitting.table()
        step = self.step or table.step
        rows = text_rows_per_page(height)
        if not self.pages and len(self._wrap_lines(self.messages, width)) > (2 if height >= 24 else 1):
            said, self.messages = self._wrap_lines(self.messages, width), []
            self.pages = [said[at : at + rows] for at in range(0, len(said), rows)]
        if self.pages:
            rest = len(self.pages) - 1
            more = (
                n_("Press Enter for more ({count} page left).", "Press Enter for more ({count} pages left).", rest)
                if rest
                else ""
            )
            return text_screen(
                table, self.pen, self.pages[0], width, height, more or _("Press Enter to go back to the table.")
            )
        try:
            return table_screen_above_input(table, step, self.pen, self.typed, width, height, self.messages)
        except ValueError:
            # The drawn table does not fit into the window, which should not happen. Show it as sentences instead.
            said = self._wrap_lines(
                [*table_sentences(table), remove_bold_marks(step.prompt), ", ".join(self.typed)], width
            )
            return text_screen(table, self.pen, said[-rows:], width, height, "")

    def _wrap_lines(self, texts: Sequence[str], width: int) -> list[str]:
        return [line for text in texts for line in wrap_text(text, width - 4).split("\n")]
