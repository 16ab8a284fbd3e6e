import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { createDynamoLog } from "../../src/adapters/dynamodb/log/dynamo-log.ts";
import { DEFAULT_PACK_SHARDS } from "../../src/ports/deployment/limits.ts";
import type { LogPack } from "../../src/ports/log.ts";
import { packArrivedAt, utcHour } from "../../src/segment/pack-key.ts";

/** The packs of this hour and the last one in the log of a deployed stack, in order of arrival. */
export async function recentPacks(table: string): Promise<readonly LogPack[]> {
  const { packs: log } = createDynamoLog(new DynamoDBClient({}), { table, retentionDays: 400 });
  if (log === undefined) throw new Error("The log has no packs to read: nothing was ingested.");
  const found: LogPack[] = [];
  for (const hour of [Date.now() - 3_600_000, Date.now()].map(utcHour)) {
    for (let shard = 0; shard < DEFAULT_PACK_SHARDS; shard += 1) {
      let after: string | undefined = "";
      while (after !== undefined) {
        const page = await log.readHour({ shard, hour }, { limit: 1_000, ...(after !== "" && { after }) });
        found.push(...page.packs);
        after = page.next;
      }
    }
  }
  return found.toSorted((a, b) => packArrivedAt(a.sk) - packArrivedAt(b.sk));
}
