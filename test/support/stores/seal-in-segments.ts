import type { Fact } from "../../../src/job/model/fact.ts";
import type { LogItem } from "../../../src/ports/log.ts";
import { Sealer } from "../../../src/segment/sealer.ts";
import { clusterNamed } from "../facts/names.ts";

/** Facts of cluster "east" as log items, `size` to a segment, a second apart. */
export function sealInSegments(facts: readonly Fact[], size: number, sealedAt: number): readonly LogItem[] {
  const sealer = new Sealer({ cluster: clusterNamed("east"), session: "0123456789abcdef", firstSequence: 0 });
  const items: LogItem[] = [];
  for (let begin = 0; begin < facts.length; begin += size) {
    for (const fact of facts.slice(begin, begin + size)) sealer.add(fact);
    items.push(...sealer.seal(sealedAt + (begin / size) * 1_000));
  }
  return items;
}
