/**
 * Quantities of the API ("100m", "1.5Gi", "2e3") as whole nano-units: exact, as the API server computes with them
 * (`k8s.io/apimachinery/pkg/api/resource`, which rounds up what is smaller than a nano-unit).
 */
export function parseQuantity(text: string): bigint | undefined {
  const [, sign, whole = "", fraction = "", exponent = "0", suffix = ""] = QUANTITY.exec(text) ?? [];
  const unit = UNITS.get(suffix);
  if (sign === undefined || unit === undefined || whole + fraction === "") return undefined;
  const scaled = BigInt(whole + fraction) * unit * 10n ** BigInt(Math.max(0, Number(exponent)));
  const divisor = 10n ** BigInt(fraction.length + Math.max(0, -Number(exponent)));
  const nano = (scaled + divisor - 1n) / divisor;
  return sign === "-" ? -nano : nano;
}

/** Bounded, so that no text makes a number of arbitrary size: the API server's largest is 2^63-1 of the unit. */
const QUANTITY = /^([+-]?)([0-9]{0,20})(?:\.([0-9]{0,20}))?(?:[eE]([+-]?[0-9]{1,2})|([numkMGTPE]|[KMGTPE]i))?$/;

export const NANO = 1_000_000_000n;

const DECIMAL = ["k", "M", "G", "T", "P", "E"];
const UNITS: ReadonlyMap<string, bigint> = new Map([
  ["n", 1n],
  ["u", 1_000n],
  ["m", 1_000_000n],
  ["", NANO],
  ...DECIMAL.map((suffix, power) => [suffix, 1_000n ** BigInt(power + 1) * NANO] as const),
  ...DECIMAL.map((suffix, power) => [`${suffix.toUpperCase()}i`, 1_024n ** BigInt(power + 1) * NANO] as const),
]);

/** Equal quantities have equal texts: whole units, else "m" or "n". */
export function formatQuantity(nano: bigint): string {
  if (nano % NANO === 0n) return String(nano / NANO);
  return nano % 1_000_000n === 0n ? `${nano / 1_000_000n}m` : `${nano}n`;
}
