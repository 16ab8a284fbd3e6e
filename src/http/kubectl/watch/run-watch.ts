import type { Instant } from "../../../job/model/instant.ts";
import { POLL_MILLIS } from "../../streams/long-poll.ts";
import type { Semaphore } from "../../../ports/concurrency/semaphore.ts";
import type { KubeContext } from "../kube-context.ts";
import { showBookmark, showEvent, type KubeShape } from "../kube-shape.ts";
import { existing, isFollowed, type KubeWatchTarget, news, type StartedWatch } from "./kube-watch.ts";
import type { KubeWatchEvent } from "./relisted-watch.ts";

export interface WatchRun {
  readonly target: KubeWatchTarget;
  readonly start: StartedWatch;
  readonly shape: KubeShape;
  /** The context with the current time, for each poll. */
  readonly context: () => Promise<KubeContext>;
  readonly clock: () => Instant;
  readonly endsAt: Instant;
  /** Sends a line. Returns false if the client is gone. */
  readonly send: (line: string) => boolean;
  /** Waits until a line can be sent. Resolves to false if the client is gone. */
  readonly room: () => Promise<boolean>;
  /** Limits how many watches of one reader read the store at the same time. */
  readonly turns: Semaphore;
  /** Waits for the next poll. Resolves to false if the client is gone. */
  readonly pause: (milliseconds: number) => Promise<boolean>;
}

/** Listing all objects again costs more than reading new log items. */
const RELIST_MILLIS = 5_000;
/** Interval of bookmarks, as in kube-apiserver. */
const BOOKMARK_MILLIS = 60_000;

/** Sends the existing objects, if requested, and then changes until the watch times out or the client is gone. */
export async function runWatch(run: WatchRun): Promise<void> {
  const sender = new Sender(run);
  const { target, start, context, clock, endsAt, pause } = run;
  if (start.withExisting && !(await sender.sendAll(existing(await context(), start, target)))) return;
  if (target.options.initialEvents) sender.bookmark(true);
  let bookmarkedAt = clock();
  do {
    if (!(await sender.sendAll(news(await context(), start, target)))) return;
    if (target.options.bookmarks && clock() - bookmarkedAt >= BOOKMARK_MILLIS) {
      sender.bookmark(false);
      bookmarkedAt = clock();
    }
  } while (clock() < endsAt && (await pause(isFollowed(target.path) ? POLL_MILLIS : RELIST_MILLIS)));
}

class Sender {
  readonly #run: WatchRun;
  #isFirst = true;

  constructor(run: WatchRun) {
    this.#run = run;
  }

  /** Returns false if the client is gone. */
  async sendAll(events: AsyncGenerator<KubeWatchEvent>): Promise<boolean> {
    const { shape, clock, room, send, turns } = this.#run;
    while (await room()) {
      const next = await turns.run(() => events.next());
      if (next.done === true) return true;
      if (!send(showEvent(next.value, { shape, now: clock(), headers: this.#isFirst }))) return false;
      this.#isFirst = false;
    }
    return false;
  }

  bookmark(ends: boolean): void {
    const { target, shape, clock, send } = this.#run;
    send(showBookmark(target.path.resource, { shape, now: clock() }, ends));
  }
}
