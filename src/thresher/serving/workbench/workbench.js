// SPDX-License-Identifier: Apache-2.0
// The workbench. It keeps one page, asks the service about it, and marks the answer in the page's frame. The frame runs
// no scripts; what is heard in it is heard from here.
import { escape, toHtml } from "./markdown.js";

const $ = (id) => document.getElementById(id);
const LABELS = [
  ["main", "Main", "1"], ["title", "Title", "2"], ["dateline", "Dateline", "3"], ["caption", "Caption", "4"],
  ["comment", "Comment", "5"], ["optional", "Optional", "6"], ["other", "Other", "7"],
  ["menu", "Menu", "8"], ["template", "Template", "9"], ["unsure", "Unsure", "u"],
];
const COLOURS = {
  main: "#2e9d44", title: "#145a24", dateline: "#17a2a2", caption: "#8a6d1d", comment: "#c2479b", optional: "#7f8c8d",
  other: "#c0392b", menu: "#0072b2", template: "#e69f00", unsure: "#8e44ad",
};
const RENDERED = `<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none';
style-src 'unsafe-inline'; img-src data:"><style>:root{color-scheme:light dark}body{font:15px/1.6 system-ui,sans-serif;
margin:1rem;overflow-wrap:anywhere}table{border-collapse:collapse}td,th{border:1px solid #8888;padding:.2rem .5rem}
pre{white-space:pre-wrap;background:#8882;padding:.6rem}blockquote{border-inline-start:3px solid #8888;margin:0;
padding-inline-start:1rem}a{text-decoration:underline}img{max-width:100%}</style>`;

const state = {
  page: null,       // { html, url, gold, source }
  answer: null,     // of /blocks
  marks: [],        // elements of each block in the frame
  now: -1,          // the block that is looked at
  shownBy: null,    // an extractor whose choice is shown instead of the first one's
  template: null,   // for each block whether it is template
  collected: [],    // pages that were opened
  labels: null, label: "main", begun: 0, saved: null, dragging: null,
  under: -1,        // the block that the mouse is over
  details: new Map(), request: 0, labelling: false,
  facts: null,      // of /facts, for the page and the options that are shown
  listed: { number: 0, pages: [], next: null },  // pages of a source, and where its list goes on
};

// --- the service ---

async function ask(path, body, type = "application/json") {
  for (;;) {
    const headers = body === undefined ? {} : { "Content-Type": type };
    const token = sessionStorage.getItem("token");
    if (token) headers.Authorization = `Bearer ${token}`;
    const content = body === undefined || type !== "application/json" ? body : JSON.stringify(body);
    const answer = await fetch(path, { method: body === undefined ? "GET" : "POST", headers, body: content });
    if (answer.status === 401) { await askForToken(); continue; }
    if (!answer.ok) {
      const problem = await answer.json().catch(() => ({}));
      throw new Error(problem.message ?? `the service answered ${answer.status}`);
    }
    return answer;
  }
}
const askJson = async (path, body, type) => (await ask(path, body, type)).json();

function askForToken() {
  return new Promise((resolve) => {
    $("token-dialog").showModal();
    $("token-dialog").addEventListener("close", () => {
      sessionStorage.setItem("token", $("token").value.trim());
      resolve();
    }, { once: true });
  });
}

function say(text, bad = false) {
  $("status").textContent = text;
  $("status").classList.toggle("bad", bad);
}

/** Does something, and says so if it fails. */
const trying = (action) => async (...given) => {
  try { await action(...given); } catch (error) { say(error.message, true); }
};

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

// --- the page ---

function options() {
  const view = $("view").value;
  const format = { rendered: "markdown", source: "html" }[view] ?? view;
  const found = {
    extractor: $("extractor").value, mode: $("mode").value, comments: $("comments").value,
    captions: $("captions").value, titles: $("titles").value, datelines: $("datelines").value,
    hidden: $("hidden-text").value, tables: $("tables").checked ? "keep" : "drop", format,
  };
  if (found.extractor !== "thresher") found.mode = "balanced";
  if (format !== "text") found.links = $("links").checked;
  return found;
}

async function openPage(page) {
  state.page = page;
  Object.assign(state, { shownBy: null, template: null, labels: null, saved: null, now: -1, begun: Date.now() });
  state.details.clear();
  $("only").checked = false;
  $("site").replaceChildren();
  if (!state.collected.some((each) => each.html === page.html)) state.collected.push(page);
  if (state.collected.length > 30) state.collected.shift();
  showCollected();
  $("steps").hidden = placeInList() < 0;
  $("open-panel").hidden = true;
  $("open-button").setAttribute("aria-expanded", "false");
  await refresh(true);
}

