import { addCell, assignCluster, changeRegistry } from "../../../src/cells/cell-registry.ts";
import { createCellsApi } from "../../../src/cells/cells-api.ts";
import type { Access } from "../../../src/http/access/access.ts";
import { type ApiEnvironment, type ApiStores, createApi } from "../../../src/http/create-api.ts";
import type { MetaStore } from "../../../src/ports/meta.ts";
import { MemoryMetaStore } from "../stores/memory-meta-store.ts";
import { clusterNamed } from "../facts/names.ts";

/** The time of the API under test. */
const NOW = Date.parse("2026-01-02T00:00:00Z");

/** What a test makes a cell do instead of answering. */
export type Fault = "refusesConnections" | "timesOut" | "redirects" | "answersHtml" | "fails";

/** An API over cells whose stages are in this process. The first stage has the registry. */
export class CellsScene {
  readonly faults = new Map<string, Fault>();
  /** What was asked of which other cell. */
  readonly asked: { readonly cell: string; readonly path: string; readonly headers: Headers }[] = [];
  readonly errors: Error[] = [];
  /** Has the registry, and nothing of the stages. */
  readonly meta: MetaStore = new MemoryMetaStore();
  now = NOW;
  pauses = 0;
  readonly #api: ReturnType<typeof createCellsApi>;

  constructor(stages: Readonly<Record<string, ApiStores>>, access: Access = { kind: "inProcess" }) {
    const apis = new Map(Object.entries(stages).map(([name, stores]) => [name, this.#stage(stores, access)]));
    const [stage] = apis.values();
    if (stage === undefined) throw new Error("A scene has a stage.");
    this.#api = createCellsApi({
      stage,
      meta: this.meta,
      access,
      now: () => this.now,
      pause: async (milliseconds) => {
        this.now += milliseconds;
        this.pauses += 1;
        return true;
      },
      fetch: async (input, init) => {
        const url = new URL(input instanceof Request ? input.url : input);
        const cell = url.hostname.split(".")[0] ?? "";
        this.asked.push({ cell, path: url.pathname + url.search, headers: new Headers(init?.headers) });
        const fault = this.faults.get(cell);
        if (fault !== undefined) return faulty(fault);
        const api = apis.get(cell);
        if (api === undefined) throw new TypeError("fetch failed", { cause: new Error("getaddrinfo ENOTFOUND") });
        // API Gateway does not pass on the stage in a path.
        const path = url.pathname.replace(/^\/live/, "");
        return api.fetch(new Request(new URL(path + url.search, url), init), {});
      },
      onError: (error) => this.errors.push(error),
    });
  }

  #stage(stores: ApiStores, access: Access) {
    const clock = { now: () => this.now, pause: async () => false };
    return createApi({ stores, access, ...clock, version: "0.0.0", onError: (error) => this.errors.push(error) });
  }

  /** Registers cells, the first as the stage itself, and the cells of clusters. */
  async register(cells: readonly string[], clusters: Readonly<Record<string, string>> = {}): Promise<this> {
    for (const [index, name] of cells.entries()) {
      const cell = index === 0 ? { name } : { name, url: `https://${name}.test/live` };
      await this.#change((registry) => addCell(registry, cell));
    }
    for (const [cluster, cell] of Object.entries(clusters)) await this.assign(cluster, cell);
    return this;
  }

  async assign(cluster: string, cell: string): Promise<void> {
    await this.#change((registry) => assignCluster(registry, { cluster: clusterNamed(cluster), cell }, this.now));
    // The API reads the registry again after a while.
    this.now += 20_000;
  }

  async #change(change: Parameters<typeof changeRegistry>[1]): Promise<void> {
    const changed = await changeRegistry(this.meta, change);
    if (changed.outcome === "refused") throw new Error(changed.problem);
  }

  async ask(path: string, init?: RequestInit, environment: ApiEnvironment = {}) {
    const response = await this.#api.fetch(new Request(`http://127.0.0.1${path}`, init), environment);
    const text = await response.text();
    const body = (text.startsWith("{") ? JSON.parse(text) : {}) as CellsBody;
    return { status: response.status, headers: response.headers, text, body };
  }

  /** The items of all pages. */
  async pages(path: string, init?: RequestInit): Promise<readonly unknown[]> {
    const items: unknown[] = [];
    let cursor: string | undefined;
    do {
      const next = cursor === undefined ? path : `${path}${path.includes("?") ? "&" : "?"}cursor=${cursor}`;
      const { status, body, text } = await this.ask(next, init);
      if (status !== 200) throw new Error(text);
      items.push(...(body.items ?? []));
      cursor = body.nextCursor;
    } while (cursor !== undefined);
    return items;
  }
}

/** The parts of answers that tests read. */
export interface CellsBody {
  readonly items?: readonly { readonly name?: string; readonly uid?: string; readonly cell?: string }[];
  readonly missing?: readonly string[];
  readonly nextCursor?: string;
  readonly more?: boolean;
  readonly unavailable?: readonly { readonly cell: string; readonly reason: string; readonly clusters: string[] }[];
  readonly complete?: boolean;
  readonly jobs?: number;
  readonly countedTwice?: readonly string[];
  readonly type?: string;
  readonly detail?: string;
  readonly [field: string]: unknown;
}

async function faulty(fault: Fault): Promise<Response> {
  switch (fault) {
    case "refusesConnections":
      throw new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") });
    case "timesOut":
      throw new DOMException("The operation was aborted due to timeout", "TimeoutError");
    case "redirects":
      return new Response(null, { status: 302, headers: { location: "https://elsewhere.test/" } });
    case "answersHtml":
      return new Response("<html>", { headers: { "content-type": "text/html" } });
    case "fails":
      return new Response(JSON.stringify({ type: "urn:outlive:problem:internal", title: "Internal server error" }), {
        status: 500,
        headers: { "content-type": "application/problem+json" },
      });
  }
}
