// @ts-check
// Puts the parts together. All state is in the address: a change goes there, and the page follows it.

import { byId, element, webUrl } from "./dom.js";
import { isLeftOut, kindOf, otherEnd } from "./data.js";
import { graph, map, remembered } from "./first.js";
import { createSearch, find, foundFor, whyFound } from "./seek.js";
import { fromAddress, isState, NO_FILTERS, START, toAddress } from "./address.js";
import { shownNodes, topicsOfEpisodes } from "./filters.js";
import { compared, findPath, neighbourhood } from "./walk.js";
import { daysOf } from "./timeline.js";
import { FRAMED, framedPlaces } from "./frame.js";
import { NARROW } from "./drawing.js";
import { createBrush } from "./brush.js";
import { createCard } from "./card.js";
import { showHits } from "./hits.js";
import { listenToKeys } from "./keyboard.js";
import { createCombobox } from "./combobox.js";
import { createLegend } from "./legend.js";
import { comparison, showNode } from "./panel.js";
import { createAbout, showOverview } from "./overview.js";
import { listSection } from "./list.js";
import { createPlayer } from "./player.js";
import { phrase } from "./strings.js";

/** @typedef {import("./address.js").State} State */

const facts = { topics: topicsOfEpisodes(graph), days: daysOf(graph) };
const details = byId("details");
/** @type {State} */
let state = START;
/** @type {ReturnType<typeof createLegend>} */
let legend;
/** @type {ReturnType<typeof createBrush> | null} */
let brush = null;
const LIT = 500; // hits at most
let shownBefore = "";
/** @type {ReturnType<typeof createCard>} */
let card;
/** @type {ReturnType<typeof createPlayer>} */
let player;
const tray = element("button", { type: "button", class: "tray", hidden: true, onclick: () => {
  select(-1);
  document.getElementById("list")?.scrollIntoView();
} });
const heading = document.title;
const show = graph.nodes.filter(({ kind }) => kind === "podcast").map(({ key }) => key).join(" ") || heading; // whose memory this is
const combobox = createSearch(
  ({ node, other = -1, route = false }) => change({ node: graph.nodes[node].key, path: graph.nodes[other]?.key ?? "", query: "", route }),
  (query) => change({ query }, true));
const nothing = element("div", { class: "empty", role: "status", hidden: true });
const KEEP = 250; // ms after a movement, when its end is kept
let keeping = 0;
let pointed = false; // the node was chosen on the map itself, which then stays as it is

/** Whether there is enough for a view that is laid out for the frame. @param {string} view */
const has = (view) => (view === "timeline" ? facts.days.size > 0 : graph.nodes.some(({ wx }) => wx !== undefined));
/** The view in force: a graph without episodes has but the whole map. @param {State} of */
const viewOf = (of) => (FRAMED.has(of.view) && !has(of.view) ? "everything" : of.view);
const indexOf = (/** @type {string} */ key) => graph.byKey.get(key) ?? -1;
const select = (/** @type {number} */ node) => change({ node: node < 0 ? "" : graph.nodes[node].key, path: "", query: "", route: false });
/** The episodes of a node's route, in order. @param {number} node */
const stepsOf = (node) => (graph.nodes[node]?.route ?? []).map(([step]) => step).filter((step) => !isLeftOut(graph, step));
/** Those of the route that is lit. */
const routeNodes = () => (state.route ? stepsOf(indexOf(state.node)) : []);

/** What is found and lit, while nothing is chosen. @param {State} of */
const hitsOf = (of) => (of.node ? [] : foundFor(of.query).slice(0, LIT).map(({ node }) => node));

/** Go to a state that differs from the one in force so. @param {Partial<State>} patch @param {boolean} [quietly] without a new entry in the history */
function change(patch, quietly = false) {
  const next = { ...state, ...patch };
  const address = toAddress(next);
  if (!legend || address === toAddress(state)) return;
  const [page] = location.href.split("#"); // whole: in a frame of a notebook, a fragment alone is one of the notebook's
  if (quietly) history.replaceState(history.state, "", address ? `${page}#${address}` : page);
  else history.pushState({ steps: steps() + 1 }, "", address ? `${page}#${address}` : page);
  follow(next);
}

