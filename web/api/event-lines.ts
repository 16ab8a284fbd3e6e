/** One server-sent event (WHATWG HTML, section 9.2.6). */
export interface ServerEvent {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
}

/** Splits the text of a stream into complete events. */
export class EventLines {
  #rest = "";

  take(text: string): readonly ServerEvent[] {
    // A line may end with CR LF, and a chunk may end between the two.
    const blocks = `${this.#rest}${text}`.replaceAll("\r\n", "\n").split("\n\n");
    this.#rest = blocks.pop() ?? "";
    return blocks.map(readEvent);
  }
}

function readEvent(block: string): ServerEvent {
  const fields = block.split("\n").map(readField);
  const of = (wanted: string): readonly string[] => fields.flatMap(([name, value]) => (name === wanted ? [value] : []));
  return { id: of("id").at(-1), event: of("event").at(-1) ?? "message", data: of("data").join("\n") };
}

/** A line without a colon is a field without a value. A line that starts with a colon is a comment. */
function readField(line: string): readonly [name: string, value: string] {
  const colon = line.indexOf(":");
  return colon < 0 ? [line, ""] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, "")];
}
