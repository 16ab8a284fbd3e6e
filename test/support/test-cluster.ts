import type { Fact } from "../../src/job/fact.ts";
import { type ClusterName, decodeClusterName } from "../../src/job/ids.ts";
import type { LogItem } from "../../src/ports/log.ts";
import { createSealer } from "../../src/segment/sealer.ts";

/** A cluster under a name that is one. */
export function clusterNamed(text: string): ClusterName {
  const name = decodeClusterName(text);
  if (name === undefined) throw new Error(`${text} is no cluster's name.`);
  return name;
}

/** Facts of cluster "east" as log items, `size` to a segment, a second apart. */
export function sealInSegments(facts: readonly Fact[], size: number, sealedAt: number): readonly LogItem[] {
  const sealer = createSealer({ cluster: clusterNamed("east"), session: "0123456789abcdef", firstSequence: 0 });
  const items: LogItem[] = [];
  for (let begin = 0; begin < facts.length; begin += size) {
    for (const fact of facts.slice(begin, begin + size)) sealer.add(fact);
    items.push(...sealer.seal(sealedAt + (begin / size) * 1_000));
  }
  return items;
}
