import { decodeClusterName } from "../../src/job/model/ids.ts";
import { PROBE_CLUSTER } from "../../src/ports/deployment/limits.ts";
import type { Question } from "./question.ts";

const CLUSTER_FORM = "write 1 to 63 letters, digits, dots, dashes and underscores, beginning with a letter or digit.";

export function clusterProblem(name: string): string | undefined {
  if (name === PROBE_CLUSTER) return `"${name}" is reserved for the probes of "outlive doctor".`;
  return decodeClusterName(name) === undefined ? `"${name}" cannot be a cluster's name: ${CLUSTER_FORM}` : undefined;
}

export const CLUSTER: Question = {
  name: "cluster",
  value: "name",
  ask: "Name of the cluster in answers",
  fallback: "kubernetes",
  problem: clusterProblem,
};

export const IMAGE: Question = {
  name: "image",
  value: "repository",
  ask: "Registry and name of the image, without tag (such as registry.example.org/outlive)",
  problem: (image) =>
    /^(?=[a-z0-9])([a-z0-9._:-]+\/)*[a-z0-9._-]+$/.test(image)
      ? undefined
      : "write REGISTRY/NAME, without tag or digest.",
};

/** Who can read, beside the default. */
export const ISSUER: Question = {
  name: "issuer",
  value: "url",
  ask: "OpenID Connect issuer whose tokens readers send (empty: none)",
  fallback: "",
  problem: (issuer) =>
    /^https:\/\/[^\s/?#][^\s?#]*$/.test(issuer)
      ? undefined
      : "write an address with https://, without a query or a fragment.",
};

export const AUDIENCE: Question = {
  name: "audience",
  value: "name",
  ask: "Audience of these tokens",
  when: ({ issuer }) => issuer !== "",
  problem: (audience) => (/^[^\s,]+$/.test(audience) ? undefined : "write one word."),
};
