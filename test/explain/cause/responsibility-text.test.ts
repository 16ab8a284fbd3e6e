import { expect, it } from "vitest";
import { responsibilityText } from "../../../src/explain/cause/responsibility-text.ts";

it("says who is responsible for a cause, and what a retry needs", () => {
  const text = responsibilityText({ responsible: "limit", retry: "more-memory" });
  expect(text).toBe("Responsible: limit. Retry: more-memory");
});