/** Make the page what a state says. @param {State} next @param {boolean} [first] of the page */
function follow(next, first = false) {
  map.together(() => {
    const before = state;
    state = next;
    graph.unheard = state.unheard;
    const differs = (/** @type {(keyof State)[]} */ ...names) => names.some((name) => String(state[name]) !== String(before[name]));
    const [node, goal] = [indexOf(state.node), indexOf(state.path)];
    const path = node >= 0 && goal >= 0 ? findPath(graph, node, goal) : null;
    const view = viewOf(state);
    const filtered = differs(.../** @type {(keyof State)[]} */ (Object.keys(NO_FILTERS)));
    const turned = first || view !== viewOf(before) || (view === "timeline" && filtered);
    brush?.follow(state.span, view === "timeline");
    if (turned || (FRAMED.has(view) && differs("node", "path", "query"))) arrange();
    draw(node, path);
    if ((node < 0 && (filtered || differs("query"))) || differs("list", "route", "unheard") || state.node !== before.node || state.path !== before.path || !details.hasChildNodes()) fillDetails(node, goal, path);
    const covered = map.scene.inset;
    map.scene.inset = (node >= 0 || state.query) && getComputedStyle(details).position === "fixed" ? covering() : 0;
    if (FRAMED.has(view) && view !== "timeline" && map.scene.inset !== covered) arrange(); // in what it leaves
    if (turned) map.fit(false);
    if (path && state.path !== before.path) FRAMED.has(view) ? map.frame(node) : map.fit(true, pathNodes(node, path));
    else if (node >= 0 && (state.node !== before.node || turned) && (!pointed || map.scene.inset)) map.frame(node);
    else if (map.scene.inset && differs("query") && map.scene.lit?.nodes.size) map.frame([...map.scene.lit.nodes][0]);
    else if (covered && !map.scene.inset && differs("query") && FRAMED.has(view)) map.fit();
    else if (node < 0 && state.node !== before.node && FRAMED.has(view)) map.fit();
    else if (node < 0 && (first || differs("years", "topics", "podcasts", "areas", "span")) && view !== "timeline") fitPart();
    tray.hidden = !state.list.length;
    tray.textContent = phrase("myListOf", { count: kept().length });
    legend.follow(state, map.scene.shown, FRAMED.has(view));
    for (const box of /** @type {NodeListOf<HTMLInputElement>} */ (details.querySelectorAll("input[name=only]"))) box.checked = state.only;
    if (state.query !== combobox.input.value && document.activeElement !== combobox.input) combobox.input.value = state.query;
    if (state.node !== before.node && node >= 0) describe(node, "");
    document.title = node >= 0 ? `${graph.nodes[node].name} · ${heading}` : heading;
  });
}

/** How much of the map's height the sheet covers, while the page is not scrolled. */
const covering = () => Math.max(0, byId("map").getBoundingClientRect().bottom + scrollY - innerHeight + details.offsetHeight);

