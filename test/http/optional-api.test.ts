import { describe, expect, it } from "vitest";
import { createApi } from "../../src/http/create-api.ts";
import { API_PARTS } from "../../src/host/optional/api-parts.ts";
import { storesOver } from "../support/stores/stores-with-facts.ts";
import { storesWith } from "../support/story/listed-job.ts";

const EVIDENCE = "/v1/clusters/east/namespaces/shop/jobs/report/evidence";

const onError = (error: Error) => expect.unreachable(error.message);

/** The status of each path, or which of two problems it has. */
async function answersOf(parts: Partial<typeof API_PARTS>): Promise<readonly (number | string)[]> {
  const stores = storesOver(await storesWith([]));
  const api = createApi({ ...parts, stores, access: { kind: "inProcess" }, now: () => 0, version: "0.0.0", onError });
  const answers: (number | string)[] = [];
  for (const path of ["/v1/jobs", "/apis", "/clusters/east/apis", EVIDENCE, "/v1/openapi.json"]) {
    const response = await api.request(path);
    answers.push(/no-such-route|no-archive/.exec(await response.text())?.[0] ?? response.status);
  }
  return answers;
}

describe("a build of the API", () => {
  it("answers all routes with its optional parts", async () => {
    expect(await answersOf(API_PARTS)).toEqual([200, 200, 200, "no-archive", 200]);
  });

  it("answers its own routes without them, and knows no others", async () => {
    expect(await answersOf({})).toEqual([200, "no-such-route", "no-such-route", "no-such-route", 200]);
  });
});
