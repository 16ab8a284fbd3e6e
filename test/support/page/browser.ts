import { existsSync } from "node:fs";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { expect } from "vitest";
import { skipWithout } from "../running/skip-without.ts";

const CHROMIUM = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
].find((path) => existsSync(path));

const NO_BROWSER = "Chromium is not installed. Install it, for example with `npm run setup:tests`.";

/** Whether tests in a browser are skipped. */
export function skipWithoutBrowser(): boolean {
  return skipWithout(CHROMIUM !== undefined, { dependency: "Chromium", untested: "the page in a browser" });
}

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export function openBrowser(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error(NO_BROWSER);
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}

/** A page that records its complaints: script errors and violations of the policy. */
export interface WatchedPage {
  readonly page: Page;
  readonly complaints: readonly string[];
}

/** A separate tab, like that of another reader. */
export async function openTab(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    timezoneId: "Europe/Berlin",
    locale: "en-GB",
    reducedMotion: "reduce",
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    // A browser reports every refused question itself; the page tells of them where it should.
    const isRefusal = message.text().startsWith("Failed to load resource");
    if (message.type() === "error" && !isRefusal) complaints.push(message.text());
  });
  return { page, complaints };
}

/** Waits for a text of the page, by role and name. */
export async function seeText(page: Page, text: string | RegExp): Promise<void> {
  await page.getByText(text).first().waitFor();
}

/** The text of a table cell by the table's name, a text of the row, and the column header. */
export async function cellOf(page: Page, table: string, row: string | RegExp, header: string): Promise<string> {
  const grid = page.getByRole("grid", { name: table });
  const headers = await grid.getByRole("columnheader").allInnerTexts();
  const column = headers.indexOf(header);
  expect(column, `column ${header} of ${headers.join(", ")}`).toBeGreaterThanOrEqual(0);
  const cells = grid.getByRole("row").filter({ hasText: row }).first().locator("td");
  return (await cells.nth(column).innerText()).trim();
}
