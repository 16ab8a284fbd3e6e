import { CAUSE_QUESTIONS } from "./cause-questions.ts";
import { EXAMPLE_QUESTIONS } from "./example-questions.ts";
import { GENERATED_QUESTIONS } from "./generated-questions.ts";
import type { Question } from "./question.ts";

/** About recordings of real control planes. */
export const RECORDED_QUESTIONS: readonly Question[] = [...EXAMPLE_QUESTIONS, ...CAUSE_QUESTIONS];

export const QUESTIONS: readonly Question[] = [...RECORDED_QUESTIONS, ...GENERATED_QUESTIONS];
