import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fillLogLink } from "../../../src/explain/log-links/log-link-template.ts";
import { readLogLinks } from "../../../src/query/log-links/log-link-file.ts";
import { clusterLogs } from "../../../src/query/log-links/log-links.ts";

const FILE = `
links:
  - name: Grafana
    clusters: [prod-*, stage]
    url: https://grafana.example.org/explore?pod={pod}
  - { name: Everywhere, url: "https://logs.example.org/{cluster}/{pod}" }
`;

function read(text: string) {
  const file = readLogLinks(text);
  if (file.outcome === "rejected") throw new Error(JSON.stringify(file.problems));
  return file.content;
}

function problems(text: string): readonly string[] {
  const file = readLogLinks(text);
  return file.outcome === "rejected" ? file.problems.map(({ path, message }) => `${path}: ${message}`) : [];
}

describe("a file of log links", () => {
  it.each([
    ["prod-eu", ["Grafana", "Everywhere"]],
    ["stage", ["Grafana", "Everywhere"]],
    ["test", ["Everywhere"]],
  ])("has links for cluster %s: %j", (cluster, names) => {
    expect(clusterLogs(read(FILE), cluster)?.places.map(({ name }) => name)).toEqual(names);
  });

  it("without links for a cluster has no place for its logs", () => {
    expect(clusterLogs(read("links: [{ name: A, clusters: [b], url: 'https://a.example/' }]"), "a")).toBeUndefined();
    expect(clusterLogs(undefined, "a")).toBeUndefined();
  });

  it.each([
    ["", ': Expected "links", a list of links.'],
    ["link: []", "links: Missing."],
    ["links: []\nmore: 1", "more: Unknown key."],
    ["links: [{ name: A }]", "links[0].url: Missing."],
    ["links: [{ name: '', url: 'https://a.example/' }]", "links[0].name: A name has 1 to 40 characters."],
    ["links: [{ name: A, url: 'https://a.example/{pot}' }]", "links[0].url: Unknown placeholder {pot}."],
    ["links: [{ name: A, url: 'https://a.example/', clusters: [''] }]", "links[0].clusters[0]: A pattern cannot be"],
    ["links: [", ": Invalid YAML: "],
    [
      JSON.stringify({ links: Array.from({ length: 101 }, () => ({ name: "A", url: "https://a.example/" })) }),
      "links: ",
    ],
  ])("%s is rejected with the path of the problem", (text, problem) => {
    expect(problems(text)[0]).toContain(problem);
  });
});

describe("the examples of the documentation", () => {
  const page = readFileSync(new URL("../../../docs/log-links.md", import.meta.url), "utf8");
  const yaml = /```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? "";
  const values = {
    cluster: "prod-eu",
    namespace: "batch",
    job: "report",
    pod: "report-x2x9s",
    container: "work",
    node: "node-a",
    from: Date.parse("2026-11-21T08:24:00Z"),
    to: Date.parse("2026-11-21T08:30:00Z"),
  };
  const urls = new Map(
    read(yaml).links.map(({ name, url }) => [name, new URL(fillLogLink(url, values) ?? "about:blank")]),
  );

  it("link to a query of Loki in Grafana", () => {
    const panes: unknown = JSON.parse(urls.get("Grafana")?.searchParams.get("panes") ?? "");
    expect(panes).toEqual({
      a: {
        datasource: "loki",
        queries: [{ refId: "A", expr: '{cluster="prod-eu",namespace="batch",pod="report-x2x9s"}' }],
        range: { from: "1795249440000", to: "1795249800000" },
      },
    });
  });

  it("link to a query of CloudWatch Logs Insights, in the encoding of its console", () => {
    const fragment = urls.get("CloudWatch")?.hash ?? "";
    const detail = decodeURIComponent(fragment.replaceAll("$", "%")).split("?queryDetail=")[1] ?? "";
    expect(detail.replaceAll("*", "%").split("~").map(decodeURIComponent)).toEqual([
      "",
      "(end",
      "'2026-11-21T08:30:00.000Z",
      "start",
      "'2026-11-21T08:24:00.000Z",
      "timeType",
      "'ABSOLUTE",
      "tz",
      "'UTC",
      "editorString",
      '\'fields @timestamp, log | filter kubernetes.pod_name = "report-x2x9s" | sort @timestamp',
      "source",
      "(",
      "'/aws/containerinsights/prod-eu/application))",
    ]);
  });

  it("link to Datadog and Elastic", () => {
    const datadog = urls.get("Datadog")?.searchParams;
    expect(datadog?.get("query")).toBe("pod_name:report-x2x9s kube_namespace:batch kube_cluster_name:prod-eu");
    expect([datadog?.get("from_ts"), datadog?.get("to_ts")]).toEqual(["1795249440000", "1795249800000"]);
    expect(decodeURIComponent(urls.get("Elastic")?.hash ?? "")).toBe(
      "#/?_g=(time:(from:'2026-11-21T08:24:00Z',to:'2026-11-21T08:30:00Z'))" +
        '&_a=(query:(language:kuery,query:\'kubernetes.pod.name:"report-x2x9s" and kubernetes.namespace:"batch"\'))',
    );
  });
});
