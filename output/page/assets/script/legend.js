// @ts-check
// The left panel: the legend, which is the filter.

import { byId, element, svg } from "./dom.js";
import { kindOf } from "./data.js";
import { icon } from "./shapes.js";
import { detailOf, yearOf } from "./filters.js";
import { NO_FILTERS, START } from "./address.js";
import { fold } from "./search.js";
import { numeral, phrase } from "./strings.js";

/** @typedef {import("./data.js").Graph} Graph */
/** @typedef {import("./address.js").State} State */

const FILTERS = /** @type {(keyof typeof NO_FILTERS)[]} */ (Object.keys(NO_FILTERS));
const AREAS = 14; // areas that are listed; the others are folded
const FEW = 2; // kinds of a family that need not be folded
const LONG = 20; // topics beyond which they can be searched

/** Fill the left panel. @param {HTMLElement} box @param {Graph} graph @param {(patch: Partial<State>) => void} change */
export function createLegend(box, graph, change) {
  /** @type {((state: State, shown: Map<string, number>, framed: boolean) => void)[]} */
  const followers = [];
  let now = /** @type {State} */ ({});

  const check = (/** @type {string} */ name, /** @type {{icon?: Element, count?: number, kind?: string, hint?: string, area?: number}} */ { icon: sign, count, kind, hint, area },
    /** @type {(state: State) => boolean} */ isOn, /** @type {(on: boolean) => Partial<State>} */ patch, /** @type {(() => Partial<State>) | null} */ only = null) => {
    const input = /** @type {HTMLInputElement} */ (
      element("input", { type: "checkbox", ...(area === undefined ? {} : { class: "swatch", "data-area": graph.areas[area].light }), onchange: () => change(patch(input.checked)) })
    );
    followers.push((state) => (input.checked = isOn(state)));
    const label = element("label", { class: "check" });
    const tally = count === undefined ? null : element("span", { class: "count" }, numeral(count));
    if (kind) {
      followers.push((_, shown, framed) => {
        const some = shown.get(kind) ?? 0;
        label.hidden = framed && !some && input.checked; // the view has none of these
        /** @type {HTMLElement} */ (tally).textContent = some === count || !input.checked ? numeral(count ?? 0) : phrase("part", { some, all: count ?? 0 });
      });
    }
    label.append(input, ...(sign ? [sign] : []), element("span", { class: "name", dir: "auto", title: hint || name }, name), ...(tally ? [tally] : []));
    return element("div", { class: "filter" }, label,
      only && element("button", { type: "button", class: "only", "aria-label": phrase("onlyThis", { name }), onclick: () => {
        change(only());
        byId("stage").scrollIntoView({ block: "nearest" }); // on a phone the map is above
      } }, phrase("only")));
  };
  const group = (/** @type {string} */ name, /** @type {(Node | null)[]} */ ...items) =>
    element("fieldset", {}, element("legend", {}, name), ...items);
  const choice = (/** @type {string} */ name, /** @type {Node[]} */ ...items) => {
    const made = group(name, ...items);
    made.classList.add("choice");
    return made;
  };
  const toggled = (/** @type {string[]} */ list, /** @type {string} */ value, /** @type {boolean} */ on) =>
    on ? [...new Set([...list, value])] : list.filter((other) => other !== value);

  /** What is folded until it is asked for, or the state is of it. */
  const onDemand = (/** @type {(Node | string)[]} */ name, /** @type {(state: State) => boolean} */ isOf, /** @type {(Node | false)[]} */ ...items) => {
    const made = element("details", { class: "section" }, element("summary", {}, ...name), ...items);
    followers.push((state) => isOf(state) && made.setAttribute("open", ""));
    return made;
  };

  if (graph.areas.length > 1) {
    const own = graph.areas.map((_, area) => graph.nodes.filter(({ hue, wx }) => wx !== undefined && hue === area).length);
    const rows = graph.areas.map(({ name, short }, area) =>
      check(short, { count: own[area], area, hint: name }, (state) => state.areas.includes(name), (on) => ({ areas: toggled(now.areas, name, on) }), () => ({ areas: [name] })));
    const rest = rows.slice(AREAS);
    box.append(group(phrase("areasKey"), ...rows.slice(0, AREAS), rest.length ? onDemand([element("i", { class: "swatch", "data-area": "" }), phrase("smallAreas", { count: rest.length })],
      (state) => graph.areas.slice(AREAS).some(({ name }) => state.areas.includes(name)), ...rest) : null));
  }
  box.append(group(phrase("kindsKey"), ...Object.entries(graph.legend.families).flatMap(([family, { name }]) => {
    const members = kindsOf(graph).filter(([kind]) => kindOf(graph, kind).family === family);
    const kinds = members.map(([kind]) => kind);
    const rows = members.map(([kind, count]) =>
      check(kindOf(graph, kind).many === "Others" ? kind : kindOf(graph, kind).many, { icon: icon(graph, kind), count, kind },
        (state) => !state.off.includes(kind), (on) => ({ off: toggled(now.off, kind, !on) }),
        () => ({ off: kindsOf(graph).map(([other]) => other).filter((other) => other !== kind) })));
    if (rows.length <= FEW) return rows;
    const tally = element("span", { class: "count" });
    const folded = onDemand([...kinds.slice(0, FEW).map((kind) => icon(graph, kind)), name, tally], (state) => kinds.some((kind) => state.off.includes(kind)), ...rows);
    folded.classList.add("family");
    followers.push((_, shown, framed) => {
      const [some, all] = [kinds.reduce((sum, kind) => sum + (shown.get(kind) ?? 0), 0), members.reduce((sum, [, count]) => sum + count, 0)];
      folded.hidden = framed && !some && rows.every((row) => row.querySelector("label[hidden]"));
      tally.textContent = some === all ? numeral(all) : phrase("part", { some, all });
    });
    return [folded];
  })), detailChoice(graph, change, followers));
  const years = new Map();
  for (const node of graph.nodes) if (node.item) years.set(yearOf(node), (years.get(yearOf(node)) ?? 0) + 1);
  if (years.size > 1) {
    box.append(onDemand([phrase("onlyYears")], (state) => state.years.length > 0, element("div", { class: "columns" }, ...[...years.keys()].sort().map((year) =>
      check(year === "undated" ? phrase("undated") : year, { count: years.get(year) }, (state) => state.years.includes(year), (on) => ({ years: toggled(now.years, year, on) }), () => ({ years: [year] }))))));
  }
  const podcasts = graph.nodes.filter(({ kind }) => kind === "podcast");
  if (podcasts.length > 1) {
    box.append(choice(phrase("onlyPodcasts"), ...podcasts.map(({ key, name }) =>
      check(name, {}, (state) => state.podcasts.includes(key), (on) => ({ podcasts: toggled(now.podcasts, key, on) }), () => ({ podcasts: [key] })))));
  }
  const topics = graph.nodes.filter(({ kind }) => kind === "topic").sort((a, b) => b.degree - a.degree || a.index - b.index);
  if (topics.length) {
    const areas = new Map();
    for (const topic of topics) areas.set(topic.area ?? "", [...(areas.get(topic.area ?? "") ?? []), topic]);
    const finder = /** @type {HTMLInputElement} */ (element("input", { type: "text", class: "within", placeholder: phrase("findTopic"), "aria-label": phrase("findTopic"), oninput: () => {
      for (const row of /** @type {NodeListOf<HTMLElement>} */ (folded.querySelectorAll(".filter"))) row.hidden = !fold(row.textContent ?? "").includes(fold(finder.value.trim()));
      for (const set of folded.querySelectorAll("fieldset")) set.hidden = !set.querySelector(".filter:not([hidden])");
    } }));
    const folded = onDemand([phrase("onlyTopics")], (state) => state.topics.length > 0, topics.length > LONG && finder,
      ...[...areas].map(([area, members]) => group(areas.size > 1 ? area || phrase("noArea") : area, ...members.map((/** @type {any} */ { key, name, degree }) =>
        check(name, { count: degree }, (state) => state.topics.includes(key), (on) => ({ topics: toggled(now.topics, key, on) }), () => ({ topics: [key] }))))));
    box.append(folded);
  }
  const heard = choice("", check(phrase("notHeard"), {}, (state) => state.unheard, (unheard) => ({ unheard })));
  followers.push(() => {
    heard.toggleAttribute("data-off", !graph.heard.size); // nothing to leave out yet
    heard.firstElementChild?.replaceChildren(phrase("heardCount", { count: graph.heard.size }));
  });
  box.append(heard, linesKey(graph, check, onDemand));
  const reset = element("p", { class: "reset" }, element("button", { type: "button", onclick: () => {
    change({ ...NO_FILTERS });
    box.querySelector("input")?.focus();
  } }, phrase("reset")));
  followers.push((state) => (reset.hidden = FILTERS.every((name) => String(state[name]) === String(NO_FILTERS[name]))));
  box.append(reset); // beneath, so that nothing moves under the pointer
  return {
    /** Follow the state; `shown` says which nodes it leaves. */
    follow(/** @type {State} */ state, /** @type {boolean[]} */ shown, framed = false) {
      now = state;
      /** @type {Map<string, number>} */
      const counts = new Map();
      for (const { index, kind } of graph.nodes) if (shown[index]) counts.set(kind, (counts.get(kind) ?? 0) + 1);
      for (const follower of followers) follower(state, counts, framed);
      for (const set of box.querySelectorAll("fieldset")) set.hidden = !set.querySelector("label:not([hidden]), p:not([hidden])") || set.hasAttribute("data-off");
    },
  };
}

