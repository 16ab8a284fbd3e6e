import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseColumnPath, parseTemplate } from "../../../../cli/output/template/parse-template.ts";
import { printTemplate } from "../../../../cli/output/template/print-template.ts";

/** The document of kubectl's own page about JSONPath, with labels and numbers. */
const DOCUMENT = {
  kind: "List",
  items: [
    {
      kind: "None",
      metadata: { name: "127.0.0.1", labels: { "kubernetes.io/hostname": "one" } },
      status: { capacity: { cpu: "4" }, restarts: 3, ready: true },
    },
    { kind: "None", metadata: { name: "127.0.0.2" }, status: { capacity: { cpu: "8" }, restarts: 0, ready: false } },
  ],
  users: [
    { name: "myself", user: {} },
    { name: "e2e", user: { username: "admin", password: "secret" } },
    { name: "third", user: { username: "third" } },
  ],
};

function printed(text: string): string {
  const parsed = parseTemplate(text);
  if (parsed.outcome === "rejected") throw new Error(parsed.problem);
  return printTemplate(parsed.selector, { document: DOCUMENT, current: DOCUMENT });
}

describe("a template of kubectl", () => {
  it.each([
    ["kind is {.kind}", "kind is List"],
    ["{}", ""],
    ["{['kind']}{[\"kind\"]}", "ListList"],
    ["{$.kind} {@.kind}", "List List"],
    ["{..name}", "127.0.0.1 127.0.0.2 myself e2e third"],
    ["{.items[*].metadata.name}", "127.0.0.1 127.0.0.2"],
    ["{.items.*.metadata.name}", "127.0.0.1 127.0.0.2"],
    ["{.users[0].name}", "myself"],
    ["{.users[-1].name}", "third"],
    ["{.users[0:2].name}", "myself e2e"],
    ["{.users[-2:].name}", "e2e third"],
    ["{.users[:2].name}", "myself e2e"],
    ["{.users[::2].name}", "myself third"],
    ["{.users[0,2].name}", "myself third"],
    ["{.items[*]['metadata.name', 'status.capacity']}", '127.0.0.1 {"cpu":"4"} 127.0.0.2 {"cpu":"8"}'],
    ['{.users[?(@.name=="e2e")].user.password}', "secret"],
    ["{.users[?( @.name != 'e2e' )].name}", "myself third"],
    ["{.users[?(@.user.username)].name}", "e2e third"],
    ["{.items[?(@.status.restarts>1)].metadata.name}", "127.0.0.1"],
    ["{.items[?(@.status.restarts<=0)].metadata.name}", "127.0.0.2"],
    ["{.items[?(@.status.ready==true)].metadata.name}", "127.0.0.1"],
    ['{.items[?(@.status.restarts=="3")].metadata.name}', ""],
    [
      "{range .items[*]}[{.metadata.name}, {.status.capacity}] {end}",
      '[127.0.0.1, {"cpu":"4"}] [127.0.0.2, {"cpu":"8"}] ',
    ],
    ['{range .items[*]}{.metadata.name}{"\\t"}{.status.restarts}{"\\n"}{end}', "127.0.0.1\t3\n127.0.0.2\t0\n"],
    ["{range .items[*]}{range .status.*}{@};{end}|{end}", '{"cpu":"4"};3;true;|{"cpu":"8"};0;false;|'],
    ["{range .items[*]}{$.kind} {end}", "List List "],
    ["{.items[0].metadata.labels.kubernetes\\.io/hostname}", "one"],
    ["{.items[0].metadata.labels['kubernetes\\.io/hostname']}", "one"],
    ["{.items[0].metadata.labels['kubernetes.io/hostname']}", "one"],
    ["{.absent.deeper} {.items[9].metadata.name}{.kind[0]}{.kind.length}", " "],
    ["{.constructor}{.items.length}{.__proto__}", ""],
    ["not } a brace", "not } a brace"],
  ])("%s prints %j", (template, text) => {
    expect(printed(template)).toBe(text);
  });

  it.each([
    ["{.items", 0, /no "}"/],
    ["x{.items[*", 8, /no "]"/],
    ["{items}", 1, /as \.items/],
    ["{end}", 1, /no "range"/],
    ["{range .items[*]}{.name}", 1, /no "{end}"/],
    ["{range}", 6, /expected a path/],
    ["{.items[x]}", 8, /expected an index/],
    ["{.items[?(@.a=b)]}", 13, /or a comparison/],
    ["{.items[?(@.a==b)]}", 15, /expected a text in quotes/],
    ["{.items[?(@.a==1 && @.b==2)]}", 17, /after one comparison/],
    ["{.items[0:2:0]}", 8, /less than 1/],
    ['{"open}', 1, /not closed/],
    ["{.items)}", 7, /expected a path/],
  ])("%s is refused at character %i", (template, at, problem) => {
    const parsed = parseTemplate(template);
    expect(parsed).toMatchObject({ outcome: "rejected", at });
    expect("problem" in parsed && parsed.problem).toMatch(problem);
  });

  it("is parsed or refused, whatever its text is", () => {
    const part = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ".",
      "..",
      "?(",
      ")",
      "@",
      "$",
      "*",
      "'",
      '"',
      "\\",
      "range ",
      "end",
      "a",
      "1",
      ":",
      ",",
      "==",
      " ",
      "-",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 25 }), (parts) => {
        const parsed = parseTemplate(parts.join(""));
        const text =
          parsed.outcome === "parsed" ? printTemplate(parsed.selector, { document: DOCUMENT, current: DOCUMENT }) : "";
        expect(typeof text).toBe("string");
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("the path of a custom column", () => {
  it.each(["kind", ".kind", "{.kind}", "{kind}", "$.kind"])("may be written as %s", (text) => {
    expect(parseColumnPath(text)).toMatchObject({ selector: { steps: [{ kind: "field", name: "kind" }] } });
  });

  it.each([
    ["{.kind", 6],
    [".kind}", 5],
    ["", 0],
  ])("%j is refused at character %i", (text, at) => {
    expect(parseColumnPath(text)).toMatchObject({ outcome: "rejected", at });
  });
});
