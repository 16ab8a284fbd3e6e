import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openRecording } from "../../../src/host/embedded/open-recording.ts";
import { scratchFolder } from "../../support/running/run-outlive.ts";

const scratch = scratchFolder();
afterAll(() => scratch.remove());

async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  return Buffer.concat(parts).toString();
}

describe("a recording", () => {
  it("is read from a file", async () => {
    const file = join(scratch.path, "recording.ndjson");
    writeFileSync(file, "a line\n");
    expect(await textOf(await openRecording(file))).toBe("a line\n");
  });

  it.each([
    ["does not exist", "absent.ndjson", /^There is no file .*absent\.ndjson\. Check the path\.$/],
    ["is a folder", "", /it is a folder\. Name the files in it\.$/],
  ])("is refused before it is read if it %s", async (_, name, message) => {
    const opening = openRecording(join(scratch.path, name));
    await expect(opening).rejects.toMatchObject({ name: "CommandFailure", exitStatus: 2 });
    await expect(opening).rejects.toThrow(message);
  });
});
