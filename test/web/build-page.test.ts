import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildPage } from "../../web/build-page.ts";

const folder = mkdtempSync(join(tmpdir(), "outlive-page-"));
let index = "";
beforeAll(async () => {
  writeFileSync(join(folder, "main-OLD.js"), "");
  await buildPage(folder);
  index = readFileSync(join(folder, "index.html"), "utf8");
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

describe("the built page", () => {
  it("refers to files that exist, by relative URLs", () => {
    const urls = [...index.matchAll(/(?:src|href)="([^"#]*)"/g)].map(([, url = ""]) => url);
    expect(urls.length).toBeGreaterThan(3);
    expect(urls.filter((url) => !existsSync(join(folder, url)))).toEqual([]);
    expect(urls.filter((url) => /^(\/|https?:)/.test(url))).toEqual([]);
  });

  it("has hashed names for scripts and styles", () => {
    expect(index).toMatch(/src="(\.\/)?main-[A-Z0-9]{8}\.js"/);
    expect(index).toMatch(/href="(\.\/)?page-[A-Z0-9]{8}\.css"/);
  });

  it("loads no script or style from another site", () => {
    expect(index).not.toMatch(/https?:\/\//);
  });

  it("replaces the files of an earlier build", () => {
    expect(readdirSync(folder)).not.toContain("main-OLD.js");
  });
});
