// @ts-check
// Search: the ranking of `podgraph search`, over the same tables (graph/questions/search.py explains it).

/** @typedef {import("./data.js").Graph} Graph */
/** @typedef {{node: number, score: number, where: string, missing: string[], instead: string, via?: number}} Found via: the node that brings it */
/** @typedef {{texts: string[][], held: Map<string, Set<number>>[], words: string[]}} Index texts of each node, by field the nodes that hold a word, all words */
/** @typedef {{word: string, root: string, instead: string, held: Map<number, [number, string]>, rarity: number}} Term */

const WORD = /[\p{L}\p{N}]+/gu; // letters and digits of any script
const VOWEL = /[aeiouy]|[^a-z]/;
const PARTS = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g; // between the parts of an identifier

/** Text as it is compared: lower case, without accents. @param {string} text @returns {string} */
export function fold(text) {
  return text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase().replaceAll("ß", "ss");
}

const wordsOf = (/** @type {string} */ text) => text.match(WORD) ?? [];
const withParts = (/** @type {string} */ text) => (text.replace(PARTS, " ") === text ? text : `${text} ${text.replace(PARTS, " ")}`);

/** The index of the words of a graph's nodes. @param {Graph} graph @returns {Index} */
export function searchIndex(graph) {
  const texts = graph.nodes.map(({ name, aliases = [], names = [], key, url = "", date = "", summary = "" }) => [
    withParts(name), withParts([...aliases, ...names].join("\n")), `${key} ${url} ${date.slice(0, 4)}`, summary,
  ].map(fold));
  /** @type {Map<string, Set<number>>[]} */
  const held = Object.keys(graph.ranking.fields).map(() => new Map());
  texts.forEach((fields, node) => fields.forEach((text, at) => {
    for (const word of wordsOf(text)) held[at].set(word, (held[at].get(word) ?? new Set()).add(node));
  }));
  return { texts, held, words: [...new Set(held.flatMap((field) => [...field.keys()]))] };
}

/** The beginning that the forms of a folded word share. @param {any} tables @param {string} word @returns {string} */
export function stem(tables, word) {
  for (const suffix of tables.suffixes) {
    const root = word.slice(0, -suffix.length);
    if (root.length < 3 || !word.endsWith(suffix) || !VOWEL.test(root)) continue;
    if (suffix === "s" && tables.keptEnds.some((/** @type {string} */ end) => word.endsWith(end))) return word;
    const last = root.at(-1);
    return root.length > 3 && last === root.at(-2) && !"lsz".includes(last ?? "") ? root.slice(0, -1) : root;
  }
  return word;
}

/** The stems of a name's words, without the words of asking beside others. @param {any} tables @param {string} name */
function toldWords(tables, name) {
  const words = wordsOf(fold(name));
  const telling = words.filter((word) => !tables.asking.includes(word));
  return (telling.length ? telling : words).map((word) => stem(tables, word));
}

/** The title of a node, and the last part of a file's path. @param {import("./data.js").GraphNode} node */
const namesOf = ({ kind, key, name }) => (kind === "file" ? [name, key.split("/").at(-1) ?? ""] : [name]);

/** Whether each phrase is in one of the texts, word for word. @param {string[]} texts @param {string[][]} phrases */
function holds(texts, phrases) {
  const runs = texts.map((text) => ` ${wordsOf(text).join(" ")}`);
  return phrases.every((phrase) => runs.some((run) => run.includes(` ${phrase.join(" ")}`)));
}

/** Find the nodes that a query means, then those that its words rank, best first. @param {Graph} graph @param {Index} index @param {string} query @param {number} [limit] @returns {{found: Found[], total: number}} */
export function search(graph, index, query, limit = 12) {
  const tables = graph.ranking;
  const folded = fold(query);
  const words = [...new Set(wordsOf(folded))];
  const quoted = [...folded.matchAll(/"([^"]+)"/g)].map(([, phrase]) => wordsOf(phrase));
  const kept = new Set(quoted.flat());
  const subject = words.filter((word) => kept.has(word) || !tables.asking.includes(word));
  /** @type {Map<number, Found>} */
  const hits = new Map();
  const add = (/** @type {Found} */ one) => hits.has(one.node) || hits.set(one.node, one);
  meant(graph, query).forEach((node, place) => add({ node, score: tables.extra.reference - place, where: "reference", missing: [], instead: "" }));
  if (words.length) ranked(graph, index, subject.length ? subject : words, quoted, subject.length > 0 && subject.length < words.length).forEach(add);
  const found = [...hits.values()];
  return { found: found.slice(0, limit), total: found.length };
}

