import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { SETTING_NAMES } from "../../bin/setting-names.ts";

function textOf(page: string): string {
  return readFileSync(new URL(`../../docs/${page}`, import.meta.url), "utf8");
}

/** The settings that a page names in code: `name`, `-c name=value`. */
function namedIn(page: string): ReadonlySet<string> {
  const words = new Set(textOf(page).match(/(?<=`|-c )[a-zA-Z]+(?=[`=])/g));
  return new Set(SETTING_NAMES.filter((name) => words.has(name)));
}

/** The settings in the first column of the tables of a page. */
function listedIn(page: string): readonly string[] {
  const cells = [...textOf(page).matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, cell = ""]) => cell.split(", "));
  return cells.map((cell) => cell.replaceAll("`", "")).filter((name) => SETTING_NAMES.includes(name));
}

describe("the pages about settings", () => {
  it("list each setting once", () => {
    const listed = [...listedIn("deploy.md"), ...listedIn("deploy/settings.md")];
    expect(listed.toSorted()).toEqual(SETTING_NAMES.toSorted());
  });

  it("name no more than twelve on the first page", () => {
    const named = [...namedIn("deploy.md")];
    expect(named.toSorted()).toEqual(listedIn("deploy.md").toSorted());
    expect(named.length).toBeLessThanOrEqual(12);
  });
});
