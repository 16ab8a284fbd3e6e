import { Token } from "aws-cdk-lib";
import { CLUSTER_NAME } from "../../src/ports/deployment/limits.ts";
import { type Context, InvalidSettingsError, textOf } from "../context-values.ts";

/** The log groups with audit logs of clusters, in the account and region of the stage. */
export interface AuditLogSettings {
  /** The cluster of each log group. A cluster may have several. */
  readonly groups: ReadonlyMap<string, string>;
}

const FORM = {
  pattern: /^[^\s,=]+=[^\s,=]+(,[^\s,=]+=[^\s,=]+)*$/,
  form: "CLUSTER=LOG-GROUP pairs, separated by commas, such as prod-eu=/aws/eks/prod-eu/cluster",
  mayBeToken: true,
};
/** CloudWatch Logs API Reference, CreateLogGroup. */
const LOG_GROUP = /^[.\-_/#A-Za-z0-9]{1,512}$/;
/** The limit of all log groups together: they are in the environment of two functions, each of at most 4 KB. */
const MOST_BYTES = 2_500;

/** Reads `auditLogGroups=prod-eu=/aws/eks/prod-eu/cluster,...`. Throws {@link InvalidSettingsError}. */
export function auditLogsOf(context: Context): AuditLogSettings | undefined {
  const text = textOf(context, "auditLogGroups", FORM);
  if (text === undefined) return undefined;
  const groups = new Map<string, string>();
  for (const pair of text.split(",")) {
    const [cluster = "", group = ""] = pair.split("=");
    const problem = problemOf(groups, cluster, group);
    if (problem !== undefined) throw new InvalidSettingsError(`Invalid auditLogGroups. ${problem}`);
    groups.set(group, cluster);
  }
  if (Buffer.byteLength(JSON.stringify(Object.fromEntries(groups))) <= MOST_BYTES) return { groups };
  throw new InvalidSettingsError(
    `auditLogGroups are longer than ${MOST_BYTES} bytes. Deploy another stage for some of the clusters.`,
  );
}

function problemOf(known: ReadonlyMap<string, string>, cluster: string, group: string): string | undefined {
  if (!CLUSTER_NAME.test(cluster)) return `"${cluster}" is not the name of a cluster.`;
  if (!Token.isUnresolved(group) && !LOG_GROUP.test(group)) {
    return `"${group}" is not the name of a log group. Write its name, not its ARN.`;
  }
  const other = known.get(group);
  if (other === undefined) return undefined;
  return `Log group ${group} is listed twice, for ${other} and ${cluster}. A log group is of one cluster.`;
}
