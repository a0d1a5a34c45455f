/* Keyboard shortcuts: "[" opens the previous page, "]" the next one. The theme itself handles "/" for the search. */
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
  // On many keyboards a bracket needs AltGr, which browsers report as Control and Alt.
  const held = (event.ctrlKey || event.altKey || event.metaKey) && !event.getModifierState("AltGraph");
  const way = { "[": "prev", "]": "next" }[event.key];
  if (typing || held || !way) return;
  const link = document.querySelector(`link[rel="${way}"]`);
  if (link) location.href = link.href;
});
/* Make code blocks that scroll horizontally focusable, so that arrow keys can scroll them. */
for (const box of document.querySelectorAll(".highlight pre")) if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
/* Copy a Python session as it is typed, without prompts and output. */
const typed = (code) => {
  const copy = code.cloneNode(true);
  const session = copy.querySelector(".gp");
  for (const left of copy.querySelectorAll(".gp, .go")) left.remove();
  return session ? copy.textContent.replace(/\n{2,}/g, "\n").trimStart() : copy.textContent;
};
for (const box of navigator.clipboard ? document.querySelectorAll(".highlight:not(.doc-signature)") : []) {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "copy", textContent: "Copy" });
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(typed(box.querySelector("code")));
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 1500);
  });
  box.append(button);
}
