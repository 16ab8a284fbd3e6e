import { describe, expect, it } from "vitest";
import { listCommand, type ListedView } from "../../../web/filters/list-command.ts";

const server = "http://127.0.0.1:8080";

describe("the command for a list", () => {
  it.each<[ListedView["list"], Record<string, string>, string]>([
    ["jobs", {}, "outlive jobs -A --limit 0"],
    [
      "jobs",
      { namespace: "batch", state: "Failed,Running", waiting: "true", created: "24h", sort: "-duration" },
      "outlive jobs -n batch --since=24h --state=Failed,Running --waiting --sort=-duration --limit 0",
    ],
    [
      "jobs",
      { labelSelector: "team in (a,b)", q: "x", view: "v" },
      "outlive jobs -A --selector='team in (a,b)' --limit 0",
    ],
    ["runs", { kind: "jobset", sort: "name" }, "outlive runs -A --kind=jobset --limit 0"],
    ["cronjobs", { cluster: "east", namespace: "$(id)" }, "outlive cronjobs -n '$(id)' --cluster=east"],
  ])("of %s with %o", (list, parameters, command) => {
    expect(listCommand({ list, parameters, server })).toBe(`${command} -o csv --server ${server}`);
  });
});
