import { describe, expect, it } from "vitest";
import { exitStatusOf, withOptionHint } from "../../../cli/output/exit-status.ts";
import { ApiError, NotFoundError } from "../../../src/host/client/api-error.ts";
import { CommandFailure } from "../../../src/host/command-line/command-failure.ts";

describe("the exit status of a command", () => {
  it.each<[string, unknown, number]>([
    ["1 for an unknown object", new NotFoundError("Not found.", { status: 404 }), 1],
    ["2 for an error of the API", new ApiError("Unavailable.", { status: 503 }), 2],
    ["2 for any other error", new Error("Broken."), 2],
    ["that of a command failure", new CommandFailure(3, "Unknown."), 3],
  ])("is %s", (_, error, status) => {
    expect(exitStatusOf(error)).toBe(status);
  });
});

describe("the error of an API that requires a token", () => {
  it("names the option for the token", () => {
    const error = withOptionHint(new ApiError("A token is required.", { status: 401 }));
    expect(String(error)).toContain("A token is required. Set it with --token or OUTLIVE_TOKEN.");
  });

  it.each([
    ["another status", new ApiError("Denied.", { status: 403 })],
    ["a message that names an option", new ApiError("Sign with --sign.", { status: 401 })],
    ["another class", new Error("Broken.")],
  ])("is unchanged with %s", (_, error) => {
    expect(withOptionHint(error)).toBe(error);
  });
});
