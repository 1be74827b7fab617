// The live page: asks what the endpoint shows anyway, and writes it down. It changes nothing there.
// All that comes from there is text: no element is made of it.
"use strict";

const INTERVAL_MS = 2000;
// Readings that are kept: three minutes; and those over which a rate is told: ten seconds.
const READINGS = 90;
const RATE_READINGS = 5;
const MOST_SESSIONS = 100;
const MOST_SHAPES = 50;
const VERDICTS = ["edited", "forwarded", "would_refuse", "refused"];

const readings = [];
const drawn = new Map();
let token = "";
let paused = false;
let busy = false;
let timer = 0;

const place = (id) => document.getElementById(id);

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

function shape(name, attributes, ...inside) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inside);
  return made;
}

// Asks for a page: its status and text.
async function ask(path) {
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  const patience = AbortSignal.timeout(10 * INTERVAL_MS);
  const answer = await fetch(path, { headers, cache: "no-store", credentials: "omit", redirect: "error", signal: patience });
  return { status: answer.status, text: await answer.text() };
}

class Unauthorized extends Error {}

async function documentAt(path) {
  const { status, text } = await ask(path);
  if (status === 401) throw new Unauthorized();
  if (status !== 200) throw new Error(`${path}: ${status} ${text.trim()}`);
  return JSON.parse(text);
}

const count = (number) => number.toLocaleString("en");

function rateText(rate) {
  if (rate === null) return "–";
  return rate.toLocaleString("en", { maximumFractionDigits: rate < 10 ? 1 : 0 });
}

