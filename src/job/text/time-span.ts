const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Examples for error messages. */
export const TIME_SPAN_FORM = "Write it as 90s, 5m or 1h30m.";

/**
 * Milliseconds of a time span in the notation of Go and kubectl (90s, 5m, 1h30m), extended by days (2d). `undefined`
 * for any other text.
 */
export function parseTimeSpan(text: string): number | undefined {
  if (!/^(?:\d{1,9}(?:\.\d{1,9})?(?:ms|s|m|h|d))+$/.test(text)) return undefined;
  return [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)].reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * (isUnit(unit) ? UNITS[unit] : 0),
    0,
  );
}

function isUnit(text: string | undefined): text is keyof typeof UNITS {
  return text !== undefined && Object.hasOwn(UNITS, text);
}
