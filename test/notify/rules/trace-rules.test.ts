import { describe, expect, it } from "vitest";
import { splitRule, tracedReceivers, traceProblems, withTraces } from "../../../src/notify/rules/trace-rules.ts";
import { ruleOf } from "../../support/story/notified.ts";

const traced = new Set(["tempo"]);

describe("a rule of a file", () => {
  it.each([
    [["hook"], undefined, ["failures"]],
    [["tempo"], undefined, ["failures.traces"]],
    [["hook", "tempo"], undefined, ["failures", "failures.traces"]],
    [["hook"], "team", ["failures", "failures.traces"]],
    [["tempo"], "team", ["failures", "failures.traces"]],
  ])("to %j, and to the value of %s, is the rules %j", (to, toValueOf, expected) => {
    const rules = splitRule(ruleOf({ to, ...(toValueOf !== undefined && { toValueOf }) }), traced);
    expect(rules.map(({ name }) => name)).toEqual(expected);
    expect(rules.filter((rule) => rule.traces).map(({ name }) => name)).toEqual(
      expected.filter((name) => name.endsWith(".traces")),
    );
  });

  it("stays as it is where no receiver gets traces", () => {
    const rule = ruleOf({ toValueOf: "team" });
    expect(splitRule(rule, tracedReceivers([{ name: "hook", takesTraces: false }]))).toEqual([rule]);
  });

  it("sends traces a minute after the end at the earliest, so that Pods that were stopped have ended", () => {
    const holds = [0, 3_600_000].flatMap((forMillis) =>
      splitRule(ruleOf({ to: ["tempo"], forMillis }), traced).map((rule) => rule.forMillis),
    );
    expect(holds).toEqual([60_000, 3_600_000]);
  });

  it("about series cannot send traces", () => {
    const rule = { name: "nightly", match: {}, for: 0, to: ["hook", "tempo"] };
    expect(traceProblems(rule, 3, traced)).toEqual([]);
    expect(traceProblems({ ...rule, per: "series" }, 3, traced).map(({ path }) => path)).toEqual(["rules[3].to[1]"]);
  });
});

describe("--otlp", () => {
  const url = "http://c:4318";
  const none = { rules: [], receivers: [], maintenance: [] };

  it("adds a rule about every run to those of a file, under a name that no file can have", () => {
    const added = withTraces({ ...none, rules: [ruleOf()] }, { url: "http://c:4318", environment: {} });
    expect(added).toMatchObject({
      rules: [
        { name: "failures" },
        { name: "--otlp", traces: true, to: ["--otlp"], match: { states: [], findings: [] } },
      ],
      receivers: [{ name: "--otlp", takesTraces: true }],
    });
  });

  it("takes headers from OUTLIVE_OTLP_HEADERS", () => {
    const valid = withTraces(none, { url, environment: { OUTLIVE_OTLP_HEADERS: "api-key=secret" } });
    expect(valid).toMatchObject({ receivers: [{ name: "--otlp" }] });
    const invalid = withTraces(none, { url, environment: { OUTLIVE_OTLP_HEADERS: "secret" } });
    expect(invalid).toMatchObject({ at: "headersEnv" });
  });
});
