"use strict";

// Every ladder is a list of rows: {step, cause, lane, action, fault, facts, diff, epilogue}.
const ladders = JSON.parse(document.getElementById("data").textContent);
let ladder = 0; // the one shown
const at = ladders.map((rows) => rows.length ? 1 : 0); // the step shown of each
const brief = ladders.map(() => false); // epilogue hidden

// chain lists the steps that led to a step, the nearest first.
function chain(rows, step) {
  const out = [];
  for (let s = rows[step - 1].cause; s > 0; s = rows[s - 1].cause) out.push(s);
  return out;
}

// parse reads a change: "host.q.sq [S1]->[]".
function parse(change) {
  const gap = change.indexOf(" ");
  const arrow = change.indexOf("->", gap);
  if (gap < 0 || arrow < 0) return { name: change, from: "", to: "" };
  return { name: change.slice(0, gap), from: change.slice(gap + 1, arrow), to: change.slice(arrow + 2) };
}

// stateAt returns what is known of the state after a step: every value that
// some step changes, with the value it has now and whether this step set it.
function stateAt(rows, step) {
  const state = new Map();
  for (const row of rows) {
    for (const c of row.diff.map(parse)) {
      const old = state.get(c.name);
      if (row.step > step) {
        if (!old) state.set(c.name, { value: c.from, changed: false, was: "" });
      } else {
        const here = row.step === step;
        const was = old && old.changed && here ? old.was : c.from;
        state.set(c.name, { value: c.to, changed: here, was });
      }
    }
  }
  return state;
}

const id = (name) => document.getElementById(name);
const mark = (step) => id(`p${ladder}-mark${step}`);
const last = () => {
  const rows = ladders[ladder];
  return brief[ladder] ? rows.filter((r) => !r.epilogue).length : rows.length;
};

function element(tag, text, parent) {
  const e = document.createElement(tag);
  e.textContent = text;
  parent.append(e);
  return e;
}

function show() {
  document.querySelectorAll("[role=tab]").forEach((t, i) => t.setAttribute("aria-selected", String(i === ladder)));
  document.querySelectorAll("[role=tabpanel]").forEach((s, i) => {
    s.hidden = i !== ladder;
    s.classList.toggle("brief", brief[i]);
  });
  const rows = ladders[ladder];
  document.querySelectorAll(".here, .cause").forEach((m) => m.classList.remove("here", "cause"));
  for (const name of ["facts", "causes", "state"]) id(name).replaceChildren();
  if (!rows || !rows.length) {
    id("step").textContent = "no steps";
    id("action").textContent = "";
    return;
  }
  const step = at[ladder];
  const row = rows[step - 1];
  const causes = chain(rows, step);
  mark(step).classList.add("here");
  causes.forEach((s) => mark(s).classList.add("cause"));
  mark(step).scrollIntoView({ block: "nearest" });
  id("step").textContent = `Step ${step} of ${rows.length}, ${row.lane}` + (row.epilogue ? ", after the break" : "");
  id("action").textContent = row.action;
  for (const [name, value] of row.facts) {
    element("dt", name, id("facts"));
    element("dd", value, id("facts"));
  }
  for (const s of causes) {
    const b = element("button", `${s}  ${rows[s - 1].lane}: ${rows[s - 1].action}`, element("li", "", id("causes")));
    b.addEventListener("click", () => go(s));
  }
  if (!causes.length) element("li", "nothing: it was possible from the start", id("causes"));
  for (const [name, v] of stateAt(rows, step)) {
    const tr = element("tr", "", id("state"));
    tr.classList.toggle("changed", v.changed);
    element("td", name, tr);
    element("td", v.changed ? `${v.was} -> ${v.value}` : v.value, tr);
  }
  history.replaceState(null, "", `#${ladder}-${step}`);
}

function go(step) {
  if (ladders[ladder].length) at[ladder] = Math.min(Math.max(step, 1), last());
  show();
}

function turn(to) {
  if (to >= 0 && to < ladders.length) ladder = to;
  show();
}

const keys = {
  j: () => go(at[ladder] + 1),
  k: () => go(at[ladder] - 1),
  c: () => go((ladders[ladder][at[ladder] - 1] || {}).cause || at[ladder]),
  b: () => go(ladders[ladder].filter((r) => !r.epilogue).length),
  Home: () => go(1),
  End: () => go(last()),
  l: () => turn(ladder + 1),
  h: () => turn(ladder - 1),
  e: () => { brief[ladder] = !brief[ladder]; go(at[ladder]); },
  "?": () => { id("help").hidden = !id("help").hidden; },
};
Object.assign(keys, { ArrowDown: keys.j, ArrowUp: keys.k, ArrowRight: keys.l, ArrowLeft: keys.h });

document.addEventListener("keydown", (event) => {
  const act = keys[event.key];
  if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  act();
});
document.querySelectorAll("[data-key]").forEach((b) => b.addEventListener("click", () => keys[b.dataset.key]()));
document.querySelectorAll("[role=tab]").forEach((t, i) => t.addEventListener("click", () => turn(i)));
document.querySelectorAll(".row").forEach((g) => g.addEventListener("click", () => go(Number(g.dataset.step))));

// A link may name a ladder and a step: #1-7.
const wanted = /^#(\d+)-(\d+)$/.exec(location.hash);
if (wanted && Number(wanted[1]) < ladders.length) {
  ladder = Number(wanted[1]);
  go(Number(wanted[2]));
} else {
  show();
}
