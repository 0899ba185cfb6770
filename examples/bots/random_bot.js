// A bot that plays any game of Kibitz at random, in JavaScript: node random_bot.js
const lines = require("readline").createInterface({ input: process.stdin });
const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");

lines.on("line", (line) => {
  const { type, id, moves } = JSON.parse(line);
  if (type === "hello") say({ type: "ready", id, name: "random in JavaScript", wants: ["moves"] });
  if (type === "new" || type === "end") say({ type: "ok", id });
  if (type === "decide") say({ type: "move", id, move: moves[Math.floor(Math.random() * moves.length)] });
  if (type === "quit") process.exit(0);
});
