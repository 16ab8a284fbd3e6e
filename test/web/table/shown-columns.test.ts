import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ListColumn } from "../../../web/table/list-column.ts";
import {
  isChosen,
  labelKeys,
  type OfferedColumns,
  shownColumns,
  toggledColumns,
  widthOf,
} from "../../../web/table/shown-columns.ts";

interface Row {
  readonly labels: Readonly<Record<string, string>>;
}

function column(id: string, shown: ListColumn<Row>["shown"]): ListColumn<Row> {
  return { id, header: id, class: "w-time hide-s", rem: 5, shown, cell: () => id, fields: {} };
}

const offered: OfferedColumns<Row> = {
  columns: [
    column("state", "standard"),
    column("name", "always"),
    column("owner", "chosen"),
    column("age", "standard"),
  ],
  labelsOf: ({ labels }) => labels,
};
const idsOf = (text: string | undefined): readonly string[] => shownColumns(text, offered).map(({ id }) => id);

describe("the columns of an address", () => {
  it.each([
    [undefined, ["state", "name", "age"]],
    ["", ["state", "name", "age"]],
    ["nonsense,__proto__", ["state", "name", "age"]],
    ["age,owner,state", ["state", "name", "owner", "age"]],
    ["owner,nonsense,owner", ["name", "owner"]],
    ["name", ["name"]],
    ["label:team", ["name", "label:team"]],
    ["label:b,label:a,age", ["name", "age", "label:a", "label:b"]],
    ["label:", ["state", "name", "age"]],
  ])("%j are %j", (text, ids) => {
    expect(idsOf(text)).toEqual(ids);
  });

  it("have eight labels at most, of keys that Kubernetes allows", () => {
    const keys = Array.from({ length: 20 }, (_, n) => `label:k${n}`);
    expect(idsOf(keys.join())).toHaveLength(9);
    expect(idsOf(`owner,label:${"k".repeat(318)}`)).toEqual(["name", "owner"]);
  });

  it("are all shown on a narrow screen if they are chosen, and the table scrolls", () => {
    expect(shownColumns("age", offered).map(({ class: css }) => css)).toEqual(["w-time", "w-time"]);
    expect(shownColumns(undefined, offered)[0]?.class).toBe("w-time hide-s");
    expect(widthOf(shownColumns("age", offered))).toBe(10);
    expect([undefined, "age"].map((text) => isChosen(shownColumns(text, offered), offered))).toEqual([false, true]);
  });

  it.each([
    ["a.b/team", "x", "x"],
    ["toString", undefined, "–"],
    ["evil", "a\u202eb", "a⟨U+202E⟩b"],
  ])("show the label %s", (key, value, shown) => {
    const labels = value === undefined ? {} : { [key]: value };
    const [, label] = shownColumns(`label:${key}`, offered);
    expect(label?.cell({ labels })).toBe(shown);
    expect(label?.fields[`label:${key}`]?.({ labels })).toBe(value);
  });
});

describe("a column that is added or removed", () => {
  it("leaves no parameter if the standard columns are shown again", () => {
    const without = toggledColumns(undefined, offered, "age");
    expect(without).toBe("state,name");
    expect(toggledColumns(without, offered, "age")).toBe("");
  });

  it("is in its place, and twice is as before", () => {
    const ids = fc.constantFrom("state", "owner", "age", "label:team");
    fc.assert(
      fc.property(fc.array(ids), (toggles) => {
        const text = toggles.reduce((before, id) => toggledColumns(before, offered, id), "");
        const order = ["state", "name", "owner", "age", "label:team"];
        expect(idsOf(text)).toEqual(order.filter((id) => idsOf(text).includes(id)));
        for (const id of ["state", "owner"]) {
          expect(toggledColumns(toggledColumns(text, offered, id), offered, id)).toBe(text);
        }
      }),
    );
  });

  it("cannot be the name", () => {
    expect(idsOf(toggledColumns(undefined, offered, "name"))).toContain("name");
  });
});

describe("the labels on offer", () => {
  it("are those of the rows, the most frequent first, without keys that an address cannot have", () => {
    const rows = [{ labels: { app: "a", team: "x", "a,b": "" } }, { labels: { team: "y" } }];
    expect(labelKeys(rows, offered)).toEqual(["team", "app"]);
    expect(labelKeys(rows, { columns: offered.columns })).toEqual([]);
  });
});
