import type { Instant } from "../../job/model/instant.ts";
import type { ResourceVersion } from "../../job/model/order.ts";
import {
  ApiReader,
  type ApiReaderOptions,
  bytesOf,
  type Chunk,
  type OpenedResponse,
} from "../connection/api-reader.ts";
import { bodyText } from "../json/body-text.ts";
import { fieldsOf, itemsOf } from "../json/json-field.ts";
import { LineSplitter } from "../json/line-splitter.ts";
import { CutListError, type ListEnd, type ListItems, readListPage } from "./list-page.ts";
import { MAX_OBJECT_BYTES } from "../json/max-object-bytes.ts";
import { parseObject } from "../json/object-scanner.ts";
import { checkResponse, ResponseProblem } from "../connection/response-problem.ts";
import { decodeWatchEvent, type WatchEvent } from "./watch-event.ts";
import {
  discoveryPath,
  listPath,
  probePath,
  type ResourceLocation,
  streamingListPath,
  watchPath,
} from "../connection/resource-path.ts";
import type { ResourceKind } from "../connection/watched-resource.ts";

/** Requests only `metadata` of objects (1.15 and later). Servers that do not support it send whole objects. */
const METADATA_ONLY = {
  list: "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json",
  watch: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json",
} as const;
/** The length of a watch: 5 to 10 minutes, as in client-go, so that watches spread over the API servers. */
const WATCH_SECONDS = 300;

/** A complete list, of a state not after `at`. */
export interface CompleteList {
  readonly resourceVersion: ResourceVersion;
  /** When the response to its first page arrived. */
  readonly at: Instant;
}

/** An accepted watch. */
export interface OpenedWatch {
  readonly at: Instant;
  readonly batches: AsyncGenerator<WatchBatch>;
}

/** The events of one chunk. */
export interface WatchBatch {
  readonly events: readonly WatchEvent[];
  readonly bytes: number;
  /** How long the reader waited for it. */
  readonly waitedMillis: number;
}

export interface ResourceReaderOptions extends Omit<ApiReaderOptions, "check"> {
  readonly kind: ResourceKind;
  /** Absent: all namespaces. */
  readonly namespace?: string;
  readonly random: () => number;
}

/**
 * Sends the requests for one resource, one at a time: discovery, probes, lists, watches.
 * Throws the errors of ApiReader, ResponseProblem and CutListError.
 */
export class ResourceReader {
  readonly #options: ResourceReaderOptions;
  readonly #reader: ApiReader;
  #apiVersion = 0;
  /** Pages expire before they are read, so lists are requested in one piece. */
  #listsInOnePiece = false;

  constructor(options: ResourceReaderOptions) {
    this.#options = options;
    const { connection, kind, namespace } = options;
    const request = { server: connection.server, resource: kind, ...(namespace !== undefined && { namespace }) };
    this.#reader = new ApiReader({ ...options, check: (response) => checkResponse(response, request) });
  }

  /** Aborts the current request, if there is one. */
  supersede(): void {
    this.#reader.supersede();
  }

  /** Switches to another API version where the server does not serve the preferred one. */
  tryOtherVersion(): void {
    this.#apiVersion = (this.#apiVersion + 1) % this.#options.kind.apiVersions.length;
  }

  /**
   * Chooses the first API version that the server serves the resource in. Returns whether there is one. Where discovery
   * is denied, requests for the resource show it.
   */
  async discover(): Promise<boolean> {
    for (const [index, apiVersion] of this.#options.kind.apiVersions.entries()) {
      const served = await this.#servedIn(apiVersion);
      if (served === "absent") continue;
      if (served === "present") this.#apiVersion = index;
      return true;
    }
    return false;
  }

  async #servedIn(apiVersion: string): Promise<"present" | "absent" | "denied"> {
    try {
      const { chunks } = await this.#reader.open(discoveryPath(apiVersion));
      const { resources } = fieldsOf(parseObject(await bodyText({ body: bytesOf(chunks) })));
      const isPresent = itemsOf(resources).some((item) => fieldsOf(item)["name"] === this.#options.kind.plural);
      return isPresent ? "present" : "absent";
    } catch (error) {
      if (error instanceof ResponseProblem && error.status === 404) return "absent";
      if (error instanceof ResponseProblem && error.status === 403) return "denied";
      throw error;
    }
  }

  /** The latest resourceVersion. */
  async probe(): Promise<ResourceVersion> {
    const { chunks } = await this.#reader.open(probePath(this.#location));
    for await (const part of readListPage(chunks)) if (!("items" in part)) return part.resourceVersion;
    throw new CutListError(CUT);
  }

  /** All items, page by page. */
  async *list({ metadataOnly = this.#options.kind.isMetadataOnly } = {}): AsyncGenerator<ListItems, CompleteList> {
    let token: string | undefined;
    let at: Instant | undefined;
    for (;;) {
      const response = await this.#openPage(token, metadataOnly);
      at ??= response.at;
      const end: ListEnd = yield* readPage(response);
      if (end.token === undefined) return { resourceVersion: end.resourceVersion, at };
      token = end.token;
    }
  }

  /**
   * The changes after `from`. Without it: the existing objects, a bookmark that ends them, and the changes after
   * that.
   */
  async watch(from: ResourceVersion | undefined): Promise<OpenedWatch> {
    const seconds = Math.round(WATCH_SECONDS * (1 + this.#options.random()));
    const path =
      from === undefined ? streamingListPath(this.#location, seconds) : watchPath(this.#location, from, seconds);
    const accept = this.#options.kind.isMetadataOnly ? METADATA_ONLY.watch : undefined;
    const { at, chunks } = await this.#reader.open(path, accept);
    return { at, batches: batchesOf(chunks) };
  }

  /** A list cannot continue after an expired page, because the next page would show another state of the cluster. */
  async #openPage(token: string | undefined, metadataOnly: boolean): Promise<OpenedResponse> {
    const path = listPath(this.#location, { isWhole: this.#listsInOnePiece, token });
    try {
      return await this.#reader.open(path, metadataOnly ? METADATA_ONLY.list : undefined);
    } catch (error) {
      if (!(error instanceof ResponseProblem) || error.status !== 410) throw error;
      this.#listsInOnePiece = true;
      throw new CutListError("The next page of a list has expired (410). The list starts again, without pages.", {
        cause: error,
      });
    }
  }

  get #location(): ResourceLocation {
    const { kind, namespace } = this.#options;
    const apiVersion = kind.apiVersions[this.#apiVersion] ?? kind.apiVersions[0];
    return { kind, apiVersion, ...(namespace !== undefined && { namespace }) };
  }
}

async function* readPage({ chunks }: OpenedResponse): AsyncGenerator<ListItems, ListEnd> {
  for await (const part of readListPage(chunks)) {
    if (!("items" in part)) return part;
    yield part;
  }
  throw new CutListError(CUT);
}

const CUT = "The API server closed the connection in the middle of a list. It is listed again.";

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
