// @ts-check
// Search: the ranking of `podgraph search`, over the same tables (graph/queries/search.py, which says what they mean).

/** @typedef {import("./data.js").Graph} Graph */
/** @typedef {{grade: number, field: string}} Met */
/** @typedef {{node: number, score: number, where: string, missing: string[], instead: string, via?: number}} Found via: the topic that brings it */

const TERM = /"([^"]+)"|(\S+)/gu; // a phrase in double quotes, or what stands between spaces
const WORD = /[\p{L}\p{N}]+/gu; // letters and digits of any script
const VOWEL = /[aeiouy]|[^a-z]/;

/**
 * Text as it is compared: lower case, without accents.
 * @param {string} text
 * @returns {string}
 */
export function fold(text) {
  return text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase().replaceAll("ß", "ss");
}

/**
 * The folded texts of each node in the order of the table of fields: label, other names, id, address, notes.
 * @param {Graph} graph
 * @returns {string[][]}
 */
export function searchIndex(graph) {
  return graph.nodes.map((node) => [
    node.name, [...(node.aliases ?? []), ...(node.names ?? [])].join("\n"), node.key, node.url ?? "", node.summary ?? "",
  ].map(fold));
}

const wordsOf = (/** @type {string} */ text) => text.match(WORD) ?? [];

/**
 * The beginning that the forms of a folded word share.
 * @param {any} tables
 * @param {string} word
 * @returns {string}
 */
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

/**
 * Find the nodes that a query means, then those that its words rank, best first.
 * @param {Graph} graph
 * @param {string[][]} index of searchIndex
 * @param {string} query
 * @param {number} [limit]
 * @returns {{found: Found[], total: number}}
 */
export function search(graph, index, query, limit = 12) {
  const tables = graph.ranking;
  const asked = [...query.matchAll(TERM)].map(([, phrase, word]) => wordsOf(fold(phrase ?? word))).filter(({ length }) => length);
  const telling = asked.filter((term) => term.length > 1 || !tables.smallWords.includes(term[0]));
  const terms = telling.length ? telling : asked;
  if (!terms.length) return { found: [], total: 0 };
  const look = new Look(graph, index, asked.flat());
  /** @type {Map<number, Found>} */
  const hits = new Map();
  const add = (/** @type {Found[]} */ more) => more.forEach((one) => hits.has(one.node) || hits.set(one.node, one));
  add(meant(graph, query).map((node, place) => ({ node, score: tables.extra.named - place, where: "reference", missing: [], instead: "" })));
  add(look.allOf(terms));
  if (hits.size < tables.enough) add(look.corrected(terms));
  const found = hits.size ? [...hits.values()] : look.mostOf(terms);
  return { found: found.slice(0, limit), total: found.length };
}

/** One question's look at a graph. */
class Look {
  /**
   * @param {Graph} graph
   * @param {string[][]} index
   * @param {string[]} words all that were asked for
   */
  constructor(graph, index, words) {
    this.graph = graph;
    this.tables = graph.ranking;
    this.index = index;
    this.words = words;
    /** @type {Map<string, Map<number, Met>>} */
    this.known = new Map();
    /** @type {Map<string, string>} */
    this.stems = new Map();
  }

  /** @param {string} word @returns {string} */
  stem(word) {
    let root = this.stems.get(word);
    if (root === undefined) this.stems.set(word, root = stem(this.tables, word));
    return root;
  }

  /**
   * The nodes that hold every term, and the episodes of topics that are called so.
   * @param {string[][]} terms
   * @param {string} [instead]
   * @returns {Found[]}
   */
  allOf(terms, instead = "") {
    const grades = terms.map((term) => this.graded(term));
    const words = instead ? instead.split(" ") : this.words;
    /** @type {Map<number, Found>} */
    const found = new Map();
    for (const node of grades[0].keys()) {
      if (grades.every((grade) => grade.has(node))) found.set(node, this.found(node, grades, words, instead));
    }
    for (const one of [...found.values()]) {
      if (this.graph.nodes[one.node].kind !== "topic" || (one.where !== "label" && one.where !== "aliases")) continue;
      for (const number of this.graph.links[one.node]) {
        const { from, to, relation, weight } = this.graph.edges[number];
        if (relation !== "about" || to !== one.node || grades.every((grade) => grade.has(from))) continue;
        const score = Math.floor(one.score / this.tables.ofTopic) + Math.floor(4 * weight);
        if ((found.get(from)?.score ?? -1) < score) found.set(from, { node: from, score, where: "topic", missing: [], instead, via: one.node });
      }
    }
    return this.inOrder([...found.values()]);
  }

