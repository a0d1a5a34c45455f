"""Interpretation of typed moves: from a line of text to a legal action.

A move may be typed in four ways:

* in the notation of match files;
* by its *touches*: the names of the places and buttons that a player touches on a web page to make the move ("a3",
  "discard b2");
* abbreviated, if the text is the start of only one legal move ("t a3");
* as its number in the list of moves ("#3").

A number without the sign "#" answers the prompt: it is a card, a place or a bid, and never a number in the list.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from facedown.core.game_registry import GameModule
from facedown.core.grammar import capital
from facedown.core.table import Choice, Table, TouchStep, has_confirmation, touch_sequences
from facedown.core.translation import join_names
from facedown.terminal.i18n import N_, _
from facedown.terminal.text_blocks import help_without_touch_sentences, remove_bold_marks, replace_touch_verb

#: Largest number of legal moves for which the hints list every move. More moves are summarised.
LISTED = 9
#: Sign that is typed before the number of a move in the list of moves.
NUMBER_SIGN = "#"


#: Other name of a command → the name that the program uses for the command.
SYNONYMS = {
    "help": "?",
    "log": "l",
    "scores": "s",
    "moves": "m",
    "b": "back",
    "t": "again",
    "table": "again",
    "take back": "undo",
}


def short_command_of(line: str) -> str:
    """Return the name that the program uses for a typed command. Return any other line in lower case.

    Some commands have other names, which the player can type as well. `SYNONYMS` maps each of them to the name that the
    program uses. For example, "log" becomes "l", and "b" becomes "back".
    """
    return SYNONYMS.get(line.lower(), line.lower())


class Unclear(ValueError):
    """Error: a typed line is not a legal move, or is ambiguous. The text explains why in one line.

    If the line is the start of several moves, `begun` is that line, and the next line may complete it.
    """

    def __init__(self, says: str, begun: str = "") -> None:
        super().__init__(says)
        self.begun = begun


def touch_names(touch: str) -> set[str]:
    """Return the names under which a touched place or button can be typed: its id, and the rest of the id after each
    dash.

    >>> sorted(touch_names("p0-a3"))
    ['a3', 'p0-a3']
    """
    parts = touch.lower().split("-")
    return {"-".join(parts[i:]) for i in range(len(parts))}


def _choice_names(choice: Choice) -> set[str]:
    return touch_names(choice.touch) | ({choice.button.lower()} if choice.button else set())


def tokens_of(line: str) -> list[str]:
    """Split a typed line into words, in lower case, at spaces and commas."""
    return re.split(r"[\s,]+", line.lower())


def follow_touches(step: TouchStep, tokens: Sequence[str]) -> Iterator[int | TouchStep]:
    """Interpret the typed words `tokens` as names of places and buttons that the player chooses one after another.

    The first choice answers the prompt `step`. A name may consist of several words, and a place can have several names,
    so there may be more than one interpretation. Yield a result for each interpretation that uses all words: the action
    if the choices complete a move, otherwise the prompt for the next choice.
    """
    if not tokens:
        yield step
        return
    for choice in step.choices:
        for words in () if choice.refuses else map(tokens_of, _choice_names(choice)):
            rest = tokens[len(words) :]
            if tokens[: len(words)] != words:
                continue
            if choice.then is not None:
                yield from follow_touches(choice.then, rest)
            elif choice.action is not None and not rest:
                yield choice.action


def action_of_only_button(step: TouchStep) -> int | None:
    """Return the action to which the only button of the prompt `step` leads; None if the prompt offers anything else.

    If the button leads to a further prompt, that prompt must offer only one button, too.
    """
    choices = [choice for choice in step.choices if not choice.refuses]
    if len(choices) != 1 or not choices[0].button:
        return None
    return action_of_only_button(choices[0].then) if choices[0].then else choices[0].action


def is_abbreviation(typed: Sequence[str], words: str) -> bool:
    """Return whether each typed word is a prefix of a word of the move, in the same order. Numbers must be complete.

    >>> is_abbreviation(["t", "a3"], "throw a3"), is_abbreviation(["a3"], "take a3")
    (True, True)
    >>> is_abbreviation(["a3", "t"], "take a3"), is_abbreviation(["4"], "bid 42")
    (False, False)
    """
    rest = iter(tokens_of(words))
    return all(any(word == token if token.isdecimal() else word.startswith(token) for word in rest) for token in typed)


def has_number(words: str) -> bool:
    """Return whether the text of a move contains a digit."""
    return any(char.isdecimal() for char in words)


# --- player names ----------------------------------------------------------------------------------------------------


def typed_player_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return a short name for each player, for typed moves: the first word of the player's name.

    The number of the seat is appended if an earlier player has the same short name, or if the word is empty or a
    number.

    >>> typed_player_names(["You", "Wren", "Wren Two"])
    ('you', 'wren', 'wren2')
    """
    found: list[str] = []
    for seat, name in enumerate(names):
        word = re.sub(r"[^\w]", "", (name.split() or [""])[0].casefold())
        found.append(f"{word}{seat}" if word in found or not word or word.isdigit() else word)
    return tuple(found)


