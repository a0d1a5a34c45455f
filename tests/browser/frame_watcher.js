// Checks every animation frame of a table. It reads only where things are, not how they are drawn or moved, and the page
// does not know of it. Problems are added to `__watch.faults`.
(() => {
  const MARGIN = 30;
  const PACE = { calm: 1.6, quick: 0.5 }[document.cookie.match(/facedown-pace=(\w+)/)?.[1]] ?? 1;
  const LONGEST = 720 * PACE;
  const JUMP = 0.02; // how far a move may make the page jump
  const HEAP = 3; // how many cards may overlap on their way, because their shadows add up
  const BEGUN = 3; // how far from its shown place a glide may begin
  const CALM = 4; // number of frames without motion that count as rest
  const faults = [];
  const watch = { faults, frames: 0, rests: 0, flights: 0, longest: 0, shift: 0, shifts: [], step: null, news: false, touches: 0, rest: false };
  window.__watch = watch;
  const fault = (text) => faults.length < 40 && !faults.includes(text) && faults.push(text);
  const $$ = (q) => [...document.querySelectorAll(q)];

  // --- causes of changes: a message, a touch, a key, scrolling, a step in which cards are flipped
  let stirred = true;
  let touched = null; // the targets before a touch that may not have completed a move
  const stir = () => (stirred = true);
  const SHOWN = 3; // number of frames that showing a message takes
  let coming = 0;
  const Plain = window.WebSocket;
  window.WebSocket = class extends Plain {
    // Record where things are just before and just after the page handles a message.
    addEventListener(type, listener, ...rest) {
      if (type !== "message") return super.addEventListener(type, listener, ...rest);
      super.addEventListener(type, (event) => {
        const message = JSON.parse(event.data);
        if (message.type !== "pong") {
          stir();
          coming = SHOWN;
          touched = null;
        }
        if (message.type !== "table") return listener.call(this, event);
        heard(message);
        const met = come();
        listener.call(this, event);
        begun(met);
        // The page shows the message at once, or in the next frame unless something is touched before.
        const said = events.length;
        requestAnimationFrame(() => said === events.length && begun(met));
      }, ...rest);
    }
    send(data) {
      if (JSON.parse(data).type === "move") touched = null;
      super.send(data);
    }
  };
  // A glide begins where the part, and every card on it, was shown. Nothing moves between two frames, so this is exact.
  const glide = (e) => e.getAnimations().find((a) => a.id === "glide");
  const spot = (e) => {
    const r = e.getBoundingClientRect();
    const m = new DOMMatrix(getComputedStyle(e).transform);
    const card = e.matches(".piece");
    const half = card ? 0.5 : 0; // a card grows on its way
    const along = e.id === "actions" ? 1 : half; // buttons are added and removed at the end of their row
    return r.width && r.height ? { x: r.left + along * r.width - m.e, y: r.top + half * r.height - m.f, w: card ? r.width : 0, cut: card && cutOff(e, r) } : null;
  };
  // Whether its centre is outside a part that clips or scrolls it.
  function cutOff(e, r) {
    const [x, y] = [r.left + r.width / 2, r.top + r.height / 2];
    for (let part = e.parentElement; part.id !== "app"; part = part.parentElement) {
      const b = part.getBoundingClientRect();
      if (getComputedStyle(part).overflow !== "visible" && b.width && (x < b.left || x > b.right || y < b.top || y > b.bottom)) return true;
    }
    return false;
  }
  function rides(e) {
    if (!e.matches(".piece[data-place]") || ![...e.children].some(seen)) return false; // a card is not shown while its picture flies
    for (let part = e; part; part = part.parentElement) if (glide(part)) return true;
    return false;
  }
  const NAMED = "#board [id], #board .area";
  const name = (e) => e.id || `${e.parentElement.id} ${e.className}`; // an element may be replaced, but its name stays
  let cut = false; // whether a table arrived while things were gliding
  function come() {
    cut ||= document.getAnimations().some((a) => a.id === "glide");
    return new Map($$(NAMED).map((e) => [name(e), spot(e)]));
  }
  function begun(met) {
    for (const e of $$(NAMED)) {
      const was = met.get(name(e));
      const now = was && (glide(e) || rides(e)) && spot(e);
      if (now?.cut && !was.cut) fault(`${name(e)} was seen and is cut off when it begins to glide`);
      if (now && Math.hypot(now.x - was.x, now.y - was.y, now.w - was.w) > BEGUN) fault(`${name(e)} was seen at ${Math.round(was.x)},${Math.round(was.y)} (${Math.round(was.w)} wide) and began to glide at ${Math.round(now.x)},${Math.round(now.y)} (${Math.round(now.w)})`);
    }
  }

  let last = "";
  const events = []; // times of touches and of tables
  function heard(message) {
    events.push([performance.now(), "table"]);
    // The help of a question may change when another player has chosen. That is not another turn.
    const step = JSON.stringify([message.step?.prompt, message.step?.choices], (key, value) => (key === "help" ? undefined : value));
    watch.news = step !== last;
    last = step;
    watch.step = message.step;
    begin();
  }
  for (const type of ["keydown", "scroll", "resize", "input"]) addEventListener(type, stir, true);
  addEventListener("pointerdown", () => {
    stir();
    watch.touches += 1;
    watch.news = false;
    events.push([performance.now(), "touch"]);
    calm = 0;
    watch.rest = false;
  }, true);
  // Runs after the page's own handler, in which flying cards arrive at the first touch. Glides continue.
  addEventListener("pointerdown", () => (touched = glided ? null : { targets: targets(), holds: holds() }));
  addEventListener("click", stir, true);
  document.fonts.addEventListener("loadingdone", stir);
  document.addEventListener("DOMContentLoaded", () => {
    const started = document.querySelector("#message");
    if (started && document.querySelector("#board")) heard(JSON.parse(started.textContent));
    new MutationObserver((all) => {
      for (const made of all.flatMap((m) => [...m.addedNodes])) if (made.dataset?.to) watch.flights += 1;
    }).observe(document.body, { childList: true });
    new MutationObserver((all) => all.some((m) => m.target.id === "board" || (m.target === document.body && /stepping/.test(`${m.oldValue} ${document.body.className}`))) && stir()).observe(document.documentElement, { attributes: true, attributeOldValue: true, attributeFilter: ["class"], subtree: true });
  });

  // --- places of things
  const box = (e) => {
    const r = e.getBoundingClientRect();
    return { l: r.left, t: r.top, r: r.right, b: r.bottom };
  };
  const real = (b) => b.r - b.l > 1 && b.b - b.t > 1;
  const far = (a, b) => Math.max(Math.abs(a.l - b.l), Math.abs(a.t - b.t), Math.abs(a.r - b.r), Math.abs(a.b - b.b));
  const says = (b) => `${Math.round(b.l)},${Math.round(b.t)} ${Math.round(b.r - b.l)}×${Math.round(b.b - b.t)}`;
  const seen = (e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const places = () => new Map($$("#app .piece[data-place]").map((e) => [e.dataset.place, box(e)]).filter(([, b]) => real(b)));
  const pictures = () => {
    const all = [];
    for (const e of $$("#app .piece[data-place] > .art")) if (seen(e)) all.push([e.parentElement.dataset.place, box(e), e.parentElement]);
    for (const e of $$("body > [data-to]")) if (seen(e)) all.push([e.dataset.to, box(e), e]);
    return all;
  };
  const shapes = () => new Map([...$$("#app [data-zone], #app .seat, #app .lane"), ...$$("#prompt, #actions, .board, .hand-area")].map((e) => [e.id || e.className, box(e)]));
  // The places of touchable things. A touched card is lifted, which does not count as another place.
  const targets = () => new Map($$("#app .piece.can, #app .zone.lit .option, #actions .button, #actions .step").filter(seen).map((e) => {
    const r = box(e);
    const m = new DOMMatrix(getComputedStyle(e).transform);
    const button = e.matches("#actions *");
    const where = { x: button ? 0 : (r.l + r.r) / 2 - m.e, y: (r.t + r.b) / 2 - m.f, h: button ? r.b - r.t : 0 };
    return [e.id || e.dataset.button || e.className, { ...where, zone: e.closest("[data-zone]")?.id }];
  }));
  const holds = () => $$("#app .k-gap.holds").map((e) => e.closest("[data-zone]")?.id);

  // --- one move, from rest to rest
  let starts = []; // places at rest, and at each message since
  let lay = new Set(); // names of places that held a card
  let way = [];
  let shift = 0;
  let calm = 0;
  function begin() {
    const there = places();
    starts = [...(watch.rest ? [] : starts), ...there.values()];
    lay = new Set([...(watch.rest ? [] : lay), ...there.keys()]);
    way = [];
    shift = 0;
    calm = 0;
    watch.rest = false;
  }
  // Chromium counts a part that scrolls and glides twice. A rail that glides to its place does not jump.
  const gliders = new Set();
  const noteGliders = () => document.getAnimations().forEach((a) => a.id === "glide" && gliders.add(a.effect.target));
  const slides = (node) => gliders.has(node) && getComputedStyle(node).overflow !== "visible";
  // To Chromium, a glide stays at its start until it ends. One that is cut short seems to jump all the way. `begun` checks
  // gliding parts. This function measures the others by the same formula (area × distance).
  function still(sources) {
    const rest = sources.filter(({ node }) => node && ![...gliders].some((g) => g.contains(node)));
    const area = rest.reduce((sum, { previousRect: a, currentRect: b }) => sum + a.width * a.height + b.width * b.height, 0);
    const way = Math.max(0, ...rest.map(({ previousRect: a, currentRect: b }) => Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y))));
    return (area / (innerWidth * innerHeight)) * (way / Math.max(innerWidth, innerHeight));
  }
  const told = (entries) => {
    noteGliders(); // Chromium may report a shift before the next call of `frame`
    for (const entry of entries) {
      if (entry.sources.length && slides(entry.sources[0].node)) continue;
      // A touch may open something (a hand makes room for a card), and a page may still be loading. Neither is a jump.
      // Moving targets are checked below.
      if (events.findLast(([when]) => when <= entry.startTime)?.[1] !== "table") continue;
      const value = cut ? still(entry.sources) : entry.value;
      shift += value;
      if (value > 0.005) watch.shifts.push([value.toFixed(4), ...entry.sources.map((s) => `${s.node?.id || s.node?.className || s.node?.nodeName} ${Math.round(s.previousRect.y)}→${Math.round(s.currentRect.y)} ${Math.round(s.previousRect.x)}→${Math.round(s.currentRect.x)}`)].join(" | "));
    }
  };
  const shifted = new PerformanceObserver((list) => told(list.getEntries()));
  shifted.observe({ type: "layout-shift", buffered: true });

  // Within a scene the dock keeps its place: its edge and the hand, and on a phone also the prompt and the buttons.
  let dock = new Map();
  const docked = () => new Map($$(`.dock-back, .hand-area, .you-area${innerWidth < 1260 ? ", #prompt, #actions" : ""}`).filter(seen).map((e) => [e.id || e.className, box(e)]).filter(([, b]) => real(b)));
  let scene = "";
  // Every card is drawn, and equal cards are drawn alike. Otherwise a picture was not updated and shows another card.
  function drawn() {
    const art = new Map();
    for (const e of $$("#app .piece[data-place]")) {
      const { kind, face = "", place } = e.dataset;
      if ((kind !== "face" && kind !== "back") || !e.checkVisibility()) continue;
      const picture = e.querySelector(":scope > .art");
      if (!picture) {
        fault(`${place} lies on the table and is not drawn`);
        continue;
      }
      const key = `${kind} ${face} ${picture.getAttribute("viewBox")} ${Boolean(e.closest(".small"))}`;
      if ((art.get(key) ?? picture.innerHTML) !== picture.innerHTML) fault(`${place} shows another card than the ${face || "back"} that lies there`);
      art.set(key, picture.innerHTML);
    }
  }

  function settle() {
    drawn();
    const same = scene === window.__scene();
    scene = window.__scene();
    const ends = places();
    const piles = $$("#app .zone.pile .piece[data-place]").map((e) => ends.get(e.dataset.place)).filter(Boolean);
    for (const [place, b] of way) {
      const end = ends.get(place);
      if (!end) continue;
      // Cards may be dealt from a pile that has moved to its place meanwhile.
      const inside = [end, ...starts, ...piles].some((s) => b.l >= Math.min(s.l, end.l) - MARGIN && b.t >= Math.min(s.t, end.t) - MARGIN && b.r <= Math.max(s.r, end.r) + MARGIN && b.b <= Math.max(s.b, end.b) + MARGIN);
      if (!inside) fault(`a card for ${place} was at ${says(b)}, on the way of no card: it goes to ${says(end)}`);
    }
    way = [];
    told(shifted.takeRecords());
    gliders.clear();
    cut = false;
    watch.rests += 1;
    watch.shift = Math.max(watch.shift, shift);
    if (shift >= JUMP) fault(`the page jumped by ${shift.toFixed(3)}: ${watch.shifts.slice(-4).join(" ;; ")}`);
    shift = 0;
    const stood = dock;
    dock = docked();
    if (same) for (const [part, b] of dock) if (stood.has(part) && Math.abs(stood.get(part).t - b.t) > 2) fault(`${part} gave way within a scene: ${says(stood.get(part))} → ${says(b)}, at "${document.querySelector("#prompt")?.innerText}"`);
    if (touched) {
      const now = targets();
      const open = new Set([...touched.holds, ...holds()]);
      for (const [id, a] of touched.targets) {
        const b = now.get(id);
        if (!b || open.has(a.zone)) continue;
        if (Math.abs(a.x - b.x) > 2 || Math.abs(a.y - b.y) > 2 || Math.abs(a.h - b.h) > 2) fault(`${id} moved under the finger by ${Math.round(b.x - a.x)},${Math.round(b.y - a.y)}, ${Math.round(b.h - a.h)} higher`);
      }
      touched = null;
    }
  }

  let before = new Map();
  let rim = null; // the table's edge at rest
  let letters = 0;
  let glided = false;
  const at = new Map(); // place of each picture in the previous frame
  function frame() {
    watch.frames += 1;
    if (document.querySelector("#board") && !document.querySelector(".layout-lobby")) {
      // Fonts that have just been loaded may move things.
      if (document.fonts.status !== "loaded") letters = watch.frames;
      if (watch.frames - letters < 10) stirred = true;
      const all = document.getAnimations();
      const glides = all.some((a) => a.id === "glide");
      noteGliders();
      if (glides || glided || coming) stirred = true;
      if (coming) coming -= 1;
      glided = glides;
      const shape = shapes();
      if (!stirred) for (const [id, b] of shape) if (before.has(id) && far(before.get(id), b) > 1) fault(`${id} lost its shape by itself: ${says(before.get(id))} → ${says(b)}`);
      before = shape;
      stirred = false;
      // Use the duration of the animation: a busy machine draws few frames, and a card that waits for others does not fly.
      for (const a of all) if (a.id === "glide" || (a.id !== "waits" && a.effect?.target?.closest?.("[data-to]"))) watch.longest = Math.max(watch.longest, Number(a.effect.getComputedTiming().duration) || 0);
      const moving = all.some((a) => a.playState === "running" && a.effect?.getComputedTiming().endTime < 1e6 && (a.id === "glide" || a.effect?.target?.closest?.(".piece, [data-to]")));
      for (const [place, b, e] of pictures()) {
        const was = at.get(place);
        // A new card moves with the hand that glides. `begun` checks where that starts.
        const along = !lay.has(place) && rides(e);
        if (!along && (!was || far(was, b) > 0.5)) way.push([place, b]);
        at.set(place, b);
      }
      const heaps = new Map();
      for (const e of $$("body > .flight:not(.waits)")) if (seen(e)) heaps.set(says(box(e)), (heaps.get(says(box(e))) ?? 0) + 1);
      for (const [where, many] of heaps) if (many > HEAP) fault(`${many} cards wait above the table at ${where}`);
      // A table that becomes narrower moves its buttons. They start at its old edge.
      const edge = ["#board", "#app"].map((q) => box(document.querySelector(q))).find(real);
      if (calm >= CALM || !rim) rim = edge;
      for (const e of $$("#actions .button").filter(seen)) {
        const b = box(e);
        if (b.l < Math.min(edge.l, rim.l) - 1 || b.r > Math.max(edge.r, rim.r) + 1) fault(`"${e.textContent.trim()}" hangs over the table's edge, ${says(edge)}: ${says(b)}`);
      }
      const there = new Set(pictures().map(([place]) => place));
      for (const place of [...at.keys()]) if (!there.has(place)) at.delete(place);
      calm = moving ? 0 : calm + 1;
      if (calm === CALM) settle();
      watch.rest = calm >= CALM && !document.body.classList.contains("stepping");
      if (watch.longest > LONGEST + 1) {
        fault(`a card flew for ${Math.round(watch.longest)} ms`);
        watch.longest = 0;
      }
    }
    requestAnimationFrame(frame);
  }
  requestAnimationFrame(frame);

  /** Return what keeps the table from coming to rest. */
  watch.restless = () => {
    const going = document.getAnimations().filter((a) => a.playState === "running" && a.effect?.getComputedTiming().endTime < 1e6);
    const said = (a) => `${a.id || a.animationName || a.transitionProperty || a.constructor.name} of ${a.effect.target?.id || a.effect.target?.className} at ${Math.round(a.currentTime)} of ${Math.round(a.effect.getComputedTiming().endTime)}`;
    return `frame ${watch.frames}, ${calm} calm, ${events.length} touches and tables, ${document.querySelector("#board")?.className}, ${document.visibilityState}, ${document.body.className}: ${going.map(said).join("; ")}`;
  };

  // --- free choice: every choice of this turn can be begun by one touch of something highlighted
  watch.free = () => {
    const step = watch.step;
    const wrong = [];
    const open = (step?.choices ?? []).filter((c) => !c.refuses);
    if (!watch.rest) return null;
    if (!watch.news || !open.length) return wrong;
    watch.news = false;
    const begun = $$("#app .touched, #app .picked, #app .spanned, #app .holds, #app .ghost");
    // A second question about the same choice does not count.
    const usual = open.filter((c) => c.then?.choices[0]?.touch !== `${c.touch}-anyway`);
    const sole = usual.length === 1 && usual[0].then && !usual[0].button;
    if (begun.length && !sole) wrong.push(`${begun[0].id} is touched already, where there are ${open.length} things to do`);
    if (sole) return wrong;
    for (const choice of open) {
      const thing = document.getElementById(`at-${choice.touch}`);
      const zone = document.getElementById(`zone-${choice.touch}`);
      const button = document.querySelector(`#actions [data-button="${CSS.escape(choice.touch)}"]:not([disabled], [aria-disabled=true])`);
      const ways = [thing?.matches('.can[aria-disabled="false"]') && thing, zone?.matches(".lit") && zone, button].filter(Boolean);
      const number = choice.number !== undefined && choice.number !== null && (choice.face ? document.querySelector(`#faces .face[data-number="${choice.number}"]`)?.checkVisibility() : document.querySelector("#actions .stepper"));
      if (!number && !ways.some((e) => [e, ...e.children].some((part) => seen(part) && real(box(part))))) wrong.push(`nothing lit begins ${choice.touch} (${step.prompt}): ${thing?.outerHTML.replace(/<svg.*<\/svg>/, '')}`);
    }
    return wrong;
  };
})();
