// Replaces the browser's connection to a push service. The subscription is kept in `localStorage`. Its address ends in
// its number, its keys are `__keys`, and `__asked` counts how often the page asked for permission.
(() => {
  const KEPT = "test-subscription";
  const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0)).buffer;
  const subscription = ({ endpoint, key }) => ({
    endpoint,
    options: { userVisibleOnly: true, applicationServerKey: bytes(key) },
    toJSON: () => ({ endpoint, keys: globalThis.__keys }),
    unsubscribe: async () => localStorage.removeItem(KEPT) ?? true,
  });
  PushManager.prototype.getSubscription = async () => localStorage[KEPT] ? subscription(JSON.parse(localStorage[KEPT])) : null;
  PushManager.prototype.subscribe = async ({ applicationServerKey: key }) => {
    const number = Number(localStorage.subscriptions ?? 0) + 1;
    const made = { endpoint: `https://push.test/ok/${number}`, key };
    Object.assign(localStorage, { subscriptions: number, [KEPT]: JSON.stringify(made) });
    return subscription(made);
  };
  globalThis.__asked = 0;
  const ask = Notification.requestPermission.bind(Notification);
  Notification.requestPermission = () => (globalThis.__asked += 1) && ask();
})();