# --- meaning of a line -----------------------------------------------------------------------------------------------


def _action_of_button(step: TouchStep, line: str) -> int | None:
    """Return the action of the button with the text `line`; None if no button or more than one has it.

    The first word may be left out: both "show 9 8 7" and "9 8 7" name the button "Show 9 8 7".
    """
    buttons = ((last.button.lower(), last.action) for *_, last in touch_sequences(step) if last.button)
    found = {action for words, action in buttons if line in (words, words.partition(" ")[2])}
    return found.pop() if len(found) == 1 else None


def costly_move_question(step: TouchStep, action: int) -> str:
    """Return the question that the table asks before a costly move (`core.table.has_confirmation`), else an empty text.

    `step` is the prompt for the whole move.
    """
    for touched in touch_sequences(step):
        if touched[-1].action == action and len(touched) > 1 and has_confirmation(touched[-2]):
            asked = touched[-2].then or step
            return remove_bold_marks(f"{asked.prompt} {help_without_touch_sentences(asked.help)}".strip())
    return ""


def touch_refusal_text(step: TouchStep, tokens: Sequence[str]) -> str:
    """Return the reason why the player cannot choose the place or button that the last word of `tokens` names.

    `step` is the prompt that the player answers. Return an empty text if the place or button can be chosen, or if the
    word does not name one.
    """
    last = tokens[-1] if tokens else ""
    refused = [reason for touch, reason in step.refusals if last in touch_names(touch)]
    return next(iter([*refused, *(c.refuses for c in step.choices if c.refuses and last in _choice_names(c))]), "")


def _resolve_touches(step: TouchStep, tokens: Sequence[str]) -> int | TouchStep | None:
    """Interpret the typed words `tokens` as names of places and buttons that the player chooses one after another.

    The first choice answers the prompt `step`. Each choice leads to another prompt or completes a move.

    * If the choices complete a move, return the action of the move.
    * If they lead to a prompt with only one button, return the action of this button.
    * If they lead to any other prompt, return this prompt.
    * If the words name no places or buttons of the prompts, or are ambiguous, return None.
    """
    found = list(follow_touches(step, tokens))
    actions = {one for one in found if isinstance(one, int)}
    steps = [one for one in found if isinstance(one, TouchStep)]
    done: set[int | None] = {*actions} or {action_of_only_button(one) for one in steps}
    if len(done) == 1 and None not in done:
        return done.pop()
    return steps[0] if len(steps) == 1 and not actions else None