  /**
   * What is found when words that nothing holds are replaced by words that are nearly the same.
   * @param {string[][]} terms
   * @returns {Found[]}
   */
  corrected(terms) {
    const unknown = [...new Set(terms.flat())].filter((word) => {
      for (const { whole } of this.graded([word]).values()) if (whole) return false;
      return true;
    });
    /** @type {Record<string, string>[]} */
    let choices = unknown.length ? [{}] : [];
    const vocabulary = unknown.length ? this.vocabulary() : new Map();
    for (const word of unknown) {
      const near = this.near(word, vocabulary).slice(0, this.tables.spellings);
      choices = choices.flatMap((choice) => near.map((other) => ({ ...choice, [word]: other })));
    }
    /** @type {Map<number, Found>} */
    const found = new Map();
    for (const choice of choices) {
      const replaced = terms.map((term) => term.map((word) => (Object.hasOwn(choice, word) ? choice[word] : word)));
      for (const one of this.allOf(replaced, replaced.flat().join(" "))) if (!found.has(one.node)) found.set(one.node, one);
    }
    return [...found.values()];
  }

  /**
   * The nodes that hold the most of the terms, told by how rare these are.
   * @param {string[][]} terms
   * @returns {Found[]}
   */
  mostOf(terms) {
    const grades = terms.map((term) => this.graded(term));
    const held = this.index.map((_, node) => grades.reduce((sum, grade) => sum + (grade.has(node) ? this.rarity(grade) : 0), 0));
    const best = held.reduce((most, one) => Math.max(most, one), 0);
    const found = held.flatMap((worth, node) => {
      if (!best || worth !== best) return [];
      const there = terms.filter((_, at) => grades[at].has(node));
      const missing = terms.filter((_, at) => !grades[at].has(node)).map((term) => term.join(" "));
      return [{ ...this.found(node, grades.filter((grade) => grade.has(node)), there.flat(), ""), missing }];
    });
    return this.inOrder(found);
  }

  /**
   * @param {number} node
   * @param {Map<number, Met>[]} grades that all hold the node
   * @param {string[]} words
   * @param {string} instead
   * @returns {Found}
   */
  found(node, grades, words, instead) {
    const { whole, beginning, together, letter } = this.tables.extra;
    const met = grades.map((grade) => /** @type {Met} */ (grade.get(node)));
    let score = grades.reduce((sum, grade, at) => sum + met[at].grade * this.rarity(grade), 0);
    const { field: where } = met.reduce((least, one) => (one.grade - least.grade || (one.field < least.field ? -1 : 1)) < 0 ? one : least);
    const letters = wordsOf(this.index[node][0]);
    const label = letters.map((word) => this.stem(word)).join(" ");
    const stems = words.map((word) => this.stem(word)).join(" ");
    if (label === stems || where === "number") score += whole + (letters.join(" ") === words.join(" ") ? letter : 0);
    else if (`${label} `.startsWith(`${stems} `)) score += beginning;
    else if (words.length > 1 && ` ${label} `.includes(` ${stems} `)) score += together;
    return { node, score, where, missing: [], instead };
  }

  /** @param {Map<number, Met>} grade @returns {number} */
  rarity(grade) {
    return grade.size ? Math.floor(this.index.length / grade.size).toString(2).length : 0;
  }

  /**
   * The nodes that hold a term, each with what that counts and the field where it counts most.
   * @param {string[]} term
   * @returns {Map<number, Met & {whole: boolean}>}
   */
  graded(term) {
    const name = term.join(" ");
    const known = this.known.get(name);
    if (known) return /** @type {any} */ (known);
    const { fields, grades } = this.tables;
    const stems = term.map((word) => this.stem(word));
    const alone = term.length === 1 ? term[0] : "";
    const inside = alone.length >= (/^[\0-\x7f]*$/.test(alone) ? this.tables.insideFrom : 2) ? alone : "";
    const number = /^\d+$/.test(alone) ? Number(alone) : -1;
    const meet = this.meeter(term, stems, inside);
    /** @type {Map<number, Met & {whole: boolean}>} */
    const found = new Map();
    this.index.forEach((texts, node) => {
      /** @type {(Met & {whole: boolean}) | null} */
      let best = null;
      Object.entries(fields).forEach(([field, weight], at) => {
        if (!stems.every((root) => texts[at].includes(root))) return;
        const grade = meet(texts[at]);
        if (!grade || (grade === grades.inside && field === "notes")) return;
        const met = { grade: weight * grade, field, whole: grade > grades.inside };
        if (!best || met.grade > best.grade || (met.grade === best.grade && field > best.field)) best = met;
      });
      const own = this.graph.nodes[node];
      if (number >= 0 && own.number === number && own.kind === "episode") {
        const met = { grade: fields.label * grades.equal, field: "number", whole: true };
        if (!best || met.grade >= /** @type {Met} */ (best).grade) best = met;
      }
      if (best) found.set(node, best);
    });
    this.known.set(name, found);
    return found;
  }

