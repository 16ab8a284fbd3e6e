import { fieldsOf, itemsOf, textOf } from "../../src/kubernetes/json/json-field.ts";
import type { ApiClient } from "./api-client.ts";

/**
 * A text that segments must never contain. It is in the environment, the command, an annotation and a Secret's name of
 * each Job.
 */
export const SECRETS = {
  environment: "env-value-7f3a91",
  command: "command-argument-7f3a91",
  annotation: "annotation-value-7f3a91",
  secret: "secret-name-7f3a91",
} as const;

const PERIOD_MILLIS = 700;

/** Creates Jobs of many shapes continuously, and deletes some while they run. */
export class JobLoad {
  readonly #api: ApiClient;
  readonly #path: string;
  readonly #random: () => number;
  #timer: NodeJS.Timeout | undefined;
  #made = 0;

  constructor(api: ApiClient, namespace: string, random: () => number) {
    this.#api = api;
    this.#path = `/apis/batch/v1/namespaces/${namespace}/jobs`;
    this.#random = random;
  }

  start(): void {
    this.#timer = setInterval(() => void this.#round(), PERIOD_MILLIS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  get made(): number {
    return this.#made;
  }

  async #round(): Promise<void> {
    const draw = this.#random();
    if (draw < 0.06) return this.#remove();
    this.#made += 1;
    await this.#api("POST", this.#path, this.#job(`work-${this.#made}`));
  }

  async #remove(): Promise<void> {
    const { body } = await this.#api("GET", `${this.#path}?limit=40`);
    const items = itemsOf(fieldsOf(body)["items"]);
    const chosen = fieldsOf(items[Math.floor(this.#random() * items.length)]);
    const name = textOf(fieldsOf(chosen["metadata"])["name"]);
    if (name === undefined) return;
    await this.#api("DELETE", `${this.#path}/${name}?propagationPolicy=Background`);
  }

  #job(name: string): unknown {
    const completions = 1 + Math.floor(this.#random() * 5);
    const isIndexed = this.#random() < 0.3;
    const container = {
      name: "work",
      image: "work:1",
      command: ["work", SECRETS.command],
      env: [
        { name: "TOKEN", value: SECRETS.environment },
        { name: "PASSWORD", valueFrom: { secretKeyRef: { name: SECRETS.secret, key: "password" } } },
      ],
    };
    return {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: { name, labels: { app: "faults" }, annotations: { note: SECRETS.annotation } },
      spec: {
        completions,
        parallelism: 1 + Math.floor(this.#random() * completions),
        backoffLimit: Math.floor(this.#random() * 4),
        ...(isIndexed && { completionMode: "Indexed" }),
        ttlSecondsAfterFinished: 3 + Math.floor(this.#random() * 30),
        template: {
          metadata: { labels: { app: "faults" }, annotations: { note: SECRETS.annotation } },
          spec: { restartPolicy: "Never", terminationGracePeriodSeconds: 2, containers: [container] },
        },
      },
    };
  }
}