class Moves:
    """The legal moves of a player, as texts that the player types.

    `names` are the names of the players, by seat. A typed move may contain such a name instead of a seat number.
    """

    def __init__(
        self,
        game: GameModule,
        table: Table,
        legal: Sequence[int],
        names: Sequence[str] = (),
        why_not: Callable[[int], str] = lambda action: "",
    ) -> None:
        self.game = game
        self.table = table
        self.player_names = typed_player_names(names)
        self.why_not = why_not
        """Function (action) → why the action is not allowed now."""
        self.legal = list(legal)
        """The legal actions, in the order of the list of moves that the player sees."""
        if len(legal) <= LISTED:
            # A short list of moves has the order of the cards on the table, a long one the order of the action numbers.
            lie = [touched[-1].action for touched in touch_sequences(table.step)]
            self.legal.sort(key=lambda action: lie.index(action) if action in lie else len(lie))
        self.by_place = self._actions_by_place_in_hand()
        """Number that the player can type alone to play a card of the hand → action. Empty if no number can be typed
        alone in this way."""

    def typed_move_text(self, action: int) -> str:
        """Return the text of an action as a player types it, with players named instead of numbered."""
        return self.replace_seats_by_names(self.game.words.words(action))

    def replace_seats_by_names(self, text: str) -> str:
        """Return a text about moves in which seat numbers are replaced by the short names of the players."""
        for verb, at in self.game.words.seat_at.items():
            pattern = rf"\b({verb}(?: \w+){{{at - 1}}}) (\d)(?= \d)"
            text = re.sub(pattern, lambda m: f"{m[1]} {dict(enumerate(self.player_names)).get(int(m[2]), m[2])}", text)
        return text

    def replace_names_by_seats(self, line: str) -> str:
        """Return a typed line in which the names of players are replaced by their seat numbers. The names may be
        abbreviated.
        """
        if not self.game.words.seat_at:
            return line
        words = []
        for word in line.split():
            low = word.casefold()
            meant = [seat for seat, name in enumerate(self.player_names) if name == low] or [
                seat for seat, name in enumerate(self.player_names) if len(low) > 1 and name.startswith(low)
            ]
            words.append(str(meant[0]) if len(meant) == 1 and low not in self.game.words.seat_at else word)
        return " ".join(words)

    def interpret(self, step: TouchStep, text: str, whole: bool = True) -> int | TouchStep:
        """Return the legal action that a typed text means. If the text is only the start of a move, return the prompt
        for the rest. Otherwise raise `Unclear`.

        `step` is the prompt that the player answers, with the touches (places and buttons) offered. If `whole` is set,
        a number alone may be a whole move. Otherwise it can only be the next touch.
        """
        words = self.game.words.words
        line = " ".join(text.lower().split())
        tokens = tokens_of(line)
        action, reason = None, ""
        try:
            action = self.game.words.parse(line)
        except ValueError as problem:
            reason = str(problem)
        if action is not None and action in self.legal:
            return action
        if line.startswith(NUMBER_SIGN):
            return self._action_from_list_number(line)
        number = int(line) if line.isdecimal() and len(line) < 6 else -1
        meant = self._action_of_number(number) if whole and number >= 0 else None
        if meant is not None:
            return meant
        touched = _resolve_touches(step, tokens)
        pressed = _action_of_button(step, line) if number < 0 else None
        if isinstance(touched, int) and pressed is not None and pressed != touched:
            told = N_("“{line}” could mean “{one}” or “{other}”: type the move in full.")
            raise Unclear(_(told, line=line, one=words(touched), other=words(pressed)))
        if touched is not None:
            return touched
        if pressed is not None:
            return pressed
        short = [a for a in self.legal if is_abbreviation(tokens, words(a))]
        # If only one move begins with the first typed word, prefer it to moves in which that word occurs later.
        first = [a for a in short if words(a).lower().startswith(tokens[0])]
        short = first if len(first) == 1 else short
        if len(short) == 1:
            return short[0]
        if short:
            some = ", ".join(_("“{move}”", move=words(a)) for a in short[:3])
            many = N_("“{line}” could mean {moves} and {more} more: type the move in full.")
            few = N_("“{line}” could mean {moves}: type the move in full.")
            raise Unclear(_(many if len(short) > 3 else few, line=line, moves=some, more=len(short) - 3), begun=line)
        if action is None:
            raise Unclear(self._no_move_text(step, line, reason))
        raise Unclear(_("You can’t play “{line}” now. {why}", line=line, why=self.why_not(action)).strip())

    def typing_hints(self) -> list[str]:
        """Return short texts that say what the player may type.

        * If a number typed alone plays the card at that place in the hand: the possible numbers, an example of such a
          move in full, and all moves that play no card.
        * Otherwise: all legal moves, or a summary if there are more than `LISTED` (9).
        """
        words = [self.typed_move_text(action) for action in self.legal]
        if not self.by_place:
            return self._summarize_legal_moves(words)
        others = [text for action, text in zip(self.legal, words, strict=True) if action not in self.by_place.values()]
        cards = [f"{number} {self.typed_move_text(action)}" for number, action in self.by_place.items()]
        if len(cards) > 1:
            where = sorted(self.by_place)
            row = where == list(range(where[0], where[-1] + 1))
            ends = f"{where[0]} … {where[-1]}" if row else ", ".join(map(str, where))
            one = self.typed_move_text(self.by_place[where[0]])
            cards = [_("a place ({ends})", ends=ends), _("or {words}", words=one)]
        return [*cards, *others]

    def _summarize_legal_moves(self, words: Sequence[str]) -> list[str]:
        """Return the texts `words` of the legal moves for display, or fewer texts that summarise them.

        Up to `LISTED` moves are all returned. If none of these texts contains a digit, each is preceded by its position
        in the list: "#2 pass".

        More than `LISTED` moves are summarised:

        * If the game has a function for this (`summarize_moves`), return its result.
        * Otherwise group the moves by their first word and by their ending "and …", if they have one. So all moves
          "throw … and keep" form one group, and all moves "throw …" without such an ending another. Return one text
          per group: its first and its last move, "throw a1 … c4".
        """
        if len(words) <= LISTED:
            own = any(map(has_number, words))
            return list(words) if own else [f"{NUMBER_SIGN}{i} {text}" for i, text in enumerate(words, 1)]
        if self.game.words.summarize_moves is not None:
            return self.game.words.summarize_moves(words)
        kinds: dict[str, list[str]] = {}
        for text in words:
            also = re.search(r" and [a-z]+$", text)
            kinds.setdefault(text.split(" ", 1)[0] + (also[0] if also else ""), []).append(text)
        # The last move of a group is shown without its first word: "throw a1 … c4".
        return [kind[0] + (f" … {kind[-1].split(' ', 1)[-1]}" if len(kind) > 1 else "") for kind in kinds.values()]

    def _actions_by_place_in_hand(self) -> dict[int, int]:
        """Return the moves that the player can make by typing only the number of a card in the hand.

        The result is a dictionary: number of the card (1 for the leftmost) → action that plays the card. Only face-up
        cards are numbered. The dictionary is empty in three cases, in which a number could also mean something else:

        * if a legal move with a digit in its text plays no card of the hand, or several cards (example: "bid 3");
        * if two legal moves with digits play the same card (example: the card can be put into two places);
        * if a legal move with a digit and one without a digit begin with the same word (example: "swap 1" and "swap
          none").
        """
        words = {action: self.game.words.words(action) for action in self.legal}
        cards = [action for action in self.legal if has_number(words[action])]
        others = {words[action].split()[0] for action in self.legal if action not in cards}
        if others & {words[action].split()[0] for action in cards}:
            return {}
        hand = [p.place for zone in self.table.zones if zone.area == "hand" for p in zone.pieces if p.kind == "face"]
        found: dict[int, set[int]] = {}
        for touched in touch_sequences(self.table.step):
            if touched[0].touch in hand and touched[-1].action in cards:
                found.setdefault(hand.index(touched[0].touch) + 1, set()).add(touched[-1].action)
        single = {number: actions.pop() for number, actions in sorted(found.items()) if len(actions) == 1}
        return single if len(single) == len(found) and sorted(single.values()) == sorted(cards) else {}

    def _action_from_list_number(self, line: str) -> int:
        """Return the action that a line such as "#3" selects by the number of a move in the list of moves.

        Raises `Unclear` if there is no such move.
        """
        number = line.removeprefix(NUMBER_SIGN).strip()
        if not number.isdecimal() or len(number) > 5 or not 1 <= int(number) <= len(self.legal):
            raise Unclear(_("Move {line} does not exist. Type “m” for a list.", line=line))
        return self.legal[int(number) - 1]

    def _action_of_number(self, number: int) -> int | None:
        """Return the action of a line that consists only of `number`; None if the number means no action.

        In some situations, typing a number alone plays the card at that place in the hand. The places are counted from
        1, starting at the left (see `_actions_by_place_in_hand`). Then:

        * If the card at the place `number` can be played, return the action that plays it.
        * Otherwise, if the number has one digit, raise `Unclear`, because it can only be meant as a place in the hand.
        * Otherwise return None, because a larger number may be something else, such as the domino 64.

        In all other situations, return the action of the legal move that consists of one word and this number, such as
        "bid 3" for 3. Return None if there is no such move or more than one.
        """
        if number in self.by_place:
            return self.by_place[number]
        if self.by_place and number < 10:
            others = join_names([str(n) for n in sorted(self.by_place)])
            raise Unclear(_("You can’t play number {number} now, only {others}.", number=number, others=others))
        # Find the move whose text is a verb and this number (a bid, a trump, a place). The domino 00 does not count as
        # the number 0.
        words = self.game.words.words
        named = [action for action in self.legal if re.fullmatch(rf"[a-z]+ {number}", words(action).lower())]
        return named[0] if len(named) == 1 and not self.by_place else None

    def _no_move_text(self, step: TouchStep, line: str, reason: str) -> str:
        """Return a message that says why a typed line is not a legal move.

        `step` is the prompt that the player answered. `reason` is the explanation of the game's parser, or empty.
        """
        if refused := touch_refusal_text(step, tokens_of(line)):
            return replace_touch_verb(refused)
        if line.isdecimal() and len(line) < 6 and 1 <= int(line) <= len(self.legal):
            told = N_("“{line}” is not a move. “#{line}” plays move {line} in the list; “m” shows the list.")
            return _(told, line=line)
        what, colon, _rest = reason.partition(": ")
        if colon and _("is not a move") in what:
            # The parser's explanation lists all moves of the game. Replace them by the moves that are legal now.
            moves = ", ".join(self._summarize_legal_moves([self.game.words.words(action) for action in self.legal]))
            reason = _("{what}: {moves}", what=what, moves=moves)
        return capital(reason) or _("“{line}” is not a move.", line=line)
