// Entry of cards in the scorekeeper by touch. Each select list of cards gets a button, which opens a tray at the bottom
// of the page: a row of cards to pick from. The lists remain for the keyboard, for screen readers and for browsers
// without scripts.

const lists = [...document.querySelectorAll("select[data-tray]")];
const trayOf = (list) => document.getElementById(list.dataset.tray);
let open = null;

/** Show on a list's button the card that is selected in the list. */
function showChosenCard(list) {
  const chosen = list.value && trayOf(list).querySelector(`[value="${CSS.escape(list.value)}"]`);
  list.nextElementSibling.replaceChildren(...(chosen ? [...chosen.childNodes].map((part) => part.cloneNode(true)) : []));
}

/** Open the tray (row of cards to pick from) for a list. Close it if `list` is null. */
function openTray(list) {
  for (const tray of document.querySelectorAll(".tray")) tray.hidden = !list || tray !== trayOf(list);
  open?.nextElementSibling.classList.remove("now");
  open = list;
  document.body.classList.toggle("filling", Boolean(list));
  if (!list) return;
  list.nextElementSibling.classList.add("now");
  list.parentElement.scrollIntoView({ block: "nearest" });
}

for (const list of lists) {
  const place = document.createElement("button");
  Object.assign(place, { type: "button", className: "place-of", tabIndex: -1 });
  place.setAttribute("aria-hidden", "true");
  place.addEventListener("click", () => openTray(open === list ? null : list));
  list.after(place);
  list.addEventListener("change", () => showChosenCard(list));
  showChosenCard(list);
}

document.addEventListener("click", (event) => {
  const card = event.target.closest(".tray button");
  if (!card) {
    if (open && !event.target.closest(".tray, .place-of")) openTray(null);
    return;
  }
  open.value = card.value;
  open.dispatchEvent(new Event("change", { bubbles: true }));
  const group = open.closest(".qs");
  const rest = lists.slice(lists.indexOf(open) + 1).filter((list) => list.closest(".qs") === group && list.dataset.tray === open.dataset.tray);
  openTray(card.value ? rest.find((list) => !list.value) ?? null : open);
});
document.addEventListener("keydown", (event) => event.key === "Escape" && openTray(null));
