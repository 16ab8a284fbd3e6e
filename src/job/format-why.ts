import type { Why } from "./why.ts";

/** An explanation as lines for people, without colour. What comes from clusters is text, and nothing a terminal would act on. */
export function formatWhy({ answer, chain, omitted, remedies }: Why): string {
  const lines = [answer];
  if (chain.length > 0) {
    const width = Math.max(...chain.map(({ object }) => object.length));
    lines.push("", ...chain.map(({ time, object, sentence }) => `  ${time}  ${object.padEnd(width)}  ${sentence}`));
  }
  if (omitted.count > 0 || omitted.atLeast) lines.push(`  ... and ${moreText(omitted)}`);
  if (remedies.length > 0) lines.push("", "What to do:", ...remedies.map((remedy) => `  - ${remedy}`));
  return lines.map(plainText).join("\n");
}

function moreText({ count, atLeast }: Why["omitted"]): string {
  if (count === 0) return "more of the same";
  return atLeast ? `at least ${count} more` : `${count} more`;
}

/** Control characters could move the cursor or hide what follows; marks of writing direction could turn a line around. */
function plainText(line: string): string {
  return line.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, " ");
}
