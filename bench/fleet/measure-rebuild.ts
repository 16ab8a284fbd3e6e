import { gzipSync } from "node:zlib";
import type { Item } from "../../src/adapters/dynamodb/attribute.ts";
import { stateKey } from "../../src/adapters/dynamodb/jobs/job-item.ts";
import type { LogItem } from "../../src/ports/log.ts";
import type { SpreadEntry } from "../../src/upkeep/replay/spread/spread-objects.ts";
import { listUnits } from "../../src/upkeep/replay/units/list-units.ts";
import { readUnit } from "../../src/upkeep/replay/units/read-unit.ts";
import type { LogUnit } from "../../src/upkeep/replay/units/replay-unit.ts";
import type { MeteredTables } from "../dynamodb/tables.ts";
import { byJob, importLine, itemOf, joinPartials, partialStates } from "../replay/fold-once.ts";

/** What folding a log once takes, in all. */
export interface FoldedOnce {
  readonly jobs: number;
  readonly facts: number;
  /** Partial states: of most Jobs one of the unit in which it ran, and one of that in which it was deleted. */
  readonly partials: number;
  readonly partialBytes: number;
  /** Lines of import files, plain and compressed. */
  readonly lineBytes: number;
  readonly packedBytes: number;
  /** Jobs that differ from the live table in their state, row or lists. */
  readonly different: number;
  /** Seconds of CPU for partial states, and for joining them into compressed lines. */
  readonly spreadSeconds: number;
  readonly joinSeconds: number;
}

/** In this replay, a Job is deleted five minutes after its end. A unit of the fleet has an hour, as its Jobs have. */
const UNIT_MS = 5 * 60_000;
/** Lines that are compressed together. */
const LINES = 10_000;
/** What a projection writes when it meets the Job. The class of the wide list also depends on when that was. */
const COMPARED = ["state", "summary", "listPk", "namePk", "createdSk", "attentionPk", "endedAt"];

/** Folds the log of some tables into the lines of import files, and compares them with the live table. */
export async function measureRebuild(tables: MeteredTables): Promise<FoldedOnce> {
  const partials: SpreadEntry[] = [];
  let facts = 0;
  const beforeSpread = cpuSeconds();
  for (const unit of (await listUnits(tables.meta)).flatMap(divided)) {
    const items = await itemsOf(tables, unit);
    facts += items.reduce((sum, { factCount }) => sum + factCount, 0);
    partials.push(...(await partialStates(tables.meta, items)));
  }
  const spreadSeconds = cpuSeconds() - beforeSpread;
  const partialBytes = partials.reduce((sum, [, bytes]) => sum + bytes.length, 0);
  const joined = await joinAll(tables, partials);
  return { facts, partials: partials.length, partialBytes, spreadSeconds, ...joined };
}

function divided(unit: LogUnit): readonly LogUnit[] {
  if (unit.kind !== "packs") return [unit];
  const parts: LogUnit[] = [];
  for (let from = unit.from; from < unit.to; from += UNIT_MS) parts.push({ ...unit, from, to: from + UNIT_MS });
  return parts;
}

async function itemsOf(tables: MeteredTables, unit: LogUnit): Promise<readonly LogItem[]> {
  const all: LogItem[] = [];
  for await (const { items } of readUnit(tables, unit)) all.push(...items);
  return all;
}

async function joinAll({ meter, names }: MeteredTables, partials: readonly SpreadEntry[]) {
  const begin = cpuSeconds();
  const counted = { jobs: 0, different: 0, lineBytes: 0, packedBytes: 0 };
  let lines: string[] = [];
  const pack = () => {
    const text = lines.join("");
    lines = [];
    counted.lineBytes += Buffer.byteLength(text);
    counted.packedBytes += gzipSync(text).length;
  };
  for (const [key, own] of byJob(partials)) {
    const item = itemOf(key, await joinPartials(key, own), Date.now());
    const { pk, sk } = stateKey(key);
    counted.jobs += 1;
    counted.different += isSame(item, meter.items.get(`${names.jobs} ${pk} ${sk}`)) ? 0 : 1;
    lines.push(importLine(item));
    if (lines.length === LINES) pack();
  }
  pack();
  return { ...counted, joinSeconds: cpuSeconds() - begin };
}

function isSame(item: Item, live: Item | undefined): boolean {
  return live !== undefined && COMPARED.every((name) => textOf(item, name) === textOf(live, name));
}

function textOf(item: Item, name: string): string {
  const { S, N, B } = item[name] ?? {};
  return S ?? N ?? (B === undefined ? "" : Buffer.from(B).toString("base64"));
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
