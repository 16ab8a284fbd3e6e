import { describe, expect, it } from "vitest";
import { grantReader, listReaders, readerRights } from "../../../src/query/access/readers.ts";
import { MemoryRegistrations } from "../../support/aws/memory-registrations.ts";

const principalId = "AROAEXAMPLE";
const NOW = Date.parse("2026-01-01T00:00:00Z");

async function rightsOf(registrations: MemoryRegistrations) {
  return readerRights(await registrations.cached("readers").find(principalId));
}

describe("the readers of a stage", () => {
  it("are listed by id, with their grants", async () => {
    const registrations = new MemoryRegistrations();
    registrations.at = NOW;
    const reader = { principalId, grants: ["east/batch"], arn: "arn:aws:iam::111122223333:role/viewer" };
    const other = { principalId: "AIDAEXAMPLE", grants: ["*"] };
    await grantReader(registrations, reader);
    await grantReader(registrations, other);
    expect(await listReaders(registrations)).toEqual([other, reader].map((each) => ({ ...each, grantedAt: NOW })));
    expect(await rightsOf(registrations)).toEqual({
      scope: { grants: [{ cluster: "east", namespaces: ["batch"] }] },
      acknowledges: { grants: [] },
      arn: reader.arn,
    });
  });

  it("lose their earlier grants when they get new ones", async () => {
    const registrations = new MemoryRegistrations();
    await grantReader(registrations, { principalId, grants: ["east/batch"] });
    await grantReader(registrations, { principalId, grants: ["west/*"] });
    expect((await listReaders(registrations)).map(({ grants }) => grants)).toEqual([["west/*"]]);
  });

  it.each([[{ grants: [] }], [{ grants: "*" }], [{ grants: ["east"] }], [{ grants: ["acknowledge:*"] }], [{}]])(
    "have no access with a parameter that contains %j",
    async (value) => {
      const registrations = new MemoryRegistrations();
      registrations.put("readers", principalId, value);
      expect(await rightsOf(registrations)).toBeUndefined();
    },
  );
});
