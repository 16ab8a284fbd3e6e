import { Hono } from "hono";
import { parseLogLink } from "../../src/explain/log-links/log-link-template.ts";
import type { LogLinks } from "../../src/query/log-links/log-links.ts";

const PATH = "/example-logs";
const QUERY = "cluster={cluster}&namespace={namespace}&pod={pod}&from={from}&to={to}";

/** Log links of a demo at an address. They lead to the demo itself, because its clusters have no log system. */
export function exampleLogLinks(url: string): LogLinks {
  const parsed = parseLogLink(`${url}${PATH}?${QUERY}`);
  return { links: parsed.outcome === "parsed" ? [{ name: "Example logs", url: parsed.template }] : [] };
}

/** What the links of a demo lead to, before everything else that it serves. */
export function withExampleLogs(served: Hono): Hono {
  const app = new Hono();
  app.get(PATH, (context) => {
    context.header("x-content-type-options", "nosniff");
    return context.text(explanation(context.req.query()));
  });
  app.all("*", (context) => served.fetch(context.req.raw, context.env));
  return app;
}

function explanation(query: Readonly<Record<string, string>>): string {
  const values = ["cluster", "namespace", "pod", "from", "to"].map(
    (name) => `  ${name.padEnd(11)}${query[name] ?? ""}`,
  );
  return [
    "This is an example. Your log system would open here, with the lines of this Pod and this time:",
    "",
    ...values,
    "",
    "Outlive records no logs. It links to those of CloudWatch, Loki, Datadog, Elastic and others: set the addresses",
    "with --log-links FILE (docs/log-links.md).",
    "",
  ].join("\n");
}