async function refresh(isNew = false) {
  if (!state.page) return;
  const number = ++state.request;
  say("Working…");
  const body = { html: state.page.html, url: state.page.url || undefined, ...options(), explain: false, shown: isNew };
  const comparing = !$("compare-panel").hidden;
  if (state.page.templates) body.templates = state.page.templates;
  if (comparing) Object.assign(body, { compare: true, gold: state.page.gold || undefined });
  const answer = await askJson("/blocks", body);
  if (number !== state.request) return; // a later one is on its way
  state.answer = answer;
  state.facts = null;
  state.details.clear();
  if (isNew) {
    if (state.page.templates) state.template = answer.blocks.map((block) => block.template_frequency >= 0.5);
    await showPage(answer);
  }
  showResult();
  showConcealed();
  showCompared();
  tint();
  if (state.now >= 0) look(state.now);
  const { result } = answer;
  say(`${result.status}: ${answer.blocks.filter((block) => block.kept).length} of ${answer.n_blocks ?? 0} blocks kept` +
    (answer.n_blocks > answer.blocks.length ? `; the first ${answer.blocks.length} are shown` : "") +
    (state.page.is_cut ? "; only the beginning of the page was fetched" : ""));
  if (!$("facts-panel").hidden) await askFacts();
}

function showPage(answer) {
  const frame = $("page");
  $("page-title").textContent = answer.result.title || state.page.url || "A page without a title";
  return new Promise((resolve) => {
    frame.addEventListener("load", () => {
      const shown = frame.contentDocument;
      state.marks = [];
      state.under = -1;
      for (const mark of shown.querySelectorAll("x-thresher")) {
        const block = Number(mark.getAttribute("n"));
        (state.marks[block] ??= []).push(mark);
        mark.setAttribute("tabindex", "-1");
      }
      hear(shown);
      fit();
      const first = answer.blocks.findIndex((block, number) => block.kept && state.marks[number]);
      state.marks[first]?.[0].scrollIntoView({ block: "start" });
      resolve();
    }, { once: true });
    frame.srcdoc = answer.shown ?? "<p>There is nothing to show.</p>";
  });
}

/** Makes a page that is wider than the frame smaller, if that is wanted. */
function fit() {
  const root = $("page").contentDocument?.documentElement;
  if (!root) return;
  root.style.zoom = "";
  const share = $("page").clientWidth / root.scrollWidth;
  if ($("fit").checked && share < 1) root.style.zoom = String(Math.max(share, 0.3));
}

const blockAt = (target) => {
  const mark = target?.closest?.("x-thresher");
  return mark ? Number(mark.getAttribute("n")) : -1;
};

/** Listens to the frame. */
function hear(shown) {
  // Not "mouseover", which comes too when the page moves below a mouse that rests, as it does for the keys.
  shown.addEventListener("mousemove", (event) => {
    const block = blockAt(event.target);
    if (block === state.under) return;
    state.under = block;
    if (block < 0) return;
    if (state.dragging !== null && event.buttons & 1) labelRange(state.dragging, block);
    look(block);
  });
  shown.addEventListener("mousedown", (event) => {
    const block = blockAt(event.target);
    if (!state.labelling || block < 0 || event.button !== 0) return;
    event.preventDefault();
    frameFocus(block, false);
    state.dragging = block;
    labelRange(block, block);
  });
  shown.addEventListener("mouseup", () => { state.dragging = null; });
  shown.addEventListener("click", (event) => {
    const block = blockAt(event.target);
    event.preventDefault();
    if (block < 0) return;
    look(block);
    if (!state.labelling && matchMedia("(max-width: 700px)").matches) choose("block");
  });
  shown.addEventListener("keydown", keys);
}

function keys(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || !state.answer) return;
  const last = state.answer.blocks.length - 1;
  const moves = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 };
  const digit = LABELS.find(([, , key]) => key === event.key);
  if (event.key in moves) {
    const before = state.now;
    let block = before;
    do { block += moves[event.key]; } while (block >= 0 && block <= last && !state.marks[block]);
    if (block < 0 || block > last) return;
    frameFocus(block);
    if (event.shiftKey && state.labelling) labelRange(before < 0 ? block : before, block);
  } else if (event.key === "Enter" && state.now >= 0) {
    choose("block");
    $("block-tab").focus();
  } else if (state.labelling && digit) {
    state.label = digit[0];
    showLabels();
    if (state.now >= 0) labelRange(state.now, state.now);
  } else if (state.labelling && (event.key === "0" || event.key === "Delete") && state.now >= 0) {
    state.labels[state.now] = null;
    tint();
  } else if (event.key === "n" || event.key === "p") {
    trying(step)(event.key === "n" ? 1 : -1);
  } else return;
  event.preventDefault();
}

