import type { CaptureEvent } from "../../../src/kubernetes/watch/capture-event.ts";
import type { ClusterConnection } from "../../../src/kubernetes/connection/cluster-connection.ts";
import { ClusterIdentity } from "../../../src/kubernetes/connection/cluster-identity.ts";
import { openKubeconfig } from "../../../src/kubernetes/connection/kubeconfig-connection.ts";
import { Reflector } from "../../../src/kubernetes/watch/reflector.ts";
import type { ReflectorStart } from "../../../src/kubernetes/watch/reflector-context.ts";
import { ServerClock } from "../../../src/kubernetes/connection/server-clock.ts";
import type { Step } from "../../../src/kubernetes/watch/step.ts";
import { Timeline } from "../../../src/kubernetes/watch/timeline.ts";
import { kindOf, type WatchedResource } from "../../../src/kubernetes/connection/watched-resource.ts";
import type { FakeApiServer } from "./fake-api-server.ts";
import type { ManualClock } from "../running/manual-clock.ts";
import { Observed } from "../running/observed.ts";

export interface ReflectorRunOptions {
  readonly server: FakeApiServer;
  readonly clock: ManualClock;
  readonly resource?: WatchedResource;
  readonly start?: ReflectorStart;
  readonly connection?: ClusterConnection;
  readonly timeline?: Timeline;
  readonly namespace?: string;
}

/** A running stream and its results. */
export class ReflectorRun extends Observed {
  readonly steps: Step[] = [];
  readonly news: CaptureEvent[] = [];
  readonly timeline: Timeline;
  readonly #stopper = new AbortController();
  readonly #ended: Promise<void>;
  error: unknown;

  constructor({ server, clock, resource = "pods", start, connection, timeline, namespace }: ReflectorRunOptions) {
    super();
    this.timeline = timeline ?? new Timeline(0);
    const serverClock = new ServerClock(clock);
    const { signal } = this.#stopper;
    const around = {
      connection: connection ?? openKubeconfig({ kind: "kubeconfig", file: server.kubeconfig() }),
      clock,
      serverClock,
      timeline: this.timeline,
      signal,
      random: () => 0,
      report: (news: CaptureEvent) => {
        this.news.push(news);
        this.changed();
      },
      ...(namespace !== undefined && { namespace }),
    };
    const identity = new ClusterIdentity(around, undefined);
    const reflector = new Reflector(kindOf(resource), { ...around, identity }, start ?? { seenAt: clock.now() });
    this.#ended = this.#collect(reflector.run());
  }

  /** All observations, as `TYPE name`. */
  get seen(): readonly string[] {
    return this.steps.flatMap((step) =>
      step.kind === "seen" ? step.observations.map(({ type, object }) => `${type} ${nameOf(object)}`) : [],
    );
  }

  get lists(): readonly (Step & { readonly kind: "listed" })[] {
    return this.steps.filter((step) => step.kind === "listed");
  }

  newsOf<Kind extends CaptureEvent["kind"]>(kind: Kind): readonly Extract<CaptureEvent, { kind: Kind }>[] {
    return this.news.filter((news): news is Extract<CaptureEvent, { kind: Kind }> => news.kind === kind);
  }

  /** Resolves at the start of the `times`-th watch. */
  watching(times = 1): Promise<void> {
    return this.until(() => this.newsOf("watching").length >= times);
  }

  async stop(): Promise<void> {
    this.#stopper.abort();
    await this.#ended;
  }

  async #collect(steps: AsyncGenerator<Step>): Promise<void> {
    try {
      for await (const step of steps) {
        this.steps.push(step);
        this.changed();
      }
    } catch (error) {
      this.error = error;
    }
    this.changed();
  }
}

function nameOf({ metadata }: Readonly<Record<string, unknown>>): string {
  return String((metadata as Readonly<Record<string, unknown>>)["name"]);
}
