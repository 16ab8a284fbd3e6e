import type { Instant } from "../../job/instant.ts";
import type { KubeContext } from "./kube-context.ts";
import { showBookmark, showEvent, type KubeShape } from "./kube-shape.ts";
import { existing, type KubeWatchEvent, type KubeWatchTarget, news, type WatchStart } from "./kube-watch.ts";

export interface WatchRun {
  readonly target: KubeWatchTarget;
  readonly start: WatchStart & { readonly outcome: "starts" };
  readonly shape: KubeShape;
  /** The context as it is at each look. */
  readonly context: () => Promise<KubeContext>;
  readonly clock: () => Instant;
  readonly endsAt: Instant;
  /** Sends a line; false where nobody reads any more. */
  readonly send: (line: string) => boolean;
  /** Waits for the next look; false where nobody waits any more. */
  readonly pause: (milliseconds: number) => Promise<boolean>;
}

const POLL_MILLIS = 1_000;
/** As often as kube-apiserver sends them. */
const BOOKMARK_MILLIS = 60_000;

/** Tells what there is, where that is asked for, and then what changes, until the time is over or nobody listens. */
export async function runWatch(run: WatchRun): Promise<void> {
  const sender = new Sender(run);
  const { target, start, context, clock, endsAt, pause } = run;
  if (start.withExisting && !(await sender.sendAll(existing(await context(), target)))) return;
  if (target.options.initialEvents) sender.bookmark(true);
  let bookmarkedAt = clock();
  do {
    if (!(await sender.sendAll(news(await context(), start.positions, target)))) return;
    if (target.options.bookmarks && clock() - bookmarkedAt >= BOOKMARK_MILLIS) {
      sender.bookmark(false);
      bookmarkedAt = clock();
    }
  } while (clock() < endsAt && (await pause(POLL_MILLIS)));
}

class Sender {
  readonly #run: WatchRun;
  #isFirst = true;

  constructor(run: WatchRun) {
    this.#run = run;
  }

  /** False where nobody reads any more. */
  async sendAll(events: AsyncIterable<KubeWatchEvent>): Promise<boolean> {
    const { shape, clock, send } = this.#run;
    for await (const event of events) {
      if (!send(showEvent(event, { shape, now: clock(), headers: this.#isFirst }))) return false;
      this.#isFirst = false;
    }
    return true;
  }

  bookmark(ends: boolean): void {
    const { target, shape, clock, send } = this.#run;
    send(showBookmark(target.path.resource, shape, clock(), ends));
  }
}