function span(seconds) {
  const s = Math.floor(seconds);
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${s % 60} s`;
  if (s < 86400) return `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} min`;
  return `${Math.floor(s / 86400)} d ${Math.floor((s % 86400) / 3600)} h`;
}

function bytes(number) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  while (number >= 1024 && unit < units.length - 1) { number /= 1024; unit += 1; }
  return `${number.toLocaleString("en", { maximumFractionDigits: 1 })} ${units[unit]}`;
}

const sum = (numbers) => numbers.reduce((one, other) => one + other, 0);
const decodedOf = (domain) => sum(Object.values(domain.decoded));

// How fast a number of the status grows, over the last seconds; null as long as nobody knows.
function rate(read) {
  const last = readings[readings.length - 1];
  const first = readings[Math.max(0, readings.length - 1 - RATE_READINGS)];
  if (!last || first === last) return null;
  return Math.max(0, (read(last.status) - read(first.status)) / (last.at - first.at));
}

// A process that began anew counts from 0.
function remember(status) {
  const at = performance.now() / 1000;
  const before = readings[readings.length - 1];
  if (before && status.uptime_s < before.status.uptime_s) readings.length = 0;
  readings.push({ at, status });
  if (readings.length > READINGS + 1) readings.shift();
}

// Writes the rows of a table where it has changed. A column is [label, what of a row, class].
function table(id, columns, rows, none, beyond) {
  const cells = rows.map((row) => columns.map(([, cell]) => String(cell(row) ?? "")));
  const classes = rows.map((row) => columns.map(([, , name]) => (typeof name === "function" ? name(row) : name) || ""));
  const now = JSON.stringify([cells, classes, beyond]);
  if (drawn.get(id) === now) return;
  drawn.set(id, now);
  const section = place(id);
  const title = section.querySelector("h2");
  if (rows.length === 0) {
    section.replaceChildren(title, element("p", none, "none"));
    return;
  }
  const head = element("tr");
  columns.forEach(([label, , name]) => {
    const cell = element("th", label, name === "right" ? "right" : "");
    cell.scope = "col";
    head.append(cell);
  });
  const body = element("tbody");
  cells.forEach((texts, at) => {
    const line = element("tr");
    texts.forEach((text, column) => {
      const cell = element("td", undefined, classes[at][column]);
      cell.dataset.label = columns[column][0];
      cell.append(element("bdi", text));
      line.append(cell);
    });
    body.append(line);
  });
  const thead = element("thead");
  thead.append(head);
  const made = element("table");
  made.append(thead, body);
  section.replaceChildren(title, made);
  if (beyond) section.append(element("p", beyond, "beyond"));
}

function tiles(status) {
  const verdict = (name) => rate((then) => then.statements[name]);
  const domains = (read) => (then) => sum(then.domains.map(read));
  const sessions = sum(Object.values(status.sessions));
  const modes = Object.entries(status.sessions).filter(([, number]) => number > 0);
  const refused = status.statements.refused;
  const would = status.statements.would_refuse;
  const list = [
    ["Sessions", count(sessions), modes.map(([mode, number]) => `${count(number)} ${mode}`).join(", ")],
    ["Statements/s", rateText(rate((then) => sum(Object.values(then.statements)))), `${count(sum(Object.values(status.statements)))} so far`],
    ["Refused/s", rateText(verdict("refused")), `${count(refused)} so far` + (would ? `, ${count(would)} would be` : ""), refused ? "bad" : ""],
    ["Ids out/s", rateText(rate(domains((domain) => domain.encoded))), `${count(sum(status.domains.map((domain) => domain.encoded)))} so far`],
    ["Ids in/s", rateText(rate(domains(decodedOf))), `${count(sum(status.domains.map(decodedOf)))} so far`],
    ["Unknown ids", count(sum(status.domains.map((domain) => domain.unknown))), `${rateText(rate(domains((domain) => domain.unknown)))}/s`],
    ["Held back", bytes(status.memory.held_bytes), `of ${bytes(status.memory.limit_bytes)}`],
  ];
  place("tiles").replaceChildren(...list.map(([name, number, beside, className]) => {
    const tile = element("div");
    tile.append(element("dt", name), element("dd", number, `number ${className || ""}`), element("dd", beside, "beside"));
    return tile;
  }));
}

// Verdicts per second as bars on each other, the latest at the right.
function chart() {
  const bars = [];
  for (let at = 1; at < readings.length; at += 1) {
    const [before, after] = [readings[at - 1], readings[at]];
    const grown = (name) => Math.max(0, after.status.statements[name] - before.status.statements[name]);
    bars.push(VERDICTS.map((name) => grown(name) / (after.at - before.at)));
  }
  const most = Math.max(1, ...bars.map(sum));
  const [width, height] = [READINGS * 10, 100];
  const drawing = shape("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img" });
  const last = bars[bars.length - 1] || VERDICTS.map(() => 0);
  const told = VERDICTS.map((name, at) => `${name.replace("_", " ")} ${rateText(last[at])}`).join(", ");
  drawing.setAttribute("aria-label", `Statements per second by verdict, three minutes; now ${told}`);
  for (const y of [0.5, height / 2, height - 0.5]) {
    drawing.append(shape("line", { class: "axis", x1: 0, x2: width, y1: y, y2: y }));
  }
  bars.forEach((bar, at) => {
    let top = height;
    bar.forEach((value, verdict) => {
      const tall = (value / most) * height;
      if (tall === 0) return;
      top -= tall;
      const x = width - (bars.length - at) * 10;
      drawing.append(shape("rect", { class: VERDICTS[verdict], x, y: top, width: 8, height: tall }));
    });
  });
  place("chart").replaceChildren(element("p", `up to ${rateText(most)}/s in three minutes`, "most"), drawing);
  place("legend").replaceChildren(...VERDICTS.map((name, at) => {
    const line = element("li");
    const mark = shape("svg", { viewBox: "0 0 10 10", "aria-hidden": "true" }, shape("rect", { class: name, width: 10, height: 10 }));
    line.append(mark, element("span", `${name.replace("_", " ")} ${rateText(last[at])}/s`));
    return line;
  }));
}

function counts(status) {
  const codes = Object.entries(status.refusals).sort(([, one], [, other]) => other.refused + other.would_refuse - one.refused - one.would_refuse);
  table("codes", [
    ["code", ([code]) => code],
    ["refused", ([, sums]) => count(sums.refused), "right"],
    ["would be", ([, sums]) => count(sums.would_refuse), "right"],
  ], codes, "Nothing has been refused.");
  const reasons = Object.entries(status.turned_away).sort(([, one], [, other]) => other - one);
  table("turned-away", [
    ["reason", ([reason]) => reason],
    ["clients", ([, number]) => count(number), "right"],
  ], reasons, "Every client got its session.");
  table("domains", [
    ["domain", (domain) => domain.name],
    ["column", (domain) => domain.column ?? "of an earlier configuration"],
    ["out", (domain) => count(domain.encoded), "right"],
    ["in", (domain) => count(decodedOf(domain)), "right"],
    ["unknown", (domain) => count(domain.unknown), "right"],
    ["out/s", (domain) => rateText(rate((then) => then.domains.find((other) => other.name === domain.name)?.encoded ?? 0)), "right"],
    ["in/s", (domain) => rateText(rate((then) => sum(then.domains.filter((other) => other.name === domain.name).map(decodedOf)))), "right"],
  ], status.domains, "No column is annotated.");
  table("catalogs", [
    ["database", (catalog) => catalog.database],
    ["known to be right", (catalog) => `${span(catalog.age_s)} ago`, "right"],
    ["undecided keys", (catalog) => count(catalog.undecided_keys), "right"],
  ], status.catalogs, "No session has been there yet.");
  const hosts = status.upstream.hosts;
  table("hosts", [
    ["address", (host) => host.address],
    ["state", (host) => (host.up ? "up" : "down"), (host) => (host.up ? "good" : "bad")],
    ["role", (host) => host.role ?? "unknown"],
    ["next session", (host) => (host.used ? "comes here first" : "")],
  ], hosts, "No host.");
}

function lists(sessions, statements, keys) {
  const order = (session) => ["active", "idle in transaction (aborted)", "idle in transaction", "starting", "idle"].indexOf(session.state);
  const all = [...sessions.sessions].sort((one, other) => order(one) - order(other) || other.age_s - one.age_s);
  const left = all.length - MOST_SESSIONS + sessions.beyond;
  table("sessions", [
    ["session", (session) => session.session, "right"],
    ["state", (session) => session.state],
    ["role", (session) => session.role],
    ["database", (session) => session.database],
    ["application", (session) => session.application],
    ["mode", (session) => session.mode],
    ["peer", (session) => session.peer],
    ["host", (session) => session.host],
    ["since", (session) => span(session.age_s), "right"],
    ["statements", (session) => count(session.statements), "right"],
  ], all.slice(0, MOST_SESSIONS), "No session.", left > 0 ? `and ${count(left)} more` : "");
  const often = (rows) => [...rows].sort((one, other) => other.calls - one.calls);
  const more = (rows, beyond, what) => {
    const shapes = rows.length > MOST_SHAPES ? `and ${count(rows.length - MOST_SHAPES)} more shapes` : "";
    const others = beyond ? `${count(beyond)} ${what} of shapes that are not kept` : "";
    return [shapes, others].filter(Boolean).join("; ");
  };
  table("refused", [
    ["calls", (row) => count(row.calls), "right"],
    ["verdict", (row) => row.verdict.replace("_", " "), (row) => (row.verdict === "refused" ? "bad" : "warn")],
    ["code", (row) => row.code],
    ["sqlstate", (row) => row.sqlstate],
    ["shape", (row) => row.shape, "code"],
  ], often(statements.refused).slice(0, MOST_SHAPES), "Nothing has been refused.", more(statements.refused, statements.refused_beyond, "refusals"));
  const observed = statements.statements;
  place("observed").hidden = observed.length === 0;
  table("observed", [
    ["calls", (row) => count(row.calls), "right"],
    ["would be", (row) => (row.ready ? "served" : "refused"), (row) => (row.ready ? "good" : "bad")],
    ["code", (row) => row.code],
    ["remedy", (row) => row.remedy],
    ["shape", (row) => row.shape, "code"],
  ], often(observed).sort((one, other) => Number(one.ready) - Number(other.ready)).slice(0, MOST_SHAPES), "", more(observed, statements.beyond, "statements"));
  table("keys", [
    ["key", (key) => key.name],
    ["state", (key) => key.state],
    ["ids in", (key) => count(key.decoded), "right"],
  ], keys.keys, "No key.");
}

function health(ready, status) {
  place("version").textContent = status.version;
  const state = place("state");
  const isReady = ready.status === 200;
  state.textContent = `${status.state}, ${isReady ? "ready" : "not ready"}, up ${span(status.uptime_s)}`;
  state.className = isReady ? "good" : "bad";
  document.title = `pgveil: ${isReady ? "ready" : "not ready"}`;
  const lines = ready.text.split("\n").filter(Boolean);
  place("ready").replaceChildren(...lines.map((line) => element("li", line, line.startsWith("ok ") ? "good" : "bad")));
}

async function look() {
  // The status first: the others need not be asked if the token is missing.
  const status = await documentAt("/v1/status");
  const [ready, sessions, statements, keys] = await Promise.all([
    ask("/readyz"), documentAt("/v1/sessions"), documentAt("/v1/statements"), documentAt("/v1/keys"),
  ]);
  remember(status);
  place("ask").hidden = true;
  place("main").hidden = false;
  health(ready, status);
  tiles(status);
  chart();
  counts(status);
  lists(sessions, statements, keys);
}

function tellFault(fault) {
  if (fault instanceof Unauthorized) {
    place("ask").hidden = false;
    place("main").hidden = true;
    place("state").textContent = "locked";
    tell(token ? "This is not the token." : "");
    token = "";
    return false;
  }
  const since = new Date().toLocaleTimeString("en-GB");
  tell(`pgveil does not answer (${since}): ${fault.message}`);
  place("main").classList.add("stale");
  place("state").textContent = "no answer";
  place("state").className = "bad";
  return true;
}

function tell(text) {
  const banner = place("banner");
  banner.textContent = text;
  banner.hidden = text === "";
}

// One look after another, never two at a time, and none that nobody sees.
async function go() {
  clearTimeout(timer);
  if (paused || busy || document.hidden) return;
  busy = true;
  let goesOn = true;
  try {
    await look();
    tell("");
    place("main").classList.remove("stale");
  } catch (fault) {
    goesOn = tellFault(fault);
  }
  busy = false;
  if (goesOn) timer = setTimeout(go, INTERVAL_MS);
}

place("pause").addEventListener("click", () => {
  paused = !paused;
  place("pause").textContent = paused ? "Go on" : "Pause";
  place("pause").setAttribute("aria-pressed", String(paused));
  go();
});
place("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  token = place("token").value.trim();
  place("token").value = "";
  go();
});
document.addEventListener("visibilitychange", go);
go();
