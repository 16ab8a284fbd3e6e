/** The amounts of a subject by {@link AmountKey}. Amounts of 0 are absent. */
export type Amounts = ReadonlyMap<AmountKey, number>;

/** `series/part`. A series is an id in base 36 (metric-series.ts). */
export type AmountKey = `${string}/${number}`;

/** Adds up amounts under the same key: label sets beyond the limit share their series. */
export function addAmounts(amounts: Iterable<readonly [AmountKey, number]>): Amounts {
  const sums = new Map<AmountKey, number>();
  for (const [key, amount] of amounts) sums.set(key, (sums.get(key) ?? 0) + amount);
  return sums;
}

/** The same text for the same amounts, in any order. */
export function amountsText(amounts: Amounts): string {
  return [...amounts]
    .map(([key, amount]) => `${key}:${amount}`)
    .sort()
    .join(" ");
}

/** Reads what {@link amountsText} wrote. */
export function parseAmounts(text: string): Amounts {
  const amounts = new Map<AmountKey, number>();
  for (const one of text === "" ? [] : text.split(" ")) {
    const [series, part] = [one.indexOf("/"), one.indexOf(":")];
    amounts.set(`${one.slice(0, series)}/${Number(one.slice(series + 1, part))}`, Number(one.slice(part + 1)));
  }
  return amounts;
}

/** The amounts of families that a subject keeps in addition to its new ones. */
export function remaining(before: Amounts, families: readonly number[]): Amounts {
  if (families.length === 0) return new Map();
  return new Map([...before].filter(([key]) => families.includes(familyOf(seriesOf(key)))));
}

/** An amount that a subject contributes, before and after a change. */
export interface AmountChange {
  readonly before: number;
  readonly after: number;
}

/** The amounts that differ. */
export function changesBetween(before: Amounts, after: Amounts): ReadonlyMap<AmountKey, AmountChange> {
  const changes = new Map<AmountKey, AmountChange>();
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const change = { before: before.get(key) ?? 0, after: after.get(key) ?? 0 };
    if (change.before !== change.after) changes.set(key, change);
  }
  return changes;
}

const HASH_BITS = 44;

/** The id of a series: its family, and 44 bits of a hash. Of 10,000 series, two collide once in 350,000 databases. */
export function seriesId(family: number, hash: Uint8Array): number {
  const low = hash.slice(0, HASH_BITS / 8 + 1).reduce((value, byte) => value * 256 + byte, 0) % 2 ** HASH_BITS;
  return family * 2 ** HASH_BITS + low;
}

export function familyOf(series: number): number {
  return Math.floor(series / 2 ** HASH_BITS);
}

export function amountKey(series: number, part: number): AmountKey {
  return `${series.toString(36)}/${part}`;
}

export function seriesOf(key: AmountKey): number {
  return Number.parseInt(key, 36);
}

export function partOf(key: AmountKey): number {
  return Number(key.slice(key.indexOf("/") + 1));
}
