/** A number and a noun, in the plural unless the number is 1: "1 Pod", "3 Pods", "2 successes". */
export function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? "" : /(s|x)$/.test(thing) ? "es" : "s"}`;
}

/** "a", "a and b", "a, b and c". If `total` exceeds `most`, the list ends with a count: "a, b and 7 more". */
export function list(words: readonly string[], most = 5, total = words.length): string {
  const shown = words.slice(0, most);
  if (total > shown.length) return `${shown.join(", ")} and ${total - shown.length} more`;
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1) ?? ""}`;
}

/** Capitalizes the first letter, and adds a full stop unless the text ends in punctuation. */
export function sentence(text: string): string {
  const ended = /[.!?]$/.test(text) ? text : `${text}.`;
  return ended.charAt(0).toUpperCase() + ended.slice(1);
}
