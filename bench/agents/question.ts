/** What an earlier answer says, as JSON. */
export type Earlier = readonly unknown[];

/** A call of a tool of the MCP server. */
export interface Call {
  readonly tool: string;
  readonly given: Readonly<Record<string, unknown>>;
}

/** One fact of the right answer, and how an answer shows it. */
export interface Fact {
  readonly fact: string;
  readonly shown: RegExp;
  /** How an answer of the HTTP API shows it. */
  readonly byHttp: RegExp;
}

/** A question about an incident, with its right answer. */
export interface Question {
  readonly id: string;
  readonly asked: string;
  readonly cluster: string;
  readonly namespace: string;
  /** The right answer. All of these must be in the answers of the calls. */
  readonly facts: readonly Fact[];
  /** Why this is right, and where to check it without Outlive. */
  readonly truth: string;
  /** What the recording itself has, as Kubernetes wrote it. Generated histories have none. */
  readonly recorded?: readonly RegExp[];
  /** The calls of an agent that knows what the question says, and follows the descriptions of the tools. */
  readonly calls: readonly ((earlier: Earlier) => Call)[];
  /** The requests of a program that knows the HTTP API. */
  readonly requests: readonly ((earlier: Earlier) => string)[];
}

export function fact(text: string, shown: RegExp, byHttp = shown): Fact {
  return { fact: text, shown, byHttp };
}

export function call(tool: string, given: Call["given"]): () => Call {
  return () => ({ tool, given });
}

/** A call about the first item that the call before has listed. */
export function callAboutFirst(tool: string): (earlier: Earlier) => Call {
  return (earlier) => {
    const { runs } = earlier.at(-1) as { readonly runs: readonly { readonly target: string }[] };
    return { tool, given: { target: runs[0]?.target } };
  };
}

export function get(path: string): () => string {
  return () => path;
}

/** A request about the first Job or run that the request before has listed. */
export function getOfFirst(kind: "jobs" | "runs", part: string): (earlier: Earlier) => string {
  return (earlier) => {
    const { items } = earlier.at(-1) as { readonly items: readonly Listed[] };
    const [first] = items;
    if (first === undefined) throw new Error(`There is no item for ${part}.`);
    const name = kind === "jobs" ? first.name : `${String(first.kind).toLowerCase()}/${first.name}`;
    return `/v1/clusters/${first.cluster}/namespaces/${first.namespace}/${kind}/${name}${part}`;
  };
}

interface Listed {
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
  readonly kind?: string;
}

/** The calls and requests for a question about a Job whose name is known. */
export function aboutJob(name: string, tool: "why" | "why_not_running" = "why"): Pick<Question, "calls" | "requests"> {
  return {
    calls: [call(tool, { target: name })],
    requests: [get(`/v1/jobs?name=${name}`), getOfFirst("jobs", "/why")],
  };
}

/** The same for a run of several Jobs. */
export function aboutRun(
  kind: string,
  name: string,
  tool: "why" | "why_not_running" = "why",
): Pick<Question, "calls" | "requests"> {
  return {
    calls: [call(tool, { target: `${kind}/${name}` })],
    requests: [get(`/v1/runs?name=${name}`), getOfFirst("runs", "/why")],
  };
}
