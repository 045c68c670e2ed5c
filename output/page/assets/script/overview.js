// @ts-check
// What the page says of the graph as a whole: the right panel when nothing is chosen, and the About box.

import { element, firstSentence, linkOut, webUrl } from "./dom.js";
import { citations } from "./filters.js";
import { durationText, growingList, nodeLink, routeBox } from "./panel.js";
import { numeral, phrase } from "./strings.js";

/** @typedef {import("./data.js").Graph} Graph */
/** @typedef {import("./data.js").GraphNode} GraphNode */

const HUBS = ["episode", "topic", "podcast", "repo", "person"];

/** Fill the panel when no node is chosen: the show in a sentence, ways in, the areas, and counts of what the filters leave.
 * @param {HTMLElement} box @param {Graph} graph @param {boolean[]} shown @param {(query: string) => void} ask */
export function showOverview(box, graph, shown, ask) {
  const cited = citations(graph, shown);
  const spoken = graph.nodes.map(() => 0);
  for (const { relation, from, to } of graph.edges) if (relation === "about" && shown[from]) spoken[to] += 1;
  const best = (/** @type {(node: GraphNode) => boolean} */ isWanted, /** @type {(node: GraphNode) => number} */ worth, least = 1) =>
    graph.nodes.filter((node) => isWanted(node) && worth(node) >= least).sort((a, b) => worth(b) - worth(a) || a.index - b.index).slice(0, 8);
  const list = (/** @type {string} */ name, /** @type {GraphNode[]} */ nodes, /** @type {(node: GraphNode) => string} */ note) =>
    nodes.length > 0 && element("section", {}, element("h3", {}, name), element("ul", { class: "links" }, ...nodes.map((node) =>
      element("li", {}, element("div", { class: "row" }, nodeLink(graph, node.index), element("span", { class: "facts" }, note(node)))))));
  const episodes = graph.nodes.filter(({ index, kind }) => shown[index] && kind === "episode")
    .sort((a, b) => (b.date ?? "").localeCompare(a.date ?? "") || (b.number ?? 0) - (a.number ?? 0));
  const topics = best(({ kind }) => kind === "topic", ({ index }) => spoken[index]);
  const artifacts = best(({ kind }) => !HUBS.includes(kind), ({ index }) => cited[index], 2);
  const isList = document.body.dataset.mode === "list";
  const note = (/** @type {GraphNode} */ { date, duration }) => [date?.slice(0, 10), duration && durationText(duration)].filter(Boolean).join(" · ");
  const tied = graph.edges.some(({ relation }) => relation === "related");
  const fact = (/** @type {string} */ text) => element("p", { class: "facts" }, text);
  const parts = [
    element("header", {}, element("h2", { tabindex: "-1" }, phrase("overview")), element("p", { dir: "auto" }, graph.nodes.every(({ name }) => name !== graph.description) && firstSentence(graph.description))),
    element("p", { class: "actions ways" }, ...examples(artifacts, topics).map((query) =>
      element("button", { type: "button", dir: "auto", onclick: () => ask(query) }, query))),
    isList ? list(phrase("allEpisodes", { count: episodes.length }), episodes, note) : list(phrase("newest"), episodes.slice(0, 3), note),
    startHere(graph, shown),
    areasList(graph, shown),
    list(phrase("mostSpokenOf"), topics, ({ index }) => String(spoken[index])),
    list(phrase("namedMost"), artifacts, ({ index }) => phrase("namedBy", { count: cited[index] })),
    element("section", { class: "summary" }, element("p", {}, summary(graph, shown)),
      fact([tied && graph.areas.length > 1 && phrase("nearAndJoined"), phrase("chooseOne")].filter(Boolean).join(" ")),
      graph.whole > 0 && fact(phrase("thinned", { some: graph.nodes.length, whole: graph.whole })),
      graph.cut > 0 && fact(phrase("cutNotes", { count: graph.cut }))),
  ];
  box.replaceChildren(...parts.filter((part) => part instanceof Node));
}

/** Return one question of each form that this graph answers. @param {GraphNode[]} artifacts @param {GraphNode[]} topics */
function examples([artifact], topics) {
  const route = topics.find((topic) => topic.route);
  return [artifact && phrase("exampleCites", { name: artifact.name }), route && phrase("exampleRoute", { name: route.name }),
    topics.length > 1 && phrase("exampleBoth", { one: topics[0].name, other: topics[1].name })].filter((query) => typeof query === "string");
}

