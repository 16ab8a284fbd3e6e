import { expect, it } from "vitest";
import { openPartialStates } from "../../../functions/lambda/open-partial-states.ts";

it("partial states have a bucket of their own", () => {
  expect(openPartialStates({ bucket: "outlive-replay", endpoint: undefined }).name).toBe("s3://outlive-replay");
});
