// SPDX-License-Identifier: Apache-2.0
// The window behind the button. Nothing is sent before a button is pressed.

import { Missing, ask, readSettings } from "./service.js";

const api = globalThis.browser ?? globalThis.chrome;
const TEMPLATE = 0.5; // share of a block's characters that TemEx calls template
const byId = (id) => document.getElementById(id);

async function tabId() {
  // Tests name the tab, because a popup of theirs is a tab itself.
  const named = new URLSearchParams(location.search).get("tab");
  if (named !== null) return Number(named);
  const [tab] = await api.tabs.query({ active: true, currentWindow: true });
  return tab.id;
}

// The result of a function of page.js in the page.
async function inPage(name, ...args) {
  const target = { tabId: await tabId() };
  try {
    await api.scripting.insertCSS({ target, files: ["page.css"] });
    await api.scripting.executeScript({ target, files: ["page.js"] });
  } catch {
    throw new Error("Extensions cannot read this page.");
  }
  const [found] = await api.scripting.executeScript({
    target,
    func: (called, values) => globalThis.thresherPage[called](...values),
    args: [name, args],
  });
  if (found.error) throw new Error(String(found.error.message ?? found.error));
  return found.result;
}

const withoutReasons = { features: false, explain: false };

async function blocksOf(page, extractor) {
  const { blocks } = await ask("/blocks", { html: page.html, url: page.url, ...withoutReasons, options: { extractor } });
  return blocks.map(({ path, text, kept, reason }) => ({ path, text, kept, reason }));
}

// The blocks of a page with `kept` for what is template.
async function templateOf(page) {
  const others = await inPage("readOthers");
  if (!others.length) throw new Error("A template takes two pages, and no other page of this site could be read.");
  const [blocks, site] = await Promise.all([
    blocksOf(page, "thresher"),
    ask("/site", { pages: [{ html: page.html, url: page.url }, ...others] }),
  ]);
  const shares = site.pages[0].blocks.map((block) => block.temex);
  return blocks.map((block, n) => ({ ...block, kept: (shares[n] ?? 0) >= TEMPLATE }));
}

const EXTRACTORS = { main: "thresher", menu: "menex" };
const NAMES = { main: "main content", menu: "menu", template: "template" };
let shown = "page";

async function show(view) {
  if (view === "page") {
    await inPage("restore");
    return "The page as it was.";
  }
  const page = await inPage("read");
  if (view === "blocks") {
    const blocks = await blocksOf(page, "thresher");
    const kept = blocks.filter((block) => block.kept).length;
    if (!(await inPage("showBlocks", blocks))) throw new Error("No block of text was found.");
    return `${kept} of ${blocks.length} blocks are main content (green).`;
  }
  const blocks = view === "template" ? await templateOf(page) : await blocksOf(page, EXTRACTORS[view]);
  const wanted = blocks.map((block) => block.kept);
  if (!(await inPage("showOnly", blocks, wanted))) throw new Error(`No ${NAMES[view]} was found.`);
  return `Only the ${NAMES[view]} is shown.`;
}

async function copy(format) {
  const page = await inPage("read");
  const view = shown in NAMES ? shown : "main";
  let text;
  if (view === "template") {
    text = (await templateOf(page)).filter((block) => block.kept).map((block) => block.text).join("\n");
  } else {
    const options = { extractor: EXTRACTORS[view], format, links: format === "markdown" };
    text = (await ask("/extract", { html: page.html, url: page.url, options })).text ?? "";
  }
  if (shown !== "page") await show(shown); // read() put the page back
  if (!text.trim()) throw new Error(`No ${NAMES[view]} was found.`);
  await navigator.clipboard.writeText(text);
  return `Copied: ${text.length.toLocaleString()} characters of the ${NAMES[view]}.`;
}

async function label() {
  const page = await inPage("read");
  const { label: path } = await ask("/pages", { html: page.html, url: page.url });
  const { address } = await readSettings();
  await api.tabs.create({ url: address + path });
  return "Opened in the workbench.";
}

// Does something with the buttons off, and says how it went. The view that is shown afterwards.
async function act(work, after = shown) {
  const buttons = document.querySelectorAll("button");
  for (const button of buttons) button.disabled = true;
  byId("missing").hidden = true;
  byId("status").textContent = "Working …";
  try {
    byId("status").textContent = await work();
    shown = after;
  } catch (error) {
    byId("status").textContent = error.message;
    byId("missing").hidden = !(error instanceof Missing);
    await inPage("restore").catch(() => {});
    shown = "page";
  }
  for (const button of buttons) button.disabled = false;
  press();
  await inPage("remember", shown).catch(() => {});
}

// Marks the button of what is shown.
function press() {
  for (const button of document.querySelectorAll("button[data-view]"))
    button.setAttribute("aria-pressed", String(button.dataset.view === shown));
}

// What an earlier popup showed on this page.
async function remembered() {
  const target = { tabId: await tabId() };
  const [found] = await api.scripting.executeScript({ target, func: () => globalThis.thresherPage?.remembered() ?? "page" });
  return found.result;
}

for (const button of document.querySelectorAll("button")) {
  const { view, copy: format } = button.dataset;
  if (view) button.addEventListener("click", () => act(() => show(view), view));
  else if (format) button.addEventListener("click", () => act(() => copy(format)));
  else button.addEventListener("click", () => act(label, "page"));
}
remembered().then((view) => { shown = view; press(); }, () => {});
readSettings().then(
  ({ address }) => (byId("address").textContent = address),
  (error) => (byId("status").textContent = error.message),
);