/** The nodes that hold a word, and the episodes that cite a node with the right name.
 * @param {Graph} graph @param {Index} index @param {string[]} words @param {string[][]} quoted @param {boolean} isAsked in plain words
 * @returns {Found[]} */
function ranked(graph, index, words, quoted, isAsked) {
  const tables = graph.ranking;
  const { whole, letters, episode, named, ofNode, mostOfNode, partly, bringing, asked } = tables.extra;
  const terms = words.map((word) => termOf(graph, index, word));
  const roots = terms.map(({ root }) => root);
  const corrected = terms.map((term) => term.instead).join(" ");
  const instead = corrected === words.join(" ") ? "" : corrected;
  /** @type {Map<number, number>} */
  const scores = new Map();
  for (const { held, rarity } of terms) for (const [node, [worth]] of held) scores.set(node, (scores.get(node) ?? 0) + worth * rarity);
  const isSource = (/** @type {number} */ node) => tables.sources.includes(graph.nodes[node].kind);
  const namedBy = (/** @type {number} */ node) => {
    let best = 0;
    for (const name of [...namesOf(graph.nodes[node]), ...graph.nodes[node].aliases ?? []]) {
      const told = toldWords(tables, name);
      for (let at = 0; told.length && at + told.length <= roots.length; at++) {
        if (told.some((root, place) => root !== roots[at + place])) continue;
        best = Math.max(best, named * terms.slice(at, at + told.length).reduce((sum, { rarity }) => sum + rarity, 0));
      }
    }
    return best;
  };
  /** @type {Map<number, Found>} */
  const found = new Map();
  const least = [...scores.values()].reduce((best, score) => Math.max(best, score), 0) / partly;
  const inKeys = (/** @type {number} */ a, /** @type {number} */ b) => (graph.nodes[a].key < graph.nodes[b].key ? -1 : 1);
  const promising = [...scores].filter(([, score]) => score >= least).sort((a, b) => b[1] - a[1] || inKeys(a[0], b[0]));
  for (const [node, base] of promising.slice(0, tables.budget)) {
    if (quoted.length && !holds(index.texts[node], quoted)) continue;
    const met = terms.map(({ held }) => held.get(node));
    const where = met.reduce((best, one) => (one && (!best || one[0] > best[0] || (one[0] === best[0] && one[1] > best[1])) ? one : best))?.[1] ?? "";
    let score = base + namedBy(node);
    if (isAsked && isSource(node)) score *= asked;
    found.set(node, { node, score, where, missing: words.filter((_, at) => !met[at]), instead });
  }
  const ofNames = Object.keys(tables.fields).slice(0, 2);
  const bring = [...found.values()].filter(({ node, missing, where }) => !isSource(node) && ((!missing.length && ofNames.includes(where)) || namedBy(node)));
  /** @type {Map<number, [number, Found]>} */
  const brought = new Map();
  for (const one of inOrder(graph, bring).slice(0, bringing)) {
    for (const { from, to, relation, weight, boilerplate } of graph.links[one.node].map((edge) => graph.edges[edge])) {
      if (to !== one.node || boilerplate || !tables.citing.includes(relation)) continue;
      const much = Math.floor(100 * Math.max(0, Math.min(weight, mostOfNode)));
      const share = Math.floor((one.score * much) / (100 * ofNode)) * (isAsked ? asked : 1);
      if (share > (brought.get(from)?.[0] ?? 0)) brought.set(from, [share, one]);
    }
  }
  for (const [node, [share, one]] of brought) {
    const own = found.get(node);
    found.set(node, own ? { ...own, score: own.score + share, missing: own.missing.filter((word) => one.missing.includes(word)) }
      : { node, score: share, where: "topic", missing: one.missing, instead, via: one.node });
  }
  for (const one of found.values()) {
    if (isSource(one.node)) one.score += episode;
    if (isAsked && !isSource(one.node)) continue;
    const names = [...namesOf(graph.nodes[one.node]), ...graph.nodes[one.node].aliases ?? []];
    if ((one.where !== "number" || words.length > 1) && !names.some((name) => toldWords(tables, name).join(" ") === roots.join(" "))) continue;
    one.score += whole + (names.some((name) => wordsOf(fold(name)).join(" ") === words.join(" ")) ? letters : 0);
  }
  return inOrder(graph, [...found.values()]);
}