function frameFocus(block, scroll = true) {
  const mark = state.marks[block]?.[0];
  if (!mark) return;
  mark.focus({ preventScroll: true });
  if (scroll) mark.scrollIntoView({ block: "center" });
  look(block);
}

// --- one block ---

function look(block) {
  for (const mark of state.marks[state.now] ?? []) mark.removeAttribute("now");
  state.now = block;
  for (const mark of state.marks[block] ?? []) mark.setAttribute("now", "");
  showStrip();
  showBlock();
  clearTimeout(look.timer);
  if (!state.details.has(block)) look.timer = setTimeout(trying(() => explain(block)), 150);
}

async function explain(block) {
  const body = { html: state.page.html, url: state.page.url || undefined, ...options(), explain: [block] };
  const number = state.request;
  const answer = await askJson("/blocks", { ...body, features: false });
  if (number !== state.request) return;
  state.details.set(block, answer.blocks[block]?.deciding ?? []);
  if (state.now === block) { showStrip(); showBlock(); }
}

const isKept = (block) => state.shownBy ? block.kept_by?.includes(state.shownBy) : block.kept;
const signed = (value) => `${value > 0 ? "+" : "−"}${Math.abs(value).toFixed(2)}`;

function verdict(block) {
  return element("span", { class: isKept(block) ? "verdict-kept" : "verdict-dropped" }, isKept(block) ? "kept" : "dropped");
}

function showStrip() {
  const block = state.answer?.blocks[state.now];
  if (!block) return;
  const deciding = state.details.get(state.now);
  const why = deciding
    ? deciding.map((each) => `${each.feature} = ${each.value} (${signed(each.effect)})`).join(", ") || "nothing in particular"
    : "…";
  $("strip").replaceChildren(
    element("p", {}, verdict(block), ` · ${block.kind} · ${block.words} words · score ${block.score?.toFixed(2) ?? "none"}`,
      state.template?.[state.now] ? " · template" : ""),
    element("p", { class: "quiet" }, `Deciding: ${why}`));
}

function showBlock() {
  const block = state.answer?.blocks[state.now];
  $("block-hint").hidden = Boolean(block);
  if (!block) { $("block").replaceChildren(); return; }
  const deciding = state.details.get(state.now) ?? [];
  const largest = Math.max(0.01, ...deciding.map((each) => Math.abs(each.effect)));
  const facts = [
    ["verdict", block.reason], ["path", block.path], ["kind", block.kind], ["words", block.words],
    ["in links", `${Math.round(block.link_density * 100)} %`],
    ["on other pages", block.template_frequency === null ? "not known; see Site" : `${Math.round(block.template_frequency * 100)} %`],
  ];
  if (block.concealed) facts.push(["concealed by", state.answer.concealed.find((each) => each.reason === block.concealed)?.by ?? block.concealed]);
  if (block.kept_by) facts.push(["kept by", block.kept_by.join(", ") || "none"]);
  const rows = deciding.map((each) => element("tr", {},
    element("td", {}, element("strong", {}, each.feature), element("div", { class: "quiet" }, each.meaning)),
    element("td", {}, String(each.value)),
    element("td", {}, signed(each.effect), " ",
      element("span", { class: each.effect < 0 ? "meter minus" : "meter",
        style: `width:${(3 * Math.abs(each.effect)) / largest}rem` }))));
  const features = Object.entries(block.features ?? {}).map(([name, value]) =>
    element("tr", {}, element("td", {}, name), element("td", {}, String(value))));
  $("block").replaceChildren(
    element("h2", {}, `Block ${block.order + 1} of ${state.answer.n_blocks}: `, verdict(block)),
    element("blockquote", { dir: "auto" }, block.text.slice(0, 600)),
    element("dl", { class: "facts" }, ...facts.flatMap(([name, value]) =>
      [element("dt", {}, name), element("dd", {}, String(value))])),
    element("h2", {}, "What decided its score"),
    element("p", { class: "quiet" }, "How much the score falls, in logits, if this feature had the values of other blocks of the page."),
    element("table", {}, element("tbody", {}, ...rows)),
    element("details", {}, element("summary", {}, "All features"), element("table", {}, element("tbody", {}, ...features))));
}

// --- marks in the page ---

function tint() {
  const shown = $("page").contentDocument;
  if (!shown || !state.answer) return;
  const on = $("tint").checked || state.labelling;
  state.answer.blocks.forEach((block, number) => {
    const kind = state.labelling ? state.labels?.[number] ?? null : isKept(block) ? "kept" : "dropped";
    for (const mark of state.marks[number] ?? []) {
      if (on && kind) mark.setAttribute("k", kind); else mark.removeAttribute("k");
      mark.toggleAttribute("t", on && !state.labelling && Boolean(state.template?.[number]));
      mark.toggleAttribute("gone", !isKept(block));
    }
  });
  shown.documentElement.toggleAttribute("only", $("only").checked);
  if (state.labelling) showCount();
}

