/** Dragging with mouse or pen: take a target at the press, choose another where it is dropped. Fingers tap instead. */

const SLACK = 6; // pixels before a press becomes a drag

/**
 * Let targets inside an element be dragged.
 * @param {HTMLElement} root
 * @param {{take: (node: Element) => boolean, drop: (node: Element|null) => void}} hands `take` says whether it can be dragged
 */
export function letDrag(root, { take, drop }) {
  let press = null;
  root.addEventListener("pointerdown", (event) => {
    const node = event.target.closest(".target.lit, .target.chosen");
    if (node && event.button === 0 && event.pointerType !== "touch") press = { node, x: event.clientX, y: event.clientY, dragging: false };
  });
  addEventListener("pointermove", (event) => {
    if (!press) return;
    const [dx, dy] = [event.clientX - press.x, event.clientY - press.y];
    if (!press.dragging && Math.hypot(dx, dy) > SLACK) {
      if (!take(press.node)) { press = null; return; }
      press.dragging = true;
      press.node.classList.add("dragged");
      press.node.ownerSVGElement.classList.add("flying");
    }
    if (!press.dragging) return;
    event.preventDefault();
    const scale = press.node.ownerSVGElement.getScreenCTM().a || 1;
    press.node.style.translate = `${dx / scale}px ${dy / scale}px`;
  });
  const end = (event) => {
    if (!press?.dragging) { press = null; return; }
    const { node } = press;
    press = null;
    const under = event.type === "pointerup" ? document.elementFromPoint(event.clientX, event.clientY)?.closest(".target") : null;
    node.classList.remove("dragged");
    node.ownerSVGElement.classList.remove("flying");
    node.style.translate = "";
    addEventListener("click", (click) => click.stopPropagation(), { capture: true, once: true });
    setTimeout(() => drop(under && under !== node ? under : null));
  };
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
}
