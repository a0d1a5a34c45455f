// Play again, by consent: the answer goes over the line, so that nobody's page has to be loaded anew.

/** Answers are sent by `send(message)`, which says whether the line was up; if it was not, the form is posted. */
export function consent(send) {
  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form[data-again]");
    if (form && send({ type: "again", answer: event.submitter?.value || "yes" })) event.preventDefault();
  });
}
