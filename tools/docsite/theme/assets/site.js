/* Keys: "/" searches (the theme knows it), "[" goes a page back and "]" a page on. */
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
  // On many keyboards a bracket needs AltGr, which looks like Control and Alt together.
  const held = (event.ctrlKey || event.altKey || event.metaKey) && !event.getModifierState("AltGraph");
  const way = { "[": "prev", "]": "next" }[event.key];
  if (typing || held || !way) return;
  const link = document.querySelector(`link[rel="${way}"]`);
  if (link) location.href = link.href;
});
/* What scrolls sideways can be scrolled by keys. */
for (const box of document.querySelectorAll(".highlight pre")) if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
/* An example is copied as it is typed: without prompts and without what it answers. */
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
