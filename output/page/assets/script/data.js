// @ts-check
// The graph as the page holds it, with its neighbours at hand.

/**
 * @typedef {{index: number, key: string, kind: string, label: string, url?: string, x: number, y: number,
 *   tx?: number, ty?: number, wx?: number, wy?: number, lx?: number, ly?: number, community?: string, title?: string, date?: string, duration?: number, number?: number, season?: number, podcast?: string, before?: [number, string][], route?: [number, string][],
 *   audio_url?: string, summary?: string, aliases?: string[], names?: string[], hosts?: string[], standing?: number, truncated_links?: string[], uncertain?: string[], area?: string,
 *   author?: string, state?: string, status?: string, current_url?: string, language?: string, opening?: number,
 *   module?: string, path?: string, degree: number, size: number, name: string,
 *   caption: string, reach: number, item: boolean, named: boolean, hue: number}} GraphNode caption: its name in lists and on the map; hue: the place of its community among the areas, -1 for none; degree: drawn neighbours; size: radius; reach: radius of
 *   the ring of its leaves; item: an episode, or a post that was read as episodes are; named: by some text, and not by an
 *   index alone
 * @typedef {{start: number, end: number, field: string, method: string, quote: string, url?: string,
 *   ref?: string, lines?: string, time?: string | number, moments?: number[], confidence: number}} Evidence
 * @typedef {{index: number, from: number, to: number, relation: string, weight: number, drawn: boolean, boilerplate?: boolean, similar?: boolean,
 *   evidence: Evidence[], reasons: string[]}} GraphEdge
 * @typedef {{family: string, shape: string, hollow?: boolean, one: string, many: string}} Kind
 * @typedef {{out: string, in: string, dash: number[], drawn?: boolean, names?: boolean}} Relation
 * @typedef {{name: string, light: string, dark: string, mark?: boolean}} Family
 * @typedef {{families: Record<string, Family>, kinds: Record<string, Kind>, other: Kind,
 *   relations: Record<string, Relation>}} Legend
 * @typedef {{nodes: GraphNode[], edges: GraphEdge[], byKey: Map<string, number>, links: number[][], heard: Set<string>, unheard: boolean,
 *   legend: Legend, facts: Record<string, any>, areas: {name: string, short: string, light: string, dark: string}[], start: {name: string, steps: [number, string][]}[], ranking: any, steps: any, unnamed: number, description: string, whole: number, cut: number}} Graph heard: ids of episodes that the reader has heard; unheard: they are left out; cut: how long notes may be on this page, 0 for any length; whole: how many nodes there are where the page has but a part, else 0; unnamed: how many nodes are so
 */

const LONG = 24; // characters of an area's name, beyond which the first of the words it is called by stand for all

