import { describe, expect, it } from "vitest";
import {
  fillLogLink,
  type LogLinkTemplate,
  type LogLinkValues,
  parseLogLink,
} from "../../../src/explain/log-links/log-link-template.ts";

const VALUES: LogLinkValues = {
  cluster: "prod-eu",
  namespace: "batch",
  job: "report",
  pod: "report-x2x9s",
  podUid: "11111111-2222-3333-4444-555555555555",
  container: "work",
  node: "ip-10-0-0-1.eu-west-1.compute.internal",
  from: Date.parse("2026-11-21T08:24:43.500Z"),
  to: Date.parse("2026-11-21T08:30:00Z"),
};

function templateOf(text: string): LogLinkTemplate {
  const parsed = parseLogLink(text);
  if (parsed.outcome === "invalid") throw new Error(parsed.problem);
  return parsed.template;
}

function filled(text: string, values: Partial<LogLinkValues> = {}): string | undefined {
  return fillLogLink(templateOf(text), { ...VALUES, ...values });
}

describe("a template", () => {
  it.each([
    ["{cluster}/{namespace}/{job}/{pod}/{podUid}", "prod-eu/batch/report/report-x2x9s/" + VALUES.podUid],
    ["{container}@{node}", "work@ip-10-0-0-1.eu-west-1.compute.internal"],
    ["{from}..{to}", "2026-11-21T08%3A24%3A43.500Z..2026-11-21T08%3A30%3A00Z"],
    ["{fromSeconds}..{toSeconds}", "1795249483..1795249800"],
    ["{fromMillis}..{toMillis}", "1795249483500..1795249800000"],
    ["{fromCloudWatch}..{toCloudWatch}", "2026-11-21T08*3a24*3a43.500Z..2026-11-21T08*3a30*3a00.000Z"],
    ["no placeholder", undefined],
  ])("%s is filled with URL-encoded values", (text, expected) => {
    const url = `https://logs.example.org/${text.replace(" ", "%20")}`;
    expect(filled(url)).toBe(expected === undefined ? url : `https://logs.example.org/${expected}`);
  });

  it.each([
    ["https://a.example/{host}", "Unknown placeholder {host}. Expected one of cluster, namespace, job, pod, "],
    ["https://a.example/{Pod}", "Unknown placeholder {Pod}."],
    ["https://a.example/{}", "Unknown placeholder {}."],
    ["https://a.example/{toString}", "Unknown placeholder {toString}."],
    ['https://a.example/?q={"pod":"{pod}"}', "A brace without its pair. Write %7B and %7D for braces."],
    ["https://a.example/{pod", "A brace without its pair."],
    ["javascript:alert('{pod}')", "Expected an http or https URL."],
    ["ftp://a.example/{pod}", "Expected an http or https URL."],
    ["/relative/{pod}", "Expected an http or https URL."],
    ["https://{cluster}.example.org/", "A placeholder must come after the host."],
    ["https://a.example:{pod}/", "Expected an http or https URL."],
    ["https://{cluster}/", "A placeholder must come after the host."],
    ["https://user:secret@a.example/{pod}", "The address must not contain a user name or password."],
    ["https://a.example/a b/{pod}", "The address contains white space."],
    ["https://a.example/\u0000{pod}", "The address contains white space."],
    [`https://a.example/${"x".repeat(2_000)}`, "The address has more than 2000 characters."],
  ])("%s is invalid", (text, problem) => {
    const parsed = parseLogLink(text);
    expect(parsed.outcome === "invalid" ? parsed.problem : "valid").toContain(problem);
  });
});

describe("a link", () => {
  it("is not made if a value that it needs is unknown", () => {
    expect(filled("https://a.example/{node}", { node: undefined })).toBeUndefined();
    expect(filled("https://a.example/{pod}", { node: undefined })).toBe("https://a.example/report-x2x9s");
  });

  it.each(['report"} |= "', "a/../b", "a&b=c", "a b", "a\u202eb", "", "-a", "x".repeat(300)])(
    "is not made for the name %j, which could change the query",
    (pod) => {
      expect(filled("https://a.example/{pod}", { pod })).toBeUndefined();
    },
  );
});
