import { decodeClusterName } from "../../src/job/model/ids.ts";
import { parseInstant } from "../../src/job/model/instant.ts";
import { STATES } from "../../src/job/model/states.ts";
import type { JobFilter } from "../../src/query/list/job-filter.ts";
import { parseFieldSelector } from "../../src/query/list/field-selector.ts";
import { parseLabelSelector } from "../../src/query/list/label-selector.ts";
import { apiParameters } from "./list-parameters.ts";

/** The filter of the API for the parameters of the address, for changed Jobs. The API refuses invalid parameters. */
export function listFilter(parameters: Readonly<Record<string, string>>, now: number): JobFilter {
  const given = apiParameters(parameters, now);
  const text = (name: string): string | undefined => (given[name] === undefined ? undefined : String(given[name]));
  const states = text("state")?.toLowerCase().split(",");
  const labels = parseLabelSelector(text("labelSelector") ?? "");
  const fields = parseFieldSelector(text("fieldSelector") ?? "");
  return {
    cluster: decodeClusterName(text("cluster")),
    namespace: text("namespace"),
    name: text("name"),
    states: states && STATES.filter((state) => states.includes(state.toLowerCase())),
    labels: labels.outcome === "parsed" ? labels.selector : undefined,
    fields: fields.outcome === "parsed" ? fields.selector : undefined,
    owner: text("owner"),
    run: text("run"),
    createdAfter: parseInstant(text("createdAfter")),
    createdBefore: parseInstant(text("createdBefore")),
    finishedAfter: parseInstant(text("finishedAfter")),
    finishedBefore: parseInstant(text("finishedBefore")),
    waiting: text("waiting") === "true",
    attention: text("attention") === "true",
  };
}