// --- the result ---

function showResult() {
  const { result } = state.answer;
  const other = state.shownBy && state.answer.compared?.find((each) => each.extractor === state.shownBy);
  const facts = [
    ["title", result.title], ["language", result.language], ["date", result.date], ["author", result.author],
    ["confidence", result.confidence?.toFixed(2)], ["type", result.type], ["status", result.status],
    ["extractor", other ? other.extractor : result.extractor],
    ["text from", result.text_source === "dom" ? null : result.text_source],
    ["hidden from readers", result.hidden_share ? `${Math.ceil(result.hidden_share * 100)} % of the text` : null],
  ];
  $("facts").replaceChildren(...facts.filter(([, value]) => value).flatMap(([name, value]) =>
    [element("dt", {}, name), element("dd", { dir: "auto" }, String(value))]));
  const view = $("view").value, text = other ? other.text : result.text ?? "";
  const rendered = !other && (view === "rendered" || view === "html");
  $("text").hidden = rendered;
  $("rendered").hidden = !rendered;
  $("text").classList.toggle("code", view === "markdown" || view === "source");
  $("text").textContent = text || "Nothing was kept.";
  if (rendered)
    $("rendered").srcdoc = RENDERED + `<div dir="auto">${view === "html" ? text : toHtml(text)}</div>`;
}

function showConcealed() {
  const { concealed = [] } = state.answer;
  $("concealed-box").hidden = concealed.length === 0;
  $("concealed").replaceChildren(...concealed.map((each) => element("tr", {},
    element("td", {}, each.by, each.in_line ? ", within a line" : ""), element("td", {}, String(each.characters)),
    element("td", { dir: "auto" }, each.text.slice(0, 200)))));
}

function showCompared() {
  const compared = state.answer?.compared;
  if (!compared) return;
  const gold = compared.some((each) => each.f1 !== undefined);
  const names = ["extractor", "words", "blocks", "ms", ...(gold ? ["precision", "recall", "F1"] : [])];
  $("compared").tHead.replaceChildren(element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, name))));
  const shown = state.shownBy ?? $("extractor").value;
  $("compared").tBodies[0].replaceChildren(...compared.map((each) => element("tr", { "aria-current": each.extractor === shown && "true" },
    element("td", {}, element("button", { class: "as-link", type: "button", onclick: () => showBy(each.extractor) }, each.extractor)),
    ...[each.words, each.blocks, each.milliseconds, ...(gold ? [each.precision, each.recall, each.f1].map((f) => f.toFixed(3)) : [])]
      .map((value) => element("td", {}, String(value))))));
}

function showBy(extractor) {
  state.shownBy = extractor === $("extractor").value ? null : extractor;
  showCompared(); showResult(); tint(); showStrip(); showBlock();
}

// --- facts ---

async function askFacts() {
  const { page, request } = state;
  const { facts } = await askJson("/facts", { html: page.html, url: page.url || undefined, ...options() });
  if (request !== state.request) return;
  state.facts = facts;
  showFacts();
  await takeUpFacts();
}

/** Fills in what this annotator said of the page's facts before. */
async function takeUpFacts() {
  const annotator = $("annotator").value.trim(), { page } = state;
  const name = state.mayLabel && state.facts && annotator ? await nameOf(page) : null;
  const { facts } = name ? await askJson(`/labels/facts/${annotator}/${name}`) : {};
  if (!facts || page !== state.page) return;
  for (const [fact, value] of Object.entries(facts)) $(`label-${fact}`).value = value ?? "";
  $("facts-note").textContent = "The fields hold what you saved before.";
}

/** The candidates of each fact; where labels are taken, each has a field, filled in with what was taken. */
function showFacts() {
  $("facts-form").hidden = false;
  $("facts-hint").hidden = true;
  $("facts-save").hidden = !state.mayLabel;
  $("facts-note").textContent = "";
  $("fact-list").replaceChildren(...state.facts.map((found) => {
    const { fact, value, why, scale, candidates } = found, types = fact === "type";
    const attributes = { name: fact, id: `label-${fact}`, dir: "auto" };
    const field = types
      ? element("select", attributes, ...candidates.map((each) => element("option", {}, each.value)))
      : element("input", { ...attributes, placeholder: "the page has none", autocomplete: "off" });
    field.value = value ?? (types ? candidates[0].value : "");
    const rows = candidates.map((each) => element("tr", { "aria-current": each.taken && "true", title: each.evidence.join(", ") },
      element("td", { dir: "auto" }, state.mayLabel
        ? element("button", { class: "as-link", type: "button", dir: "auto", onclick: () => { field.value = each.value; field.focus(); } }, each.value)
        : each.value, each.taken ? element("span", { class: "verdict-kept" }, " taken") : ""),
      element("td", {}, each.place), element("td", {}, each.score.toFixed(2))));
    const table = (some) => element("table", {}, element("thead", {}, element("tr", {},
      ...["candidate", "where", scale === "order" ? "score" : "probability"].map((head) => element("th", { scope: "col" }, head)))),
    element("tbody", {}, ...some));
    return element("section", { class: "fact", "data-fact": fact },
      element("h2", {}, `${fact}: `, element("bdi", { class: value === null ? "quiet" : "" }, value ?? "none")),
      element("p", { class: "quiet" }, `${why[0].toUpperCase()}${why.slice(1)}.`),
      rows.length ? table(rows.slice(0, 5)) : "",
      rows.length > 5 ? element("details", {}, element("summary", {}, `${found.n_candidates - 5} more` +
        (found.n_candidates > rows.length ? `, of which ${rows.length - 5} are shown` : "")), table(rows.slice(5))) : "",
      state.mayLabel ? element("p", {}, element("label", { for: `label-${fact}` }, "Right is"), " ", field) : "");
  }));
}

