// @ts-check
// Search: every word must match somewhere in a node; where it matches decides the order.

/** @typedef {import("./data.js").Graph} Graph */

/**
 * Text as it is compared: lower case, without accents.
 * @param {string} text
 * @returns {string}
 */
export function fold(text) {
  return text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
}

/**
 * The text of each node to search in: names first, then addresses, then the notes.
 * @param {Graph} graph
 * @returns {[string, string, string][]}
 */
export function searchIndex(graph) {
  return graph.nodes.map((node) => [
    fold(`${node.name} ${node.label}`),
    fold(`${node.key} ${node.url ?? ""} ${node.kind === "episode" ? node.number ?? "" : ""}`),
    fold(node.summary ?? ""),
  ]);
}

const NUMBER = /^(?:#|gh-|prs?\s*#?|pulls?(?:\s+requests?)?[\s#/]*|issues?[\s#/]*)\s*([1-9]\d{0,8})$/i;
const FULL_NUMBER = /^([\w-]+\/[\w.-]+)\s*#\s*([1-9]\d{0,8})$/;
const NUMBERED_PAGE = /^github\.com\/([\w-]+\/[\w.-]+)\/(?:pulls?|issues|discussions)\/([1-9]\d{0,8})(?![\w-])/i;
const FILE = /^github\.com\/([\w-]+\/[\w.-]+)\/(?:blob|tree|raw|blame)\/[^/]+\/([^?#]+)/i; // at whatever branch
const bare = (/** @type {string} */ url) => url.trim().replace(/^(?:https?:)?\/\//i, "").replace(/^www\./i, "").replace(/\/$/, "").toLowerCase();
const page = (/** @type {string} */ url) => bare(bare(url).replace(/[?#].*$/, ""));

/**
 * The nodes that a query is a spelling of, as the command understands it: a number of a pull request or an issue, or
 * an address, also with a query, a place in the page or a tab of it.
 * @param {Graph} graph
 * @param {string} query
 * @returns {number[]}
 */
export function meant(graph, query) {
  const text = query.trim().replace(/^[<"'`]+|[>"'`.,]+$/g, "");
  const number = NUMBER.exec(text);
  if (number) {
    const usual = `github:${graph.repo}#`;
    const found = graph.nodes.filter(({ key }) => key.startsWith("github:") && key.endsWith(`#${number[1]}`));
    return found.sort((a, b) => Number(b.key.startsWith(usual)) - Number(a.key.startsWith(usual)) || b.degree - a.degree || a.index - b.index)
      .map(({ index }) => index);
  }
  const whole = FULL_NUMBER.exec(text) ?? NUMBERED_PAGE.exec(bare(text));
  if (whole) {
    const node = graph.byKey.get(`github:${whole[1].toLowerCase()}#${whole[2]}`);
    return node === undefined ? [] : [node];
  }
  const file = FILE.exec(text.replace(/^(?:https?:)?\/\//i, "").replace(/^www\./i, ""));
  if (file) {
    const path = `github:${file[1].toLowerCase()}:${file[2].replace(/\/$/, "")}`;
    const node = graph.byKey.get(path) ?? graph.byKey.get(`${path}/`);
    if (node !== undefined) return [node];
  }
  if (!/^(?:https?:\/\/|www\.)|^[\w-]+(?:\.[\w-]+)+\//i.test(text)) return [];
  const same = graph.nodes.filter(({ url }) => url && page(url) === page(text));
  return same.sort((a, b) => Number(bare(b.url ?? "") === bare(text)) - Number(bare(a.url ?? "") === bare(text)) || a.index - b.index)
    .map(({ index }) => index);
}

/**
 * Find the nodes that a query means, then those that match its every word, best first.
 * @param {Graph} graph
 * @param {[string, string, string][]} index of searchIndex
 * @param {string} query
 * @param {number} [limit]
 * @returns {{hits: number[], total: number}}
 */
export function search(graph, index, query, limit = 12) {
  const words = fold(query).replace(/^#(?=\d)/, "").split(/\s+/).filter(Boolean);
  if (!words.length) return { hits: [], total: 0 };
  const first = meant(graph, query);
  const known = new Set(first);
  /** @type {[number, number][]} */
  const found = [];
  index.forEach(([name, address, notes], node) => {
    if (known.has(node)) return;
    let score = 0;
    for (const word of words) {
      const worth = rate(name, word, 8) || rate(address, word, 4) || (notes.includes(word) ? 1 : 0);
      if (!worth) return;
      score += worth;
    }
    found.push([score + Math.min(graph.nodes[node].degree, 50) / 100, node]);
  });
  found.sort((a, b) => b[0] - a[0] || a[1] - b[1]);
  const hits = [...first, ...found.map(([, node]) => node)];
  return { hits: hits.slice(0, limit), total: hits.length };
}

/**
 * @param {string} text
 * @param {string} word
 * @param {number} worth of a match inside a word; a whole word is worth twice that
 * @returns {number}
 */
function rate(text, word, worth) {
  let at = text.indexOf(word);
  if (at < 0) return 0;
  for (; at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text[at - 1] ?? " ";
    const after = text[at + word.length] ?? " ";
    if (!/[\p{L}\p{N}]/u.test(before) && !/[\p{L}\p{N}]/u.test(after)) return 2 * worth;
  }
  return worth;
}
