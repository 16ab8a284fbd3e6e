import { join } from "node:path";
import { Child } from "./killable.ts";

/** One replica of the exporter with this environment only. */
export function exporterOf(
  replica: string,
  place: {
    readonly queue: string;
    readonly namespace: string;
    readonly kubeconfig: string;
    readonly scratch: string;
    /** URL of the tracker's API, if the exporter uses it. */
    readonly tracker?: string;
    /** @default "faults" */
    readonly cluster?: string;
    /** Variables in addition to those of the queue. */
    readonly environment?: Readonly<Record<string, string>>;
  },
): Child {
  const { queue, namespace, kubeconfig, scratch, tracker, cluster = "faults", environment } = place;
  return new Child({
    name: `exporter ${replica}`,
    log: join(scratch, `exporter-${replica}.log`),
    args: [
      join(import.meta.dirname, "../../cli/outlive.js"),
      "export",
      `--queue=${queue}/000000000000/outlive`,
      `--cluster=${cluster}`,
      `--lease=${namespace}/outlive-exporter`,
      `--kubeconfig=${kubeconfig}`,
      `--spool=${join(scratch, `spool-${replica}`)}`,
      ...(tracker === undefined ? [] : [`--tracker=${tracker}`]),
    ],
    env: {
      ...environment,
      AWS_ENDPOINT_URL: queue,
      AWS_REGION: "eu-central-1",
      AWS_ACCESS_KEY_ID: "local",
      AWS_SECRET_ACCESS_KEY: "local",
    },
  });
}
