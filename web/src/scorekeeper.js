// Cards of a score sheet are touched: each list of cards becomes a place, which is filled from one tray at the foot of
// the page. The lists stay, for the keyboard, for those who listen, and where no script runs.

const lists = [...document.querySelectorAll("select[data-tray]")];
const trayOf = (list) => document.getElementById(list.dataset.tray);
let open = null;

/** Shows in a place what its list says. */
function show(list) {
  const chosen = list.value && trayOf(list).querySelector(`[value="${CSS.escape(list.value)}"]`);
  list.nextElementSibling.replaceChildren(...(chosen ? [...chosen.childNodes].map((part) => part.cloneNode(true)) : []));
}

/** Opens the tray for a place; null closes it. */
function fill(list) {
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
  place.addEventListener("click", () => fill(open === list ? null : list));
  list.after(place);
  list.addEventListener("change", () => show(list));
  show(list);
}

document.addEventListener("click", (event) => {
  const card = event.target.closest(".tray button");
  if (!card) {
    if (open && !event.target.closest(".tray, .place-of")) fill(null);
    return;
  }
  open.value = card.value;
  open.dispatchEvent(new Event("change", { bubbles: true }));
  const group = open.closest(".qs");
  const rest = lists.slice(lists.indexOf(open) + 1).filter((list) => list.closest(".qs") === group && list.dataset.tray === open.dataset.tray);
  fill(card.value ? rest.find((list) => !list.value) ?? null : open);
});
document.addEventListener("keydown", (event) => event.key === "Escape" && fill(null));
