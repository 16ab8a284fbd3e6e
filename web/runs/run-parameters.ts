import type { Parameters } from "../api/request.ts";
import { apiParameters } from "../jobs/list-parameters.ts";

/** Parameters of the address that are the API's own. */
const FILTERS = [
  "cluster",
  "namespace",
  "kind",
  "name",
  "state",
  "series",
  "externalId",
  "labelSelector",
  "attention",
] as const;

/** The API's parameters for the parameters of the address. */
export function runParameters(parameters: Readonly<Record<string, string>>, now: number): Parameters {
  const given = FILTERS.flatMap((name) => (parameters[name] ? [[name, parameters[name]] as const] : []));
  const { createdAfter } = apiParameters({ created: parameters["created"] ?? "" }, now);
  return { ...Object.fromEntries(given), createdAfter };
}
