import * as v from "valibot";
import { CLUSTER_NAME } from "../deployment/limits.ts";

const FORM = 'is not the cluster of each log group. Set it to JSON such as {"/aws/eks/NAME/cluster":"NAME"}.';

/** The cluster of each log group with audit logs, as JSON. */
export const clustersOfLogGroups = v.pipe(
  v.string(FORM),
  v.parseJson({}, FORM),
  v.record(v.string(), v.pipe(v.string(FORM), v.regex(CLUSTER_NAME, FORM)), FORM),
  v.transform((groups): ReadonlyMap<string, string> => new Map(Object.entries(groups))),
);
