/** How the exporter of a cluster gets credentials of AWS. */
export type SenderKind = "pod-identity" | "irsa" | "user";

export interface CdkApp {
  readonly stage: string;
  readonly retentionDays: number;
  readonly clusters: readonly string[];
  readonly sender: SenderKind;
  /** For IRSA: the OIDC provider of each cluster. */
  readonly providers: readonly string[];
  /** @default readers sign with AWS credentials */
  readonly oidc?: { readonly issuer: string; readonly audience: string };
}

export const STACK_PREFIX = "Outlive-";

/** The name of the output with the sender of a cluster. */
export function outputOf(cluster: string): string {
  return `Sender${idOf(cluster)}`;
}

/** The name without the characters that ids of CloudFormation cannot have. */
function idOf(cluster: string): string {
  return cluster.replaceAll(/[^a-zA-Z0-9]/g, "");
}

/** The app: plain JavaScript, which Node runs without a build. */
export function cdkApp({ stage, retentionDays, clusters, sender, providers, oidc }: CdkApp): string {
  const readers =
    oidc && `  readers: { kind: "oidc", issuer: ${json(oidc.issuer)}, audience: ${json(oidc.audience)} },`;
  const senders = clusters.map((cluster, index) => SENDERS[sender].lines(cluster, providers[index] ?? ""));
  return [
    '// Written by "outlive init aws". It is yours: change it, and deploy it with "npx cdk deploy".',
    'import { App, CfnOutput, Duration, Stack } from "aws-cdk-lib";',
    `import { ${SENDERS[sender].imports} } from "aws-cdk-lib/aws-iam";`,
    'import { Outlive } from "outlive/cdk";',
    "",
    `const stack = new Stack(new App(), ${json(`${STACK_PREFIX}${stage}`)}, { terminationProtection: true });`,
    'const outlive = new Outlive(stack, "Outlive", {',
    `  stage: ${json(stage)},`,
    `  retention: Duration.days(${retentionDays}),`,
    ...(readers === undefined ? [] : [readers]),
    "});",
    'new CfnOutput(stack, "QueueUrl", { value: outlive.queue.queueUrl });',
    'new CfnOutput(stack, "ApiUrl", { value: outlive.api.url });',
    "",
    ...senders.flat(),
    "",
  ].join("\n");
}

interface Sender {
  readonly imports: string;
  readonly lines: (cluster: string, provider: string) => readonly string[];
}

const SENDERS: Readonly<Record<SenderKind, Sender>> = {
  "pod-identity": {
    imports: "Role, ServicePrincipal",
    lines: (cluster) => roleLines(cluster, 'new ServicePrincipal("pods.eks.amazonaws.com").withSessionTags()'),
  },
  irsa: {
    imports: "FederatedPrincipal, Role",
    lines: (cluster, provider) => {
      const issuer = provider.slice(provider.indexOf("/") + 1);
      const conditions = {
        [`${issuer}:aud`]: "sts.amazonaws.com",
        [`${issuer}:sub`]: "system:serviceaccount:outlive:outlive-exporter",
      };
      const principal = `new FederatedPrincipal(${json(provider)}, { StringEquals: ${json(conditions)} }, ${json(
        "sts:AssumeRoleWithWebIdentity",
      )})`;
      return roleLines(cluster, principal);
    },
  },
  user: {
    imports: "User",
    lines: (cluster) => [
      `// The exporter of ${cluster} sends as this user. Register it: CloudFormation does not know its unique id.`,
      `const ${variableOf(cluster)} = new User(stack, ${json(`Exporter${idOf(cluster)}`)});`,
      `outlive.grantSend(${variableOf(cluster)});`,
      outputLine(cluster, `${variableOf(cluster)}.userArn`),
    ],
  },
};

function roleLines(cluster: string, principal: string): readonly string[] {
  const name = variableOf(cluster);
  return [
    `// The exporter of ${cluster} sends with this role, which may do nothing else.`,
    `const ${name} = new Role(stack, ${json(`Exporter${idOf(cluster)}`)}, { assumedBy: ${principal} });`,
    `outlive.registerCluster(${json(cluster)}, { role: ${name} });`,
    outputLine(cluster, `${name}.roleArn`),
  ];
}

function outputLine(cluster: string, value: string): string {
  return `new CfnOutput(stack, ${json(outputOf(cluster))}, { value: ${value} });`;
}

function variableOf(cluster: string): string {
  return `exporter${idOf(cluster)}`;
}

function json(value: unknown): string {
  return JSON.stringify(value);
}
