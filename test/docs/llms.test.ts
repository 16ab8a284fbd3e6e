import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { apiOver } from "../support/http/request-api.ts";
import { storesWithFacts } from "../support/stores/stores-with-facts.ts";

const root = join(import.meta.dirname, "../..");
const tracked = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], {
  cwd: root,
  encoding: "utf8",
});
/** The pages for readers: those at the root and of docs. The index of the decisions has the records. */
const pages = tracked
  .split("\n")
  .filter((page) => existsSync(join(root, page)) && /^(docs\/.*|[A-Z]+)\.md$/.test(page))
  .filter((page) => !/^docs\/decisions\/\d/.test(page));

function read(file: string) {
  const text = readFileSync(join(root, file), "utf8");
  const items = text.split("\n").filter((line) => line.startsWith("- "));
  const links = items.map((item) => /^- \[[^\]]+\]\(([^)\s]+)\): \S/.exec(item)?.[1] ?? `not a link: ${item}`);
  return { text, links };
}

describe.each(["llms.txt", "web/llms.txt"])("%s", (file) => {
  const { text, links } = read(file);

  it("has the form of llmstxt.org: a title, a summary, and sections of links with notes", () => {
    expect(text).toMatch(/^# Outlive\n\n> \S/);
    const [before = "", ...sections] = text.split(/^## /m);
    expect(before).not.toMatch(/^(#{2,}|- )/m);
    expect(sections.length).toBeGreaterThan(1);
    expect(links.filter((link) => link.startsWith("not a link"))).toEqual([]);
    expect(new Set(links).size).toBe(links.length);
  });
});

describe("llms.txt of the repository", () => {
  const { links } = read("llms.txt");

  it("has only links that lead to files", () => {
    expect(links.filter((link) => !existsSync(join(root, link)))).toEqual([]);
  });

  it("has every page", () => {
    expect(pages.length).toBeGreaterThan(35);
    expect(pages.filter((page) => !links.includes(page))).toEqual([]);
  });
});

describe("llms.txt of a server", () => {
  const { text, links } = read("web/llms.txt");
  const { paths } = JSON.parse(readFileSync(join(root, "client/openapi.json"), "utf8")) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
  let app: ReturnType<typeof apiOver>["app"];
  beforeAll(async () => {
    ({ app } = apiOver(await storesWithFacts([])));
  });

  it.each(links.filter((link) => link !== "./"))("names %s, which is answered", async (link) => {
    expect((await app.request(`/${link}`)).status).toBe(200);
  });

  it("names every route without names, but for the probe and the second path of metrics", () => {
    const named = links.map((link) => `/${link.split("?")[0]}`);
    const routes = Object.keys(paths).filter((path) => !path.includes("{"));
    expect(routes.filter((path) => !named.includes(path))).toEqual(["/metrics", "/v1/healthz"]);
  });

  it("names what can be added to a Job and to a run", () => {
    const added = ["why", "history", "compare", "pods", "indexes"];
    for (const name of added) {
      expect(text).toContain(`\`/${name}\``);
      expect(Object.keys(paths).some((path) => path.endsWith(`/jobs/{name}/${name}`))).toBe(true);
    }
  });
});
