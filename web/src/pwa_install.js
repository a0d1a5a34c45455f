// Facedown as an app: the service worker is registered, installing is offered in the menu, and pages say when there is no line.

import { $, $$, icon, make } from "./dom.js";
import { alarm } from "./announcer.js";
import { t } from "./translations.js";

let offered = null;

/** Keeps the guides for a time without a connection. It stands beside the manifest, wherever the app does. */
function register() {
  const manifest = $("link[rel=manifest]")?.href;
  if (!manifest || !("serviceWorker" in navigator)) return;
  const url = new URL("sw.js", manifest);
  url.searchParams.set("lang", document.documentElement.lang || "en");
  navigator.serviceWorker.register(url, { scope: new URL("./", manifest).pathname, updateViaCache: "none" }).catch(() => {});
}

/** The row in the menu is there when the browser can install. */
function rows() {
  for (const button of $$("[data-install]")) button.parentElement.hidden = !offered;
}

async function install() {
  const asked = offered;
  offered = null;
  rows();
  await asked?.prompt().catch(() => {});
}

/** A page without a table says that there is no line; a table says it for itself. */
function line() {
  if ($("body:is(.live, .offline-page)")) return;
  $("#no-line")?.remove();
  document.body.classList.toggle("no-line", !navigator.onLine);
  if (navigator.onLine) return;
  const again = make("button", "button", t("Try now"));
  again.type = "button";
  again.addEventListener("click", () => location.reload());
  const words = make("span", "words", make("b", "", t("You are offline.")), " ", t("What you see may be old; the guides are here."));
  const bar = make("div", "offline-bar there", icon("offline"), words, again);
  bar.id = "no-line";
  document.body.append(bar);
  alarm(t("You are offline."));
}

/** The offline page lists the guides that are really kept. */
async function kept() {
  for (const link of $$("[data-kept]")) if (!(await caches.match(link.href))) link.parentElement.hidden = true;
}

export function app() {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    offered = event;
    rows();
  });
  addEventListener("appinstalled", () => {
    offered = null;
    rows();
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest?.("[data-install]")) install();
    else if (event.target.closest?.("[data-reload]")) location.reload();
  });
  for (const type of ["online", "offline"]) addEventListener(type, line);
  line();
  if ($("[data-kept]") && "caches" in self) kept();
  // The page comes first.
  if (document.readyState === "complete") register();
  else addEventListener("load", register, { once: true });
}
