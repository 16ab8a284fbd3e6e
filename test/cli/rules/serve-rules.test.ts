import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { otlpOption, rulesOf, sendingText } from "../../../cli/rules/serve-rules.ts";
import { scratchFolder } from "../../support/running/run-outlive.ts";

const scratch = scratchFolder();
afterAll(() => scratch.remove());

const otlp = "http://collector:4318";

async function namesOf(options: Parameters<typeof rulesOf>[0]): Promise<readonly string[] | undefined> {
  return (await rulesOf(options, {}))?.receivers.map(({ name }) => name);
}

async function textOf(options: Parameters<typeof rulesOf>[0]): Promise<string | undefined> {
  const read = await rulesOf(options, {});
  return read && sendingText(read, options.otlp);
}

function parse(text: string): unknown {
  return otlpOption().parseArg?.(text, undefined);
}

describe("the rules of serve", () => {
  it("are those of the file, and the one of --otlp, each without the other", async () => {
    const rules = join(scratch.path, "rules.yaml");
    writeFileSync(rules, "rules: [{ name: a, to: [h] }]\nreceivers: [{ name: h, webhook: { url: 'http://h' } }]");
    expect(await namesOf({})).toBeUndefined();
    expect(await namesOf({ rules })).toEqual(["h"]);
    expect(await namesOf({ otlp })).toEqual(["--otlp"]);
    expect(await namesOf({ rules, otlp })).toEqual(["h", "--otlp"]);
  });

  it("are described without the path of an address, which may be a secret", async () => {
    const rules = join(scratch.path, "both.yaml");
    writeFileSync(
      rules,
      "rules: [{ name: a, to: [h, t] }]\nreceivers: [{ name: h, webhook: { url: 'http://h' } }, " +
        "{ name: t, otlp: { url: 'http://t' } }]",
    );
    const secret = "https://user:pass@collector:4318/secret";
    expect(await textOf({ rules })).toBe("Sending notifications by 1 rule to 2 receivers.");
    expect(await textOf({ otlp: secret })).toBe("Sending a trace of each run to collector:4318.");
    expect(await textOf({ rules, otlp: secret })).toBe(
      "Sending notifications by 1 rule to 2 receivers. Sending a trace of each run to collector:4318.",
    );
  });

  it("refuse headers that are none, without their text", async () => {
    const problem =
      "Cannot send traces: The value of OUTLIVE_OTLP_HEADERS is not a list of headers. Write key=value,key=value.";
    await expect(rulesOf({ otlp }, { OUTLIVE_OTLP_HEADERS: "secret" })).rejects.toThrow(problem);
  });

  it("refuse an address that is no URL", () => {
    expect(parse(otlp)).toBe(otlp);
    expect(() => parse("collector:4318")).toThrow("Expected an http");
    expect(() => parse("grpc://collector:4317")).toThrow("Expected an http");
  });
});
