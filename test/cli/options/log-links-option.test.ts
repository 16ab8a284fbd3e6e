import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { logLinksOf } from "../../../cli/options/log-links-option.ts";
import { scratchFolder } from "../../support/running/run-outlive.ts";

const scratch = scratchFolder();
afterAll(() => scratch.remove());

function fileOf(name: string, text: string): string {
  const path = join(scratch.path, name);
  writeFileSync(path, text);
  return path;
}

it("without a file, there are no log links", async () => {
  expect(await logLinksOf({})).toEqual({});
});

it("the links of a file are read", async () => {
  const file = fileOf("valid.yaml", "links: [{ name: A, url: 'https://a.example/{pod}' }]");
  expect(await logLinksOf({ logLinks: file })).toMatchObject({ logLinks: { links: [{ name: "A" }] } });
});

it("an invalid file is rejected with every problem", async () => {
  const lines: string[] = [];
  const written = vi.spyOn(process.stderr, "write").mockImplementation((text) => lines.push(String(text)) > 0);
  const file = fileOf("invalid.yaml", "links: [{ name: A, url: 'ftp://a.example/' }, { name: B }]");
  await expect(logLinksOf({ logLinks: file })).rejects.toThrow("is invalid: correct the 2 problems above.");
  written.mockRestore();
  expect(lines).toEqual(["links[0].url: Expected an http or https URL.\n", "links[1].url: Missing.\n"]);
});

it("a file that does not exist is named", async () => {
  const file = join(scratch.path, "none.yaml");
  await expect(logLinksOf({ logLinks: file })).rejects.toThrow(/Cannot read .*none\.yaml: .* Check --log-links\./);
});
