// A bot that joins a table by its link and plays random moves in any game. It follows docs/protocol.md, and needs only
// Node 20 or newer:
//
//     node random_player.mjs https://cards.example/t/K7QM4XPN Ada

const [, , link, name = "Node"] = process.argv;
const { origin, pathname } = new URL(link);
const [, root, code] = pathname.match(/^(.*)\/t\/([^/]+)\/?$/);
const api = `${origin}${root}/api/v1/tables/${code}`;
const WAITS = [500, 1000, 2000, 4000, 8000, 15000];
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/** Send a request to the API and return the answer. Failed requests are repeated if `again`; a refusal is thrown. */
async function ask(method, path, body, { token, again = true } = {}) {
  const headers = { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) };
  for (let tried = 0; ; tried += 1) {
    const answer = await fetch(api + path, { method, headers, body: JSON.stringify(body) }).catch((lost) => lost);
    if (answer.ok) return answer.json();
    const mayAgain = answer instanceof Error || answer.status === 503 ? again : answer.status === 429;
    if (!mayAgain || tried === WAITS.length) {
      throw answer instanceof Error ? answer : Object.assign(new Error(), await answer.json());
    }
    await sleep(1000 * (answer.headers?.get("retry-after") ?? 0) || WAITS[tried]);
  }
}

/** Yield the seat's messages from the WebSocket. A lost connection is opened again. */
async function* messages(token) {
  let version = 0;
  for (let tried = 0; ; tried += 1) {
    const heard = [];
    let wake = () => {};
    const say = (message) => (heard.push(message), wake());
    const line = new WebSocket(`${api.replace(/^http/, "ws").replace("/api/v1/tables", "/t")}/live`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    line.onopen = () => line.send(JSON.stringify({ type: "hello", version, known: true }));
    line.onmessage = ({ data }) => say(JSON.parse(data));
    line.onclose = () => say(null);
    line.onerror = () => {};
    const beat = setInterval(() => line.readyState === 1 && line.send('{"type":"ping"}'), 20_000);
    try {
      for (;;) {
        if (!heard.length) await new Promise((done) => (wake = done));
        const message = heard.shift();
        if (!message) break;
        if (message.type === "error" && message.code === "closed") throw Object.assign(new Error(), message);
        if (message.type === "known") [tried, version] = [0, message.version];
        yield message;
      }
    } finally {
      clearInterval(beat);
      line.close();
    }
    await sleep(WAITS[Math.min(tried, WAITS.length - 1)]);
  }
}

/** Yield the same messages by long polling, for Node before version 22, which has no WebSocket. */
async function* polled(token) {
  for (let version = -1; ; ) {
    const known = await ask("GET", `/known?beyond=${version}&wait=20`, undefined, { token });
    if (known.status !== "lobby") version = known.version;
    yield { ...known, type: "known" };
  }
}

try {
  const { seat, token } = await ask("POST", "/seats", { name }, { again: false });
  console.log(`seat ${seat}`);
  let played = 0;
  for await (const { type, version, legal, over, returns } of (globalThis.WebSocket ? messages : polled)(token)) {
    if (type !== "known" || version < played) continue;
    if (over) {
      console.log(`over ${JSON.stringify(returns)}`);
      break;
    }
    if (!legal.length) continue;
    const action = legal[Math.floor(Math.random() * legal.length)];
    try {
      // The token makes the request idempotent: a repeated move counts once.
      const move = { action, version, token: crypto.randomUUID() };
      ({ version: played } = await ask("POST", "/moves", move, { token }));
    } catch (refused) {
      // Another player was faster. The next message brings the new position.
      if (!["stale", "not-your-turn"].includes(refused.code)) throw refused;
    }
  }
} catch (wrong) {
  console.error(wrong.code ? `${wrong.code}: ${wrong.reason}` : String(wrong));
  process.exitCode = 1;
}
