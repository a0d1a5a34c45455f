// Rematch by agreement of all players. The answer is sent over the WebSocket, so that no player has to reload the page.

/** Send a player's answer with `send(message)`. If that returns false (no connection), the browser posts the form. */
export function enableRematchForm(send) {
  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form[data-again]");
    if (form && send({ type: "again", answer: event.submitter?.value || "yes" })) event.preventDefault();
  });
}
