import { PodSample } from "../../job/evidence/pod-sample.ts";
import { hasRunContainer } from "../../job/cause/never-ran.ts";
import { podName } from "../../job/model/evidence.ts";
import type { Outcome } from "../../job/model/outcome.ts";
import type { PodRecord } from "../../job/model/pod-record.ts";
import type { PodLogLink } from "../answer-document.ts";
import { type LogLinkContext, logLinksOf } from "./pod-log-links.ts";

/** The most Pods to whose logs an explanation links. */
const MAX_PODS = 3;

/** The Pods whose logs explain a Job: Pods that did not succeed, otherwise running Pods, otherwise any. */
export class LoggedPods {
  readonly #unsuccessful = new PodSample(MAX_PODS);
  readonly #active = new PodSample(MAX_PODS);
  readonly #succeeded = new PodSample(MAX_PODS);

  visit(pod: PodRecord, outcome: Outcome): void {
    if (hasRunContainer(pod)) this.#sampleOf(outcome).add(pod);
  }

  links(context: LogLinkContext): readonly PodLogLink[] {
    const [first] = [this.#unsuccessful, this.#active, this.#succeeded].filter(({ count }) => count > 0);
    return (first?.pods ?? []).flatMap((pod) =>
      logLinksOf(pod, context).map((link) => ({ pod: podName(pod), ...link })),
    );
  }

  #sampleOf(outcome: Outcome): PodSample {
    switch (outcome) {
      case "Failed":
      case "Unknown":
        return this.#unsuccessful;
      case "Active":
      case "Terminating":
        return this.#active;
      case "Succeeded":
        return this.#succeeded;
    }
  }
}
