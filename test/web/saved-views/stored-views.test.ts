import { beforeEach, describe, expect, it, vi } from "vitest";

/** The storage of a browser. */
const stored = new Map<string, string>();
vi.stubGlobal("localStorage", {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => stored.set(key, value),
});

/** The module as a newly opened page has it. */
async function openPage(storage?: string) {
  stored.clear();
  if (storage !== undefined) stored.set("outlive.views", storage);
  return reloadPage();
}
async function reloadPage() {
  vi.resetModules();
  return import("../../../web/saved-views/stored-views.ts");
}

const FAILED = { name: "Failed", link: "#/jobs?state=Failed" };
const DELETED = { name: "Deleted", link: "#/jobs?state=Deleted" };

describe("the saved views", () => {
  beforeEach(() => stored.clear());

  it("are none at first", async () => {
    expect((await openPage()).savedViews.value).toEqual([]);
  });

  it("are still there when the page is opened again", async () => {
    const { saveView } = await openPage();
    saveView(FAILED);
    saveView(DELETED);
    expect((await reloadPage()).savedViews.value).toEqual([FAILED, DELETED]);
  });

  it("have one view for a name: the last saved", async () => {
    const { savedViews, saveView } = await openPage();
    saveView(FAILED);
    saveView({ name: "Failed", link: "#/jobs?state=Failed&namespace=batch" });
    expect(savedViews.value).toEqual([{ name: "Failed", link: "#/jobs?state=Failed&namespace=batch" }]);
  });

  it("can be deleted", async () => {
    const { deleteView, saveView } = await openPage();
    saveView(FAILED);
    saveView(DELETED);
    deleteView("Failed");
    expect((await reloadPage()).savedViews.value).toEqual([DELETED]);
  });

  it.each([
    ["text that is not JSON", "{", []],
    ["another document", '{"views":[]}', []],
    ["views of another form", JSON.stringify([{ name: "a" }, 1, null, FAILED]), [FAILED]],
    ["links to other sites", JSON.stringify([{ name: "a", link: "https://example.org" }]), []],
    ["scripts", JSON.stringify([{ name: "a", link: "javascript:alert(1)" }]), []],
  ])("leave out %s in the storage", async (_, storage, views) => {
    expect((await openPage(storage)).savedViews.value).toEqual(views);
  });
});
