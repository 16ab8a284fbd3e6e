import { describe, expect, it } from "vitest";
import { startReplay } from "../../../src/upkeep/replay/rebuild-projection.ts";
import {
  isUnfinished,
  noteBegun,
  noteFinished,
  unfinishedAnswers,
  unfinishedCommands,
} from "../../../src/upkeep/replay/unfinished-commands.ts";
import { ErasureScene, ofJob } from "../../support/erasure/erasure-scene.ts";
import { KilledError } from "../../support/killed/killed-at.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";

const first = { command: "archive import", of: "archive-1" } as const;
const second = { command: "import", of: "east a.ndjson" } as const;

const killed = (): Promise<never> => Promise.reject(new KilledError());

async function commandsOf(meta: MemoryMetaStore): Promise<readonly string[]> {
  return (await unfinishedCommands(meta)).map(({ command }) => command);
}

describe("the note of a command", () => {
  it("stays from the first write to the last one", async () => {
    const meta = new MemoryMetaStore();
    expect(await isUnfinished(meta, first)).toBe(false);
    await noteBegun(meta, first);
    expect(await isUnfinished(meta, first)).toBe(true);
    await noteFinished(meta, first);
    expect(await commandsOf(meta)).toEqual([]);
  });

  it("is made once however often the command is repeated", async () => {
    const meta = new MemoryMetaStore();
    await noteBegun(meta, first);
    await noteBegun(meta, first);
    expect(await commandsOf(meta)).toEqual(["archive import"]);
  });

  it("does not end with another command, or the same one on other data", async () => {
    const meta = new MemoryMetaStore();
    await Promise.all([noteBegun(meta, first), noteBegun(meta, second)]);
    await noteFinished(meta, { ...first, of: "archive-2" });
    await noteFinished(meta, second);
    expect(await commandsOf(meta)).toEqual(["archive import"]);
  });
});

describe("a replay that was killed", () => {
  it("is named, and changes no answer", async () => {
    const meta = new MemoryMetaStore();
    await startReplay(meta);
    expect(await commandsOf(meta)).toEqual(["replay"]);
    expect(await unfinishedAnswers(meta)).toEqual([]);
  });
});

describe("an erasure that was killed", () => {
  it("is named in answers until it is repeated", async () => {
    const scene = new ErasureScene();
    await scene.fill();
    const eraser = { ...scene.tracker.eraser, purge: killed };
    await expect(scene.erase(ofJob, scene.ports({ eraser }))).rejects.toThrow(KilledError);
    const [unfinished] = await unfinishedAnswers(scene.tracker.meta);
    expect(unfinished?.command).toBe("erase");
    expect(unfinished?.text).toContain("repeat its `outlive erase`");
    await scene.erase(ofJob);
    expect(await unfinishedAnswers(scene.tracker.meta)).toEqual([]);
    scene.remove();
  });
});
