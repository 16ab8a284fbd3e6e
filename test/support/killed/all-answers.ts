import type { Embedded } from "../../../src/host/embedded/embedded-tracker.ts";
import { inProcessClient } from "../../../src/host/embedded/in-process-client.ts";
import { scrape } from "../stores/metered-tracker.ts";

interface ListedJobs {
  readonly items: readonly {
    readonly cluster: string;
    readonly namespace: string;
    readonly uid: string;
    name: string;
  }[];
  readonly nextCursor?: string;
}

/** Everything that a reader learns from a tracker: lists, each Job's own answers, and metrics. */
export async function allAnswers(embedded: Embedded): Promise<Readonly<Record<string, unknown>>> {
  const client = inProcessClient(embedded, "tracker");
  const answers: Record<string, unknown> = {};
  const ask = async (path: string): Promise<unknown> => {
    const response = await client.request(path);
    return (answers[path] = await response.json());
  };
  let page = "/v1/jobs?limit=100";
  for (let cursor: string | undefined = ""; cursor !== undefined;) {
    const listed = (await ask(page)) as ListedJobs;
    for (const { cluster, namespace, name, uid } of listed.items) {
      const job = `/v1/clusters/${cluster}/namespaces/${namespace}/jobs/${name}`;
      for (const part of ["", "/pods", "/history", "/why"]) await ask(`${job}${part}?uid=${uid}`);
    }
    cursor = listed.nextCursor;
    page = `/v1/jobs?limit=100&cursor=${cursor ?? ""}`;
  }
  for (const path of ["/v1/clusters", "/v1/cronjobs", "/v1/gaps", "/v1/summary"]) await ask(path);
  return { ...answers, metrics: await scrape(embedded) };
}
