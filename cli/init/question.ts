import { CommandFailure } from "../../src/host/command-line/command-failure.ts";

/** What `outlive init` must know. Each question is an option of the command, too. */
export interface Question {
  /** The option without dashes, such as `image`. */
  readonly name: string;
  /** The placeholder of its value. */
  readonly value: string;
  /** Asked on a terminal, and the description of the option. */
  readonly ask: string;
  /** The answer if there is none. A question without it must be answered. */
  readonly fallback?: string;
  /** Whether it is a question at all, after the answers before it. @default always */
  readonly when?: (answers: Answers) => boolean;
  /** The problem of an answer; `undefined` if it is valid. The fallback is not checked. */
  readonly problem?: (answer: string, answers: Answers) => string | undefined;
}

export type Answers = Readonly<Record<string, string | undefined>>;
/** Asks a person. */
export type Ask = (question: string) => Promise<string>;

/**
 * Collects an answer to each question: of the options, else of the person. Without a person, unanswered questions have
 * their fallback. Throws CommandFailure for an invalid option, for an option that does not apply, and for a question
 * that must be answered.
 */
export async function collectAnswers(questions: readonly Question[], given: Answers, ask?: Ask): Promise<Answers> {
  const answers: Record<string, string> = {};
  for (const question of questions) {
    const { name, when = () => true } = question;
    const option = given[name];
    if (when(answers)) answers[name] = await answerOf(question, { option, answers, ask });
    else if (option !== undefined) throw new CommandFailure(2, `--${name} does not apply to the other options.`);
  }
  return answers;
}

interface Known {
  readonly option: string | undefined;
  readonly answers: Answers;
  readonly ask: Ask | undefined;
}

async function answerOf(question: Question, { option, answers, ask }: Known): Promise<string> {
  const { name, fallback, ask: text } = question;
  const problemOf = (answer: string) => question.problem?.(answer, answers);
  if (option !== undefined) {
    const problem = problemOf(option);
    if (problem !== undefined) throw new CommandFailure(2, `--${name} is invalid: ${problem}`);
    return option;
  }
  if (ask === undefined) {
    if (fallback !== undefined) return fallback;
    throw new CommandFailure(2, `Set --${name}: ${text}. On a terminal, the command asks for it.`);
  }
  return askUntilValid(question, ask, problemOf);
}

async function askUntilValid(
  { ask: text, fallback }: Question,
  ask: Ask,
  problemOf: (answer: string) => string | undefined,
): Promise<string> {
  const shown = fallback === undefined || fallback === "" ? "" : ` [${fallback}]`;
  let problem = "";
  for (;;) {
    const answer = (await ask(`${problem}${text}${shown}: `)).trim();
    if (answer === "" && fallback !== undefined) return fallback;
    const found = answer === "" ? "an answer is needed." : problemOf(answer);
    if (found === undefined) return answer;
    problem = `Invalid: ${found}\n`;
  }
}

/** Asks for a line of input. Lines that were typed or pasted ahead are the next answers. */
export function askWith(lines: AsyncIterator<string>, output: { write(text: string): unknown }): Ask {
  return async (question) => {
    output.write(question);
    const line = await lines.next();
    if (line.done !== true) return line.value;
    throw new CommandFailure(2, "The input ended before all questions were answered. Nothing was written.");
  };
}
