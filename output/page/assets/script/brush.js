// @ts-check
// The brush beneath the timeline: a span of months, drawn with the pointer or set by two sliders.

import { phrase } from "./strings.js";
import { element, svg } from "./dom.js";
import { monthOf, monthText } from "./timeline.js";

/** The number of a month such as 2021-07, NaN for anything else. @param {string} text */
export function monthNumber(text) {
  const [, year, month] = /^(\d{4})-(\d\d)$/.exec(text) ?? [];
  return year ? 12 * Number(year) + Number(month) - 1 : NaN;
}

/** Make the brush; it is out while the timeline is.
 * @param {HTMLElement} stage @param {number[]} days of all that is dated
 * @param {(span: string[]) => void} change with the first month and the last, or nothing for all
 * @returns {{follow: (span: string[], out: boolean) => void}} */
export function createBrush(stage, days, change) {
  const months = days.map(monthOf);
  const [first, last] = [Math.min(...months), Math.max(...months)];
  const counts = Array.from({ length: last - first + 1 }, () => 0);
  for (const month of months) counts[month - first] += 1;
  const most = Math.sqrt(Math.max(...counts)); // by roots, so that a busy month does not flatten the others
  const bars = counts.map(Math.sqrt).map((count, at) => svg("rect", { x: at + 0.1, width: 0.8, y: most - count, height: count }));
  const veils = [0, 1].map(() => svg("rect", { class: "veil", y: 0, height: most, x: 0, width: 0 }));
  const chart = svg("svg", { viewBox: `0 0 ${counts.length} ${most}`, preserveAspectRatio: "none", "aria-hidden": "true" }, ...bars, ...veils);
  const slider = (/** @type {string} */ label) => /** @type {HTMLInputElement} */ (element("input", {
    type: "range", "aria-label": label, min: first, max: last, onchange: () => told(), oninput: () => show(),
  }));
  const [from, to] = [slider(phrase("firstMonth")), slider(phrase("lastMonth"))];
  const text = element("span", { class: "span" });
  const all = element("button", { type: "button", onclick: () => {
    change([]);
    from.focus();
  } }, phrase("allDates"));
  const years = element("div", { class: "years", "aria-hidden": "true" });
  for (let month = 12 * Math.ceil(first / 12), end = -1; month <= last; month += 12) {
    const at = (month - first) / counts.length;
    if (at < end || at > 0.96) continue; // no room
    const year = element("span", {}, String(month / 12));
    year.style.insetInlineStart = `${100 * at}%`;
    years.append(year);
    end = at + 0.06;
  }
  const track = element("div", { class: "track" }, chart, from, to, years);
  const box = element("div", { class: "brush", role: "group", "aria-label": phrase("span"), hidden: true }, track, element("p", {}, text, all));
  stage.append(box);

  const ends = () => [Number(from.value), Number(to.value)].sort((a, b) => a - b);
  function show() {
    const [low, high] = ends();
    for (const input of [from, to]) input.setAttribute("aria-valuetext", monthText(Number(input.value)));
    veils[0].setAttribute("width", String(low - first));
    veils[1].setAttribute("x", String(high - first + 1));
    veils[1].setAttribute("width", String(last - high));
    all.hidden = low === first && high === last;
    text.textContent = all.hidden ? phrase("dragSpan") : `${monthText(low)} – ${monthText(high)}`;
  }
  function told() {
    const [low, high] = ends();
    change(low === first && high === last ? [] : [monthText(low), monthText(high)]);
  }
  const monthAt = (/** @type {PointerEvent} */ { clientX }) => {
    const { left, width } = track.getBoundingClientRect();
    return Math.min(last, Math.max(first, first + Math.floor(((clientX - left) / width) * counts.length)));
  };
  let start = -1;
  track.addEventListener("pointerdown", (event) => {
    if (event.target instanceof HTMLInputElement) return;
    start = monthAt(event);
    track.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  track.addEventListener("pointermove", (event) => {
    if (start < 0) return;
    [from.value, to.value] = [start, monthAt(event)].sort((a, b) => a - b).map(String);
    show();
  });
  track.addEventListener("pointerup", (event) => {
    if (start < 0) return;
    if (monthAt(event) === start) [from.value, to.value] = [start - 6, start + 6].map(String); // a click: the months about it
    start = -1;
    show();
    told();
  });
  return {
    follow(span, out) {
      box.hidden = !out;
      stage.classList.toggle("dated", out);
      const [low, high] = span.map(monthNumber);
      from.value = String(low || first);
      to.value = String(high || last);
      show();
    },
  };
}
