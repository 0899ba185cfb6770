/** Dragging with mouse or pen: pick up a target on press, choose another where it is dropped. Fingers tap instead. */

const SLACK = 6; // pixels before a press becomes a drag

/**
 * Let targets inside an element be dragged.
 * @param {HTMLElement} root
 * @param {{take: (event: PointerEvent) => SVGGraphicsElement|null, drop: (event: PointerEvent|null, taken: Element) => void}} hands
 *   take: what the press takes in hand; drop: where it was let go (null: nowhere)
 */
export function letDrag(root, { take, drop }) {
  /** @type {{event: PointerEvent, node: SVGGraphicsElement|null}|null} */
  let press = null;
  root.addEventListener("pointerdown", (event) => {
    if (event.button === 0 && event.pointerType !== "touch" && /** @type {Element} */ (event.target).closest("svg")) press = { event, node: null };
  });
  addEventListener("pointermove", (event) => {
    if (!press) return;
    const [dx, dy] = [event.clientX - press.event.clientX, event.clientY - press.event.clientY];
    if (!press.node && Math.hypot(dx, dy) > SLACK) {
      const node = take(press.event);
      if (!node) { press = null; return; }
      press.node = node;
      node.classList.add("dragged");
      node.ownerSVGElement?.classList.add("flying");
    }
    if (!press.node) return;
    const scale = press.node.ownerSVGElement?.getScreenCTM()?.a || 1;
    press.node.style.translate = `${dx / scale}px ${dy / scale}px`;
  });
  const end = (event) => {
    const node = press?.node;
    press = null;
    if (!node) return;
    node.classList.remove("dragged");
    node.ownerSVGElement?.classList.remove("flying");
    node.style.translate = "";
    swallowClick();
    drop(event.type === "pointerup" ? event : null, node);
  };
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
}

/** The click that a browser sends after a drag is not a choice. */
function swallowClick() {
  const swallow = (click) => click.stopPropagation();
  addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => removeEventListener("click", swallow, { capture: true }));
}