async function saveFacts() {
  const annotator = $("annotator").value.trim();
  if (!annotator) throw new Error("Say who you are first: your name goes with the labels.");
  const facts = Object.fromEntries(state.facts.map(({ fact }) => [fact, $(`label-${fact}`).value.trim() || null]));
  const seconds = Math.min(86400, Math.round((Date.now() - state.begun) / 1000));
  const { set } = await askJson("/labels/facts", { annotator, html: state.page.html, url: state.page.url || undefined, facts, seconds });
  say(`Saved in ${set}.`);
}

// --- pages of one host ---

const hostOf = (url) => { try { return new URL(url).host; } catch { return ""; } };

function showCollected() {
  $("collected").replaceChildren(...state.collected.map((page) => element("li", {},
    element("label", {}, element("input", {
      type: "checkbox", checked: hostOf(page.url) === hostOf(state.page.url),
      onchange: (event) => { page.left = !event.target.checked; },
    }), page === state.page ? "this page: " : "", page.url || "a page without a URL"))));
  $("add-host").hidden = !(state.page.source && hostOf(state.page.url));
}

const chosenPages = () => state.collected.filter((page, number) =>
  page === state.page || $("collected").children[number]?.querySelector("input").checked);

async function addHost() {
  const host = hostOf(state.page.url), { number } = state.page.source;
  const { pages } = await askJson(`/sources/${number}?q=${encodeURIComponent(`//${host}/`)}`);
  for (const each of pages.slice(0, 10)) {
    const page = await askJson(`/sources/${number}/${each.place}`);
    if (!state.collected.some((known) => known.html === page.html)) state.collected.push({ ...page, source: { number, place: each.place } });
  }
  showCollected();
  say(`${state.collected.length} pages are collected`);
}

async function compareSite() {
  const pages = chosenPages();
  if (pages.length < 2) throw new Error("Open at least two pages of a host, then compare them.");
  say("Comparing…");
  const answer = await askJson("/site", { pages: pages.map(({ html, url }) => ({ html, url: url || undefined })) });
  const own = answer.pages[pages.indexOf(state.page)];
  state.template = own.blocks.map((block) => (block.pages ?? 0) > 1 || block.temex > 0.5);
  const rows = own.blocks.filter((block, number) => state.template[number]);
  const list = rows.slice(0, 300).map((block) => element("tr", {},
    element("td", {}, element("button", { class: "as-link", type: "button", dir: "auto", onclick: () => { choose("page"); frameFocus(block.order); } }, block.text.slice(0, 90))),
    element("td", {}, block.pages === null ? "" : `${block.pages} of ${answer.n_pages}`),
    ...["temex", "hybex", "conex"].map((name) => element("td", {}, block[name].toFixed(2)))));
  $("site").replaceChildren(
    element("p", {}, `${Math.round(answer.repeated_share * 100)} % of the words of these ${answer.n_pages} pages stand on more than one. ` +
      `${rows.length} of ${own.blocks.length} blocks of this page are template.`),
    element("p", { class: "quiet" }, `TemEx compared it with ${own.compared_with.filter(Boolean).join(", ") || "no other page"}.`),
    element("table", {}, element("thead", {}, element("tr", {}, ...["block", "pages", "TemEx", "HybEx", "main (ConEx)"].map((name) =>
      element("th", { scope: "col" }, name)))), element("tbody", {}, ...list)));
  tint();
  say("Template blocks are hatched in the page.");
}

// --- labels ---

function showLabels() {
  $("label-buttons").replaceChildren(...LABELS.map(([name, title, key]) => element("button", {
    type: "button", role: "radio", "aria-checked": String(state.label === name),
    onclick: () => { state.label = name; showLabels(); },
  }, element("i", { style: `background:${COLOURS[name]}` }), title, " ", element("kbd", {}, key))));
}

function showCount() {
  const labels = state.labels ?? [];
  const counts = LABELS.map(([name, title]) => `${title.toLowerCase()} ${labels.filter((label) => label === name).length}`);
  $("label-count").textContent = `${labels.filter(Boolean).length} of ${labels.length} blocks labelled: ${counts.join(", ")}. ` +
    "Click or drag over blocks, or move with ↑ ↓ and press a key; Shift with ↑ ↓ goes on, 0 takes a label away.";
}

function labelRange(from, to) {
  if (!state.labels) return;
  for (let block = Math.min(from, to); block <= Math.max(from, to); block += 1) state.labels[block] = state.label;
  tint();
}

function beginLabels(fill) {
  if (!state.answer) throw new Error("Open a page first.");
  state.labels = state.answer.blocks.map(fill);
  tint();
}

async function saveLabels(complete) {
  if (!state.page) throw new Error("Open a page first.");
  const annotator = $("annotator").value.trim();
  if (!annotator) throw new Error("Say who you are first: your name goes with the labels.");
  remember("annotator", annotator);
  const seconds = Math.min(86400, Math.round((Date.now() - state.begun) / 1000));
  state.saved = await askJson("/labels", {
    annotator, html: state.page.html, url: state.page.url || undefined, labels: state.labels, complete, seconds,
  });
  say(`Saved: ${state.saved.n_words} words are main text${state.saved.whole ? "" : "; the gold text counts as partial"}.`);
  await showAnnotators();
}

async function showAnnotators() {
  const { annotators } = await askJson("/labels");
  for (const [place, id] of ["one", "other"].entries()) {
    $(id).replaceChildren(...annotators.map(({ annotator }) => element("option", {}, annotator)));
    $(id).selectedIndex = Math.min(place, annotators.length - 1);
  }
}

async function showAgreement() {
  const found = await askJson(`/labels/agreement?one=${$("one").value}&other=${$("other").value}`);
  const facts = [["pages that both labelled", found.n_pages], ["blocks", found.n_blocks], ["Cohen's kappa", found.kappa ?? "not defined"],
    ["Cohen's kappa by words", found.word_kappa ?? "not defined"], ["words in agreement", found.word_share === null ? "none" : `${(found.word_share * 100).toFixed(1)} %`],
    ["word F1 of the texts", found.f1 ?? "none"]];
  $("agreement").replaceChildren(element("dl", { class: "facts" }, ...facts.flatMap(([name, value]) =>
    [element("dt", {}, name), element("dd", {}, String(value))])));
  const name = (page) => page.url || page.id;
  if (found.left_out.length)
    $("agreement").append(element("p", {}, `Not compared, because other versions formed other blocks: ${found.left_out.length} pages`),
      element("ul", { id: "left-out" }, ...found.left_out.map((page) => element("li", {}, `${name(page)}: ${page.reason}`))));
  if (found.classes.length) $("agreement").append(element("table", { id: "classes" },
    element("caption", {}, "By class"),
    element("thead", {}, element("tr", {}, ...["class", "words", "kappa", "by words", "in dispute"].map((head) => element("th", { scope: "col" }, head)))),
    element("tbody", {}, ...found.classes.map((each) => element("tr", {},
      ...[each.name, each.words, each.blocks_kappa ?? "–", each.words_kappa ?? "–", `${(each.differ * 100).toFixed(1)} %`].map((value) => element("td", {}, String(value))))))));
  if (!found.disputed.length) return;
  const { disputed, n_disputed: all } = found;
  $("agreement").append(element("table", { id: "disputed" },
    element("caption", {}, `${all} disputed blocks${disputed.length < all ? `, of which the ${disputed.length} longest` : ""}`),
    element("thead", {}, element("tr", {}, ...["page", "block", "text", ...found.annotators].map((head) => element("th", { scope: "col" }, head)))),
    element("tbody", {}, ...disputed.map((block) => element("tr", {},
      ...[name(block), block.order, block.text, ...block.labels].map((value) => element("td", { dir: "auto" }, String(value))))))));
}

// --- opening ---

async function openListed(number, { place }) {
  await openPage({ ...(await askJson(`/sources/${number}/${place}`)), source: { number, place } });
  if (state.labelling) startLabelling();
}

function pageLink(number, page, about) {
  return element("li", {}, element("button", { class: "as-link", type: "button", onclick: trying(() => openListed(number, page)) },
    page.title || page.url || "a page"), element("span", { class: "quiet" }, about));
}

/** Where the page is in the list, -1 if it is not of it. */
const placeInList = () => state.page?.source?.number === state.listed.number
  ? state.listed.pages.findIndex((each) => each.place === state.page.source.place) : -1;

/** Opens the next page of the list, or with -1 the one before. */
async function step(n) {
  const here = placeInList();
  if (here < 0) return;
  if (here + n >= state.listed.pages.length && state.listed.next !== null) await list(state.listed.next);
  const page = state.listed.pages[here + n];
  if (page) await openListed(state.listed.number, page);
  else say(n > 0 ? "This is the last page of the list." : "This is the first page of the list.");
}

async function list(start = 0) {
  const number = Number($("source").value);
  const { pages, next } = await askJson(`/sources/${number}?start=${start}&q=${encodeURIComponent($("filter").value)}`);
  const links = pages.map((page) => pageLink(number, page,
    page.bytes ? ` · ${(page.bytes / 1024).toFixed(0)} KB` : page.confidence ? ` · ${page.language ?? ""} ${page.confidence.toFixed(2)}` : ""));
  if (start === 0) $("pages").replaceChildren(...links); else $("pages").append(...links);
  state.listed = { number, pages: start === 0 ? pages : [...state.listed.pages, ...pages], next };
  $("steps").hidden = placeInList() < 0;
  $("more").hidden = next === null;
  $("more").onclick = trying(() => list(next));
  if (!pages.length && next === null) say("No page here has that in its URL.");
}

function choose(name) {
  const narrow = matchMedia("(max-width: 700px)").matches;
  const side = name === "page" && !narrow ? null : name;
  if (side === null) { $("page").focus(); return; }
  for (const tab of document.querySelectorAll("[role=tab]")) {
    const chosen = tab.id === `${side}-tab`;
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
    const panel = $(tab.getAttribute("aria-controls"));
    panel.hidden = panel.id === "page-panel" ? narrow && !chosen : !chosen;
  }
  if (side !== "page") {
    const labelling = side === "label" || (state.labelling && side === "block");
    if (side === "label" && !state.labelling) startLabelling();
    else if (state.labelling !== labelling) { state.labelling = labelling; tint(); }
  }
  if (side === "compare" && state.page && !state.answer?.compared) trying(refresh)();
  if (side === "facts" && state.answer && !state.facts) trying(askFacts)();
}

function startLabelling() {
  state.labelling = true;
  if (state.answer) beginLabels((_, number) => state.labels?.[number] ?? null);
  showLabels();
  trying(showAnnotators)();
  trying(takeUp)();
}

// What the extractor keeps or drops by an option of its own.
const BY_OPTION = { title: "titles", dateline: "datelines", caption: "captions", comment: "comments" };

/** Labels as the extractor sees the page: a block has the class whose option would drop it. */
async function prefill() {
  if (!state.answer) throw new Error("Open a page first.");
  const page = state.page, keep = Object.fromEntries(Object.values(BY_OPTION).map((option) => [option, "keep"]));
  const body = { html: page.html, url: page.url || undefined, ...options(), ...keep, explain: false, features: false };
  const keptBy = async (given) => (await askJson("/blocks", { ...body, ...given })).blocks.map((block) => block.kept);
  const classes = Object.keys(BY_OPTION);
  const [all, ...without] = await Promise.all([keptBy({}), ...classes.map((name) => keptBy({ [BY_OPTION[name]]: "drop" }))]);
  if (page !== state.page) return;
  const of = (number) => classes.find((_, place) => !without[place][number]);
  beginLabels((block, number) => (all[number] && of(number)) || (block.kept ? "main" : "other"));
}

/** The name under which labels of a page are kept; null where the browser cannot hash. */
async function nameOf(page) {
  if (!globalThis.crypto?.subtle) return null;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(page.html));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("").slice(0, 24);
}

