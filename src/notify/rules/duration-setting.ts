const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of a duration such as `30s`, `2m`, `1h30m` or `1d`; `undefined` for any other text. */
export function parseDuration(text: string): number | undefined {
  if (!/^(?:\d{1,6}[smhd]){1,4}$/.test(text)) return undefined;
  return [...text.matchAll(/(\d+)([smhd])/g)].reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * (UNITS[unit ?? ""] ?? 0),
    0,
  );
}
