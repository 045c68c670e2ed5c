// @ts-check
// The camera over the map: which place is in the middle, at which scale. Pointers drag and pinch it, the wheel zooms it.

/** @typedef {{x: number, y: number}} Point */

const STILL = 5; // pixels that a pointer may stray in a click
const WHEEL = 0.0012; // of a pixel of the wheel: how much it zooms
const GLIDE = 300; // ms

/** Make the camera of an element.
 * @param {HTMLElement} box
 * @param {{limits: () => [number, number], moved: () => void, seized: () => void, clicked: (at: Point, touch: boolean) => void}} told seized: the reader moves it by hand */
export function createCamera(box, { limits, moved, seized, clicked }) {
  const view = { x: 0, y: 0, scale: 1 };
  let glide = 0; // the frame of a movement under way
  const scaled = (/** @type {number} */ scale) => Math.min(limits()[1], Math.max(limits()[0], scale));
  const set = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ scale) => {
    Object.assign(view, { x, y, scale });
    moved();
  };

  /** Go to a place and scale, at once or gliding. @param {{position?: Point, scale?: number, animation?: boolean}} to */
  function moveTo({ position = view, scale = view.scale, animation = false }) {
    cancelAnimationFrame(glide);
    const [from, to] = [{ ...view }, { ...position, scale: scaled(scale) }];
    if (!animation) return set(to.x, to.y, to.scale);
    let start = 0;
    const step = (/** @type {number} */ now) => {
      start ||= now;
      const time = Math.min(1, (now - start) / GLIDE);
      const part = time < 0.5 ? 2 * time * time : 1 - 2 * (1 - time) ** 2;
      if (time < 1) glide = requestAnimationFrame(step);
      set(from.x + part * (to.x - from.x), from.y + part * (to.y - from.y), from.scale + part * (to.scale - from.scale));
    };
    glide = requestAnimationFrame(step);
  }

  /** Zoom so that what is at a place of the window stays there. @param {number} factor @param {Point} at */
  function zoomAt(factor, { x, y }) {
    const { left, top, width, height } = box.getBoundingClientRect();
    const scale = scaled(view.scale * factor);
    const [dx, dy] = [x - left - width / 2, y - top - height / 2];
    set(view.x + dx / view.scale - dx / scale, view.y + dy / view.scale - dy / scale, scale);
  }

  /** @type {Map<number, Point>} */
  const pointers = new Map();
  /** @type {Point | null} where a press began that may be a click */
  let press = null;
  box.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    cancelAnimationFrame(glide);
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    press = pointers.size === 1 ? { x: event.clientX, y: event.clientY } : null;
  });
  addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    if (press && Math.hypot(now.x - press.x, now.y - press.y) < STILL) return;
    press = null;
    seized();
    const [other] = [...pointers].flatMap(([id, point]) => (id === event.pointerId ? [] : [point]));
    if (other) {
      const middle = (/** @type {Point} */ { x, y }) => ({ x: (x + other.x) / 2, y: (y + other.y) / 2 });
      const span = (/** @type {Point} */ { x, y }) => Math.hypot(x - other.x, y - other.y) || 1;
      zoomAt(span(now) / span(before), middle(now));
    }
    const share = other ? 2 : 1; // of two fingers, each moves the middle by half
    pointers.set(event.pointerId, now);
    set(view.x - (now.x - before.x) / view.scale / share, view.y - (now.y - before.y) / view.scale / share, view.scale);
  });
  const release = (/** @type {PointerEvent} */ event) => {
    if (!pointers.delete(event.pointerId) || !press || event.type === "pointercancel") return;
    press = null;
    clicked({ x: event.clientX, y: event.clientY }, event.pointerType === "touch");
  };
  addEventListener("pointerup", release);
  addEventListener("pointercancel", release);
  box.addEventListener("wheel", (event) => {
    event.preventDefault();
    cancelAnimationFrame(glide);
    seized();
    zoomAt(Math.exp(-event.deltaY * (event.deltaMode ? 30 : 1) * WHEEL), { x: event.clientX, y: event.clientY });
  }, { passive: false });

  return {
    moveTo,
    getScale: () => view.scale,
    getViewPosition: () => ({ x: view.x, y: view.y }),
  };
}