/** The kinds there are, in the legend's order, with their counts. @param {Graph} graph @returns {[string, number][]} */
function kindsOf(graph) {
  const order = Object.keys(graph.legend.kinds);
  const rank = (/** @type {string} */ kind) => (order.includes(kind) ? order.indexOf(kind) : order.length);
  return [...Map.groupBy(graph.nodes, ({ kind }) => kind)].map(([kind, { length }]) => /** @type {[string, number]} */ ([kind, length])).sort((a, b) => rank(a[0]) - rank(b[0]));
}

/** The choice of how many sources the map of everything shows.
 * @param {Graph} graph @param {(patch: Partial<State>) => void} change
 * @param {((state: State, shown: Map<string, number>, framed: boolean) => void)[]} followers */
function detailChoice(graph, change, followers) {
  const few = (/** @type {State} */ state) => !["all", "named"].includes(detailOf(graph, state));
  const usual = few(START);
  const shared = /** @type {HTMLInputElement} */ (element("input", { type: "checkbox", name: "shared", onchange: () =>
    change({ detail: shared.checked === usual ? "" : shared.checked ? "shared" : "all" }) }));
  const box = element("fieldset", {}, element("legend", {}, phrase("sourcesShown")), element("label", { class: "check" }, shared, element("span", { class: "name" }, phrase("citedTwice"))));
  followers.push((state, _, framed) => {
    box.toggleAttribute("data-off", framed);
    shared.checked = few(state);
  });
  return box;
}

