import { MAX_WAIT_SECONDS } from "../../src/http/streams/long-poll.ts";
import { exponentialBackOff } from "../../src/ports/concurrency/back-off.ts";
import { pause } from "../../src/ports/concurrency/pause.ts";
import type { JobChange } from "../../src/explain/answer-document.ts";
import { type ApiClient, getJson } from "../../src/host/client/api-client.ts";
import type { Query } from "../../src/http/contract/api-paths.ts";
import { CommandFailure } from "../../src/host/command-line/command-failure.ts";
import { jobResourceName } from "../output/job-columns.ts";
import { type JobFilterOptions, jobFilterQuery } from "../options/job-filter-options.ts";
import { isForPeople } from "../output/print-answer.ts";
import type { PrintOptions } from "../options/query-options.ts";
import { escapeControls, terminalText } from "../../src/job/text/terminal-text.ts";

export interface FollowOptions extends PrintOptions, JobFilterOptions {
  readonly since?: string;
  readonly cursor?: string;
  readonly limit: number;
}

export interface ChangesPage {
  readonly items: readonly JobChange[];
  readonly nextCursor: string;
  readonly more: boolean;
}

/** The largest page of a server. */
export const MOST_CHANGES = 500;

/** The first page with changes, or the last one. In a fleet of many clusters, the pages before may be empty. */
export async function firstChanges(api: ApiClient, options: FollowOptions): Promise<ChangesPage> {
  let page = await getJson<ChangesPage>(api, "/v1/changes", changesQuery(options));
  while (page.items.length === 0 && page.more) {
    page = await getJson(api, "/v1/changes", changesQuery({ ...options, cursor: page.nextCursor }));
  }
  return page;
}

/** Throws CommandFailure for a format that cannot be printed line by line. */
export function requireFollowable({ output }: PrintOptions): void {
  if (typeof output !== "object" && output !== "csv") return;
  throw new CommandFailure(2, "Changes that are followed have no such format. Use -o table, name or json.");
}

/** Polls of a server that cannot stream: soon after a change, and like the page while nothing changes. */
const POLLS = exponentialBackOff({ firstMillis: 5_000, maxMillis: 30_000, jitter: "half" }, () => 0);

export interface FollowHost {
  readonly write: (line: string) => void;
  /** Resolves to false to end. */
  readonly pause: (milliseconds: number) => Promise<boolean>;
}

const PROCESS: FollowHost = { write: (line) => process.stdout.write(line), pause };

/** Prints each change on a line, as it occurs. A server that can stream is asked to wait for changes. */
export async function follow(api: ApiClient, options: FollowOptions, host: FollowHost = PROCESS): Promise<void> {
  requireFollowable(options);
  const waitSeconds = (await api.canStream?.()) === false ? undefined : MAX_WAIT_SECONDS;
  let { cursor } = options;
  let idle = 0;
  for (let isOpen = true; isOpen;) {
    const query = { ...changesQuery(options), cursor, waitSeconds };
    const { items, nextCursor, more }: ChangesPage = await getJson(api, "/v1/changes", query);
    cursor = nextCursor;
    for (const change of items) host.write(`${lineOf(change, options)}\n`);
    idle = items.length === 0 ? idle + 1 : 1;
    if (waitSeconds === undefined && !more) isOpen = await host.pause(POLLS(idle));
  }
}

function lineOf(change: JobChange, options: FollowOptions): string {
  if (options.output === "name") return terminalText(jobResourceName(change.job));
  if (!isForPeople(options)) return escapeControls(JSON.stringify(change));
  return CHANGE_COLUMNS.map(({ cell }) => terminalText(cell(change))).join("   ");
}

export function changesQuery(options: FollowOptions): Query {
  const { since, cursor, limit } = options;
  return { ...jobFilterQuery(options), since: cursor === undefined ? since : undefined, cursor, limit };
}

export const CHANGE_COLUMNS = [
  { header: "TIME", cell: ({ job: { asOf } }: JobChange) => (asOf.bound === "lower" ? `>=${asOf.time}` : asOf.time) },
  { header: "NAMESPACE", cell: ({ job }: JobChange) => job.namespace },
  { header: "NAME", cell: ({ job }: JobChange) => job.name },
  { header: "BEFORE", cell: ({ previous }: JobChange) => previous ?? "-" },
  { header: "STATUS", cell: ({ job }: JobChange) => statusOf(job) },
  { header: "FINDINGS", cell: ({ job }: JobChange) => job.findings.map(({ kind }) => kind).join(",") || "-" },
];

function statusOf({ verdict, deletedAt }: JobChange["job"]): string {
  const reason = verdict.reason === undefined ? "" : ` (${verdict.reason})`;
  return `${verdict.state}${reason}${deletedAt === undefined || verdict.state === "Deleted" ? "" : ", deleted"}`;
}
