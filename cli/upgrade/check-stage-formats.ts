import { logDays, logHours } from "../../src/log/read-log.ts";
import { readLivePointer } from "../../src/projection/live-projection.ts";
import type { Log } from "../../src/ports/log.ts";
import type { MetaStore } from "../../src/ports/meta.ts";
import { unfinishedCommands } from "../../src/upkeep/replay/unfinished-commands.ts";
import { segmentFormats } from "../../src/segment/segment-formats.ts";
import { type Check, checkThat, ok, warning } from "../doctor/check.ts";
import { type FormatCheck, logCheck } from "./log-check.ts";

/** Items per request. */
const PAGE = 32;

export interface StageStores {
  readonly log: Log;
  readonly meta: MetaStore;
}

/** The formats in the tables of a stage, and what a deployment of this release does to them. */
export async function* checkStageFormats(stores: StageStores): AsyncGenerator<FormatCheck> {
  const { sealed, layouts } = await sampleOf(stores);
  yield logCheck(segmentFormats(sealed), `the first and last segments (${layouts})`);
  yield await checkThat("migration", async () => {
    const { building } = await readLivePointer(stores.meta);
    const unfinished = await unfinishedCommands(stores.meta);
    if (building === undefined && unfinished.length === 0) return ok(MIGRATION);
    const texts = unfinished.map(({ text }) => text).join(" ");
    return warning(`A replay or a trial is not finished: let it end before you deploy. ${texts}`.trim());
  });
  yield replay;
  yield back;
}

const MIGRATION =
  'No item is migrated: every release reads the items of earlier ones. "npx cdk diff" shows which resources change.';
const replay: Check = { check: "replay", ...ok("The changelog says whether to run one after the deployment.") };
const back: Check = {
  check: "back",
  ...warning(
    "An earlier release can be deployed again only if it reads the formats above and those that this release has " +
      "written meanwhile: see docs/deploy/support.md. Data can always be restored into a new stage.",
  ),
};

/** The first and the last segments of both layouts of the log. */
async function sampleOf({ log, meta }: StageStores) {
  const sealed: Uint8Array[] = [];
  const days = await ends(logDays(meta));
  for (const day of days) sealed.push(...(await log.readDay(day, { limit: PAGE })).items.map(({ bytes }) => bytes));
  const hours = await ends(logHours(meta));
  for (const hour of hours) {
    const { packs = [] } = (await log.packs?.readHour(hour, { limit: PAGE })) ?? {};
    sealed.push(...packs.flatMap(({ items }) => items.map(({ bytes }) => bytes)));
  }
  const layouts = [days.length > 0 && "items of their own", hours.length > 0 && "packs"].filter(Boolean);
  return { sealed, layouts: layouts.join(" and ") };
}

/** The first and the last one. */
async function ends<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  let first: Item | undefined;
  let last: Item | undefined;
  for await (const item of items) {
    if (first === undefined) first = item;
    else last = item;
  }
  return [first, last].filter((item) => item !== undefined);
}
