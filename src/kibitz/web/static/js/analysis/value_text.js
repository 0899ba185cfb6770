/** Worth: numbers of an analysis as people read them. */

/** Write a worth in three digits. @param {number|null|undefined} value */
export function valueText(value) {
  if (value === null || value === undefined) return "–";
  const size = Math.abs(value);
  return size >= 1000 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(3)));
}

/**
 * Return the least and greatest of many values, 0 to 1 where they lie within it.
 * @param {(number[]|null|undefined)[]} rows
 * @returns {[number, number]}
 */
export function range(rows) {
  const all = rows.flatMap((row) => row || []);
  const least = Math.min(0, ...all);
  const most = Math.max(...all, least);
  if (least >= 0 && most <= 1) return [0, 1];
  return most > least ? [least, most] : [least, least + 1];
}