/** Show and light on the map what the state says. @param {number} node @param {number[] | null} path */
function draw(node, path) {
  let shown = shownNodes(graph, state, facts);
  const view = viewOf(state);
  if (FRAMED.has(view)) {
    const isMember = (/** @type {number} */ other) => (view === "timeline" ? graph.nodes[other].item : graph.nodes[other].wx !== undefined);
    shown = shown.map((yes, other) => (yes && isMember(other)) || (map.scene.beside.has(other) && !state.off.includes(graph.nodes[other].kind)));
  } else if (node >= 0) {
    // What the level of detail hides beside a chosen node comes out with it.
    for (const other of collapsedBeside(node, shown)) shown[other] = true;
  }
  const route = routeNodes();
  for (const step of route) shown[step] = true;
  if (node >= 0) {
    shown[node] = true;
    for (const number of path ?? []) shown[graph.edges[number].from] = shown[graph.edges[number].to] = true;
    if (state.only) {
      const near = path ? pathNodes(node, path) : neighbourhood(graph, node, (other) => shown[other]).nodes;
      shown = shown.map((yes, other) => yes && near.has(other));
    }
  }
  const hits = hitsOf(state);
  if (!FRAMED.has(view)) for (const hit of hits) shown[hit] = true;
  else if (byId("map").clientWidth < NARROW && (node >= 0 || hits.length)) {
    const lit = route.length ? new Set([node, ...route]) : path ? pathNodes(node, path) : node >= 0 ? neighbourhood(graph, node, (other) => shown[other]).nodes : new Set(hits);
    shown = shown.map((yes, other) => yes && lit.has(other));
  }
  map.show(shown, state.related);
  light(node, path);
  const count = shown.filter(Boolean).length;
  const lit = hits.filter((hit) => shown[hit]).length;
  const all = foundFor(state.node ? "" : state.query).length;
  const text = hits.length ? phrase(lit < all ? "someLit" : "allLit", { count: all, some: lit }) : phrase("shown", { some: count, all: graph.nodes.length });
  if (text !== shownBefore) byId("status").textContent = shownBefore = text;
  explainNothing(node < 0 && !hits.length && graph.nodes.some(({ item }) => item) && !graph.nodes.some(({ index, item }) => item && shown[index]));
}

/** Where no episode is left, say which filters leave none, and offer to take back one or all. @param {boolean} empty */
function explainNothing(empty) {
  nothing.hidden = !empty;
  if (!empty) return;
  const lists = /** @type {const} */ (["years", "topics", "areas", "podcasts", "span"]);
  const named = (/** @type {string} */ value) => graph.nodes[indexOf(value)]?.name ?? graph.areas.find(({ name }) => name === value)?.short ?? value;
  /** @type {{patch: Partial<State>, name: string}[]} */
  const ways = lists.flatMap((list) => (state[list].length ? [{ patch: { [list]: [] }, name: state[list].map(named).join(list === "span" ? " – " : ", ") }] : []));
  if (state.unheard) ways.push({ patch: { unheard: false }, name: phrase("notHeard") });
  if (state.off.includes("episode")) ways.push({ patch: { off: state.off.filter((kind) => kind !== "episode") }, name: kindOf(graph, "episode").many });
  nothing.replaceChildren(element("p", {}, phrase("nothingLeft", { filters: ways.map(({ name }) => name).join(" + ") })),
    element("p", { class: "actions" }, ...(ways.length > 1 ? ways : []).map(({ patch, name }) => element("button", { type: "button", onclick: () => change(patch) }, phrase("withoutFilter", { name }))),
      element("button", { type: "button", onclick: () => change({ ...NO_FILTERS }) }, phrase("reset"))));
}

/** @param {number} node @param {boolean[]} shown @returns {number[]} */
function collapsedBeside(node, shown) {
  const all = shownNodes(graph, { ...state, detail: "all" }, facts);
  return graph.links[node].map((number) => otherEnd(graph.edges[number], node)).filter((other) => all[other] && !shown[other]).slice(0, 500);
}

/** @param {number} start @param {number[]} path */
const pathNodes = (start, path) => new Set([start, ...path.flatMap((number) => [graph.edges[number].from, graph.edges[number].to])]);

/** @param {number} node @param {number[] | null} path */
function light(node, path) {
  const { scene } = map;
  const shown = (/** @type {number} */ other) => scene.shown[other];
  const route = routeNodes();
  if (route.length) map.light({ nodes: new Set(route), edges: new Set(), centre: node, firm: true, route });
  else if (node >= 0 && path) map.light({ nodes: pathNodes(node, path), edges: new Set(path), centre: node, firm: true });
  else if (node >= 0) map.light({ ...neighbourhood(graph, node, shown), centre: node, firm: true });
  else if (state.query && hitsOf(state).length) map.light({ nodes: new Set(hitsOf(state)), edges: new Set(), centre: -1, firm: true });
  else if (scene.hover >= 0) map.light({ ...neighbourhood(graph, scene.hover, shown), centre: scene.hover, firm: false });
  else map.light(null);
}