/** A word of a question, and the nodes that hold it, each with what that counts and the field. @param {Graph} graph @param {Index} index @param {string} word @returns {Term} */
function termOf(graph, index, word) {
  const { grades, insideFrom, extra } = graph.ranking;
  const root = stem(graph.ranking, word);
  const forms = index.words.filter((other) => other !== word && other.startsWith(root) && stem(graph.ranking, other) === root);
  const term = { word, root, instead: word, rarity: 0, held: heldBy(graph, index, [
    [grades.equal, [word]], [grades.stem, forms], [grades.start, index.words.filter((other) => other.startsWith(word))],
  ]) };
  if ([...word].length >= (/^[\0-\x7f]*$/.test(word) ? insideFrom : 2)) {
    const inside = heldBy(graph, index, [[grades.inside, index.words.filter((other) => other.includes(word))]], 3);
    term.held = new Map([...inside, ...term.held]);
    const near = term.held.size ? [] : nearTo(graph, index, word);
    if (near.length) {
      Object.assign(term, { instead: near[0], root: stem(graph.ranking, near[0]) });
      term.held = heldBy(graph, index, [[grades.equal, near.slice(0, 1)], [grades.stem, near.slice(1)]]);
    }
  }
  if (/^\d+$/.test(word)) {
    for (const { index: node, kind, number } of graph.nodes) if (kind === "episode" && number === Number(word)) term.held.set(node, [extra.numbered, "number"]);
  }
  const count = term.held.size;
  const times = count ? Math.floor((index.texts.length * index.texts.length) / (count * count)) : 0;
  term.rarity = times ? times.toString(2).length : 0;
  return term;
}

/** @param {Graph} graph @param {Index} index @param {[number, string[]][]} ways grades, and the words that match so @param {number} [most] fields @returns {Map<number, [number, string]>} */
function heldBy(graph, index, ways, most = 4) {
  /** @type {Map<number, [number, string]>} */
  const found = new Map();
  const byWorth = Object.entries(graph.ranking.fields).slice(0, most)
    .flatMap(([field, weight], at) => ways.map(([grade, words]) => ({ worth: weight * grade, field, at, words })));
  for (const { worth, field, at, words } of byWorth.sort((a, b) => a.worth - b.worth)) {
    for (const word of words) for (const node of index.held[at].get(word) ?? []) found.set(node, [worth, field]);
  }
  return found;
}

/** The words of names that differ by no more than a slip, the nearest and most frequent first. @param {Graph} graph @param {Index} index @param {string} word @returns {string[]} */
function nearTo(graph, index, word) {
  const size = [...word].length;
  const most = graph.ranking.mistakes.find((/** @type {number[]} */ [from]) => size >= from)?.[1] ?? 0;
  if (!most || /^\p{Nd}+$/u.test(word)) return [];
  const counts = new Map();
  for (const held of index.held.slice(0, 2)) for (const [other, nodes] of held) counts.set(other, (counts.get(other) ?? 0) + nodes.size);
  /** @type {[number, number, string][]} */
  const found = [];
  for (const [other, count] of counts) {
    if (Math.abs(other.length - word.length) > most) continue;
    const distance = distanceOf(word, other, most);
    if (distance <= most) found.push([distance, -count, other]);
  }
  return found.sort((a, b) => a[0] - b[0] || a[1] - b[1] || (a[2] < b[2] ? -1 : 1)).slice(0, graph.ranking.spellings).map(([, , other]) => other);
}

