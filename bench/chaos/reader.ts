import { setTimeout as pause } from "node:timers/promises";
import type { JobAnswer } from "../../src/explain/answer-document.ts";
import { fieldsOf, itemsOf } from "../../src/kubernetes/json/json-field.ts";
import type { Said, Told } from "./judge-answers.ts";

/** A Job that a reader can ask for. */
export interface Asked {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

export interface ReaderOptions {
  readonly api: string;
  readonly clusters: readonly string[];
  /** The Jobs that exist or existed, the newest last. */
  readonly jobs: () => readonly Asked[];
  readonly random: () => number;
  readonly pauseMillis: number;
}

const TIMEOUT_MILLIS = 10_000;
const LISTED_SHARE = 0.05;
/** Old Jobs change seldom: most questions are about the newest. */
const NEWEST = 60;
const LIST_LIMIT = 200;

/** Queries the API continuously, and keeps its answers. A failed query is counted. */
export class Reader {
  readonly told: Told[] = [];
  asked = 0;
  unanswered = 0;
  readonly #options: ReaderOptions;
  #isStopped = false;
  #running: Promise<void> | undefined;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    const { random, clusters, pauseMillis } = this.#options;
    while (!this.#isStopped) {
      const cluster = clusters[Math.floor(random() * clusters.length)] ?? "";
      if (random() < LISTED_SHARE) await this.#list(cluster);
      else await this.#askOne(cluster);
      await pause(pauseMillis);
    }
  }

  async #askOne(cluster: string): Promise<void> {
    const { jobs, random } = this.#options;
    const known = jobs();
    const from = random() < 0.8 ? Math.max(0, known.length - NEWEST) : 0;
    const job = known[from + Math.floor(random() * (known.length - from))];
    if (job === undefined) return;
    const { namespace, name, uid } = job;
    const path = `/v1/clusters/${cluster}/namespaces/${namespace}/jobs/${name}?uid=${uid}`;
    const { body, ...times } = await this.#ask(path);
    if (body === "unanswered") return;
    const said = body === "not found" ? {} : { said: saidOf(body as unknown as JobAnswer) };
    this.told.push({ cluster, uid, source: "job", ...times, ...said });
  }

  async #list(cluster: string): Promise<void> {
    const { body, ...times } = await this.#ask(`/v1/jobs?cluster=${cluster}&limit=${LIST_LIMIT}`);
    if (typeof body === "string") return;
    for (const row of itemsOf(body["items"])) {
      const answer = row as JobAnswer;
      this.told.push({ cluster, uid: answer.uid, source: "list", ...times, said: saidOf(answer) });
    }
  }

  async #ask(path: string) {
    this.asked += 1;
    const askedAt = Date.now();
    const body = await answerOf(`${this.#options.api}${path}`);
    if (body === "unanswered") this.unanswered += 1;
    return { askedAt, answeredAt: Date.now(), body };
  }
}

/** A server that is down, or reports a failure, gives no answer. */
export async function answerOf(url: string) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MILLIS) });
    if (response.status === 404) return "not found" as const;
    return response.ok ? fieldsOf(await response.json()) : ("unanswered" as const);
  } catch (cause) {
    if (cause instanceof Error) return "unanswered" as const;
    throw cause;
  }
}

function saidOf({ pods, status, verdict, completeness, deletedAt }: JobAnswer): Said {
  return {
    counts: {
      seen: pods.seen,
      succeeded: pods.succeeded,
      failed: pods.failed,
      statusSucceeded: status.succeeded ?? 0,
      statusFailed: status.failed ?? 0,
    },
    state: verdict.state,
    isFinal: verdict.final,
    isDeleted: deletedAt !== undefined,
    isStale: completeness.level === "stale",
    ...(completeness.heardAt !== undefined && { heardAt: completeness.heardAt }),
  };
}
