// One change of the live table, from what stands on the page to what a message says. It knows no game.

import { focused, refocus } from "./focus_restore.js";
import { arrive, glide, gliding, standing } from "./layout_transitions.js";
import { bare, changed, figures, hold, settle, wear } from "./move_highlight.js";
import { readPage, showBeside, showPage } from "./page_patch.js";
import { counting, measure, moving, travel } from "./card_animation.js";
import { shake, tell } from "./turn_notice.js";
import { calm, queued, rested, still } from "./animation_speed.js";
import { $, at } from "./dom.js";
import { settings } from "./site_menu.js";
import { alarm, say } from "./announcer.js";
import { landing, play } from "./sound.js";
import { t } from "./translations.js";

export class Change {
  /** `page`: what the page becomes, as a message says; `desk`: the parts of the page that follow it; `was`: whether it was one's turn, and over. */
  constructor(message, page, desk, was) {
    Object.assign(this, { message, page, desk, was });
    this.moves = message.type === "table";
    this.stood = Boolean($("#board"));
    this.counted = counting();
    this.busy = moving() || gliding();
    this.go = () => {};
  }

  /** Everything is measured, changed and told of: on a slow phone each in a frame of its own. */
  get stages() {
    return [() => this.measure(), () => this.bring(), () => this.tell()];
  }

  /** What still moves would go on in between, and where nothing moves no frame is missed. */
  get atOnce() {
    return this.busy || calm() || document.hidden;
  }

  measure() {
    this.news = readPage(this.desk.app, this.page);
    this.before = measure(this.news.same);
    this.places = this.moves ? standing(this.news.same) : new Map();
  }

  bring() {
    const { desk, message, news } = this;
    queued(this.busy);
    settle();
    const said = figures();
    arrive();
    const held = focused();
    desk.hint.stands(message.step);
    desk.table.clear();
    showPage(desk.app, news);
    // Where the focus was on the table it is given back now; else nobody can be there before the last stage.
    this.unseen = desk.table.take(message.step, { clear: true, later: !held, unanswered: message.unanswered });
    this.turned = desk.steps.running;
    desk.steps.take(this.stood);
    refocus(held);
    still();
    scrolled();
    this.travel();
    if (moving()) hold(said);
    if (this.anew) bare();
    desk.hint.mark();
    desk.talk.mark();
    settings();
  }

  /** Pictures lie where cards lay, to go in the next stage; what stands elsewhere glides there. */
  travel() {
    const { same } = this.news;
    // Everything is measured before anything is written: one layout for a move.
    const stands = this.moves ? standing(same, this.places) : new Map();
    this.anew = this.counted && counting() === false;
    const later = (begin) => (this.go = begin);
    const about = { except: this.desk.steps.places, anew: this.anew, watched: !this.was.yours, landed, same, later };
    this.made = this.moves ? travel(this.before, about) : [];
    glide(this.places, new Set(this.made.filter((journey) => journey.flies).map((journey) => journey.place)), stands);
  }

  tell() {
    const { desk, message, was } = this;
    this.go();
    rested();
    showBeside(this.news);
    this.unseen?.();
    logged();
    if (!this.anew) wear(changed(this.made));
    desk.clocks.take();
    tell(message.title, Boolean(message.yours));
    // What is being turned is told step by step.
    if (this.turned || !desk.steps.running) say(message.say ?? []);
    if (message.yours && !was.yours) {
      alarm(t("Your turn. {prompt}", { prompt: message.step.prompt }));
      play("your-turn");
      shake("your-turn");
    } else if (this.counted === false && counting() && $(".you-seat.best, .seat.best .token.you, .slip.best .token.you")) play("won");
    else if (message.over && !was.over) play("over");
  }
}

/** A card lies. */
function landed(journey) {
  landing({ ...journey, drawn: Boolean(at(journey.place)?.closest(".hand-area, .you-area")) });
  if (!moving()) settle();
}

/** Brings the newest log line into view. */
export function logged() {
  const log = $("#log");
  if (log) log.scrollTop = log.scrollHeight;
}

/** Brings the seat to act into view. */
export function scrolled() {
  const crowd = $(".crowd");
  const acting = $(".crowd .seat.acting");
  if (!crowd || !acting) return;
  const left = acting.offsetLeft - crowd.offsetLeft;
  if (left < crowd.scrollLeft || left + acting.offsetWidth > crowd.scrollLeft + crowd.clientWidth * 0.88) crowd.scrollTo({ left: left - 16 });
}