/** @param {Graph} graph @param {Found[]} found @returns {Found[]} */
function inOrder(graph, found) {
  const { nodes, ranking: { kinds } } = graph;
  const place = (/** @type {Found} */ { node }) => (kinds.indexOf(nodes[node].kind) + kinds.length + 1) % (kinds.length + 1);
  return found.sort((a, b) => b.score - a.score || place(a) - place(b) || (nodes[a.node].standing ?? 0) - (nodes[b.node].standing ?? 0) || a.node - b.node);
}

/** How many letters are missing, more, wrong or swapped (optimal string alignment); beyond `most`: more. @param {string} one @param {string} other @param {number} most @returns {number} */
export function distanceOf(one, other, most) {
  const [a, b] = [[...one], [...other]];
  /** @type {number[]} */
  let earlier = [];
  /** @type {number[]} */
  let before = [];
  let row = b.map((_, at) => at).concat(b.length);
  for (let i = 1; i <= a.length; i++) {
    [earlier, before, row] = [before, row, [i]];
    for (let j = 1; j <= b.length; j++) {
      let cost = Math.min(before[j] + 1, row[j - 1] + 1, before[j - 1] + Number(a[i - 1] !== b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, earlier[j - 2] + 1);
      row.push(cost);
    }
    if (Math.min(...row) > most) return most + 1;
  }
  return row[b.length];
}

const OF_REPOSITORY = /^([\w-]+\/[\w.-]+)([:/])(?!:)(.+)/; // a path behind owner/name
const VERSION = /\/(?:stable|main|master|latest|v?\d+(?:\.\d+)+)(?=\/)/i; // of a documentation, in its address
const bare = (/** @type {string} */ url) => url.trim().replace(/^(?:https?:)?\/\//i, "").replace(/^www\./i, "");
const page = (/** @type {string} */ url) =>
  bare(url).replace(/[?#].*$/, "").replace(VERSION, "").replace(/(?:\/index)?\.html$|\/$/i, "").replace(/^docs\.(?=[^/]*\/(?:docs|tutorials)\/)/i, "").toLowerCase();

/** The ids that a text may mean by the first row of the table of short spellings that matches it; see graph/questions/spellings.txt. @param {any} tables @param {string} text @returns {string[]} */
function spelled(tables, text) {
  const own = { home: tables.repo, owner: tables.repo.split("/")[0] };
  for (const [pattern, ids] of tables.references) {
    const groups = new RegExp(`^(?:${pattern})$`, "iu").exec(text)?.groups;
    if (!groups) continue;
    const parts = { ...own, ...Object.fromEntries(Object.entries(groups).map(([name, part]) => [name, name === "path" ? part : part?.toLowerCase()])) };
    return ids.map((/** @type {string} */ id) => id.replace(/\{(\w+)\}/g, (_, /** @type {keyof parts} */ name) => parts[name]));
  }
  return [];
}

/** The nodes that an id with a `*` in it stands for; a bare number has one of the usual repository, where that is. @param {Graph} graph @param {string} id @returns {number[]} */
function like(graph, id) {
  const [start, end] = id.split("*");
  if (end.startsWith("#") && graph.byKey.has(`github:${graph.ranking.repo}`)) return [];
  const found = graph.nodes.filter(({ key }) => key.startsWith(start) && key.endsWith(end)).map(({ index }) => index);
  return found.length === 1 ? found : [];
}

/** The nodes that are cited by an address, by what is left of it. @type {WeakMap<Graph, Map<string, Set<number>>>} */
const CITED = new WeakMap();

/** The nodes that notes cite by an address of the same page, whatever the site is called today. @param {Graph} graph @param {string} address as `page` returns it @returns {number[]} */
function citedBy(graph, address) {
  let known = CITED.get(graph);
  if (!known) {
    CITED.set(graph, known = new Map());
    for (const { relation, to, evidence } of graph.edges) {
      for (const { url, quote } of relation === "cites" ? evidence : []) {
        const as = page(url ?? quote);
        known.set(as, (known.get(as) ?? new Set()).add(to));
      }
    }
  }
  return [...known.get(address) ?? []];
}

/** The nodes that a text is a reference to, as `podgraph cites` reads it: a number, an address in many spellings, a
 * path, an id. A folder brings all that lies in it.
 * @param {Graph} graph @param {string} query @returns {number[]} */
export function meant(graph, query) {
  const text = query.trim().replace(/^[<"'`]+|[>"'`]+$/g, "").trim();
  const own = graph.byKey.get(text);
  if (own !== undefined && /[/:@#]/.test(text)) return [own];
  const { repo, meant: reference, place } = graph.ranking;
  const short = spelled(graph.ranking, text);
  if (!short.length && !new RegExp(`^(?:${reference})$`, "u").test(text)) return [];
  for (const id of short) {
    const found = id.includes("*") ? like(graph, id) : reached(graph, id);
    if (found.length) return found;
  }
  const address = bare(text);
  if (/^(?:https?:)?\/\/|^[\w-]+(?:\.[\w-]+)+\//i.test(text)) {
    const wanted = page(text);
    const all = graph.nodes.filter(({ url }) => url && page(url) === wanted);
    const pages = all.filter(({ kind }) => kind !== "symbol"); // a symbol leads to the page that explains it
    const same = pages.length ? pages : all;
    const exact = same.filter(({ url }) => bare(url ?? "") === address);
    if (same.length) return (exact.length ? exact : same).map(({ index }) => index);
    const cited = citedBy(graph, wanted);
    if (cited.length === 1) return cited;
  }
  const repository = reached(graph, `github:${text.toLowerCase()}`);
  const path = text.replaceAll("\\", "/").replace(new RegExp(`${place}$`, "u"), "").replace(/^\.\//, "").replace(/^\/|\/$/g, "");
  const named = OF_REPOSITORY.exec(path);
  const there = named ? [`github:${named[1].toLowerCase()}:${named[3]}`] : [];
  const home = `github:${repo}:`;
  const ids = named?.[2] === ":" ? there : [`${home}${path}`, ...there];
  const found = ids.reduce((known, id) => (known.length ? known : reached(graph, id)), repository);
  if (!found.length && !graph.byKey.has(`github:${repo}`) && /[/.]/.test(text)) { // a path of any other repository
    const paths = [path, ...short.filter((id) => id.startsWith(home)).map((id) => id.slice(home.length))];
    const places = new Set(graph.nodes.flatMap(({ kind, key }) => paths.flatMap((one) => {
      const place = `${key.split(":", 2).join(":")}:${one}`;
      return (kind === "file" || kind === "folder") && `${key}/`.startsWith(`${place}/`) ? [place] : [];
    })));
    if (places.size) return places.size > 1 ? [] : reached(graph, [...places][0]);
  }
  return found.length || !path.includes("/") ? found
    : graph.nodes.filter(({ kind, key }) => (kind === "file" || kind === "folder") && (key.endsWith(`/${path}`) || key.endsWith(`:${path}`))).map(({ index }) => index);
}

/** The nodes that an id stands for: a folder for all that lies in it and is defined there, a short sha for the commits that it begins. @param {Graph} graph @param {string} id @returns {number[]} */
function reached(graph, id) {
  const key = id.replace(/\/$/, "");
  const own = graph.byKey.get(key);
  const within = (/** @type {string} */ start) => graph.nodes.filter((node) => node.key.startsWith(start) && node.index !== own).map(({ index }) => index);
  const matched = own === undefined ? [] : [own];
  if (/^github:[^:]*@/.test(key)) {
    const home = key.slice(0, key.indexOf("@") + 1);
    return [...matched, ...within(home).filter((node) => graph.nodes[node].key.startsWith(key) || key.startsWith(graph.nodes[node].key))];
  }
  if (!/^github:[^:]*:/.test(key)) return matched;
  matched.push(...within(`${key}/`));
  if (matched.length < 2 && (own === undefined || graph.nodes[own].kind !== "folder")) return matched;
  const defined = matched.flatMap((place) => graph.links[place].map((edge) => graph.edges[edge])
    .filter(({ relation, to }) => relation === "defined_in" && to === place).map(({ from }) => from));
  return [...new Set([...matched, ...defined])];
}
