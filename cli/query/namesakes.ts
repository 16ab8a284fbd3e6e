import { type ApiClient, getItems, type JobLocation } from "../../src/client/api-client.ts";
import type { JobAnswer } from "../../src/explain/answer-document.ts";

/** Enough to find the namespaces of a name that many CronJobs do not use. */
const MOST_READ = 100;

/** A sentence about Jobs of this name in other namespaces of the cluster; empty if there are none. */
export async function namesakesText(api: ApiClient, { cluster, namespace, name }: JobLocation): Promise<string> {
  const { items } = await getItems<JobAnswer>(api, "/v1/jobs", { cluster, name, limit: MOST_READ });
  const others = [...new Set(items.map((job) => job.namespace))].filter((other) => other !== namespace).sort();
  const [first] = others;
  if (first === undefined) return "";
  return others.length === 1
    ? `Namespace ${first} has a Job of this name: add -n ${first}.`
    : `Namespaces ${others.join(", ")} have Jobs of this name: choose one with -n.`;
}