/** @param {number} node @param {number} goal @param {number[] | null} path */
function fillDetails(node, goal, path) {
  details.scrollTop = 0;
  details.classList.toggle("chosen", node >= 0 || Boolean(state.query));
  if (node < 0 && state.query) {
    showHits(details, graph, state.query, foundFor(state.query), () => {
      combobox.input.value = "";
      change({ query: "" });
      combobox.input.focus();
    });
    return;
  }
  if (node < 0) {
    showOverview(details, graph, shownNodes(graph, FRAMED.has(viewOf(state)) ? { ...state, detail: "all" } : state, facts), ask);
    const nodes = kept();
    if (nodes.length) details.querySelector("header")?.after(listSection(graph, nodes, { change: keep, play: (other) => player.play(other), compare: (one, other) => change({ node: graph.nodes[one].key, path: graph.nodes[other].key }) }));
    return;
  }
  const finder = element("div", { id: "path-search", class: "finder", hidden: true });
  const { input } = createCombobox(finder, {
    label: phrase("pathEnd"), find, choose: ({ node: other }) => change({ path: graph.nodes[other].key }),
    say: (text) => (byId("live").textContent = text),
  });
  const opener = element("button", { type: "button", "aria-expanded": "false", "aria-controls": finder.id, onclick: () => {
    finder.hidden = !finder.hidden;
    opener.setAttribute("aria-expanded", String(!finder.hidden));
    if (!finder.hidden) input.focus();
  } }, phrase(goal < 0 ? "showPath" : "anotherPath"));
  showNode(details, graph, node, {
    controls: [opener, ...controls()], finder, close: () => select(-1),
    back: element("button", { type: "button", onclick: goBack }, phrase("back")), own: graph.nodes[node].item ? markers(node) : [], onRoute: onRoute(stepsOf(node)),
  });
  if (goal >= 0) details.querySelector("header")?.after(comparison(graph, node, goal, path, compared(graph, node, goal)));
}

/** The buttons of a route: its line on the map, play, keep, share. @param {number[]} steps */
function onRoute(steps) {
  const button = (/** @type {Parameters<typeof phrase>[0]} */ name, /** @type {(button: HTMLElement) => void} */ does, /** @type {Record<string, string>} */ more = {}) => {
    const made = element("button", { type: "button", ...more, onclick: () => does(made) }, phrase(name));
    return made;
  };
  return [
    button("routeOnMap", () => change({ route: !state.route }), { "aria-pressed": String(state.route) }),
    ...(steps.some((node) => webUrl(graph.nodes[node].audio_url)) ? [button("playRoute", () => player.play(steps[0], 0, steps))] : []),
    button("putOnMyList", () => keep([...new Set([...kept(), ...steps])])),
    button("shareRoute", (made) => {
      change({ route: true }, true);
      copyLink(/** @type {HTMLElement} */ (made.isConnected ? made : details.querySelector(".route .actions")?.lastElementChild ?? made));
    }),
  ];
}

/** The nodes of "my list", in order. */
const kept = () => state.list.map(indexOf).filter((node) => node >= 0);
const keep = (/** @type {number[]} */ nodes) => change({ list: nodes.map((node) => graph.nodes[node].key) });

/** The buttons that put a node on the list or take it off, and mark it as heard or not. @param {number} node */
function markers(node) {
  const [listed, heard] = [kept().includes(node), graph.heard.has(graph.nodes[node].key)];
  const marker = (/** @type {string} */ name, /** @type {boolean} */ on, /** @type {string} */ text, /** @type {() => void} */ mark) => element("button", { type: "button", class: name, "aria-pressed": String(on), onclick: () => {
    mark();
    /** @type {HTMLElement | null} */ (details.querySelector(`.${name}`))?.focus();
  } }, text);
  return [marker("keep", listed, phrase(listed ? "onMyList" : "putOnMyList"), () => keep(listed ? kept().filter((other) => other !== node) : [...kept(), node])),
    marker("hear", heard, phrase("heard"), () => hear(node, !heard))];
}

