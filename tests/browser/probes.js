// What the tests of the page ask of it: added to each page before its own script.

const readPage = () => ({ graph: main_module.page.graph, map: main_module.page.map() });
const isVisible = (one) => one.checkVisibility();
const readLit = (edge) => [readPage().graph.nodes[edge.from].key, edge.relation, readPage().graph.nodes[edge.to].key];

globalThis.probes = {
  /** Bring the page back to its start. */
  reset() {
    globalThis.visit = (state) => {
      history.replaceState(null, "", state ? `#${state}` : location.href.split("#")[0]);
      dispatchEvent(new PopStateEvent("popstate"));
    };
    for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
    document.activeElement.blur();
    for (const open of document.querySelectorAll("details[open]")) open.removeAttribute("open");
    for (const input of document.querySelectorAll("[role=combobox]")) {
      input.value = "";
      input.dispatchEvent(new Event("blur"));
    }
    visit("");
    readPage().map.fit(false);
    scrollTo(0, 0);
  },

  /** Controls without a word. */
  bareSigns: () => [...document.querySelectorAll("button, a, summary")].filter((one) => isVisible(one)
    && !/[\p{L}\p{N}]{2}/u.test(one.textContent) && !((one.getAttribute("aria-label") ?? "").length > 2 && one.title))
    .map((one) => one.outerHTML.slice(0, 90)),

  /** Controls below 44 pixels, in some parts of the page. */
  smallControls: (but) => [...document.querySelectorAll("button, summary, select, input[type=text], #details .links > li a")]
    .filter((one) => isVisible(one) && !one.closest(but))
    .map((one) => [one.textContent || one.tagName, one.getBoundingClientRect(), parseFloat(getComputedStyle(one, "::after").inset) || 0])
    .filter(([, { height, width }, more]) => height - 2 * more < 43.5 || width < 43.5 && more === 0).map(([text]) => text),

  /** Texts that the window or their box cuts. */
  cutTexts: () => [...document.querySelectorAll("h1, .views button, #details h2, .actions button, .zoom button")].filter(isVisible)
    .filter((one) => {
      const { left, right } = one.getBoundingClientRect();
      return left < 0 || right > innerWidth || one.scrollWidth > one.clientWidth + 1 && one.clientWidth && getComputedStyle(one).clipPath === "none";
    }).map((one) => one.textContent),

  /** Names with their nodes, areas without, as left, top, right, bottom, and whether a line leads there. */
  nameBoxes() {
    const { graph, map } = readPage();
    const names = map.labels().map(({ node, left, top, width, height, led }) => [graph.nodes[node].key, left, top, left + width, top + height, led]);
    return [...names, ...map.scene.areaBoxes.map(({ left, top, right, bottom }) => ["", left, top, right, bottom, true])];
  },

  /** Names of episodes on the land of another area. */
  foreignNames() {
    const { graph, map } = readPage();
    const { width, height } = map.view();
    return map.labels().filter((one) => map.scene.lands.some(({ area, outline }) => area !== graph.nodes[one.node].hue && lands_module.overlaps(outline, {
      left: one.left - width / 2, top: one.top - height / 2, right: one.left + one.width - width / 2, bottom: one.top + one.height - height / 2,
    })));
  },

  firstRelated() {
    const head = [...document.querySelectorAll("#details h3")].find((one) => one.textContent.startsWith("Related"));
    return head ? head.getBoundingClientRect().bottom : 0;
  },

  /** How many pixels of a canvas have the very colour of each of some. */
  countColours(selector, colours) {
    const canvas = document.querySelector(selector);
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
    const counts = Object.fromEntries(colours.map((colour) => [colour, 0]));
    for (let i = 0; i < data.length; i += 4) {
      const hex = `#${[data[i], data[i + 1], data[i + 2]].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
      if (hex in counts) counts[hex]++;
    }
    return counts;
  },

  /** How often the map is painted in forty frames. */
  countPaintings: () => new Promise((done) => {
    let [count, frames] = [0, 0];
    const { clearRect } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.clearRect = function (...box) {
      count++;
      clearRect.apply(this, box);
    };
    const wait = () => (++frames < 40 ? requestAnimationFrame(wait) : done(count));
    wait();
  }),

  /** The texts that the map draws: text, direction, alignment. */
  drawnTexts() {
    const drawn = [];
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
      drawn.push([text, this.direction, this.textAlign]);
      return fillText.call(this, text, ...rest);
    };
    readPage().map.network.redraw();
    CanvasRenderingContext2D.prototype.fillText = fillText;
    return drawn;
  },

  isRightToLeft: (text) => /^[^\p{L}]*[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(text),

  /** Texts that read from right to left in something that does not. */
  wrongDirections() {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const wrong = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (!this.isRightToLeft(node.data.trim()) || parent.closest("script, style, noscript")) continue;
      const { direction, unicodeBidi } = getComputedStyle(parent);
      if (direction !== "rtl" && unicodeBidi !== "plaintext") wrong.push(`${parent.outerHTML.slice(0, 90)}: ${node.data.slice(0, 40)}`);
    }
    return wrong;
  },

  /** All texts of the page, hidden ones too, and those that are read out. */
  allTexts() {
    const copy = document.body.cloneNode(true);
    for (const one of copy.querySelectorAll("script, style, noscript")) one.remove();
    const texts = [...copy.querySelectorAll("*")].flatMap((one) => ["placeholder", "title", "aria-label"].map((name) => one.getAttribute(name) ?? ""));
    const walk = document.createTreeWalker(copy, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) texts.push(walk.currentNode.data);
    return texts;
  },

  search(texts) {
    const { graph } = readPage();
    const index = search_module.searchIndex(graph);
    return texts.map((text) => search_module.search(graph, index, text, 10).found.map(({ node, score, where }) => [graph.nodes[node].key, score, where]));
  },

  paths(pairs) {
    const { graph } = readPage();
    return pairs.map((pair) => (walk_module.findPath(graph, ...pair.map((key) => graph.byKey.get(key))) ?? []).map((number) => readLit(graph.edges[number])));
  },

  naming(keys) {
    const { graph } = readPage();
    return keys.map((key) => [...walk_module.naming(graph, graph.byKey.get(key)).keys()].map((node) => graph.nodes[node].key));
  },

  orders(keys) {
    const { graph } = readPage();
    return keys.map((key) => (graph.nodes[graph.byKey.get(key)].before ?? []).map(([node, reason]) => [graph.nodes[node].key, reason]));
  },

  /** The nodes that the whole panel of a node lists. */
  panel(key) {
    const { graph } = readPage();
    history.replaceState(null, "", `#n=${encodeURIComponent(key)}`);
    dispatchEvent(new PopStateEvent("popstate"));
    for (const more of document.querySelectorAll("#details section button")) if (/^Show the other/.test(more.textContent)) more.click();
    return [...document.querySelectorAll("#details a.node")].map((link) => graph.nodes[Number(link.dataset.node)].key);
  },
};
