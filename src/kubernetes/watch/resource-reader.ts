import type { Instant } from "../../job/model/instant.ts";
import type { ResourceVersion } from "../../job/model/order.ts";
import { ApiReader, type ApiReaderOptions, type Chunk, type OpenedAnswer } from "../connection/api-reader.ts";
import { LineSplitter } from "../json/line-splitter.ts";
import { CutListError, type ListEnd, type ListItems, readListPage } from "./list-page.ts";
import { MAX_OBJECT_BYTES } from "../json/max-object-bytes.ts";
import { checkResponse, ResponseProblem } from "../connection/response-problem.ts";
import { decodeWatchEvent, type WatchEvent } from "./watch-event.ts";
import { listPath, probePath, type ResourcePlace, streamingListPath, watchPath } from "../connection/resource-path.ts";
import type { ResourceKind } from "../connection/watched-resource.ts";

/** Only `metadata` of objects, which is a fraction of them (1.15 and later). A server that cannot sends whole ones. */
const METADATA_ONLY = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
/** A watch is made anew after 5 to 10 minutes, as client-go does: so that watches spread over the API servers there are. */
const WATCH_SECONDS = 300;

/** A whole list, as of some moment not after `at`. */
export interface CompleteList {
  readonly resourceVersion: ResourceVersion;
  /** When its first page was answered. */
  readonly at: Instant;
}

/** A watch that was accepted. */
export interface OpenedWatch {
  readonly at: Instant;
  readonly batches: AsyncGenerator<WatchBatch>;
}

/** The events of what came at once. */
export interface WatchBatch {
  readonly events: readonly WatchEvent[];
  readonly bytes: number;
  /** How long it was waited for. */
  readonly waitedMillis: number;
}

export interface ResourceReaderOptions extends Omit<ApiReaderOptions, "check"> {
  readonly kind: ResourceKind;
  /** Absent: all namespaces. */
  readonly namespace?: string;
  readonly random: () => number;
}

/** Asks for one resource: small lists, lists, watches, one at a time. Throws what ApiReader throws, ResponseProblem and CutListError. */
export class ResourceReader {
  readonly #options: ResourceReaderOptions;
  readonly #reader: ApiReader;
  #apiVersion = 0;
  /** Pages expire faster than they are read. */
  #listsWhole = false;

  constructor(options: ResourceReaderOptions) {
    this.#options = options;
    const { connection, kind, namespace } = options;
    const asked = { server: connection.server, resource: kind, ...(namespace !== undefined && { namespace }) };
    this.#reader = new ApiReader({ ...options, check: (response) => checkResponse(response, asked) });
  }

  /** Ends the request that is under way, if one is. */
  supersede(): void {
    this.#reader.supersede();
  }

  /** Where the preferred version of the API is not served, an older one may be. */
  tryOtherVersion(): void {
    this.#apiVersion = (this.#apiVersion + 1) % this.#options.kind.apiVersions.length;
  }

  /** The latest resourceVersion there is. */
  async probe(): Promise<ResourceVersion> {
    const { chunks } = await this.#reader.open(probePath(this.#place));
    for await (const part of readListPage(chunks)) if (!("items" in part)) return part.resourceVersion;
    throw new CutListError("The list has no end.");
  }

  /** All items, page by page, as they come. */
  async *list({ metadataOnly = false } = {}): AsyncGenerator<ListItems, CompleteList> {
    let token: string | undefined;
    let at: Instant | undefined;
    for (;;) {
      const answer = await this.#openPage(token, metadataOnly);
      at ??= answer.at;
      const end: ListEnd = yield* readPage(answer);
      if (end.token === undefined) return { resourceVersion: end.resourceVersion, at };
      token = end.token;
    }
  }

  /** Changes after `from`; without it, what there is, a bookmark that ends it, and the changes after that. */
  async watch(from: ResourceVersion | undefined): Promise<OpenedWatch> {
    const seconds = Math.round(WATCH_SECONDS * (1 + this.#options.random()));
    const path = from === undefined ? streamingListPath(this.#place, seconds) : watchPath(this.#place, from, seconds);
    const { at, chunks } = await this.#reader.open(path);
    return { at, batches: batchesOf(chunks) };
  }

  /** A page that has expired cannot be gone on from: the list it belongs to is no longer one moment of the cluster. */
  async #openPage(token: string | undefined, metadataOnly: boolean): Promise<OpenedAnswer> {
    const path = listPath(this.#place, { isWhole: this.#listsWhole, token });
    try {
      return await this.#reader.open(path, metadataOnly ? METADATA_ONLY : undefined);
    } catch (error) {
      if (!(error instanceof ResponseProblem) || error.status !== 410) throw error;
      this.#listsWhole = true;
      throw new CutListError("A page of a list has expired (410): the list begins again, in one piece.", {
        cause: error,
      });
    }
  }

  get #place(): ResourcePlace {
    const { kind, namespace } = this.#options;
    const apiVersion = kind.apiVersions[this.#apiVersion] ?? kind.apiVersions[0];
    return { kind, apiVersion, ...(namespace !== undefined && { namespace }) };
  }
}

async function* readPage({ chunks }: OpenedAnswer): AsyncGenerator<ListItems, ListEnd> {
  for await (const part of readListPage(chunks)) {
    if (!("items" in part)) return part;
    yield part;
  }
  throw new CutListError("The list has no end.");
}

async function* batchesOf(chunks: AsyncGenerator<Chunk>): AsyncGenerator<WatchBatch> {
  const splitter = new LineSplitter(MAX_OBJECT_BYTES);
  for await (const { bytes, waitedMillis } of chunks) {
    const events: WatchEvent[] = [];
    for (const piece of splitter.push(bytes)) {
      const event = decodeWatchEvent(piece);
      if (event !== undefined) events.push(event);
    }
    yield { events, bytes: bytes.length, waitedMillis };
  }
}
