import { MemoryJobStore } from "../../support/stores/memory-job-store.ts";
import { describe, expect, it } from "vitest";
import { admitCaller } from "../../../src/http/access/iam-access.ts";
import { createApi } from "../../../src/http/create-api.ts";
import { MemoryRegistrations } from "../../support/aws/memory-registrations.ts";
import { listedJob, storesWith } from "../../support/story/listed-job.ts";
import { API_PARTS } from "../../../src/host/optional/api-parts.ts";

const ROLE = "AROAREADER000000001";

/** Access by what the parameters of some principals contain. */
function accessOf(parameters: Readonly<Record<string, object>>) {
  const registrations = new MemoryRegistrations();
  for (const [id, value] of Object.entries(parameters)) registrations.put("readers", id, value);
  return { kind: "iam", readers: registrations.cached("readers") } as const;
}

async function api(readers: Readonly<Record<string, object>>) {
  const ports = await storesWith([listedJob(), listedJob({ uid: "uid-2", namespace: "theirs", name: "secret" })]);
  const app = createApi({
    ...API_PARTS,
    stores: {
      projections: { open: () => ports.jobs, runs: () => new MemoryJobStore() },
      meta: ports.meta,
      log: ports.log,
    },
    access: accessOf(readers),
    now: () => 0,
    version: "0.0.0",
    onError: (error) => {
      throw error;
    },
  });
  return async (iamCaller: string | undefined, headers: Readonly<Record<string, string>> = {}) => {
    const response = await app.request("/v1/jobs", { headers }, { iamCaller });
    return { status: response.status, text: await response.text() };
  };
}

describe("an API that asks for an AWS signature", () => {
  it("answers a role with what was granted to it, whatever the session is called", async () => {
    const ask = await api({ [ROLE]: { grants: ["east/batch"] } });
    const { status, text } = await ask(`${ROLE}:someone@example.org`);
    expect(status).toBe(200);
    expect(text).toContain("report");
    expect(text).not.toContain("secret");
  });

  it.each<readonly [string, string | undefined, number]>([
    ["who did not sign", undefined, 401],
    ["who signed without a principal", "", 401],
    ["without any grant", "AROAOTHER0000000001:x", 403],
    ["whose grants were revoked", "AIDAREVOKED00000001", 403],
    ["whose grants are none", "AIDANONSENSE0000001", 403],
    ["a federated user of a granted account's root", "123456789012:bob", 403],
  ])("refuses %s", async (_, caller, status) => {
    const ask = await api({
      [ROLE]: { grants: ["east/batch"] },
      AIDAREVOKED00000001: { grants: [] },
      AIDANONSENSE0000001: { grants: ["east"] },
      "123456789012": { grants: ["*"] },
    });
    expect((await ask(caller)).status).toBe(status);
  });

  it("takes the signer's identity from API Gateway only", async () => {
    const ask = await api({ [ROLE]: { grants: ["*"] } });
    for (const name of ["iamCaller", "x-amzn-iam-caller", "x-amz-user-arn", "authorization", "x-forwarded-user"]) {
      expect((await ask(undefined, { [name]: ROLE })).status).toBe(401);
    }
  });
});

describe("the admission of a signer", () => {
  it("limits the principal, whatever its session, and names both in what the reader writes", async () => {
    const arn = "arn:aws:iam::111122223333:role/on-call";
    const grants = ["*", "acknowledge:east/*"];
    expect(await admitCaller(accessOf({ [ROLE]: { grants, arn } }), `${ROLE}:alice`)).toEqual({
      outcome: "admitted",
      scope: "everything",
      acknowledges: { grants: [{ cluster: "east", namespaces: "all" }] },
      reader: `principal ${ROLE}`,
      name: `${arn} (alice)`,
    });
    const unnamed = await admitCaller(accessOf({ [ROLE]: { grants } }), ROLE);
    expect(unnamed).toMatchObject({ name: `principal ${ROLE}` });
  });

  it.each([
    [undefined, 401, "has no AWS signature"],
    ["", 401, "has no AWS signature"],
    [`${ROLE}:x`, 403, `Principal ${ROLE} has no grants.`],
  ])("of %j is refused with what to do", async (caller, status, detail) => {
    expect(await admitCaller(accessOf({}), caller)).toMatchObject({
      outcome: "refused",
      problem: { status, detail: expect.stringContaining(detail) as string },
    });
  });
});
