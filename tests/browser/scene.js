// Another scene is set: the cards of a new phase are laid out, a hand has got a second row, a round is counted. Then the
// whole table may find other places, but it must be seen to glide there: what glides is no jump to the browser, either.
// Within a scene the dock stays where it is.
window.__scene = () => ["#board.has-slips", "#board.has-hand", "#app .z-option", ".hand-area .long", "#actions .stepper", "#app .faces", "#app .ladder", "#app .contract", "#board"].map((q) => Boolean(document.querySelector(q))).join() + document.querySelector("#prompt")?.dataset.phase;
