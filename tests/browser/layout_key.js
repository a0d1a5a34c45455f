// A key of the arrangement of the table. The key changes when a phase lays out other cards, a hand gets a second row,
// or a round is counted. Then the whole table may glide to other places, which the browser does not count as a layout
// shift. As long as the key is the same, the dock keeps its place.
window.__scene = () => ["#board.has-slips", "#board.has-hand", "#app .z-option", ".hand-area .long", "#actions .stepper", "#app .faces", "#app .ladder", "#app .contract", "#board"].map((q) => Boolean(document.querySelector(q))).join() + document.querySelector("#prompt")?.dataset.phase;
