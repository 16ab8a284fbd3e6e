import * as v from "valibot";
import { ConfigurationError, type Environment, readVariables } from "./read-variables.ts";
import { OPEN, READERS, type ReaderSettings, readerSettings } from "./reader-settings.ts";
import { bucket, positive, queueUrl, stage, table, url } from "./variables.ts";

/** How each variable is read. A function asks for those it needs and no others: whoever reads its settings knows what it can reach. */
const STAGE = { OUTLIVE_STAGE: stage };
const LOG = { OUTLIVE_LOG_TABLE: table("the log") };
const META = { OUTLIVE_META_TABLE: table("the records beside the Jobs") };
const JOBS = {
  OUTLIVE_JOBS_TABLE_A: table("projection A of the Jobs"),
  OUTLIVE_JOBS_TABLE_B: table("projection B of the Jobs"),
};
const REFOLD = { OUTLIVE_REFOLD_QUEUE_URL: queueUrl("log keys to fold again") };
const TURNS = { OUTLIVE_REPLAY_QUEUE_URL: v.optional(queueUrl("turns of a replay")) };
const RETENTION = { OUTLIVE_RETENTION_DAYS: positive("for how many days a Job is kept after it ended", 400) };
const ASIDE = { OUTLIVE_SET_ASIDE_BUCKET: v.optional(bucket("messages that are too large for a record")) };
const ENDPOINT = { AWS_ENDPOINT_URL: v.optional(url("an emulator of AWS")) };

const CLIENT = {
  OUTLIVE_PAGE_CLIENT_ID: v.optional(v.string()),
  OUTLIVE_PAGE_AUTHORIZATION_URL: v.optional(url("where the issuer lets people sign in")),
  OUTLIVE_PAGE_TOKEN_URL: v.optional(url("where the issuer gives out tokens")),
  OUTLIVE_PAGE_SCOPE: v.optional(v.string(), "openid"),
  OUTLIVE_PAGE_TOKEN: v.optional(
    v.picklist(["access_token", "id_token"], 'is the token that the page sends: "access_token" or "id_token".'),
    "access_token",
  ),
};

export interface ProjectionTables {
  readonly jobs: { readonly A: string; readonly B: string };
  readonly meta: string;
  readonly retentionDays: number;
}

export interface LogTables {
  readonly log: string;
  readonly meta: string;
  readonly retentionDays: number;
}

export type AllTables = ProjectionTables & LogTables;

export interface IngestSettings {
  readonly stage: string;
  readonly tables: LogTables;
  /** Where messages go that no record holds; absent: of those only size and reason are kept. */
  readonly setAsideBucket?: string;
  /** Where an emulator stands in for AWS (`AWS_ENDPOINT_URL`, the SDK's own variable). Only S3 must know: it would put the bucket's name before the host's. */
  readonly endpoint?: string;
  readonly open: boolean;
}

export function readIngestSettings(environment: Environment): IngestSettings {
  const read = readVariables(environment, { ...STAGE, ...LOG, ...META, ...RETENTION, ...OPEN, ...ASIDE, ...ENDPOINT });
  return {
    stage: read.OUTLIVE_STAGE,
    tables: logTables(read),
    ...(read.OUTLIVE_SET_ASIDE_BUCKET !== undefined && { setAsideBucket: read.OUTLIVE_SET_ASIDE_BUCKET }),
    ...(read.AWS_ENDPOINT_URL !== undefined && { endpoint: read.AWS_ENDPOINT_URL }),
    open: read.OUTLIVE_OPEN_MODE,
  };
}

export interface ProjectSettings {
  readonly stage: string;
  readonly tables: ProjectionTables;
  readonly refoldQueueUrl: string;
}

export function readProjectSettings(environment: Environment): ProjectSettings {
  const read = readVariables(environment, { ...STAGE, ...JOBS, ...META, ...RETENTION, ...REFOLD });
  return {
    stage: read.OUTLIVE_STAGE,
    tables: projectionTables(read),
    refoldQueueUrl: read.OUTLIVE_REFOLD_QUEUE_URL,
  };
}

export interface RefoldSettings {
  readonly stage: string;
  readonly tables: AllTables;
}

export function readRefoldSettings(environment: Environment): RefoldSettings {
  const read = readVariables(environment, { ...STAGE, ...LOG, ...JOBS, ...META, ...RETENTION });
  return { stage: read.OUTLIVE_STAGE, tables: allTables(read) };
}

export interface ReplaySettings extends RefoldSettings {
  /** Where the function sends itself a message to go on; absent: whoever invokes it does so again. */
  readonly queueUrl?: string;
}

