import { expect, it } from "vitest";
import { openLogLinks } from "../../../functions/lambda/open-log-links.ts";
import { FunctionJournal } from "../../support/aws/function-journal.ts";

it("without templates, there are no log links", () => {
  expect(openLogLinks(undefined, new FunctionJournal().logger)).toEqual({});
});

it("valid templates become log links", () => {
  const text = '{"links":[{"name":"A","url":"https://a.example/{pod}"}]}';
  expect(openLogLinks(text, new FunctionJournal().logger)).toMatchObject({ logLinks: { links: [{ name: "A" }] } });
});

it("invalid templates are logged, and the API answers without links", () => {
  const journal = new FunctionJournal();
  expect(openLogLinks('{"links":[{"name":"A"}]}', journal.logger)).toEqual({});
  expect(journal.lines).toEqual([
    "ERROR The log links are invalid: answers have none. Correct the file, and deploy again. " +
      '{"problems":[{"path":"links[0].url","message":"Missing."}]}',
  ]);
});

it("templates that are no JSON are logged, too", () => {
  const journal = new FunctionJournal();
  expect(openLogLinks("links: []", journal.logger)).toEqual({});
  expect(journal.lines).toEqual([expect.stringContaining("Invalid JSON: ")]);
});
