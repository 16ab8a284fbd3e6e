import { type ApiClient, getJson } from "../../src/host/client/api-client.ts";
import type { Query } from "../../src/http/contract/api-paths.ts";
import type { CronJobAnswer } from "../../src/query/cron-jobs/cron-jobs.ts";
import { count } from "../../src/job/text/sentence.ts";
import { terminalText } from "../../src/job/text/terminal-text.ts";

const MAX_NAMED = 5;

/** What to print below Jobs with findings about CronJobs that have some; `undefined` if none has. Reads one page. */
export async function cronJobsText(api: ApiClient, { cluster, namespace }: Query): Promise<string | undefined> {
  const query = { cluster, namespace, attention: true };
  const { items, nextCursor } = await getJson<Page>(api, "/v1/cronjobs", query);
  if (items.length === 0) return undefined;
  const named = items.slice(0, MAX_NAMED).map(textOf).join(", ");
  const isMore = items.length > MAX_NAMED || nextCursor !== undefined;
  const has = items.length === 1 ? "has" : "have";
  const many = `${nextCursor === undefined ? "" : "At least "}${count(items.length, "CronJob")} ${has} findings`;
  return `${many}: ${named}${isMore ? ", ..." : ""}. "outlive cronjobs --attention" explains them.`;
}

interface Page {
  readonly items: readonly CronJobAnswer[];
  readonly nextCursor?: string;
}

function textOf({ namespace, name, findings = [] }: CronJobAnswer): string {
  return `${terminalText(namespace)}/${terminalText(name)} (${findings.map(({ kind }) => kind).join(", ")})`;
}
