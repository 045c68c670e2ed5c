// @ts-check
// The bar that plays an episode: the sound is asked for only once somebody wants to hear it.

import { element, webUrl } from "./dom.js";
import { nodeLink } from "./panel.js";
import { phrase } from "./strings.js";

/** Make the bar; it comes out with the first episode that is played. @param {import("./data.js").Graph} graph @param {() => number[]} list what is played after it: the nodes of "my list", in order @param {(node: number) => void} heard an episode was played to its end */
export function createPlayer(graph, list, heard) {
  const name = element("span", { class: "title" });
  const audio = /** @type {HTMLAudioElement} */ (element("audio", { controls: true, preload: "none" }));
  const bar = element("section", { class: "player", "aria-label": phrase("player"), hidden: true }, name, audio,
    element("button", { type: "button", "aria-label": phrase("stopPlayer"), onclick: () => stop() }, "×"));
  let now = -1;
  document.body.append(bar);

  const stop = () => {
    audio.pause();
    audio.removeAttribute("src");
    document.body.classList.toggle("playing", !(bar.hidden = true));
    now = -1;
  };
  let queue = list; // the list whose next episode follows
  /** Play an episode from a moment on. @param {number} node @param {number} [seconds] @param {number[]} [route] what is played after it, else "my list" */
  const play = (node, seconds = 0, route) => {
    const url = webUrl(graph.nodes[node].audio_url);
    if (!url) return;
    queue = route ? () => route : list;
    if (node !== now) audio.src = url;
    now = node;
    name.replaceChildren(nodeLink(graph, node));
    document.body.classList.toggle("playing", !(bar.hidden = false));
    if (audio.readyState) audio.currentTime = seconds;
    else if (seconds) audio.addEventListener("loadedmetadata", () => (audio.currentTime = seconds), { once: true });
    audio.play().catch(() => {}); // the bar's own controls say what is wrong
  };
  audio.addEventListener("ended", () => {
    heard(now);
    const nodes = queue();
    const next = nodes.slice(nodes.indexOf(now) + 1).find((node) => webUrl(graph.nodes[node].audio_url));
    if (nodes.includes(now) && next !== undefined) play(next, 0, queue === list ? undefined : nodes);
  });
  return { play };
}
