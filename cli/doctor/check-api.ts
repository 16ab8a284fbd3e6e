import { type ApiClient, tryGetJson } from "../../src/client/api-client.ts";
import { gatewayRefusal } from "../../src/client/gateway-refusal.ts";
import { type Check, checkThat, failed, type Finding, ok, warning } from "./check.ts";

/** Tokens are given a minute: src/oidc. */
const SKEW_MILLIS = 60_000;

/** Whether the API runs, can read its stores, and takes who asks. */
export async function* checkApi(api: ApiClient, now: () => number): AsyncGenerator<Check> {
  const ready = await checkThat("api", async () => {
    const response = await api.request("/v1/readyz");
    if (response.ok) return clockOf(api, response, now());
    return failed(await refusalOf(api, response));
  });
  yield ready;
  if (ready.result === "failed") return;
  yield await checkThat("reader", async () => {
    const reply = await tryGetJson(api, "/v1/clusters");
    if (reply.outcome === "answered") return ok("It takes who asks.");
    return failed(`It refuses who asks: ${reply.problem.detail}`);
  });
}

async function refusalOf({ name }: ApiClient, response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => undefined);
  return (
    gatewayRefusal(name, response.status, body) ??
    `${name} answers ${response.status} to /v1/readyz: it runs and cannot read its tables, or is something else. See its log.`
  );
}

function clockOf(api: ApiClient, response: Response, now: number): Finding {
  const theirs = Date.parse(response.headers.get("date") ?? "");
  const apart = Math.abs(theirs - now);
  if (!(apart > SKEW_MILLIS)) return ok(`${api.name} runs and reads its tables.`);
  return warning(
    `${api.name} runs, and its clock is ${Math.round(apart / 1_000)} s apart from this machine's: set this one's, or tokens and probes are taken for too old or too new.`,
  );
}
