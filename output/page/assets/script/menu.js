// @ts-check
// The Data menu: the graph and the picture as files, made in the page.

import { element } from "./dom.js";
import { phrase } from "./strings.js";
import { toJson, toSvg } from "./formats.js";

/** Hand a file to the reader. @param {string} name @param {Blob} content */
export function save(name, content) {
  const link = /** @type {HTMLAnchorElement} */ (element("a", { href: URL.createObjectURL(content), download: name }));
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Make the menu; it closes once a file was handed out. @param {import("./data.js").Graph} graph @param {ReturnType<import("./map.js").createMap>} map @returns {HTMLElement} */
export function createMenu(graph, map) {
  let scope = "all";
  const close = () => {
    menu.removeAttribute("open");
    menu.querySelector("summary")?.focus();
  };
  const chosen = () => (scope === "all" ? graph.nodes.map(() => true) : map.scene.shown);
  const text = (/** @type {string} */ name, /** @type {string} */ type, /** @type {() => string} */ make) =>
    element("button", { type: "button", onclick: () => {
      save(name, new Blob([make()], { type: `${type};charset=utf-8` }));
      close();
    } },
      name.replace("podgraph.", "").toUpperCase());
  const radio = (/** @type {string} */ value, /** @type {string} */ name) =>
    element("label", { class: "check" }, element("input", {
      type: "radio", name: "scope", checked: value === "all", onchange: () => (scope = value),
    }), name);
  const menu = element("details", { class: "menu" },
    element("summary", { class: "button" }, phrase("data")),
    element("div", { class: "sheet" },
      element("fieldset", {}, element("legend", {}, phrase("data")), radio("all", phrase("wholeGraph")), radio("shown", phrase("filtered")),
        text("podgraph.json", "application/json", () => toJson(graph, chosen()))),
      element("fieldset", {}, element("legend", {}, phrase("picture")),
        text("podgraph.svg", "image/svg+xml", () => toSvg(map.paint, map.view())),
        element("button", { type: "button", onclick: () => {
          map.picture(2).toBlob((blob) => blob && save("podgraph.png", blob), "image/png");
          close();
        } }, "PNG"))));
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    close();
  });
  document.addEventListener("pointerdown", (event) => {
    if (!menu.contains(/** @type {Node} */ (event.target))) menu.removeAttribute("open");
  });
  return menu;
}
