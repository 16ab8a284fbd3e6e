import type { APIGatewayProxyResult } from "aws-lambda";
import { PROBLEM_MEDIA_TYPE, problem } from "../../src/http/contract/problem.ts";

/**
 * The limit of Lambda for a response: 6,291,556 bytes of JSON. The body is a string in it, where a quote takes two
 * bytes.
 */
const MOST_BYTES = 6_291_556;
/** Reserved for everything around the body: status, headers and JSON punctuation. */
const FRAME_BYTES = 16_384;

/** A Fetch response for an API Gateway REST API. A response that is too large becomes a problem document. */
export async function resultOf(response: Response): Promise<APIGatewayProxyResult> {
  const body = await response.text();
  const headers = Object.fromEntries(response.headers);
  if (isTooLarge(body)) return tooLarge(headers);
  return { statusCode: response.status, headers, body, isBase64Encoded: false };
}

function isTooLarge(body: string): boolean {
  // No character takes more than six bytes in JSON, which decides most cases without serialization.
  if (body.length * 6 + FRAME_BYTES <= MOST_BYTES) return false;
  return Buffer.byteLength(JSON.stringify(body)) + FRAME_BYTES > MOST_BYTES;
}

function tooLarge(headers: Readonly<Record<string, string>>): APIGatewayProxyResult {
  const refusal = problem(
    "answer-too-large",
    "The response exceeds the 6 MB that AWS Lambda can return. Use a smaller `limit`, and continue with `cursor`.",
  );
  return {
    statusCode: refusal.status,
    headers: { ...headers, "content-type": PROBLEM_MEDIA_TYPE },
    body: JSON.stringify(refusal),
    isBase64Encoded: false,
  };
}