/** @param {number} node @param {boolean} on */
function hear(node, on) {
  recallHeard();
  if (on) graph.heard.add(graph.nodes[node].key);
  else graph.heard.delete(graph.nodes[node].key);
  remember(`${show} heard`, [...graph.heard].join("\n"));
  details.replaceChildren(); // so that it is filled again
  follow(state);
}

/** Read what is kept, also by another window: of other pages of the show, too, whose episodes this one may lack. */
function recallHeard() {
  const kept = remembered(`${show} heard`);
  if (kept) graph.heard = new Set(kept.split("\n"));
}

/** Put a question into the search field, as if it were typed. @param {string} query */
function ask(query) {
  combobox.input.value = query;
  combobox.input.focus();
  combobox.input.dispatchEvent(new Event("input"));
}

/** The buttons of a node's panel. */
function controls() {
  const copy = element("button", { type: "button", onclick: () => copyLink(copy) }, phrase("copyLink"));
  const only = /** @type {HTMLInputElement} */ (
    element("input", { type: "checkbox", name: "only", onchange: () => change({ only: only.checked }) })
  );
  return [copy, element("label", { class: "check" }, only, phrase("onlyThese"))];
}

/** @param {string} name @param {string} value */
function remember(name, value) {
  try {
    localStorage.setItem(`podgraph ${name}`, value);
  } catch {} // a browser may keep nothing
}

/** How many steps were made on this page that can be taken back. */
const steps = () => Number(history.state?.steps) || 0;

/** Take the last step back; never off the page. */
function goBack() {
  if (steps()) history.back();
  else change({ node: "", path: "", view: START.view }, true);
}

/** @param {HTMLElement} button */
async function copyLink(button) {
  try {
    await navigator.clipboard.writeText(location.href);
    button.textContent = phrase("copied");
  } catch {
    const field = /** @type {HTMLInputElement} */ (element("input", { type: "text", readonly: true, value: location.href, "aria-label": phrase("linkToThis") }));
    button.replaceWith(field);
    field.select();
  }
}

/** Tell a screen reader of a node. @param {number} node @param {string} hint */
function describe(node, hint) {
  const { name, kind } = graph.nodes[node];
  const links = phrase("links", { count: graph.links[node].length });
  byId("live").textContent = phrase("nodeSaid", { name, kind: kindOf(graph, kind).one, links, hint });
}

/** Put every node where the view in force has it. */
function arrange() {
  const view = viewOf(state);
  if (FRAMED.has(view)) {
    const { clientWidth: width, clientHeight: height } = byId("map");
    const free = height - map.scene.inset;
    const kept = view === "timeline" ? shownNodes(graph, state, facts) : [];
    const items = graph.nodes.filter(({ index, item }) => item && kept[index]).map(({ index }) => index);
    const { places, beside, timeline } = framedPlaces(graph, view, { width, height, free }, indexOf(state.node), { items, days: facts.days }, hitsOf(state));
    for (const other of indexOf(state.path) < 0 ? [] : pathNodes(indexOf(state.node), findPath(graph, indexOf(state.node), indexOf(state.path)) ?? [])) beside.add(other);
    map.arrange(places, timeline, true, beside);
  } else map.arrange(graph.nodes.map(({ x, y }) => ({ x, y })), null);
  pressView();
}

/** Press the button of the view in force; a list of all stands for none of the maps. */
function pressView() {
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-view]"))) {
    button.setAttribute("aria-pressed", String(button.dataset.view === viewOf(state) && document.body.dataset.mode !== "list"));
  }
}

