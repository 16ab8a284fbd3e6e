import { describe, expect, it } from "vitest";
import { setHold } from "../../../cli/retention/hold-records.ts";

describe("a hold in a database that does not exist", () => {
  it("is refused", async () => {
    const hold = { database: "/nonexistent/x.sqlite", cluster: "east", reason: "x" };
    await expect(setHold(undefined, hold)).rejects.toThrow("There is no database");
  });
});
