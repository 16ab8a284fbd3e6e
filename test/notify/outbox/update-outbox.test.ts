import { expect, it } from "vitest";
import { updateOutbox } from "../../../src/notify/outbox/update-outbox.ts";
import { MemoryMetaStore } from "../../support/stores/memory-meta-store.ts";

const DELIVERY = { receiver: "hook", subject: "east#s", nextAt: 0, group: "g", value: "{}" };

it("a change that loses to another writer is made again on what the other wrote", async () => {
  const meta = new MemoryMetaStore();
  const ports = { meta, retry: { attempts: 3, pause: async () => {} }, now: () => 7 };
  let tries = 0;
  const { outbox, result } = await updateOutbox(ports, "east#s", async (mine) => {
    tries += 1;
    if (tries === 1) await updateOutbox(ports, "east#s", (other) => other.add([{ ...DELIVERY, key: "other" }], 0));
    mine.add([{ ...DELIVERY, key: "mine" }], 0);
    return tries;
  });
  expect(result).toBe(2);
  expect(outbox.content.waiting.map(({ key }) => key)).toEqual(["other", "mine"]);
});

it("nothing is written if nothing changed", async () => {
  const meta = new MemoryMetaStore();
  await updateOutbox(
    { meta, retry: { attempts: 1, pause: async () => {} }, now: () => 7 },
    "east#s",
    async () => undefined,
  );
  expect(meta.contents()).toEqual([]);
});
