import { describe, expect, it } from "vitest";
import { checkConcurrency } from "../../../cli/doctor/check-concurrency.ts";

const refused = () => Promise.reject(new Error("Access denied."));

describe("the concurrency of an account", () => {
  it("is enough if the functions of the stage use no more", async () => {
    expect(await checkConcurrency(99, async () => ({ total: 1000, unreserved: 900 }))).toEqual({
      check: "concurrency",
      result: "ok",
      detail:
        "The functions use up to 99 of the account's 1000 concurrent executions; 900 are not reserved for any " +
        "function.",
    });
  });

  it("is too small in a new account, which has 10: a warning says what to ask for", async () => {
    const check = await checkConcurrency(99, async () => ({ total: 10, unreserved: 10 }));
    expect(check.result).toBe("warning");
    expect(check.detail).toMatch(/up to 99 concurrent executions, and the account has 10\..*Service Quotas/);
  });

  it("is not checked where the endpoint does not report it", async () => {
    expect(await checkConcurrency(99, async () => undefined)).toMatchObject({ result: "skipped" });
  });

  it("is not checked without the permission to read it: a warning says so", async () => {
    expect(await checkConcurrency(99, refused)).toMatchObject({
      result: "warning",
      detail: "The account's quota could not be compared with what the functions use. Access denied.",
    });
  });
});
