import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { openBrowser, openTab, type WatchedPage } from "./browser.ts";

/** The page of the running test. */
export let page: Page;

/** Opens a tab for each test of a suite, and fails on complaints of the browser. */
export function eachInItsOwnTab(): void {
  let browser: Browser;
  let tab: WatchedPage;
  beforeAll(async () => {
    browser = await openBrowser();
  }, 60_000);
  afterAll(() => browser.close());
  beforeEach(async () => {
    tab = await openTab(browser);
    page = tab.page;
  });
  afterEach(async () => {
    await page.context().close();
    expect(tab.complaints).toEqual([]);
  });
}

export function heading(name: string | RegExp): Locator {
  return page.getByRole("heading", { name });
}
