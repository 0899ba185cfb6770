// A person who clicks highlighted targets and buttons at random, but the same way every time.
let dice = 7;
const roll = (n) => { dice = (dice * 1103515245 + 12345) % 2147483648; return Math.floor((dice / 2147483648) * n); };
const visible = (node) => node.getClientRects().length > 0;

/** Click in the middle of an element, as a mouse would. */
function clickOn(node) {
  const box = node.getBoundingClientRect();
  node.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 }));
}

/** Play until `plies` moves have been made, or until the game is over; return the clicks. */
async function playUntil(plies) {
  let clicks = 0;
  for (;;) {
    const made = Number(document.querySelector(".where-ply").textContent.split("/")[1]);
    const yours = document.querySelector(".prompt.yours");
    if (made >= plies || document.querySelector(".payoff")) return clicks;
    const targets = yours ? [...document.querySelectorAll(".target.highlighted"), ...document.querySelectorAll(".bare button")].filter(visible) : [];
    if (targets.length) {
      clickOn(targets[roll(targets.length)]);
      clicks += 1;
    }
    await new Promise((done) => setTimeout(done, 10));
  }
}
