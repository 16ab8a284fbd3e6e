import type { APIGatewayProxyResult } from "aws-lambda";
import { PROBLEM_MEDIA_TYPE, problem } from "../../src/http/contract/problem.ts";

/** Lambda: the answer of a function has at most 6 MB, 6,291,556 bytes of JSON. The body is text within that JSON, where a quote takes two bytes. */
const MOST_BYTES = 6_291_556;
/** Status, headers and punctuation beside the body. */
const FRAME_BYTES = 16_384;

/** A Fetch response as an API Gateway REST API takes it. An answer that is too large becomes a problem that says so. */
export async function resultOf(response: Response): Promise<APIGatewayProxyResult> {
  const body = await response.text();
  const headers = Object.fromEntries(response.headers);
  if (isTooLarge(body)) return tooLarge(headers);
  return { statusCode: response.status, headers, body, isBase64Encoded: false };
}

function isTooLarge(body: string): boolean {
  // Nothing becomes more than six bytes: that settles nearly all without writing it down.
  if (body.length * 6 + FRAME_BYTES <= MOST_BYTES) return false;
  return Buffer.byteLength(JSON.stringify(body)) + FRAME_BYTES > MOST_BYTES;
}

function tooLarge(headers: Readonly<Record<string, string>>): APIGatewayProxyResult {
  const refusal = problem(
    "answer-too-large",
    "The answer has more than the 6 MB that AWS Lambda can answer with: ask for fewer at once with `limit`, and go on with `cursor`.",
  );
  return {
    statusCode: refusal.status,
    headers: { ...headers, "content-type": PROBLEM_MEDIA_TYPE },
    body: JSON.stringify(refusal),
    isBase64Encoded: false,
  };
}
