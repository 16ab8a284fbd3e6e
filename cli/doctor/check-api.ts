import { type ApiClient, tryGetJson } from "../../src/host/client/api-client.ts";
import { isProblem } from "../../src/http/contract/problem.ts";
import { gatewayRefusal } from "../../src/host/client/gateway-refusal.ts";
import { type Check, checkThat, failed, type Finding, ok, warning } from "./check.ts";

/** Token checks allow a clock difference of a minute (src/adapters/oidc). */
const SKEW_MILLIS = 60_000;

/** Checks that the API runs, can read its stores, and gives this reader access. */
export async function* checkApi(api: ApiClient, now: () => number): AsyncGenerator<Check> {
  const ready = await checkThat("api", async () => {
    const response = await api.request("/v1/readyz");
    if (response.ok) return clockOf(api, response, now());
    return failed(await problemOf(api, response));
  });
  yield ready;
  if (ready.result === "failed") return;
  yield await checkThat("reader", async () => {
    const reply = await tryGetJson(api, "/v1/clusters");
    if (reply.outcome === "answered") return ok("The API accepts your credentials.");
    return failed(`The API denies access: ${reply.problem.detail}`);
  });
}

async function problemOf({ name }: ApiClient, response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => undefined);
  if (isProblem(body)) return `${name} is not ready. ${body.detail}`;
  return (
    gatewayRefusal(name, response.status, body) ??
    `${name} answers ${response.status} to /v1/readyz: it cannot read its tables, or it is not Outlive. Check its log.`
  );
}

function clockOf(api: ApiClient, response: Response, now: number): Finding {
  const serverTime = Date.parse(response.headers.get("date") ?? "");
  const skew = Math.abs(serverTime - now);
  if (!(skew > SKEW_MILLIS)) return ok(`${api.name} runs and reads its tables.`);
  return warning(
    `${api.name} runs, and its clock differs from this machine's by ${Math.round(skew / 1_000)} s. ` +
      "Correct this machine's clock: otherwise tokens and probes count as expired or not yet valid.",
  );
}
