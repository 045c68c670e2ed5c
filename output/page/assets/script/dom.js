// @ts-check
// Building the document: text only ever goes in as text, and only web addresses become links.

const LONG = /\S{12,}/g; // only a word that may be too long for its line
const JOINT = /(?!:\/\/)(?<!:\/?)[/._:]+(?=[^/._:])/g; // that of a/b, a. of a.b, a:: of a::b; none in https://

/** Make an element. Children that are strings become text nodes, never markup.
 * @param {string} tag @param {Record<string, unknown>} [attributes] `onclick` and the like take functions; false and null are left out
 * @param {...(Node | string | null | undefined | false)} children @returns {HTMLElement} */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === "function") made.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  if (tag === "button" && attributes["aria-label"]) made.title = String(attributes["aria-label"]); // what a sign means
  for (const child of children) if (child !== null && child !== undefined && child !== false) made.append(...(typeof child === "string" ? breakable(child) : [child]));
  return made;
}

/** A text whose paths, names of symbols and addresses break at their joints before they break within a word. @param {string} text @returns {(string | Node)[]} */
export function breakable(text) {
  const cuts = [0];
  for (const { 0: word, index } of text.matchAll(LONG)) for (const joint of word.matchAll(JOINT)) if (joint.index) cuts.push(index + joint.index + joint[0].length);
  return cuts.flatMap((cut, at) => (at ? [document.createElement("wbr"), text.slice(cut, cuts[at + 1])] : [text.slice(cut, cuts[at + 1])]));
}

/** The text round a quote, within its line: [before, after], cut at words. @param {string} text @param {number} start @param {number} end @param {number} [reach] characters on each side @returns {[string, string]} */
export function surroundings(text, start, end, reach = 90) {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const lineEnd = text.indexOf("\n", end) < 0 ? text.length : text.indexOf("\n", end);
  let before = text.slice(Math.max(lineStart, start - reach), start);
  let after = text.slice(end, Math.min(lineEnd, end + reach));
  if (start - reach > lineStart) before = `…${before.replace(/^\S*\s/, "")}`;
  if (end + reach < lineEnd) after = `${after.replace(/\s\S*$/, "")}…`;
  return [before, after];
}

/** The first sentence of a text, at most so many characters of it. @param {string} [text] @param {number} [most] @returns {string} */
export function firstSentence(text = "", most = 240) {
  const whole = text.replace(/\s+/g, " ").trim();
  const [sentence] = /^.{20,}?[.!?…](?=\s|$)/u.exec(whole) ?? [whole];
  return sentence.length > most ? `${sentence.slice(0, most).replace(/\s\S*$/, "")}…` : sentence;
}

/** The element with this id, which the page is known to have. @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

/** An http or https address as it is, or "" for anything else. @param {unknown} value @returns {string} */
export function webUrl(value) {
  if (typeof value !== "string" || !/^https?:\/\//i.test(value)) return "";
  try {
    const url = new URL(value);
    return url.protocol === "https:" || url.protocol === "http:" ? value : "";
  } catch {
    return "";
  }
}

/** A link out of the page, or plain text when the address is none of the web. @param {unknown} url @param {string} text @param {Record<string, unknown>} [attributes] @returns {HTMLElement} */
export function linkOut(url, text, attributes = {}) {
  const href = webUrl(url);
  if (!href) return element("span", { dir: "auto" }, text);
  return element("a", { href, target: "_blank", rel: "noopener noreferrer", ...attributes }, text);
}

const SVG = "http://www.w3.org/2000/svg";

/** Make an SVG element. @param {string} tag @param {Record<string, string | number>} attributes @param {...Element} children @returns {SVGElement} */
export function svg(tag, attributes, ...children) {
  const made = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}
