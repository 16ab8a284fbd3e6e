import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createMetaPositionStore } from "../../../src/kubernetes/delivery/meta-position-store.ts";
import { PositionKeeper } from "../../../src/kubernetes/delivery/position-keeper.ts";
import type { PositionStore } from "../../../src/ports/position-store.ts";
import { createPositionFile } from "../../../src/adapters/spool/position-file.ts";
import { ManualClock, settled } from "../../support/running/manual-clock.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";
import { clusterNamed } from "../../support/facts/names.ts";

class MemoryPositions implements PositionStore {
  readonly written: string[] = [];
  isBroken = false;
  /** Resolves when the disk has time to write. */
  patience: Promise<void> = Promise.resolve();

  async read(): Promise<string | undefined> {
    return this.written.at(-1);
  }

  async write(position: string): Promise<void> {
    if (this.isBroken) throw new Error("The disk is full.");
    await this.patience;
    this.written.push(position);
  }
}

function keeper() {
  const clock = new ManualClock();
  const store = new MemoryPositions();
  const failed: unknown[] = [];
  let position: string | undefined;
  const kept = new PositionKeeper({ store, clock, position: () => position, onFailed: (cause) => failed.push(cause) });
  const reach = (at: string) => {
    position = at;
  };
  return { clock, store, failed, kept, reach };
}

describe("the keeper of a position", () => {
  it("writes the position every two seconds if it has moved", async () => {
    const { clock, store, kept, reach } = keeper();
    kept.start();
    await clock.advance(2000);
    expect(store.written).toEqual([]);
    reach("5");
    await clock.advance(6000);
    reach("9");
    await clock.advance(2000);
    expect(store.written).toEqual(["5", "9"]);
  });

  it("writes the last position when it is stopped", async () => {
    const { store, kept, reach } = keeper();
    kept.start();
    reach("7");
    await kept.stop();
    expect(store.written).toEqual(["7"]);
  });

  it("waits for the current write when it is stopped", async () => {
    const { clock, store, kept, reach } = keeper();
    const slow = Promise.withResolvers<void>();
    store.patience = slow.promise;
    kept.start();
    reach("7");
    await clock.advance(2000);
    const stopped = kept.stop();
    slow.resolve();
    await stopped;
    expect(store.written).toEqual(["7"]);
  });

  it("has written the last position when its stop resolves", async () => {
    const { store, kept, reach } = keeper();
    const slow = Promise.withResolvers<void>();
    store.patience = slow.promise;
    reach("7");
    let isStopped = false;
    const stopped = kept.stop().then(() => (isStopped = true));
    await settled();
    expect(isStopped).toBe(false);
    slow.resolve();
    await stopped;
    expect(store.written).toEqual(["7"]);
  });

  it("starts no write while another is in progress", async () => {
    const { clock, store, kept, reach } = keeper();
    const slow = Promise.withResolvers<void>();
    store.patience = slow.promise;
    kept.start();
    reach("7");
    await clock.advance(2000);
    reach("8");
    await clock.advance(6000);
    slow.resolve();
    await settled();
    expect(store.written).toEqual(["7"]);
    await clock.advance(2000);
    expect(store.written).toEqual(["7", "8"]);
  });

  it("writes nothing after its stop", async () => {
    const { clock, store, kept, reach } = keeper();
    kept.start();
    reach("7");
    await kept.stop();
    reach("8");
    await clock.advance(10_000);
    expect(store.written).toEqual(["7"]);
    expect(clock.pending).toBe(0);
  });

  it("retries a failed write", async () => {
    const { clock, store, failed, kept, reach } = keeper();
    kept.start();
    store.isBroken = true;
    reach("7");
    await clock.advance(2000);
    store.isBroken = false;
    await clock.advance(2000);
    expect(store.written).toEqual(["7"]);
    expect(failed).toHaveLength(1);
  });
});

describe("a position in the tracker's own database", () => {
  it("is stored per cluster, and replaced by the next", async () => {
    const meta = new MemoryMetaStore();
    const east = createMetaPositionStore(meta, clusterNamed("east"));
    expect(await east.read()).toBeUndefined();
    await east.write("{1}");
    await east.write("{2}");
    expect(await east.read()).toBe("{2}");
    expect(await createMetaPositionStore(meta, clusterNamed("west")).read()).toBeUndefined();
  });
});

describe("a position in a file", () => {
  it("is read as last written, in a folder that it creates", async () => {
    const folder = mkdtempSync(join(tmpdir(), "outlive-position-"));
    const file = createPositionFile(join(folder, "spool"));
    expect(await file.read()).toBeUndefined();
    await file.write("{1}");
    await file.write("{2}");
    expect(await createPositionFile(join(folder, "spool")).read()).toBe("{2}");
    expect(readdirSync(join(folder, "spool"))).toEqual(["position.json"]);
    rmSync(folder, { recursive: true });
  });
});
