import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openEmbedded } from "../../../src/host/embedded/embedded-tracker.ts";
import type { Acknowledgement } from "../../../src/ports/records/acknowledgement-record.ts";
import { createAcknowledgementWriter } from "../../../src/query/attention/acknowledge.ts";
import { scratchFolder } from "../../support/running/run-outlive.ts";
import { damagedAcknowledgements } from "../../../src/upkeep/retention/acknowledgements.ts";

const AT = Date.parse("2026-01-01T00:00:00Z");

function acknowledged(id: string, until: number): Acknowledgement {
  const place = { cluster: "east", namespace: "batch", id };
  return { ...place, kind: "LimitReached", severity: "failed", by: "token 1", at: AT, until, note: "Known." };
}

async function withAcknowledgements() {
  const embedded = openEmbedded(":memory:");
  const writer = createAcknowledgementWriter(embedded.meta);
  await writer.write(acknowledged("1", AT + 1_000));
  await writer.write(acknowledged("2", AT + 2_000));
  return embedded;
}

async function keysIn({ meta }: ReturnType<typeof openEmbedded>) {
  return (await meta.list("acknowledgement", { prefix: "", limit: 9 })).records.map(({ key }) => key);
}

describe("acknowledgements of a database file", () => {
  it("are deleted after they have expired, without any rule of retention", async () => {
    const embedded = await withAcknowledgements();
    await embedded.forget({ now: AT + 1_000 });
    expect(await keysIn(embedded)).toEqual(["east#batch#2"]);
    embedded.close();
  });

  it("are kept by a replay", async () => {
    const embedded = await withAcknowledgements();
    await embedded.replay();
    expect(await keysIn(embedded)).toEqual(["east#batch#1", "east#batch#2"]);
    embedded.close();
  });

  it("are in a backup", async () => {
    const folder = scratchFolder();
    const embedded = await withAcknowledgements();
    const copy = join(folder.path, "copy.sqlite");
    await embedded.backUp(copy);
    embedded.close();
    const restored = openEmbedded(copy);
    expect(await keysIn(restored)).toEqual(["east#batch#1", "east#batch#2"]);
    expect(await restored.verify()).toMatchObject({ acknowledgements: [] });
    restored.close();
    await folder.remove();
  });

  it("are verified by their checksums", async () => {
    const embedded = await withAcknowledgements();
    expect(await embedded.verify()).toMatchObject({ acknowledgements: [] });
    const stored = await embedded.meta.read("acknowledgement", "east#batch#1");
    const value = stored?.value.replace("Known.", "Known!") ?? "";
    await embedded.meta.write("acknowledgement", "east#batch#1", { value, expected: 1 });
    expect(await embedded.verify()).toMatchObject({ acknowledgements: ["east#batch#1"], records: [] });
    expect(await damagedAcknowledgements(embedded.meta)).toEqual(["east#batch#1"]);
    embedded.close();
  });
});
