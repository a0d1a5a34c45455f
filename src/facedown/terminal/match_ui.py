"""The two ways in which a match meets a person: drawn on a screen, or in sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from facedown.core.table import LogLine, Table, TouchStep
from facedown.terminal.i18n import _, n_
from facedown.terminal.screen_reader import own_sentences, table_sentences
from facedown.terminal.text_blocks import help_for_typing, plain, wrap_text

if TYPE_CHECKING:
    from facedown.terminal.terminal_window import Window

#: Without a terminal, screens are printed one below the other in this size.
PRINTED_SIZE = (80, 24)


class TableSource(Protocol):
    """What a screen shows: a match that is played, or a lesson."""

    def table(self) -> Table:
        """What the person sees."""
        ...


class Screen:
    """How a match meets a person: in sentences only, unless it is `DrawnScreen`."""

    def __init__(self, ask: Callable[[str], str], out: Callable[[str], None]) -> None:
        self._ask = ask
        self._out = out
        self.last_sentences: list[str] = []
        """What lies before the person, as it was last read out."""
        self.phase = ""

    def ask(self, prompt: str) -> str:
        """A line from the person."""
        return self._ask(prompt)

    def out(self, text: str) -> None:
        """Say something."""
        self._out(text)

    def show(self, sitting: TableSource, news: list[LogLine]) -> None:
        """Say what happened; the whole table only at first and when it is asked for."""
        if not news:
            self.show_table(sitting)
            return
        for line in news:
            self.out(plain(line.text))
        # Also what has changed before the person: their hand is what the next move is made from.
        table, before = sitting.table(), set(self.last_sentences)
        if table.phase != self.phase:
            # Something else is asked for: then an equal hand is news, too (a swap may bring the same card again).
            before -= set(own_sentences(table, ("hand",)))
        self.last_sentences, self.phase = own_sentences(table), table.phase
        for sentence in self.last_sentences:
            if sentence not in before:
                self.out(sentence)

    def show_table(self, sitting: TableSource) -> None:
        """Read the table out."""
        table = sitting.table()
        self.last_sentences, self.phase = own_sentences(table), table.phase
        for sentence in table_sentences(table):
            self.out(sentence)

    def show_thinking(self, sitting: TableSource) -> None:
        """The others are to act: show so."""

    def show_busy(self, says: str) -> None:
        """Something takes a while: say what."""
        self.out(says)

    def show_end(self, sitting: TableSource) -> None:
        """The match is over: show how, until the person has seen it."""

    def close(self) -> None:
        """Leave the terminal as it was."""

    def prompt(self, sitting: TableSource, step: TouchStep, typed: list[str]) -> None:
        """Ask."""
        self.out(plain(" ".join(part for part in (step.prompt, help_for_typing(step.help)) if part)))
        self.out(_("You may type: {moves}. ? for more.", moves=", ".join(typed)))


class DrawnScreen(Screen):
    """Cards and colours: in a window that is drawn anew for each question, or printed screen by screen."""

    def __init__(self, ask: Callable[[str], str], console: Any, window: Window | None = None) -> None:
        from facedown.terminal.card_drawing import Pen

        super().__init__(ask, console.print)
        self.console = console
        self.pen = Pen.of(console)
        self.window = window
        self.sitting: TableSource | None = None
        self.step: TouchStep | None = None
        self.typed: list[str] = []
        self.messages: list[str] = []
        self.pages: list[list[str]] = []
        """Text in the place of the table, page by page, until the person goes on."""

    # --- what is said ------------------------------------------------------------------------------------------------

    def out(self, text: str) -> None:
        """Say something: below the table, or printed with its lines broken at spaces."""
        if self.window is not None and self.window.is_open:
            self.messages.append(text)
        else:
            self.console.print(wrap_text(text, self.console.width), markup=False, highlight=False, soft_wrap=True)

    def show(self, sitting: TableSource, news: list[LogLine]) -> None:
        """The table has changed: it is drawn with the next question."""
        self.sitting, self.step = sitting, None

    def show_table(self, sitting: TableSource) -> None:
        """It is drawn with the next question."""
        self.show(sitting, [])

    def prompt(self, sitting: TableSource, step: TouchStep, typed: list[str]) -> None:
        """Draw the table with what is asked: a window when the person is asked, else printed now."""
        self.sitting, self.step, self.typed = sitting, step, typed
        for line in self.lines(*PRINTED_SIZE) if self.window is None else ():
            self.console.print(line, overflow="ignore", no_wrap=True, crop=False)

    def ask(self, prompt: str) -> str:
        """A line from the person; Enter turns the pages of a text."""
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
        """Show the person's own move at once, and who is thinking."""
        if self.window is not None:
            self.prompt(sitting, sitting.table().step, [])
            self.show_busy(_("The others are thinking …"))

    def show_busy(self, says: str) -> None:
        """Say what is being done until there is an answer."""
        if self.window is None:
            self.out(says)
            return
        self.messages = [says]
        self.draw()
        self.messages = []

    def show_end(self, sitting: TableSource) -> None:
        """The last table, until Enter."""
        self.prompt(sitting, sitting.table().step, [])
        if self.window is not None:
            self.messages = [*self.messages, _("The match is over. Enter leaves the table.")]
            self.ask("› ")

    def close(self) -> None:
        """Give the terminal back."""
        if self.window is not None:
            self.window.close()

    # --- what is drawn -----------------------------------------------------------------------------------------------

    def draw(self) -> None:
        """Draw the window anew, in the size that it has now."""
        assert self.window is not None
        width, height = self.window.size()
        self.window.draw([self.render(line, width) for line in self.lines(width, height)])

    def render(self, line: Any, width: int) -> str:
        """A line with its colours as the terminal wants them."""
        with self.console.capture() as capture:
            self.console.print(line, end="", overflow="ignore", no_wrap=True, crop=False, soft_wrap=True)
        return str(capture.get())

    def lines(self, width: int, height: int) -> list[Any]:
        """The lines of the screen but the last."""
        from rich.text import Text

        from facedown.terminal.screen_layout import MIN_SIZE, TOO_SMALL, page_rows, table_screen, text_screen

        if width < MIN_SIZE[0] or height < MIN_SIZE[1]:
            return [Text(line) for line in wrap_text(_(TOO_SMALL), max(1, width)).split("\n")[: max(0, height - 1)]]
        assert self.sitting is not None
        table = self.sitting.table()
        step = self.step or table.step
        rows = page_rows(height)
        if not self.pages and len(self._wrap_lines(self.messages, width)) > (2 if height >= 24 else 1):
            said, self.messages = self._wrap_lines(self.messages, width), []
            self.pages = [said[at : at + rows] for at in range(0, len(said), rows)]
        if self.pages:
            rest = len(self.pages) - 1
            more = n_("Enter shows more, {count} to come.", "Enter shows more, {count} to come.", rest) if rest else ""
            return text_screen(
                table, self.pen, self.pages[0], width, height, more or _("Enter goes back to the table.")
            )
        try:
            return table_screen(table, step, self.pen, self.typed, width, height, self.messages)
        except ValueError:
            # No table should be too large for its window; should one be, everything is there in sentences.
            said = self._wrap_lines([*table_sentences(table), plain(step.prompt), ", ".join(self.typed)], width)
            return text_screen(table, self.pen, said[-rows:], width, height, "")

    def _wrap_lines(self, texts: Sequence[str], width: int) -> list[str]:
        return [line for text in texts for line in wrap_text(text, width - 4).split("\n")]
