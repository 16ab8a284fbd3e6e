import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
}).split("\n");
const pages = files.filter((file) => file.endsWith(".md") && existsSync(join(root, file)));
const textOf = (page: string) => readFileSync(resolve(root, page), "utf8");

interface Link {
  readonly page: string;
  readonly target: string;
}

/** `[text](target)` and `![text](target)`, except to other sites. */
const LINK = /\]\(([^)\s]+)\)/g;
const links: readonly Link[] = pages.flatMap((page) =>
  [...textOf(page).matchAll(LINK)]
    .map(([, target = ""]) => ({ page, target }))
    .filter(({ target }) => !/^[a-z]+:/.test(target)),
);

/** A path of this repository in a code span: `src/job/model/fact.ts`, `src/kubernetes/translate/translate-*.ts`. */
const PATH = /`((?:bench|bin|cli|client|docs|examples|functions|lib|src|test|tools|web)\/[\w./*-]+)`/g;
const paths: readonly Link[] = pages.flatMap((page) =>
  [...textOf(page).matchAll(PATH)].map(([, target = ""]) => ({ page, target })),
);
/** A file or folder of its own folder that the README of a folder of `src` names: `read-log.ts`, `records/`. */
const NAME = /`([\w-]+(?:\/[\w-]+)*(?:\.ts|\/))`/g;
const names: readonly Link[] = pages
  .filter((page) => /^src\/.*README\.md$/.test(page))
  .flatMap((page) => [...textOf(page).matchAll(NAME)].map(([, target = ""]) => ({ page, target })))
  .filter(({ target }) => !target.startsWith("src/"));
/** Made by a build. */
const BUILT = ["web/dist"];

/** A path with `*` needs one file that matches. */
function isPresent(path: string): boolean {
  return path.includes("*") ? globSync(path, { cwd: root }).length > 0 : existsSync(join(root, path));
}

function fileOf({ page, target }: Link): string {
  const [path = ""] = target.split("#");
  return path === "" ? join(root, page) : resolve(root, dirname(page), path);
}

/** The anchors that GitHub gives to the headings of a page. */
function anchorsOf(page: string): ReadonlySet<string> {
  const headings = [...textOf(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

describe("a link between pages", () => {
  it("leads to a file that exists", () => {
    expect(links.filter((link) => !existsSync(fileOf(link)))).toEqual([]);
  });

  it("names a heading that exists", () => {
    const toHeadings = links.filter(({ target }) => /\.md#|^#/.test(target));
    expect(
      toHeadings.filter((link) => !anchorsOf(fileOf(link)).has(link.target.slice(link.target.indexOf("#") + 1))),
    ).toEqual([]);
  });
});

describe("a path in a code span", () => {
  it("is a file or a folder of the repository", () => {
    expect(
      paths.filter(({ target }) => !isPresent(target) && !BUILT.some((built) => target.startsWith(built))),
    ).toEqual([]);
  });

  it("is beside the README of a folder of src that names it", () => {
    expect(names.length).toBeGreaterThan(30);
    expect(names.filter(({ page, target }) => !existsSync(join(root, dirname(page), target)))).toEqual([]);
  });
});

describe("the map of the Job rules", () => {
  it("has every file of src/job but those of text", () => {
    const map = textOf("docs/job-map.md");
    const rules = files.filter((file) => /^src\/job\/(?!text\/).*\.ts$/.test(file) && existsSync(join(root, file)));
    expect(rules.length).toBeGreaterThan(90);
    expect(rules.filter((file) => !map.includes(`(../${file})`))).toEqual([]);
  });
});

describe("the decision records", () => {
  const records = files.filter((file) => /^docs\/decisions\/\d{4}-.*\.md$/.test(file) && existsSync(join(root, file)));

  it("are numbered from 1 without gaps", () => {
    const numbers = records.map((file) => Number(/\d{4}/.exec(file)?.[0]));
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from(records, (_, n) => n + 1));
  });

  it("begin with their number", () => {
    for (const record of records) {
      expect(textOf(record)).toMatch(new RegExp(`^# ${Number(/\d{4}/.exec(record)?.[0])}\\. `));
    }
  });

  it("are all in the index", () => {
    const index = textOf("docs/decisions/README.md");
    expect(records.filter((record) => !index.includes(`(${record.replace("docs/decisions/", "")})`))).toEqual([]);
  });
});
