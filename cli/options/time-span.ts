import { CommandFailure } from "../../src/command-line/command-failure.ts";

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Milliseconds of a time span in the notation of Go and kubectl (90s, 5m, 1h30m). Days are added to it (2d). */
export function parseTimeSpan(text: string): number {
  if (text === "0") return 0;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== text) {
    throw new CommandFailure(2, `"${text}" is not a time span. Write it as 90s, 5m or 1h30m.`);
  }
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (isUnit(unit) ? UNITS[unit] : 0), 0);
}

function isUnit(text: string | undefined): text is keyof typeof UNITS {
  return text !== undefined && Object.hasOwn(UNITS, text);
}
