import { describe, expect, it } from "vitest";
import { awsError } from "../../../src/adapters/aws/aws-error.ts";
import { isOutage } from "../../../src/adapters/aws/is-outage.ts";

const failed = (name: string) => awsError("Table log", Object.assign(new Error("no"), { name }));

describe("an outage", () => {
  it.each(["ServiceUnavailable", "ThrottlingException", "AccessDeniedException", "ResourceNotFoundException"])(
    "is what time or an operator can end: %s",
    (name) => {
      expect(isOutage(failed(name))).toBe(true);
    },
  );

  it("is not a request that AWS refuses for its content, or a defect", () => {
    expect(isOutage(failed("ValidationException"))).toBe(false);
    expect(isOutage(new TypeError("x is undefined"))).toBe(false);
  });
});
