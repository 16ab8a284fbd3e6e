import { describe, expect, it } from "vitest";
import { startEmulator } from "./emulator.ts";

describe("the emulator of the tests", () => {
  it("is the one at AWS_ENDPOINT_URL if set, and keeps running after the tests", async () => {
    const given = await startEmulator("localstack", { AWS_ENDPOINT_URL: "http://localhost:4566" });
    expect(given).toMatchObject({ by: "given", endpoint: "http://localhost:4566" });
    expect(given.environment).toMatchObject({ AWS_ENDPOINT_URL: given.endpoint, AWS_ENDPOINT_URL_S3: given.endpoint });
    given.stop();
    expect(given.functionProcesses()).toEqual([]);
  });
});
