import { resolve } from "node:path";
import { stringify } from "../output/yaml-library.ts";
import { type CdkApp, cdkApp, outputOf, type SenderKind, STACK_PREFIX } from "./cdk-app.ts";
import { AUDIENCE, clusterProblem, IMAGE, ISSUER } from "./common-questions.ts";
import { type Plan, type PlannedFile, shellWord } from "./plan.ts";
import type { Answers, Question } from "./question.ts";

const NAMESPACE = "outlive";
const ACCOUNT = "outlive-exporter";
/** The Secret with the keys of a user, in each cluster. */
const SECRET = "outlive-sender";
/** In the app's folder, after npm has installed the package. */
const CHART = "node_modules/outlive/deploy/charts/outlive-exporter";
const MOST_DAYS = 3_650;
const KINDS = new Set<string>(["pod-identity", "irsa", "user"] satisfies readonly SenderKind[]);
const PROVIDER = /^arn:aws[\w-]*:iam::\d{12}:oidc-provider\/\S+$/;

export const AWS_QUESTIONS: readonly Question[] = [
  {
    name: "clusters",
    value: "names",
    ask: "Names of the clusters, with commas (such as prod-eu,prod-us)",
    problem: clustersProblem,
  },
  {
    name: "sender",
    value: "kind",
    ask: "How exporters get credentials: pod-identity, irsa or user (static keys)",
    fallback: "pod-identity",
    problem: (kind) => (KINDS.has(kind) ? undefined : "write pod-identity, irsa or user."),
  },
  {
    name: "providers",
    value: "arns",
    ask: "ARN of the IAM OIDC provider of each cluster, with commas, in the same order",
    when: ({ sender }) => sender === "irsa",
    problem: providersProblem,
  },
  {
    name: "stage",
    value: "name",
    ask: "Name of the stage",
    fallback: "live",
    problem: (stage) =>
      /^[a-z][a-z0-9-]{0,15}$/.test(stage) ? undefined : "write 1 to 16 of a-z, 0-9 and -, beginning with a letter.",
  },
  { ...ISSUER, ask: "OpenID Connect issuer whose tokens readers send (empty: readers sign with AWS credentials)" },
  AUDIENCE,
  {
    name: "retention",
    value: "days",
    ask: "Days for which Jobs are kept after their end",
    fallback: "400",
    problem: (days) =>
      /^[1-9]\d{0,3}$/.test(days) && Number(days) <= MOST_DAYS ? undefined : `write a number from 1 to ${MOST_DAYS}.`,
  },
  { ...IMAGE, ask: `${IMAGE.ask}, for the exporters` },
];

export interface AwsPlace {
  readonly folder: string;
  /** What npm installs as `outlive`: the version of this release, or the path of a tarball. */
  readonly outlive: string;
}

/** What npm takes in the app's folder: a path, which is one of the current folder, becomes absolute. */
export function npmSpec(given: string): string {
  const isPath = /^(file:|\.{0,2}\/|\.{1,2}$)|^[^:]+\.(tgz|tar\.gz)$/.test(given);
  return isPath ? `file:${resolve(given.replace(/^file:(\/\/)?/, ""))}` : given;
}

/** A CDK app with one stage, a sender for each cluster, and the values of its exporter. */
export function planAws(answers: Answers, place: AwsPlace): Plan {
  const { stage = "", sender = "", issuer = "", audience = "", retention = "", image = "" } = answers;
  const clusters = listOf(answers["clusters"]);
  const kind = sender as SenderKind;
  const app: CdkApp = {
    stage,
    retentionDays: Number(retention),
    clusters,
    sender: kind,
    providers: listOf(answers["providers"]),
    ...(issuer !== "" && { oidc: { issuer, audience } }),
  };
  return {
    files: [
      { path: "package.json", text: manifestText(stage, place.outlive) },
      { path: "cdk.json", text: `${JSON.stringify({ app: "node app.js" }, null, 2)}\n` },
      { path: "app.js", text: cdkApp(app) },
      { path: ".gitignore", text: "node_modules/\ncdk.out/\noutputs.json\n" },
      ...clusters.map((cluster) => valuesFile({ cluster, image, sender: kind })),
    ],
    commands: commandsOf(app, place),
  };
}

function clustersProblem(text: string): string | undefined {
  const clusters = listOf(text);
  const outputs = new Set(clusters.map(outputOf));
  if (clusters.length === 0) return "write at least one name.";
  if (outputs.size < clusters.length) return "each name must differ from the others in a letter or a digit.";
  return clusters.map(clusterProblem).find((problem) => problem !== undefined);
}

function providersProblem(text: string, { clusters }: Answers): string | undefined {
  const providers = listOf(text);
  const invalid = providers.find((arn) => !PROVIDER.test(arn));
  if (invalid !== undefined) return `"${invalid}" is no ARN such as arn:aws:iam::123456789012:oidc-provider/ISSUER.`;
  return providers.length === listOf(clusters).length ? undefined : "write one ARN for each cluster.";
}

function listOf(text: string | undefined): readonly string[] {
  return (text ?? "")
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
}

function manifestText(stage: string, outlive: string): string {
  const manifest = {
    name: `outlive-${stage}`,
    private: true,
    type: "module",
    dependencies: { "aws-cdk-lib": "^2.275.0", constructs: "^10.8.1", outlive },
    devDependencies: { "aws-cdk": "^2.1148.1" },
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

function valuesFile({
  cluster,
  image,
  sender,
}: Record<"cluster" | "image", string> & { sender: SenderKind }): PlannedFile {
  const values = {
    cluster,
    image: { repository: image },
    ...(sender === "pod-identity" && { networkPolicy: { credentialsFrom: ["pod-identity"] } }),
    ...(sender === "user" && { credentialsSecret: SECRET }),
  };
  const head = ['# Values of chart outlive-exporter. Written by "outlive init aws".'];
  if (sender === "user") {
    head.push(`# The Secret ${SECRET} has AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY of the user.`);
  }
  return { path: `values-${cluster}.yaml`, text: `${head.join("\n")}\n${stringify(values)}` };
}

/** To deploy, and to connect the first cluster. The others need the same. */
function commandsOf({ stage, clusters, sender }: CdkApp, { folder }: AwsPlace): readonly string[] {
  const [cluster = ""] = clusters;
  const output = (name: string) => `"$(node -p 'require("./outputs.json")["${STACK_PREFIX}${stage}"].${name}')"`;
  const install = [
    `helm install outlive-exporter ${CHART} -n ${NAMESPACE} --create-namespace`,
    `-f values-${cluster}.yaml --set queueUrl=${output("QueueUrl")}`,
    ...(sender === "irsa"
      ? [`--set serviceAccount.annotations."eks\\.amazonaws\\.com/role-arn"=${output(outputOf(cluster))}`]
      : []),
  ].join(" ");
  return [
    `cd ${shellWord(folder)} && npm install && npx cdk bootstrap && npx cdk deploy --outputs-file outputs.json`,
    {
      "pod-identity":
        `aws eks create-pod-identity-association --cluster-name ${cluster} --namespace ${NAMESPACE} ` +
        `--service-account ${ACCOUNT} --role-arn ${output(outputOf(cluster))}`,
      irsa: `npx outlive doctor --stage ${stage}`,
      user: `npx outlive clusters register ${cluster} --stage ${stage} --principal-arn ${output(outputOf(cluster))}`,
    }[sender],
    install,
  ];
}