  /**
   * How a text meets a term.
   * @param {string[]} term
   * @param {string[]} stems
   * @param {string} inside a word that may stand inside another, or nothing
   * @returns {(text: string) => number}
   */
  meeter(term, stems, inside) {
    const { equal, stem: same, start, inside: within } = this.tables.grades;
    const ofWord = (/** @type {string} */ word, /** @type {number} */ at) => {
      if (!word.startsWith(stems[at])) return 0;
      if (word === term[at]) return equal;
      return this.stem(word) === stems[at] ? same : word.startsWith(term[at]) ? start : 0;
    };
    return (text) => {
      const words = wordsOf(text);
      let best = 0;
      for (let from = 0; from + term.length <= words.length; from++) {
        let grade = equal;
        for (let at = 0; at < term.length && grade; at++) {
          const one = ofWord(words[from + at], at);
          grade = one < (at < term.length - 1 ? same : start) ? 0 : Math.min(grade, one);
        }
        best = Math.max(best, grade);
      }
      return best || (inside && words.some((word) => word.includes(inside)) ? within : 0);
    };
  }

  /** @returns {Map<string, number>} the words of names, each with how many names hold it */
  vocabulary() {
    /** @type {Map<string, number>} */
    const words = new Map();
    for (const texts of this.index) {
      for (const text of texts.slice(0, 2)) for (const word of new Set(wordsOf(text))) words.set(word, (words.get(word) ?? 0) + 1);
    }
    return words;
  }

  /**
   * The words that differ by no more than a slip, the nearest and most frequent first.
   * @param {string} word
   * @param {Map<string, number>} vocabulary
   * @returns {string[]}
   */
  near(word, vocabulary) {
    const size = [...word].length;
    const most = this.tables.mistakes.find((/** @type {number[]} */ [from]) => size >= from)?.[1] ?? 0;
    /** @type {[number, number, string][]} */
    const found = [];
    if (!most) return [];
    for (const [other, count] of vocabulary) {
      if (Math.abs(other.length - word.length) > most) continue;
      const distance = distanceOf(word, other, most);
      if (distance <= most) found.push([distance, -count, other]);
    }
    return found.sort((a, b) => a[0] - b[0] || a[1] - b[1] || (a[2] < b[2] ? -1 : 1)).map(([, , other]) => other);
  }

  /** @param {Found[]} found @returns {Found[]} */
  inOrder(found) {
    const { nodes } = this.graph;
    const kinds = this.tables.kinds;
    const place = (/** @type {Found} */ { node }) => (kinds.indexOf(nodes[node].kind) + kinds.length + 1) % (kinds.length + 1);
    return found.sort((a, b) => b.score - a.score || place(a) - place(b) || (nodes[a.node].standing ?? 0) - (nodes[b.node].standing ?? 0) || a.node - b.node);
  }
}

/**
 * How many letters are missing, more, wrong or swapped (optimal string alignment); beyond `most`: more.
 * @param {string} one
 * @param {string} other
 * @param {number} most
 * @returns {number}
 */
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