/** What the lines mean: their dashes, as drawn when a node is lit. @param {Graph} graph @param {Function} check @param {Function} onDemand */
function linesKey(graph, check, onDemand) {
  const present = new Set(graph.edges.map(({ relation }) => relation));
  const sample = (/** @type {string} */ name) =>
    svg("svg", { viewBox: "0 0 34 10", width: 34, height: 10, class: "line", "aria-hidden": "true" },
      svg("path", { d: "M1 5H33", "stroke-dasharray": graph.legend.relations[name].dash.join(" ") || "none" }));
  const said = (/** @type {string | SVGElement} */ sign, /** @type {string} */ name) => element("p", { class: "check" }, element("span", { class: "sign" }, sign), element("span", { class: "name" }, name));
  const rows = Object.entries(graph.legend.relations).filter(([name]) => present.has(name) && name !== "related")
    .map(([name, { out }]) => said(sample(name), out));
  const related = present.has("related") &&
    check(phrase("relatedLines"), { icon: sample("related") }, (/** @type {State} */ state) => state.related, (/** @type {boolean} */ related) => ({ related }));
  return onDemand([phrase("linesKey")], (/** @type {State} */ state) => !state.related,
    said("♪", phrase("heard")), said("● ⬤", phrase("size")), related, said("─ ━", phrase("width")), ...rows);
}
