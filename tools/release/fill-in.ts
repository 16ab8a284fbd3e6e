/** A place in a template: `${name}`. */
const PLACE = /\$\{(?<name>\w+)\}/g;

/** The template with a value in each place. Every place must have a value, and every value a place. */
export function fillIn(template: string, values: Readonly<Record<string, string>>): string {
  const places = new Set([...template.matchAll(PLACE)].map(({ groups }) => groups?.["name"] ?? ""));
  const unknown = [...places].filter((name) => values[name] === undefined);
  const unused = Object.keys(values).filter((name) => !places.has(name));
  if (unknown.length > 0) throw new Error(`The template has a place without a value: ${unknown.join(", ")}.`);
  if (unused.length > 0) throw new Error(`The template has no place for: ${unused.join(", ")}.`);
  return template.replaceAll(PLACE, (_, name: string) => values[name] ?? "");
}
