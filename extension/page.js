// SPDX-License-Identifier: Apache-2.0
// Runs in a page when a button was pressed, apart from the page's own scripts: reads it, shows a part of it, and puts
// everything back. It sends nothing to the service; the popup does.
"use strict";

globalThis.thresherPage ??= (() => {
  const MARK = "data-thresher-n";
  const GONE = "data-thresher-gone";
  const UNREAD = new Set(["script", "style", "noscript", "template", "textarea", "select", "iframe", "object"]);
  const MEDIA = "img, picture, video, audio, figure, svg, canvas, math, table, hr";
  const OTHER_PAGES = 5; // that a template is found with
  const MOST_CHARACTERS = 2_000_000; // of one of them
  const SECONDS = 8;

  // A field of a form called "childNodes" or "parentElement" hides the form's own property, and an image called "body"
  // the document's: properties and methods of the page's nodes are taken from the prototypes.
  const getter = (type, name) => {
    const { get } = Object.getOwnPropertyDescriptor(type.prototype, name);
    return (node) => get.call(node);
  };
  const method = (type, name) => (node, ...args) => type.prototype[name].apply(node, args);
  const rootOf = getter(Document, "documentElement");
  const bodyOf = getter(Document, "body");
  const doctypeOf = getter(Document, "doctype");
  const parentOf = getter(Node, "parentElement");
  const childNodesOf = getter(Node, "childNodes");
  const typeOf = getter(Node, "nodeType");
  const childrenOf = getter(Element, "children");
  const nameOf = getter(Element, "localName");
  const markupOf = getter(Element, "outerHTML");
  const attributeOf = method(Element, "getAttribute");
  const setAttribute = method(Element, "setAttribute");
  const removeAttribute = method(Element, "removeAttribute");
  const matches = method(Element, "matches");
  const firstIn = method(Element, "querySelector");
  const allIn = method(Element, "querySelectorAll");
  const allInDocument = (selector) => Document.prototype.querySelectorAll.call(document, selector);
  const content = () => bodyOf(document) ?? rootOf(document);

  let elements = []; // of the page when it was read
  let view = "page"; // what the popup says is shown
  let parsed = null; // what a parser makes of the HTML that was sent; its elements have the numbers of `elements`
  let siblings = new Map(); // element of `parsed` → name → its children of that name

  // The page as HTML, and its address. What was shown is put back first.
  function read() {
    restore();
    const root = rootOf(document);
    const type = doctypeOf(document);
    const doctype = type === null ? "" : new XMLSerializer().serializeToString(type);
    const html = doctype + markupOf(root);
    // A copy in a document that nobody sees: one in the page's own would load its pictures again.
    const unseen = new DOMParser().parseFromString("", "text/html");
    const copy = Document.prototype.importNode.call(unseen, root, true);
    elements = [root, ...allIn(root, "*")];
    [copy, ...allIn(copy, "*")].forEach((element, n) => setAttribute(element, MARK, n));
    parsed = new DOMParser().parseFromString(doctype + markupOf(copy), "text/html");
    siblings = new Map();
    return { html, url: location.href };
  }

  // The element at a path such as html/body/div[2]/p[1], which counts siblings of one name; null if there is none.
  function find(path) {
    let element = null;
    for (const step of path.split("/")) {
      const [, name, number] = /^(.*?)(?:\[(\d+)\])?$/.exec(step);
      const local = name.split(" ").at(-1); // "svg path" is a path in SVG
      if (element === null) element = local === "html" ? rootOf(parsed) : undefined;
      else element = childrenByName(element).get(local)?.[(number ?? 1) - 1];
      if (element === undefined) return null;
    }
    return elements[attributeOf(element, MARK)] ?? null;
  }

  function childrenByName(element) {
    if (!siblings.has(element)) {
      const names = new Map();
      for (const child of childrenOf(element)) {
        if (!names.has(nameOf(child))) names.set(nameOf(child), []);
        names.get(nameOf(child)).push(child);
      }
      siblings.set(element, names);
    }
    return siblings.get(element);
  }

  const letters = (text) => text.replace(/\s+/gu, "");

  // The texts below an element that are not blank.
  function* textsIn(element) {
    const walker = Document.prototype.createTreeWalker.call(document, element, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) => {
      if (typeOf(node) === Node.TEXT_NODE) return node.data.trim() ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP;
      return UNREAD.has(nameOf(node)) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP;
    });
    while (walker.nextNode()) yield walker.currentNode;
  }

  // For each text node of the page that belongs to a block the block's number.
  //
  // A text belongs to the nearest element around it that has blocks; if that has several, to the next one that holds it.
  function blocksOfTexts(blocks) {
    const owners = new Map(); // element → its blocks
    blocks.forEach((block, n) => {
      const element = find(block.path);
      if (element === null) return;
      if (!owners.has(element)) owners.set(element, { blocks: [], at: 0 });
      owners.get(element).blocks.push({ n, letters: letters(block.text) });
    });
    const found = new Map();
    for (const text of textsIn(content())) {
      let element = parentOf(text);
      while (element !== null && !owners.has(element)) element = parentOf(element);
      if (element === null) continue;
      const owner = owners.get(element);
      const wanted = letters(text.data);
      const holder = owner.blocks.findIndex((block, at) => at >= owner.at && block.letters.includes(wanted));
      if (holder >= 0) owner.at = holder;
      found.set(text, owner.blocks[owner.at].n);
    }
    return found;
  }

  function wrap(text) {
    const wrapper = Document.prototype.createElement.call(document, "thresher-text");
    text.replaceWith(wrapper);
    wrapper.append(text);
    return wrapper;
  }

  // Shows only the texts of the wanted blocks, and pictures and tables between them. The number of texts shown.
  function showOnly(blocks, wanted) {
    restore();
    const kept = new Set();
    for (const [text, n] of blocksOfTexts(blocks)) if (wanted[n]) kept.add(text);
    if (!kept.size) return 0;
    const inOrder = [...kept];
    const [first, last] = [inOrder[0], inOrder.at(-1)];
    const around = new Set(); // all elements around kept texts
    for (const text of kept)
      for (let element = parentOf(text); element !== null && !around.has(element); element = parentOf(element))
        around.add(element);
    const between = (element) =>
      first.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING &&
      last.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING;
    const isMedia = (element) =>
      (matches(element, MEDIA) || firstIn(element, MEDIA) !== null) && textsIn(element).next().done;
    const open = [content()];
    while (open.length) {
      for (const child of [...childNodesOf(open.pop())]) {
        if (typeOf(child) === Node.TEXT_NODE) {
          if (child.data.trim() && !kept.has(child)) setAttribute(wrap(child), GONE, "");
        } else if (typeOf(child) === Node.ELEMENT_NODE) {
          if (around.has(child)) open.push(child);
          else if (nameOf(child) !== "br" && !(isMedia(child) && between(child))) setAttribute(child, GONE, "");
        }
      }
    }
    return kept.size;
  }

  // Tints the texts of all blocks: kept or dropped. The number of texts tinted.
  function showBlocks(blocks) {
    restore();
    const found = blocksOfTexts(blocks);
    for (const [text, n] of found) {
      const wrapper = wrap(text);
      wrapper.dataset.kind = blocks[n].kept ? "kept" : "dropped";
      wrapper.title = blocks[n].reason ?? wrapper.dataset.kind;
    }
    return found.size;
  }

  // Puts everything back: the page's own nodes are where they were.
  function restore() {
    for (const wrapper of allInDocument("thresher-text")) wrapper.replaceWith(...wrapper.childNodes);
    for (const element of allInDocument(`[${GONE}]`)) removeAttribute(element, GONE);
  }

  // Addresses of other pages of the site that this one links to: those in the same folder first, spread over the page.
  function linkedPages() {
    const own = new URL(location.href);
    const folder = own.pathname.replace(/[^/]*$/, "");
    const near = new Set();
    const far = new Set();
    for (const link of allInDocument("a[href]:not([download])")) {
      let url;
      try {
        url = new URL(link.href);
      } catch {
        continue;
      }
      url.hash = "";
      const words = url.pathname + url.search;
      if (url.origin !== own.origin || url.pathname === own.pathname) continue;
      // A request must change nothing; cookies are not sent either.
      if (/log-?(out|off)|sign-?out|delete|remove|unsubscribe|add-?to|cart/i.test(words)) continue;
      if (/\.(?!html?$|php$|aspx?$|jsp$|xhtml$)[a-z0-9]{2,5}$/i.test(url.pathname)) continue;
      (url.pathname.startsWith(folder) ? near : far).add(url.href);
    }
    const spread = (urls, n) =>
      urls.length <= n ? urls : Array.from({ length: n }, (_, at) => urls[Math.floor((at * (urls.length - 1)) / Math.max(1, n - 1))]);
    const chosen = spread([...near], OTHER_PAGES);
    return [...chosen, ...spread([...far].filter((url) => !near.has(url)), OTHER_PAGES - chosen.length)];
  }

  // Other pages of the site, read from it without cookies.
  async function readOthers() {
    const pages = await Promise.all(
      linkedPages().map(async (url) => {
        try {
          const response = await fetch(url, { credentials: "omit", signal: AbortSignal.timeout(1000 * SECONDS) });
          if (!response.ok || !/html/.test(response.headers.get("content-type") ?? "")) return null;
          const html = await response.text();
          return html.length > MOST_CHARACTERS ? null : { html, url };
        } catch {
          return null;
        }
      }),
    );
    return pages.filter(Boolean);
  }

  const remember = (shown) => { view = shown; };
  const remembered = () => view;

  return { read, readOthers, showOnly, showBlocks, restore, remember, remembered };
})();
