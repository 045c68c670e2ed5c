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

/**
 * Find the nodes that match every word, best first.
 * @param {Graph} graph
 * @param {[string, string, string][]} index of searchIndex
 * @param {string} query
 * @param {number} [limit]
 * @returns {{hits: number[], total: number}}
 */
export function search(graph, index, query, limit = 12) {
  const words = fold(query).replace(/^#(?=\d)/, "").split(/\s+/).filter(Boolean);
  if (!words.length) return { hits: [], total: 0 };
  /** @type {[number, number][]} */
  const found = [];
  index.forEach(([name, address, notes], node) => {
    let score = 0;
    for (const word of words) {
      const worth = rate(name, word, 8) || rate(address, word, 4) || (notes.includes(word) ? 1 : 0);
      if (!worth) return;
      score += worth;
    }
    found.push([score + Math.min(graph.nodes[node].degree, 50) / 100, node]);
  });
  found.sort((a, b) => b[0] - a[0] || a[1] - b[1]);
  return { hits: found.slice(0, limit).map(([, node]) => node), total: found.length };
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
