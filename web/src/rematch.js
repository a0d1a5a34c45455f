// Rematch by agreement of all players. The answer is sent over the WebSocket, so that no player has to reload the page.

/** Send answers by `send(message)`, which returns whether the connection was up; otherwise the form is posted. */
export function enableRematchForm(send) {
  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form[data-again]");
    if (form && send({ type: "again", answer: event.submitter?.value || "yes" })) event.preventDefault();
  });
}
