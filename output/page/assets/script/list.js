// @ts-check
// "My list": episodes that the reader keeps, in their order; two of them side by side; the list as a file.

import { element, webUrl } from "./dom.js";
import { durationText, nodeLink } from "./panel.js";
import { phrase } from "./strings.js";

/** @typedef {import("./data.js").Graph} Graph */

/** Hand a file to the reader. @param {string} name @param {Blob} content */
function save(name, content) {
  const link = /** @type {HTMLAnchorElement} */ (element("a", { href: URL.createObjectURL(content), download: name }));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** The list as Markdown: a line an episode. @param {Graph} graph @param {number[]} nodes @returns {string} */
export function toMarkdown(graph, nodes) {
  const plain = (/** @type {string} */ text) => text.replace(/[\\\x60*_{}[\]<>()#|!]/g, "\\$&").replace(/\s+/g, " ");
  return nodes.map((node, i) => {
    const { name, url, date } = graph.nodes[node];
    const title = webUrl(url) ? `[${plain(name)}](<${webUrl(url)}>)` : plain(name);
    return `${i + 1}. ${title}${date ? ` (${date.slice(0, 10)})` : ""}\n`;
  }).join("");
}

/** The list as an extended M3U playlist, of what has a sound. @param {Graph} graph @param {number[]} nodes @returns {string} */
export function toM3u(graph, nodes) {
  const lines = nodes.map((node) => graph.nodes[node]).filter(({ audio_url: url }) => webUrl(url))
    .map(({ name, duration, audio_url: url }) => `#EXTINF:${Math.round(duration ?? -1)},${name.replace(/\s+/g, " ")}\n${webUrl(url)}\n`);
  return `#EXTM3U\n${lines.join("")}`;
}

/** The list as a feed, of what has a sound. @param {Graph} graph @param {number[]} nodes @param {string} title @returns {string} */
export function toRss(graph, nodes, title) {
  const xml = (/** @type {string} */ text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const items = nodes.map((node) => graph.nodes[node]).filter(({ audio_url: url }) => webUrl(url)).map(({ key, name, date, url, audio_url: sound }) =>
    `<item><guid isPermaLink="false">${xml(key)}</guid><title>${xml(name)}</title>${webUrl(url) ? `<link>${xml(webUrl(url))}</link>` : ""}`
    + `${date ? `<pubDate>${new Date(date).toUTCString()}</pubDate>` : ""}<enclosure url="${xml(webUrl(sound))}" length="0" type="audio/mpeg"/></item>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel><title>${xml(title)}</title><description>${xml(title)}</description>\n${items.join("")}</channel></rss>\n`;
}

/** The list as a section of the panel.
 * @param {Graph} graph @param {number[]} nodes
 * @param {{change: (nodes: number[]) => void, compare: (one: number, other: number) => void, play: (node: number) => void}} told @returns {HTMLElement} */
export function listSection(graph, nodes, { change, compare, play }) {
  const chosen = /** @type {Set<number>} */ (new Set());
  const comparing = /** @type {HTMLButtonElement} */ (element("button", { type: "button", disabled: true, onclick: () => {
    const [one, other] = nodes.filter((node) => chosen.has(node));
    compare(one, other);
  } }, phrase("compareTwo")));
  const moved = (/** @type {number} */ at, /** @type {number} */ by) => {
    const next = [...nodes];
    next.splice(at + by, 0, ...next.splice(at, 1));
    change(next);
  };
  const sounds = nodes.some((node) => webUrl(graph.nodes[node].audio_url));
  const minutes = nodes.reduce((sum, node) => sum + (graph.nodes[node].duration ?? 0), 0);
  const small = (/** @type {string} */ label, /** @type {string} */ text, /** @type {() => void} */ onclick, off = false) =>
    element("button", { type: "button", class: "small", "aria-label": label, title: label, disabled: off, onclick }, text);
  return element("section", { id: "list" }, element("h3", {}, phrase("myList"), " ", element("span", { class: "count" }, [nodes.length, minutes && durationText(minutes)].filter(Boolean).join(" · "))),
    element("ol", { class: "links" }, ...nodes.map((node, at) => {
      const { name } = graph.nodes[node];
      const box = /** @type {HTMLInputElement} */ (element("input", { type: "checkbox", "aria-label": phrase("compare", { name }), onchange: () => {
        if (box.checked) chosen.add(node);
        else chosen.delete(node);
        comparing.disabled = chosen.size !== 2;
      } }));
      return element("li", {}, element("div", { class: "row" }, box, nodeLink(graph, node),
        small(phrase("moveUp", { name }), "↑", () => moved(at, -1), at === 0), small(phrase("moveDown", { name }), "↓", () => moved(at, 1), at === nodes.length - 1),
        small(phrase("takeOff", { name }), "×", () => change(nodes.filter((other) => other !== node)))));
    })),
    element("p", { class: "actions" }, comparing,
      sounds && element("button", { type: "button", onclick: () => play(nodes[0]) }, phrase("playAll")),
      element("button", { type: "button", onclick: () => save("my-list.md", new Blob([toMarkdown(graph, nodes)], { type: "text/markdown;charset=utf-8" })) }, "Markdown"),
      sounds && element("button", { type: "button", onclick: () => save("my-list.xml", new Blob([toRss(graph, nodes, phrase("myList"))], { type: "application/rss+xml;charset=utf-8" })) }, "RSS"),
      sounds && element("button", { type: "button", onclick: () => save("my-list.m3u8", new Blob([toM3u(graph, nodes)], { type: "audio/x-mpegurl;charset=utf-8" })) }, "M3U")));
}
