// SPDX-License-Identifier: Apache-2.0
// Markdown as Thresher writes it, to HTML. Everything that comes from the page is escaped first; raw HTML stays text.

export const escape = (text) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** Emphasis, code and links of a line. A backslash before punctuation makes it plain. */
function inline(text) {
  const kept = [];
  const keep = (html) => `\u0000${kept.push(html) - 1}\u0000`;
  let found = text.replaceAll("\u0000", "");
  found = found.replace(/(`+)([^`](?:.*?[^`])?)\1(?!`)/g, (_, __, code) => keep(`<code>${escape(code.trim())}</code>`));
  found = found.replace(/\\([!-/:-@[-`{-~])/g, (_, character) => keep(escape(character)));
  found = found.replace(/!\[([^\]]*)\]\([^)\s]*\)/g, (_, alt) => keep(`<em>[${escape(alt)}]</em>`));
  found = escape(found);
  found = found.replace(/\[([^\]]*)\]\(([^)\s]*)\)/g, (_, label, target) =>
    `<a title="${target}">${label}</a>`);
  found = found.replace(/\*\*(.+?)\*\*/g, "<strong>$1</strong>").replace(/\*(.+?)\*/g, "<em>$1</em>");
  found = found.replace(/~~(.+?)~~/g, "<del>$1</del>");
  return found.replace(/\u0000(\d+)\u0000/g, (_, number) => kept[Number(number)] ?? "");
}

const row = (line) => line.trim().replace(/^\||\|$/g, "").split(/(?<!\\)\|/).map((cell) => cell.trim());

/** The content of an item, without a paragraph around its only text. */
const tight = (html) => (html.match(/<p /g)?.length === 1 ? html.replace(/^<p dir="auto">([^]*?)<\/p>/, "$1") : html);

/** The HTML of some lines; quotes and items of lists are done in the same way inside. */
function blocks(lines, depth) {
  const out = [];
  for (let n = 0; n < lines.length; ) {
    const line = lines[n];
    const fence = line.match(/^ {0,3}(`{3,}|~{3,})\s*([^`]*)$/);
    if (!line.trim()) { n += 1; continue; }
    if (fence) {
      const code = [];
      for (n += 1; n < lines.length && !lines[n].trim().startsWith(fence[1]); n += 1) code.push(lines[n]);
      n += 1;
      out.push(`<pre><code>${escape(code.join("\n"))}</code></pre>`);
      continue;
    }
    const heading = line.match(/^(#{1,6})\s+(.*?)(?:\s+#+)?$/);
    if (heading) { out.push(`<h${heading[1].length}>${inline(heading[2])}</h${heading[1].length}>`); n += 1; continue; }
    if (/^ {0,3}([-*_])(?:\s*\1){2,}\s*$/.test(line)) { out.push("<hr>"); n += 1; continue; }
    if (line.startsWith(">") && depth < 12) {
      const inside = [];
      for (; n < lines.length && lines[n].startsWith(">"); n += 1) inside.push(lines[n].replace(/^> ?/, ""));
      out.push(`<blockquote>${blocks(inside, depth + 1)}</blockquote>`);
      continue;
    }
    const item = line.match(/^( {0,3})([-*+]|\d{1,9}[.)])(\s+)/);
    if (item && depth < 12) {
      const width = item[0].length, ordered = /\d/.test(item[2]), items = [];
      const begins = ordered ? /^ {0,3}\d{1,9}[.)]\s+/ : /^ {0,3}[-*+]\s+/;
      for (; n < lines.length; n += 1) {
        const indented = lines[n].startsWith(" ".repeat(width));
        if (begins.test(lines[n]) && !indented) items.push([lines[n].replace(begins, "")]);
        else if (indented || !lines[n].trim()) items.at(-1).push(lines[n].slice(width));
        else break;
      }
      const tag = ordered ? "ol" : "ul", start = ordered ? ` start="${parseInt(item[2], 10)}"` : "";
      const content = items.map((each) => `<li dir="auto">${tight(blocks(each, depth + 1))}</li>`);
      out.push(`<${tag}${start}>${content.join("")}</${tag}>`);
      continue;
    }
    if (line.includes("|") && /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/.test(lines[n + 1] ?? "")) {
      const head = row(line).map((cell) => `<th>${inline(cell)}</th>`).join("");
      const body = [];
      for (n += 2; n < lines.length && lines[n].includes("|"); n += 1)
        body.push(`<tr>${row(lines[n]).map((cell) => `<td>${inline(cell)}</td>`).join("")}</tr>`);
      out.push(`<table><thead><tr>${head}</tr></thead><tbody>${body.join("")}</tbody></table>`);
      continue;
    }
    const paragraph = [];
    do { paragraph.push(lines[n]); n += 1; }
    while (n < lines.length && lines[n].trim() && !/^(#{1,6}\s|>|```|~~~| {0,3}([-*+]|\d{1,9}[.)])\s)/.test(lines[n]));
    const text = paragraph.map((each) => inline(each.replace(/(\\| {2,})$/, "")) + (/(\\| {2,})$/.test(each) ? "<br>" : ""));
    out.push(`<p dir="auto">${text.join("\n")}</p>`);
  }
  return out.join("\n");
}

export const toHtml = (markdown) => blocks(markdown.split("\n"), 0);
