// @ts-check
// The search box: a combobox with a list of hits, after the pattern of the ARIA Authoring Practices.

import { byId, element } from "./dom.js";
import { phrase } from "./strings.js";

/**
 * @typedef {{node: number, other?: number, route?: boolean, icon: Element, name: string, hint: string}} Hit
 * @param {HTMLElement} box
 * @param {{label: string, find: (query: string) => {hits: Hit[], total: number}, choose: (hit: Hit) => void,
 *   say: (text: string) => void, typed?: (query: string) => void}} options
 */
export function createCombobox(box, { label, find, choose, say, typed = () => {} }) {
  const id = `${box.id}-hits`;
  // The page brings the field of the search, which others are copies of.
  if (!box.hasChildNodes()) box.append(...[...byId("search").children].map((part) => part.cloneNode()));
  const [input, list, none] = /** @type {[HTMLInputElement, HTMLElement, HTMLElement]} */ (/** @type {unknown} */ ([...box.children]));
  list.id = id;
  input.setAttribute("aria-controls", id);
  input.placeholder = label;
  for (const part of [input, list]) part.setAttribute("aria-label", label);
  /** @type {Hit[]} */
  let hits = [];
  let active = -1;

  const mark = (/** @type {number} */ at) => {
    active = at;
    [...list.children].forEach((item, i) => item.setAttribute("aria-selected", String(i === at)));
    if (at >= 0) {
      input.setAttribute("aria-activedescendant", `${id}-${at}`);
      list.children[at].scrollIntoView({ block: "nearest" });
    } else input.removeAttribute("aria-activedescendant");
  };
  const close = () => {
    list.hidden = none.hidden = true;
    input.setAttribute("aria-expanded", "false");
    mark(-1);
  };
  const pick = (/** @type {number} */ at) => {
    const hit = hits[at];
    if (!hit) return;
    close();
    input.value = "";
    choose(hit);
  };
  const open = () => {
    const query = input.value.trim();
    const found = query ? find(query) : { hits: [], total: 0 };
    hits = found.hits;
    list.replaceChildren(
      ...hits.map(({ icon, name, hint }, i) => element("li", {
        role: "option", id: `${id}-${i}`, "aria-selected": "false", onclick: () => pick(i), onpointerdown: (/** @type {Event} */ event) => event.preventDefault(),
      }, icon, element("span", { class: "name", dir: "auto" }, name, element("span", { class: "hint", dir: "auto" }, hint)))));
    list.hidden = !hits.length;
    input.setAttribute("aria-expanded", String(hits.length > 0));
    mark(-1);
    none.textContent = phrase("nothingMatches", { query });
    none.hidden = !query || hits.length > 0;
    if (query) say(found.total ? phrase("found", { count: found.total }) : none.textContent);
  };
  input.addEventListener("input", () => {
    typed(input.value.trim());
    open();
  });
  input.addEventListener("focus", () => input.value.trim() && open());
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (list.hidden) open();
      if (!hits.length) return;
      const step = event.key === "ArrowDown" ? 1 : -1;
      mark(active < 0 && step < 0 ? hits.length - 1 : (active + step + hits.length) % hits.length);
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (list.hidden) open();
      if (hits.length) pick(Math.max(active, 0));
    } else if (event.key === "Escape") {
      event.stopPropagation();
      if (!list.hidden || !none.hidden) close();
      else {
        input.value = "";
        typed("");
      }
    }
  });
  close();
  if (input.value.trim()) input.dispatchEvent(new Event("input")); // typed before there was a script
  return { input };
}