/** Goes on with what this annotator said of the page before. */
async function takeUp() {
  const annotator = $("annotator").value.trim(), page = state.page;
  if (!page || !annotator || !state.labels || state.labels.some(Boolean)) return;
  const name = await nameOf(page);
  if (!name) return;
  const { annotators } = await askJson("/labels");
  const known = annotators.find((each) => each.annotator === annotator)?.pages.some((each) => each.id === name);
  if (!known) return;
  const before = await askJson(`/labels/${annotator}/${name}`);
  if (page !== state.page || state.labels.some(Boolean) || before.labels.length !== state.labels.length) return;
  state.saved = before;
  beginLabels((_, number) => before.labels[number]);
  say("These are the labels that you saved.");
}

/** Shows who labels wherever that is asked. */
function nameAnnotator(name) { for (const each of document.querySelectorAll(".annotator")) each.value = name; }

function remember(name, value) { try { localStorage.setItem(name, value); } catch { /* private window */ } }
function recall(name) { try { return localStorage.getItem(name) ?? ""; } catch { return ""; } }

async function begin() {
  const { extractors } = await askJson("/extractors");
  $("extractor").replaceChildren(...extractors.map(({ name }) => element("option", {}, name)));
  const { sources, fetch: fetching, labels } = await askJson("/sources");
  $("browse").hidden = sources.length === 0;
  $("fetch").hidden = !fetching;
  $("label-tab").hidden = !labels;
  state.mayLabel = labels;
  $("source").replaceChildren(...sources.map(({ number, kind, name }) => element("option", { value: String(number) }, `${name} (${kind})`)));
  nameAnnotator(recall("annotator"));
  showLabels();
  choose("result");
  const sent = new URLSearchParams(location.search);
  if (sent.get("page")) {
    await openPage(await askJson(`/pages/${encodeURIComponent(sent.get("page"))}`));
    if (sent.get("label") && labels) choose("label");
  } else {
    $("open-panel").hidden = false;
    $("open-button").setAttribute("aria-expanded", "true");
  }
}

