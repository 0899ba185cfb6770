/** Which ply a key leads to, from the one that is shown. @type {Object<string, (at: number) => number>} */
export const SCRUB = { ArrowLeft: (at) => at - 1, ArrowUp: (at) => at - 1, ArrowRight: (at) => at + 1, ArrowDown: (at) => at + 1, Home: () => 0, End: () => Infinity };
