import { captureCluster } from "../../../src/kubernetes/watch/capture.ts";
import type { Capture } from "../../../src/kubernetes/watch/capture-state.ts";
import type { KnownObjects } from "../../../src/kubernetes/watch/known-objects.ts";
import type { CaptureEvent } from "../../../src/kubernetes/watch/capture-event.ts";
import { openKubeconfig } from "../../../src/kubernetes/connection/kubeconfig-connection.ts";
import type { Position } from "../../../src/kubernetes/watch/position.ts";
import type { Fact, FactKind } from "../../../src/job/model/fact.ts";
import type { FakeApiServer } from "./fake-api-server.ts";
import type { ManualClock } from "../running/manual-clock.ts";
import { Observed } from "../running/observed.ts";

export interface CaptureRunOptions {
  readonly server: FakeApiServer;
  readonly clock: ManualClock;
  readonly from?: Position;
  readonly known?: () => Promise<KnownObjects>;
}

/** A running capture of all resources and its results. */
export class CaptureRun extends Observed {
  readonly captures: Capture[] = [];
  readonly news: CaptureEvent[] = [];
  readonly #stopper = new AbortController();
  readonly #ended: Promise<void>;
  error: unknown;

  constructor({ server, clock, from, known }: CaptureRunOptions) {
    super();
    const captured = captureCluster(openKubeconfig({ kind: "kubeconfig", file: server.kubeconfig() }), {
      clock,
      random: () => 0,
      signal: this.#stopper.signal,
      report: (news) => {
        this.news.push(news);
        this.changed();
      },
      ...(from !== undefined && { from }),
      ...(known !== undefined && { known }),
    });
    this.#ended = this.#collect(captured);
  }

  get facts(): readonly Fact[] {
    return this.captures.flatMap(({ facts }) => facts);
  }

  get position(): Position {
    const last = this.captures.at(-1);
    if (last === undefined) throw new Error("Nothing was captured yet.");
    return last.position;
  }

  of<Kind extends FactKind>(kind: Kind): readonly Extract<Fact, { kind: Kind }>[] {
    return this.facts.filter((fact): fact is Extract<Fact, { kind: Kind }> => fact.kind === kind);
  }

  /** Resolves when there are `count` facts of `kind`. */
  told(kind: FactKind, count = 1): Promise<void> {
    return this.until(() => this.of(kind).length >= count);
  }

  /** Resolves when all six streams have started their `times`-th watch. */
  watching(times = 1): Promise<void> {
    return this.until(() => this.news.filter(({ kind }) => kind === "watching").length >= 6 * times);
  }

  /** Resolves when it has ended. */
  ended(): Promise<void> {
    return this.#ended;
  }

  async stop(): Promise<void> {
    this.#stopper.abort();
    await this.#ended;
  }

  async #collect(captured: AsyncGenerator<Capture>): Promise<void> {
    try {
      for await (const capture of captured) {
        this.captures.push(capture);
        this.changed();
      }
    } catch (error) {
      this.error = error;
    }
    this.changed();
  }
}
