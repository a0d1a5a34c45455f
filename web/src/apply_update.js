// Update of a table's page by one WebSocket message: measure positions, change the page, animate and announce. The code
// is the same for all games.

import { captureFocus, restoreFocus } from "./focus_restore.js";
import { finishGlides, glideParts, isGliding, measureParts } from "./layout_transitions.js";
import { changedPlaces, clearPlaceHighlights, highlightPlaces, holdSeatNumbers, readSeatNumbers, releaseSeatNumbers } from "./last_move_halo.js";
import { parseUpdate, patchAsideSections, patchTable } from "./page_patch.js";
import { animateCardMoves, isCounting, isMoving, measurePieces } from "./card_animation.js";
import { playVibration, showTurnInTab } from "./turn_notice.js";
import { beginQueuedMove, cancelCssTransitions, endQueuedMove, isMotionOff } from "./animation_speed.js";
import { $, placeElement } from "./dom.js";
import { closeDialogs, refreshSettings } from "./menu_dialogs_forms.js";
import { say, sayUrgently } from "./announcer.js";
import { playCardLanding, playSound } from "./sound.js";
import { t } from "./translations.js";

export class PageUpdate {
  /**
   * Prepare an update of the page for a message from the server.
   *
   * * `page`: the part of the message with the HTML of the new page.
   * * `desk`: the objects to be updated with the page (table, flip steps, hint, chat, clocks).
   * * `was`: the state before the update: `yours` (whether it was the player's turn), `asked` (whether the player had
   *   to answer a proposal) and `over` (whether the match was over).
   */
  constructor(message, page, desk, was) {
    Object.assign(this, { message, page, desk, was });
    this.moves = message.type === "table";
    this.stood = Boolean($("#board"));
    this.counted = isCounting();
    this.busy = isMoving() || isGliding();
    this.go = () => {};
  }

  /** Return the three stages of the update. The frame queue gives each a frame of its own, which slow phones need. */
  get stages() {
    return [() => this.measureBefore(), () => this.patchPage(), () => this.announceUpdate()];
  }

  /**
   * Return whether all stages run in one frame: while an earlier animation is in progress, because it would continue
   * between the stages; without animations or on a hidden page, because no smooth motion is needed.
   */
  get isImmediate() {
    return this.busy || isMotionOff() || document.hidden;
  }

  measureBefore() {
    this.news = parseUpdate(this.desk.app, this.page);
    this.before = measurePieces(this.news.same);
    this.places = this.moves ? measureParts(this.news.same) : new Map();
  }

  patchPage() {
    const { desk, message, news } = this;
    beginQueuedMove(this.busy);
    releaseSeatNumbers();
    const said = readSeatNumbers();
    finishGlides();
    const held = captureFocus();
    desk.hint.closeIfStepChanged(message.step);
    desk.table.clearTouchMarks();
    patchTable(desk.app, news);
    // `setStep` sets the tab stops (elements that the Tab key reaches). If the focus was on the table (`held`), set
    // them now, because `restoreFocus` below needs them. Otherwise `setStep` returns a function that sets them, and
    // `announceUpdate` calls it later.
    this.unseen = desk.table.setStep(message.step, { clear: true, later: !held, unanswered: message.unanswered });
    this.turned = desk.steps.running;
    desk.steps.readSteps(this.stood);
    restoreFocus(held);
    cancelCssTransitions();
    scrollToActingSeat();
    this.startMotion();
    if (isMoving()) holdSeatNumbers(said);
    if (this.isNewDeal) clearPlaceHighlights();
    desk.hint.placeCardAndHighlight();
    desk.talk.refreshMarks();
    refreshSettings();
  }

  /**
   * Put the cards that will fly at their old positions; the last stage starts their flights. Let other parts glide.
   */
  startMotion() {
    const { same } = this.news;
    // Read all positions before the page is changed further, so that the browser computes the layout only once.
    const stands = this.moves ? measureParts(same, this.places) : new Map();
    this.isNewDeal = this.counted && isCounting() === false;
    const later = (begin) => (this.go = begin);
    const about = { except: this.desk.steps.places, isNewDeal: this.isNewDeal, watched: !this.was.yours, landed: onCardLanded, same, later };
    this.made = this.moves ? animateCardMoves(this.before, about) : [];
    glideParts(this.places, new Set(this.made.filter((journey) => journey.flies).map((journey) => journey.place)), stands);
  }

  announceUpdate() {
    const { desk, message, was } = this;
    this.go();
    endQueuedMove();
    // Nothing may cover a proposal that the player has to answer, or the result.
    const asked = isAsked();
    if ((asked && !was.asked) || (message.over && !was.over)) closeDialogs();
    patchAsideSections(this.news);
    this.unseen?.();
    scrollLogToEnd();
    if (!this.isNewDeal) highlightPlaces(changedPlaces(this.made));
    desk.clocks.readFromPage();
    showTurnInTab(message.title, Boolean(message.yours) || asked);
    // If this update has started to flip cards in steps, `FlipSteps` announces each step. In all other cases announce
    // the update now.
    if (this.turned || !desk.steps.running) say(message.say ?? []);
    if (message.yours && !was.yours) {
      sayUrgently(t("Your turn. {prompt}", { prompt: message.step.prompt }));
      playTurnNotice();
    } else if (asked && !was.asked) playTurnNotice();
    else if (this.counted === false && isCounting() && $(".you-seat.best, .seat.best .token.you, .slip.best .token.you")) playSound("won");
    else if (message.over && !was.over) playSound("over");
  }
}

/** Return whether the page asks the player to answer a proposal. */
export const isAsked = () => Boolean($("#answer-yes"));

function playTurnNotice() {
  playSound("your-turn");
  playVibration("your-turn");
}

/** Play the landing sound of a card, and show the new seat numbers after the last card has landed. */
function onCardLanded(journey) {
  playCardLanding({ ...journey, drawn: Boolean(placeElement(journey.place)?.closest(".hand-area, .you-area")) });
  if (!isMoving()) releaseSeatNumbers();
}

/** Scroll the log to its newest line. */
export function scrollLogToEnd() {
  const log = $("#log");
  if (log) log.scrollTop = log.scrollHeight;
}

/** Scroll the row of seats so that the seat to act is visible. */
export function scrollToActingSeat() {
  const crowd = $(".crowd");
  const acting = $(".crowd .seat.acting");
  if (!crowd || !acting) return;
  const left = acting.offsetLeft - crowd.offsetLeft;
  if (left < crowd.scrollLeft || left + acting.offsetWidth > crowd.scrollLeft + crowd.clientWidth * 0.88) crowd.scrollTo({ left: left - 16 });
}
