/**
 * Whether a text matches a pattern in which `*` stands for any characters. Every other character stands for itself. The
 * time is bounded by the product of both lengths, because it backtracks to the last star only.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  let [at, inPattern] = [0, 0];
  let star = -1;
  let starAt = 0;
  while (at < text.length) {
    if (pattern[inPattern] === "*") {
      star = inPattern;
      starAt = at;
      inPattern += 1;
    } else if (pattern[inPattern] === text[at]) {
      inPattern += 1;
      at += 1;
    } else if (star >= 0) {
      inPattern = star + 1;
      starAt += 1;
      at = starAt;
    } else return false;
  }
  while (pattern[inPattern] === "*") inPattern += 1;
  return inPattern === pattern.length;
}