/** Three routes for newcomers, the first open. @param {Graph} graph @param {boolean[]} shown */
function startHere(graph, shown) {
  const routes = graph.start.map(({ name, steps }) => ({ name, steps: steps.filter(([node]) => shown[node]) })).filter(({ steps }) => steps.length);
  if (!routes.length) return null;
  return element("section", { id: "start" }, element("h3", {}, phrase("startHere")),
    ...routes.map(({ name, steps }, place) => (!name ? routeBox(graph, "", steps)
      : element("details", { class: "section", open: place === 0 },
        element("summary", { dir: "auto" }, phrase("wayInto", { name: graph.areas.find((area) => area.name === name)?.short ?? name })), routeBox(graph, "", steps)))));
}

/** The areas of the map in their colours, each leading to the episode that is most central in it. @param {Graph} graph @param {boolean[]} shown */
function areasList(graph, shown) {
  const areas = graph.areas.map(({ name }, place) => {
    const own = graph.nodes.filter(({ index, community, wx }) => wx !== undefined && shown[index] && community === name)
      .sort((a, b) => (a.standing ?? 0) - (b.standing ?? 0));
    return { name, place, own };
  }).filter(({ own }) => own.length > 1);
  if (areas.length < 2) return null;
  return element("section", {}, element("h3", {}, phrase("areas")), ...areas.map(({ name, place, own }) => {
    const fill = () => made.childElementCount < 2 && made.append(growingList(own.map(({ index }) => () => element("li", {}, nodeLink(graph, index)))));
    const made = element("details", { class: "section areas", ontoggle: fill }, element("summary", {}, element("span", { class: "area", "data-area": graph.areas[place].light, dir: "auto" }, name), " ",
      element("span", { class: "count" }, String(own.length))));
    return made;
  }));
}

/** What there is, "12 of 83 episodes" where not all of it is shown; where a view has only episodes, of the rest what these name. @param {Graph} graph @param {boolean[]} shown */
function summary(graph, shown) {
  const cited = citations(graph);
  const whole = graph.nodes.every(({ index, kind }) => kind !== "episode" || shown[index]); // then posts speak too, though the view has none
  const named = graph.nodes.map(({ item }) => item && whole);
  for (const { relation, from, to } of graph.edges) {
    if ((shown[from] || whole) && graph.nodes[from].item && (relation === "about" || graph.legend.relations[relation]?.names)) named[to] = true;
  }
  const told = (/** @type {(node: GraphNode) => boolean} */ wanted, /** @type {"episodes" | "posts" | "sources" | "topics"} */ name) => {
    const all = graph.nodes.filter(wanted);
    const some = all.filter(({ index }) => shown[index]).length || (name === "episodes" ? 0 : all.filter(({ index }) => named[index]).length);
    const whole = phrase(name, { count: all.length });
    return all.length ? (some < all.length ? phrase("part", { some, all: whole }) : whole) : "";
  };
  const episodes = told(({ kind }) => kind === "episode", "episodes") || phrase("episodes", { count: 0 });
  const posts = told(({ kind, item }) => item && kind !== "episode", "posts");
  const sources = told(({ kind, item, index }) => !item && !HUBS.includes(kind) && cited[index] > 0, "sources") || phrase("sources", { count: 0 });
  const topics = told(({ kind, degree }) => kind === "topic" && degree > 0, "topics");
  return phrase(topics ? "summaryTopics" : "summary", { episodes: [episodes, posts].filter(Boolean).join(", "), sources, topics });
}

/** Make the About box. @param {Graph} graph @returns {HTMLDialogElement} */
export function createAbout(graph) {
  const sources = Array.isArray(graph.facts.sources) ? graph.facts.sources : [];
  const fact = (/** @type {string} */ name, /** @type {Node | string} */ value) => [element("dt", {}, name), element("dd", {}, value)];
  const dialog = /** @type {HTMLDialogElement} */ (element("dialog", { "aria-labelledby": "about-title", id: "about" },
    element("h2", { id: "about-title" }, phrase("aboutTitle")),
    element("p", {}, phrase("aboutText")),
    element("dl", {},
      ...sources.flatMap((/** @type {any} */ source) => fact(phrase("readFrom"), linkOut(webUrl(source.source) || source.url, String(source.title ?? source.source ?? "")))),
      ...fact(phrase("aboutNodes"), numeral(graph.nodes.length)),
      ...fact(phrase("madeBy"), String(graph.facts.generator ?? "podgraph"))),
    element("h3", {}, phrase("questions")),
    element("p", {}, phrase("questionsAre")),
    element("h3", {}, phrase("keys")),
    element("p", {}, phrase("keysAre")),
    element("form", { method: "dialog" }, element("button", {}, phrase("close")))));
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  return dialog;
}
