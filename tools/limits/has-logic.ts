/** Below this number of decisions, the tests of the callers specify a file completely. */
const FEWEST_DECISIONS = 5;

const EXPORTED_DECLARATION = /^export (?:default )?(?:async |abstract )*(?:function|class)\b/m;
const EXPORTED_ARROW = /^export const \w+(?::[^\n]*?)? = (?:async )?(?:\(|<|function\b|\w+ =>)/m;
const NOT_CODE = /\/\*[\s\S]*?\*\/|\/\/.*|"(?:\\.|[^"\\\n])*"/g;
const DECISION = /\bif \(|\bfor (?:await )?\(|\bwhile \(|\bcase |\bcatch\b|&&|\|\||\?\? | \? /g;

/** Whether a source file exports a function or a class and makes at least five decisions (branches, loops, cases). */
export function hasLogic(source: string): boolean {
  if (!EXPORTED_DECLARATION.test(source) && !EXPORTED_ARROW.test(source)) return false;
  const decisions = source.replaceAll(NOT_CODE, "").match(DECISION) ?? [];
  return decisions.length >= FEWEST_DECISIONS;
}
