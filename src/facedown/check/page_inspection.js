// Page inspection: examines the painted page and reports parts of the table that are invisible, cut off, covered, squeezed,
// or on top of something else. `said` is the data of the viewer's table (the JSON of `Table.to_json`), or null if the page
// shows no running table. Returns one sentence for each problem; an empty list means that the page is fine.
(said) => {
  // Elements whose text may be cut off: the button that copies the invitation link (.link-box), and the subtitle in the top
  // bar (.parts), because the side rail shows the whole subtitle.
  const CUT = ".link-box, .parts";
  // Whether the browser may shorten the text of the element `e` with an ellipsis at the edge of the box `up` around it.
  // - A name (in an element with dir="auto") may be shortened if it has more than 9 characters. Shorter names must fit.
  //   Screen readers read the full name.
  // - Other text may be shortened only if it contains the character "…", because the server has shortened a name in it.
  const longName = (e, up) => style(up).textOverflow === "ellipsis" && (e.closest("[dir=auto]") ? e.textContent.trim().length > 9 : /…/.test(e.textContent));
  const wrong = [];
  const say = (kind, text) => wrong.push(`${kind}: ${text}`);
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const phone = innerWidth < 1260;
  const root = document.documentElement;
  const scrolls = new Map();
  const hitAll = new CSSStyleSheet();
  // Hit tests (elementFromPoint) must find the element that is painted on top, even if it normally ignores the pointer. So
  // the first rule lets everything react to the pointer. The later rules override it for pseudo-elements and for text that
  // is only for screen readers (.sr).
  hitAll.replaceSync("*, *::before, *::after { pointer-events: auto !important } *::before, *::after { pointer-events: none !important } .sr { pointer-events: none !important }");
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, hitAll];

  const words = (e) => (e.getAttribute("aria-label") || e.textContent || e.id || e.localName).trim().replace(/\s+/g, " ").slice(0, 60);
  const box = (e) => e.getBoundingClientRect();
  /** Returns whether two boxes overlap by more than `across` pixels horizontally and `down` pixels vertically. */
  const meets = (r, s, across = 0, down = across) => Math.min(r.right, s.right) - Math.max(r.left, s.left) > across && Math.min(r.bottom, s.bottom) - Math.max(r.top, s.top) > down;
  const styles = new Map();
  const style = (e) => styles.get(e) ?? styles.set(e, getComputedStyle(e)).get(e);
  const known = new Map();
  const shown = (e) => known.get(e) ?? known.set(e, e.checkVisibility({ visibilityProperty: true, opacityProperty: true })).get(e);
  const aside = (e) => e.closest(".sr, dialog:not([open]), [hidden]") || (e.closest(".rail") && !shown(e.closest(".rail")));
  const hides = (value) => value === "hidden" || value === "clip";
  const rolls = (value) => value === "auto" || value === "scroll";

  /** Scrolls an element into view as a person could, and returns the part of its box that no ancestor cuts off. */
  const intoSight = (e) => {
    for (let up = e.parentElement; up && up !== document.body && up !== root; up = up.parentElement) {
      const s = style(up);
      const r = box(e);
      const frame = box(up);
      const keep = () => scrolls.has(up) || scrolls.set(up, [up.scrollLeft, up.scrollTop]);
      if (rolls(s.overflowX) && up.scrollWidth > up.clientWidth + 1 && (r.left < frame.left || r.right > frame.right)) {
        keep();
        up.scrollLeft += r.left + r.width / 2 - frame.left - frame.width / 2;
      }
      if (rolls(s.overflowY) && up.scrollHeight > up.clientHeight + 1 && (r.top < frame.top || r.bottom > frame.bottom)) {
        keep();
        up.scrollTop += r.top + r.height / 2 - frame.top - frame.height / 2;
      }
    }
    let r = box(e);
    if (style(e).position !== "fixed" && (r.top < 0 || r.bottom > innerHeight)) {
      if (!scrolls.has(root)) scrolls.set(root, [scrollX, scrollY]);
      scrollBy(0, r.top + r.height / 2 - innerHeight / 2);
      r = box(e);
    }
    let [left, top, right, bottom] = [Math.max(r.left, 0), Math.max(r.top, 0), Math.min(r.right, innerWidth), Math.min(r.bottom, innerHeight)];
    for (let up = e.parentElement; up && up !== document.body && up !== root; up = up.parentElement) {
      const s = style(up);
      if (s.display === "contents") continue;
      const frame = box(up);
      if (s.overflowX !== "visible") [left, right] = [Math.max(left, frame.left), Math.min(right, frame.right)];
      if (s.overflowY !== "visible") [top, bottom] = [Math.max(top, frame.top), Math.min(bottom, frame.bottom)];
    }
    return { left, top, right, bottom, width: right - left, height: bottom - top, whole: r };
  };

  const paints = (e) => {
    if (e instanceof SVGElement) return e.closest(".art, .emblem") !== null || !["svg", "g", "use", "symbol"].includes(e.localName);
    const s = style(e);
    if (s.backgroundImage !== "none") return true;
    const alpha = s.backgroundColor.match(/^rgba\(.*, ([\d.]+)\)$|\/ ([\d.]+)\)$/);
    return s.backgroundColor !== "transparent" && Number(alpha?.[1] ?? alpha?.[2] ?? 1) > 0.5;
  };
  /** Returns the element that covers another one at a point, or null. A card laid on its own place does not count. */
  const over = (e, x, y) => {
    const first = document.elementFromPoint(x, y);
    if (!first || e.contains(first) || first.contains(e)) return null;
    for (const top of document.elementsFromPoint(x, y)) {
      if (e.contains(top) || top.contains(e)) return null;
      if (top.closest(".staged-card, .says, .pick-tick, .sees, .gap-mark, .tag, .turns")) continue;
      const r = box(top);
      if (x >= r.left && x <= r.right && y >= r.top && y <= r.bottom && paints(top)) return top.closest(".piece, .button, button, a, section, .zone, .rail, .prompt") ?? top;
    }
    return null;
  };

  /** Returns the box that an element scrolls in, or null. Content that is scrolled out of it covers nothing. */
  const roll = (e) => {
    for (let up = e.parentElement; up && up !== document.body; up = up.parentElement) if (rolls(style(up).overflowX) || rolls(style(up).overflowY)) return up;
    return null;
  };

  /** Reports an element that cannot be seen; `least` is the fraction of it that must not be covered. */
  const see = (e, name, least = 0.2) => {
    if (!e) return say("missing", name);
    if (!shown(e)) return say("hidden", name);
    const part = intoSight(e);
    if (part.whole.width < 3 || part.whole.height < 3) return say("no size", `${name}, ${Math.round(part.whole.width)}×${Math.round(part.whole.height)}`);
    if (part.width < 3 || part.height < 3 || part.width * part.height < 0.5 * part.whole.width * part.whole.height) return say("out of sight", name);
    const points = [];
    const strips = e.closest(".fan, .cascade") ? [0.06, 0.2, 0.35, 0.5, 0.65, 0.8, 0.94] : [0.1, 0.5, 0.9];
    for (const across of e.closest(".cascade") ? [0.5] : strips) for (const down of e.closest(".cascade") ? strips : [0.1, 0.5, 0.9]) points.push([part.left + across * part.width, part.top + down * part.height]);
    const covers = points.map(([x, y]) => over(e, x, y)).filter(Boolean);
    if (covers.length > (1 - least) * points.length) say("covered", `${name} by ${words(covers[0])}`);
  };
  const piece = (place) => document.getElementById(`at-${place}`);

  // --- what the data contains ---
  const prompts = [];
  const promptsOf = (step) => {
    if (!step) return;
    prompts.push(step.prompt);
    for (const choice of step.choices ?? []) promptsOf(choice.then);
  };
  const flat = (text) => String(text ?? "").replace(/\*\*/g, "").trim();
  if (said) {
    const counted = new Set((said.seats ?? []).filter((s) => s.badges.some((b) => b.kind === "cards")).map((s) => s.seat));
    // On a phone, scoring slips (breakdowns of each player's points, card by card) replace the table after a round, so the
    // cards on the slips must be visible instead.
    const slipped = phone && document.querySelector(".has-slips");
    if (slipped) for (const e of all(".slip .piece")) see(e, `${words(e)} on a slip`, 0.4);
    for (const zone of slipped ? [] : said.zones) {
      for (const p of zone.pieces) {
        if (p.kind === "gap" || p.kind === "gone") continue;
        const e = piece(p.place);
        // Face-down hand cards may be shown as a number, in the badge that counts the hand.
        if (p.kind === "back" && zone.kind === "fan" && counted.has(zone.seat) && e && !shown(e)) continue;
        see(e, `${p.place} (${p.name})`, zone.kind === "heap" ? 0.01 : zone.kind === "fan" || zone.kind === "cascade" ? 0.1 : p.kind === "slot" ? 0.05 : 0.4);
      }
    }
    if (!said.slips.length) for (const seat of said.seats) {
      const place = document.getElementById(`seat-${seat.seat}`);
      if (!seat.you) see(place?.querySelector(".name"), `the name of ${seat.name}`, 0.6);
      if (seat.badges.length && !(seat.you && !shown(place))) for (const b of all(".badge, .pegs", place)) see(b, `${seat.name}: ${b.getAttribute("aria-label")}`, 0.5);
      if (seat.badges.length && place && !all(".badge, .pegs", place).some(shown)) say("hidden", `what ${seat.name} owns`);
      if (seat.state && !seat.you && place && ![...all(".state", place)].some(shown) && !shown(document.getElementById("prompt"))) say("hidden", `${seat.name} ${seat.state}`);
    }
    promptsOf(said.step);
    const prompt = document.getElementById("prompt-words");
    if (!said.over) {
      see(prompt, "the prompt", 0.9);
      if (!prompts.some((text) => flat(text) === prompt?.textContent.trim())) say("prompt", `says ${prompt?.textContent} where the data says ${flat(said.step.prompt)}`);
      if (document.getElementById("prompt-help")?.textContent) see(document.getElementById("prompt-help"), "the help", 0.9);
    }
    // Before the first click all buttons must be visible, except those for places on the table that can be clicked directly.
    const fresh = flat(said.step.prompt) === prompt?.textContent.trim() && !document.querySelector("#actions [data-back], .touched, .picked");
    if (!said.over && fresh) for (const choice of said.step.choices ?? []) {
      if (choice.button && (choice.number ?? null) === null && !piece(choice.touch)) see(document.getElementById(`button-${choice.touch}`), `the button “${choice.button}”`, 0.6);
    }
    for (const e of all("#actions :is(.button, .step)").filter(shown)) {
      const card = all(".hand-area .piece").filter(shown).find((p) => meets(box(e), box(p), 2));
      if (card) say("over", `“${words(e)}” and ${words(card)} lie over each other`);
    }
    for (const slip of said.slips) see(document.querySelector(`#slip-${slip.seat} .points, #seat-${slip.seat} .points`), `points of seat ${slip.seat} this round`, 0.6);
    for (const p of said.panels) {
      const panel = document.getElementById(`panel-${p.id}`);
      if (p.kind === "won") see(panel?.querySelector("h2 > b"), `points won, ${p.data.points}`, 0.6);
      // On a phone, the bid of a finished hand is on the scoring slips (breakdowns of the points) instead of this panel.
      if (p.kind === "contract" && !slipped) see(panel?.querySelector("h2"), `contract ${p.data.title}`, 0.6);
      if (p.kind === "dial") {
        const turn = all(".dial .disc b, [data-turn]").find(shown);
        if (turn) see(turn, "the turn", 0.6);
        else if (!document.querySelector(".bar p")?.textContent.includes(String(p.data.turn))) say("hidden", `turn ${p.data.turn}`);
      }
    }
    const rows = all("#scores li");
    for (const row of said.scores) {
      const name = said.seats.find((s) => s.seat === row.seat)?.name;
      const line = rows.find((li) => li.querySelector(".total")?.textContent.trim() === row.total && li.textContent.includes(name));
      if (!line) say("missing", `score of ${name}, ${row.total}`);
      else if (!phone) see(line.querySelector(".total"), `score of ${name}`, 0.6);
      else if (!all('[data-open="log"]').some(shown) && !shown(line)) say("hidden", `score of ${name}, and no button shows it`);
    }
  }

  for (const e of all(".round .box > *")) see(e, "the box of the game", 0.85);
  for (const e of all(".round .place > .name, .round .place > .chip-button")) see(e, `${words(e)} at a place`, 0.85);

  // --- texts ---
  const clampless = ".sr, .sr *, svg *, script, style, option, .token *, title";
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const blocks = new Map();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const e = node.parentElement;
    if (!node.textContent.trim() || !e || e.matches(clampless) || aside(e) || !shown(e)) continue;
    const clip = e.closest('[style*="clip"]');
    if (clip) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    let rects = [...range.getClientRects()].filter((r) => r.width > 1 && r.height > 1);
    if (!rects.length) continue;
    let block = e;
    while (block.parentElement && ["inline", "contents"].includes(style(block).display)) block = block.parentElement;
    let [gone, atEdge] = [false, false];
    for (let up = e; up && up !== document.body; up = up.parentElement) {
      const s = style(up);
      if (s.clipPath !== "none") gone = true;
      if (s.display === "inline" || s.display === "contents") continue;
      const frame = box(up);
      for (const r of rects) {
        if (hides(s.overflowX) && (r.right > frame.right + 1.5 || r.left < frame.left - 1.5)) atEdge = true;
        if (hides(s.overflowY) && up !== e && (r.bottom > frame.bottom + 4 || r.top < frame.top - 4) && up.scrollHeight > up.clientHeight + 2) atEdge = true;
      }
      if (s.textOverflow === "ellipsis" && up.scrollWidth > up.clientWidth) atEdge = true;
      if (longName(e, up)) {
        atEdge = false;
        rects = rects.filter((r) => meets(r, frame)).map((r) => new DOMRect(Math.max(r.left, frame.left), r.top, Math.min(r.right, frame.right) - Math.max(r.left, frame.left), r.height));
      }
      if (rolls(s.overflowX)) break;
    }
    blocks.set(block, (blocks.get(block) ?? []).concat(rects));
    if (gone) continue;
    if (atEdge && !e.closest(CUT)) say("cut", `"${e.textContent.trim().replace(/\s+/g, " ").slice(0, 60)}"`);
  }
  for (const [block, rects] of blocks) {
    const text = block.textContent.trim().replace(/\s+/g, " ");
    const lines = new Set(rects.map((r) => Math.round(r.bottom / 4))).size;
    // A text of more than 36 characters on more than two lines must have room for at least 18 characters in a line. A text
    // with a word of 20 or more characters is not checked: it takes many lines even where the block is wide enough.
    if (text.length > 36 && lines > 2 && !/\S{20}/.test(text) && !block.querySelector("button, input, p, li")) {
      const across = rects.reduce((sum, r) => sum + r.width, 0) / text.length;
      const room = box(block).width / across;
      if (room < 18) say("narrow", `${Math.round(room)} characters for "${text.slice(0, 60)}"`);
    }
    // Text must not be covered by anything else.
    for (const r of rects) {
      const y = r.top + r.height / 2;
      for (const x of [r.left + 2, r.left + r.width / 2, r.right - 2]) {
        if (x < 0 || x > innerWidth || y < 0 || y > innerHeight || block.closest(".piece, .cloth-back, .bands")) continue;
        const top = document.elementFromPoint(x, y);
        if (!top || block.contains(top) || top.contains(block) || top.closest(".bar, .prompt, .actions, .dock-back") || document.querySelector(".sheet-log, dialog[open]")) continue;
        let inside = true;
        for (let up = block.parentElement; up && up !== document.body; up = up.parentElement) {
          const frame = box(up);
          if (style(up).overflow !== "visible" && (x < frame.left || x > frame.right || y < frame.top || y > frame.bottom)) inside = false;
        }
        const other = over(block, x, y);
        if (inside && other) say("under", `"${text.slice(0, 40)}" lies under ${words(other)}`);
      }
    }
  }
  const lines = [...blocks].filter(([b]) => !b.closest(".rail, .piece, .bands, .says, .spans, .turns, .dial") && b.closest("#board"));
  for (let i = 0; i < lines.length; i++) for (let j = i + 1; j < lines.length; j++) {
    const [[a, ra], [b, rb]] = [lines[i], lines[j]];
    if (a.contains(b) || b.contains(a)) continue;
    if (ra.some((r) => rb.some((s) => meets(r, s, 3, 4)))) {
      if (roll(a) === roll(b)) say("over", `"${words(a)}" and "${words(b)}" lie over each other`);
    }
  }

  // On a wide page, the cards on the table must not reach into the dock, the bar below with prompt, buttons and hand.
  const dock = document.querySelector("#board > .dock-back");
  if (!phone && dock && shown(dock)) {
    const edge = box(dock).top + 1.5;
    for (const o of all("#board > :is(.mid, .others) .piece:not(.k-gap)").filter((o) => shown(o) && box(o).bottom > edge && box(o).top < innerHeight)) say("dock", `${words(o)} reaches ${Math.round(box(o).bottom - edge)} px into the dock`);
  }
  // The frame around the viewer's cards must not overlap the texts and badges of players. If the cards are above the dock
  // (the bar at the bottom with prompt, buttons and hand), the frame must not overlap the dock either.
  for (const zone of all("#board > .you-area .zone").filter(shown)) {
    const [r, s] = [box(zone), style(zone)];
    const wide = s.outlineStyle === "none" ? 0 : parseFloat(s.outlineWidth) + parseFloat(s.outlineOffset);
    const frame = { left: r.left - wide, top: r.top - wide, right: r.right + wide, bottom: r.bottom + wide };
    for (const e of all("#board :is(.state, .name, .line, .badge)").filter((e) => shown(e) && !zone.contains(e) && roll(e) === roll(zone))) if (meets(frame, box(e))) say("over", `the frame of ${words(zone)} over "${words(e)}"`);
    const reach = !phone && dock && shown(dock) && r.top < box(dock).top ? frame.bottom - box(dock).top : 0;
    if (reach > 0) say("dock", `the frame of ${words(zone)} reaches ${Math.round(reach)} px into the dock`);
  }
  // The progress dots and the exit button of a lesson must not overlap anything on the table.
  for (const e of all("#board :is(.dots, .lesson-dock .skip)").filter(shown)) {
    const r = box(e);
    const things = all("#board :is(.piece:not(.k-gap), .stack, .panel, .token, .badge, .actions .button)").filter((o) => shown(o) && meets(r, box(o), 1));
    const said = [...blocks].filter(([b, rects]) => b.closest("#board") && !b.closest(".lesson-dock") && rects.some((s) => meets(r, s, 1))).map(([b]) => b);
    for (const o of new Set([...things, ...said])) say("over", `${words(e)} over "${words(o)}"`);
  }

  // --- what can be clicked ---
  const touch = all('button:not(.piece), a[href], input, .piece[aria-disabled="false"], .zone.lit').filter((e) => !aside(e) && shown(e) && !e.closest("[disabled]") && box(e).width > 1);
  // Tapped elements have their own feedback, so the browser's blue tap highlight must be off.
  for (const e of touch.filter((e) => e.closest("#board") && !e.matches("a, input"))) if (style(e).webkitTapHighlightColor !== "rgba(0, 0, 0, 0)") say("tapped", `"${words(e)}" turns blue where it is touched`);
  // The frame around a selectable place must be visible on all sides.
  for (const e of all(".zone.lit").filter((e) => style(e).outlineStyle !== "none" && shown(e))) {
    const [r, wide] = [box(e), parseFloat(style(e).outlineWidth)];
    if (r.left < wide || r.right > innerWidth - wide) say("cut", `the frame around "${words(e)}" leaves the window: ${Math.round(r.left)} to ${Math.round(r.right)}`);
  }
  const related = (a, b) => {
    if (a.contains(b) || b.contains(a)) return true;
    const [za, zb] = [a.closest(".zone"), b.closest(".zone")];
    // Cards of one fan, cascade or heap overlap on purpose. For fans and cascades, the check "strip" below requires that
    // enough of each card is visible.
    return Boolean(za && za === zb && za.matches(".fan, .cascade, .heap")) || Boolean(za?.contains(b) || zb?.contains(a));
  };
  const clipped = new Map(touch.map((e) => {
    const r = box(e);
    let [left, top, right, bottom] = [r.left, r.top, r.right, r.bottom];
    for (let up = e.parentElement; up && up !== document.body; up = up.parentElement) {
      const s = style(up);
      if (s.overflow === "visible" || s.display === "contents") continue;
      const frame = box(up);
      [left, top, right, bottom] = [Math.max(left, frame.left), Math.max(top, frame.top), Math.min(right, frame.right), Math.min(bottom, frame.bottom)];
    }
    return [e, { left, top, right, bottom }];
  }));
  const sheet = all("dialog[open]")[0] ?? (phone ? document.querySelector(".sheet-log .rail") : null);
  for (let i = 0; i < touch.length; i++) for (let j = i + 1; j < touch.length; j++) {
    const [a, b] = [touch[i], touch[j]];
    if (related(a, b) || (sheet && (sheet.contains(a) !== sheet.contains(b)))) continue;
    const [r, s] = [clipped.get(a), clipped.get(b)];
    if (meets(r, s, 2.5)) say("overlap", `${words(a)} and ${words(b)}`);
  }
  for (const zone of all(".zone.fan, .zone.cascade")) {
    const cards = all('.piece[aria-disabled="false"]:not(.k-gap, .k-slot, .ghost)', zone).filter(shown);
    const lying = all(".piece:not(.k-gap, .k-slot)", zone).filter(shown);
    for (const card of cards) {
      const r = box(card);
      const fan = zone.matches(".fan");
      const near = lying.filter((o) => o !== card && Math.abs(fan ? box(o).top - r.top : box(o).left - r.left) < r.height * 0.5);
      const ahead = near.map((o) => (fan ? box(o).left - r.left : Math.abs(box(o).top - r.top))).filter((d) => d > 0.5);
      const strip = Math.min(...ahead, fan ? r.width : r.height);
      if (strip < (fan ? 20 : 14)) say("strip", `${words(card)} shows ${Math.round(strip)} px`);
    }
  }
  // The markers of gaps (places between cards where a card can be inserted) must be complete, must not overlap, and must not
  // cover the numbers of the cards behind them.
  const marks = all(".gap-mark").filter(shown).map((e) => [e, box(e)]);
  for (const [e, r] of marks) {
    if (r.left < 0 || r.right > innerWidth) say("cut", `the mark of ${words(e.parentElement)} leaves the window: ${Math.round(r.left)} to ${Math.round(r.right)}`);
    if (marks.some(([o, s]) => o !== e && meets(r, s, 0.5))) say("overlap", `the mark of ${words(e.parentElement)} and the next one`);
    const row = all(".piece:not(.k-gap)", e.closest(".zone")).map(box).filter((c) => c.left < r.right && c.right > r.left && c.top < r.bottom && c.bottom > r.top);
    if (row.some((c) => r.top < c.top + 0.35 * c.height)) say("covered", `a number by the mark of ${words(e.parentElement)}`);
  }
  // Cards of different zones must not overlap.
  const zones = all("#board .zone").filter((z) => shown(z) && !z.matches(".heap"));
  const cards = zones.flatMap((zone) => all(".piece:not(.k-gap, .k-gone)", zone).filter(shown).map((e) => [zone, e, box(e)])).filter(([, , r]) => r.width > 0);
  const clash = new Set();
  for (let i = 0; i < cards.length; i++) for (let j = i + 1; j < cards.length; j++) {
    const [[za, a, r], [zb, b, s]] = [cards[i], cards[j]];
    if (za === zb || roll(za) !== roll(zb)) continue;
    const gap = za.closest(".seat") && zb.closest(".seat") ? 8 : 0;
    if (meets(r, s, 1 - gap, 1)) clash.add(`${za.id} and ${zb.id}`);
  }
  for (const pair of clash) say("touching", pair);

  // During a layout transition, each moving element (one of `parts`) is the containing block of its descendants with
  // position absolute or fixed. A descendant that is normally positioned relative to an element outside the moving element
  // would therefore jump when the transition starts. The property will-change has the same effect, so no descendant may
  // change its position while the `parts` have this property.
  const parts = all("PARTS");
  const anchored = all("#board *").filter((e) => shown(e) && ["absolute", "fixed"].includes(style(e).position)).map((e) => [e, box(e)]);
  for (const part of parts) part.style.willChange = "translate, scale";
  for (const [e, was] of anchored) {
    const now = box(e);
    if (Math.hypot(now.left - was.left, now.top - was.top, now.width - was.width, now.height - was.height) > 1) say("torn", `${e.id || e.className.baseVal || e.className} lies at ${Math.round(was.left)},${Math.round(was.top)}, while a part around it glides at ${Math.round(now.left)},${Math.round(now.top)}`);
  }
  for (const part of parts) {
    part.style.willChange = "";
    if (!part.getAttribute("style")) part.removeAttribute("style");
  }

  // --- the whole page ---
  for (const [e, [x, y]] of scrolls) e === root ? scrollTo(x, y) : e.scrollTo(x, y);
  const primary = all("#actions .button.primary, form .button.primary").filter((b) => shown(b) && !aside(b) && !b.closest("dialog"));
  if (primary.length && !document.querySelector("dialog[open]")) {
    scrollTo(0, 0);
    const sights = primary.map(box);
    if (!sights.some((r) => r.top >= 0 && r.bottom <= innerHeight + 1)) say("below the fold", `${words(primary[0])} ends at ${Math.round(sights[0].bottom)} of ${innerHeight}`);
  }
  if (said && !document.querySelector("dialog[open], .replayed")) {
    scrollTo(0, 0);
    for (const e of all(".hand-area .piece:not(.k-gap), .you-area .piece, #actions .button").filter(shown)) {
      if (box(e).bottom > innerHeight + 1) {
        say("below the fold", `${words(e)} ends at ${Math.round(box(e).bottom)} of ${innerHeight}`);
        break;
      }
    }
  }
  // The page of a running table must fit the window, except on the smallest phones; long content scrolls in its own box.
  if (said && !said.over && innerHeight >= 740 && root.scrollHeight > innerHeight + 1) say("long", `the page is ${root.scrollHeight} high in ${innerHeight}`);
  if (root.scrollWidth > root.clientWidth + 1) say("sideways", `${root.scrollWidth} in ${root.clientWidth}`);
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== hitAll);
  return [...new Set(wrong)];
}
