import { signal } from "@preact/signals";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Live, Load } from "../../../web/api/live.ts";

/** A request that is answered when the test says so. */
class SlowApi {
  readonly sent: (() => void)[] = [];

  readonly load: Load<number> = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const answer = this.sent.push(resolve);
    return promise.then(() => ({ outcome: "answered", answer, at: Date.now() }));
  };

  async answer(): Promise<void> {
    this.sent.at(-1)?.();
    await vi.advanceTimersByTimeAsync(0);
  }
}

/** The page's modules read what a browser has. */
async function started(api: SlowApi) {
  const { Poller, refresh } = await import("../../../web/api/live.ts");
  const poller = new Poller(signal<Live<number>>({ phase: "loading" }), api.load, { everyMillis: 600_000 });
  poller.start();
  return { refresh, poller };
}

describe("a request that is repeated", () => {
  const api = new SlowApi();

  beforeEach(() => {
    vi.useFakeTimers();
    api.sent.length = 0;
    const page = new EventTarget();
    const storage = { getItem: () => null, setItem: () => undefined };
    vi.stubGlobal("localStorage", storage);
    vi.stubGlobal("sessionStorage", storage);
    vi.stubGlobal("location", { pathname: "/", hash: "" });
    vi.stubGlobal("document", Object.assign(new EventTarget(), { hidden: false }));
    vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
    vi.stubGlobal("dispatchEvent", page.dispatchEvent.bind(page));
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("is sent again after a change that came during it, which its answer may not have", async () => {
    const { refresh, poller } = await started(api);
    refresh();
    refresh();
    expect(api.sent).toHaveLength(1);
    await api.answer();
    expect(api.sent).toHaveLength(2);
    await api.answer();
    expect(api.sent).toHaveLength(2);
    poller.stop();
  });

  it("is sent at once if none is on its way", async () => {
    const { refresh, poller } = await started(api);
    await api.answer();
    refresh();
    expect(api.sent).toHaveLength(2);
    poller.stop();
  });
});
