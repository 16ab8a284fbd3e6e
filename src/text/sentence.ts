/** "1 Pod", "3 Pods", "2 successes": what is counted takes its plural. */
export function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? "" : /(s|x)$/.test(thing) ? "es" : "s"}`;
}

/** "a", "a and b", "a, b and c"; beyond `most` of `total` the rest is counted: "a, b and 7 more". */
export function list(words: readonly string[], most = 5, total = words.length): string {
  const told = words.slice(0, most);
  if (total > told.length) return `${told.join(", ")} and ${total - told.length} more`;
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1) ?? ""}`;
}

/** The first letter in upper case, a full stop at the end. */
export function sentence(text: string): string {
  const ended = /[.!?]$/.test(text) ? text : `${text}.`;
  return ended.charAt(0).toUpperCase() + ended.slice(1);
}
