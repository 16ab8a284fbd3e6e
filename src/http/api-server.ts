import type { Context } from "hono";
import { FairTurns } from "../ports/concurrency/fair-turns.ts";
import type { Instant } from "../job/model/instant.ts";
import { archivedJobs } from "../archive/read/open-archived-jobs.ts";
import { boundedObjects, type ReadBudget } from "../archive/read/bounded-objects.ts";
import { storedSums } from "../count/stored-sums.ts";
import type { Log } from "../ports/log.ts";
import type { MetaStore } from "../ports/meta.ts";
import type { MetricStore } from "../ports/metric-store.ts";
import type { ObjectStore } from "../ports/object-store.ts";
import type { Projections } from "../ports/projections.ts";
import { readLivePointer } from "../projection/live-projection.ts";
import { fairMeta, fairPorts, fairRuns } from "../query/fair-ports.ts";
import type { AcknowledgementWriter } from "../query/attention/acknowledge.ts";
import type { LogLinks } from "../query/log-links/log-links.ts";
import type { RunPorts } from "../query/ports.ts";
import { type Access, admit } from "./access/access.ts";
import type { Credentials } from "./access/admission.ts";
import { type ReaderLimitOptions, ReaderLimits, UNLIMITED } from "./access/reader-limits.ts";
import { problem } from "./contract/problem.ts";
import type { LiveAnswers, Route } from "./contract/route.ts";
import { OpenAnswer, type Opened } from "./open-answer.ts";
import type { OptionalApi, SharedServer } from "./optional-api.ts";
import { ROUTES } from "./routes/routes.ts";
import { turnsUntilLeft } from "./reader-left.ts";
import { RequestMeter, type ServerMetrics } from "./request-meter.ts";
import { pause as pauseFor } from "../ports/concurrency/pause.ts";
import { sharedPages } from "./streams/change-events.ts";
import { ChangeHub } from "./streams/change-hub.ts";
import type { Delivery } from "./streams/delivery.ts";
import type { OpenStreams } from "./streams/open-streams.ts";

export interface ApiDependencies {
  readonly stores: ApiStores;
  readonly access: Access;
  readonly now: () => Instant;
  /** Resolves to true after this many milliseconds, or to false when the signal aborts. @default a timer */
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<boolean>;
  /** The open streams. Absent if answers are sent in one piece, as in a Lambda function: clients must poll there. */
  readonly streams?: OpenStreams;
  /** Why no data is being ingested now; `undefined` if it is. @default not known */
  readonly intakeProblem?: () => string | undefined;
  /** Writes what readers acknowledge. @default the server only reads */
  readonly acknowledgements?: AcknowledgementWriter;
  /** The limits of each reader. @default 500 answers in progress, with 32 MiB that were not read yet */
  readonly readerLimits?: ReaderLimitOptions;
  /** What one request may read of the archive. @default no limit */
  readonly archiveBudget?: ReadBudget;
  /** Measures requests, and adds the figures of this server to the metrics. @default nothing is measured */
  readonly serverMetrics?: ServerMetrics;
  /** The release, for the OpenAPI document. */
  readonly version: string;
  /** Routes that a build may leave out (src/host/optional/api-parts.ts). @default none */
  readonly routes?: readonly Route[];
  /** Other APIs on the same stores. @default none */
  readonly apis?: readonly OptionalApi[];
  /** Called with every error that becomes a 500. The answer does not contain the error. */
  readonly onError: (error: Error) => void;
}

export interface ApiStores {
  readonly projections: Projections;
  readonly meta: MetaStore;
  readonly log: Log;
  /** @default no metrics */
  readonly metrics?: MetricStore;
  /** Where Pods' logs can be read. @default answers contain no links to logs */
  readonly logLinks?: LogLinks;
  /** Why nothing can be written now; `undefined` if it can be. @default not known */
  readonly writeProblem?: () => Promise<string | undefined>;
  /** The archive of the log. @default Jobs whose state has expired are unknown */
  readonly archive?: ObjectStore;
}

/**
 * What the server knows about the connection of a request, independently of what the client sends: `app.fetch(request,
 * environment)`.
 */
export interface ApiEnvironment {
  /** The IAM principal that signed the request: `requestContext.identity.caller` of API Gateway. */
  readonly iamCaller?: string | undefined;
  /** The address of the API as its client has it, where requests do not show it. */
  readonly address?: string | undefined;
  /** The address that the connection comes from. */
  readonly remoteAddress?: string | undefined;
  /** Where the answer is sent to. */
  readonly delivery?: Delivery;
}

interface RequestStores {
  /** The archive, as the request may read it. */
  readonly archive?: ObjectStore | undefined;
  /** Aborts when the reader has disconnected. No further reads begin then. */
  readonly signal?: AbortSignal;
}

