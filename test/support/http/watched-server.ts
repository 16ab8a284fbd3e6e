import { createApi } from "../../../src/http/create-api.ts";
import type { OpenStreams } from "../../../src/http/streams/open-streams.ts";
import type { Fact } from "../../../src/job/model/fact.ts";
import type { Instant } from "../../../src/job/model/instant.ts";
import { API_PARTS } from "../../../src/host/optional/api-parts.ts";
import { rethrow } from "../running/rethrow.ts";
import { SmallTracker } from "../stores/small-tracker.ts";
import { Story } from "../story/story.ts";

/** An event of a watch of the Kubernetes-shaped API. */
export interface WatchEvent {
  readonly type: string;
  readonly object: {
    readonly kind: string;
    readonly metadata: { readonly name: string; readonly resourceVersion: string; readonly annotations?: object };
    readonly status?: { readonly phase?: string; readonly conditions?: readonly { readonly type: string }[] };
    readonly columnDefinitions?: unknown;
    readonly reason?: string;
  };
}

interface ServerOptions {
  readonly beganAt: Instant;
  /** Facts that arrive at given seconds. */
  readonly plot: Readonly<Record<number, () => readonly Fact[]>>;
  /** With streams, a watch is sent while it runs; without, at once. */
  readonly streams?: OpenStreams;
}

/** A server that receives facts at given seconds. Its clock advances while a watch waits. */
function openServer({ beganAt, plot, streams }: ServerOptions) {
  const tracker = new SmallTracker();
  let now = beganAt;
  const send = (facts: readonly Fact[]): Promise<void> => tracker.tell(facts, now);
  const pause = async (milliseconds = 1_000): Promise<boolean> => {
    for (const end = now + milliseconds; now < end;) {
      now += 1_000;
      const facts = plot[(now - beganAt) / 1_000]?.() ?? [];
      if (facts.length > 0) await send(facts);
    }
    return true;
  };
  const app = createApi({
    ...API_PARTS,
    stores: tracker.stores,
    access: { kind: "inProcess" },
    now: () => now,
    pause,
    version: "0",
    onError: rethrow,
    ...(streams !== undefined && { streams }),
  });
  const watch = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const text = await (await app.request(path, { headers })).text();
    return text
      .trim()
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as WatchEvent);
  };
  return {
    send,
    /** How many records a watch reads. */
    readsOf: async (path: string) => {
      tracker.ports.meta.takeReads();
      await watch(path);
      return tracker.ports.meta.takeReads().length;
    },
    pass: async (seconds: number) => {
      for (let second = 0; second < seconds; second += 1) await pause();
    },
    /** The events of a watch until it times out. */
    watch,
  };
}

/** A Job "report" at second 30. It starts a Pod 2 s later, completes after 4 s, and is deleted after 6 s. */
export async function watchedServer(beganAt: Instant, streams?: OpenStreams) {
  const story = new Story("report");
  const next = newFactsOf(story);
  story.jobCreated();
  story.jobTracked();
  const plot = {
    32: () => {
      story.podCreated("a", { index: 0 });
      story.podStarted("a");
      return next();
    },
    34: () => {
      story.podTerminated("a", "Succeeded");
      story.jobFinished("Complete");
      return next();
    },
    36: () => {
      story.jobDeleted();
      return next();
    },
  };
  const opened = openServer({ beganAt, plot, ...(streams !== undefined && { streams }) });
  await opened.send(next());
  await opened.pass(30);
  return opened;
}

/** The facts of a story since the last call. */
export function newFactsOf(story: Story): () => readonly Fact[] {
  let returned = 0;
  return () => {
    const facts = story.facts.slice(returned);
    returned = story.facts.length;
    return facts;
  };
}
