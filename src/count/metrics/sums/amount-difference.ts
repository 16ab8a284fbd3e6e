import type { Amount, Contribution } from "../../../ports/metric-store.ts";
import { AmountSums, seriesId } from "./amount-sums.ts";

/** What a subject contributes after a contribution that replaces what it contributed before. */
export function replaced(
  before: readonly Amount[],
  { amounts, keep = [] }: Pick<Contribution, "amounts"> & { readonly keep?: Contribution["keep"] | undefined },
): readonly Amount[] {
  const own = byNumber(amounts);
  const kept = before.filter((amount) => keep.includes(amount.series.family) && !own.has(numberId(amount)));
  return [...kept, ...own.values()];
}

/** What a subject contributes when it is gone: it stays counted, but is in no gauge any more. */
export function lasting(amounts: readonly Amount[]): readonly Amount[] {
  return amounts.filter(({ series }) => series.kind !== "gauge");
}

/** What changes in sums when a subject contributes other amounts than before. Equal amounts change nothing. */
export function differenceOf(
  before: readonly Amount[],
  after: readonly Amount[],
  into: AmountSums = new AmountSums(),
): AmountSums {
  const gone = byNumber(before);
  for (const amount of after) {
    const id = numberId(amount);
    if (gone.get(id)?.amount === amount.amount) gone.delete(id);
    else into.add(amount);
  }
  for (const amount of gone.values()) into.add(amount, -1);
  return into;
}

/** Label sets beyond the bound share a series: their amounts are added up. */
function byNumber(amounts: readonly Amount[]): Map<string, Amount> {
  const sums = new Map<string, Amount>();
  for (const one of amounts) {
    const id = numberId(one);
    sums.set(id, { ...one, amount: (sums.get(id)?.amount ?? 0) + one.amount });
  }
  return sums;
}

function numberId({ series, part }: Amount): string {
  return `${seriesId(series)}\0${part}`;
}