/** The owner of the reads that all streams share. */
const HUB = "change hub";

/** What every request of one server shares. */
export class ApiServer {
  readonly stores: ApiStores;
  readonly access: Access;
  readonly version: string;
  readonly now: () => Instant;
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<boolean>;
  readonly live: LiveAnswers | undefined;
  readonly acknowledgements: AcknowledgementWriter | undefined;
  readonly metrics: ServerMetrics | undefined;
  readonly meter: RequestMeter;
  /** What optional APIs need. */
  readonly shared: Omit<SharedServer, "get">;
  readonly routes: readonly Route[];
  readonly #limits: ReaderLimits;
  readonly #onError: (error: Error) => void;
  readonly #turns = new FairTurns();
  readonly #archiveBudget: ReadBudget | undefined;
  readonly #intakeProblem: () => string | undefined;

  constructor(dependencies: ApiDependencies) {
    const { stores, access, version, now, pause = pauseFor, streams, onError, readerLimits } = dependencies;
    this.#archiveBudget = dependencies.archiveBudget;
    this.#intakeProblem = dependencies.intakeProblem ?? (() => undefined);
    this.stores = stores;
    this.access = access;
    this.version = version;
    this.acknowledgements = dependencies.acknowledgements;
    this.metrics = dependencies.serverMetrics;
    this.meter = new RequestMeter(this.metrics);
    this.now = now;
    this.pause = pause;
    // This process limits itself. Only requests of other processes need a limit.
    this.#limits = new ReaderLimits(access.kind === "inProcess" ? UNLIMITED : readerLimits);
    this.#onError = onError;
    const ports = this.portsFor(HUB);
    this.live = streams && {
      streams,
      onError,
      hub: new ChangeHub({ ports, now, pause, onError }),
      pages: sharedPages(),
      portsFor: (reader) => this.portsFor(reader),
    };
    this.routes = [...ROUTES, ...(dependencies.routes ?? [])];
    this.shared = {
      admit: (context) => admit(access, credentialsOf(context)),
      ports: (reader, signal) => this.portsFor(reader, { ...(signal && { signal }) })(),
      open: (context, reader) => this.open(context, reader),
      clock: now,
      onError,
      pause,
      version,
      live: this.live,
    };
  }

  /** Reserves an answer for a request of the reader. */
  open(context: Context, reader: string): Opened {
    const entrance = this.#limits.enter(reader);
    if (entrance.outcome === "refused") {
      context.header("retry-after", String(entrance.retryAfterSeconds));
      return { outcome: "refused", problem: problem("too-many-requests", entrance.detail) };
    }
    const { place } = entrance;
    const { delivery } = environmentOf(context);
    const { meter } = this;
    const answer = new OpenAnswer({ place, request: context.req.raw, delivery, meter, onError: this.#onError });
    return { outcome: "opened", answer };
  }

  /** Why no data can be added now; `undefined` if it can be. */
  async writeProblem(): Promise<string | undefined> {
    return (await this.stores.writeProblem?.()) ?? this.#intakeProblem();
  }

  /** The archive as one request may read it. */
  openArchive(): ObjectStore | undefined {
    const { archive } = this.stores;
    const budget = this.#archiveBudget;
    return archive === undefined || budget === undefined ? archive : boundedObjects(archive, budget);
  }

  /** The stores for one request of the reader. Their long reads are interrupted to serve other readers. */
  portsFor(reader: string, { archive = this.openArchive(), signal }: RequestStores = {}): () => Promise<RunPorts> {
    const turn = turnsUntilLeft(this.#turns.of(reader), signal);
    const { projections, archive: _, writeProblem: __, ...others } = this.stores;
    const archived = archive && archivedJobs(archive, this.now);
    const stores = { ...others, ...(archived && { archived }) };
    return async () => {
      const { live } = await readLivePointer(others.meta);
      const sums = storedSums({ meta: others.meta, projection: live });
      const runs = fairRuns(projections.runs(live), turn);
      return { ...fairPorts({ jobs: projections.open(live), sums, ...stores }, turn), runs };
    };
  }

  /** The records for one request of the reader. */
  metaFor(reader: string, signal: AbortSignal): MetaStore {
    return fairMeta(this.stores.meta, turnsUntilLeft(this.#turns.of(reader), signal));
  }
}

export function credentialsOf(context: Context): Credentials {
  const { iamCaller, remoteAddress } = environmentOf(context);
  const { req } = context;
  return { host: req.header("host"), authorization: req.header("authorization"), iamCaller, remoteAddress };
}

/** Hono passes on the environment that `fetch` was given; there may be none. */
function environmentOf(context: Context): ApiEnvironment {
  return (context.env as ApiEnvironment | undefined) ?? {};
}
