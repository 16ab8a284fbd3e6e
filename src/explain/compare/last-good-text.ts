import type { ComparisonAnswer } from "./comparison-document.ts";

type NoLastGood = NonNullable<ComparisonAnswer["noLastGood"]>;

/** Why no earlier run is good. `which`: "of CronJob nightly", "named report". `looked`: how far a bounded read went. */
export function noLastGoodOf(reason: NoLastGood["reason"], which: string, looked?: string): NoLastGood {
  const bound = looked === undefined ? "" : ` ${looked}`;
  return { reason, message: `${TEXTS[reason](which)}${bound}` };
}

const TEXTS: Readonly<Record<NoLastGood["reason"], (which: string) => string>> = {
  noEarlierRun: (which) => `No earlier run ${which} is known.`,
  noneCompleted: (which) => `No earlier run ${which} is known to be complete.`,
  allAcrossGaps: (which) => `All earlier complete runs ${which} were observed in part, because of monitoring gaps.`,
};
