// Installable app (PWA): registers the service worker and offers installation in the menu. On pages that show no table,
// it also shows a bar while the browser is offline.

import { $, $$, icon, make } from "./dom.js";
import { sayUrgently } from "./announcer.js";
import { t } from "./translations.js";

let offered = null;

/** Register the service worker, which caches the guides. It is in the same folder as the manifest. */
function registerServiceWorker() {
  const manifest = $("link[rel=manifest]")?.href;
  if (!manifest || !("serviceWorker" in navigator)) return;
  const url = new URL("sw.js", manifest);
  url.searchParams.set("lang", document.documentElement.lang || "en");
  navigator.serviceWorker.register(url, { scope: new URL("./", manifest).pathname, updateViaCache: "none" }).catch(() => {});
}

/** Show the menu row for installing only if the browser offers installation. */
function updateInstallRows() {
  for (const button of $$("[data-install]")) button.parentElement.hidden = !offered;
}

async function install() {
  const asked = offered;
  offered = null;
  updateInstallRows();
  await asked?.prompt().catch(() => {});
}

/** Show a bar if the browser is offline, except on the pages of a table, which have a bar of their own. */
function updateNoConnectionBar() {
  if ($("body:is(.live, .offline-page)")) return;
  $("#no-line")?.remove();
  document.body.classList.toggle("no-line", !navigator.onLine);
  if (navigator.onLine) return;
  const again = make("button", "button", t("Reload"));
  again.type = "button";
  again.addEventListener("click", () => location.reload());
  const words = make("span", "words", make("b", "", t("You’re offline.")), " ", t("This page may be out of date. You can still read the guides."));
  const bar = make("div", "offline-bar there", icon("offline"), words, again);
  bar.id = "no-line";
  document.body.append(bar);
  sayUrgently(t("You’re offline."));
}

/** On the offline page, list only the guides that are in the cache. */
async function hideUncachedGuides() {
  for (const link of $$("[data-kept]")) if (!(await caches.match(link.href))) link.parentElement.hidden = true;
}

export function enablePwa() {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    offered = event;
    updateInstallRows();
  });
  addEventListener("appinstalled", () => {
    offered = null;
    updateInstallRows();
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest?.("[data-install]")) install();
    else if (event.target.closest?.("[data-reload]")) location.reload();
  });
  for (const type of ["online", "offline"]) addEventListener(type, updateNoConnectionBar);
  updateNoConnectionBar();
  if ($("[data-kept]") && "caches" in self) hideUncachedGuides();
  // Registering waits until the page has loaded, because it would compete for bandwidth.
  if (document.readyState === "complete") registerServiceWorker();
  else addEventListener("load", registerServiceWorker, { once: true });
}
