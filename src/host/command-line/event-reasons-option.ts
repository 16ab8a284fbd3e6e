import { InvalidArgumentError, Option } from "commander";
import { type EventReasons, readEventReasons } from "../../kubernetes/translate/explaining-events.ts";

/** The option for the Events that a watch keeps. */
export function eventReasonsOption(): Option {
  return new Option(
    "--event-reasons <list>",
    "the reasons of normal Events to keep, such as Killing,Job/SuccessfulDelete, or * for all; warnings are always " +
      "kept (default: those that can change an answer)",
  )
    .env("OUTLIVE_EVENT_REASONS")
    .argParser(readList);
}

function readList(text: string): EventReasons {
  const reasons = readEventReasons(text);
  if (reasons === undefined) {
    throw new InvalidArgumentError("Write reasons such as Killing,Job/SuccessfulDelete, or *.");
  }
  return reasons;
}