/** Bring what the filters leave into view. */
function fitPart() {
  const { shown } = map.scene;
  const whole = !state.years.length && !state.topics.length && !state.podcasts.length && !state.areas.length && !state.span.length;
  const part = graph.nodes.filter(({ index, degree }) => shown[index] && degree > 0);
  map.fit(true, whole || !part.length ? null : new Set(part.map(({ index }) => index)));
}

const theme = element("button", { type: "button", class: "theme", "aria-label": phrase("theme"), onclick: () => {
  remember("theme", (document.documentElement.dataset.theme = map.scene.palette.dark ? "light" : "dark"));
  nameTheme();
} });

/** Draw in the theme in force, and let the button say which it leads to. */
function nameTheme() {
  map.repalette();
  theme.textContent = phrase(map.scene.palette.dark ? "light" : "dark");
}

/** In a frame of another page (`?embed`): a link to this page as it stands, in a window of its own. */
function embed() {
  if (document.documentElement.dataset.embed === undefined) return;
  const whole = /** @type {HTMLAnchorElement} */ (element("a", { class: "button whole", target: "_blank", rel: "noopener" }, phrase("wholePage")));
  const point = () => {
    const address = new URL(location.href);
    address.searchParams.delete("embed");
    whole.href = address.href;
  };
  for (const event of ["pointerdown", "focus", "mouseenter"]) whole.addEventListener(event, point);
  point();
  byId("tools").append(whole);
}

function furnish() {
  const about = createAbout(graph);
  document.body.append(about);
  player = createPlayer(graph, kept, (node) => hear(node, true));
  byId("tools").append(
    tray,
    element("button", { type: "button", class: "about", onclick: () => about.showModal() }, phrase("about")),
    theme);
  nameTheme();
  const views = [["episodes", phrase("episodesView")], ["everything", phrase("everythingView")], ["timeline", phrase("timelineView")]]
    .filter(([view]) => viewOf({ ...state, view }) === view);
  const list = element("button", { type: "button", class: "narrow", "aria-pressed": "false", onclick: () => {
    document.body.dataset.mode = document.body.dataset.mode === "list" ? "map" : "list";
    list.setAttribute("aria-pressed", String(document.body.dataset.mode === "list"));
    pressView();
    if (indexOf(state.node) < 0) fillDetails(-1, -1, null);
  } }, phrase("list"));
  byId("tools").prepend(element("div", { class: "views", role: "group", "aria-label": phrase("view") }, list, ...views.map(([view, name]) => element("button", {
    type: "button", "data-view": view, "aria-pressed": String(viewOf(state) === view), onclick: () => {
      if (document.body.dataset.mode === "list") list.click();
      change({ view });
    },
  }, name))));
  byId("stage").append(nothing);
}

/** Complete the map, and build what stands round it. */
function start() {
  const first = fromAddress(isState(location.hash) ? location.hash : "");
  recallHeard();
  embed();
  map.complete({
    onPick: (node) => {
      pointed = true;
      select(node);
      pointed = false;
    },
    onMove: (at) => {
      clearTimeout(keeping);
      keeping = setTimeout(() => legend && history.replaceState({ ...history.state, at }, ""), KEEP); // so that a reload finds it
    },
    onHover: (node, tie, at) => {
      if (indexOf(state.node) < 0) light(-1, null);
      const hit = indexOf(state.node) < 0 ? foundFor(state.query).find((one) => one.node === node) : undefined;
      card.show(node, tie, at, indexOf(state.node), map.litSpots(), hit && whyFound(graph, hit, state.query));
    },
  });
  card = createCard(byId("stage"), graph);
  map.together(() => {
    legend = createLegend(byId("filters"), graph, (patch) => change(patch));
    furnish();
    if (facts.days.size > 1) brush = createBrush(byId("stage"), [...facts.days.values()], (span) => change({ span }));
    follow(first, true);
  });
  if (combobox.input.value && !first.query) change({ query: combobox.input.value.trim() }, true); // typed before the map was there
  if (history.state?.at) map.go(history.state.at);
  const box = byId("map");
  listenToKeys(box, map, {
    open: (node) => {
      select(node);
      /** @type {HTMLElement | null} */ (details.querySelector("h2"))?.focus();
    },
    clear: () => select(-1),
    say: (node) => describe(node, phrase("enterOpens")),
    chosen: () => indexOf(state.node),
  });
  new ResizeObserver(() => map.together(() => {
    if (FRAMED.has(viewOf(state))) arrange();
    map.resize();
  })).observe(box);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", nameTheme);
  listenToPrint();
  listenToPage();
}