/** Read the page's data. @param {any} packed @returns {Graph} */
export function readGraph(packed) {
  const nodes = /** @type {GraphNode[]} */ (packed.nodes.map((/** @type {object} */ row, /** @type {number} */ index) => ({ ...row, index })));
  const edges = /** @type {GraphEdge[]} */ (packed.edges.map((/** @type {object} */ row, /** @type {number} */ index) => ({ ...row, index })));
  const relations = packed.legend.relations;
  const links = nodes.map(() => /** @type {number[]} */ ([]));
  const bonds = nodes.map(() => /** @type {Set<number>} */ (new Set()));
  for (const edge of edges) {
    edge.drawn = Boolean(relations[edge.relation]?.drawn) && !edge.boilerplate;
    if (relations[edge.relation]?.names && !edge.boilerplate) nodes[edge.from].named = nodes[edge.to].named = true;
    edge.reasons ??= [];
    const source = nodes[edge.from];
    edge.evidence = (edge.evidence ?? []).map((/** @type {any} */ item) => evidence(item, source));
    if (edge.relation === "cites" || edge.relation === "mentions" || edge.relation === "about") source.item = true;
    edge.weight ??= edge.evidence.length || 1;
    links[edge.from].push(edge.index);
    if (edge.to !== edge.from) links[edge.to].push(edge.index);
    if (edge.drawn && edge.to !== edge.from) {
      bonds[edge.from].add(edge.to);
      bonds[edge.to].add(edge.from);
    }
  }
  const areas = packed.areas;
  const places = new Map(areas.map((/** @type {any} */ { name }, /** @type {number} */ place) => [name, place]));
  const said = new Set();
  for (const area of areas) {
    const first = area.name.length > LONG ? area.name.split(/, | · /)[0] : area.name;
    area.short = said.has(first) ? area.name : first;
    said.add(area.short);
  }
  const bare = !nodes.some(({ named, kind }) => named || kind === "episode");
  for (const node of nodes) {
    node.degree = bonds[node.index].size;
    node.size = Math.min(24, 3 + 2 * Math.sqrt(Math.max(node.degree, 1)));
    node.item = node.kind === "episode" || Boolean(node.item);
    node.named = bare || node.item || node.kind === "podcast" || Boolean(node.named);
    node.name = node.caption = node.title ?? node.label;
    node.hue = places.get(node.community) ?? -1;
  }
  for (const node of nodes) {
    const leaf = [...bonds[node.index]].some((other) => bonds[other].size === 1);
    node.reach = node.size + (leaf ? 22 : 0);
  }
  captionByTopics(nodes, edges);
  const byKey = new Map(nodes.map((node) => [node.key, node.index]));
  const unnamed = nodes.filter(({ named }) => !named).length;
  return { nodes, edges, byKey, links, heard: new Set(), unheard: false, legend: packed.legend, facts: packed.graph, areas, start: packed.start, ranking: packed.ranking, steps: packed.steps, unnamed, description: packed.description, whole: packed.whole ?? 0, cut: packed.cut ?? 0 };
}

/** Caption each episode whose title is only a series name and a number with its number and its first two topics.
 * @param {GraphNode[]} nodes @param {GraphEdge[]} edges */
function captionByTopics(nodes, edges) {
  const topics = Map.groupBy(edges.filter(({ relation }) => relation === "about"), ({ from }) => from);
  const forms = Map.groupBy(nodes.filter(({ kind, name }) => kind === "episode" && /^\D+\d+$/.test(name)), ({ name }) => name.replace(/\d+$/, ""));
  for (const episodes of forms.values()) for (const node of episodes.length > 1 ? episodes : []) {
    const names = (topics.get(node.index) ?? []).sort((a, b) => b.weight - a.weight).slice(0, 2).map(({ to }) => nodes[to].name);
    if (names.length) node.caption = `${/\d+$/.exec(node.name)} · ${names.join(", ")}`;
  }
}

/** Return evidence with its quote, and its offsets in UTF-16 units. @param {any} item @param {GraphNode} source @returns {Evidence} */
function evidence(item, source) {
  const { field = "notes", start = 0, end = 0 } = item;
  const text = field === "notes" ? source.summary ?? "" : source.title ?? source.label;
  const [from, to] = units(text, start, end);
  return { quote: text.slice(from, to), confidence: 1, field, ...item, start: from, end: to };
}

/** Where the characters of a text that are two UTF-16 units begin, in characters: found once a text. @type {Map<string, number[]>} */
const pairs = new Map();

/** Offsets count characters; JavaScript counts UTF-16 units, two for a character beyond the first plane. @param {string} text @param {number} start @param {number} end @returns {[number, number]} */
export function units(text, start, end) {
  let doubled = pairs.get(text);
  if (!doubled) {
    doubled = [];
    for (const { index } of text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)) doubled.push(index - doubled.length);
    pairs.set(text, doubled);
  }
  return [start + before(doubled, start), end + before(doubled, end)];
}

/** How many of some ascending numbers are less than a limit. @param {number[]} numbers @param {number} limit */
export function before(numbers, limit) {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What a kind is called and how it is drawn. @param {Graph} graph @param {string} kind @returns {Kind} */
export function kindOf(graph, kind) {
  return graph.legend.kinds[kind] ?? graph.legend.other;
}

/** Whether an episode is left out because the reader has heard it. @param {Graph} graph @param {number} node */
export const isLeftOut = (graph, node) => graph.unheard && graph.heard.has(graph.nodes[node].key);

/** The other end of an edge or tie. @param {{from: number, to: number}} edge @param {number} node @returns {number} */
export function otherEnd(edge, node) {
  return edge.from === node ? edge.to : edge.from;
}
