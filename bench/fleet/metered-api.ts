import { ChangeFeed } from "../../src/projection/changes/change-feed.ts";
import { apiOver } from "../../test/support/http/request-api.ts";
import type { MeteredTables } from "../dynamodb/tables.ts";

/** When the measured changes are announced: at the instant of their segments. */
export const TOLD_AT = Date.parse("2026-01-01T12:00:00Z");
/** No change is after it. */
const NOTHING_SINCE = "2026-01-02T00:00:00Z";

interface Cost {
  readonly requests: number;
  readonly units: number;
  /** The units as AWS bills them. */
  readonly billed: number;
  readonly body: unknown;
}

/** The API over metered tables. */
export class MeteredApi {
  readonly stores: Pick<MeteredTables, "projections" | "meta" | "log"> & {
    readonly changes: ChangeFeed;
  };
  readonly #tables: MeteredTables;
  readonly #api: ReturnType<typeof apiOver>;

  constructor(tables: MeteredTables) {
    const { projections, meta, log } = tables;
    this.#tables = tables;
    const changes = new ChangeFeed(meta, () => TOLD_AT);
    this.stores = { projections, meta, log, changes };
    this.#api = apiOver(this.stores);
  }

  async register(kind: "cluster" | "namespace", key: string): Promise<void> {
    await this.stores.meta.write(kind, key, { value: "{}", expected: 0 });
  }

  async write(kind: "cluster", key: string, value: string): Promise<void> {
    const { version: expected = 0 } = (await this.stores.meta.read(kind, key)) ?? {};
    await this.stores.meta.write(kind, key, { value, expected });
  }

  /** What a question takes in a process that has just answered another one. */
  async costOf(path: string): Promise<Cost> {
    await this.#api.ask(`/v1/changes?since=${NOTHING_SINCE}`);
    return this.#measure(this.#api, path);
  }

  /** What it takes as the first question of a process, which then looks for commands that have not finished. */
  async first(path: string): Promise<Cost> {
    return this.#measure(apiOver(this.stores), path);
  }

  async #measure(api: ReturnType<typeof apiOver>, path: string): Promise<Cost> {
    const { meter } = this.#tables;
    meter.reset();
    const { body } = await api.ask(path);
    if (api.errors.length > 0) throw new AggregateError(api.errors, `${path} was not answered`);
    const { reads, read, billedRead } = meter.total();
    return { requests: reads, units: read, billed: billedRead, body };
  }

  /** The read units of all changes, page by page. */
  async unitsOfChanges(): Promise<number> {
    let units = 0;
    let page: { readonly nextCursor?: string; readonly more: boolean } = { more: true };
    for (let start = "since=2026-01-01T12:00:00Z"; page.more; start = `cursor=${page.nextCursor}`) {
      const cost = await this.costOf(`/v1/changes?limit=500&${start}`);
      units += cost.units;
      page = cost.body as typeof page;
    }
    return units;
  }
}
