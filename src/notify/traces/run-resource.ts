import type { RunAnswer } from "../../explain/run/run-document.ts";
import type { Attributes } from "./span.ts";

interface Run extends Pick<RunAnswer, "cluster" | "namespace" | "name" | "labels" | "series"> {
  readonly uid: string;
  readonly link?: string | undefined;
}

/** The label of Kubernetes that names an application, the most specific one first. */
const APPLICATION_LABELS = ["app.kubernetes.io/instance", "app.kubernetes.io/name"];

/**
 * What all spans of a run share. The service is the application that a label names, as the conventions for Kubernetes
 * say, or the series. A run without both has its namespace as service: a name of its own would be a service for each
 * run, and one time series for each in what backends compute from spans.
 */
export function resourceOf({ cluster, namespace, name, uid, labels, series, link }: Run): Attributes {
  const labelled = APPLICATION_LABELS.map((key) => labels[key]).find((value) => value !== undefined && value !== "");
  const isCronJob = series?.kind === "CronJob";
  return {
    "service.name": labelled ?? series?.name ?? namespace,
    "service.namespace": namespace,
    "k8s.cluster.name": cluster,
    "k8s.namespace.name": namespace,
    "k8s.cronjob.name": isCronJob ? series.name : undefined,
    "k8s.cronjob.uid": isCronJob ? series.uid : undefined,
    "cicd.pipeline.name": series?.name ?? name,
    "cicd.pipeline.run.id": uid,
    "cicd.pipeline.run.url.full": link,
  };
}
