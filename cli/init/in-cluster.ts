import { stringify } from "../output/yaml-library.ts";
import { AUDIENCE, CLUSTER, IMAGE, ISSUER } from "./common-questions.ts";
import { RETENTION } from "./machine.ts";
import { type Plan, shellWord } from "./plan.ts";
import type { Answers, Question } from "./question.ts";

export const CLUSTER_QUESTIONS: readonly Question[] = [
  IMAGE,
  CLUSTER,
  ISSUER,
  AUDIENCE,
  {
    name: "host",
    value: "name",
    ask: "Host name of an Ingress (empty: none)",
    fallback: "",
    problem: (host) =>
      /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(host) ? undefined : "write a host name, such as jobs.example.org.",
  },
  RETENTION,
];

/** The values of chart `outlive`. `charts` is the folder that has the chart. */
export function planCluster(
  answers: Answers,
  { folder, charts }: { readonly folder: string; readonly charts: string },
): Plan {
  const { image = "", cluster = "", issuer = "", audience = "", host = "", retention = "" } = answers;
  const values = {
    cluster,
    image: { repository: image },
    ...(issuer !== "" && { oidc: { issuer, audiences: [audience] } }),
    ...(host !== "" && { ingress: { enabled: true, host } }),
    ...(retention !== "" && { retention }),
  };
  const file = `${folder}/values.yaml`;
  return {
    files: [{ path: "values.yaml", text: `# Written by "outlive init cluster".\n${stringify(values)}` }],
    commands: [
      `helm install outlive ${shellWord(`${charts}/outlive`)} -n outlive --create-namespace -f ${shellWord(file)}`,
      "kubectl -n outlive rollout status statefulset/outlive",
      "helm test outlive -n outlive",
    ],
  };
}