$("options-button").addEventListener("click", () => {
  const shown = $("options").classList.toggle("shown");
  $("options-button").setAttribute("aria-expanded", String(shown));
});
$("open-button").addEventListener("click", () => {
  $("open-panel").hidden = !$("open-panel").hidden;
  $("open-button").setAttribute("aria-expanded", String(!$("open-panel").hidden));
});
$("paste").addEventListener("submit", trying(async (event) => {
  event.preventDefault();
  if (!$("paste-html").value.trim()) throw new Error("Paste the source of a page first.");
  await openPage({ html: $("paste-html").value, url: $("paste-url").value.trim() });
}));
$("file").addEventListener("change", trying(async () => {
  const [file] = $("file").files;
  if (!file) return;
  // As bytes: the service finds out which encoding the page is in.
  const { id } = await askJson("/pages", file, "text/html");
  await openPage({ ...(await askJson(`/pages/${id}`)), url: $("paste-url").value.trim() });
}));
$("fetch").addEventListener("submit", trying(async (event) => {
  event.preventDefault();
  say("Fetching…");
  await openPage(await askJson("/fetch", { url: $("fetch-url").value.trim() }));
}));
$("browse").addEventListener("submit", trying(async (event) => { event.preventDefault(); await list(); }));
$("source").addEventListener("change", trying(() => list()));
$("options").addEventListener("change", trying(() => { state.shownBy = null; return refresh(); }));
$("options").addEventListener("submit", (event) => event.preventDefault());
$("view").addEventListener("change", trying(() => refresh()));
$("tint").addEventListener("change", tint);
$("fit").addEventListener("change", fit);
addEventListener("resize", fit);
$("previous").addEventListener("click", trying(() => step(-1)));
$("next").addEventListener("click", trying(() => step(1)));
$("only").addEventListener("change", tint);
$("copy").addEventListener("click", trying(async () => {
  await navigator.clipboard.writeText(state.answer?.result.text ?? "");
  say("Copied.");
}));
$("add-host").addEventListener("click", trying(addHost));
$("compare-site").addEventListener("click", trying(compareSite));
$("prefill").addEventListener("click", trying(prefill));
$("clear").addEventListener("click", trying(() => beginLabels(() => null)));
$("save-whole").addEventListener("click", trying(() => saveLabels(true)));
$("save-part").addEventListener("click", trying(() => saveLabels(false)));
for (const each of document.querySelectorAll(".annotator")) each.addEventListener("change", () => {
  nameAnnotator(each.value.trim());
  remember("annotator", each.value);
  trying(each.id === "annotator" ? takeUp : takeUpFacts)();
});
$("facts-form").addEventListener("submit", trying(async (event) => { event.preventDefault(); await saveFacts(); }));
$("agree").addEventListener("click", trying(showAgreement));
// The keys of the page's frame hold everywhere but where something is typed, chosen or scrolled.
document.addEventListener("keydown", (event) => {
  if (!event.target.closest("input, textarea, select, dialog, #text") && !(event.key === "Enter" && event.target.closest("button, summary")))
    keys(event);
});
document.addEventListener("mouseup", () => { state.dragging = null; });
for (const tab of document.querySelectorAll("[role=tab]")) {
  tab.addEventListener("click", () => choose(tab.id.replace("-tab", "")));
  tab.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const tabs = [...document.querySelectorAll("[role=tab]")].filter((each) => each.offsetParent);
    const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
    next.focus();
    choose(next.id.replace("-tab", ""));
  });
}
matchMedia("(max-width: 700px)").addEventListener("change", (narrow) => {
  const chosen = document.querySelector("[role=tab][aria-selected=true]")?.id.replace("-tab", "") ?? "result";
  choose(chosen === "page" && !narrow.matches ? "result" : chosen); // on a wide screen the page is always there
});
globalThis.workbench = { state, openPage, choose, escape };
trying(begin)();