/** Print a picture in the light theme, with the text version unfolded, then put things back. */
function listenToPrint() {
  const root = document.documentElement;
  const text = byId("text");
  let undo = () => {};
  addEventListener("beforeprint", () => {
    const [theme, open] = [root.dataset.theme, text.hasAttribute("open")];
    root.dataset.theme = "light";
    text.setAttribute("open", "");
    map.repalette();
    const picture = map.picture(2);
    picture.className = "printed";
    byId("stage").append(picture);
    undo = () => {
      picture.remove();
      if (theme) root.dataset.theme = theme;
      else delete root.dataset.theme;
      text.toggleAttribute("open", open);
      map.repalette();
    };
  });
  addEventListener("afterprint", () => undo());
}

/** Follow the address, links to nodes, and the keys that work everywhere. */
function listenToPage() {
  addEventListener("popstate", () => isState(location.hash) && follow(fromAddress(location.hash)));
  // A tap that opens the sheet under the finger is no click on the sheet.
  let pressed = /** @type {EventTarget | null} */ (null);
  document.addEventListener("pointerdown", ({ target }) => (pressed = target), true);
  document.addEventListener("click", (event) => {
    const box = byId("map");
    if (event.detail && pressed instanceof Node && box.contains(pressed) && !box.contains(/** @type {Node} */ (event.target))) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  }, true);
  document.addEventListener("click", (event) => {
    const target = /** @type {Element} */ (event.target);
    const link = /** @type {HTMLElement | null} */ (target.closest("[data-node]"));
    const text = byId("text");
    const moment = /** @type {HTMLElement | null} */ (target.closest("[data-play]"));
    if (moment && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      player.play(Number(moment.dataset.play), Number(moment.dataset.from ?? 0));
      return;
    }
    if (target.closest(".skip")) text.setAttribute("open", "");
    if (target.closest("#text > summary")) setTimeout(() => text.hasAttribute("open") && text.scrollIntoView()); // once it is open
    const jump = /** @type {HTMLAnchorElement | null} */ (target.closest("a[href^='#']"));
    if (jump && !link && location.protocol === "about:") { // in a frame of a notebook: see change
      event.preventDefault();
      location.hash = jump.hash;
    }
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    /** @type {HTMLDialogElement | null} */ (link.closest("dialog"))?.close();
    select(Number(link.dataset.node));
    if (!event.detail) /** @type {HTMLElement | null} */ (details.querySelector("h2"))?.focus(); // by keyboard: the link is gone
  });
  document.addEventListener("keydown", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea, dialog")) return;
    if (event.key === "/") {
      event.preventDefault();
      combobox.input.focus();
      combobox.input.select();
    } else if (event.key === "Escape" && state.node) select(-1);
  });
}

start();

/** For tests and for the curious: the graph and the map of this page. */
export const page = { graph, map: () => map, state: () => state };
/** What is on the screen, for tests and tools that measure the picture. */
/** @type {any} */ (globalThis).podgraph = {
  get ready() {
    return Boolean(legend);
  },
  get view() {
    return viewOf(state);
  },
  scene: () => map.inventory(),
  lands: () => map.lands(),
  routes: () => graph.nodes.filter(({ route }) => route).map(({ key, name, route = [] }) => ({ id: key, title: name, steps: route.map(([node]) => graph.nodes[node].key) })),
};
