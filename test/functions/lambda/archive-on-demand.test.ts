import { expect, it } from "vitest";
import { archiveOnDemand } from "../../../functions/lambda/archive-on-demand.ts";
import { openArchive } from "../../../functions/lambda/open-archive.ts";
import { AwsError } from "../../../src/adapters/aws/aws-error.ts";

const credentials = async () => ({
  accessKeyId: "a",
  secretAccessKey: "b",
  sessionToken: "c",
  expiration: new Date(),
});
const NOWHERE = { bucket: "outlive-archive", endpoint: "http://127.0.0.1:9" };

it("the archive of a stage has its name before it is opened", () => {
  expect(archiveOnDemand(NOWHERE).name).toBe(openArchive(NOWHERE).name);
});

it.each([
  ["reads", (archive: ReturnType<typeof archiveOnDemand>) => archive.read("manifest/a")],
  ["lists", (archive: ReturnType<typeof archiveOnDemand>) => archive.list("manifest/")[Symbol.asyncIterator]().next()],
  ["writes", (archive: ReturnType<typeof archiveOnDemand>) => archive.putIfAbsent("manifest/a", new Uint8Array())],
  ["deletes", (archive: ReturnType<typeof archiveOnDemand>) => archive.remove("manifest/a")],
])("the archive of a stage %s in its bucket", async (_, use) => {
  await expect(use(archiveOnDemand(NOWHERE, { attempts: 1, credentials }))).rejects.toThrow(AwsError);
});