const PLACE = "(?<repo>[\\w.-]+/[\\w.-]+?)(?:\\.git)?"; // owner/name in an address
/** @type {[RegExp, (match: Record<string, string>) => string][]} how sites' addresses name a node: what makes its id */
const SITES = [
  [new RegExp(`^(?:api\\.)?github\\.com/(?:repos/)?${PLACE}/(?:pulls?|issues)/(?<n>[1-9]\\d{0,8})(?![\\w-])`, "i"), ({ repo, n }) => `github:${repo.toLowerCase()}#${n}`],
  [new RegExp(`^github\\.com/${PLACE}/discussions/(?<n>[1-9]\\d{0,8})(?![\\w-])`, "i"), ({ repo, n }) => `github:${repo.toLowerCase()}/discussions/${n}`],
  [new RegExp(`^github\\.com/${PLACE}/commits?/(?<sha>[0-9a-f]{7,40})\\b`, "i"), ({ repo, sha }) => `github:${repo.toLowerCase()}@${sha.toLowerCase()}`],
  [new RegExp(`^github\\.com/${PLACE}/(?:blob|tree|raw|blame|edit)/[^/?#]+/(?<path>[^?#]+)`, "i"), ({ repo, path }) => `github:${repo.toLowerCase()}:${path}`],
  [new RegExp(`^raw\\.githubusercontent\\.com/${PLACE}/[^/?#]+/(?<path>[^?#]+)`, "i"), ({ repo, path }) => `github:${repo.toLowerCase()}:${path}`],
  [new RegExp(`^github\\.com/${PLACE}(?:[?#]|$)`, "i"), ({ repo }) => `github:${repo.toLowerCase()}`],
  [/^(?:[\w.-]*\.)?arxiv\.org\/(?:abs|pdf|html)\/(?<id>[\d.]+\d)/i, ({ id }) => `paper:arxiv/${id}`],
  [/^(?:dx\.)?doi\.org\/(?<id>10\..+)/i, ({ id }) => `paper:doi/${id.toLowerCase()}`],
  [/^(?:(?:m\.)?youtube\.com\/watch\?(?:.*&)?v=|youtu\.be\/|(?:m\.)?youtube\.com\/(?:embed|shorts|live)\/)(?<id>[\w-]{11})/i, ({ id }) => `video:youtube/${id}`],
  [/^(?<host>[\w.-]+)\/t\/(?:[^/?#]+\/)?(?<n>\d+)/i, ({ host, n }) => `forum:${host.toLowerCase()}/t/${n}`],
  [/^stackoverflow\.com\/(?:questions|q)\/(?<n>\d+)/i, ({ n }) => `question:stackoverflow/${n}`],
];
const OF_REPOSITORY = /^([\w-]+\/[\w.-]+)([:/])(?!:)(.+)/; // a path behind owner/name
const VERSION = /\/(?:stable|main|master|latest|v?\d+(?:\.\d+)+)(?=\/)/i; // of a documentation, in its address
const bare = (/** @type {string} */ url) => url.trim().replace(/^(?:https?:)?\/\//i, "").replace(/^www\./i, "");
const page = (/** @type {string} */ url) =>
  bare(url).replace(/[?#].*$/, "").replace(VERSION, "").replace(/(?:\/index)?\.html$|\/$/i, "").replace(/^docs\.(?=[^/]*\/(?:docs|tutorials)\/)/i, "").toLowerCase();

/**
 * The ids that a text may mean by the first row of the table of short spellings that matches it; see
 * graph/queries/spellings.py.
 * @param {any} tables
 * @param {string} text
 * @returns {string[]}
 */
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

/**
 * The nodes that an id with a `*` in it stands for; a bare number has one of the usual repository, where that is.
 * @param {Graph} graph
 * @param {string} id
 * @returns {number[]}
 */
function like(graph, id) {
  const [start, end] = id.split("*");
  if (end.startsWith("#") && graph.byKey.has(`github:${graph.ranking.repo}`)) return [];
  const found = graph.nodes.filter(({ key }) => key.startsWith(start) && key.endsWith(end)).map(({ index }) => index);
  return found.length === 1 ? found : [];
}

/** The nodes that are cited by an address, by what is left of it. @type {WeakMap<Graph, Map<string, Set<number>>>} */
const CITED = new WeakMap();

/**
 * The nodes that notes cite by an address of the same page, whatever the site is called today.
 * @param {Graph} graph
 * @param {string} address as `page` returns it
 * @returns {number[]}
 */
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

/**
 * The nodes that a text is a reference to, as `podgraph cites` reads it: a number, an address in many spellings, a
 * path, an id. A folder brings all that lies in it.
 * @param {Graph} graph
 * @param {string} query
 * @returns {number[]}
 */
export function meant(graph, query) {
  const text = query.trim().replace(/^[<"'`]+|[>"'`]+$/g, "").trim();
  const own = graph.byKey.get(text);
  if (own !== undefined && /[/:@#]/.test(text)) return [own];
  const { repo, reference, place } = graph.ranking;
  const short = spelled(graph.ranking, text);
  if (!short.length && !new RegExp(`^(?:${reference})$`, "u").test(text)) return [];
  for (const id of short) {
    const found = id.includes("*") ? like(graph, id) : reached(graph, id);
    if (found.length) return found;
  }
  const address = bare(text);
  for (const [pattern, id] of SITES) {
    const match = pattern.exec(address);
    const found = match?.groups ? reached(graph, id(match.groups)) : [];
    if (found.length) return found;
  }
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

/**
 * The nodes that an id stands for: a folder for all that lies in it and is defined there, a short sha for the commits
 * that it begins.
 * @param {Graph} graph
 * @param {string} id
 * @returns {number[]}
 */
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
