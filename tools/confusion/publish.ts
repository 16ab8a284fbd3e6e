const BEGIN = "<!-- matrix: node tools/confusion-matrix.ts --write -->";
const END = "<!-- end -->";

/** The document with the text between its marks. */
export function publish(document: string, text: string): string {
  const [before, after] = [document.split(BEGIN)[0], document.split(END)[1]];
  if (before === undefined || after === undefined) throw new Error(`The document has no ${BEGIN} before ${END}.`);
  return `${before}${BEGIN}\n\n${text}\n\n${END}${after}`;
}
