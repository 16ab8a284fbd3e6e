import manifest from "../../package.json" with { type: "json" };
import { type ApiClient, getJson } from "../../src/host/client/api-client.ts";
import type { ClusterAnswer } from "../../src/query/clusters/clusters.ts";
import { type Check, checkThat, failed, ok, warning } from "../doctor/check.ts";
import { checkApi } from "../doctor/check-api.ts";
import { kubernetesCheck, runtimeChecks } from "./support-policy.ts";

/** Which release a server has, and whether its clusters are supported. */
export async function* checkServer(api: ApiClient, now: () => number): AsyncGenerator<Check> {
  yield* runtimeChecks();
  yield* checkServedRelease(api, now);
  yield { check: "formats", result: "skipped", detail: FORMATS };
}

/** What every API shows: that of a server, and that of a deployment. */
export async function* checkServedRelease(api: ApiClient, now: () => number): AsyncGenerator<Check> {
  for await (const check of checkApi(api, now)) {
    yield check;
    if (check.result === "failed") return;
  }
  yield await checkThat("server", async () => {
    const { info } = await getJson<{ readonly info: { readonly version: string } }>(api, "/v1/openapi.json");
    return compared(api.name, info.version);
  });
  const { items } = await getJson<{ readonly items: readonly ClusterAnswer[] }>(api, "/v1/clusters");
  yield kubernetesCheck(items);
}

const FORMATS = 'A server does not report its formats: run "outlive upgrade --check --database FILE" beside it.';

function compared(name: string, served: string) {
  const order = compareReleases(served, manifest.version);
  if (order === undefined) return failed(`${name} reports release ${JSON.stringify(served)}, which is no version.`);
  if (order === 0) return ok(`${name} runs Outlive ${served}.`);
  if (order > 0) return warning(`${name} runs Outlive ${served}: update this program, which is ${manifest.version}.`);
  return warning(
    `${name} runs Outlive ${served}: ${manifest.version} can replace it. Read "Upgrading" in the changelog first.`,
  );
}

/** Below 0 if the first is earlier. */
export function compareReleases(one: string, other: string): number | undefined {
  const [left, right] = [partsOf(one), partsOf(other)];
  if (left === undefined || right === undefined) return undefined;
  const differences = left.map((part, index) => part - (right[index] ?? 0));
  return differences.find((difference) => difference !== 0) ?? 0;
}

function partsOf(release: string): readonly number[] | undefined {
  const [, ...parts] = /^(\d+)\.(\d+)\.(\d+)(?:-|$)/.exec(release) ?? [];
  return parts.length === 3 ? parts.map(Number) : undefined;
}
