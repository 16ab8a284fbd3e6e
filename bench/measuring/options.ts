import { parseArgs } from "node:util";

/**
 * The options of a benchmark, by name without dashes. `--output table|json` is one of each. An unknown option or an
 * invalid number ends the process with a list of the known options, so that no long run measures the wrong thing.
 */
export function benchOptions<Name extends string>(names: readonly Name[]): BenchOptions<Name> {
  const known = [...names, "output"];
  try {
    const options = Object.fromEntries(known.map((name) => [name, { type: "string" as const }]));
    const { values } = parseArgs({ options, allowPositionals: false });
    return {
      text: (name) => textOf(values[name]),
      positive: (name, preset) => {
        const given = textOf(values[name]);
        if (given === undefined) return preset;
        if (Number(given) > 0) return Number(given);
        return refuse(`--${name} ${given} is not a positive number.`);
      },
    };
  } catch (cause) {
    return refuse(`${cause instanceof Error ? cause.message : String(cause)}\nOptions: --${known.join(", --")}`);
  }
}

export interface BenchOptions<Name extends string> {
  readonly text: (name: Name) => string | undefined;
  readonly positive: (name: Name, preset: number) => number;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function refuse(reason: string): never {
  console.error(reason);
  process.exit(2);
}
