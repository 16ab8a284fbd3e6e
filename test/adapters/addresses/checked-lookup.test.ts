import type { LookupAddress } from "node:dns";
import { describe, expect, it } from "vitest";
import {
  checkedLookup,
  connectionProblem,
  hostOf,
  refusedHost,
} from "../../../src/adapters/addresses/checked-lookup.ts";
import { allowList } from "../../../src/adapters/addresses/refused-addresses.ts";

const allowed = allowList([]);

/** What a connection gets for a name that resolves to these addresses. */
function resolved(addresses: readonly string[], all: boolean) {
  const found: readonly LookupAddress[] = addresses.map((address) => ({ address, family: 4 }));
  const lookup = checkedLookup({ allowed, lookup: (_, done) => done(null, found) });
  return new Promise((settle) => {
    lookup("host.example", { all }, (error, address) => settle(error === null ? address : error.message));
  });
}

describe("a lookup", () => {
  it("gives the addresses of a name, or the first", async () => {
    expect(await resolved(["192.0.2.1", "192.0.2.2"], false)).toBe("192.0.2.1");
    expect(await resolved(["192.0.2.1"], true)).toEqual([{ address: "192.0.2.1", family: 4 }]);
  });

  it("fails if a name has no address, or one that is refused", async () => {
    expect(await resolved([], false)).toBe("no address");
    expect(await resolved(["192.0.2.1", "169.254.169.254"], true)).toContain("resolves to 169.254.169.254");
  });
});

describe("a host", () => {
  it("that is an address is refused by itself, a name when it is resolved", () => {
    expect(refusedHost(hostOf(new URL("smtp://[fd00:ec2::254]:25")), { allowed })).toContain("allowAddresses");
    expect(refusedHost("192.0.2.1", { allowed })).toBeUndefined();
    expect(refusedHost("metadata.example", { allowed })).toBeUndefined();
  });
});

it("the problem of a connection is a clause for people, or the code of the system", () => {
  expect(connectionProblem(Object.assign(new Error("x"), { code: "ECONNREFUSED" }))).toBe("connection refused");
  expect(connectionProblem(Object.assign(new Error("x"), { code: "EOTHER" }))).toBe("EOTHER");
});
