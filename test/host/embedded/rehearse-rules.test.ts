import { describe, expect, it } from "vitest";
import { type Rehearsed, rehearseRules } from "../../../src/host/embedded/rehearse-rules.ts";
import { recordedFacts } from "../../../src/host/embedded/recorded-facts.ts";
import { HOOK, rulesOf } from "../../support/notify/notified-tracker.ts";
import { receiverOf } from "../../support/notify/opened-receiver.ts";
import { example } from "../../support/running/run-outlive.ts";
import { clusterOf } from "../../support/story/listed-job.ts";
import { ruleOf } from "../../support/story/notified.ts";

async function rehearse(file: string, rules = rulesOf([ruleOf({ match: { states: [], findings: [] } })])) {
  const failures: unknown[] = [];
  const facts = recordedFacts([example(file)], { events: 0, rejected: [], rejectedBeyond: 0 });
  const options = {
    cluster: clusterOf("example"),
    onUnfolded: (causes: readonly unknown[]) => failures.push(...causes),
  };
  const messages: Rehearsed[] = [];
  for await (const message of rehearseRules(rules, facts, options)) messages.push(message);
  expect(failures).toEqual([]);
  return messages;
}

function bodies(of: readonly Rehearsed[]): readonly string[] {
  return of.map(({ message }) => message.body);
}

const FILE = "deadline.ndjson.gz";

describe("a rehearsal of rules", () => {
  it("prints each message once, the same for the same recording, and by the clock of the recording", async () => {
    const messages = await rehearse(FILE);
    expect(messages.length).toBeGreaterThan(0);
    const ids = messages.map(({ message }) => message.kind === "http" && message.headers["webhook-id"]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(bodies(await rehearse(FILE))).toEqual(bodies(messages));
    expect(messages.every(({ at }) => at < Date.parse("2100-01-01T00:00:00Z") && at > 0)).toBe(true);
  });

  it("sends what is held at the end of the recording, with the time of the end", async () => {
    const all = ruleOf({ match: { states: [], findings: [] }, forMillis: 6 * 86_400_000 });
    const held = await rehearse(FILE, rulesOf([all], { receivers: [HOOK] }));
    expect(held.length).toBeGreaterThan(0);
    expect(new Set(held.map(({ at }) => at)).size).toBe(1);
  });

  it("sends a heartbeat for each run that has finished", async () => {
    const CHECK = "https://hc-ping.com/u1";
    const check = receiverOf({ name: "check", heartbeat: { urlEnv: "CHECK" } }, { CHECK });
    const match = { names: ["nightly"], states: ["Complete", "Failed"] as const, findings: [] };
    const rules = rulesOf([ruleOf({ match, to: ["check"] })], { receivers: [check] });
    const pinged = await rehearse("ttl.ndjson.gz", rules);
    expect(pinged.map(({ message }) => message.kind === "http" && message.url)).toEqual([
      CHECK,
      `${CHECK}/fail`,
      CHECK,
    ]);
  });
});