export function readReplaySettings(environment: Environment): ReplaySettings {
  const read = readVariables(environment, { ...STAGE, ...LOG, ...JOBS, ...META, ...RETENTION, ...TURNS });
  const { OUTLIVE_REPLAY_QUEUE_URL: queueUrl } = read;
  return { stage: read.OUTLIVE_STAGE, tables: allTables(read), ...(queueUrl !== undefined && { queueUrl }) };
}

export interface AuditSettings extends RefoldSettings {
  readonly refoldQueueUrl: string;
}

export function readAuditSettings(environment: Environment): AuditSettings {
  const read = readVariables(environment, { ...STAGE, ...LOG, ...JOBS, ...META, ...RETENTION, ...REFOLD });
  return {
    stage: read.OUTLIVE_STAGE,
    tables: allTables(read),
    refoldQueueUrl: read.OUTLIVE_REFOLD_QUEUE_URL,
  };
}

export interface SweepSettings {
  readonly stage: string;
  readonly tables: ProjectionTables;
}

export function readSweepSettings(environment: Environment): SweepSettings {
  const read = readVariables(environment, { ...STAGE, ...JOBS, ...META, ...RETENTION });
  return { stage: read.OUTLIVE_STAGE, tables: projectionTables(read) };
}

export interface QuerySettings {
  readonly stage: string;
  readonly tables: AllTables;
  readonly readers: ReaderSettings;
}

export function readQuerySettings(environment: Environment): QuerySettings {
  const read = readVariables(environment, { ...STAGE, ...LOG, ...JOBS, ...META, ...RETENTION, ...READERS });
  return { stage: read.OUTLIVE_STAGE, tables: allTables(read), readers: readerSettings(read) };
}

export interface PageSettings extends PageReaders {
  readonly stage: string;
}

/** Who reads the page, and how they sign in. */
export interface PageReaders {
  readonly readers: ReaderSettings;
  /** The page as a public client of the issuer (authorization code with PKCE). @default a reader pastes a token */
  readonly client?: {
    readonly clientId: string;
    readonly authorizationEndpoint: string;
    readonly tokenEndpoint: string;
    readonly scope: string;
    readonly tokenToSend: "access_token" | "id_token";
  };
}

export function readPageSettings(environment: Environment): PageSettings {
  const read = readVariables(environment, { ...STAGE, ...READERS, ...CLIENT });
  const { OUTLIVE_PAGE_CLIENT_ID: clientId, OUTLIVE_PAGE_AUTHORIZATION_URL: authorizationEndpoint } = read;
  const { OUTLIVE_PAGE_TOKEN_URL: tokenEndpoint } = read;
  const settings = { stage: read.OUTLIVE_STAGE, readers: readerSettings(read) };
  const given = [clientId, authorizationEndpoint, tokenEndpoint].filter((value) => value !== undefined);
  if (given.length === 0) return settings;
  if (clientId === undefined || authorizationEndpoint === undefined || tokenEndpoint === undefined) {
    throw new ConfigurationError(
      "OUTLIVE_PAGE_CLIENT_ID, OUTLIVE_PAGE_AUTHORIZATION_URL and OUTLIVE_PAGE_TOKEN_URL go together: set all of them, or none and readers paste a token.",
    );
  }
  const { OUTLIVE_PAGE_SCOPE: scope, OUTLIVE_PAGE_TOKEN: tokenToSend } = read;
  return { ...settings, client: { clientId, authorizationEndpoint, tokenEndpoint, scope, tokenToSend } };
}

type Read<Variables extends v.ObjectEntries> = v.InferOutput<v.ObjectSchema<Variables, undefined>>;
type ReadLog = Read<typeof LOG>;
type ReadJobs = Read<typeof JOBS>;
type ReadMeta = Read<typeof META & typeof RETENTION>;

function logTables(read: ReadLog & ReadMeta): LogTables {
  return { log: read.OUTLIVE_LOG_TABLE, meta: read.OUTLIVE_META_TABLE, retentionDays: read.OUTLIVE_RETENTION_DAYS };
}

function projectionTables(read: ReadJobs & ReadMeta): ProjectionTables {
  const jobs = { A: read.OUTLIVE_JOBS_TABLE_A, B: read.OUTLIVE_JOBS_TABLE_B };
  return { jobs, meta: read.OUTLIVE_META_TABLE, retentionDays: read.OUTLIVE_RETENTION_DAYS };
}

function allTables(read: ReadLog & ReadJobs & ReadMeta): AllTables {
  return { ...logTables(read), ...projectionTables(read) };
}
