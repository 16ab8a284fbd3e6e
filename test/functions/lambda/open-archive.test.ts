import { expect, it } from "vitest";
import { openArchive } from "../../../functions/lambda/open-archive.ts";

it("the archive of a stage is a folder of its bucket", () => {
  expect(openArchive({ bucket: "outlive-archive", endpoint: undefined }).name).toBe("s3://outlive-archive/archive");
});
